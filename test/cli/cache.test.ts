/** Results that are kept from one run to the next: they are used only while they are right, and may be damaged and shared. */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openFileChecker, type ProjectGiven } from "../../server/src/cli/file-checker.ts";
import { pruneStore } from "../../server/src/node/answer-store.ts";
import { nameOfPath } from "../../server/src/node/node-names.ts";
import { testParser } from "../service.ts";
import { runHere } from "./in-process.ts";
import { folderWith, run, wrongCast } from "./run.ts";

const cacheFolder = mkdtempSync(join(tmpdir(), "gpu-qualifiers-cache-"));
afterAll(() => rmSync(cacheFolder, { recursive: true, force: true }));

const parser = await testParser();

function checkerIn(folder: string, given: ProjectGiven = {}, program = "this") {
  const project = { root: nameOfPath(folder), isProject: true };
  const checker = openFileChecker({ ...given, project, cache: { folder: cacheFolder, program } }, parser);
  const ask = <Result>(work: () => Result): Result => {
    try {
      return work();
    } finally {
      checker.project.dispose();
    }
  };
  return {
    knows: (path: string) => ask(() => checker.known(nameOfPath(join(folder, path))) !== undefined),
    known: (path: string) => ask(() => checker.known(nameOfPath(join(folder, path)))),
    check: (path: string) => ask(() => checker.checkAll([nameOfPath(join(folder, path))])[0]),
  };
}

function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const files = {
  "gpu-qualifiers.json": '{ "includePaths": ["inc", "late"] }',
  "src/a.cl": '#include "near.h"\n#include "far.h"\n#include <gone.h>\nkernel void k(global int *g) { SPACE int *p = (SPACE int *)g; }\n',
  "src/near.h": "#pragma once\n#define SPACE local\n",
  "inc/far.h": '#if __has_include("optional.h")\n#include "optional.h"\n#endif\nint far(int a);\n',
  "src/other.cl": "kernel void other(global int *g) { *g = 1; }\n",
  "src/b.cu": '#include "b.cuh"\nconst int count = 4;\n__global__ void k(int *p) { use(p); *p = count; }\n',
  "src/b.cuh": "__device__ void use(int *p) { *p = 1; }\n",
};

/** A folder in which these files have been checked, and their results stored. */
function checkedFolder(checked: readonly string[] = ["src/a.cl", "src/b.cu", "src/b.cuh"]) {
  const folder = folderWith(files);
  for (const path of checked) checkerIn(folder).check(path);
  return folder;
}

describe("a stored answer is used", () => {
  it("as long as nothing has changed, and equals that of a new check", () => {
    const folder = checkedFolder();
    for (const path of ["src/a.cl", "src/b.cu", "src/b.cuh"]) {
      const fresh = checkerIn(folder).check(path);
      expect(fresh).toEqual({ kind: "checked", check: checkerIn(folder).known(path) });
    }
  });

  it("in a copy of the project somewhere else", () => {
    const folder = checkedFolder();
    const copy = folderWith({});
    cpSync(folder, copy, { recursive: true });
    const fresh = checkerIn(copy).check("src/a.cl");
    expect(fresh).toEqual({ kind: "checked", check: checkerIn(copy).known("src/a.cl") });
    expect(JSON.stringify(fresh)).not.toContain(folder);
  });

  it.each([
    ["another source changes", "src/other.cl", "kernel void other(global int *g) { *g = 2; }\n"],
    ["a file appears whose name nobody includes", "src/more.h", "int more(int a);\n"],
    ["a file is written again as it was", "src/near.h", files["src/near.h"]],
    ["a name gets a definition elsewhere that no file asks for", "src/other.cl", "#define GONE global\n"],
  ])("when %s", (_, path, text) => {
    const folder = checkedFolder();
    write(folder, path, text);
    expect(checkerIn(folder).knows("src/a.cl")).toBe(true);
  });
});

describe("a stored answer is not used", () => {
  it.each([
    ["the file itself changes", "src/a.cl", `${files["src/a.cl"]}\n`],
    ["a header changes", "src/near.h", "#pragma once\n#define SPACE global\n"],
    ["a header far away changes", "inc/far.h", "int far(float a);\n"],
    ["a missing header appears in an include path", "late/gone.h", "int gone(int a);\n"],
    ["a missing header appears somewhere", "somewhere/gone.h", "int gone(int a);\n"],
    ["a nearer header of the same name appears", "src/far.h", "int far(int a);\n"],
    ["a header appears that was only asked about", "inc/optional.h", "int optional(int a);\n"],
    ["settings change", "gpu-qualifiers.json", '{ "includePaths": ["inc", "late"], "macros": { "A": 1 } }'],
    ["a rule's severity changes", "gpu-qualifiers.json", '{ "includePaths": ["inc", "late"], "rules": { "address-space-cast": "off" } }'],
  ])("when %s", (_, path, text) => {
    const folder = checkedFolder();
    expect(checkerIn(folder).knows("src/a.cl")).toBe(true);
    write(folder, path, text);
    expect(checkerIn(folder).knows("src/a.cl")).toBe(false);
  });

  it("when a header is gone", () => {
    const folder = checkedFolder();
    rmSync(join(folder, "inc/far.h"));
    expect(checkerIn(folder).knows("src/a.cl")).toBe(false);
  });

  it("for a header whose includer changes, or that gets another one", () => {
    const folder = checkedFolder();
    expect(checkerIn(folder).knows("src/b.cuh")).toBe(true);
    write(folder, "src/a0.cu", '#define X\n#include "b.cuh"\n');
    expect(checkerIn(folder).knows("src/b.cuh")).toBe(false);
    rmSync(join(folder, "src/a0.cu"));
    expect(checkerIn(folder).knows("src/b.cuh")).toBe(true);
    write(folder, "src/b.cu", `// more\n${files["src/b.cu"]}`);
    expect(checkerIn(folder).knows("src/b.cuh")).toBe(false);
  });

  it("for other flags and rules of the command line, or another program", () => {
    const folder = checkedFolder();
    const flags = { macros: [{ name: "A", value: "1" }], includePaths: [], forcedIncludes: [] };
    expect(checkerIn(folder, { flags }).knows("src/a.cl")).toBe(false);
    expect(checkerIn(folder, { rules: { "address-space-cast": "hint" } }).knows("src/a.cl")).toBe(false);
    expect(checkerIn(folder, {}, "another").knows("src/a.cl")).toBe(false);
    expect(checkerIn(folder).knows("src/a.cl")).toBe(true);
  });
});

