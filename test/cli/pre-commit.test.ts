/**
 * pre-commit and npm install the program from a clone of the repository, which has no `dist/`: what they run is the commit under test,
 * with the changes that are not committed yet. From the repository for pre-commit they install the package alone. The registry of npm must answer; without it the tests are skipped.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, type TestContext } from "vitest";
import { isThorough } from "../effort.ts";
import { unless } from "../skips.ts";
import { cloned, git } from "./clone.ts";
import { clean, folderWith, wrongCast } from "./run.ts";

const root = join(import.meta.dirname, "../..");
const hasPreCommit = spawnSync("pre-commit", ["--version"]).status === 0;

/** Skips the test if the reason of a failure is that there is no registry. */
function skipWithoutRegistry(context: TestContext, said: string): void {
  context.skip(/\b(?:EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|E50\d)\b/.test(said), "npm's registry does not answer");
}

// The packages come from the network, and the program is built twice.
/** What pre-commit says about a commit of this text, and about one without the mistake. */
function committed(folder: string, hooks: { readonly clone: string; readonly commit: string }) {
  writeFileSync(
    join(folder, ".pre-commit-config.yaml"),
    `repos:\n  - repo: ${hooks.clone}\n    rev: ${hooks.commit}\n    hooks:\n      - id: gpu-qualifiers\n`,
  );
  git(folder, "init", "--quiet");
  const env = { ...process.env, PRE_COMMIT_HOME: folderWith({}) };
  return (text: string) => {
    writeFileSync(join(folder, "src/kernel.cl"), text);
    git(folder, "add", "--all");
    return spawnSync("pre-commit", ["run", "--color=never"], { cwd: folder, env, encoding: "utf8" });
  };
}

function expectBoth(commitWith: (text: string) => { readonly stdout: string; readonly status: number | null }, wrong: string): void {
  expect(wrong).toMatch(/^src\/kernel\.cl:1:47: error: .* \[address-space-cast\]$/m);
  expect(wrong).toMatch(/^gpu-qualifiers\.+Failed$/m);
  const right = commitWith(clean);
  expect([right.status, right.stdout]).toEqual([0, expect.stringMatching(/gpu-qualifiers\.+Passed\n$/)]);
}

describe("a clone without dist/", { timeout: 600_000 }, () => {
  it.skipIf(!hasPreCommit)(
    `is what pre-commit installs, and its hook fails on a mistake and passes without one${unless(hasPreCommit, "pre-commit is not installed")}`,
    (context) => {
      const commitWith = committed(folderWith({ "src/kernel.cl": wrongCast }), cloned());
      const wrong = commitWith(wrongCast);
      skipWithoutRegistry(context, wrong.stdout + wrong.stderr);
      expectBoth(commitWith, wrong.stdout);
    },
  );

  it.skipIf(!isThorough)(`is what npm installs from a git address${unless(isThorough, "only npm run thorough tries them")}`, (context) => {
    const { clone } = cloned();
    const folder = folderWith({ "package.json": '{ "private": true }', "a.cl": wrongCast });
    const { status, stderr } = spawnSync("npm", ["install", `git+file://${clone}`], { cwd: folder, encoding: "utf8" });
    skipWithoutRegistry(context, stderr);
    expect([status, stderr]).toEqual([0, expect.any(String)]);
    const checked = spawnSync("npx", ["--no-install", "gpu-qualifiers", "check", "a.cl"], { cwd: folder, encoding: "utf8" });
    expect([checked.status, checked.stdout]).toEqual([1, expect.stringContaining("[address-space-cast]")]);
  });
});

describe("the repository for pre-commit", () => {
  it.skipIf(!hasPreCommit)(`installs the published package and nothing else${unless(hasPreCommit, "pre-commit is not installed")}`, () => {
    const published = folderWith({});
    const name = execFileSync("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", published], {
      cwd: root,
      encoding: "utf8",
    });
    const mirror = folderWith({});
    cpSync(join(root, "integrations/pre-commit"), mirror, { recursive: true });
    // The package comes from here instead of from the registry.
    const manifest = join(mirror, ".pre-commit-hooks.yaml");
    writeFileSync(manifest, readFileSync(manifest, "utf8").replace(/gpu-qualifiers@[\d.]+/g, join(published, name.trim())));
    git(mirror, "init", "--quiet");
    git(mirror, "add", "--all");
    git(mirror, "commit", "--quiet", "--message", "mirror");
    const folder = folderWith({ "src/kernel.cl": wrongCast });
    const commitWith = committed(folder, { clone: mirror, commit: git(mirror, "rev-parse", "HEAD").trim() });
    const wrong = commitWith(wrongCast);
    expectBoth(commitWith, wrong.stdout);
  });
});
