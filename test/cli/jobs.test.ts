/** Files are checked in several threads, with the same results in the same order as in one. */
import { describe, expect, it } from "vitest";
import { runHere } from "./in-process.ts";
import { clean, folderWith, nonConst, run, wrongCast } from "./run.ts";

/** A few dozen files with findings in them, in their headers, and between them. */
function project(): string {
  const files: Record<string, string> = {
    "gpu-qualifiers.json": "{}\n",
    "kernel.cuh":
      "#pragma once\nstruct S { int a[4]; };\n__global__ void shared(const S s);\n__constant__ int outside = undefinedAnywhere;\n",
    "helper.clh": "void helper(global int *g) { local int *l = (local int *)g; }\n",
    "one.cu": '#include "kernel.cuh"\n__global__ void shared(const __grid_constant__ S s) {}\n',
    "two.cu": "struct T { int a; };\n__global__ void apart(const __grid_constant__ T t);\n",
    "three.cu": "struct T { int a; };\n__global__ void apart(const T t) {}\n",
    "binary.cl": "\u0000\u0001",
    "host.cpp": `const char *source = R"(\n${wrongCast})";\n`,
  };
  for (let i = 0; i < 30; i++)
    files[`many/${i}.cl`] = i % 3 === 0 ? wrongCast : `#include "../helper.clh"\nkernel void k${i}(global int *g) { helper(g); }\n`;
  for (let i = 0; i < 10; i++) files[`many/${i}.cu`] = nonConst;
  return folderWith(files);
}

describe("--jobs", () => {
  it.each(["text", "json", "sarif", "pretty"])("does not change the output in the format %s", async (format) => {
    const folder = project();
    const alone = await runHere(["check", "--level", "hint", "--format", format, "--verbose", "--jobs", "1", "."], folder);
    expect(alone).toMatchObject({ code: 1 });
    expect(alone.out).toContain("grid-constant-mismatch");
    expect(await runHere(["check", "--level", "hint", "--format", format, "--verbose", "-j", "3", "."], folder)).toEqual(alone);
  });

  it("is left to the program without it", () => {
    const folder = project();
    expect(run(["check", "."], folder)).toEqual(run(["check", "-j", "1", "."], folder));
  });

  it("writes fixes of findings from other threads", async () => {
    const folder = project();
    expect((await runHere(["check", "--fix", "-j", "3", "many"], folder)).error).toContain("in 20 files\n");
    expect(await runHere(["check", "many/0.cu", "many/1.cu"], folder)).toMatchObject({ code: 0, out: "" });
  });

  it.each(["0", "-1", "x", "1.5", "100000"])("requires a number of threads, not '%s'", async (jobs) => {
    expect(await runHere(["check", `--jobs=${jobs}`, "."], folderWith({ "a.cl": "" }))).toMatchObject({
      code: 2,
      out: "",
      error: expect.stringContaining("from 1 to 256"),
    });
  });

  it("continues without a file whose check needs more memory than there is", () => {
    const huge = `kernel void huge(global int *g) {\n${"  g[0] = g[1] * 2 + g[2] * (g[3] - g[4]);\n".repeat(60_000)}}\n`;
    const { code, out, error } = run(["check", "-j", "2", "huge.cl", "a.cl"], folderWith({ "huge.cl": huge, "a.cl": wrongCast }), {
      NODE_OPTIONS: "--max-old-space-size=64",
    });
    expect(error).toMatch(/^gpu-qualifiers: 'huge\.cl' was not checked because it takes more memory than a thread has/m);
    expect(out).toMatch(/^a\.cl:1:47: error: /);
    expect(code).toBe(2);
  });
});

it("threads return suppressions that only the link can judge", async () => {
  const folder = folderWith({
    "gpu-qualifiers.json": "{}",
    "a.cu": "struct S { int a; };\n// gpu-qualifiers: allow[grid-constant-mismatch] why\n__global__ void k(const S s);\n",
    "b.cl": clean,
  });
  const store = folderWith({});
  const alone = await runHere(["check", "--no-cache", "--jobs", "1", "."], folder, "", store);
  expect(alone.out).toContain("allows nothing: 'grid-constant-mismatch' has no finding here");
  for (const cache of ["--no-cache", "--jobs=2", "--jobs=2"])
    expect(await runHere(["check", "--jobs", "2", cache, "."], folder, "", store)).toEqual(alone);
});
