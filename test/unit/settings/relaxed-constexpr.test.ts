/** Build scripts that let device code call constexpr functions of the host, for sources with names of any kind. */
import { describe, expect, it } from "vitest";
import { openProject } from "../../../server/src/project/project.ts";
import { memoryFiles, testParser } from "../../service.ts";

const parser = await testParser();
const source = "constexpr int twice(int n) { return 2 * n; }\n__global__ void apply(int *out) { out[0] = twice(out[1]); }\n";

function rulesIn(name: string, script: string, scriptName = "cuda/CMakeLists.txt"): readonly string[] {
  const texts = new Map([
    [`file:///w/${name}`, source],
    [`file:///w/${scriptName}`, script],
  ]);
  const project = openProject({ root: "file:///w", files: memoryFiles(texts), parser });
  const found = project
    .service()
    .check(`file:///w/${name}`)
    .diagnostics.map(({ rule }) => rule);
  project.dispose();
  return found;
}

describe.each(["a.cu", "common/a.cpp", "include/a.hpp"])("device code in %s", (name) => {
  it("may call constexpr functions where a script relaxes the rule", () => {
    const script = "target_compile_options(app PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr>)\n";
    expect(rulesIn(name, script)).toEqual([]);
  });
  it("may not without the option", () => {
    expect(rulesIn(name, "project(app LANGUAGES CUDA)\n")).toEqual(["host-function-in-device-code"]);
  });
});

describe("device code of an extension", () => {
  const setup = (module: string, flags = "") =>
    `from setuptools import setup\nfrom ${module} import CUDAExtension\nsetup(ext_modules=[CUDAExtension("a", ["a.cu"]${flags})])\n`;
  it.each<[string, string, string]>([
    ["PyTorch", "setup.py", setup("torch.utils.cpp_extension")],
    ["PyTorch, with flags of its own", "setup.py", setup("torch.utils.cpp_extension", ', extra_compile_args={"nvcc": ["-O3"]}')],
    ["Paddle", "ops/setup.py", setup("paddle.utils.cpp_extension")],
    ["PyTorch, at run time", "ops/load.py", "import torch.utils.cpp_extension as ext\next.load(name='a', sources=['a.cu'])\n"],
    ["PyTorch, by CMake", "CMakeLists.txt", "FIND_PACKAGE( Torch REQUIRED)\nadd_library(a SHARED a.cu)\n"],
  ])("may call constexpr functions, because its build relaxes the rule: %s", (_, name, script) => {
    expect(rulesIn("a.cu", script, name)).toEqual([]);
  });
  it.each<[string, string]>([
    ["setup.py", setup("builders")],
    ["CMakeLists.txt", "find_package(Torchlight)\n# cpp_extension\n"],
  ])("may not if another build makes it: %s", (name, script) => {
    expect(rulesIn("a.cu", script, name)).toEqual(["host-function-in-device-code"]);
  });
});
