/** After a change, only the pieces are read again whose meaning may be another one. */
import { describe, expect, it } from "vitest";
import { dialectsOf, noSettings } from "../../../server/src/dialect.ts";
import { createPreludes } from "../../../server/src/preprocess/preludes.ts";
import { createPreprocessor, type ListUnits } from "../../../server/src/preprocess/preprocessor.ts";
import type { Row } from "../../../server/src/preprocess/row.ts";
import { prelude } from "../../../server/src/semantics/builtins/index.ts";
import type { FileUri } from "../../../server/src/source.ts";
import { inOneGo } from "../../../server/src/steps.ts";
import { memoryFiles } from "../../service.ts";

const source = "file:///a.cu";
const template = "template <typename T>\n__device__ T twice(T x) {\n  return x * 2;\n}\n";
const function_ = "__device__ int get(MINE int *p) {\n  return *p;\n}\n";
const define = "#define LIMIT 1\nint limit = LIMIT;\n";

/** The texts of the pieces that are read again when the files get new texts. */
function readAgain(before: Record<string, string>, after: Record<string, string>): readonly string[] {
  const [dialect] = dialectsOf("cuda", noSettings, source);
  const texts = new Map(Object.entries(before));
  const preprocessor = createPreprocessor(memoryFiles(texts), createPreludes());
  const read = (last: { readonly row: Row; readonly list: ListUnits } | undefined) => {
    const row = preprocessor.row(source as FileUri, dialect, last?.row);
    if (typeof row === "string") throw new Error(row);
    return { row, list: inOneGo(preprocessor.readList(row, () => undefined, dialect, noSettings, prelude(dialect), last?.list)) };
  };
  const first = read(undefined);
  for (const [name, text] of Object.entries(after)) texts.set(name, text);
  preprocessor.forget(Object.keys(after));
  const known = new Set(first.list.pieces.map(({ unit }) => unit));
  return read(first).list.pieces.flatMap(({ piece, unit }) => (known.has(unit) ? [] : [piece.text]));
}

describe("a piece that asks what a name means in the workspace", () => {
  const text = template + function_ + define;

  it("is not read again when another name gets another definition", () => {
    const changed = define.replace("1", "2");
    expect(readAgain({ [source]: text }, { [source]: template + function_ + changed })).toEqual([changed]);
  });

  it("is read again when a file defines its name", () => {
    const header = "file:///mine.h";
    expect(readAgain({ [source]: text, [header]: "" }, { [header]: "#define MINE __restrict__\n" })).toEqual([function_]);
  });
});
