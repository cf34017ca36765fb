/** What hovers say: the numbers of the very object, what differs between standards, and silence everywhere else. */
import { describe, expect, it } from "vitest";
import { type CompileSettings, embeddedProfile, noSettings } from "../../../server/src/dialect.ts";
import { createService } from "../../../server/src/service.ts";
import { memoryFiles, testParser } from "../../service.ts";

const parser = await testParser();

/** The hover at the mark `‸` of a text, and the text that it is about. */
function hover(
  name: string,
  marked: string,
  settings: Partial<CompileSettings> = {},
  others: Readonly<Record<string, string>> = {},
): { readonly markdown: string; readonly about: string } | undefined {
  const offset = marked.indexOf("‸");
  const text = marked.replace("‸", "");
  const uri = `file:///${name}`;
  const files = new Map([[uri, text], ...Object.entries(others).map(([other, content]) => [`file:///${other}`, content] as const)]);
  const service = createService({ files: memoryFiles(files), parser, settingsOf: () => ({ ...noSettings, ...settings }) });
  try {
    const found = service.hover(uri, offset);
    return found === undefined ? undefined : { markdown: found.markdown, about: text.slice(found.span.start, found.span.end) };
  } finally {
    service.dispose();
  }
}

const cl = (text: string, settings: Partial<CompileSettings> = {}) => hover("a.cl", text, settings)?.markdown ?? "";
const cu = (text: string, settings: Partial<CompileSettings> = {}) => hover("a.cu", text, settings)?.markdown ?? "";

describe("hover in OpenCL C", () => {
  it("explains a space on its word", () => {
    const found = hover("a.cl", "kernel void k(__glo‸bal float *p) { }");
    expect(found?.about).toBe("__global");
    expect(found?.markdown).toContain("seen by every work-item of every kernel");
    expect(found?.markdown).toContain(
      "`__global T *` becomes `__generic T *` in OpenCL C 2.0 and 3.0; never becomes `__local T *`, `__private T *`, `__constant T *`",
    );
  });

  it("knows the word without underscores, and behind a macro", () => {
    expect(hover("a.cl", "kernel void k(lo‸cal float *p) { }")?.about).toBe("local");
    const found = hover("a.cl", "#define GLOBAL_AS __global\nkernel void k(GLOBAL‸_AS float *p) { }");
    expect(found?.about).toBe("GLOBAL_AS");
    expect(found?.markdown).toContain("`GLOBAL_AS` stands for `__global` here");
  });

  it("finds the declaration from a use", () => {
    const markdown = cl("kernel void k(global float *out) {\n  local float tile[64];\n  out[0] = ti‸le[0];\n}");
    expect(markdown).toContain("__local float tile[64];");
    expect(markdown).toContain("256 bytes, aligned to 4");
    expect(markdown).toContain("the local variables of `k` take 256 bytes");
  });

  it("says what each standard puts where nothing is written", () => {
    const text = "float f(float *‸p) { return *p; }";
    expect(cl(text)).toContain(
      "not written: private in OpenCL C 1.2 and 3.0 without generic address space; generic in OpenCL C 2.0 and 3.0",
    );
    expect(cl(text, { openclStandard: "CL1.2" })).toContain("not written: private\n");
    expect(cl(text, { openclStandard: "CL2.0" })).toContain(
      "`__generic T *` becomes by a cast `__global T *`, `__local T *`, `__private T *`; never becomes `__constant T *`",
    );
  });

  it("lays out the record that a pointer leads to", () => {
    const markdown = cl("typedef struct { char tag; float4 v; int n; } layer_t;\nkernel void k(constant layer_t *‸layers) { }");
    expect(markdown).toContain("`struct layer_t`: 48 bytes, aligned to 16, 27 of them padding");
    expect(markdown).toContain("| 1 | 15 | *padding* |\n| 16 | 16 | `float4 v` |");
    expect(markdown).toContain("`__constant` argument 1 of 1; a device accepts at least 8");
  });

  it("adds up the constants of the file, against the limit in force", () => {
    const text = "constant float a[10] = {1};\nconstant int ‸b[6] = {1};";
    expect(cl(text)).toContain("the constant variables of this file take 64 bytes of at least 65,536");
    const limits = { constantArguments: 4, constantBufferSize: 1024, areConfigured: true };
    expect(cl(text, { limits })).toContain("take 64 bytes of 1,024");
  });

  it("shows a kernel's arguments", () => {
    const markdown = cl("kernel void ‸run(global float *in, int n, constant int *c) { local int t[8]; }");
    expect(markdown).toContain("arguments: 24 bytes");
    expect(markdown).toContain("1 `__constant` argument;");
    expect(markdown).toContain("local variables: 32 bytes for each work-group");
    expect(markdown).toContain("| 12 | 4 | *padding* |\n| 16 | 8 | `__constant int *c` |");
  });

  it("counts the constants that a kernel needs, as arguments too", () => {
    const text =
      "constant int c[16] = {1};\nint g(int i) { return c[i]; }\nkernel void ‸k(constant int *t, global int *o) { constant int own = 1; *o = g(*t) + own; }";
    expect(cl(text, { limits: embeddedProfile })).toContain(
      "constant variables that it uses, also by what it calls: 2, which take 68 bytes of 1,024; portable code counts each as one more `__constant` argument, which makes 3",
    );
  });

  it("explains const and restrict by the level that they stand on", () => {
    expect(cl("kernel void k(global co‸nst int *p) { }")).toContain("what `p` points to may not be written through it");
    expect(cl("kernel void k(global int *const ‸p) { }")).toContain("the pointer `p` itself keeps its value");
    expect(cl("kernel void k(global int *rest‸rict p) { }")).toContain("`restrict`: as long as `p` lives");
  });

  it("is silent about ordinary variables, other words and unknown types", () => {
    expect(cl("kernel void k(void) { int ‸i = 0; }")).toBe("");
    expect(cl("kernel vo‸id k(void) { }")).toBe("");
    expect(cl("kernel void k(void) { mystery_t ‸x; }")).toBe("");
    expect(cl("#if 0\nglobal int *‸p;\n#endif\n")).toBe("");
  });
});

