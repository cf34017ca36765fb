/** The macro that CMake's module FindCUDA defines for CUDA sources. */
import { expect, it } from "vitest";
import { openProject } from "../../../server/src/project/project.ts";
import { memoryFiles, testParser } from "../../service.ts";

const parser = await testParser();
const header =
  "#ifdef NVCC\n#define DEVICE __device__\n#else\n#define DEVICE\n#endif\nint onHost(int i);\nDEVICE int twice(int i) { return onHost(i); }\n";
const found = "'onHost' is a host function: device code cannot call it";

function messages(scripts: Readonly<Record<string, string>>, name = "src/a.cu"): readonly string[] {
  const texts = new Map(Object.entries({ [name]: header, ...scripts }).map(([path, text]) => [`file:///w/${path}`, text]));
  const project = openProject({ root: "file:///w", files: memoryFiles(texts), parser });
  const { diagnostics } = project.service().check(`file:///w/${name}`);
  project.dispose();
  return diagnostics.map(({ message }) => message);
}

it.each([
  ["CMakeLists.txt", "find_package(CUDA)\ncuda_add_library(app src/a.cu)\n"],
  ["src/CMakeLists.txt", `CUDA_COMPILE(OBJECTS \${SOURCES})\n`],
  ["cmake/gpu.cmake", `cuda_wrap_srcs(app OBJ objects \${SOURCES})\n`],
])("NVCC is defined if %s says %j", (script, text) => expect(messages({ [script]: text })).toEqual([found]));

it.each([
  ["nothing", { "CMakeLists.txt": "add_library(app src/a.cu)\n" }],
  ["it in a remark", { "CMakeLists.txt": "# cuda_add_library(app src/a.cu)\n" }],
  ["it of another folder", { "other/CMakeLists.txt": "cuda_add_library(app b.cu)\n" }],
  ["how it is done", { "cmake/FindCUDA.cmake": "macro(CUDA_COMPILE generated)\n  cuda_wrap_srcs(cuda_compile OBJ files)\nendmacro()\n" }],
  ["both ways", { "CMakeLists.txt": "if(OLD)\ncuda_add_library(app src/a.cu)\nelse()\nenable_language(CUDA)\nendif()\n" }],
  ["that CUDA is a language of the project", { "CMakeLists.txt": "project(app LANGUAGES CXX CUDA)\ncuda_add_library(app src/a.cu)\n" }],
])("NVCC is not defined if scripts say %s", (_, scripts) => expect(messages(scripts)).toEqual([]));

it("notices that a script changes", () => {
  const texts = new Map([
    ["file:///w/a.cu", header],
    ["file:///w/CMakeLists.txt", "add_library(app a.cu)\n"],
  ]);
  const project = openProject({ root: "file:///w", files: memoryFiles(texts), parser });
  const check = () =>
    project
      .service()
      .check("file:///w/a.cu")
      .diagnostics.map(({ message }) => message);
  expect(check()).toEqual([]);
  texts.set("file:///w/CMakeLists.txt", "cuda_add_library(app a.cu)\n");
  project.changed(["file:///w/CMakeLists.txt"]);
  expect(check()).toEqual([found]);
  project.dispose();
});
