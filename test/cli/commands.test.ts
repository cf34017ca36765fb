/** The commands besides `check`, and the help texts. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { rules } from "../../server/src/rules/index.ts";
import { runHere } from "./in-process.ts";
import { folderWith, wrongCast } from "./run.ts";

const folder = folderWith({ "a.cl": "" });

describe("the program", () => {
  it("shows its help without a command", async () => {
    const { code, out } = await runHere([], folder);
    expect(code).toBe(0);
    expect(out).toMatch(/^Usage: gpu-qualifiers/);
    expect(out).toContain("check");
  });

  it("explains each command", async () => {
    const { code, out } = await runHere(["check", "--help"], folder);
    expect(code).toBe(0);
    expect(out).toContain("-cl-std=");
    expect(out).toContain("Exit code: 0 nothing of severity error (or --fail-on), 1 something, 2 not everything could be checked.");
  });

  it("documents every option and every member of its JSON output", async () => {
    const page = readFileSync(join(import.meta.dirname, "../../docs/command-line.md"), "utf8");
    for (const [option] of (await runHere(["check", "--help"], folder)).out.matchAll(/(?<=^ {2}(?:-\w, )?)--[a-z-]+/gm))
      if (option !== "--help") expect(page).toContain(`\`${option}`);
    const json = (await runHere(["check", "--format", "json", "wrong.cl"], folderWith({ "wrong.cl": wrongCast }))).out;
    for (const [member] of json.matchAll(/"\w+"(?=:)/g)) expect(page).toContain(member);
  });

  it("prints its version", async () => {
    expect(await runHere(["--version"], folder)).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  });

  it.each([
    [["check", "--format", "xml", "a.cl"], "gpu-qualifiers: --format takes text, pretty, json"],
    [["check", "--format", "jason", "a.cl"], "not 'jason'; did you mean 'json'?"],
    [["check", "--level", "loud", "a.cl"], "gpu-qualifiers: --level takes error, warning, info or hint, not 'loud'"],
    [["check", "--fail-on", "eror", "a.cl"], "--fail-on takes error, warning, info, hint or never, not 'eror'; did you mean 'error'?"],
    [["check", "--rule", "const-write=eror", "a.cl"], "not 'const-write=eror'; did you mean 'const-write=error'?"],
    [["check", "--nope", "a.cl"], "gpu-qualifiers: unknown option '--nope'"],
    [["check", "a.cl", "-cl-std=CL1.2"], "unknown option '-cl-std=CL1.2'; compiler flags go after '--', as in 'check k.cl -- -DTILE=16'"],
    [["check", "a.cl", "-DTILE=16"], "unknown option '-DTILE=16'; compiler flags go after '--'"],
    [["check", "a.cl", "--", "-arch=sm_999"], "unknown architecture 'sm_999'"],
    [["check", "a.cl", "--", "-arch=sm_45"], "unknown architecture 'sm_45'"],
    [["check", "a.cl", "--", "-arch=sm_99"], "unknown architecture 'sm_99'"],
    [["check", "a.cl", "--", "--offload-arch=sm_85"], "unknown architecture 'sm_85'"],
    [["check", "--std=c++17", "a.cu"], "unknown option '--std=c++17'; compiler flags go after '--'"],
    [["check", "--expt-relaxed-constexpr", "a.cu"], "unknown option '--expt-relaxed-constexpr'; compiler flags go after '--'"],
    [["check", "--fxi", "a.cl"], "gpu-qualifiers: unknown option '--fxi'; did you mean '--fix'?"],
    [["check", "-j", "many", "a.cl"], "gpu-qualifiers: --jobs takes a number from 1 to 256, not 'many'\n"],
    [["summarize", "--shard", "9/8", "-o", "a.sum"], "--shard takes a part of a whole, from 1/1 to 9999/9999, not '9/8'"],
    [["completion", "fihs"], "gpu-qualifiers: <shell> takes bash, zsh or fish, not 'fihs'; did you mean 'fish'?"],
    [["baseline", "updaet"], "gpu-qualifiers: unknown command 'updaet'; did you mean 'update'?"],
    [["a.cl"], "to check it: gpu-qualifiers check a.cl"],
    [["help", "chekc"], "gpu-qualifiers: unknown command 'chekc'; did you mean 'check'?"],
    [["check", "-v"], "unknown option '-v'; --version prints the version"],
    [["check", "--fxi"], "(see gpu-qualifiers check --help)"],
    [["baseline", "update", "--fxi"], "(see gpu-qualifiers baseline update --help)"],
    [["check", "a.cl", "--", "-std=c++99"], "unknown C++ standard 'c++99'"],
    [["chekc"], "gpu-qualifiers: unknown command 'chekc'; did you mean 'check'?"],
  ])("reports the mistake in %j", async (args, message) => {
    const { code, out, error } = await runHere(args, folder);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(error).toContain(message);
    expect(error).toMatch(/^gpu-qualifiers: /);
  });
});

describe("check without a path", () => {
  it("checks the current folder", async () => {
    const wrong = folderWith({ "src/a.cl": wrongCast });
    expect(await runHere(["check"], wrong)).toEqual(await runHere(["check", "."], wrong));
    expect((await runHere(["check"], wrong)).out).toContain("src/a.cl:1:47: error");
  });
});

describe("rules and explain", () => {
  it("list the rules of a family", async () => {
    const { code, out } = await runHere(["explain", "grid-constant"], folder);
    const family = rules.map(({ id }) => id).filter((id) => id.startsWith("grid-constant-"));
    expect([
      code,
      out
        .trimEnd()
        .split("\n")
        .map((line) => line.split(" ")[0]),
    ]).toEqual([0, family]);
    expect((await runHere(["explain", "grid"], folder)).out).toBe(out);
  });

  it("list every rule on a line of its own", async () => {
    const lines = (await runHere(["rules"], folder)).out.trimEnd().split("\n");
    expect(lines.map((line) => line.split(" ")[0])).toEqual(rules.map(({ id }) => id));
  });

  it("explain a rule with its examples, whether or not its brackets are copied", async () => {
    const { code, out } = await runHere(["explain", "address-space-cast"], folder);
    expect(code).toBe(0);
    expect(out).toContain("Wrong:");
    expect(out).toContain("Right:");
    expect((await runHere(["explain", "[address-space-cast]"], folder)).out).toBe(out);
  });

  it("suggest the word that was meant", async () => {
    expect(await runHere(["explain", "address-space-kast"], folder)).toMatchObject({
      code: 2,
      error: "gpu-qualifiers: no such rule: 'address-space-kast'; did you mean 'address-space-cast'?\n",
    });
    expect(await runHere(["explain", "[grid-constnat]"], folder)).toMatchObject({
      code: 2,
      error: "gpu-qualifiers: no such rule: '[grid-constnat]'; did you mean 'grid-constant'?\n",
    });
    expect(await runHere(["explain", "zzz"], folder)).toMatchObject({
      code: 2,
      error: "gpu-qualifiers: no such rule: 'zzz'; 'gpu-qualifiers rules' lists them\n",
    });
  });
});
