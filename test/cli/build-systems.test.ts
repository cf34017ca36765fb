/** The integrations with build systems, tested with the real build systems where they are installed. */
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { unless } from "../skips.ts";
import { runHere } from "./in-process.ts";
import { clean, folderWith, run } from "./run.ts";

const root = join(import.meta.dirname, "../..");
const cache = mkdtempSync(join(tmpdir(), "gpu-qualifiers-cache-"));
afterAll(() => rmSync(cache, { recursive: true, force: true }));

function has(program: string): boolean {
  return spawnSync(program, ["--version"]).status === 0;
}

function start(command: string, args: readonly string[], folder: string) {
  const env = { ...process.env, GPU_QUALIFIERS_CACHE: cache };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, env, encoding: "utf8" });
  return { code: status, out: stdout, error: stderr };
}

/** Has a finding under all flags. */
const wrong = "kernel void w(global int *g) { local int *l = (local int *)g; }\n";
/** Has a finding only under the flags of its build. */
const built = "kernel void k(global T *g) { local int *l = (local int *)g; }\n";
const database = (file: string) => JSON.stringify([{ directory: "/", arguments: ["clang", "-DT=int", "-c", file], file }]);

describe("--build", () => {
  it("prefers the database of the named build to all others", async () => {
    const folder = folderWith({ "src/a.cl": built, "src/compile_commands.json": "[]", "src/gpu-qualifiers.json": "{}" });
    writeFileSync(join(folder, "compile_commands.json"), database(join(folder, "src/a.cl")));
    expect((await runHere(["check", "--build", "..", "."], join(folder, "src"))).out).toContain("a.cl:1:45: error");
    expect(await runHere(["check", "--build", "nope", "."], folder)).toMatchObject({
      code: 2,
      error: expect.stringContaining("the compilation database 'nope/compile_commands.json' does not exist"),
    });
  });
});

