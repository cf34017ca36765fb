/** The parser gives the same trees if someone else has started web-tree-sitter in the process before, and its cursor is the fast one. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Language, Parser } from "web-tree-sitter";
import { hasPosition } from "../../../server/src/syntax/lowering/cursor.ts";
import { loadFixtures } from "../../load-fixtures.ts";
import { testParser } from "../../service.ts";

const program = `
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Parser } from "web-tree-sitter";
import { loadParser } from "./server/src/syntax/parser.ts";
const require = createRequire(import.meta.url);
const wasmBinary = readFileSync(require.resolve("web-tree-sitter/web-tree-sitter.wasm"));
await Parser.init({ wasmBinary });
const parser = await loadParser(wasmBinary, readFileSync("grammars/tree-sitter-gpu.wasm"));
const texts = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(texts.map((text) => parser.parse(text).tree)));
`;

it("the start of web-tree-sitter by someone else changes no tree", async () => {
  const parser = await testParser();
  const texts = loadFixtures()
    .filter((_, index) => index % 40 === 0)
    .flatMap(({ files }) => files.map(({ text }) => text));
  const trees = texts.map((text) => {
    const parsed = parser.parse(text);
    parsed.dispose();
    return parsed.tree;
  });
  const options = { cwd: `${import.meta.dirname}/../../..`, input: JSON.stringify(texts), maxBuffer: 2 ** 30 };
  const others = execFileSync(process.execPath, ["--import", "tsx", "--input-type=module", "-e", program], options);
  expect(JSON.parse(others.toString())).toEqual(JSON.parse(JSON.stringify(trees)));
});

it("the position of a cursor is where the fast one takes it from", async () => {
  await testParser();
  const language = await Language.load(readFileSync(join(import.meta.dirname, "../../../grammars/tree-sitter-gpu.wasm")));
  const tree = new Parser().setLanguage(language).parse("int a;");
  const cursor = tree?.walk();
  expect(cursor !== undefined && hasPosition(cursor)).toBe(true);
  cursor?.delete();
  tree?.delete();
});
