/** The fix that makes a kernel parameter point to global memory: for which declarators it is offered, and its result. */
import { expect, it } from "vitest";
import { noSettings } from "../../../server/src/dialect.ts";
import { checkText, fixedText } from "../../rule-examples.ts";
import { testParser } from "../../service.ts";

const parser = await testParser();

function fixed(text: string): string {
  const found = checkText(parser, "file:///a.cl", text, { ...noSettings, openclStandard: "CL2.0" });
  expect(found.map(({ rule }) => rule)).toContain("kernel-parameter-space");
  return fixedText(text, found);
}

it.each([
  ["int *p", "global int *p"],
  ["int *", "global int *"],
  ["int p[]", "global int p[]"],
  ["private int *p", "global int *p"],
])("'%s' becomes '%s'", (before, after) => {
  expect(fixed(`kernel void k(${before});\n`)).toBe(`kernel void k(${after});\n`);
});

// A word in front of the type would qualify the innermost pointee, not the first one.
it.each(["int **p", "int *p[]", "typedef int *P;"])("'%s' has no fix", (before) => {
  const text = before.startsWith("typedef") ? `${before}\nkernel void k(P p);\n` : `kernel void k(${before});\n`;
  expect(fixed(text)).toBe(text);
});
