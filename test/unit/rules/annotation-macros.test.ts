/** A fix that annotates a kernel in several files uses the project's macro in each file that contains its definition. */
import { afterAll, expect, it } from "vitest";
import { applyEdits } from "../../../server/src/diagnostics/fix-all.ts";
import { noSettings } from "../../../server/src/dialect.ts";
import { createService } from "../../../server/src/service.ts";
import { memoryFiles, testParser } from "../../service.ts";

const texts = new Map([
  ["file:///words.h", "#define LIB_GRID_CONSTANT __grid_constant__\n"],
  ["file:///kernel.cu", '#include "words.h"\nstruct P { int n; };\n__global__ void run(const LIB_GRID_CONSTANT P p) {}\n'],
  ["file:///sees.cu", '#include "words.h"\nstruct P { int n; };\n__global__ void run(const P p);\n'],
  ["file:///blind.cu", "struct P { int n; };\n__global__ void run(const P p);\n"],
]);
const service = createService({ files: memoryFiles(texts), parser: await testParser(), settingsOf: () => noSettings });
afterAll(() => service.dispose());

it("the keyword is written in files without the macro", () => {
  for (const uri of texts.keys()) service.check(uri);
  const diagnostics = [...service.link().values()].flat();
  expect(diagnostics.map(({ location, message }) => `${location.uri} ${message}`).sort()).toEqual([
    "file:///blind.cu 'p' is declared without '__grid_constant__', but defined with it",
    "file:///kernel.cu 'p' is defined with '__grid_constant__', but declared without it",
    "file:///sees.cu 'p' is declared without '__grid_constant__', but defined with it",
  ]);
  const edits = diagnostics[0]?.fixes[0]?.edits.map(({ location, text }) => [location.uri, text]);
  expect(new Map(edits as [string, string][])).toEqual(
    new Map([
      ["file:///sees.cu", " LIB_GRID_CONSTANT"],
      ["file:///blind.cu", " __grid_constant__"],
    ]),
  );
});

/** The text after each fix of the first finding. */
async function fixedTexts(text: string): Promise<readonly string[]> {
  const alone = createService({
    files: memoryFiles(new Map([["file:///a.cu", text]])),
    parser: await testParser(),
    settingsOf: () => noSettings,
  });
  try {
    return (alone.check("file:///a.cu").diagnostics[0]?.fixes ?? []).map(({ edits }) =>
      applyEdits(
        text,
        edits.map(({ location: { span }, text: inserted }) => ({ span, text: inserted })),
      ),
    );
  } finally {
    alone.dispose();
  }
}

const conditional = "#ifdef OLD\n#define GC\n#else\n#define GC __grid_constant__\n#endif\nstruct P { int n; };\n";

it("a macro is written even if it is empty in one branch", async () => {
  expect(await fixedTexts(`${conditional}__global__ void run(const GC P p);\n__global__ void run(const P p) {}\n`)).toEqual([
    `${conditional}__global__ void run(const GC P p);\n__global__ void run(const GC P p) {}\n`,
    `${conditional}__global__ void run(const P p);\n__global__ void run(const P p) {}\n`,
  ]);
});

it("a missing const is written in front of the macro", async () => {
  expect(await fixedTexts(`${conditional}__global__ void run(GC P p) {}\n`)).toEqual([
    `${conditional}__global__ void run(const GC P p) {}\n`,
  ]);
  expect(await fixedTexts(`${conditional}__global__ void run(int n, GC int *p) {}\n`)).toEqual([
    `${conditional}__global__ void run(int n, GC int *const p) {}\n`,
  ]);
});

it("the macro is at the same position as in the other declarations, also in other files", async () => {
  const own = "struct P { int a[40]; };\n#define GC __grid_constant__\n";
  for (const [declared, defined, expected] of [
    ["const GC P p", "const P p", "const GC P p"],
    ["GC const P p", "const P p", "GC const P p"],
    ["const P GC p", "const P p", "const P GC p"],
    ["const GC P", "P p", "const GC P p"],
    ["const GC P p", "P const p", "P const GC p"],
  ]) {
    const files = new Map([
      ["file:///k.cuh", `#pragma once\n${own}__global__ void k(${declared}, float *out);\n`],
      ["file:///k.cu", `${own}__global__ void k(${defined}, float *out) { out[0] = p.a[0]; }\n`],
    ]);
    const linked = createService({ files: memoryFiles(files), parser: await testParser(), settingsOf: () => noSettings });
    try {
      for (const uri of files.keys()) linked.check(uri);
      const [finding] = [...linked.link().values()].flat();
      const edits = finding?.fixes.find(({ isPreferred }) => isPreferred)?.edits ?? [];
      const changed = edits
        .filter(({ location }) => location.uri === "file:///k.cu")
        .map(({ location: { span }, text }) => ({ span, text }));
      expect(applyEdits(files.get("file:///k.cu") ?? "", changed)).toContain(`k(${expected}, float *out)`);
    } finally {
      linked.dispose();
    }
  }
});