describe.skipIf(!has("cmake") || !has("ninja"))(`CMake${unless(has("cmake") && has("ninja"), "CMake or ninja is not installed")}`, () => {
  const lists = (options: string) => `cmake_minimum_required(VERSION 3.16)
project(sample LANGUAGES NONE)
include(${root}/integrations/cmake/GpuQualifiers.cmake)
gpu_qualifiers_add_target(qualifiers PATHS "my kernels" ${options})
`;
  const made = (files: Readonly<Record<string, string>>) => {
    const folder = folderWith({ ...files, "bin/.keep": "", "out/.keep": "" });
    symlinkSync(join(root, "dist/cli.js"), join(folder, "bin/gpu-qualifiers"));
    const configured = start("cmake", ["-G", "Ninja", "-S", "source", "-B", "out", `-DCMAKE_PROGRAM_PATH=${join(folder, "bin")}`], folder);
    expect(configured).toMatchObject({ code: 0 });
    return folder;
  };

  it("has targets for checks and for fixes, which use the database of the build", () => {
    const folder = made({
      "source/CMakeLists.txt": lists("FIX OPTIONS --rule=const-write=off"),
      "source/gpu-qualifiers.json": "{}",
      "source/my kernels/a.cl": built,
    });
    writeFileSync(join(folder, "out/compile_commands.json"), database(join(folder, "source/my kernels/a.cl")));
    const failing = start("ninja", ["-C", "out", "qualifiers"], folder);
    expect([failing.code, failing.out]).toEqual([1, expect.stringContaining("my kernels/a.cl:1:45: error")]);
    const fixed = start("cmake", ["--build", "out", "--target", "qualifiers-fix"], folder);
    expect([fixed.code, fixed.out + fixed.error]).toEqual([0, expect.stringContaining("fixed 1 finding in 1 file")]);
    expect(start("ninja", ["-C", "out", "qualifiers"], folder).code).toBe(0);
  });

  it("checks without a database, which some generators do not write", () => {
    const folder = made({
      "source/CMakeLists.txt": lists("FLAGS -DT=int"),
      "source/gpu-qualifiers.json": "{}",
      "source/my kernels/a;b.cl": built,
    });
    const { code, out, error } = start("ninja", ["-C", "out", "qualifiers"], folder);
    expect([code, out + error]).toEqual([1, expect.stringContaining("my kernels/a;b.cl:1:45: error")]);
    expect(out + error).not.toContain("does not exist");
  });

  it.skipIf(!has("clang-22"))(
    `knows the flags of targets before and behind the module, in every folder${unless(has("clang-22"), "clang or its linker is not installed")}`,
    () => {
      const folder = folderWith({
        "source/CMakeLists.txt": `cmake_minimum_required(VERSION 3.20)
project(sample LANGUAGES C)
add_library(before OBJECT before.c)
add_subdirectory(sub)
include(${root}/integrations/cmake/GpuQualifiers.cmake)
gpu_qualifiers_add_target(qualifiers)
add_library(behind OBJECT behind.c)
`,
        "source/sub/CMakeLists.txt": "add_library(sub OBJECT sub.c)\n",
        ...Object.fromEntries(["before", "behind", "sub/sub"].map((name) => [`source/${name}.c`, "int i;\n"])),
        "source/node_modules/.bin/.keep": "",
      });
      symlinkSync(join(root, "dist/cli.js"), join(folder, "source/node_modules/.bin/gpu-qualifiers"));
      const configured = start("cmake", ["-G", "Ninja", "-S", "source", "-B", "out", "-DCMAKE_C_COMPILER=clang-22"], folder);
      expect(configured).toMatchObject({ code: 0 });
      const entries = JSON.parse(readFileSync(join(folder, "out/compile_commands.json"), "utf8")) as readonly { readonly file: string }[];
      expect(entries.map(({ file }) => basename(file)).sort()).toEqual(["before.c", "behind.c", "sub.c"]);
    },
  );

  it("passes flags on, and uses the program that npm has installed", () => {
    const folder = folderWith({
      "source/CMakeLists.txt": lists("FLAGS -DT=int ALL"),
      "source/gpu-qualifiers.json": "{}",
      "source/my kernels/a.cl": built,
      "source/node_modules/.bin/.keep": "",
    });
    symlinkSync(join(root, "dist/cli.js"), join(folder, "source/node_modules/.bin/gpu-qualifiers"));
    expect(start("cmake", ["-G", "Ninja", "-S", "source", "-B", "out"], folder).code).toBe(0);
    writeFileSync(join(folder, "out/compile_commands.json"), "[]");
    expect(start("ninja", ["-C", "out"], folder)).toMatchObject({ code: 1, out: expect.stringContaining("a.cl:1:45: error") });
  });
});

describe("an action of Bazel", () => {
  it("sees its inputs without a copy of them, and nothing else", () => {
    const folder = folderWith({
      "outside/a.cl": "kernel void k() {}\n",
      "sandbox/other.cl": "",
      "sandbox/in/.keep": "",
      "sandbox/inputs": "in/a.cl\n",
      "sandbox/entries": "entry.json\n",
      "sandbox/entry.json": '{"file":"in/a.cl"}',
      "sandbox/program.mjs": `import { readFileSync, readdirSync, statSync } from "node:fs";
console.log(JSON.stringify([statSync("in/a.cl").ino, readdirSync(".").sort(), readFileSync("compile_commands.json", "utf8"), process.argv[2]]));
process.exit(Number(process.argv[3]));
`,
    });
    const sandbox = join(folder, "sandbox");
    symlinkSync(join(folder, "outside/a.cl"), join(sandbox, "in/a.cl"));
    const act = (code: string) => {
      const args = ["program.mjs", "inputs", "entries", "out", "code", "@HERE@/x", code];
      return start(process.execPath, [join(root, "integrations/bazel/in_world.mjs"), ...args], sandbox);
    };
    expect(act("1")).toEqual({ code: 0, out: "", error: "" });
    expect(JSON.parse(readFileSync(join(sandbox, "out"), "utf8"))).toEqual([
      statSync(join(folder, "outside/a.cl")).ino,
      ["compile_commands.json", "gpu-qualifiers.json", "in"],
      '[{"file":"in/a.cl"}]',
      join(sandbox, "x"),
    ]);
    expect(readFileSync(join(sandbox, "code"), "utf8")).toBe("1\n");
    // What could not be checked fails the action.
    expect(act("2").code).toBe(2);
    expect(readdirSync(sandbox).filter((name) => name.startsWith("gpu-qualifiers-"))).toEqual([]);
  });
});

