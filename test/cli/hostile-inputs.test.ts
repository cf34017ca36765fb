/** Hostile inputs other than sources: baselines, summaries, results of earlier runs. The run ends, and reports their mistakes. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { unless } from "../skips.ts";
import { runHere } from "./in-process.ts";
import { folderWith } from "./run.ts";

const bad = "__global__ void k(__grid_constant__ int v, float *out) { out[0] = v; }\n";
const isWindows = process.platform === "win32";

/** Signs of an internal error. */
const broken = /RangeError|TypeError|SyntaxError|mistake in gpu-qualifiers itself|\n {4}at /;

describe("a baseline", () => {
  it.each([
    ["nested arrays", "[".repeat(200_000)],
    ["nested objects", '{"a":'.repeat(200_000)],
    ["a prototype", '{"__proto__": {"version": 1}, "findings": {"__proto__": 1}}'],
    ["null", "null"],
    ["findings that are none", '{"version": 1, "findings": [null, 1, "x", {}]}'],
    ["bytes", "\u0000\ufffd".repeat(1_000)],
    ["nothing", ""],
  ])("of %s is refused", async (_, text) => {
    const { code, out, error } = await runHere(["check", "--baseline", "base.json", "."], folderWith({ "a.cu": bad, "base.json": text }));
    expect([code, out]).toEqual([2, ""]);
    expect(error).toContain("'base.json' is not a baseline of gpu-qualifiers");
    expect(error).not.toMatch(broken);
  });

  it("with huge counts and many findings accepts only the findings that it names", { timeout: 60_000 }, async () => {
    const entry = {
      file: "a.cu",
      rule: "grid-constant-non-const",
      message: "'__grid_constant__' parameter 'v' is not const",
      code: bad.trim(),
      count: Number.MAX_SAFE_INTEGER,
    };
    const others = Array.from({ length: 100_000 }, (_, i) => ({ ...entry, file: `${i}.cu`, count: 1 }));
    const folder = folderWith({ "a.cu": bad, "base.json": JSON.stringify({ version: 1, findings: [...others, entry] }) });
    const { code, out, error } = await runHere(["check", "--baseline", "base.json", "--rule", "grid-constant-candidate=off", "."], folder);
    expect([code, out, error]).toEqual([0, "", expect.not.stringMatching(broken)]);
  });

  it.each([1e308, -1, 0, 0.5, Number.MAX_SAFE_INTEGER + 1])("with the count %d is refused", async (count) => {
    const finding = { file: "a.cu", rule: "r", message: "m", code: "c", count };
    const base = JSON.stringify({ version: 1, findings: [finding] });
    const { code, error } = await runHere(["check", "--baseline", "base.json", "."], folderWith({ "a.cu": bad, "base.json": base }));
    expect(code).toBe(2);
    expect(error).toContain("'base.json' is not a baseline of gpu-qualifiers");
  });

  it.skipIf(isWindows)(`must be a regular file${unless(!isWindows, "the system is Windows")}`, async () => {
    const folder = folderWith({ "a.cu": bad });
    execFileSync("mkfifo", [join(folder, "pipe.json")]);
    symlinkSync("/dev/zero", join(folder, "zero.json"));
    for (const name of ["pipe.json", "zero.json"]) {
      const { code, error } = await runHere(["check", "--baseline", name, "."], folder);
      expect([code, error.trim()]).toEqual([2, `gpu-qualifiers: cannot read '${name}': it is not a regular file`]);
      const summary = await runHere(["link", name], folder);
      expect([summary.code, summary.error.trim()]).toEqual([
        2,
        `gpu-qualifiers: cannot read the summary '${name}': it is not a regular file`,
      ]);
    }
  });
});

describe("answers of earlier runs", () => {
  const entriesIn = (folder: string) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((name) => join(folder, name))
      .filter((path) => statSync(path).isFile());
  const inCache = async () => {
    const cache = folderWith({});
    const folder = folderWith({ "a.cu": bad, "b.cl": "kernel void k(global int *g) { local int *l = (local int *)g; }\n" });
    const check = () => runHere(["check", "."], folder, "", cache);
    return { cache, check, expected: await check() };
  };

  it.each([
    ["nothing", () => Buffer.alloc(0)],
    ["brackets", () => Buffer.from("[".repeat(300_000))],
    ["zeros", () => Buffer.alloc(100_000)],
    ["a half", (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1)],
    ["another letter", (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 20), Buffer.from("!"), bytes.subarray(21)])],
  ])("that contain %s are not used", async (_, damaged) => {
    const { cache, check, expected } = await inCache();
    const entries = entriesIn(cache);
    expect(entries.length).toBeGreaterThan(0);
    for (const path of entries) writeFileSync(path, damaged(readFileSync(path)));
    expect(await check()).toEqual(expected);
  });

  it.skipIf(isWindows)(`that are links to endless devices are not read${unless(!isWindows, "the system is Windows")}`, async () => {
    const { cache, check, expected } = await inCache();
    for (const path of entriesIn(cache)) {
      rmSync(path);
      symlinkSync("/dev/zero", path);
    }
    expect(await check()).toEqual(expected);
  });
});

describe("an input that the user names", () => {
  it.each([
    [["explain", "\u001b[31m__proto__"]],
    [["explain", "constructor"]],
    [["check", "--rule", "\u001b[31m=off", "."]],
    [["check", "--rule", "__proto__=off", "."]],
    [["check", "--diff", "--output=written", "."]],
    [["check", "--diff", "\u202e", "."]],
    [["check", "\u001b[31m.cu"]],
    [["completion", "\u001b[31m"]],
  ])("is reported without its control characters: %j", async (args) => {
    const folder = folderWith({ "a.cu": bad });
    const { code, out, error } = await runHere(args, folder);
    expect(code).toBe(2);
    expect(`${out}${error}`).not.toMatch(broken);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for these
    expect(`${out}${error}`).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f\u202a-\u202e]/);
    expect(readdirSync(folder)).toEqual(["a.cu"]);
  });
});
