/** Templates that differ only in a `requires` clause (C++20), which the compilers of the fixtures do not accept. */
import { expect, it } from "vitest";
import { noSettings } from "../../../server/src/dialect.ts";
import { serviceOf, testParser } from "../../service.ts";

const parser = await testParser();

function found(text: string): readonly string[] {
  const service = serviceOf(parser, [{ name: "a.cu", text }], noSettings);
  try {
    return service
      .check("file:///fixture/a.cu")
      .diagnostics.map(({ rule, location: { span } }) => `${rule} ${text.slice(span.start, span.end)}`);
  } finally {
    service.dispose();
  }
}

it("templates with different constraints are different functions", () => {
  expect(
    found(`template <class T> requires (sizeof(T) > 1) __device__ int early(T) { return 1; }
template <class T> requires (!(sizeof(T) > 1)) int early(T) = delete;
template <class T> __device__ int late(T) requires (sizeof(T) > 1) { return 1; }
template <class T> int late(T) requires (!(sizeof(T) > 1));
`),
  ).toEqual([]);
});

it("templates with the same constraint are one function", () => {
  expect(
    found(`template <class T> requires (sizeof(T) > 1) __device__ int early(T) { return 1; }
template <class U> requires (sizeof(U)>1) int early(U);
`),
  ).toEqual(["execution-space-mismatch early"]);
});