describe.skipIf(!has("bazel"))(`Bazel${unless(has("bazel"), "Bazel is not installed")}`, () => {
  const headers = "struct S { int a[4]; };\n__global__ void k(const S s);\n";
  const files = {
    WORKSPACE: `workspace(name = "sample")
local_repository(name = "gpu_qualifiers", path = "package")
local_repository(name = "elsewhere", path = "elsewhere")
local_repository(name = "remote_coverage_tools", path = "coverage")
`,
    "package/WORKSPACE": "",
    // Otherwise Bazel would download it for every test.
    "coverage/WORKSPACE": "",
    "coverage/BUILD": 'filegroup(name = "coverage_report_generator", visibility = ["//visibility:public"])\n',
    BUILD: `load("@gpu_qualifiers//integrations/bazel:defs.bzl", "gpu_qualifiers_test")
load(":compiled.bzl", "compiled")
filegroup(name = "kernels", srcs = glob(["*.cu", "*.cuh", "*.cl", "*.opencl", "*.ocl"]))
compiled(name = "vendored", srcs = ["vendored/v.cl"], deps = ["//third_party/lib", "@elsewhere//:lib"])
gpu_qualifiers_test(name = "vendored_qualifiers", targets = [":vendored"])
gpu_qualifiers_test(name = "qualifiers", targets = [":kernels"])
gpu_qualifiers_test(name = "json", targets = [":kernels"], options = ["--format=json", "--level=hint"])
`,
    "k.cuh": `#pragma once\n${headers}`,
    "k.cu": '#include "k.cuh"\n__global__ void k(const __grid_constant__ S s) {}\n',
    "a.cl": clean,
    "b.opencl": wrong,
    "c.ocl": wrong,
    // What rules of compilers say of sources and of libraries. Those of Bazel's own would be downloaded.
    "compiled.bzl": `def _compiled(ctx):
    return [DefaultInfo(files = depset(ctx.files.srcs)), cc_common.merge_cc_infos(cc_infos = [dep[CcInfo] for dep in ctx.attr.deps])]
def _library(ctx):
    folder = "/".join([part for part in [ctx.label.workspace_root, ctx.label.package, ctx.attr.folder] if part])
    headers = depset(ctx.files.hdrs)
    return [CcInfo(compilation_context = cc_common.create_compilation_context(headers = headers, system_includes = depset([folder])))]
compiled = rule(implementation = _compiled, attrs = {"srcs": attr.label_list(allow_files = True), "deps": attr.label_list()})
library = rule(implementation = _library, attrs = {"hdrs": attr.label_list(allow_files = True), "folder": attr.string()})
`,
    "vendored/v.cl": '#include "space.h"\n#include "far.h"\nkernel void v(global FAR *g) { SPACE int *l = (SPACE int *)g; }\n',
    "third_party/lib/BUILD": `load("//:compiled.bzl", "library")
library(name = "lib", hdrs = ["include/space.h"], folder = "include", visibility = ["//visibility:public"])
`,
    "third_party/lib/include/space.h": "#define SPACE local\n",
    "elsewhere/WORKSPACE": "",
    "elsewhere/BUILD": `load("@sample//:compiled.bzl", "library")
library(name = "lib", hdrs = ["far/far.h"], folder = "far", visibility = ["//visibility:public"])
`,
    "elsewhere/far/far.h": "#define FAR int\n",
    "tools/.keep": "",
    "own/BUILD": 'exports_files(["node"])\n',
  };
  /** The folder after the change of a source that the test makes. */
  const withBlankLine = (world: string) => {
    writeFileSync(join(world, "a.cl"), `${clean}\n`);
    return world;
  };
  // One server runs all commands. Its Java compiler does not optimize code that runs only once.
  const bazel = (folder: string, ...args: string[]) =>
    start(
      "bazel",
      [`--output_user_root=${folder}.bazel`, "--max_idle_secs=60", "--host_jvm_args=-XX:TieredStopAtLevel=1", ...args],
      folder,
    );

  it("has an action for each source and one for the link, whose report equals that of one check", async () => {
    const folder = folderWith(files);
    const other = `${folder}.other`;
    const cached = ["--color=no", "--curses=no", `--disk_cache=${folder}.cache`];
    for (const name of ["dist", "integrations", "BUILD.bazel"]) symlinkSync(join(root, name), join(folder, "package", name));
    try {
      const { error, code } = bazel(folder, "build", ...cached, "//:qualifiers", "//:json", "//:vendored_qualifiers");
      expect([code, error]).toEqual([0, expect.stringContaining("Build completed successfully")]);
      const checked = ["a.cl", "b.opencl", "c.ocl", "k.cu", "k.cuh"] as const;
      const world = folderWith({ "gpu-qualifiers.json": "{}", ...Object.fromEntries(checked.map((name) => [name, files[name]])) });
      const entries = checked.map((file) => ({ directory: ".", file, arguments: ["compiler", "-I.", file] }));
      writeFileSync(join(world, "compile_commands.json"), JSON.stringify(entries));
      const whole = run(["check", "."], world);
      expect(whole.out).toContain("grid-constant-mismatch");
      expect(whole.out).toContain("b.opencl:1:");
      expect(whole.out).toContain("c.ocl:1:");
      expect(readFileSync(join(folder, "bazel-bin/qualifiers.gpu-qualifiers/report.txt"), "utf8")).toBe(whole.out);
      expect(readFileSync(join(folder, "bazel-bin/json.gpu-qualifiers/report.txt"), "utf8")).toBe(
        run(["check", "--format=json", "--level=hint", "."], world).out,
      );
      // Headers of other folders and repositories are read where the build has them.
      expect(readFileSync(join(folder, "bazel-bin/vendored_qualifiers.gpu-qualifiers/report.txt"), "utf8")).toContain(
        "vendored/v.cl:3:47: error",
      );
      // What another folder has made is fetched: no action runs.
      cpSync(folder, other, { recursive: true, verbatimSymlinks: true, filter: (path) => !basename(path).startsWith("bazel-") });
      const fetched = bazel(other, "build", ...cached, "//:qualifiers");
      expect([fetched.code, fetched.error]).toEqual([
        0,
        expect.stringMatching(/processes: \d+ (?:remote|disk) cache hit, \d+ internal\.?$/m),
      ]);
      expect(readFileSync(join(other, "bazel-bin/qualifiers.gpu-qualifiers/report.txt"), "utf8")).toBe(whole.out);
      const tested = bazel(folder, "test", "--color=no", "--test_output=errors", "//:qualifiers");
      expect([tested.code, tested.out]).toEqual([3, expect.stringContaining("[grid-constant-mismatch]")]);
      // One source changes: its action runs again, and the link.
      writeFileSync(join(folder, "a.cl"), `${clean}\n`);
      const again = bazel(folder, "build", "--color=no", "--curses=no", "--subcommands", "//:qualifiers");
      expect(again.code).toBe(0);
      // Node can be an input of the actions, so that the machine which runs them needs none.
      copyFileSync(process.execPath, join(folder, "own/node"));
      for (const name of ["bash", "sh", "env", "cat"])
        symlinkSync(spawnSync("which", [name], { encoding: "utf8" }).stdout.trim(), join(folder, "tools", name));
      const bare = [`--action_env=PATH=${join(folder, "tools")}`, "--color=no", "--curses=no", "//:qualifiers"];
      expect(bazel(folder, "build", ...bare)).toMatchObject({ code: 1, error: expect.stringContaining("node: not found") });
      const { code: failed, error: said } = bazel(folder, "build", "--@gpu_qualifiers//:node=//own:node", ...bare);
      expect([failed, said]).toEqual([0, expect.stringContaining("Build completed successfully")]);
      expect(readFileSync(join(folder, "bazel-bin/qualifiers.gpu-qualifiers/report.txt"), "utf8")).toBe(
        run(["check", "."], withBlankLine(world)).out,
      );
    } finally {
      for (const each of [folder, other].filter(existsSync)) bazel(each, "shutdown");
      for (const each of [`${folder}.bazel`, `${other}.bazel`, `${folder}.cache`, other]) {
        spawnSync("chmod", ["-R", "u+w", each]);
        rmSync(each, { recursive: true, force: true });
      }
    }
  }, 480_000);
});
