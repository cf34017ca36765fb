/** Fixes that remove a word or a statement also remove some of the blanks around it. Comments and macros stay complete. */
import { describe, expect, it } from "vitest";
import { applyEdits } from "../../../server/src/diagnostics/fix-all.ts";
import { noSettings } from "../../../server/src/dialect.ts";
import { checkText, fixedText } from "../../rule-examples.ts";
import { testParser } from "../../service.ts";

const parser = await testParser();

function fixed(uri: string, text: string): string {
  return fixedText(text, checkText(parser, uri, text, { ...noSettings, openclStandard: "CL1.2" }));
}

describe("a removed word", () => {
  const macros = "#define GC __grid_constant__\n#define NEXT int a\n";
  it.each([
    ["with the blank after it", "(__grid_constant__ int a)", "(int a)"],
    ["with the blank before it, at the end", "(int __grid_constant__)", "(int)"],
    ["without a comment after it", "(__grid_constant__/* c */ int a)", "(/* c */ int a)"],
    ["without comments on both sides", "(int/* c */__grid_constant__/* d */a)", "(int/* c *//* d */a)"],
    ["without a line break after it", "(__grid_constant__\nint a)", "(\nint a)"],
    ["with the macro's name", "(GC int a)", "(int a)"],
    ["with the macro's name, but without a comment", "(GC/* c */ int a)", "(/* c */ int a)"],
    ["with the macro's name in front of another", "(GC NEXT)", "(NEXT)"],
    ["with the macro's name at the end of a line", "(GC\nint a)", "(\nint a)"],
  ])("goes %s", (_, before, after) => {
    expect(fixed("file:///a.cu", `${macros}__device__ void f${before} {}\n`)).toBe(`${macros}__device__ void f${after} {}\n`);
  });

  it.each([
    ["with the blank after it", "", "__private int f(void);", "int f(void);"],
    ["with the macro's name", "#define MINE __private\n", "MINE int f(void);", "int f(void);"],
  ])("of OpenCL goes %s", (_, macro, before, after) => {
    expect(fixed("file:///a.cl", `${macro}${before}\n`)).toBe(`${macro}${after}\n`);
  });
});

describe("a removed statement", () => {
  const around = (before: string, after: string) =>
    `__constant__ float factor;\n__global__ void scale(float *data) { *data *= factor; }\nvoid start(float *data, float value) {\n${before}cudaMemcpyToSymbol(factor, &value, sizeof(value));${after}\n  scale<<<1, 32>>>(data);\n}\n`;
  const changed = (text: string) => {
    const [found] = checkText(parser, "file:///a.cu", text, noSettings).filter(({ rule }) => rule === "constant-memory-scalar");
    return applyEdits(text, found?.fixes[0]?.edits.map(({ location: { span }, text: inserted }) => ({ span, text: inserted })) ?? []);
  };
  it.each([
    ["with its line", "  ", "", ""],
    ["with its line and the comments on it", "  /* a */ ", " // b", ""],
    ["with its line, and without its neighbors' comments", "  int x; // a\n  ", "\n  // b", "  int x; // a\n  // b\n"],
    ["with its line and the blanks at its end", "\t", " \t", ""],
    ["without a comment in front of it", "  /* a\n b */ ", "", "  /* a\n b */ \n"],
    ["without a comment behind it", "  ", " /* a\n b */", "  /* a\n b */\n"],
    ["without a comment that touches it", "  int x; ", "/* a */ int y;", "  int x; /* a */ int y;\n"],
    ["with one of two blanks", "  value++; ", " return;", "  value++; return;\n"],
  ])("goes %s", (_, before, after, left) => {
    expect(changed(around(before, after))).toBe(
      `__global__ void scale(float *data, float factor) { *data *= factor; }\nvoid start(float *data, float value) {\n${left}  scale<<<1, 32>>>(data, value);\n}\n`,
    );
  });
});
