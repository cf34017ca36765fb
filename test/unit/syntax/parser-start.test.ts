/** The parser gives the same trees if someone else has started web-tree-sitter in the process before. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { expect, it } from "vitest";
import { loadFixtures } from "../../load-fixtures.ts";
import { testParser } from "../../service.ts";

/** Parses `texts`. */
const program = `
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Parser } from "web-tree-sitter";
import { loadParser } from "./server/src/syntax/parser.ts";
const require = createRequire(import.meta.url);
const wasmBinary = readFileSync(require.resolve("web-tree-sitter/web-tree-sitter.wasm"));
await Parser.init({ wasmBinary });
const parser = await loadParser(wasmBinary, readFileSync("grammars/tree-sitter-gpu.wasm"));
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
  const cwd = join(import.meta.dirname, "../../..");
  const stdin = { contents: program, resolveDir: cwd };
  const { outputFiles } = buildSync({ stdin, bundle: true, packages: "external", platform: "node", format: "esm", write: false });
  const input = `const texts = ${JSON.stringify(texts)};\n${outputFiles[0]?.text}`;
  const others = execFileSync(process.execPath, ["--input-type=module", "-"], { cwd, input, maxBuffer: 2 ** 30 });
  expect(JSON.parse(others.toString())).toEqual(JSON.parse(JSON.stringify(trees)));
});