it("a stored answer is not used if it shows a place that has moved in a file without includers", () => {
  const folder = folderWith({
    "gpu-qualifiers.json": "{}",
    "a.cl": "kernel void k(global int *g) { SPACE int *p = (SPACE int *)g; }\n",
    "b.h": "#define SPACE local\n",
  });
  checkerIn(folder).check("a.cl");
  expect(checkerIn(folder).known("a.cl")).toBeDefined();
  write(folder, "b.h", "// The definition moves.\n#define SPACE local\n");
  expect(checkerIn(folder).known("a.cl")).toBeUndefined();
});

describe("the command line", () => {
  const project = () =>
    folderWith({
      "gpu-qualifiers.json": "{}",
      "a.cl": wrongCast,
      "b.cu": "struct S { int a; };\n__global__ void k(const S s);\n",
      "c.cu": "struct S { int a; };\n__global__ void k(const __grid_constant__ S s) {}\n",
    });
  const entriesOf = (cache: string) =>
    readdirSync(cache, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.name.endsWith(".answer"))
      .map((entry) => join(entry.parentPath, entry.name));

  it("prints the same from the cache, in any number of threads, and --no-cache stores nothing", async () => {
    const folder = project();
    const store = join(folder, ".cache");
    const check = (...args: readonly string[]) => runHere(["check", ...args, "--format", "json", "."], folder, "", store);
    const without = await check("--no-cache");
    expect(() => statSync(store)).toThrow();
    expect(without.out).toContain("grid-constant-mismatch");
    for (const jobs of ["2", "1", "2"]) expect(await check("--jobs", jobs)).toEqual(without);
    expect(entriesOf(store)).toHaveLength(3);
    // Some results are stored, some new: the order of the link is the same.
    writeFileSync(join(folder, "b.cu"), `\n${readFileSync(join(folder, "b.cu"), "utf8")}`);
    expect(await check()).toEqual(await check("--no-cache"));
    expect((await runHere(["cache", "path"], folder, "", store)).out).toBe(`${store}\n`);
    expect((await runHere(["cache", "clear"], folder, "", store)).error).toBe("gpu-qualifiers: 4 answers removed\n");
    expect(entriesOf(store)).toEqual([]);
  });

  it("may be named as a file, which stays as it is", async () => {
    const folder = project();
    const named = join(folder, "b.cu");
    const before = readFileSync(named, "utf8");
    expect(await runHere(["check", "."], folder, "", named)).toEqual(await runHere(["check", "--no-cache", "."], folder));
    expect(await runHere(["cache", "clear"], folder, "", named)).toMatchObject({ code: 0, error: "gpu-qualifiers: 0 answers removed\n" });
    expect(readFileSync(named, "utf8")).toBe(before);
  });

  it("stores results in the folder that the environment names", () => {
    const folder = project();
    const environment = { GPU_QUALIFIERS_CACHE: join(folder, ".cache") };
    const first = run(["check", "."], folder, environment);
    expect(entriesOf(environment.GPU_QUALIFIERS_CACHE)).toHaveLength(3);
    expect(run(["check", "."], folder, environment)).toEqual(first);
    expect(run(["cache", "path"], folder, environment).out).toBe(`${environment.GPU_QUALIFIERS_CACHE}\n`);
  });

  it("ignores damaged entries, and works where nothing can be stored", async () => {
    const folder = project();
    const store = join(folder, ".cache");
    const first = await runHere(["check", "."], folder, "", store);
    for (const path of entriesOf(store)) truncateSync(path, 40);
    expect(await runHere(["check", "."], folder, "", store)).toEqual(first);
    expect(await runHere(["check", "."], folder, "", "/dev/null/cache")).toEqual(first);
  });
});

it("entries that were used least recently are removed when the cache is too large", () => {
  const folder = folderWith({
    "aa/1.answer": "x".repeat(100),
    "ab/2.answer": "x".repeat(100),
    "ac/3.answer.1.tmp": "",
    "readme.txt": "mine",
  });
  const days = (count: number) => new Date(Date.now() - count * 86_400_000);
  utimesSync(join(folder, "aa/1.answer"), days(1), days(1));
  utimesSync(join(folder, "ac/3.answer.1.tmp"), days(2), days(2));
  pruneStore(folder, 150);
  expect(readdirSync(folder, { recursive: true }).sort()).toEqual(["aa", "ab", "ab/2.answer", "ac", "pruned", "readme.txt"]);
  // The cache is cleaned once a day.
  writeFileSync(join(folder, "aa/3.answer"), "x".repeat(100));
  pruneStore(folder, 50);
  expect(readdirSync(folder)).toContain("aa");
  pruneStore(folder, 50, Date.now() + 2 * 86_400_000);
  expect(readdirSync(join(folder, "ab"))).toEqual([]);
});