describe("hover in CUDA C++", () => {
  const params = "struct Params { float scale; double offset; int count; };\n";

  it("gives a kernel's parameters their bytes and the limit in force", () => {
    const kernel = `${params}__global__ void ‸run(const Params p, int n, float *out) { __shared__ float tile[256]; }`;
    expect(cu(kernel)).toContain("the parameters take 40 bytes of 4,096 (32,764 from compute capability 7.0 and CUDA 12.1 on)");
    expect(cu(kernel)).toContain("| 24 | 4 | `int n` |\n| 28 | 4 | *padding* |\n| 32 | 8 | `float *out` |");
    expect(cu(kernel)).toContain("its shared variables take 1,024 bytes of 49,152");
    expect(cu(kernel, { architectures: [90] })).toContain("40 bytes of 32,764 (4,096 before CUDA 12.1)");
    expect(cu(kernel, { architectures: [60, 90] })).toContain("40 bytes of 4,096\n");
  });

  it("leaves out what a template argument decides", () => {
    const markdown = cu("template <typename T> __global__ void ‸fill(T value, int n) { }");
    expect(markdown).toContain("more than 4 bytes");
    expect(markdown).toContain("| ? | ? | `T value` |\n| ? | 4 | `int n` |");
  });

  it("explains the annotation behind the project's macro, with the layout", () => {
    const markdown = cu(`#define GC __grid_constant__\n${params}__global__ void run(const G‸C Params p) { }`);
    expect(markdown).toContain("`GC` stands for `__grid_constant__` here");
    expect(markdown).toContain("one object with one address, for reading only");
    expect(markdown).toContain("measured on H200");
    expect(markdown).toContain("| 20 | 4 | *padding* |");
  });

  it("counts constant memory and compares the ways to hand a constant over", () => {
    const markdown = cu("__constant__ float table[1024];\n__constant__ int steps;\n__global__ void k(float *out) { out[0] = ste‸ps; }");
    expect(markdown).toContain("the constant variables of this translation unit take 4,100 bytes of the 65,536 that a module has");
    expect(markdown).toContain(
      "| **`__constant__` variable** | 4 bytes of the 65,536 of a module | `cudaMemcpyToSymbol` before the launch; one value for all streams | 1,128 µs |",
    );
    expect(markdown).toContain("| template argument | none | a kernel for each value, known when it is compiled | 511 µs |");
    const table = cu("__constant__ float ta‸ble[1024];");
    expect(table).not.toContain("template argument");
    expect(table).toContain(
      "| **`__constant__` variable** | 4,096 bytes of the 65,536 of a module | `cudaMemcpyToSymbol` before the launch; one value for all streams | 857 µs and 8,677 µs |",
    );
    expect(cu("__constant__ const int ste‸ps = 4;")).toContain("| nothing more; it has its value from the start | 1,128 µs |");
  });

  it("says which way does not do for an object of this size", () => {
    expect(cu("__constant__ double mat‸rix[5000];")).toContain(
      "| kernel parameter, as a member of a structure | does not fit: 40,000 bytes, a kernel has 4,096",
    );
    expect(cu("const double mat‸rix[10000] = {1};")).toContain(
      "| `__constant__` variable | does not fit: 80,000 bytes, a module has 65,536 |",
    );
    expect(cu(`${params}__global__ void run(Params ‸p) { }`, { architectures: [90] })).toContain(
      "| **kernel parameter** | 24 bytes of the 32,764 (4,096 before CUDA 12.1) of a kernel | nothing more; each launch has its own value |",
    );
    expect(cu("__global__ void run(float *‸p) { }")).not.toContain("handed over as");
  });

  it("explains template parameters that stand for a value", () => {
    const kernel =
      "template <typename T, int taps> __global__ void filter(T *p) { for (int i = 0; i < TAPS; i++) p[i] = 0; }\nvoid run(float *p) { filter<float, 8><<<1, 1>>>(p); filter<float, 16><<<1, 1>>>(p); }";
    for (const marked of [kernel.replace("int taps", "int ta‸ps").replace("TAPS", "taps"), kernel.replace("TAPS", "ta‸ps")]) {
      const markdown = cu(marked);
      expect(markdown).toContain("template <int taps> __global__ … filter(…)");
      expect(markdown).toContain("this file asks for `filter<float, 8>` and `filter<float, 16>`");
      expect(markdown).toContain("| **template argument** | none |");
    }
    expect(cu(kernel.replace("typename T", "typename ‸T").replace("TAPS", "taps"))).toBe("");
  });

  it("says which host constants device code may use", () => {
    expect(cu("const int lim‸it = 64;")).toContain("device code may use the value of `limit`, never its address");
    expect(cu(`${params}const Params fall‸back = { };`)).toContain(
      "device code cannot use `fallback` at run time: it is neither integral nor floating point",
    );
    expect(cu("int mut‸able_ = 1;")).toBe("");
    expect(cu("int cores();\nconst int lim‸it = cores();")).toContain(
      "device code cannot know the value of `limit`: its initialiser runs when the program starts",
    );
    expect(cu(`${params}constexpr Params fall‸back = { };`)).toContain(
      "device code may use the values of `fallback`'s members and copy it",
    );
    expect(cu("constexpr int primes[3] = {2, 3, 5};\n__global__ void k(int *p) { *p = pri‸mes[1]; }")).toContain(
      "elements of `primes` that the compiler computes, none with a variable index",
    );
    expect(cu("constexpr float ‸half_ = 0.5f;")).toContain(
      "| **`constexpr` variable** | none | compiling again for another value; no address in device code |",
    );
  });

  it("reaches names that a header declares", () => {
    const found = hover(
      "a.cu",
      '#include "p.cuh"\n__global__ void k(float *out) { out[0] = ta‸ble[0]; }',
      {},
      { "p.cuh": "#pragma once\nextern __constant__ float table[16];\n" },
    );
    expect(found?.markdown).toContain("64 bytes");
  });

  it("says by what it judges and who said so", () => {
    const settings = { cplusplusStandard: 20, architectures: [80], origin: "compile_commands.json", macros: [{ name: "A", value: "1" }] };
    expect(cu("__device__ int ‸x;", settings)).toContain("*Judged by CUDA C++20 for sm_80; settings: compile_commands.json, 1 macro.*");
    expect(cu("__device__ int ‸x;")).toContain("no settings found");
  });
});
