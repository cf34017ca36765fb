/** The output and the exit code of `gpu-qualifiers check`. */
import { chmodSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { unless } from "../skips.ts";
import { runHere } from "./in-process.ts";
import { clean, dependsOnStandard, folderWith, nonConst, run, wrongCast } from "./run.ts";

const castLine = "a.cl:1:47: error: casting '__global int *' to '__local int *' changes the address space [address-space-cast]";
const castOutput = `${castLine}\n1 finding, 1 can be fixed with --fix\n`;

describe("text output", () => {
  it("has one line per finding, and the exit code 1 if there are errors", async () => {
    const folder = folderWith({ "a.cl": wrongCast });
    expect(await runHere(["check", "a.cl"], folder)).toEqual({
      code: 1,
      out: castOutput,
      error: "gpu-qualifiers: 1 error in 1 file: 1 kernel checked\n",
    });
  });

  it("says of clean code only what was checked, on standard error", async () => {
    const folder = folderWith({ "a.cl": clean, "b.cu": "__global__ void k(int *p) { *p = 1; }\n" });
    expect(await runHere(["check", "a.cl", "b.cu"], folder)).toEqual({
      code: 0,
      out: "",
      error: "gpu-qualifiers: nothing found in 2 files: 2 kernels checked\n",
    });
  });

  it("has related places as notes on lines of their own", async () => {
    const folder = folderWith({
      "a.cu": "struct S { int a; };\n__global__ void k(const __grid_constant__ S s);\n__global__ void k(const S s) {}\n",
    });
    const { out } = await runHere(["check", "a.cu"], folder);
    expect(out.split("\n")).toEqual([
      expect.stringMatching(/^a\.cu:3:19: error: .* \[grid-constant-mismatch\]$/),
      expect.stringMatching(/^a\.cu:2:\d+: note: declared here$/),
      "1 finding, 1 can be fixed with --fix",
      "",
    ]);
  });

  it("names files as on the command line", async () => {
    const folder = folderWith({ "src/a.cl": wrongCast });
    expect((await runHere(["check", "src"], folder)).out).toMatch(/^src\/a\.cl:1:47: error/);
    expect((await runHere(["check", "./src/a.cl"], folder)).out).toMatch(/^\.\/src\/a\.cl:1:47: error/);
    expect((await runHere(["check", join(folder, "src")], folder)).out.startsWith(`${join(folder, "src/a.cl")}:1:47: error`)).toBe(true);
    expect((await runHere(["check", "."], join(folder, "src"))).out).toMatch(/^a\.cl:1:47: error/);
  });

  it("counts lines and columns as the author sees them, whatever the line ends and the encoding mark", async () => {
    const folder = folderWith({ "a.cl": `\ufeff// ä\r\n${wrongCast.replace("\n", "\r\n")}` });
    expect((await runHere(["check", "a.cl"], folder)).out).toMatch(/^a\.cl:2:47: error/);
  });
});

describe("--verbose", () => {
  it("says why a branch was not taken and a macro not expanded", async () => {
    const folder = folderWith({ "a.cl": `#if COUNT > 3\n#endif\n#define TWICE(x) x x\nvoid f(void) { TWICE(1, 2); }\n${clean}` });
    const { error } = await runHere(["check", "--verbose", "a.cl", "--", "-DCOUNT=2"], folder);
    expect(error.split("\n")).toEqual(
      expect.arrayContaining([
        "a.cl:1:1: note: '#if COUNT > 3' is not taken: '2 > 3' is false",
        "a.cl:4:16: note: 'TWICE' is not expanded: the number of arguments does not match",
      ]),
    );
    expect((await runHere(["check", "a.cl"], folder)).error).not.toContain("is not taken");
  });

  it("gives the line of a branch in a file without findings", async () => {
    const folder = folderWith({ "a.cl": `${clean}\n#ifdef COUNT\n#endif\n` });
    const line = `${clean}\n`.split("\n").length;
    expect((await runHere(["check", "--verbose", "a.cl"], folder)).error).toContain(`a.cl:${line}:1: note: '#ifdef COUNT' is not taken`);
  });
});

describe("kernels in string literals", () => {
  const host = `#include <string>\nstd::string source = R"(\n${wrongCast})";\n`;

  it("are found in the host files of a folder, and counted in the summary", async () => {
    const folder = folderWith({
      "src/host.cpp": host,
      "src/other.cpp": "int main() {}\n",
      "src/run.py": `source = """\n${wrongCast}"""\n`,
    });
    const { code, out, error } = await runHere(["check", "--format", "pretty", "src"], folder);
    expect(out).toMatch(/^src\/host\.cpp:3:47: error: casting .*\n[\s\S]*^src\/run\.py:2:47: error/m);
    expect(out.trimEnd().split("\n").at(-2)).toBe("2 errors in 2 files, 2 sources in string literals among them: 2 kernels checked");
    expect([code, error]).toEqual([1, ""]);
  });
});

describe("HIP in files with names of C++", () => {
  const kernel = "__constant__ float table[4];\n__global__ void k(float *out) {\n  table[0] = 1;\n  *out = table[0];\n}\n";

  it("is checked in a folder if the file itself shows that it is HIP", async () => {
    const folder = folderWith({
      "a.cpp": `#include <hip/hip_runtime.h>\n${kernel}`,
      "b.cpp": "#include <hip/hip_runtime.h>\nint main() {}\n",
      "c.cpp": "__device__ int f();\n",
    });
    expect((await runHere(["check", "--format", "json", "."], folder)).out).toContain("a.cpp");
    expect((await runHere(["check", "."], folder)).out.split("\n")[0]).toMatch(/^a\.cpp:4:3: warning: .* \[constant-memory-written\]$/);
    expect((await runHere(["check", "--format", "pretty", "."], folder)).out.trimEnd().split("\n").at(-2)).toBe(
      "1 warning in 1 file: 1 kernel checked",
    );
  });
});

it("CUDA in sources and headers of C++ is checked in a folder", async () => {
  const folder = folderWith({
    "include/fill.hpp": "#pragma once\ntemplate <typename T> __global__ void fill(T *p, const T &value) { *p = value; }\n",
    "src/run.cpp": '#include "../include/fill.hpp"\nvoid run(int *p) { fill<int><<<1, 1>>>(p, 3); }\n',
    "src/set.cc": "#include <cuda_runtime.h>\n__global__ void set(int *p, const int &value) { *p = value; }\n",
    "src/plain.cpp": "#include <vector>\nint value(const int &given) { return given; }\n",
  });
  const { out, error } = await runHere(["check", "."], folder);
  expect(out.match(/^\S+: warning/gm)).toEqual(["include/fill.hpp:2:50: warning", "src/set.cc:2:29: warning"]);
  expect(error).toContain("in 3 files");
});

describe("pretty output", () => {
  const folder = folderWith({ "a.cl": `kernel void k(global int *g) {\n\tlocal int *l = (local int *)g;\n}\n` });

  it("has the line of code with a marker below, and a summary", async () => {
    const { out } = await runHere(["check", "--format", "pretty", "a.cl"], folder);
    expect(out).toBe(
      [
        "a.cl:2:17: error: casting '__global int *' to '__local int *' changes the address space [address-space-cast]",
        "    2 | \tlocal int *l = (local int *)g;",
        "      | \t               ^~~~~~~~~~~~~~",
        "      = fix: Cast to global instead",
        "",
        "1 error in 1 file: 1 kernel checked",
        "1 finding, 1 can be fixed with --fix",
        "",
      ].join("\n"),
    );
  });

  it("has colors only if they are requested", async () => {
    const escape = "\u001b[";
    expect((await runHere(["check", "--format", "pretty", "--color", "always", "a.cl"], folder)).out).toContain(escape);
    expect(run(["check", "--format", "pretty", "--color", "never", "a.cl"], folder, { FORCE_COLOR: "1" }).out).not.toContain(escape);
    expect(run(["check", "--format", "pretty", "a.cl"], folder, { FORCE_COLOR: "1" }).out).toContain(escape);
    expect(run(["check", "--format", "pretty", "a.cl"], folder, { FORCE_COLOR: "1", NO_COLOR: "1" }).out).not.toContain(escape);
  });

  it("shows the title of the fix", async () => {
    expect((await runHere(["check", "--format", "pretty", "a.cu"], folderWith({ "a.cu": nonConst }))).out).toContain("= fix: Add 'const'");
  });

  it("shortens very long lines", async () => {
    const long = folderWith({ "a.cl": `kernel void k(global int *g) { ${"*g = 1; ".repeat(20_000)}local int *l = (local int *)g; }\n` });
    const lines = (await runHere(["check", "--format", "pretty", "a.cl"], long)).out.split("\n");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(200);
    expect(lines[1]?.slice(lines[2]?.indexOf("^"))).toMatch(/^\(local int \*\)g/);
  });
});

describe("json output", () => {
  it("has everything that editors and scripts need", async () => {
    const { out, code } = await runHere(["check", "--format", "json", "a.cu"], folderWith({ "a.cu": nonConst }));
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      version: 1,
      files: [
        {
          file: "a.cu",
          dialects: ["CUDA C++"],
          settings: "defaults",
          diagnostics: [
            {
              rule: "grid-constant-non-const",
              severity: "error",
              start: { line: 2, column: 19, offset: 42 },
              end: { line: 2, column: 36 },
              fixes: [{ isPreferred: true, edits: [{ file: "a.cu", text: expect.stringContaining("const") }] }],
            },
          ],
        },
      ],
    });
  });

  it("is a complete document even without findings", async () => {
    expect(JSON.parse((await runHere(["check", "--format", "json", "a.cl"], folderWith({ "a.cl": clean }))).out)).toMatchObject({
      files: [{ diagnostics: [] }],
    });
  });
});

