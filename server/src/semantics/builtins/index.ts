/**
 * What the languages declare by themselves: a prelude of macros, types and constants that is read before each file, and
 * functions whose overloads are given as declarations in the language, by name and on demand.
 */
import type { Dialect } from "../../dialect.ts";
import type { Source } from "../../source.ts";

const openclPrelude: Source = {
  uri: "builtin:opencl.h",
  text: "#define NULL ((void*)0)\n#define CLK_LOCAL_MEM_FENCE 1\n#define CLK_GLOBAL_MEM_FENCE 2\ntypedef uint cl_mem_fence_flags;\n",
};

const cudaPrelude: Source = {
  uri: "builtin:cuda.h",
  text: `#define NULL 0
struct uint3 { unsigned int x, y, z; };
struct dim3 { unsigned int x, y, z; };
extern const __device__ uint3 threadIdx;
extern const __device__ uint3 blockIdx;
extern const __device__ dim3 blockDim;
extern const __device__ dim3 gridDim;
extern const __device__ int warpSize;
`,
};

/** The text that is preprocessed before every file of the dialect. */
export function prelude(dialect: Dialect): Source {
  return dialect.language === "opencl" ? openclPrelude : cudaPrelude;
}

/** The declarations of every overload of a builtin function, or undefined where the dialect has none of that name. */
export function builtinFunction(_name: string, _dialect: Dialect): string | undefined {
  return undefined;
}
