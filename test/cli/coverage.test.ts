/** A run says what it has looked at, and what not: limits, inactive code, missing headers, folders without device code. */
import { describe, expect, it } from "vitest";
import { runHere } from "./in-process.ts";
import { folderWith } from "./run.ts";

const kernel = (name: string) => `__global__ void ${name}(int *p) { *p = 1; }\n`;
const guarded = `#ifdef USE_CUDA\n${kernel("a")}// __global__ void no();\n${kernel("b")}#endif\n`;

describe("the last line of a run", () => {
  it.each([
    ["checked kernels", { "a.cu": kernel("a") + kernel("b") }, "nothing found in 1 file: 2 kernels checked"],
    [
      "kernels that need a macro, as if it were defined",
      { "a.cu": guarded, "b.cu": kernel("c") },
      "nothing found in 2 files: 3 kernels checked",
    ],
    [
      "kernels that need a macro with which the file cannot be read",
      { "a.cu": guarded.replace("#ifdef USE_CUDA", "#ifdef USE_CUDA\nbut: not } yet"), "b.cu": kernel("c") },
      "nothing found in 2 files: 1 kernel checked; 2 in code that needs USE_CUDA (try -- -DUSE_CUDA)",
    ],
    [
      "a macro with a value",
      { "a.cu": `#if MODE == 3\n${kernel("a")}#elif MODE == 4\n${kernel("a")}#endif\n` },
      "nothing found in 1 file: 2 kernels checked",
    ],
    [
      "a macro that must not be defined by the file",
      { "a.cu": `#if FAST * 2 == 4\n${kernel("a")}#endif\n#ifdef __CUDACC_DEBUG__\n${kernel("b")}#endif\n` },
      "nothing found in 1 file: 0 kernels checked; 1 in code that needs FAST; 1 in code that needs __CUDACC_DEBUG__",
    ],
    [
      "a condition that needs several macros",
      { "a.cu": `#if defined(FAST) && (MODE == 3 || SLOW) && !WIDE\n${kernel("a")}#endif\n` },
      "nothing found in 1 file: 1 kernel checked",
    ],
    [
      "both branches of a macro, also inside of another one",
      {
        "a.cu": `#if FORWARD\n${kernel("a")}#else\n#if SCALED\n${kernel("b")}#endif\n${kernel("c")}#endif\n#ifdef REAL\n#if BITS > 3\n${kernel("d")}#endif\n#endif\n`,
      },
      "nothing found in 1 file: 4 kernels checked",
    ],
    [
      "the last branch of a chain that tests a negated macro",
      { "a.cu": `#if FILLED\n${kernel("a")}#elif !TURNED\n${kernel("b")}#else\n${kernel("c")}#endif\n` },
      "nothing found in 1 file: 3 kernels checked",
    ],
    [
      "the other branch of a macro",
      { "a.cl": "#ifndef HOST\n#define HOST\n#endif\n#ifndef HOST\nkernel void f(global int *p) { }\n#endif\nint x();\n" },
      "nothing found in 1 file: 0 kernels checked; 1 in code that needs HOST",
    ],
    [
      "a kernel whose words are in branches, once",
      {
        "a.cl":
          "#ifdef WIDE\n#if RELAXED\n  __kernel\n#else\n  __kernel __attribute__((reqd_work_group_size(8, 1, 1)))\n#endif\nvoid f(global int *p) { *p = 1; }\n#endif\n",
      },
      "nothing found in 1 file: 1 kernel checked",
    ],
    [
      "types from missing headers",
      { "a.cu": `#include <torch/extension.h>\n#include "glm/glm.hpp"\n#include <cstdio>\n__global__ void f(glm::vec3 *p) { }\n` },
      "nothing found in 1 file: 1 kernel checked; 1 with types from headers that are missing (torch/extension.h, glm/glm.hpp)",
    ],
    [
      "kernels behind a macro of a missing header, which are launched or named so",
      {
        "a.cu": `#include <mylib/words.h>\nMYLIB_KERNEL void a(int *p) { }\ntemplate <class T> MYLIB_ENTRY void b(T *p) { }\nvoid MYLIB_KERNEL c();\nMYLIB_API void f(int *p) { b<<<1, 1>>>(p); }\nKERNEL_API void g(int *p) { }\n`,
        "b.cu": `#include <mylib/words.h>\nvoid MYLIB_KERNEL a(int *p) { }\nMYLIB_KERNEL d(int *p) { }\n`,
      },
      "nothing found in 2 files: 0 kernels checked; 3 behind MYLIB_KERNEL, which no header defines; 1 behind MYLIB_ENTRY, which no header defines (try -- -DMYLIB_ENTRY=__global__)",
    ],
    [
      "a missing header that is included in both ways",
      { "a.cu": `#include "glm/glm.hpp"\n#include <glm/glm.hpp>\n__global__ void a(glm::vec3 v) {}\n` },
      "nothing found in 1 file: 1 kernel checked; 1 with types from headers that are missing (glm/glm.hpp)",
    ],
    [
      "a missing header that a macro names",
      { "a.cu": `#include M2S(INCLUDE_PATH/x.h)\n__global__ void f(glm::vec3 *p) { }\n` },
      "nothing found in 1 file: 1 kernel checked; 1 with types from headers that are missing (M2S(INCLUDE_PATH/x.h))",
    ],
    [
      "missing headers of headers",
      { "a.cu": `#include "b.h"\n__global__ void f(Other *p) { }\n`, "b.h": "#include <glm/glm.hpp>\n" },
      "nothing found in 2 files: 1 kernel checked; 1 with types from headers that are missing (glm/glm.hpp)",
    ],
    [
      "types that only some of the standards have",
      { "a.cl": `#include "x.h"\nkernel void f(global atomic_float *p) { }\n` },
      "nothing found in 1 file: 1 kernel checked",
    ],
    [
      "kernels in literals that do not parse",
      {
        "a.cpp": `const char *a = "kernel void f(global int *p) { *p = $VALUE ? ; }";\nconst char *b = "kernel void g(global int *p) { }";\n`,
      },
      "nothing found in 1 file, 1 source in string literals among them: 1 kernel checked; 1 in templates or string literals that do not parse",
    ],
    [
      "kernels in templates",
      {
        "a.cl": "{% if n is defined %}\n#define N {{ n }}\n{% endif %}\nkernel void f(global int *p) { *p = N; }\n",
        "b.cl": "kernel void g(global int *p) { }\n",
      },
      "nothing found in 1 file: 1 kernel checked; 1 in templates or string literals that do not parse",
    ],
    [
      "code for other architectures, and for headers that are missing",
      { "a.cu": `#if __CUDA_ARCH__ == 350\n${kernel("a")}#endif\n#if __has_include(<x.h>)\n${kernel("b")}#endif\n` },
      "nothing found in 1 file: 0 kernels checked; 1 in code for other architectures; 1 in code that needs other headers",
    ],
    [
      "types that a host program inserts apart from those of missing headers",
      {
        "a.cpp": `const char *a = "kernel void f(global %s2 *p) { }";\nconst char *b = "#include \\"x.h\\"\\nkernel void g(global T *p) { }";\n`,
      },
      "nothing found in 1 file, 2 sources in string literals among them: 2 kernels checked; 1 with types from headers that are missing (x.h)",
    ],
    [
      "parameters of templates as known types",
      {
        "a.cu": `#include "x.h"\ntemplate <class T, class... Ts> __global__ void f(T a, const T *b, typename T::type c, Ts... rest) { }\n__global__ void g(Other<int> p) { }\n`,
      },
      "nothing found in 1 file: 2 kernels checked; 1 with types from headers that are missing (x.h)",
    ],
    ["missing headers that nothing needs", { "a.cu": `#include "x.h"\n${kernel("a")}` }, "nothing found in 1 file: 1 kernel checked"],
    [
      "kernels in literals",
      { "a.py": 's = """\n#ifdef A\n__global__ void f(int *p) { *p = 1; }\n#endif\n__global__ void g(int *p) { *p = 1; }"""\n' },
      "nothing found in 1 file, 1 source in string literals among them: 2 kernels checked",
    ],
  ])("counts %s", async (_, files, expected) => {
    const run = await runHere(["check", "."], folderWith(files as unknown as Record<string, string>));
    expect(run).toEqual({ code: 0, out: "", error: `gpu-qualifiers: ${expected}\n` });
  });

  it("names few of many macros", async () => {
    const text = ["A", "B", "C", "D", "E"].map((name) => `#if ${name} * 2 == 4\n${kernel("k")}#endif\n`).join("");
    const { error } = await runHere(["check", "."], folderWith({ "a.cu": text }));
    expect(error).toContain("1 in code that needs C; 2 in code that needs 2 other macros\n");
  });

  it("is about what the flag makes active, then", async () => {
    const { error } = await runHere(["check", ".", "--", "-DUSE_CUDA"], folderWith({ "a.cu": guarded }));
    expect(error).toBe("gpu-qualifiers: nothing found in 1 file: 2 kernels checked\n");
  });

  it("is data in JSON and SARIF", async () => {
    const folder = folderWith({ "a.cu": guarded.replace("#ifdef USE_CUDA", "#ifdef USE_CUDA\nbut: not } yet") });
    const coverage = {
      kernels: 0,
      unclear: 0,
      inactive: [{ macro: "USE_CUDA", flag: "-DUSE_CUDA", kernels: 2 }],
      hidden: [],
      unparsed: 0,
      missingHeaders: [],
      limits: [],
    };
    const json = JSON.parse((await runHere(["check", "--format", "json", "."], folder)).out);
    expect([json.coverage, json.files[0].coverage]).toEqual([coverage, coverage]);
    const sarif = JSON.parse((await runHere(["check", "--format", "sarif", "."], folder)).out);
    expect(sarif.runs[0].properties.coverage).toEqual(coverage);
  });
});

