/** `memory`: the numbers of each kernel with their limits, and who launches it, as text and as JSON. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runHere } from "./in-process.ts";
import { folderWith } from "./run.ts";

const cuda = {
  "kernels.cuh": `struct Params { float table[101]; };
__device__ float look(const Params &params, int i);
__global__ void run(const Params params, float *out);
`,
  "run.cu": `#include "kernels.cuh"
__constant__ float weights[16];
__constant__ char other;
__global__ void run(const Params params, float *out) {
  float acc[8];
  acc[threadIdx.x] = look(params, 1);
  out[0] = acc[threadIdx.x ^ 1] + weights[0];
}
`,
  "main.cu": `#include "kernels.cuh"
template <class T, int N> __global__ void reduce(T *out) {
  __shared__ T tile[N];
  extern __shared__ float more[];
  tile[threadIdx.x] = out[0] + more[0];
  __syncthreads();
  out[1] = tile[threadIdx.x ^ 1];
}
void host(Params params, float *out, int n) {
  dim3 block(16, 16);
  reduce<float, 128><<<n, block, 64 * sizeof(float)>>>(out);
  run<<<dim3(2, n), 32>>>(params, out);
  cudaLaunchKernel((void *)run, dim3(1), dim3(1), nullptr, 0, 0);
}
`,
};

const opencl = {
  "blur.cl": `constant float weights[9] = {1};
kernel void blur(global float *image, local float *scratch) {
  local float tile[256];
  float own[4] = {1};
  tile[0] = image[0] * weights[4] + own[1];
}
`,
  "host.cpp": `const char *source = R"CLC(
kernel void fill(global float *out) {
  local float tile[64];
  out[0] = tile[0];
}
)CLC";
`,
};

const limit = "of 4,096 bytes (32,764 from compute capability 7.0 and CUDA 12.1 on)";

describe("memory", () => {
  it("prints every number with its limit, and the launches of other files", async () => {
    expect(await runHere(["memory"], folderWith(cuda))).toEqual({
      code: 0,
      error: "",
      out: `main.cu:2:43: reduce (template)
  parameters    8 ${limit}
  constant      0 of 65,536 bytes; the translation unit takes 0 bytes
  shared        unknown of 49,152 bytes: tile unknown, and what the launch passes
  local         no array
  instances     reduce<float, 128>: 8 bytes of parameters, 512 bytes of shared memory (main.cu:11:3)
  launched      main.cu:11:3 in host, grid unknown, block 16 x 16 x 1, 256 bytes of dynamic shared memory

run.cu:4:17: run
  parameters    416 ${limit}
  constant      unknown (at least 64 bytes) of 65,536 bytes: weights 64; the translation unit takes 65 bytes
  shared        unknown of 49,152 bytes
  local         32 bytes of arrays for each thread: acc 32; the compiler decides which are in registers
  stack copies  404 bytes of params: look gets its address at run.cu:6:22
  launched      main.cu:12:3 in host, grid 2 x ? x 1, block 32 x 1 x 1, 0 bytes of dynamic shared memory
                main.cu:13:3 in host, grid unknown, block unknown, unknown of dynamic shared memory
`,
    });
  });

  it("prints OpenCL's, also of kernels in string literals, with what every device has", async () => {
    expect((await runHere(["memory", "."], folderWith(opencl))).out).toBe(`blur.cl:2:13: blur
  parameters    16 of 1,024 bytes
  constant      36 of 65,536 bytes: weights 36; the translation unit takes 36 bytes
  local         1,024 of 32,768 bytes: tile 1,024, and what the host passes to clSetKernelArg
  private       16 bytes of arrays for each work-item: own 16; the compiler decides which are in registers
  launched      unknown: the host finds the kernel by its name

host.cpp:2:13: fill
  parameters    8 of 1,024 bytes
  constant      0 of 65,536 bytes; the translation unit takes 0 bytes
  local         256 of 32,768 bytes: tile 256
  private       no array
  launched      unknown: the host finds the kernel by its name
`);
  });

  it("takes the limits of the embedded profile from its name, not from the size of a buffer", async () => {
    const limits = async (settings: object) => {
      const folder = folderWith({ ...opencl, "gpu-qualifiers.json": JSON.stringify(settings) });
      return (await runHere(["memory", "blur.cl"], folder)).out.match(/(?<=of )[\d,]+(?= bytes)/g)?.slice(0, 3);
    };
    expect(await limits({ opencl: { profile: "embedded" } })).toEqual(["256", "1,024", "1,024"]);
    expect(await limits({ opencl: { profile: "embedded" }, limits: { constantBufferSize: 4_096 } })).toEqual(["256", "4,096", "1,024"]);
    expect(await limits({ limits: { constantBufferSize: 1_024 } })).toEqual(["1,024", "1,024", "32,768"]);
  });

  it("prints JSON, every member of which is documented", async () => {
    const { out } = await runHere(["memory", "--format", "json", "run.cu", "main.cu"], folderWith(cuda));
    const { version, kernels } = JSON.parse(out) as { readonly version: number; readonly kernels: readonly Record<string, unknown>[] };
    expect(version).toBe(1);
    expect(kernels.map(({ name }) => name)).toEqual(["run", "reduce"]);
    expect(kernels[0]).toMatchObject({
      language: "cuda",
      location: { file: "run.cu", line: 4, column: 17 },
      isTemplate: false,
      parameters: { bytes: 416, limit: 4096, largestLimit: 32764 },
      constant: { bytes: "unknown", atLeast: 64, limit: 65536, translationUnit: { bytes: 65 } },
      shared: { bytes: "unknown", limit: 49152, isDynamic: false },
      local: { bytes: 32, arrays: [{ name: "acc", bytes: 32 }] },
      stackCopies: [{ name: "params", bytes: 404, callee: "look", call: { file: "run.cu", line: 6, column: 22 } }],
      launches: [
        { location: { file: "main.cu", line: 12 }, within: "host", grid: [2, "unknown", 1], block: [32, 1, 1], dynamicShared: 0 },
        { location: { file: "main.cu", line: 13 }, grid: "unknown", block: "unknown", dynamicShared: "unknown" },
      ],
    });
    expect(kernels[1]).toMatchObject({
      instances: [{ name: "reduce<float, 128>", parameters: { bytes: 8 }, shared: { bytes: 512, limit: 49152 } }],
      launches: [{ grid: "unknown", block: [16, 16, 1], dynamicShared: 256 }],
    });
    const page = readFileSync(join(import.meta.dirname, "../../docs/command-line.md"), "utf8");
    for (const [, member = ""] of out.matchAll(/"(\w+)":/g)) expect(page).toContain(`\`${member}\``);
  });

  it("knows only one parameter limit for old architectures, and none for HIP", async () => {
    const folder = folderWith({ "a.cu": "__global__ void k(int *p) { *p = 1; }\n", "b.hip": "__global__ void k(int *p) { *p = 1; }\n" });
    expect((await runHere(["memory", "a.cu", "--", "-arch=sm_60"], folder)).out).toContain("parameters    8 of 4,096 bytes\n");
    expect((await runHere(["memory", "b.hip"], folder)).out).toContain("parameters    8 bytes\n");
  });

  it("takes nothing for a launch's value that may have changed", async () => {
    const folder = folderWith({
      "a.cu": `__global__ void k(int *p) { *p = 1; }
void host(int *p, bool big) {
  dim3 block(16);
  if (big) block.x = 32;
  const dim3 grid(4);
  unsigned bytes = 64;
  bytes += 64;
  k<<<grid, block, bytes>>>(p);
}
`,
    });
    expect((await runHere(["memory", "a.cu"], folder)).out).toContain("grid 4 x 1 x 1, block unknown, unknown of dynamic shared memory");
  });

  it("reports a missing file, and a folder without kernels", async () => {
    const folder = folderWith({ "a.cl": "int one(void) { return 1; }\n" });
    expect(await runHere(["memory", "missing.cl"], folder)).toMatchObject({ code: 2, error: expect.stringContaining("missing.cl") });
    expect(await runHere(["memory", "."], folder)).toEqual({ code: 0, out: "", error: "gpu-qualifiers: no kernel in these files\n" });
  });
});
