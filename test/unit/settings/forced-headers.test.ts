/** Headers that build scripts put in front of device code: which options count, for which files, and what follows from them. */
import { describe, expect, it } from "vitest";
import { openProject } from "../../../server/src/project/project.ts";
import { memoryFiles, testParser } from "../../service.ts";

const parser = await testParser();
/** A reference to a variable of a script. */
const variable = (name: string) => `$\{${name}}`;
const config = { "src/config.h": "#define SPACE __constant__\n", "src/a.cu": "SPACE int limit;\n", "src/a.cl": "kernel void f() {}\n" };

function project(files: Readonly<Record<string, string>>) {
  const texts = new Map(Object.entries(files).map(([path, text]) => [`file:///w/${path}`, text]));
  return { texts, opened: openProject({ root: "file:///w", files: memoryFiles(texts), parser }) };
}

function forced(files: Readonly<Record<string, string>>, name: string): readonly string[] {
  const { opened } = project({ ...config, ...files });
  const found = opened.settings.of(`file:///w/${name}`).forcedIncludes.map(({ uri }) => uri.replace("file:///w/", ""));
  opened.dispose();
  return found;
}

describe("a build script puts a header in front", () => {
  it.each([
    ["Makefile", "%.o: %.cu\n\tnvcc -include src/config.h -c $< -o $@\n"],
    ["Makefile", "NVCCFLAGS += -O3 \\\n  -include config.h\n"],
    ["src/Makefile", "\thipcc -include config.h -c a.cu\n"],
    ["CMakeLists.txt", `set(CMAKE_CUDA_FLAGS "${variable("CMAKE_CUDA_FLAGS")} -include ${variable("PROJECT_SOURCE_DIR")}/src/config.h")\n`],
    ["cmake/cuda.cmake", 'list(APPEND CUDA_NVCC_FLAGS "--pre-include" src/config.h)\nadd(--pre-include=config.h nvcc)\n'],
  ])("of CUDA: %s: %s", (script, text) => {
    expect(forced({ [script]: text }, "src/a.cu")).toContain("src/config.h");
    expect(forced({ [script]: text }, "src/a.cl")).toEqual([]);
  });

  it("of OpenCL", () => {
    const files = { Makefile: "\tclang -cl-std=CL1.2 -include src/config.h -c src/a.cl\n" };
    expect([forced(files, "src/a.cl"), forced(files, "src/a.cu")]).toEqual([["src/config.h"], []]);
  });

  it.each([
    ["the host's compiler", "Makefile", "CFLAGS += -include src/config.h\n"],
    ["a comment", "Makefile", "# nvcc -include src/config.h\n"],
    ["another folder", "other/Makefile", "\tnvcc -include config.h -c a.cu\n"],
    ["a header that is not there", "Makefile", "\tnvcc -include missing.h -c a.cu\n"],
  ])("but not for %s", (_, script, text) => expect(forced({ [script]: text }, "src/a.cu")).toEqual([]));

  it("unless its name means several", () => {
    const files = { Makefile: "\tnvcc -include config.h -c a.cu\n", "lib/config.h": "" };
    expect(forced(files, "src/a.cu")).toEqual([]);
  });
});

it("its macros count, and edits of the script, too", () => {
  const files = { "src/config.h": "#define PUT(p) (*(p) = 1)\n", "src/a.cu": "__global__ void run(const int *in) { PUT(in); }\n" };
  const { texts, opened } = project({ ...files, Makefile: "\tnvcc -c a.cu\n" });
  const found = () =>
    opened
      .service()
      .check("file:///w/src/a.cu")
      .diagnostics.map(({ rule }) => rule);
  expect(found()).not.toContain("const-write");
  texts.set("file:///w/Makefile", "\tnvcc -include src/config.h -c a.cu\n");
  expect(opened.changed(["file:///w/Makefile"])).toBe("everything");
  expect(found()).toContain("const-write");
  expect(opened.settings.of("file:///w/src/a.cu").origin).toBe("-include config.h (in the build) in Makefile:1");
  opened.dispose();
});
