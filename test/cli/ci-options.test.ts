/** Options for continuous integration and editors: only new findings, other settings, texts from standard input. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { rules } from "../../server/src/rules/index.ts";
import { unless } from "../skips.ts";
import { runHere } from "./in-process.ts";
import { clean, dependsOnStandard, folderWith, wrongCast } from "./run.ts";

/** The lines of findings, without their notes and the last line. */
function findingsIn(out: string): readonly string[] {
  return out.split("\n").filter((line) => /: (error|warning|info|hint): /.test(line));
}

function git(folder: string, ...args: readonly string[]): string {
  const identity = ["-c", "user.name=A", "-c", "user.email=a@b", "-c", "commit.gpgSign=false"];
  return execFileSync("git", [...identity, ...args], { cwd: folder, encoding: "utf8" });
}

function repositoryWith(files: Readonly<Record<string, string>>): string {
  const folder = folderWith(files);
  git(folder, "init", "-q", "-b", "main");
  git(folder, "add", "-A");
  git(folder, "commit", "-q", "-m", "start");
  return folder;
}

const second = "kernel void n(global int *g) { local int *m = (local int *)g; }\n";

describe("--diff", () => {
  it("reports findings on changed lines, in tracked and untracked files", async () => {
    const folder = repositoryWith({ "a.cl": wrongCast, "b.cl": wrongCast, "same.cl": wrongCast });
    writeFileSync(join(folder, "a.cl"), `// moved\n${wrongCast}${second}`);
    writeFileSync(join(folder, "new.cl"), wrongCast);
    const { out, code } = await runHere(["check", "--diff", "HEAD", "."], folder);
    expect(findingsIn(out).map((line) => line.split(":").slice(0, 2).join(":"))).toEqual(["a.cl:3", "new.cl:1"]);
    expect(code).toBe(1);
    git(folder, "add", "-A");
    expect(findingsIn((await runHere(["check", "--diff", "HEAD", "."], folder)).out)).toHaveLength(2);
    git(folder, "commit", "-q", "-m", "more");
    expect(await runHere(["check", "--diff", "HEAD", "."], folder)).toMatchObject({ code: 0, out: "" });
    expect(findingsIn((await runHere(["check", "--diff", "HEAD~1", "."], folder)).out)).toHaveLength(2);
  });

  it.skipIf(process.platform === "win32")(
    `starts no program that the repository names${unless(process.platform !== "win32", "the system is Windows")}`,
    async () => {
      const folder = repositoryWith({ "a.cl": wrongCast, ".gitattributes": "*.cl filter=a=b diff=x\n" });
      const trace = join(folderWith({}), "started");
      const program = `sh -c 'echo "$0" >> "${trace}"; cat'`;
      for (const key of [
        "filter.a=b.clean",
        "filter.a=b.smudge",
        "filter.a=b.process",
        "diff.x.command",
        "diff.x.textconv",
        "diff.external",
      ])
        git(folder, "config", key, program);
      git(folder, "config", "core.fsmonitor", program);
      git(folder, "config", "core.excludesFile", "/dev/zero");
      const hooks = join(folder, ".git", "hooks");
      mkdirSync(hooks, { recursive: true });
      for (const hook of ["post-index-change", "pre-auto-gc"])
        writeFileSync(join(hooks, hook), `#!/bin/sh\necho hook >> "${trace}"\n`, { mode: 0o755 });
      // The same text with another modification time: git has to read it to find that out.
      writeFileSync(join(folder, "a.cl"), wrongCast);
      utimesSync(join(folder, "a.cl"), 1_000_000_000, 1_000_000_000);
      writeFileSync(join(folder, "new.cl"), wrongCast);
      const { out } = await runHere(["check", "--diff", "HEAD", "."], folder);
      expect(findingsIn(out).map((line) => line.split(":")[0])).toEqual(["new.cl"]);
      expect(existsSync(trace)).toBe(false);
      // By default, git would have started the program.
      git(folder, "config", "--unset", "filter.a=b.process");
      git(folder, "-c", "core.excludesFile=", "diff", "--no-ext-diff");
      expect(existsSync(trace)).toBe(true);
    },
  );

  it("ignores lines that only the base branch has changed, and follows renames", async () => {
    const folder = repositoryWith({ "a.cl": `${"// line\n".repeat(20)}${wrongCast}` });
    git(folder, "checkout", "-q", "-b", "work");
    git(folder, "mv", "a.cl", 'renamed \u00e4"x\\.cl');
    git(folder, "commit", "-q", "-m", "rename");
    git(folder, "checkout", "-q", "main");
    writeFileSync(join(folder, "other.cl"), clean);
    git(folder, "add", "-A");
    git(folder, "commit", "-q", "-m", "other");
    git(folder, "checkout", "-q", "work");
    expect((await runHere(["check", "--diff", "main", "."], folder)).out).toBe("");
    const name = 'renamed \u00e4"x\\.cl';
    writeFileSync(join(folder, name), `${readFileSync(join(folder, name), "utf8")}${second}`);
    expect(findingsIn((await runHere(["check", "--diff", "main", "."], folder)).out)).toHaveLength(1);
  });

  it("reports a finding of several lines if one of them changed", async () => {
    const spread = wrongCast.replace("(local int *)g", "(local int *)(\n  g\n  )");
    const folder = repositoryWith({ "a.cl": spread });
    writeFileSync(join(folder, "a.cl"), spread.replace("  )", "   )"));
    expect(findingsIn((await runHere(["check", "--diff", "HEAD", "."], folder)).out)).toHaveLength(1);
  });

  it("is not affected by the repository's settings or by lines that look like a diff", async () => {
    const folder = repositoryWith({ ".gitattributes": "*.cl diff=x\n", "a.cl": "// 1\n", "b.cl": wrongCast });
    git(folder, "config", "diff.x.textconv", "echo oops > ran; cat");
    git(folder, "config", "diff.external", "echo oops > ran; true");
    git(folder, "config", "diff.noprefix", "true");
    git(folder, "config", "diff.context", "9");
    git(folder, "config", "color.ui", "always");
    writeFileSync(join(folder, "a.cl"), `++ b/b.cl\n@@ -0,0 +1,9 @@\n`);
    expect(findingsIn((await runHere(["check", "--diff", "HEAD", "b.cl"], folder)).out)).toEqual([]);
    expect(git(folder, "status", "--porcelain")).not.toContain("ran");
  });

  it.each([
    ["nope", "git knows no commit 'nope'"],
    ["--output=x", "git knows no commit '--output=x'"],
  ])("reports the mistake in %s", async (base, message) => {
    const { code, out, error } = await runHere(["check", `--diff=${base}`, "a.cl"], repositoryWith({ "a.cl": wrongCast }));
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(error).toContain(message);
  });

  it("needs a repository", async () => {
    const { code, error } = await runHere(["check", "--diff", "HEAD", "a.cl"], folderWith({ "a.cl": wrongCast }));
    expect([code, error]).toEqual([2, expect.stringContaining("--diff needs a git repository")]);
  });
});

