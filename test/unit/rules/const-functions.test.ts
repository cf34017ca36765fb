/** *Declare const* is offered only for functions that compile as const ones. */
import { expect, it } from "vitest";
import { noSettings } from "../../../server/src/dialect.ts";
import { checkText } from "../../rule-examples.ts";
import { testParser } from "../../service.ts";

const parser = await testParser();

/** The titles of the fixes for calls on a const object, with those that `--fix` applies marked. */
function offered(members: string, calls: string): readonly string[] {
  const text = `struct S {\n  int m;\n${members}\n};\n__device__ void f(const S &s) { ${calls} }\n`;
  return checkText(parser, "file:///a.cu", text, noSettings)
    .filter(({ rule }) => rule === "const-object-call")
    .flatMap(({ fixes }) => fixes.map(({ title, isPreferred }) => `${title}${isPreferred ? " (preferred)" : ""}`));
}

it("declares a function that only reads const", () => {
  expect(offered("  __device__ int get() { return m; }", "s.get();")).toEqual(["Declare 'get' const (preferred)"]);
});

it("leaves the choice to the author if the body is elsewhere", () => {
  expect(offered("  __device__ int get();", "s.get();")).toEqual(["Declare 'get' const"]);
});

it("offers nothing for a function that writes, directly or through another one", () => {
  expect(offered("  __device__ void set() { m = 1; }", "s.set();")).toEqual([]);
  expect(offered("  __device__ void set() { m = 1; }\n  __device__ void both() { set(); }", "s.both();")).toEqual([]);
});

it("offers nothing for a function that hands out its members or calls a function that is not const", () => {
  expect(offered("  __device__ int &operator*() { return m; }", "*s;")).toEqual([]);
  expect(offered("  __device__ int *at() { return &m; }", "s.at();")).toEqual([]);
  expect(offered("  __device__ int get() { return m; }\n  __device__ int both() { return get(); }", "s.both();")).toEqual([]);
});