describe("levels", () => {
  const aliased = `void f(global int *restrict a, global int *restrict b) { *a = *b; }
kernel void k(global int *g) { f(g, g); }
`;
  const folder = folderWith({ "a.cl": aliased });

  it("show errors and warnings by default", async () => {
    expect(await runHere(["check", "a.cl"], folder)).toMatchObject({ code: 0, out: "" });
    expect(await runHere(["check", "--level", "info", "a.cl"], folder)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^a\.cl:2:37: info: .* \[restrict-alias\]$/m),
    });
    expect(await runHere(["check", "a.cl"], folderWith({ "a.cl": dependsOnStandard }))).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^a\.cl:1:41: warning: .*1\.2.* \[address-space-conversion\]$/m),
    });
    expect((await runHere(["check", "--format", "pretty", "a.cl"], folder)).out).toContain("(1 info not shown: --level info)");
  });

  it("do not change the exit code", async () => {
    const both = folderWith({ "a.cl": wrongCast });
    expect((await runHere(["check", "--level", "error", "a.cl"], both)).code).toBe(1);
  });

  it("affect the exit code as --fail-on says, and are shown if they do", async () => {
    const failing = await runHere(["check", "--fail-on", "info", "a.cl"], folder);
    expect(failing).toMatchObject({ code: 1, out: expect.stringContaining(": info: ") });
    expect(await runHere(["check", "--fail-on", "warning", "a.cl"], folder)).toMatchObject({ code: 0, out: "" });
    expect(await runHere(["check", "--fail-on", "never", "a.cl"], folderWith({ "a.cl": wrongCast }))).toMatchObject({
      code: 0,
      out: castOutput,
    });
  });
});

