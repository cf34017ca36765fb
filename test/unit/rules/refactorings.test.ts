/** Refactorings that change host and device code together: the resulting text, and that nvcc compiles it. */
import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { noSettings } from "../../../server/src/dialect.ts";
import { nvccErrors } from "../../nvcc-errors.ts";
import { serviceOf, testParser } from "../../service.ts";
import { unless } from "../../skips.ts";

const parser = await testParser();
const uri = "file:///fixture/a.cu";
const hasNvcc = spawnSync("nvcc", ["--version"]).status === 0;

/** The text after the first fix of the rule's first finding; undefined if there is no fix. */
function refactored(text: string, rule: string): string | undefined {
  const service = serviceOf(parser, [{ name: "a.cu", text }], noSettings);
  try {
    const found = service.check(uri).diagnostics.find((diagnostic) => diagnostic.rule === rule);
    const edits = found?.fixes[0]?.edits;
    if (edits === undefined) return undefined;
    const backwards = [...edits].sort((a, b) => b.location.span.start - a.location.span.start);
    return backwards.reduce(
      (result, { location: { span }, text: inserted }) => result.slice(0, span.start) + inserted + result.slice(span.end),
      text,
    );
  } finally {
    service.dispose();
  }
}

const scalar = `__constant__ float factor;
__global__ void scale(float *data);
__global__ void scale(float *data) { data[threadIdx.x] *= factor; }
__global__ void none() { if (factor > 3) return; }
void start(float *data, float value) {
  cudaMemcpyToSymbol(factor, &value, sizeof(value));
  for (int i = 0; i < 2; i++) scale<<<1, 32>>>(data);
  none<<<1, 32>>>();
}
`;

const loop = `__global__ void sum(const float *in, float *out, int n);
__global__ void sum(const float *in, float *out, int n) {
#pragma unroll
  for (int i = 0; i < n; i++) *out += in[i];
}
void start(const float *in, float *out, int n) {
  if (n > 0) sum<<<1, 1>>>(in, out, n);
  sum<<<1, 1, 0, 0>>>(in, out, 12);
}
`;

describe("refactorings", () => {
  it("pass a constant as a kernel parameter", () => {
    expect(refactored(scalar, "constant-memory-scalar")).toBe(`__global__ void scale(float *data, float factor);
__global__ void scale(float *data, float factor) { data[threadIdx.x] *= factor; }
__global__ void none(float factor) { if (factor > 3) return; }
void start(float *data, float value) {
  for (int i = 0; i < 2; i++) scale<<<1, 32>>>(data, value);
  none<<<1, 32>>>(value);
}
`);
  });

  it("make a loop bound a template parameter", () => {
    expect(refactored(loop, "loop-bound-not-constant")).toBe(`template <int n_fixed = 0>
__global__ void sum(const float *in, float *out, int n);
template <int n_fixed>
__global__ void sum(const float *in, float *out, int n) {
#pragma unroll
  for (int i = 0; i < (n_fixed > 0 ? n_fixed : n); i++) *out += in[i];
}
void start(const float *in, float *out, int n) {
  if (n > 0) switch (n) {
    case 4: sum<4><<<1, 1>>>(in, out, n); break;
    case 8: sum<8><<<1, 1>>>(in, out, n); break;
    case 16: sum<16><<<1, 1>>>(in, out, n); break;
    case 32: sum<32><<<1, 1>>>(in, out, n); break;
    default: sum<<<1, 1>>>(in, out, n);
  }
  sum<12><<<1, 1, 0, 0>>>(in, out, 12);
}
`);
  });

  it.skipIf(!hasNvcc)(`compile${unless(hasNvcc, "nvcc is not installed")}`, async () => {
    const refactorings = [refactored(scalar, "constant-memory-scalar"), refactored(loop, "loop-bound-not-constant")];
    // Each text is in a namespace of its own, so that one run of nvcc's front ends is enough.
    const texts = [scalar, loop, ...refactorings.map((text) => text ?? "missing")];
    expect(await nvccErrors(texts.map((text, index) => `namespace n${index} {\n${text}}\n`).join(""))).toEqual([]);
  });

  it("are not offered if some use of the variable or kernel is unknown or cannot be changed", () => {
    const changed = (from: string, to: string) => refactored(scalar.replace(from, to), "constant-memory-scalar");
    expect(changed("  none<<<", "  value = 3;\n  none<<<")).toBeUndefined();
    expect(changed("  cudaMemcpyToSymbol", "  if (value > 1) cudaMemcpyToSymbol")).toBeUndefined();
    expect(changed("&value, sizeof(value));", "data, sizeof(value));")).toBeUndefined();
    expect(changed("  none<<<1", "  void *p = (void *)none;\n  none<<<1")).toBeUndefined();
    expect(changed("__global__ void none", 'extern "C" __global__ void none')).toBeUndefined();
    expect(
      refactored(
        loop.replace("  if (n > 0) ", "  int x = (").replace("(in, out, n);\n  sum", "(in, out, n), 3);\n  sum"),
        "loop-bound-not-constant",
      ),
    ).toBeUndefined();
  });
});
