/** Loads the parser from the wasm files that the build puts beside the bundles. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { loadParser, type SyntaxParser } from "../syntax/parser.ts";

/** The parser, from the wasm files in `folder`. */
export async function loadNodeParser(folder: string): Promise<SyntaxParser> {
  const [runtime, grammar] = await Promise.all([
    readFile(join(folder, "web-tree-sitter.wasm")),
    readFile(join(folder, "tree-sitter-gpu.wasm")),
  ]);
  return loadParser(runtime, grammar);
}
