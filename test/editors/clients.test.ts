/** Other editors and their language clients, run without a screen against the real server. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { unless } from "../skips.ts";

const server = join(import.meta.dirname, "../../dist/server-node.js");
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gpu-qualifiers-"));
  // It takes the place of clang-format, which may not be installed.
  const formatter = join(folder, "bin", "clang-format");
  mkdirSync(join(folder, "bin"));
  writeFileSync(formatter, "#!/bin/sh\nexec sed 's/max(out/max( out/'\n");
  chmodSync(formatter, 0o755);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function has(program: string, ...args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: "ignore", timeout: 20_000 }).status === 0;
}

function start(
  program: string,
  args: readonly string[],
): { readonly lines: readonly string[]; readonly status: number | null; readonly errors: string } {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: folder,
    encoding: "utf8",
    timeout: 90_000,
    env: {
      ...process.env,
      PATH: [join(folder, "bin"), process.env["PATH"]].join(delimiter),
      NODE: process.execPath,
      SERVER: server,
      XDG_STATE_HOME: folder,
      XDG_CACHE_HOME: folder,
      HOME: folder,
    },
  });
  return { status, lines: stdout.split("\n").filter((line) => line !== ""), errors: stderr };
}

describe.skipIf(!has("nvim", "--version"))(`Neovim${unless(has("nvim", "--version"), "Neovim is not installed")}`, () => {
  it("shows a diagnostic and applies its fix", () => {
    const path = join(folder, "kernel.cu");
    writeFileSync(path, "struct S { int a[4]; };\n__global__ void k(__grid_constant__ S s) {}\nvoid go(S s) { k<<<2, 64>>>(s); }\n");
    const { status, lines, errors } = start("nvim", ["--headless", "--clean", "-u", join(import.meta.dirname, "neovim.lua"), path]);
    expect(
      lines.filter((line) => !line.startsWith("hover")),
      errors,
    ).toEqual([
      "diagnostic 1:18 gpu-qualifiers [grid-constant-non-const] '__grid_constant__' parameter 's' is not const",
      "launch 64 threads",
      "lens 1",
      "action Add 'const'",
      "line __global__ void k(const __grid_constant__ S s) {}",
      "done",
    ]);
    expect(lines.find((line) => line.startsWith("hover"))).toContain("__grid_constant__");
    expect(status).toBe(0);
  });

  it("answers for the names of OpenCL", () => {
    const path = join(folder, "kernel.cl");
    writeFileSync(
      path,
      `typedef struct { int id; float4 at; } Body;
float twice(global const float *p) { return p[0] * 2; }
kernel void run(global Body *body, global float *out) {
  out[get_global_id(0)] = twice(out) + max(out[0], 3);
  int a = body->id + 1;
}
constant float gain = 2;
kernel void scale(global float *row) { row[0] *= gain; }
#include "types.h"
float first(float *p) { return *p; }
`,
    );
    writeFileSync(join(folder, "types.h"), "typedef int item_t;\n");
    writeFileSync(join(folder, "host.cpp"), 'void enqueue(cl_program p) { cl_kernel k = clCreateKernel(p, "run", 0); }\n');
    const { status, lines, errors } = start("nvim", [
      "--headless",
      "--clean",
      "-u",
      join(import.meta.dirname, "neovim-language.lua"),
      path,
    ]);
    expect(lines, errors).toEqual([
      "definition kernel.cl:2",
      "builtin opencl-builtins.clh",
      "type kernel.cl:1",
      "members 2",
      "selection 4",
      "caller run",
      "signature float max(float, float)",
      "hover __global float *out",
      "references 2",
      "folds 1",
      "action Pass 'gain' as argument 1 of 'scale', with values of the host",
      "memory run",
      "formatting changes",
      "highlights 4",
      "completion at,id",
      'completes #include "types.h',
      "completes #pragma OPENCL EXTENSION cl_khr_fpcl_khr_fp64",
      "completes ____kernel",
      "completes int n = twice(0) + ((Body *)0)->at",
      "completes __attribute__((reqd_work_group_size",
      "hints 1",
      "colors some",
      "links 1",
      "symbols scale",
      "declarations 1",
      "refused 'float4' is a type of OpenCL C and cannot be renamed.",
      "host enqueue",
      "callee twice",
      "renamed float double_it(global const float *p) { return p[0] * 2; }",
      "done",
    ]);
    expect(status).toBe(0);
  });
});

describe.skipIf(!has("emacs", "--batch", "--eval", "(progn (package-initialize) (require 'eglot))"))(
  `Emacs with eglot${unless(has("emacs", "--batch", "--eval", "(progn (package-initialize) (require 'eglot))"), "Emacs with eglot is not installed")}`,
  () => {
    it("shows a diagnostic and removes it when the code is correct", () => {
      const path = join(folder, "kernel.cl");
      writeFileSync(
        path,
        "int twice(global int *p) { return p[0]; }\nkernel void k(global int *g) { local int *l = (local int *)g; g[get_global_id(0)] = twice(g); }\n" +
          "typedef struct { int id; } Body;\nconstant int gain = 2;\nkernel void l(global Body *b) { b->id = gain; }\n" +
          "int m(global int *out) { return max(out[0], 1); }\n",
      );
      const { status, lines, errors } = start("emacs", ["--batch", "-l", join(import.meta.dirname, "emacs.el"), path]);
      expect(lines, errors).toEqual([
        expect.stringMatching(/^diagnostic .*casting '__global int \*' to '__local int \*'/),
        "fix Cast to global instead",
        "definition 1",
        "builtin opencl-builtins.clh",
        "hover __global int *p",
        "signature int max(int, int)",
        "outline Struct Body Field Body id Constant gain Function twice k l m",
        expect.stringMatching(/^completion .*\bget_global_id\b/),
        "references 2",
        "highlights 2",
        "symbols int twice(global int *p) { return p[0]; }",
        "refused 'int' is a keyword and cannot be renamed.",
        "type 3",
        "action Pass 'gain' as argument 1 of 'l', with values of the host",
        "memory k",
        "formatted t",
        "renamed int double_it(global int *p) { return p[0]; }",
        "launch 64 threads",
        "done",
      ]);
      expect(status).toBe(0);
    });
  },
);
