/** Checks that are split over machines with summaries and shards have the same report as one run. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inShard, readShard } from "../../server/src/cli/shards.ts";
import { runHere } from "./in-process.ts";
import { clean, folderWith, wrongCast } from "./run.ts";

/** Findings in sources, in headers, between files, and an allowance that only the link can judge. */
function project(): string {
  const files: Record<string, string> = {
    "gpu-qualifiers.json": "{}",
    "k.cuh": "#pragma once\nstruct S { int a[4]; };\n__global__ void k(const S s);\n__constant__ int outside = undefinedAnywhere;\n",
    "k.cu": '#include "k.cuh"\n__global__ void k(const __grid_constant__ S s) {}\n',
    "use.clh": "void use(global int *g) { local int *l = (local int *)g; }\n",
    "allowed.cu": "struct T { int a; };\n// gpu-qualifiers: allow[grid-constant-mismatch] why\n__global__ void t(const T t);\n",
  };
  for (let i = 0; i < 9; i++) {
    files[`deep/a${i}.cl`] = `#include "../use.clh"\n${i % 3 === 0 ? wrongCast : clean}`;
    files[`b${i}.cu`] = `#include "k.cuh"\n__global__ void b${i}(int *p) { *p = ${i}; }\n`;
  }
  return folderWith(files);
}

const formats = ["json", "text", "sarif", "junit", "gitlab", "github", "pretty"];

describe("link", () => {
  it("prints the same bytes as one check, in every format", async () => {
    const folder = project();
    expect(await runHere(["summarize", ".", "-o", "all.sum"], folder)).toEqual({ code: 0, out: "", error: "" });
    for (const format of formats) {
      const whole = await runHere(["check", "--level", "hint", "--format", format, "."], folder);
      expect(whole.out).toContain("grid-constant-mismatch");
      expect(await runHere(["link", "--level", "hint", "--format", format, "all.sum"], folder)).toEqual(whole);
      expect(await runHere(["link", "--as-given", "--level", "hint", "--format", format, "all.sum"], folder)).toEqual(whole);
    }
  });

  it("accepts summaries of single files, in any order and from another folder, and checks files without one", async () => {
    const folder = project();
    const elsewhere = folderWith({});
    cpSync(folder, elsewhere, { recursive: true });
    const whole = await runHere(["check", "--format", "json", "."], folder);
    for (const path of ["k.cu", "k.cuh", "deep/a0.cl", "b1.cu"])
      await runHere(["summarize", path, "-o", `sum/${path.replace("/", "_")}.sum`], elsewhere);
    cpSync(join(elsewhere, "sum"), join(folder, "sum"), { recursive: true });
    const summaries = ["b1.cu", "k.cuh", "k.cu", "deep_a0.cl"].map((name) => `sum/${name}.sum`);
    expect(await runHere(["link", "--format", "json", ...summaries], folder)).toEqual(whole);
  });

  it("ignores summaries of other texts", async () => {
    const folder = project();
    await runHere(["summarize", ".", "-o", "all.sum"], folder);
    writeFileSync(join(folder, "use.clh"), "void use(global int *g) { *g = 1; }\n");
    writeFileSync(join(folder, "deep/a0.cl"), clean);
    expect(await runHere(["link", "--format", "json", "all.sum"], folder)).toEqual(
      await runHere(["check", "--format", "json", "."], folder),
    );
  });

  it.each([
    ["nope.sum", "cannot read the summary 'nope.sum'"],
    ["k.cu", "'k.cu' is not a whole summary file"],
    ["cut.sum", "'cut.sum' is not a whole summary file"],
  ])("reports that '%s' is invalid", async (path, message) => {
    const folder = project();
    await runHere(["summarize", "k.cu", "-o", "cut.sum"], folder);
    writeFileSync(join(folder, "cut.sum"), readFileSync(join(folder, "cut.sum"), "utf8").slice(0, -40));
    expect(await runHere(["link", path], folder)).toMatchObject({ code: 2, out: "", error: expect.stringContaining(message) });
  });
});

