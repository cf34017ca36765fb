/**
 * Projects that change at random: files that include each other in every way of writing it, in steps that write, delete, rename and
 * link them, keep sizes and times while texts change, and change settings. After each step, what an earlier run has stored and what
 * summaries carry must say the same as a new check.
 */
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { openFileChecker } from "../../server/src/cli/file-checker.ts";
import { nameOfPath } from "../../server/src/node/node-names.ts";
import type { FileCheck } from "../../server/src/service.ts";
import type { SyntaxParser } from "../../server/src/syntax/parser.ts";
import { runHere } from "../cli/in-process.ts";

const names = ["a.h", "b.h", "c.h", "d.cuh", "sub/a.h", "gone.h"];
/** Everything that the preprocessor takes for an include, and the test for one. */
const includes = names.flatMap((name) => [
  `#include "${name}"`,
  `#include <${name}>`,
  `#/**/include <${name}>`,
  `/* */ # include/**/"${name}"`,
  `%:include <${name}>`,
  `#inc\\\nlude "${name}"`,
  `\f#include <${name}>`,
  `#define HEADER <${name}>\n#include HEADER`,
  `#define NAME ${name}\n#define S(x) #x\n#define T(x) S(x)\n#include T(PATH/NAME)`,
  `#import "${name}"`,
  `#include_next <${name}>`,
  `#if __has_include(<${name}>)\n#define SPACE global\n#endif`,
  `#if defined(X) && __has_include("${name}")\n#error\n#endif`,
]);
const directives = [
  "#define SPACE local",
  "#define SPACE global",
  "#define UNKNOWN __device__",
  "#define UNKNOWN __host__",
  "#define KERNEL kernel",
  "#undef SPACE",
  "#pragma once",
  '#ifdef USE_ALL\n#include "a.h"\n#include "b.h"\n#endif',
  "#define USE_ALL",
  "#pragma OPENCL EXTENSION cl_khr_fp16 : enable",
  "// gpu-qualifiers: allow[address-space-cast]",
];
const bodies = [
  "kernel void k(global int *g) { SPACE int *p = (SPACE int *)g; }",
  "kernel void h(global half *g) { g[0] = g[1] * 2; }",
  "KERNEL void l(global int *g) { local int *p = g; }",
  "UNKNOWN void f(int *p);",
  "__constant__ int t[4];",
  "struct S { int a[9]; };\n__global__ void m(const __grid_constant__ S s) {}",
  "struct S { int a[9]; };\n__global__ void m(const S s);",
  "const int n = 4;\n__global__ void n(int *p) { *p = n; }",
  "",
];
/** The files that steps write. */
export const paths = [
  "a.cl",
  "b.cu",
  "host.cpp",
  "kernels.py",
  "sub/d.cu",
  "sub/e.cl",
  "a.h",
  "b.h",
  "i1/c.h",
  "i2/c.h",
  "i2/a.h",
  "sub/a.h",
  "sub/d.cuh",
];
const settings = [
  "{}",
  '{ "includePaths": ["i1", "i2"] }',
  '{ "includePaths": ["i2", "i1"] }',
  '{ "includePaths": ["i1", "i2"], "macros": { "SPACE": "local" } }',
  '{ "includePaths": ["i2"], "rules": { "address-space-cast": "off", "address-space-conversion": "hint" } }',
  '{ "opencl": { "standard": "CL2.0" }, "includePaths": ["i1"] }',
  '{ "exclude": ["sub"] }',
];

const text = fc
  .tuple(fc.subarray(includes, { maxLength: 3 }), fc.subarray(directives, { maxLength: 3 }), fc.constantFrom(...bodies))
  .map(([some, others, body]) => [...others, ...some, body, ""].join("\n"));
const path = fc.constantFrom(...paths);
/** One change of a project. */
export const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("write" as const), path, text }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("same size and time" as const), path }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete" as const), path }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("rename" as const), path, to: path }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("link" as const), path, to: path }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("swap folders" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("settings" as const), text: fc.constantFrom(...settings) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("flags" as const),
      text: fc.constantFrom("-Ii1\n", "-include\ni1/c.h\n", "-DSPACE=local\n", "-cl-std=CL3.0\n", ""),
    }),
  },
);
/** A change of a project. */
export type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** The text as it is in a file of its kind: hosts have it in a literal. */
function inFile(name: string, code: string): string {
  if (name.endsWith(".cpp")) return `const char *s = R"(${code})";\n`;
  return name.endsWith(".py") ? `s = """${code}"""\n` : code;
}

