/** The committed parser is the one that its source gives, where the compilers are installed and the generator can be had. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../../..");
const isInstalled = (command: string) => spawnSync(command, ["--version"]).status === 0;
const canBuild = isInstalled("clang-22") && isInstalled("wasm-ld-22");

/** What `verify.mts` ends with where the generator cannot be had. */
const withoutGenerator = 3;

it.skipIf(!canBuild)(
  "the committed wasm is built again byte for byte",
  ({ skip }) => {
    const { status, stderr } = spawnSync("npx", ["tsx", "grammars/verify.mts"], { cwd: root, encoding: "utf8" });
    if (status === withoutGenerator) skip("the generator of parsers cannot be had here");
    expect(status, stderr).toBe(0);
  },
  300_000,
);
