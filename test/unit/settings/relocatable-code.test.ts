/** Build scripts that enable relocatable device code: which words count, and for which files. */
import { describe, expect, it } from "vitest";
import { openProject } from "../../../server/src/project/project.ts";
import { createRelocatableInference } from "../../../server/src/settings/relocatable-code.ts";
import { memoryFiles, testParser } from "../../service.ts";

function isRelocatable(files: Readonly<Record<string, string>>, name: string): boolean {
  const texts = new Map(Object.entries(files).map(([path, text]) => [`file:///w/${path}`, text]));
  return createRelocatableInference("file:///w", memoryFiles(texts)).of(`file:///w/${name}`);
}

describe("a build script", () => {
  it.each([
    ["Makefile", "NVCCFLAGS = -arch=sm_80 -rdc=true\n"],
    ["Makefile", "%.o: %.cu\n\tnvcc -dc $< -o $@\n"],
    ["Makefile", "\tnvcc --relocatable-device-code true -c $<\n"],
    ["CMakeLists.txt", "set_target_properties(app PROPERTIES CUDA_SEPARABLE_COMPILATION ON)\n"],
    ["cmake/cuda.cmake", 'set(CMAKE_CUDA_SEPARABLE_COMPILATION "ON")\n'],
    ["meson.build", "cuda_args = ['-rdc=true']\n"],
  ])("%s: %s", (script, text) => expect(isRelocatable({ [script]: text }, "src/a.cu")).toBe(true));

  it.each([
    ["Makefile", "# nvcc -rdc=true\n"],
    ["Makefile", "\tnvcc -rdc=false -c $<\n"],
    ["Makefile", "\techo 1 2 + p | dc -dc-like\n"],
    ["CMakeLists.txt", "set(CMAKE_CUDA_SEPARABLE_COMPILATION OFF)\n"],
    ["other/CMakeLists.txt", "set(CMAKE_CUDA_SEPARABLE_COMPILATION ON)\n"],
    ["notes.txt", "nvcc -rdc=true\n"],
  ])("%s does not enable it: %s", (script, text) => expect(isRelocatable({ [script]: text }, "src/a.cu")).toBe(false));
});

describe("a project", () => {
  const source = "extern __constant__ float weights[16];\n__global__ void apply(float *out) { *out = weights[0]; }\n";
  it("is not treated as if each file had its own copy of an extern variable", async () => {
    const texts = new Map([
      ["file:///w/a.cu", source],
      ["file:///w/Makefile", "all:\n\tnvcc a.cu\n"],
    ]);
    const project = openProject({ root: "file:///w", files: memoryFiles(texts), parser: await testParser() });
    const rules = () =>
      project
        .service()
        .check("file:///w/a.cu")
        .diagnostics.map(({ rule }) => rule);
    expect(rules()).toContain("whole-program-extern");
    texts.set("file:///w/Makefile", "all:\n\tnvcc -rdc=true a.cu\n");
    project.changed(["file:///w/Makefile"]);
    expect(rules()).not.toContain("whole-program-extern");
    project.dispose();
  });
});
