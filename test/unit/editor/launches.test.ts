/** The hover and the lens of a launch: threads, shared memory, and what becomes of each argument. */
import { describe, expect, it } from "vitest";
import { type CompileSettings, noSettings } from "../../../server/src/dialect.ts";
import { lenses } from "../../../server/src/editor/lenses.ts";
import { createService } from "../../../server/src/service.ts";
import { memoryFiles, testParser } from "../../service.ts";

const parser = await testParser();

/** The hover at the mark `‸` and the lenses of the file, which is open or not. */
function launch(marked: string, isOpen = false, others: Readonly<Record<string, string>> = {}, settings: Partial<CompileSettings> = {}) {
  const offset = marked.indexOf("‸");
  const text = marked.replace("‸", "");
  const uri = "file:///a.cu";
  const files = new Map([[uri, text], ...Object.entries(others).map(([name, content]) => [`file:///${name}`, content] as const)]);
  const service = createService({
    files: memoryFiles(files),
    parser,
    settingsOf: () => ({ ...noSettings, ...settings }),
    ...(isOpen ? { isOpen: () => true } : {}),
  });
  try {
    if (isOpen) service.check(uri);
    const found = offset < 0 ? undefined : service.hover(uri, offset);
    const [, signature = "", rest = ""] = /^```cuda\n(.*?)\n```\n\n(.*)$/s.exec(found?.markdown ?? "") ?? [];
    return {
      about: found === undefined ? undefined : text.slice(found.span.start, found.span.end),
      signature,
      lines: rest.split("\n").flatMap((line) => (line.startsWith("- ") ? [line.slice(2)] : [])),
      lenses: service
        .partFacts(uri)
        .flatMap(({ file }) => lenses(file))
        .map(({ title }) => title),
    };
  } finally {
    service.dispose();
  }
}

const kernels = `struct Params { float table[101]; };
__device__ float look(const Params &params, int i);
__managed__ float values[4];
template <class T, int N> __global__ void reduce(T *out) {
  __shared__ T tile[N];
  extern __shared__ float more[];
  tile[threadIdx.x] = out[0] + more[0];
  __syncthreads();
  out[1] = tile[threadIdx.x ^ 1];
}
__global__ void run(const Params params, const __grid_constant__ Params fixed, Params read, int n, float *out, float *other) {
  out[n] = look(params, 1) + look(fixed, 2) + read.table[0] + other[0];
}
`;

describe("a launch", () => {
  it.each([false, true])("says how many threads it starts, and what each block takes (open: %s)", (isOpen) => {
    const { about, signature, lines } = launch(
      `${kernels}void host(float *p) { dim3 block(16, 16); reduce<float, 128><<‸<4, block, 64 * sizeof(float)>>>(p); }`,
      isOpen,
    );
    expect(about).toBe("<<<4, block, 64 * sizeof(float)>>>");
    expect(signature).toBe(
      "reduce<float, 128><<<4, block, 64 * sizeof(float)>>>(  // 8 bytes\n  p  // 8 bytes, points to what the host passes\n);",
    );
    expect(lines).toEqual([
      "Starts 4 blocks of 256 threads (16 × 16 × 1), 1,024 in all; the launch does not wait",
      "Shared memory per block: 768 bytes (512 static, 256 dynamic); a block has 49,152, and more after `cudaFuncSetAttribute`",
      "Parameters: 8 bytes of 4,096 (32,764 from compute capability 7.0 and CUDA 12.1 on)",
    ]);
  });

  it("says what becomes of each argument", () => {
    const { signature } = launch(`${kernels}void host(Params q, int n) {
  float *out = nullptr;
  cudaMalloc(&out, 64);
  run<<<1, 32‸>>>(q, q, q, n, out, values);
}`);
    expect(signature.split("\n").slice(1, -1)).toEqual([
      "  q,      // 404 bytes, copied to the stack by each thread, because look takes its address",
      "  q,      // 404 bytes, read from constant memory, never copied",
      "  q,      // 404 bytes, read from constant memory",
      "  n,      // 4 bytes, read from constant memory",
      "  out,    // 8 bytes, points to global memory (cudaMalloc)",
      "  values  // 8 bytes, points to managed memory (values)",
    ]);
  });

  it("says unknown for what is known only when it runs", () => {
    const text = `${kernels}void host(float *p, int n, bool big) {
  dim3 block(16);
  if (big) block.x = 32;
  reduce<float, 128><‸<<n, block, n>>>(p);
}`;
    const { lines } = launch(text);
    expect(lines.slice(0, 2)).toEqual([
      "Starts an unknown number of blocks of an unknown number of threads; the launch does not wait",
      "Shared memory per block: static 512, dynamic unknown; a block has 49,152, and more after `cudaFuncSetAttribute`",
    ]);
  });

  it("does not know the shared memory of a kernel that is defined elsewhere, or whose functions are", () => {
    const shared = (text: string, others: Readonly<Record<string, string>> = {}) => launch(text, false, others).lines[1]?.split(";")[0];
    const unknown = "Shared memory per block: static unknown, dynamic 0";
    const host = "void host(float *p) { k<<‸<1, 1>>>(p); }";
    expect(shared(`__global__ void k(float *p);\n${host}`)).toBe(unknown);
    expect(
      shared(`#include "k.cuh"\n${host}`, { "k.cuh": "__global__ void k(float *p) { __shared__ float t[9]; p[0] = t[p[1] > 0]; }\n" }),
    ).toBe(unknown);
    const inlined = "inline __device__ float f(float *p) { __shared__ float t[9]; return t[p[1] > 0]; }\n";
    const kernel = `__global__ void k(float *p) { p[0] = f(p); }\n${host}`;
    expect(shared(`#include "f.cuh"\n${kernel}`, { "f.cuh": inlined })).toBe(unknown);
    expect(shared(`${inlined}${kernel}`)).toBe("Shared memory per block: 36 bytes");
    expect(shared(`#include "f.cuh"\n${kernel}`, { "f.cuh": "inline __device__ float f(float *p) { return p[1]; }\n" })).toBe(
      "Shared memory per block: 0 bytes",
    );
    expect(shared(`#include "missing.cuh"\n${kernel}`)).toBe(unknown);
  });

  it.each([false, true])("has a lens with the constants among its values (open: %s)", (isOpen) => {
    const host = `#define BLOCK 128
void host(float *p, int n) {
  reduce<float, 128><<<4, 128, 256>>>(p);
  reduce<float, 128><<<n, BLOCK>>>(p);
  reduce<float, 128><<<n, n, n>>>(p);
}`;
    expect(launch(`${kernels}${host}`, isOpen).lenses.slice(2)).toEqual([
      "grid 4 × 1 × 1 · block 128 × 1 × 1 · shared memory 768 bytes (512 static, 256 dynamic)",
      "block 128 × 1 × 1 · shared memory 512 bytes",
      "shared memory static 512, dynamic unknown",
    ]);
  });

  it("leaves the names among its values and arguments to their own hovers", () => {
    expect(launch("__global__ void k(int *p) { *p = 1; }\nvoid f(int *p) { ‸k<<<1, 1>>>(p); }").signature).toContain("__global__");
    expect(launch("__global__ void k(int *p) { *p = 1; }\nvoid f(int *p) { k<<<1, 1>>>(‸p); }").lines[0] ?? "").not.toContain("Starts");
  });
});
