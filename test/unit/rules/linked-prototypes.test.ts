/** The fix for a prototype that contradicts the definition in another file gives it the spaces of the definition. */
import { describe, expect, it } from "vitest";
import { noSettings } from "../../../server/src/dialect.ts";
import { serviceOf, testParser } from "../../service.ts";

const parser = await testParser();

/** The first file, which contains only the prototype, after the fix. */
function mended(prototype: string, definition: string): string | undefined {
  const files = [
    { name: "a.cl", text: prototype },
    { name: "b.cl", text: definition },
  ];
  const service = serviceOf(parser, files, noSettings);
  try {
    for (const { name } of files) service.check(`file:///fixture/${name}`);
    const [finding] = service.link().get("file:///fixture/a.cl") ?? [];
    const edits = [...(finding?.fixes[0]?.edits ?? [])].sort((a, b) => b.location.span.start - a.location.span.start);
    if (finding === undefined || edits.length === 0) return undefined;
    return edits.reduce((text, { location: { span }, text: added }) => text.slice(0, span.start) + added + text.slice(span.end), prototype);
  } finally {
    service.dispose();
  }
}

describe("a prototype in another file", () => {
  it.each([
    ["void f(local int *p);", "void f(global int *p) {}", "void f(global int *p);"],
    ["void f(__local int *p);", "void f(global int *p) {}", "void f(__global int *p);"],
    ["void f(const global int *p, int n);", "void f(global int *p, int n) {}", "void f(global int *p, int n);"],
    ["void f(global int *p);", "void f(constant int *p) {}", "void f(constant int *p);"],
    ["void f(global int *p, local int *q);", "void f(const local int *p, global int *q) {}", "void f(const local int *p, global int *q);"],
    ["typedef global int *P;\nvoid f(P p);", "void f(local int *p) {}", undefined],
    ["void f(global int **p);", "void f(local int **p) {}", undefined],
    ["void f(int *p);", "void f(global int *p) {}", undefined],
  ])("%s", (prototype, definition, expected) => expect(mended(prototype, definition)).toBe(expected));
});
