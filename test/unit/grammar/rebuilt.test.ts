/**
 * The committed parser was built from the committed grammar. The build records the hashes of its sources, so a changed grammar
 * without a new build is noticed. Where the compilers are installed, the parser is built again and compared: in `npm run thorough`,
 * and if the last commit or the work tree changes the grammar.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sha256, sources } from "../../../grammars/build.mjs";
import { isThorough } from "../../effort.ts";
import { unless } from "../../skips.ts";

const root = join(import.meta.dirname, "../../..");
const wasm = join(root, "grammars/tree-sitter-gpu.wasm");
/** True if git knows that the grammar and its wasm are as they were before the last commit. */
const isOld = () => spawnSync("git", ["diff", "--quiet", "HEAD~1", "--", "grammars", ":!grammars/opencl"], { cwd: root }).status === 0;
const isInstalled = (command: string) => spawnSync(command, ["--version"]).status === 0;
const canBuild = () => isInstalled("clang-22") && isInstalled("wasm-ld-22");

/** The exit code of `verify.mts` where the generator cannot be downloaded. */
const withoutGenerator = 3;

it("the committed wasm was built from the present sources (node grammars/build.mjs)", () => {
  expect(readFileSync(`${wasm}.sha256`, "utf8")).toBe(`${sha256(wasm)}  tree-sitter-gpu.wasm\n${sources()}`);
});

const isWorthwhile = isThorough || !isOld();
const isPossible = canBuild();
const whySkipped =
  unless(isWorthwhile, "only npm run thorough builds the parser from these sources again") ||
  unless(isPossible, "clang, its linker or npm is missing");

it.skipIf(!isWorthwhile || !isPossible)(
  `the committed wasm is built again byte for byte${whySkipped}`,
  ({ skip }) => {
    const { status, stderr } = spawnSync("npx", ["tsx", "grammars/verify.mts"], { cwd: root, encoding: "utf8" });
    if (status === withoutGenerator) skip("the generator of parsers cannot be had here");
    expect(status, stderr).toBe(0);
  },
  300_000,
);
