/** The integrations with build systems, tested with the real build systems where they are installed. */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
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

describe.skipIf(!has("bazel"))(`Bazel${unless(has("bazel"), "Bazel is not installed")}`, () => {
  const headers = "struct S { int a[4]; };\n__global__ void k(const S s);\n";
  const files = {
    WORKSPACE: `workspace(name = "sample")
local_repository(name = "gpu_qualifiers", path = "package")
local_repository(name = "remote_coverage_tools", path = "coverage")
`,
    "package/WORKSPACE": "",
    // Otherwise Bazel would download it for every test.
    "coverage/WORKSPACE": "",
    "coverage/BUILD": 'filegroup(name = "coverage_report_generator", visibility = ["//visibility:public"])\n',
    BUILD: `exports_files(["own_node"])
load("@gpu_qualifiers//integrations/bazel:defs.bzl", "gpu_qualifiers_test")
filegroup(name = "kernels", srcs = glob(["*.cu", "*.cuh", "*.cl"]))
cc_library(name = "headers", hdrs = ["inc/outer.h"], includes = ["inc"], defines = ["SPACE=local"])
gpu_qualifiers_test(name = "qualifiers", targets = [":kernels"])
gpu_qualifiers_test(name = "json", targets = [":kernels"], options = ["--format=json", "--level=hint"])
`,
    "k.cuh": `#pragma once\n${headers}`,
    "k.cu": '#include "k.cuh"\n__global__ void k(const __grid_constant__ S s) {}\n',
    "a.cl": clean,
    "inc/outer.h": "",
    "tools/.keep": "",
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
    for (const name of ["dist", "integrations", "BUILD.bazel"]) symlinkSync(join(root, name), join(folder, "package", name));
    try {
      const { error, code } = bazel(folder, "build", "--color=no", "--curses=no", "//:qualifiers", "//:json");
      expect([code, error]).toEqual([0, expect.stringContaining("Build completed successfully")]);
      const world = folderWith({ "gpu-qualifiers.json": "{}", "k.cuh": files["k.cuh"], "k.cu": files["k.cu"], "a.cl": files["a.cl"] });
      const entries = ["a.cl", "k.cu", "k.cuh"].map((file) => ({ directory: ".", file, arguments: ["compiler", "-I.", file] }));
      writeFileSync(join(world, "compile_commands.json"), JSON.stringify(entries));
      const whole = run(["check", "."], world);
      expect(whole.out).toContain("grid-constant-mismatch");
      expect(readFileSync(join(folder, "bazel-bin/qualifiers.gpu-qualifiers/report.txt"), "utf8")).toBe(whole.out);
      expect(readFileSync(join(folder, "bazel-bin/json.gpu-qualifiers/report.txt"), "utf8")).toBe(
        run(["check", "--format=json", "--level=hint", "."], world).out,
      );
      const tested = bazel(folder, "test", "--color=no", "--test_output=errors", "//:qualifiers");
      expect([tested.code, tested.out]).toEqual([3, expect.stringContaining("[grid-constant-mismatch]")]);
      // One source changes: its action runs again, and the link.
      writeFileSync(join(folder, "a.cl"), `${clean}\n`);
      const again = bazel(folder, "build", "--color=no", "--curses=no", "--subcommands", "//:qualifiers");
      expect(again.code).toBe(0);
      // Node can be an input of the actions, so that the machine which runs them needs none.
      copyFileSync(process.execPath, join(folder, "own_node"));
      for (const name of ["bash", "sh", "env", "mktemp", "mkdir", "dirname", "cp", "cat", "rm"])
        symlinkSync(spawnSync("which", [name], { encoding: "utf8" }).stdout.trim(), join(folder, "tools", name));
      const bare = [`--action_env=PATH=${join(folder, "tools")}`, "--color=no", "--curses=no", "//:qualifiers"];
      expect(bazel(folder, "build", ...bare)).toMatchObject({ code: 1, error: expect.stringContaining("node: not found") });
      expect(bazel(folder, "build", "--@gpu_qualifiers//:node=//:own_node", ...bare).code).toBe(0);
      expect(readFileSync(join(folder, "bazel-bin/qualifiers.gpu-qualifiers/report.txt"), "utf8")).toBe(
        run(["check", "."], withBlankLine(world)).out,
      );
    } finally {
      bazel(folder, "shutdown");
      spawnSync("chmod", ["-R", "u+w", `${folder}.bazel`]);
      rmSync(`${folder}.bazel`, { recursive: true, force: true });
    }
  }, 480_000);
});
