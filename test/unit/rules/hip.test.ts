/** HIP has its own spellings for the runtime's functions and for launches, but the same facts as CUDA. */
import { describe, expect, it } from "vitest";
import { noSettings } from "../../../server/src/dialect.ts";
import { serviceOf, testParser } from "../../service.ts";

const parser = await testParser();

function found(text: string, name = "a.hip", first = "#include <hip/hip_runtime.h>\n"): readonly string[] {
  const service = serviceOf(parser, [{ name, text: first + text }], noSettings);
  try {
    return service
      .check(`file:///fixture/${name}`)
      .diagnostics.filter(({ severity }) => severity !== "hint")
      .map(({ rule, message }) => `${rule}: ${message}`);
  } finally {
    service.dispose();
  }
}

describe("HIP", () => {
  it("recognizes copies to symbols", () => {
    const declared = "__constant__ float table[4];\n__device__ int counter;\n";
    expect(
      found(
        `${declared}void set(const float *p) { hipMemcpyToSymbol(HIP_SYMBOL(table), p, sizeof(table)); hipMemcpyToSymbol(table, p, 16, 0, hipMemcpyHostToDevice); }`,
      ),
    ).toEqual([]);
    expect(found(`${declared}void set(const float *p) { hipMemcpyToSymbol(HIP_SYMBOL(table), p, 8 * sizeof(float)); }`)).toEqual([
      "host-access-of-device-symbol: 32 bytes do not fit into 'table' of 16 bytes",
    ]);
    expect(found(`${declared}void set(const float *p) { hipMemcpyToSymbol(table, p, 16, 0, hipMemcpyDeviceToHost); }`)).toHaveLength(1);
    expect(found(`float &chosen();\nvoid set(const float *p) { hipMemcpyToSymbol(chosen(), p, 4, 0, hipMemcpyDeviceToHost); }`)).toEqual([
      "host-access-of-device-symbol: 'hipMemcpyDeviceToHost' copies to the host, but the variable is on the device",
    ]);
    expect(found(`${declared}void set(const float *p) { hipMemcpy(table, p, 16, hipMemcpyHostToDevice); }`)).toHaveLength(1);
    expect(found(`${declared}int get() { return counter; }`)).toHaveLength(1);
  });

  it("is what a source is written in, whatever its conditionals ask", () => {
    const loads = "__global__ void k(int *p) { while (!__atomic_load_n(p, __ATOMIC_ACQUIRE)) { } }\n";
    const asks = (macro: string) => `#if !defined(${macro})\nint other;\n#endif\n`;
    expect(found(`${loads}${asks("__NVCC__")}void start(int *p) { hipFree(p); }`, "a.cpp", "")).toEqual([]);
    expect(found(`${loads}${asks("__HIPCC__")}void start(int *p) { cudaFree(p); }`, "a.cu", "")).toHaveLength(1);
    expect(found(`${loads}${asks("__NVCC__")}void start(int *p) { }`, "a.cu", "")).toHaveLength(1);
  });

  it("is what a source with attributes of AMD's compiler is written in", () => {
    const kernel = "__attribute__((amdgpu_flat_work_group_size(64, 32))) __global__ void k() {}\n";
    expect(found(kernel, "a.cu", "")).toHaveLength(1);
    expect(found(`${kernel}void start(int *p) { cudaFree(p); }`, "a.cu", "")).toEqual([]);
  });

  it("recognizes launches", () => {
    const kernel = "__global__ void k(float *p, int n);\n__device__ float values[4];\n";
    expect(found(`${kernel}void start(float *p) { hipLaunchKernelGGL(k, dim3(1), dim3(1), 0, 0, p, 3); }`)).toEqual([]);
    expect(found(`${kernel}void start() { float a[4]; hipLaunchKernelGGL(k, dim3(1), dim3(1), 0, 0, a, 3); }`)).toEqual([
      "device-access-of-host-pointer: this points to 'a' on the host's stack, which most devices cannot access",
    ]);
    expect(found(`${kernel}void start() { hipLaunchKernelGGL(k, 1, 1, 0, 0, values, 3); }`)).toEqual([
      "host-access-of-device-symbol: the kernel gets an address of the host, not that of 'values' on the device",
    ]);
    expect(
      found(`${kernel}void start() { float *p; hipMalloc(&p, 16); hipLaunchKernelGGL(k, 1, 1, 0, 0, p, 3); k<<<1, 1>>>(p, 3); }`),
    ).toEqual([]);
  });

  it("gives constants of the host a copy on the device", () => {
    const text =
      "const int limit = 3;\nconst float weights[2] = {1, 2};\n__global__ void k(const int **p, float *out, int i) { *p = &limit; *out = weights[i]; }";
    expect(found(text)).toEqual([]);
    expect(found(text, "a.cu", '  # include "hip/hip_runtime.h"\n')).toEqual([]);
    expect(found(text, "a.cu", "#include <cuda_runtime.h>\n")).toHaveLength(2);
    expect(
      found("int f();\nconst int late = f();\nint plain;\n__global__ void k(const int **p, int *out) { *p = &late; *out = plain; }"),
    ).toEqual([
      "const-host-variable-uninitialized: device code cannot know the value of 'late': its initializer is not constant",
      "host-variable-in-device-code: device code cannot read the host variable 'plain'",
    ]);
  });

  it("leaves constants without a value", () => {
    const read = "static __constant__ float table[4];\n__global__ void k(float *p) { p[0] = table[1]; }\n";
    expect(found(`${read}void start(float *p) { hipLaunchKernelGGL(k, dim3(1), dim3(1), 0, 0, p); }`)).toEqual([
      "constant-memory-never-written: 'table' is never set: kernels read zeros",
    ]);
    expect(
      found(
        `${read}void start(float *p) { hipMemcpyToSymbol(HIP_SYMBOL(table), p, 16); hipLaunchKernelGGL(k, dim3(1), dim3(1), 0, 0, p); }`,
      ),
    ).toEqual([]);
  });

  it("has the same findings in every kind of file", () => {
    const text =
      "#include <hip/hip_runtime.h>\n__constant__ float factor;\nint count;\n__global__ void k(float *p) { p[0] = count; factor = 2; }\nvoid set(const float *p) { hipMemcpyToSymbol(HIP_SYMBOL(factor), p, 8); }\n";
    const rulesIn = (name: string) => {
      const service = serviceOf(parser, [{ name, text }], noSettings);
      try {
        return service.check(`file:///fixture/${name}`).diagnostics.map(({ rule }) => rule);
      } finally {
        service.dispose();
      }
    };
    expect(rulesIn("a.hip")).toEqual(["host-variable-in-device-code", "constant-memory-written", "host-access-of-device-symbol"]);
    expect(rulesIn("a.cu")).toEqual(rulesIn("a.hip"));
    expect(rulesIn("a.cpp")).toEqual(rulesIn("a.hip"));
  });

  it("reports nothing if threads read different addresses of constant memory", () => {
    expect(found("__constant__ float table[64];\n__global__ void k(float *out) { out[threadIdx.x] = table[threadIdx.x]; }")).toEqual([]);
  });
});
