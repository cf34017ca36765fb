/**
 * pre-commit and npm install the program from a clone of the repository, which has no `dist/`: what they run is the commit under test,
 * with the changes that are not committed yet. The registry of npm must answer; without it the tests are skipped.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, type TestContext } from "vitest";
import { isThorough } from "../effort.ts";
import { clean, folderWith, wrongCast } from "./run.ts";

const root = join(import.meta.dirname, "../..");
const hasPreCommit = spawnSync("pre-commit", ["--version"]).status === 0;

const git = (folder: string, ...args: readonly string[]) =>
  execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@b", ...args], { cwd: folder, encoding: "utf8", maxBuffer: 1 << 28 });

/** A clone without ignored files; returns its folder and its commit. */
function cloned(): { readonly clone: string; readonly commit: string } {
  const clone = join(folderWith({}), "clone");
  git(root, "clone", "--quiet", root, clone);
  const changed = git(root, "ls-files", "-z", "--modified", "--others", "--exclude-standard").split("\0");
  for (const path of new Set(changed)) {
    if (path === "") continue;
    if (existsSync(join(root, path))) cpSync(join(root, path), join(clone, path));
    else git(clone, "rm", "--quiet", path);
  }
  git(clone, "add", "--all");
  git(clone, "commit", "--quiet", "--allow-empty", "--message", "as it is");
  return { clone, commit: git(clone, "rev-parse", "HEAD").trim() };
}

/** Skips the test if the reason of a failure is that there is no registry. */
function skipWithoutRegistry(context: TestContext, said: string): void {
  context.skip(/\b(?:EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|E50\d)\b/.test(said), "npm's registry does not answer");
}

// The packages come from the network, and the program is built twice.
describe("a clone without dist/", { timeout: 600_000 }, () => {
  it.skipIf(!hasPreCommit)("is what pre-commit installs, and its hook fails on a mistake and passes without one", (context) => {
    const { clone, commit } = cloned();
    const folder = folderWith({
      "src/kernel.cl": wrongCast,
      ".pre-commit-config.yaml": `repos:\n  - repo: ${clone}\n    rev: ${commit}\n    hooks:\n      - id: gpu-qualifiers\n`,
    });
    git(folder, "init", "--quiet");
    const commitWith = (text: string) => {
      writeFileSync(join(folder, "src/kernel.cl"), text);
      git(folder, "add", "--all");
      const env = { ...process.env, PRE_COMMIT_HOME: home };
      return spawnSync("pre-commit", ["run", "--color=never"], { cwd: folder, env, encoding: "utf8" });
    };
    const home = folderWith({});
    const wrong = commitWith(wrongCast);
    skipWithoutRegistry(context, wrong.stdout + wrong.stderr);
    expect(wrong.stdout).toMatch(/^src\/kernel\.cl:1:47: error: .* \[address-space-cast\]$/m);
    expect([wrong.status, wrong.stdout]).toEqual([1, expect.stringMatching(/^gpu-qualifiers\.+Failed$/m)]);
    const right = commitWith(clean);
    expect([right.status, right.stdout]).toEqual([0, expect.stringMatching(/gpu-qualifiers\.+Passed\n$/)]);
  });

  it.skipIf(!isThorough)("is what npm installs from a git address", (context) => {
    const { clone } = cloned();
    const folder = folderWith({ "package.json": '{ "private": true }', "a.cl": wrongCast });
    const { status, stderr } = spawnSync("npm", ["install", `git+file://${clone}`], { cwd: folder, encoding: "utf8" });
    skipWithoutRegistry(context, stderr);
    expect([status, stderr]).toEqual([0, expect.any(String)]);
    const checked = spawnSync("npx", ["--no-install", "gpu-qualifiers", "check", "a.cl"], { cwd: folder, encoding: "utf8" });
    expect([checked.status, checked.stdout]).toEqual([1, expect.stringContaining("[address-space-cast]")]);
  });
});