describe("a baseline", () => {
  const files = { "gpu-qualifiers.json": "{}", "src/a.cl": wrongCast, "src/b.cl": wrongCast };

  it("hides exactly the findings that it accepts, even after lines have moved", async () => {
    const folder = folderWith(files);
    expect(await runHere(["baseline", "update", "."], folder)).toMatchObject({
      code: 0,
      out: "",
      error: expect.stringContaining("accepts 2 findings"),
    });
    const check = () => runHere(["check", "--baseline", "gpu-qualifiers-baseline.json", "src"], folder);
    expect(await check()).toMatchObject({ code: 0, out: "" });
    // A line above it, a comment beside it, and the same finding again: only the last one is new.
    writeFileSync(join(folder, "src/a.cl"), `// one\n\n${clean}\t${wrongCast.replace("local int *l", "local  int *l")}`);
    expect(await check()).toMatchObject({ code: 0, out: "" });
    writeFileSync(join(folder, "src/a.cl"), `${wrongCast}${wrongCast}`);
    expect(await check()).toMatchObject({ code: 1, out: expect.stringContaining("1 finding, ") });
    writeFileSync(join(folder, "src/a.cl"), `${wrongCast}${second}`);
    expect(findingsIn((await check()).out)).toEqual([expect.stringMatching(/^src\/a\.cl:2:/)]);
  });

  it("is found from any folder, and reports entries that match nothing", async () => {
    const folder = folderWith(files);
    await runHere(["baseline", "update", "src", "--baseline", "ci/accepted.json"], folder);
    expect(readFileSync(join(folder, "ci/accepted.json"), "utf8")).toContain('"file": "../src/a.cl"');
    expect((await runHere(["check", "--baseline", "../ci/accepted.json", "."], join(folder, "src"))).out).toBe("");
    writeFileSync(join(folder, "src/a.cl"), clean);
    const { code, error } = await runHere(["check", "--baseline", "ci/accepted.json", "src"], folder);
    expect(code).toBe(0);
    expect(error).toContain("gpu-qualifiers: 1 finding of the baseline is gone; 'baseline update' forgets them\n");
    // An update removes these entries, and keeps those of files that were not checked.
    await runHere(["baseline", "update", "src/a.cl", "--baseline", "ci/accepted.json"], folder);
    expect(JSON.parse(readFileSync(join(folder, "ci/accepted.json"), "utf8")).findings).toMatchObject([{ file: "../src/b.cl", count: 1 }]);
    rmSync(join(folder, "src/b.cl"));
    const without = await runHere(["check", "--baseline", "ci/accepted.json", "src"], folder);
    expect(without.error).toContain("gpu-qualifiers: 1 finding of the baseline is gone; 'baseline update' forgets them\n");
    await runHere(["baseline", "update", "src/a.cl", "--baseline", "ci/accepted.json"], folder);
    expect(JSON.parse(readFileSync(join(folder, "ci/accepted.json"), "utf8")).findings).toEqual([]);
  });

  it("accepts every severity, and is the same for any number of threads", async () => {
    const folder = folderWith({ ...files, "c.cl": dependsOnStandard });
    await runHere(["baseline", "update", ".", "--baseline", "one.json"], folder);
    await runHere(["baseline", "update", ".", "--baseline", "two.json", "--jobs", "2"], folder);
    const one = readFileSync(join(folder, "one.json"), "utf8");
    expect(JSON.parse(one).findings).toHaveLength(3);
    expect(readFileSync(join(folder, "two.json"), "utf8")).toBe(one);
    expect((await runHere(["check", "--level", "hint", "--baseline", "one.json", "."], folder)).out).toBe("");
  });

  it.each([
    ["nope.json", "no such baseline: 'nope.json'"],
    ["src/a.cl", "'src/a.cl' is not a baseline"],
  ])("that cannot be used is an error: %s", async (path, message) => {
    const { code, out, error } = await runHere(["check", "--baseline", path, "src"], folderWith(files));
    expect([code, out, error]).toEqual([2, "", expect.stringContaining(message)]);
  });

  it("is not overwritten if a file could not be checked, or if the path names a file of another kind", async () => {
    const folder = folderWith(files);
    expect((await runHere(["baseline", "update", "src", "nope"], folder)).code).toBe(2);
    expect((await runHere(["baseline", "update", "src", "--baseline", "src/a.cl"], folder)).code).toBe(2);
    expect(readFileSync(join(folder, "src/a.cl"), "utf8")).toBe(wrongCast);
  });
});

