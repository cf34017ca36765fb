/** What the text of a source says of its language: of a header whose name does not imply one, and of HIP. */
import { describe, expect, test } from "vitest";
import { type Language, noSettings } from "../../../server/src/dialect.ts";
import { gpuWordsOf } from "../../../server/src/qualifiers.ts";
import { hasDeviceCode, languageOfText, withHip } from "../../../server/src/settings/languages.ts";

const cases: readonly (readonly [string, string, Language | undefined])[] = [
  ["a kernel", "__kernel void f(__global int *p) { *p = 1; }", "opencl"],
  ["a kernel beside words in comments", "// namespace std {\n/* class A { private: */ kernel void f(global int *p);", "opencl"],
  ["a label and a condition", "int f(int a) { again: return a ? get_global_id(0) : 1; }", "opencl"],
  ["a header for both sides", "#ifndef __OPENCL_C_VERSION__\nnamespace host {\n#endif\n__kernel void f();", "opencl"],
  ["device code", "namespace a { __device__ int x; }", "cuda"],
  ["an address space with CUDA's word", "#define __global__ __attribute__((address_space(1)))\n__global__ int *p;", undefined],
  ["device code in a template", "template <class T> __global__ void f(T *p);", "cuda"],
  ["a class that names a member so", "class Sizes {\nprivate:\n  unsigned long get_global_id[3];\n};", undefined],
  ["a class with a base", "class Sizes : Base { int get_global_id; };", undefined],
  ["SYCL", "namespace sum { void run(item it, int *local) { __local int x; it.get_global_id(0); } }", undefined],
  ["a nested namespace", "namespace a::b { struct kernel; int get_global_id(); }", undefined],
  ["a template", "template <typename T> T get_global_id(T x);", undefined],
  ["the host's library", "inline std::string name() { return text(get_global_id); }", undefined],
  ["a kernel in a literal", 'const char *source = "__kernel void f() {}";', undefined],
];

describe("a header with a neutral name", () => {
  test.each(cases)("%s", (_, text, language) => {
    expect(languageOfText("/w/part.h", text)).toBe(language);
  });

  test("a C source needs more than a word for an address space", () => {
    expect(languageOfText("/w/main.c", "typedef volatile __global__ int word;\nword __global__ *p;")).toBe(undefined);
    expect(languageOfText("/w/main.c", "__global__ void f(int *p);")).toBe("cuda");
  });

  test.each(gpuWordsOf("cuda"))("with %s", (word) => {
    expect(languageOfText("/w/part.h", `${word} int x;`)).toBe("cuda");
  });
});

