/**
 * The tree-sitter package for editors, `grammars/opencl`: its parser is generated from its grammar, reads the corpus and the examples,
 * and its queries fit it. The committed C is compiled here, whenever it or the compiler has changed. `UPDATE_CORPUS=1` rewrites the
 * trees: read the difference.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { Language, Parser, Query } from "web-tree-sitter";
import { compile } from "../../../grammars/build.mjs";
import { hashes } from "../../../grammars/opencl/build.mjs";
import { unless } from "../../skips.ts";
import { normalize, readCorpus, writeCorpus } from "./corpus.ts";

const root = join(import.meta.dirname, "../../..");
const folder = join(root, "grammars/opencl");
const isInstalled = (command: string) => spawnSync(command, ["--version"]).status === 0;
const read = (path: string) => readFileSync(join(folder, path), "utf8");

it("was generated from the present grammar, with ABI 15 (node grammars/opencl/build.mjs)", () => {
  expect(read("src/hashes.txt")).toBe(hashes());
  expect(read("src/parser.c")).toContain("#define LANGUAGE_VERSION 15\n");
});

it("has a manifest that names its files", () => {
  const { grammars, metadata } = JSON.parse(read("tree-sitter.json")) as {
    readonly grammars: readonly Readonly<Record<string, unknown>>[];
    readonly metadata: { readonly version: string };
  };
  const queries = ["highlights", "locals", "tags", "injections"];
  expect(queries.flatMap((kind) => grammars[0]?.[kind])).toEqual(queries.map((kind) => `queries/${kind}.scm`));
  expect(readdirSync(join(folder, "queries")).toSorted()).toEqual(queries.map((kind) => `${kind}.scm`).toSorted());
  expect(read("src/grammar.json")).toContain('"name": "opencl"');
  expect(metadata.version).toBe(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version);
});

/** The path of the committed parser as this compiler compiles it. */
function compiled(): string {
  const inputs = [read("src/parser.c"), read("../build.mjs"), spawnSync("clang-22", ["--version"], { encoding: "utf8" }).stdout];
  const cache = join(root, ".cache/opencl");
  const wasm = join(cache, `${createHash("sha256").update(inputs.join("\0")).digest("hex").slice(0, 16)}.wasm`);
  if (existsSync(wasm)) return wasm;
  rmSync(cache, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  compile(`${wasm}.new`, folder, "opencl", ["src/parser.c"]);
  renameSync(`${wasm}.new`, wasm);
  return wasm;
}

const canCompile = isInstalled("clang-22") && isInstalled("wasm-ld-22");
describe.skipIf(!canCompile)(`the parser${unless(canCompile, "clang or its linker is not installed")}`, () => {
  let parser: Parser;
  let language: Language;
  beforeAll(async () => {
    const wasm = compiled();
    await Parser.init({ wasmBinary: readFileSync(join(root, "node_modules/web-tree-sitter/web-tree-sitter.wasm")) });
    language = await Language.load(new Uint8Array(readFileSync(wasm)));
    parser = new Parser();
    parser.setLanguage(language);
    if (process.env.UPDATE_CORPUS !== undefined) writeCorpus(join(folder, "test/corpus"), readCorpus(join(folder, "test/corpus")), treeOf);
  });

  function treeOf(code: string): string {
    return parser.parse(code)?.rootNode.toString() ?? "";
  }

  /** What a query captures, as `name: text`. */
  function captures(kind: string, code: string, from = `queries/${kind}.scm`): readonly string[] {
    const query = new Query(language, read(from));
    const root = parser.parse(code)?.rootNode;
    return root === undefined ? [] : query.captures(root).map(({ name, node }) => `${name}: ${node.text}`);
  }

  it("reads the corpus", () => {
    for (const { title, code, tree } of readCorpus(join(folder, "test/corpus"))) expect(normalize(treeOf(code)), title).toBe(tree);
  });

  it("reads what its page shows without errors", () => {
    const [code = ""] = /(?<=```opencl\n).*?(?=```)/s.exec(read("README.md")) ?? [];
    expect(code).toContain("kernel");
    expect(treeOf(code)).not.toMatch(/ERROR|MISSING/);
  });

  const kernel = `/* doc */
#define TILE 16
kernel void blur(global float *out) {
  local float tile[TILE];
  tile[0] = convert_float(get_local_id(0));
  out[0] = helper(tile);
}
struct Cell { int a; };
`;

  it("colors words by their meaning, later queries over earlier ones", () => {
    const found = captures("highlights", kernel);
    const lastOf = (text: string) => found.filter((one) => one.endsWith(`: ${text}`)).at(-1);
    for (const [text, name] of [
      ["kernel", "keyword.function"],
      ["global", "keyword.modifier"],
      ["local", "keyword.modifier"],
      ["blur", "function"],
      ["out", "variable"],
      ["TILE", "constant"],
      ["get_local_id", "function.builtin"],
      ["convert_float", "function.builtin"],
      ["helper", "function.call"],
      ["Cell", "type"],
      ["float", "type.builtin"],
      ["#define", "keyword.directive"],
    ])
      expect(lastOf(text ?? "")).toBe(`${name}: ${text}`);
  });

  it("gives Zed an outline and brackets", () => {
    const zed = "../../integrations/zed/languages/opencl";
    const names = captures("outline", kernel, `${zed}/outline.scm`).filter((one) => one.startsWith("name"));
    expect(names).toEqual(["name: TILE", "name: blur", "name: Cell"]);
    expect(captures("brackets", "void f(void) {}", `${zed}/brackets.scm`)).toEqual(["open: (", "close: )", "open: {", "close: }"]);
  });

  it("finds definitions, scopes and code inside of macros", () => {
    expect(captures("tags", kernel).filter((one) => one.startsWith("name"))).toEqual([
      "name: TILE",
      "name: blur",
      "name: convert_float",
      "name: get_local_id",
      "name: helper",
      "name: Cell",
    ]);
    const locals = captures("locals", kernel);
    expect(locals).toEqual(
      expect.arrayContaining(["local.definition.parameter: out", "local.definition.var: tile", "local.reference: tile"]),
    );
    expect(locals.filter((one) => one.startsWith("local.scope"))).toHaveLength(2);
    expect(captures("injections", kernel)).toEqual(["injection.content: /* doc */", "injection.content: 16"]);
  });
});
