/**
 * Nothing flickers while the user types: whatever state the edited function is in, the findings of all other functions stay
 * shown, no new ones appear there, and everything is as before once the source is complete again.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CompileSettings, noSettings } from "../../../server/src/dialect.ts";
import { createStabilizer } from "../../../server/src/lsp/session/stabilizer.ts";
import { inOrder } from "../../../server/src/project/order.ts";
import { createService } from "../../../server/src/service.ts";
import { isThorough, runs, seedOf } from "../../effort.ts";
import { memoryFiles, testParser } from "../../service.ts";

const parser = await testParser();

interface Program {
  readonly name: string;
  readonly functions: readonly string[];
}

const opencl: Program = {
  name: "a.cl",
  functions: [
    "typedef struct { float4 value; int count; } item_t;\nconstant float weights[4] = {1, 2, 3, 4};\n",
    "kernel void first(global int *g, constant item_t *items) {\n  local int *l = (local int *)g; /* wrong */\n  l[0] = items->count;\n}\n",
    "float helper(global const float *in, int n) {\n  float sum = 0;\n  for (int i = 0; i < n; ++i) {\n    sum += in[i] * weights[i % 4];\n  }\n  return sum > 0 ? sum : -sum;\n}\n",
    "// A comment with a quote: it's fine.\nkernel void second(global float *out, global const float *in) {\n  local float tile[16] = {0};\n  out[0] = helper(in, 4) + tile[0];\n  weights[0] = 1;\n}\n",
    "kernel void third(global int *g) {\n  global float *f = (constant float *)g;\n}\n",
  ],
};

const cuda: Program = {
  name: "a.cu",
  functions: [
    "struct S { int a[4]; float b; };\n__constant__ int table[8];\nconst float limits[2] = {1, 2};\n",
    "__global__ void first(__grid_constant__ S s, int *out) {\n  out[threadIdx.x] = s.a[0];\n}\n",
    "template <typename T>\n__device__ T helper(const T *in, int n) {\n  T sum = T(0);\n  for (int i = 0; i < n; ++i) sum += in[i] * table[i & 7];\n  return sum > T(0) ? sum : -sum;\n}\n",
    "// A comment with a quote: it's fine.\n__global__ void second(const S s, float *out) {\n  __shared__ float tile[16] = {0};\n  out[0] = helper(out, 4) + tile[0] + limits[0];\n  table[0] = 1;\n}\n",
    "void launch(float *out) {\n  S s;\n  second<<<1, 32>>>(s, out);\n  table[1] = 2;\n}\n",
  ],
};

// One standard is enough here; several only repeat the work.
const settings: CompileSettings = { ...noSettings, openclStandard: "CL1.2" };

/** An editor with a program: `show` returns the findings that are shown after an edit, each with its function. */
function editorOn({ name, functions }: Program) {
  const uri = `file:///${name}`;
  const texts = new Map([[uri, functions.join("")]]);
  const service = createService({ files: memoryFiles(texts), parser, settingsOf: () => settings });
  const steady = createStabilizer(() => 0);
  return {
    dispose: () => service.dispose(),
    show(now: readonly string[]): readonly { readonly index: number; readonly rule: string; readonly at: number }[] {
      const text = now.join("");
      texts.set(uri, text);
      service.changed([uri]);
      const report = service.check(uri);
      return steady.show(uri, text, { report, diagnostics: inOrder(report.diagnostics) }).map(({ rule, location: { span } }) => {
        const startOf = (index: number) => now.slice(0, index).join("").length;
        const index = now.findIndex((part, each) => span.start < startOf(each) + part.length);
        return { index, rule, at: span.start - startOf(index) };
      });
    },
  };
}

/** Types the versions of a function. Fails if the findings outside of it change. */
function typed(program: Program, edited: number, versions: readonly string[]): void {
  const editor = editorOn(program);
  try {
    const { functions } = program;
    const others = (shown: ReturnType<typeof editor.show>) => shown.filter(({ index }) => index !== edited);
    const before = editor.show(functions);
    expect(others(before).length).toBeGreaterThan(0);
    for (const version of versions) {
      const shown = editor.show(functions.map((text, index) => (index === edited ? version : text)));
      expect(others(shown), version).toEqual(others(before));
    }
    expect(editor.show(functions)).toEqual(before);
  } finally {
    editor.dispose();
  }
}

/** True if the offset is inside a word, beyond its second letter, or follows two spaces. */
const isInside = (text: string, offset: number) => /^(?:\w{3}|\s{2})/.test(text.slice(Math.max(0, offset - 2), offset + 1));

/**
 * The prefixes of a text, usually every sixth of those that do not end inside a word. Each ends with a line break, because otherwise it would
 * belong to the code that follows on its line.
 */
const prefixes = (text: string) =>
  Array.from({ length: text.length }, (_, length) => length)
    .filter((length) => isThorough || !isInside(text, length))
    .filter((_, index) => isThorough || index % 6 === 0)
    .map((length) => `${text.slice(0, length)}\n`);

describe.each([opencl, cuda])("in $name", (program) => {
  const bodies = [1, 2, 3, 4];

  it.each(bodies)("function %i may be typed letter by letter", (edited) => {
    typed(program, edited, prefixes(program.functions[edited] ?? ""));
  });

  it.each(bodies)("function %i may lose its lines from the top, or any single line", (edited) => {
    const lines = (program.functions[edited] ?? "").split("\n");
    typed(
      program,
      edited,
      lines.flatMap((_, count) => [lines.slice(count).join("\n"), lines.toSpliced(count, 1).join("\n")]),
    );
  });

  it("any text may be inserted into a body for a moment", () => {
    const noise = fc.constantFrom(
      "{",
      "}",
      "(",
      ")",
      "[",
      "]",
      "((",
      "}}",
      '"',
      "'",
      "/*",
      "*/",
      "//",
      "#if 0\n",
      "#if 1\n",
      "#else\n",
      "#endif\n",
      "#define X\n",
      "#include <x>\n",
      "\\",
      "\\\n",
      'R"(',
      "<<<",
      ">>>",
      "<",
      ">",
      ";",
      ",",
      "=",
      "template <",
      "struct S {",
      "switch (x) {",
      "case",
      "typedef",
      'extern "C" {',
      "@",
      "#",
      "`",
      "漢",
      "😀",
      "\u0000",
      "?",
      ":",
      "...",
    );
    fc.assert(
      fc.property(fc.constantFrom(...bodies), fc.nat(), noise, fc.boolean(), (edited, at, inserted, isLineGone) => {
        const text = program.functions[edited] ?? "";
        const offset = text.indexOf("{") + 1 + (at % (text.lastIndexOf("}") - text.indexOf("{") - 1));
        const rest = text.slice(offset);
        typed(program, edited, [text.slice(0, offset) + inserted + (isLineGone ? rest.slice(rest.indexOf("\n")) : rest)]);
      }),
      { numRuns: runs(10), seed: seedOf(1) },
    );
  });
});
