/** A release, tried in a clone of a project whose owner has entered its address: what is committed, tagged and published. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { cloned, git } from "./clone.ts";

const root = join(import.meta.dirname, "../..");
const address = "https://code.example/team/gpu-checks";
const author = Object.fromEntries(
  ["AUTHOR", "COMMITTER"].flatMap((role) => [
    [`GIT_${role}_NAME`, "A"],
    [`GIT_${role}_EMAIL`, "a@b"],
  ]),
);

const release = (folder: string, ...args: readonly string[]) =>
  spawnSync(process.execPath, ["--import", "tsx", "scripts/release.ts", ...args], {
    cwd: folder,
    env: { ...process.env, ...author },
    encoding: "utf8",
  });

let project = "";
beforeAll(() => {
  project = cloned().clone;
  symlinkSync(join(root, "node_modules"), join(project, "node_modules"));
  appendFileSync(join(project, ".git/info/exclude"), "/node_modules\n");
});

it("is refused where something is missing, with every reason", () => {
  writeFileSync(join(project, "README.md"), "changed\n");
  const { status, stderr } = release(project, "0.0.1");
  git(project, "checkout", "--quiet", "README.md");
  expect([status, stderr]).toEqual([
    2,
    [
      "release: 0.0.1 is older than 0.1.0 in package.json",
      "release: there are changes that are not committed",
      "release: the project has no address: its owner enters it in server/src/cli/home.ts",
      "",
    ].join("\n"),
  ]);
});

describe("a trial", { timeout: 300_000 }, () => {
  let to = "";
  let clone = "";
  beforeAll(() => {
    const home = join(project, "server/src/cli/home.ts");
    writeFileSync(
      home,
      readFileSync(home, "utf8").replace("export const home: Home = {};", `export const home: Home = { repository: "${address}" };`),
    );
    git(project, "commit", "--quiet", "--all", "--message", "the address");
    const { status, stdout, stderr } = release(project, "0.2.0", "--dry-run", "--date", "2030-01-31");
    expect(status, stderr).toBe(0);
    to = stdout.trim().split("\n").at(-1) ?? "";
    clone = join(to, "../..");
  }, 300_000);
  afterAll(() => rmSync(join(clone, ".."), { recursive: true, force: true }));
  const read = (path: string) => readFileSync(join(clone, path), "utf8");

  it("dates the changelog, and tags one commit with its notes", () => {
    expect(/^## .*$/m.exec(read("CHANGELOG.md"))?.[0]).toBe("## 0.2.0 (2030-01-31)");
    expect(git(clone, "log", "-1", "--format=%s%d")).toMatch(/^release: 0\.2\.0 \(HEAD -> \S+, tag: v0\.2\.0\)/);
    expect(git(clone, "status", "--porcelain")).toBe("");
    const notes = readFileSync(join(to, "notes.md"), "utf8");
    expect(notes).toContain("### What it finds");
    expect(git(clone, "tag", "--list", "--format=%(contents)", "v0.2.0")).toContain(notes.trim());
  });

  it("enters address, version and tag wherever they are named", () => {
    const paths = git(clone, "ls-files", "integrations/*/*", "grammars/opencl").trim().split("\n");
    expect(paths).toContain("integrations/zed/extension.toml");
    expect(paths.filter((path) => /\b(?:OWNER|COMMIT|ADDRESS)\b/.test(read(path)))).toEqual([]);
    expect(read("docs/command-line.md")).toContain(`repo: ${address}\n    rev: v0.2.0\n`);
    expect(read("docs/command-line.md")).toContain("uses: team/gpu-checks@v0.2.0\n");
    expect(read("integrations/mason/package.yaml")).toContain("pkg:npm/gpu-qualifiers@0.2.0");
    expect(read("integrations/zed/extension.toml")).toContain('rev = "v0.2.0"');
    expect(JSON.parse(read("package.json"))).toMatchObject({ version: "0.2.0", repository: { url: `git+${address}.git` } });
    expect(JSON.parse(read("package-lock.json"))).toMatchObject({ version: "0.2.0", packages: { "": { version: "0.2.0" } } });
  });

  it("builds the packages, the playground, their sums and the repository for pre-commit", () => {
    const names = ["gpu-qualifiers-0.2.0-playground.html", "gpu-qualifiers-0.2.0.tgz", "gpu-qualifiers-0.2.0.vsix"];
    expect(readdirSync(to).sort()).toEqual(["SHA256SUMS", ...names, "notes.md", "pre-commit"]);
    const sums = names.map(
      (name) =>
        `${createHash("sha256")
          .update(readFileSync(join(to, name)))
          .digest("hex")}  ${name}\n`,
    );
    expect(readFileSync(join(to, "SHA256SUMS"), "utf8")).toBe(sums.join(""));
    for (const { additional_dependencies } of parse(readFileSync(join(to, "pre-commit/.pre-commit-hooks.yaml"), "utf8")))
      expect(additional_dependencies).toEqual(["gpu-qualifiers@0.2.0"]);
  });

  it("is what the workflow publishes, with provenance", () => {
    const { permissions, jobs } = parse(read(".github/workflows/release.yml"));
    expect(permissions).toMatchObject({ "id-token": "write", attestations: "write" });
    const steps = jobs.publish.steps.map(({ run, uses }: { readonly run?: string; readonly uses?: string }) => run ?? uses).join("\n");
    expect(steps).toContain("npm run release -- --artifacts");
    expect(steps).toContain("npm publish --provenance");
  });
});
