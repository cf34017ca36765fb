/**
 * The folders that the suites open. Some are side by side in one workspace, so no two of those have functions with the same name.
 * This file must not import VS Code, because the tests that write the folders import it.
 */

const wrongCast = "kernel void k(global int *g) { local int *l = (local int *)g; }\n";

type Files = Readonly<Record<string, string>>;

const findings: Files = {
  "kernel.cu": "struct S { int a[4]; };\n__global__ void k(__grid_constant__ S s, int *out) {\n  out[0] = s.a[0];\n}\n",
  "declared.cuh": "struct D { int a[9]; };\n__global__ void d(const __grid_constant__ D value);\n",
  "defined.cu": "struct D { int a[9]; };\n__global__ void d(const D value) {}\n",
  "kernel.cl": wrongCast,
  "other/unopened.cl": wrongCast,
  "space.h": "#define SPACE local\n",
  "include.cl": '#include "space.h"\nkernel void k(global int *g) { SPACE int *p = (SPACE int *)g; }\n',
  "wrong.h": "#pragma once\nstruct P { int a; };\n__global__ void h(__grid_constant__ P p);\n",
  "includes.cu": '#include "wrong.h"\n',
  "beside.cl":
    "int first(int *p) { return *p; }\nkernel void scale(constant int *table, global int *out);\nkernel void scale(constant int *table, global int *out) { *out = *table; }\n",
  "host.cpp": `const char *source =\n  "float f(float *p) { return *p; }\\n"\n  "${wrongCast.trimEnd()}";\n`,
  "depends.cl": "kernel void k(global int *g) { int *p = g; *p = 1; }\n",
  "gpu-qualifiers.json": '{ "opencll": {} }\n',
};

const refactorings: Files = {
  "gpu-qualifiers.json": '{ "opencl": { "standard": "CL1.2" } }\n',
  // The other kernel determines the order of the words.
  "annotate/run.cuh":
    "#pragma once\nstruct Params { float table[101]; };\n#define GRID_CONSTANT __grid_constant__\n__global__ void other(const GRID_CONSTANT Params params);\n__global__ void run(const Params params, float *out);\n",
  "annotate/run.cu": '#include "run.cuh"\n__global__ void run(const Params params, float *out) {\n  out[0] = params.table[0];\n}\n',
  "qualify/sum.h": "float sum(const float *row, int n);\n",
  "qualify/sum.cl":
    '#include "sum.h"\nfloat sum(const float *row, int n) {\n  const float *end = row + n;\n  float all = 0;\n  while (row < end) all += *row++;\n  return all;\n}\n',
  "qualify/caller.cl": '#include "sum.h"\nfloat twice(const float *values) { return 2 * sum(values, 4); }\n',
  "qualify/spaces.cl": "float at(const float *values, int n) { return values[n]; }\n",
  "constants/limit.cu": "const int limit = 64;\n__global__ void k(int *p) { p[0] = limit; }\nvoid run(int *p) { k<<<1, 1>>>(p); }\n",
  "constants/copied.cu":
    "struct Sizes { int n; };\n__constant__ Sizes sizes;\n__global__ void count(int *p) { p[0] = sizes.n; }\nvoid start(int *p, Sizes value) {\n  cudaMemcpyToSymbol(sizes, &value, sizeof(value));\n  count<<<1, 1>>>(p);\n}\n",
};

const language: Files = {
  "total.h": "#define TAPS 4\nfloat total(global const float *row, int n);\ntypedef struct {\n  int count;\n  float4 at;\n} Item;\n",
  "run.cl": `#include "total.h"
constant float table[2] = {1, 2};
kernel void run(global float *out) {
  float4 v = (float4)(0);
  vstore4(v, 0, out);
  out[get_global_id(0)] = total(out, TAPS);
  out[1] = table[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[2] = fmax(v, 0).w;
}
kernel void items(global Item *item) { item->count = 1; }
`,
  "host.cpp": 'void enqueue(cl_program p) { cl_kernel k = clCreateKernel(p, "items", 0); }\n',
  "second.cl": '#include "total.h"\nkernel void second(global float *out) {\n  out[0] = total(out, TAPS);\n}\n',
  "other.cu": "__global__ void third(int *out) {\n  *out = 1;\n}\nvoid go(int *out) {\n  third<<<2, 64>>>(out);\n}\n",
};

const hovers: Files = {
  "gpu-qualifiers.json": '{ "opencl": { "standard": "CL2.0" } }\n',
  "hover.cu": `struct Params { float a[8]; };
__constant__ float weights[4];
const int limit = 64;
__device__ float scale(float x) { return x * limit; }
__global__ void run(const __grid_constant__ Params params, float *out, mystery *what) {
  __shared__ float tile[64];
  float *local = tile;
  tile[threadIdx.x] = scale(weights[0]) + params.a[0];
  __syncthreads();
  out[threadIdx.x] = local[blockIdx.x % 64];
}
void host(const float *values, void **address) {
  cudaMemcpyToSymbol(weights, values, sizeof weights);
  cudaMemcpyFromSymbol(address, weights, sizeof weights);
  cudaGetSymbolAddress(address, weights);
}
`,
  "hover.cl": `constant float table[2] = {1, 2};
float added(local float *row) { return row[0] + table[0]; }
kernel void start(global float *out, global mystery *what, read_only image2d_t img) {
  local float tile[64];
  tile[get_local_size(0) - 1] = out[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[0] = added(tile);
}
`,
};

const details: Files = {
  "gpu-qualifiers.json": '{ "opencl": { "standard": "CL1.2" } }\n',
  "plain.cl": "kernel void plain(global float *out, local float *tile) {\n  float *p = out;\n  p[0] = tile[0];\n}\n",
  "underscores.cl": "__kernel void with(__global float *out, __local float *tile) {\n  float *p = out;\n  p[0] = tile[0];\n}\n",
  "declared.cuh": "struct E { int a[9]; };\n__global__ void e(const __grid_constant__ E value);\n",
  "defined.cu": "struct E { int a[9]; };\n__global__ void e(const E value) {}\n",
  "unknown.cu":
    "__constant__ mystery all;\n__global__ void k(mystery m) { }\ntemplate <typename T> __global__ void t(T value) { }\n__global__ void known(int n) { }\n",
  "wrapped.opencl": 'R"CLC(\nkernel void wrapped(global int *g) { local int *l = (local int *)g; }\n)CLC"\n',
};

const folders: Files = {
  "moving.cl": '#include "moved/deep/moved.h"\nkernel void moving(global int *g) { pointer p = (pointer)g; }\n',
  "elsewhere/deep/moved.h": "typedef local int *pointer;\n",
};

/** The folders, by the names of the suites' modules. */
export const filesOfSuites = { findings, refactorings, language, hovers, details, folders } as const;
