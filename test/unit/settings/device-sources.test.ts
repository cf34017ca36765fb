/** C++ sources that a build script compiles as CUDA or HIP. */
import { expect, it } from "vitest";
import { openProject } from "../../../server/src/project/project.ts";
import { memoryFiles, testParser } from "../../service.ts";

const parser = await testParser();
const headers = {
  "gpu.h": "#if defined(__CUDACC__) || defined(__HIPCC__)\n#define DEVICE_CODE __device__\n#else\n#define DEVICE_CODE\n#endif\n",
  "config.h":
    "#if (defined(APP_USE_HIP) && defined(__HIP__)) || (defined(APP_USE_CUDA) && defined(__CUDACC__))\n#define APP_DEVICE __device__\n#else\n#define APP_DEVICE\n#endif\n",
  "general.h": "#ifdef APP_USE_GPU\n#define GENERAL_DEVICE __device__\n#else\n#define GENERAL_DEVICE\n#endif\n",
};
const source = (header: string, specifier: string) =>
  `#include "${header}"\nint onHost(int i);\n${specifier} int twice(int i) { return onHost(i); }\n`;
const cuda = source("gpu.h", "DEVICE_CODE");
const found = "'onHost' is a host function: device code cannot call it";

function messages(files: Readonly<Record<string, string>>, name = "src/a.cpp"): readonly string[] {
  const texts = new Map(Object.entries({ ...headers, ...files }).map(([path, text]) => [`file:///w/${path}`, text]));
  const project = openProject({ root: "file:///w", files: memoryFiles(texts), parser });
  const { diagnostics } = project.service().check(`file:///w/${name}`);
  project.dispose();
  return diagnostics.map(({ message }) => message);
}

it.each([
  ["CMakeLists.txt", "set_source_files_properties(src/a.cpp src/b.cpp PROPERTIES LANGUAGE CUDA)\n"],
  ["CMakeLists.txt", 'set_property(SOURCE "src/a.cpp" PROPERTY LANGUAGE CUDA)\n'],
  [
    "CMakeLists.txt",
    `set(SOURCES src/b.cpp)\nlist(APPEND SOURCES src/a.cpp)\nset_source_files_properties(\${SOURCES} PROPERTIES LANGUAGE CUDA)\n`,
  ],
  ["CMakeLists.txt", `file(GLOB SOURCES src/*.cpp)\nset_source_files_properties(\${SOURCES} PROPERTIES LANGUAGE CUDA)\n`],
  ["cmake/gpu.cmake", `set_source_files_properties(\${CMAKE_SOURCE_DIR}/src/a.cpp PROPERTIES LANGUAGE CUDA)\n`],
  ["Makefile", "%.o: %.cpp\n\tnvcc -x cu -c $< -o $@\n"],
  ["src/gpu.mk", "NVCC_FLAGS = -O2 \\\n  -x=cu\n"],
  ["Makefile", "src/a.o: src/a.cpp gpu.h\n\tnvcc --x cu -c $< -o $@\n"],
])("a C++ source is CUDA if %s says %j", (script, text) => expect(messages({ [script]: text, "src/a.cpp": cuda })).toEqual([found]));

it.each([
  ["nothing", "CMakeLists.txt", "add_library(app src/a.cpp)\n"],
  ["other sources", "CMakeLists.txt", "set_source_files_properties(src/b.cpp PROPERTIES LANGUAGE CUDA)\n"],
  ["a list of others", "CMakeLists.txt", `set(KERNELS src/b.cpp)\nset_source_files_properties(\${KERNELS} PROPERTIES LANGUAGE CUDA)\n`],
  ["it in a remark", "CMakeLists.txt", "# set_source_files_properties(src/a.cpp PROPERTIES LANGUAGE CUDA)\n"],
  ["it of another folder", "other/Makefile", "%.o: %.cpp\n\tnvcc -x cu -c $< -o $@\n"],
  ["it of another rule", "Makefile", "b.o: b.cpp\n\tnvcc -x cu -c $< -o $@\na.o: src/a.cpp\n\tg++ -c $< -o $@\n"],
  ["it for a link", "Makefile", "LINK_FLAGS = $(filter-out -x=cu,$(FLAGS))\n"],
])("a C++ source is left alone if the build says %s", (_, script, text) =>
  expect(messages({ [script]: text, "src/a.cpp": cuda })).toEqual([]),
);

const computed = { "CMakeLists.txt": `if(APP_USE_CUDA)\nset_source_files_properties(\${SOURCES} PROPERTIES LANGUAGE CUDA)\nendif()\n` };

it.each([
  ["computes the names", computed],
  ["names it", { "CMakeLists.txt": "set_source_files_properties(src/a.cpp PROPERTIES LANGUAGE CUDA)\n" }],
])("a source without device code is left alone if the script %s", (_, script) =>
  expect(messages({ ...script, "src/a.cpp": '#include "gpu.h"\nconst int count = 0;\nint *first = &count;\n' })).toEqual([]),
);

it("specifiers that need a macro of the script are judged with it", () => {
  expect(messages({ ...computed, "src/a.cpp": source("config.h", "APP_DEVICE") })).toEqual([found]);
  const forHosts = "\n#ifndef APP_USE_CUDA\nconst int count = 0;\nint *first = &count;\n#endif\n";
  expect(messages({ ...computed, "src/a.cpp": source("config.h", "APP_DEVICE") + forHosts })).toEqual([found]);
  const own = { ...computed, "gpu-qualifiers.json": '{ "flags": ["-DOTHER"] }' };
  expect(messages({ ...own, "src/a.cpp": source("config.h", "APP_DEVICE") })).toEqual([]);
});

it("a source of CUDA is judged with the macros that only its headers need", () => {
  const kernel = `#include "config.h"\n#include "shape.h"\n#ifdef APP_USE_CUDA\n__global__ void fill(int *out) { out[threadIdx.x] = area(2); }\n#endif\n`;
  const shape = (specifier: string) =>
    `inline int square(int n) { return n * n; }\n${specifier} inline int area(int n) { return square(n); }\n`;
  const of = (specifier: string) => messages({ ...computed, "src/a.cpp": kernel, "src/shape.h": shape(specifier) });
  expect(of("")).toEqual(["'area' is a host function: device code cannot call it"]);
  expect(of("APP_DEVICE")).toEqual([]);
});

it("specifiers that need a macro which the script does not name are left alone", () =>
  expect(messages({ ...computed, "src/a.cpp": source("general.h", "GENERAL_DEVICE") })).toEqual([]));

it("a source is HIP if the build says HIP alone", () => {
  const warp = '#include "gpu.h"\nDEVICE_CODE int lanes() { constexpr int n = warpSize; return n; }\n';
  const severity = (language: string) => {
    const texts = new Map(
      Object.entries({
        ...headers,
        "a.cpp": warp,
        "CMakeLists.txt": `set_source_files_properties(a.cpp PROPERTIES LANGUAGE ${language})\n`,
      }).map(([path, text]) => [`file:///w/${path}`, text]),
    );
    const project = openProject({ root: "file:///w", files: memoryFiles(texts), parser });
    const { diagnostics } = project.service().check("file:///w/a.cpp");
    project.dispose();
    return diagnostics.map((each) => each.severity);
  };
  expect(severity("HIP")).toEqual(["warning"]);
  expect(severity("CUDA")).toEqual(["error"]);
});