describe("--stdin", () => {
  const folder = folderWith({
    "gpu-qualifiers.json": "{}",
    "src/space.h": "#define SPACE local\n",
    "src/saved.cl": clean,
  });

  it("checks a text under the name that it is given", async () => {
    const text = '#include "space.h"\nkernel void k(global int *g) { SPACE int *p = (SPACE int *)g; }\n';
    for (const path of ["src/saved.cl", "src/unsaved.cl"]) {
      const { out, code } = await runHere(["check", "--stdin", "--stdin-filename", path], folder, text);
      expect([code, findingsIn(out)]).toEqual([1, [expect.stringMatching(`^${path}:2:47: error: .*address-space-cast`)]]);
    }
    expect(await runHere(["check", "-", "--stdin-filename", "src/saved.cl"], folder, clean)).toMatchObject({ code: 0, out: "" });
  });

  it.each([
    [["--stdin"], "--stdin needs --stdin-filename"],
    [["-"], "--stdin needs --stdin-filename"],
    [["--stdin-filename", "a.cl"], "--stdin-filename needs --stdin"],
    [["--stdin", "--stdin-filename", "a.cl", "src"], "name no other files"],
    [["--stdin", "--stdin-filename", "a.cl", "--fix"], "--fix writes into files"],
    [["--stdin", "--stdin-filename", "a.cl", "--watch"], "--stdin has none"],
  ])("with %j names the missing part", async (args, message) => {
    expect(await runHere(["check", ...args], folder, clean)).toMatchObject({ code: 2, out: "", error: expect.stringContaining(message) });
  });
});