describe("a limit makes the run incomplete, and is said", () => {
  it("for sources in literals", async () => {
    const sources = Array.from({ length: 1_003 }, (_, i) => `const char *s${i} = "kernel void k${i}(global int *p) {}";\n`);
    const { code, error } = await runHere(["check", "a.cpp"], folderWith({ "a.cpp": sources.join("") }));
    expect(code).toBe(2);
    expect(error).toContain("gpu-qualifiers: 'a.cpp': not fully checked: 1000 of 1003 sources in string literals\n");
  });

  it("for a file that is larger than the settings allow", async () => {
    const folder = folderWith({ "a.cu": kernel("a"), "gpu-qualifiers.json": '{ "largestFile": 10 }' });
    const { code, error } = await runHere(["check", "."], folder);
    expect(code).toBe(2);
    expect(error).toContain("'a.cu': not read: longer than 'largestFile' in the settings allows\n");
  });

  it("for a file that is too large to be read, in a folder, too", async () => {
    const { code, error } = await runHere(["check", "."], folderWith({ "a.cl": "// long\n".repeat(3_000_000) }));
    expect([code, error]).toEqual([2, "gpu-qualifiers: 'a.cl' is larger than 16 MB; not checked\n"]);
  });
});

describe("a folder without device code", () => {
  it.each([
    ["an empty one", {}],
    ["other languages", { "a.cl": "(defun f (x) x)\n(defun g (x) x)\n", "b.txt": "x" }],
    ["a host program", { "main.opencl": "#include <CL/cl.h>\nint main() { return 0; }\n" }],
  ])("makes the run incomplete: %s", async (_, files) => {
    const folder = folderWith({ "in/x.txt": "", ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`in/${name}`, text])) });
    expect(await runHere(["check", "in"], folder)).toEqual({
      code: 2,
      out: "",
      error: "gpu-qualifiers: no CUDA, HIP or OpenCL file in 'in'\n",
    });
  });

  it("is named beside others", async () => {
    const { code, error } = await runHere(["check", "a", "b"], folderWith({ "a/a.cu": kernel("a"), "b/b.txt": "" }));
    expect(code).toBe(2);
    expect(error).toBe("gpu-qualifiers: no CUDA, HIP or OpenCL file in 'b'\ngpu-qualifiers: nothing found in 1 file: 1 kernel checked\n");
  });

  it("may have files that the settings exclude", async () => {
    const settings = { "gpu-qualifiers.json": '{ "exclude": ["a/"] }' };
    const error = "gpu-qualifiers: nothing checked in 'a': the settings exclude its only file\n";
    expect(await runHere(["check", "a"], folderWith({ "a/a.cu": kernel("a"), ...settings }))).toEqual({ code: 0, out: "", error });
    const two = await runHere(["check", "."], folderWith({ "a/a.cu": kernel("a"), "a/b.cu": kernel("b"), ...settings }));
    expect(two).toMatchObject({ code: 0, error: expect.stringContaining("the settings exclude all of its 2 files") });
    const beside = await runHere(["check", "."], folderWith({ "a/a.cu": kernel("a"), "b.cu": kernel("b"), ...settings }));
    expect(beside).toMatchObject({ code: 0, error: expect.not.stringContaining("exclude") });
  });
});

it("--verbose names what was not understood, without headers that come with compilers", async () => {
  const text = '#include <vector>\n#include <cuda_runtime.h>\n#include "own.h"\n__global__ void f(Table t) { }\nvoid g( { ;\n';
  const { error } = await runHere(["check", "--verbose", "a.cu"], folderWith({ "a.cu": text }));
  expect(error).toContain('a.cu:3:1: note: "own.h" is not in the workspace or the include paths\n');
  expect(error).toContain("a.cu:4:19: note: the type 'Table' is not known\n");
  expect(error).toMatch(/a\.cu:5:\d+: note: this cannot be parsed/);
  expect(error).not.toMatch(/vector|cuda_runtime/);
});

it("types that a class's own template makes are known in its constructors", async () => {
  const text =
    "template <class T> struct Span { __device__ Span(const Span<T> &other); T *first; };\ntemplate <class T> __device__ Span<T>::Span(const Span<T> &other) : first(other.first) { }\n";
  const { error } = await runHere(["check", "--verbose", "."], folderWith({ "a.cu": text }));
  expect(error).not.toContain("is not known");
});