describe("summarize", () => {
  it("gives equal bytes for equal inputs, whatever the folder and the threads", async () => {
    const folder = project();
    const elsewhere = folderWith({});
    cpSync(folder, elsewhere, { recursive: true });
    await runHere(["summarize", ".", "-o", "../one.sum"], join(folder, "deep", ".."));
    await runHere(["summarize", ".", "-o", "one.sum"], folder);
    await runHere(["summarize", "--jobs", "1", ".", "-o", "two.sum"], elsewhere);
    expect(readFileSync(join(elsewhere, "two.sum"), "utf8")).toBe(readFileSync(join(folder, "one.sum"), "utf8"));
    expect(readFileSync(join(folder, "one.sum"), "utf8")).not.toContain(folder);
  });

  it("writes nothing if a file could not be checked", async () => {
    const folder = project();
    expect((await runHere(["summarize", "nope.cu", "-o", "x.sum"], folder)).code).toBe(2);
    expect(() => readFileSync(join(folder, "x.sum"))).toThrow();
  });
});

describe("--shard", () => {
  it.each([1, 2, 3, 8, 40])("of %i gives the bytes of one check when all are merged", async (count) => {
    const folder = project();
    const whole = await runHere(["check", "--level", "hint", "--format", "json", "."], folder);
    const parts = Array.from({ length: count }, (_, i) => `part${i + 1}.sum`);
    for (const [i, part] of parts.entries())
      expect((await runHere(["summarize", "--shard", `${i + 1}/${count}`, ".", "-o", part], folder)).code).toBe(0);
    expect(await runHere(["merge", "--level", "hint", "--format", "json", ...parts], folder)).toEqual(whole);
    // The merge has nothing left to check: it uses the summaries and checks no other file.
    expect(await runHere(["merge", "--as-given", "--level", "hint", "--format", "json", ...parts], folder)).toEqual(whole);
  });

  it("reports each finding that needs one file in one part only", async () => {
    const folder = project();
    const lines = async (...args: string[]) =>
      (await runHere(["check", ...args, "."], folder)).out.split("\n").filter((line) => line.includes("address-space-cast"));
    const all = await lines();
    const parts = [...(await lines("--shard", "1/3")), ...(await lines("--shard", "2/3")), ...(await lines("--shard", "3/3"))];
    expect(parts.sort()).toEqual([...all].sort());
  });

  it("requires a number and a count, as in 1/3", async () => {
    expect(["1/1", "3/8", "8/8"].map(readShard)).toEqual([
      { index: 0, count: 1 },
      { index: 2, count: 8 },
      { index: 7, count: 8 },
    ]);
    expect(["0/8", "9/8", "1/0", "", "1", "-1/2", "1/2/3", "a/b", "1/99999"].map(readShard)).toEqual(Array(9).fill(undefined));
    const folder = folderWith({ "a.cl": clean });
    expect(await runHere(["check", "--shard", "9/8", "a.cl"], folder)).toMatchObject({
      code: 2,
      error: expect.stringContaining("takes a part of a whole"),
    });
  });

  it("contains every file exactly once, and keeps neighbors together if there are many", () => {
    const items = Array.from({ length: 1000 }, (_, i) => i);
    for (const count of [1, 3, 7]) {
      const shards = Array.from({ length: count }, (_, index) => inShard(items, { index, count }));
      expect(shards.flat().sort((a, b) => a - b)).toEqual(items);
      expect(Math.max(...shards.map(({ length }) => length)) - Math.min(...shards.map(({ length }) => length))).toBeLessThanOrEqual(8);
    }
    expect(inShard(items, { index: 1, count: 3 }).slice(0, 9)).toEqual([8, 9, 10, 11, 12, 13, 14, 15, 32]);
  });
});