describe("--config and --rule", () => {
  const files = {
    "gpu-qualifiers.json": '{ "rules": { "address-space-cast": "off" } }',
    "src/gpu-qualifiers.json": '{ "rules": { "address-space-cast": "hint" } }',
    "src/a.cl": wrongCast,
    "old/b.cl": wrongCast,
    "ci/strict.json": '{ "exclude": ["old/"], "overrides": [{ "files": ["src/"], "rules": { "address-space-cast": "warning" } }] }',
  };

  it("replace settings files, or take precedence over them", async () => {
    const folder = folderWith(files);
    expect((await runHere(["check", "."], folder)).out).toBe("");
    const strict = await runHere(["check", "--config", "ci/strict.json", "--jobs", "2", "."], folder);
    expect(findingsIn(strict.out)).toEqual([expect.stringMatching(/^src\/a\.cl:1:47: warning:/)]);
    const ruled = await runHere(["check", "--config", "ci/strict.json", "--rule", "address-space-cast=error", "."], folder);
    expect([ruled.code, findingsIn(ruled.out)]).toEqual([1, [expect.stringMatching(/: error:/)]]);
    expect(
      (await runHere(["check", "--rule", "const-write=off", "--rule", "address-space-cast=info", "--level", "info", "old"], folder)).out,
    ).toContain(": info: ");
  });

  it("leave what only some compilers reject to --strict, which settings override", async () => {
    const array = "float f(local float tile[4]) { return tile[0]; }\n";
    const folder = folderWith({
      "a.cl": array,
      "b/b.cl": array,
      "b/gpu-qualifiers.json": '{ "rules": { "array-parameter-space": "off" } }',
    });
    expect((await runHere(["check", "--level", "hint", "."], folder)).out).toBe("");
    const strict = await runHere(["check", "--strict", "."], folder);
    expect([strict.code, findingsIn(strict.out)]).toEqual([0, [expect.stringMatching(/^a\.cl:1:21: warning: .*array-parameter-space/)]]);
    const one = await runHere(["check", "--rule", "array-parameter-space=error", "b"], folder);
    expect([one.code, findingsIn(one.out)]).toEqual([1, [expect.stringMatching(/: error:/)]]);
  });

  it("report their mistakes at their places", async () => {
    const folder = folderWith({ "a.cl": clean, "bad.json": '{ "rulez": {} }' });
    expect(await runHere(["check", "--config", "bad.json", "a.cl"], folder)).toMatchObject({
      code: 2,
      error: expect.stringMatching(/^bad\.json:1:3: error: .*'rulez'/),
    });
    expect(await runHere(["check", "--config", "no.json", "a.cl"], folder)).toMatchObject({
      code: 2,
      error: expect.stringContaining("the settings file 'no.json' does not exist"),
    });
    expect((await runHere(["check", "--rule", "const-wirte=off", "a.cl"], folder)).error).toContain("did you mean 'const-write'?");
    expect((await runHere(["check", "--rule", "const-write=loud", "a.cl"], folder)).error).toContain("not 'const-write=loud'");
    expect((await runHere(["check", "--rule", "const-write", "a.cl"], folder)).code).toBe(2);
  });
});

describe("rules --format json", () => {
  it("has every rule with its documentation", async () => {
    const { version, rules: listed } = JSON.parse((await runHere(["rules", "--format", "json"], folderWith({}))).out);
    expect(version).toBe(1);
    expect(listed.map(({ id }: { id: string }) => id)).toEqual(rules.map(({ id }) => id));
    for (const rule of listed)
      expect(rule).toMatchObject({
        title: expect.any(String),
        severity: expect.any(String),
        clause: expect.any(String),
        documentation: expect.any(String),
      });
  });
});
