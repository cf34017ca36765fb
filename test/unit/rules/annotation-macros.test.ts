/** A fix that annotates a kernel in several files writes a project's macro only where that file has its definition. */
import { afterAll, expect, it } from "vitest";
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

it("and the keyword elsewhere", () => {
  for (const uri of texts.keys()) service.check(uri);
  const diagnostics = [...service.link().values()].flat();
  expect(diagnostics.map(({ location, message }) => `${location.uri} ${message}`).sort()).toEqual([
    "file:///blind.cu 'p' is declared without '__grid_constant__', but defined with it",
    "file:///kernel.cu 'p' is defined with '__grid_constant__', but declared without it",
    "file:///sees.cu 'p' is declared without '__grid_constant__', but defined with it",
  ]);
  const edits = diagnostics[0]?.fixes[0]?.edits.map(({ location, text }) => [location.uri, text]);
  expect(new Map(edits as [string, string][])).toEqual(new Map([["file:///sees.cu", "LIB_GRID_CONSTANT "], ["file:///blind.cu", "__grid_constant__ "]]));
});
