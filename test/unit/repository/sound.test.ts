/** The repository passes the linter and the type checker. The core is also checked without the types of Node and browsers. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../../..");

function runTool(name: string, args: readonly string[]): { readonly status: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync(join(root, "node_modules/.bin", name), args, {
    cwd: root,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  return { status, output: status === 0 ? "" : stdout + stderr };
}

it.each([
  ["biome", ["check", "--error-on-warnings", "--max-diagnostics=20"]],
  ["tsc", ["-p", "tsconfig.json"]],
  ["tsc", ["-p", "tsconfig.core.json"]],
])("%s %j reports nothing", (name, args) => {
  expect(runTool(name, args)).toEqual({ status: 0, output: "" });
});