/** Takes a step in a folder. A step whose files are missing changes nothing. */
export function take(folder: string, taken: Step): void {
  const at = (name: string) => join(folder, name);
  const put = (name: string, content: string) => {
    mkdirSync(dirname(at(name)), { recursive: true });
    rmSync(at(name), { force: true });
    writeFileSync(at(name), content);
  };
  try {
    if (taken.kind === "write") put(taken.path, inFile(taken.path, taken.text));
    if (taken.kind === "settings") put("gpu-qualifiers.json", taken.text);
    if (taken.kind === "flags") put("compile_flags.txt", taken.text);
    if (taken.kind === "delete") rmSync(at(taken.path), { force: true });
    if (taken.kind === "rename") renameSync(at(taken.path), at(taken.to));
    if (taken.kind === "link" && taken.path !== taken.to) {
      rmSync(at(taken.path), { force: true });
      symlinkSync(at(taken.to), at(taken.path));
    }
    if (taken.kind === "swap folders") {
      renameSync(at("i1"), at("other"));
      renameSync(at("i2"), at("i1"));
      renameSync(at("other"), at("i2"));
    }
    if (taken.kind === "same size and time") {
      const { atime, mtime } = statSync(at(taken.path));
      const changed = readFileSync(at(taken.path), "utf8").replace(/local |global|i1|i2/, (word) => twins[word] ?? word);
      writeFileSync(at(taken.path), changed);
      utimesSync(at(taken.path), atime, mtime);
    }
  } catch {
    // What the step would change is not there.
  }
}

const twins: Readonly<Record<string, string>> = { "local ": "global", global: "local ", i1: "i2", i2: "i1" };

/** The files before the first step. */
const start: Readonly<Record<string, string>> = {
  ".git/HEAD": "",
  "gpu-qualifiers.json": '{ "includePaths": ["i1", "i2"] }',
  "a.cl": `#include <c.h>\n${bodies[0]}\n`,
  "b.cu": `#include "sub/d.cuh"\n${bodies[6]}\n`,
  "host.cpp": inFile("host.cpp", `#include <c.h>\n${bodies[0]}\n`),
  "kernels.py": inFile("kernels.py", `#include "a.h"\n${bodies[0]}\n`),
  "i1/x.h": "",
  "i2/c.h": "#define SPACE global\n",
  "sub/d.cuh": `${bodies[5]}\n`,
};

/** A folder in which steps are taken, and the folder of a cache. */
export interface ChangingProject {
  readonly folder: string;
  readonly cache: string;
  dispose(): void;
}

/** Creates a project in its first state. */
export function startProject(): ChangingProject {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "gpu-qualifiers-steps-")));
  const folder = join(base, "project");
  for (const [path, content] of Object.entries(start)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return { folder, cache: join(base, "cache"), dispose: () => rmSync(base, { recursive: true, force: true }) };
}

/** A result as JSON, in which a missing member and an undefined one are equal. The order of its questions does not matter. */
function spelled({ readSet: _, ...check }: FileCheck): string {
  return JSON.stringify(check, (_, part: unknown) => (part instanceof Set ? [...part] : part));
}

/**
 * Compares the stored result of each file with a new check, and stores the new ones. Throws at a difference; returns how many stored
 * results were used.
 */
export function cachedLikeFresh(parser: SyntaxParser, { folder, cache }: ChangingProject): number {
  const open = () =>
    openFileChecker({ project: { root: nameOfPath(folder), isProject: true }, cache: { folder: cache, program: "steps" } }, parser);
  const [before, now] = [open(), open()];
  let used = 0;
  try {
    const known = paths.map((path) => before.known(nameOfPath(join(folder, path))));
    for (const [at, path] of paths.entries()) {
      const fresh = now.checkAll([nameOfPath(join(folder, path))])[0];
      const stored = known[at];
      if (stored === undefined || fresh === undefined || fresh.kind === "absent") continue;
      used += 1;
      if (fresh.kind === "failed") throw new Error(fresh.reason);
      const [one, other] = [spelled(fresh.check), spelled(stored)];
      if (one !== other) throw new Error(`${path}: stored ${other}\nfresh ${one}`);
    }
    return used;
  } finally {
    for (const checker of [before, now]) checker.project.dispose();
  }
}

/** Compares what `check` prints with what `summarize` in two shards and `link` print. Throws at a difference. */
export async function linkedLikeChecked({ folder, cache }: ChangingProject): Promise<void> {
  const summaries = ["1/2", "2/2"].map((shard) => ({ shard, path: `${cache}-${shard.slice(0, 1)}.sum` }));
  for (const { shard, path } of summaries) {
    // Where a setting is wrong, no summary is written.
    if ((await runHere(["summarize", "--no-cache", "--shard", shard, "-o", path, "."], folder)).code !== 0) return;
  }
  const checked = await runHere(["check", "--no-cache", "--level", "hint", "."], folder);
  const linked = await runHere(["link", "--no-cache", "--level", "hint", ...summaries.map(({ path }) => path)], folder);
  if (!isDeepStrictEqual(checked, linked)) throw new Error(`check: ${JSON.stringify(checked)}\nlink: ${JSON.stringify(linked)}`);
}

/** Takes steps in a new project. Throws if stored results say something else than a new check after any, or summaries after all. */
export async function takeAll(parser: SyntaxParser, steps: readonly Step[]): Promise<void> {
  const project = startProject();
  try {
    for (const each of steps) {
      take(project.folder, each);
      cachedLikeFresh(parser, project);
    }
    await linkedLikeChecked(project);
  } finally {
    project.dispose();
  }
}