describe("folders", () => {
  it("are searched without the files that .gitignore names, at any depth", async () => {
    const folder = folderWith({
      ".git/HEAD": "",
      ".gitignore": "/out/\n*.gen.cl\n",
      "a.cl": wrongCast,
      "a.gen.cl": wrongCast,
      "out/b.cl": wrongCast,
      "deep/er/.gitignore": "!kept.gen.cl\nnot.cu\n",
      "deep/er/kept.gen.cl": wrongCast,
      "deep/er/not.cu": nonConst,
      "deep/er/c.hip": nonConst,
      "node_modules/x/d.cl": wrongCast,
      "readme.md": wrongCast,
    });
    const files = (await runHere(["check", "."], folder)).out.match(/^[^:\n]+(?=:)/gm);
    expect(files).toEqual(["a.cl", "deep/er/c.hip", "deep/er/kept.gen.cl"]);
    // Ignored files stay ignored if the search starts in a subfolder.
    expect((await runHere(["check", "deep/er"], folder)).out.match(/^[^:\n]+(?=:)/gm)).toEqual(["deep/er/c.hip", "deep/er/kept.gen.cl"]);
  });

  it("have their headers checked in the context of a file that includes them", async () => {
    const folder = folderWith({
      "space.h": "#pragma once\n#define SPACE local\n",
      "use.h": "inline void use(global int *g) { SPACE int *p = (SPACE int *)g; }\n",
      "a.cl": '#include "space.h"\n#include "use.h"\nkernel void k(global int *g) { use(g); }\n',
    });
    expect((await runHere(["check", "."], folder)).out).toMatch(/^use\.h:1:49: error: .* \[address-space-cast\]$/m);
  });

  it("find mistakes that need two files", async () => {
    const folder = folderWith({
      "a.cu": "struct S { int a; };\n__global__ void run(const __grid_constant__ S s);\n",
      "b.cu": "struct S { int a; };\n__global__ void run(const S s) {}\n",
    });
    const { out, code } = await runHere(["check", "."], folder);
    expect(out).toMatch(/^[ab]\.cu:2:\d+: error: .* \[grid-constant-mismatch\]$/m);
    expect(code).toBe(1);
  });

  it("without a file of a kernel language make the run incomplete", async () => {
    expect(await runHere(["check", "."], folderWith({ "a.txt": "" }))).toEqual({
      code: 2,
      out: "",
      error: "gpu-qualifiers: no CUDA, HIP or OpenCL file in '.'\n",
    });
  });

  it("have findings for suppressions without effect on the link, if the whole project is checked", async () => {
    const allowed = "struct S { int a; };\n__global__ void k(const S s); // gpu-qualifiers: allow[grid-constant-mismatch] why\n";
    const folder = folderWith({
      "gpu-qualifiers.json": "{}",
      "a.cu": allowed,
      "b.cu": "struct S { int a; };\n__global__ void k(const S s) {}\n",
    });
    expect((await runHere(["check", "."], folder)).out).toContain(
      "a.cu:2:56: warning: this comment allows nothing: 'grid-constant-mismatch' has no finding here",
    );
    expect((await runHere(["check", "a.cu"], folder)).out).toBe("");
  });

  it("that contain a link to themselves are searched once", async () => {
    const folder = folderWith({ "a.cl": wrongCast });
    symlinkSync(folder, join(folder, "self"));
    expect((await runHere(["check", "."], folder)).out).toBe(castOutput);
  });
});

