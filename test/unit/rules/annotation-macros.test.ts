/** A fix that annotates a kernel in several files writes a project's macro only where that file has its definition. */
import { afterAll, expect, it } from "vitest";
import { noSettings } from "../../../server/src/dialect.ts";
import { applyEdits } from "../../../server/src/features/fix-all.ts";
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

it("and the keyword elsewhere", () => {
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
      ["file:///sees.cu", "LIB_GRID_CONSTANT "],
      ["file:///blind.cu", "__grid_constant__ "],
    ]),
  );
});

/** The text after each fix of its first finding. */
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

it("and stays the macro where it says something in one branch only", async () => {
  expect(await fixedTexts(`${conditional}__global__ void run(const GC P p);\n__global__ void run(const P p) {}\n`)).toEqual([
    `${conditional}__global__ void run(const GC P p);\n__global__ void run(const GC P p) {}\n`,
    `${conditional}__global__ void run(const  P p);\n__global__ void run(const P p) {}\n`,
  ]);
});

it("and gets its const in front", async () => {
  expect(await fixedTexts(`${conditional}__global__ void run(GC P p) {}\n`)).toEqual([
    `${conditional}__global__ void run(const GC P p) {}\n`,
  ]);
  expect(await fixedTexts(`${conditional}__global__ void run(int n, GC int *p) {}\n`)).toEqual([
    `${conditional}__global__ void run(int n, GC int *const p) {}\n`,
  ]);
});
