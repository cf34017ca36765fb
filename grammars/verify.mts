/**
 * Rebuilds the parser in `.cache` and compares it with the committed wasm: equal bytes, or, where another compiler made
 * other bytes, equal trees for every case of the corpus. `npx tsx grammars/verify.mts`
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Language, Parser } from "web-tree-sitter";
import { readCorpus } from "../test/unit/grammar/corpus.ts";
import { build, inputs, sha256 } from "./build.mjs";

const here = import.meta.dirname;
const committed = join(here, "tree-sitter-gpu.wasm");
const rebuilt = resolve(here, "../.cache/grammar/tree-sitter-gpu.wasm");

/** What the parser in `.cache` was built from. */
const origin = `${rebuilt}.inputs`;

/** Builds where anything differs that the last build was made from, compilers included. Ends with 3 where the tools for it cannot be had, which says nothing about the parser. */
function buildAgain(): string {
  try {
    const given = inputs();
    if (existsSync(rebuilt) && existsSync(origin) && readFileSync(origin, "utf8") === given) return sha256(rebuilt);
    rmSync(origin, { force: true });
    const hash = build(rebuilt);
    writeFileSync(origin, given);
    return hash;
  } catch (error) {
    console.error(`cannot be built here: ${error instanceof Error ? error.message : String(error)}`);
    return process.exit(3);
  }
}

if (buildAgain() === sha256(committed)) {
  console.log("The rebuilt wasm equals the committed one byte by byte.");
} else {
  await Parser.init({ wasmBinary: readFileSync(join(here, "../node_modules/web-tree-sitter/web-tree-sitter.wasm")) });
  const parsers = await Promise.all(
    [committed, rebuilt].map(async (file) => {
      const parser = new Parser();
      return parser.setLanguage(await Language.load(new Uint8Array(readFileSync(file))));
    }),
  );
  const cases = readCorpus(join(here, "corpus"));
  const different = cases.filter(({ code }) => new Set(parsers.map((parser) => parser.parse(code)?.rootNode.toString())).size !== 1);
  for (const { file, title } of different) console.error(`${file}: ${title}: the trees differ`);
  console.log(`Other bytes; ${cases.length - different.length} of ${cases.length} corpus trees are equal.`);
  if (different.length > 0) process.exit(1);
}