describe("one source", () => {
  const put = "static void put(AS float *p, global float *q) {\n  AS float *t = q;\n  p[0] = t[0];\n}\n";
  const source = (space: string) =>
    `#define AS ${space}\n#include "lib/put.h"\nkernel void k(${space} float *l, global float *a) { put(l, a); }\n`;
  const program = { "lib/put.h": put, "a.cl": source("global"), "b.cl": source("local"), "gpu-qualifiers.json": "{}" };

  it("has its program judged: findings in the project's files that it includes, each once", async () => {
    const folder = folderWith(program);
    const finding = /^lib\/put\.h:2:\d+: error: .* \[address-space-conversion\]$/gm;
    const found = async (...names: readonly string[]) => [...(await runHere(["check", ...names], folder)).out.matchAll(finding)].length;
    expect([await found("a.cl"), await found("b.cl"), await found("a.cl", "b.cl"), await found("lib/put.h", "b.cl")]).toEqual([0, 1, 1, 1]);
    const { out } = await runHere(["check", "-", "--stdin-filename", "b.cl"], folder, source("global"));
    expect(out).toBe("");
  });

  it("has no other file changed", async () => {
    const header = "void set(global int *p) {\n  local int *l = (global int *)p;\n  *l = 0;\n}\n";
    const folder = folderWith({
      "set.h": header,
      "a.cl": '#include "set.h"\nkernel void k(global int *p) { set(p); }\n',
      "gpu-qualifiers.json": "{}",
    });
    const { out } = await runHere(["check", "--fix", "a.cl"], folder);
    expect(out).toMatch(/^set\.h:2:/m);
    expect(readFileSync(join(folder, "set.h"), "utf8")).toBe(header);
  });

  it("says when it includes more than is checked with it", async () => {
    const large = `${"// text\n".repeat(20_000)}void f(void);\n`;
    const folder = folderWith({ "large.h": large, "a.cl": '#include "large.h"\nkernel void k() { f(); }\n', "gpu-qualifiers.json": "{}" });
    expect((await runHere(["check", "a.cl"], folder)).error).toContain(
      "'a.cl' includes 1 more file, which a check of the folder covers; not checked",
    );
  });
});