describe("a file with a name of C++ is worth checking in a folder", () => {
  test.each([
    ["a kernel", "template <class T> __global__ void f(T *p) { }"],
    ["a kernel on a line of its own", "template <class T>\n__global__\nvoid f(T *p) { }"],
    ["a kernel with bounds", "__global__ __launch_bounds__(256, 2)\nstatic void f(int *p) { }"],
    ["a kernel whose result is in front", "static void __global__ f(int *p) { }"],
    ["a launch", "void f(int *p) { fill<int><<<1, 1>>>(p); }"],
    ["a launch in several lines", "void f(int *p) {\n  fill<<<\n    dim3(1), n < 4 ? n : 4\n  >>>(p);\n}"],
    ["device code that includes CUDA", "#include <cuda_runtime.h>\n__device__ int f() { return 1; }"],
    ["device code that includes HIP", "#include <hip/hip_runtime.h>\n__device__ int f() { return 1; }"],
    ["a kernel whose specifiers are a macro", "LIB_KERNEL(256)\nvoid fill(int n, int *p) { fill_row(n, p); }"],
    ["a thread's index behind macros", "template <int N> LIB_INLINE int lane() { return threadIdx.x % N; }"],
    ["HIP's indices behind macros", "LIB_DEVICE int lane() { return hipThreadIdx_x; }"],
    ["device code that calls HIP", "__host__ __device__ int f();\nvoid g(void *p) { hipFree(p); }"],
  ])("with %s", (_, text) => {
    for (const name of ["a.hpp", "a.h", "a.cc", "a.cpp", "a.inl"]) expect(hasDeviceCode(`/w/${name}`, text)).toBe(true);
  });

  test.each([
    ["CUDA's runtime alone", "#include <cuda_runtime.h>\nvoid f(void *p) { cudaFree(p); }"],
    [
      "macros for both compilers",
      "#ifdef __CUDACC__\n#define HD __host__ __device__\n#define KERNEL __global__\n#else\n#define HD\n#endif\nHD int f();",
    ],
    ["a macro that defines a kernel's name", "REGISTER_KERNEL(fill, int);\nvoid run(int n);"],
    ["a thread's index in a comment", "// computes threadIdx.x\nint f();"],
    ["functions for both sides", "#ifndef __CUDACC__\n#define __host__\n#endif\n__host__ int f();"],
    [
      "an address space of another compiler",
      "typedef volatile __global__ int word;\nvoid f(int n) { void __global__ *p = 0; __global__ void *q = p; }",
    ],
    ["a kernel in a comment", "// a __global__ function, k<<<1, 1>>>(p)\nint f();"],
    ["a launch in a literal", 'const char *text = "k<<<1, 1>>>(p)";'],
    ["marks of a conflict", "<<<<<<< ours\nint a(int);\n=======\nint b(int);\n>>>>>>> (theirs)"],
    ["shifts", "int f(int a) { return a << 3 >> (2); }"],
    ["nested templates", "std::vector<std::vector<std::vector<int>>>(n);"],
  ])("not with %s", (_, text) => {
    for (const name of ["a.hpp", "a.cpp"]) expect(hasDeviceCode(`/w/${name}`, text)).toBe(false);
  });
});

describe("a source selects HIP", () => {
  test.each([
    ["HIP's runtime", "#include <hip/hip_runtime.h>\n#ifdef __CUDACC__\n#endif", true],
    ["code for HIP's device pass", "#ifdef __HIP_DEVICE_COMPILE__\n#endif", true],
    ["code for both device passes", "#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)\n#endif", undefined],
    ["another header of HIP", "#include <hip/hip_fp16.h>", true],
    ["a header of HIP's libraries", '#include "rocprim/rocprim.hpp"', true],
    ["a header for either", "#include <hip/hip_fp16.h>\n#include <cuda_fp16.h>", undefined],
    ["its functions", "void f(void *p) { hipFree(p); }", true],
    ["a launch", "void f() { hipLaunchKernelGGL(k, 1, 1, 0, 0); }", true],
    ["its types", "void f(hipStream_t stream);", true],
    ["its variables", "__device__ int f() { return hipThreadIdx_x; }", true],
    ["a library's functions", "void f(rocblas_handle h) { rocblas_sscal(h); }", true],
    ["a library's namespace", "void f() { rocprim::reduce(); }", true],
    ["a macro of its compiler", "#if defined(__HIP_PLATFORM_AMD__)\n#endif", true],
    ["the names of both", "void f(void *p) {\n#ifdef USE_HIP\n  hipFree(p);\n#else\n  cudaFree(p);\n#endif\n}", undefined],
    ["a comment about CUDA", "// like cudaFree\nvoid f(void *p) { hipFree(p); }", true],
    ["a comment about HIP", "// like hipFree()\n__device__ int x;", undefined],
    ["a name that begins alike", "__device__ int hipster(int hip); int hipX();", undefined],
    ["no sign of it", "__device__ int x;", undefined],
  ])("by %s", (_, text, hip) => {
    expect(withHip(noSettings, "/w/part.h", () => text).hip).toBe(hip);
    expect(withHip({ ...noSettings, hip: false }, "/w/part.h", () => text).hip).toBe(false);
  });
});
