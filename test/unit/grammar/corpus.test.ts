/**
 * The committed wasm parses the grammar's corpus into the expected trees. `UPDATE_CORPUS=1` rewrites these trees: read the
 * difference before committing it.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Language, Parser } from "web-tree-sitter";
import { normalize, readCorpus, writeCorpus } from "./corpus.ts";

const root = join(import.meta.dirname, "../../..");
const folder = join(root, "grammars/corpus");
const grammar = readFileSync(join(root, "grammars/tree-sitter-gpu.wasm"));

await Parser.init({ wasmBinary: readFileSync(join(root, "node_modules/web-tree-sitter/web-tree-sitter.wasm")) });
const parser = new Parser();
parser.setLanguage(await Language.load(grammar));

function treeOf(code: string): string {
  const tree = parser.parse(code);
  const text = tree?.rootNode.toString() ?? "";
  tree?.delete();
  return text;
}

if (process.env.UPDATE_CORPUS !== undefined) writeCorpus(folder, readCorpus(folder), treeOf);

describe("grammar", () => {
  test.each(readCorpus(folder))("$file: $title", ({ code, tree }) => {
    expect(normalize(treeOf(code))).toBe(tree);
  });
});