describe("a file that cannot be checked", () => {
  it("is reported, and the exit code is 2, although the rest is checked", async () => {
    const folder = folderWith({ "a.cl": wrongCast });
    expect(await runHere(["check", "nope.cl", "a.cl"], folder)).toEqual({
      code: 2,
      out: castOutput,
      error: "gpu-qualifiers: no such file or folder: 'nope.cl'\ngpu-qualifiers: 1 error in 1 file: 1 kernel checked\n",
    });
  });

  it.skipIf(process.getuid?.() === 0)(
    `may be a file without permission${unless(process.getuid?.() !== 0, "the user is root")}`,
    async () => {
      const folder = folderWith({ "a.cl": wrongCast });
      chmodSync(join(folder, "a.cl"), 0);
      expect(await runHere(["check", "a.cl"], folder)).toMatchObject({ code: 2, error: "gpu-qualifiers: no permission to read 'a.cl'\n" });
    },
  );

  it("may be standard input", async () => {
    expect(await runHere(["check", "-"], folderWith({}))).toMatchObject({
      code: 2,
      out: "",
      error: expect.stringContaining("--stdin needs --stdin-filename"),
    });
  });

  it("may be binary, or of another language", async () => {
    const folder = folderWith({ "a.cl": new Uint8Array([1, 0, 2]), "b.txt": "hello\n" });
    const { code, out, error } = await runHere(["check", "a.cl", "b.txt"], folder);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(error).toContain("'a.cl' is a binary file; not checked");
    expect(error).toContain("'b.txt' is neither CUDA nor OpenCL");
    expect(await runHere(["check", "-", "--stdin-filename", "c.cl"], folder, "\u0001\0\u0002")).toEqual({
      code: 2,
      out: "",
      error: "gpu-qualifiers: the text on standard input is binary; not checked\n",
    });
    expect((await runHere(["check", "."], folder)).code).toBe(0);
    expect((await runHere(["check", "b.txt"], folder)).code).toBe(0);
  });

  it("may be larger than any program that a person wrote", async () => {
    const folder = folderWith({ "a.cl": "// long\n".repeat(3_000_000) });
    expect(await runHere(["check", "a.cl"], folder)).toMatchObject({
      code: 2,
      out: "",
      error: "gpu-qualifiers: 'a.cl' is larger than 16 MB; not checked\n",
    });
  });

  it("may be a folder with a name like a file's", async () => {
    const folder = folderWith({});
    mkdirSync(join(folder, "a.cl"));
    expect(await runHere(["check", "a.cl"], folder)).toMatchObject({
      code: 2,
      error: "gpu-qualifiers: no CUDA, HIP or OpenCL file in 'a.cl'\n",
    });
  });
});
