/** Hovers give the sizes of the object under the cursor and the differences between standards. Ordinary words have no hover. */
import { describe, expect, it } from "vitest";
import { type CompileSettings, embeddedProfile, noSettings } from "../../../server/src/dialect.ts";
import { createService } from "../../../server/src/service.ts";
import { memoryFiles, testParser } from "../../service.ts";

const parser = await testParser();

/** The hover at the mark `‸`, and the part of the text that it describes. */
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

/** Checks the form of every hover: a signature, at most three lines, and a last line with the link. */
function partsOf(
  markdown: string,
  code: "c" | "cuda",
): { readonly signature: string; readonly lines: readonly string[]; readonly last: string } {
  expect(markdown.slice(0, markdown.indexOf("\n"))).toBe(`\`\`\`${code}`);
  const [, signature = "", rest = ""] = /^```\w+\n(.*?)\n```\n\n(.*)$/s.exec(markdown) ?? [];
  const blocks = rest.split("\n\n");
  const last = blocks.pop() ?? "";
  const lines = blocks.flatMap((block) => block.split("\n"));
  expect(lines.length, markdown).toBeLessThanOrEqual(3);
  expect(last).toMatch(/^\[(CUDA|OpenCL) memory: tables and measurements\]\(docs:memory-(cuda|opencl)\.md#[\w-]+\) · \*judged by .*\*$/);
  expect(markdown).not.toContain("<unknown>");
  expect(markdown).not.toContain("more than 0");
  return { signature, lines: lines.map((line) => line.replace(/^- /, "")), last };
}

const inOpenCL = (text: string, settings: Partial<CompileSettings> = {}) => partsOf(cl(text, settings), "c");
const inCuda = (text: string, settings: Partial<CompileSettings> = {}) => partsOf(cu(text, settings), "cuda");

describe("hover on a word of CUDA", () => {
  it.each([
    ["a function", "__dev‸ice__ int twice(int x) { return 2 * x; }"],
    ["a lambda", "void run() { auto twice = [] __dev‸ice__(int x) { return 2 * x; }; }"],
  ])("of %s says where it runs, not where an object lies", (_, text) => {
    const { signature, lines } = inCuda(text);
    expect([signature, ...lines].join(" ")).not.toContain("Lives");
  });
});

describe("hover in OpenCL C", () => {
  it("says who can access an object, how long it lives, and what it costs", () => {
    expect(inOpenCL("kernel void k(global float *out) {\n  local float tile[64];\n  out[0] = ti‸le[0];\n}")).toMatchObject({
      signature: "__local float tile[64];",
      lines: [
        "In local memory, seen by the work-items of one work-group; each work-group has its own",
        "Lives as long as its work-group; it starts without a value, and an initializer is an error",
        "Costs 256 of at least 32,768 bytes; `k` takes 256",
      ],
    });
    expect(inOpenCL("kernel void k(__glo‸bal float *p) { }").lines).toEqual([
      "Points to global memory, seen by all work-items of all kernels, and by the host",
      "What it points to lives as long as its buffer",
      "Costs an access to device memory, which is cached; those of a work-group should be contiguous",
    ]);
    expect(hover("a.cl", "kernel void k(__glo‸bal float *p) { }")?.about).toBe("__global");
  });

  it("recognizes a qualifier without underscores, and one that a macro expands to", () => {
    expect(hover("a.cl", "kernel void k(lo‸cal float *p) { }")?.about).toBe("local");
    const found = hover("a.cl", "#define GLOBAL_AS __global\nkernel void k(GLOBAL‸_AS float *p) { }");
    expect(found?.about).toBe("GLOBAL_AS");
    expect(partsOf(found?.markdown ?? "", "c").signature).toBe("// GLOBAL_AS stands for __global here\n__global float *p;");
  });

  it("shows the types' names that the author wrote, and resolves those that hide a pointer or an array", () => {
    const types = "typedef float real;\ntypedef __global float *row_t;\ntypedef float quad_t[4];\n";
    for (const [declaration, signature] of [
      ["local uint *‸p = 0;", "__local uint *p;"],
      ["local real ‸tile[16];", "__local real tile[16];"],
      ["const local uchar4 *const ‸p = 0;", "__local const uchar4 *const p;"],
      ["uchar4 local const *‸p = 0;", "__local const uchar4 *p;"],
      ["local unsigned int ‸tile[2];", "__local unsigned int tile[2];"],
      ["local struct Layer ‸tile;", "__local struct Layer tile;"],
      ["row_t ‸row = 0;", "__global float *row;"],
      ["local quad_t ‸tile;", "__local float tile[4];"],
    ] as const)
      expect(
        inOpenCL(`${types}struct Layer { int i; };\nkernel void k(void) {\n  ${declaration}\n}`, { openclStandard: "CL1.2" }).signature,
      ).toBe(signature);
    expect(inOpenCL("kernel void ‸k(global uint *out, uint n, constant uchar *t) { }").signature).toBe(
      "__kernel void k(__global uint *out, uint n, __constant uchar *t);",
    );
  });

  it("says of the space in a typedef or a cast how long the memory lives that it points to", () => {
    for (const text of ["typedef glo‸bal float *row_t;", "kernel void k(ulong a) { float f = *(glo‸bal float *)a; }"])
      expect(inOpenCL(text).lines[1]).toBe("What it points to lives as long as its buffer");
    expect(inOpenCL("typedef lo‸cal float tile_t[16];").lines[1]).toMatch(/^Lives as long as its work-group/);
  });

  it("names the space that each standard implies", () => {
    const text = "float f(float *‸p) { return *p; }";
    expect(inOpenCL(text)).toMatchObject({
      signature: "__private float *p; // OpenCL C 1.2 and 3.0 without generic address space\n__generic float *p; // OpenCL C 2.0 and 3.0",
      lines: [
        "The address space of what it points to is not written: private in OpenCL C 1.2 and 3.0 without generic address space; generic in OpenCL C 2.0 and 3.0",
        "Private: seen by one work-item; each has its own",
        "Generic: seen by the work-items that can access the object: it may be global, local or private, never constant",
      ],
    });
    expect(inOpenCL(text, { openclStandard: "CL1.2" }).lines[0]).toBe(
      "Points to private memory (the default), seen by one work-item; each has its own",
    );
  });

  it("gives the size of a pointer's object, and counts constant arguments", () => {
    const { lines } = inOpenCL("typedef struct { char tag; float4 v; int n; } layer_t;\nkernel void k(constant layer_t *‸layers) { }");
    expect(lines[2]).toBe(
      "Counts as the kernel's only constant argument; every device accepts at least 8 (embedded profile: 4); each element takes 48 bytes, aligned to 16, 27 of them padding",
    );
  });

  it("adds up the constants of the file, against the limit in force", () => {
    const text = "constant float a[10] = {1};\nconstant int ‸b[6] = {1};";
    expect(inOpenCL(text).lines[2]).toBe("Costs 24 of at least 65,536 bytes; the constants of this file take 64");
    const limits = { constantArguments: 4, constantBufferSize: 1024, areConfigured: true };
    expect(inOpenCL(text, { limits }).lines[2]).toContain("24 of 1,024 bytes");
  });

  it("shows a kernel's arguments, local memory and constants", () => {
    const text =
      "constant int c[16] = {1};\nint g(int i) { return c[i]; }\nkernel void ‸k(constant int *t, global int *o) { local int own[8]; *o = g(*t) + own[0]; }";
    expect(inOpenCL(text, { limits: embeddedProfile })).toMatchObject({
      signature: "__kernel void k(__constant int *t, __global int *o);",
      lines: [
        "Enqueued by the host; every work-item runs it once",
        "Arguments: 16 bytes (pointers and images count 8 each); every device accepts 1,024. Local memory of each work-group: 32 bytes",
        "Constant arguments: 2; the limit is 4. Program-scope constants may count as one each: 1, with 64 bytes of 1,024",
      ],
    });
  });

  it("explains helper functions and functions of the language", () => {
    const text =
      "float sum(local float *row) { return row[0]; }\nkernel void k(local float *p, global float *o) { o[get_global_id(0)] = sum(p); }";
    expect(inOpenCL(text.replace("float sum", "float s‸um"))).toMatchObject({
      signature: "float sum(__local float *row);",
      lines: ["Runs in the work-item that calls it; called here by `k`", "Its variables live as long as the call", expect.any(String)],
    });
    expect(inOpenCL(text.replace("get_global_id", "get_‸global_id"))).toMatchObject({
      signature: "size_t get_global_id(uint);",
      lines: ["Each work-item gets its own value", expect.any(String), "No memory access"],
    });
    expect(inOpenCL("kernel void k(void) { bar‸rier(CLK_LOCAL_MEM_FENCE); }").lines[0]).toContain(
      "All work-items of the work-group must reach it",
    );
    expect(cl("kernel void k(global float *o) { *o = sq‸rt(2.0f); }")).toContain("float sqrt(float);");
    const loads = inOpenCL("kernel void k(local float *t, global float *o) { *o = vlo‸ad4(0, t).x; }");
    expect(loads).toMatchObject({ signature: expect.stringContaining("vload4(size_t, "), lines: [] });
  });

  it("describes images and samplers, and counts no bytes for them", () => {
    const text =
      "constant sampler_t smp = CLK_FILTER_NEAREST;\nconstant float w[2] = {1, 2};\nkernel void k(read_only image2d_t img, global float4 *o) { *o = read_imagef(img, smp, (int2)(0)) * w[0]; }";
    expect(inOpenCL(text.replace("img, glo", "i‸mg, glo"))).toMatchObject({
      signature: "read_only image2d_t img;",
      lines: [
        "An image that the host created, seen by all work-items; here it may only be read",
        "Lives until the host releases it; it has no address",
        expect.any(String),
      ],
    });
    expect(inOpenCL(text.replace("smp =", "s‸mp =")).lines[2]).toBe("Costs no constant memory");
    expect(inOpenCL(text.replace("w[2]", "‸w[2]")).lines[2]).toBe("Costs 8 of at least 65,536 bytes; the constants of this file take 8");
    expect(inOpenCL(text.replace("void k(", "void ‸k(")).lines[1]).toContain("Arguments: 16 bytes");
  });

  it("explains const and restrict at the pointer level that they qualify", () => {
    expect(inOpenCL("kernel void k(global co‸nst int *p) { }").lines[0]).toContain("Read-only through `p`");
    expect(inOpenCL("kernel void k(global int *con‸st p) { }").lines[0]).toContain("The pointer `p` itself is const");
    expect(inOpenCL("kernel void k(global int *rest‸rict p) { }").lines[0]).toContain("`restrict` is a promise: while `p` is in scope");
  });

  it("says little about ordinary variables and unknown types", () => {
    expect(inOpenCL("kernel void k(void) { int ‸i = 0; }").lines[0]).toBe("Local variable of `k`, in registers or on the stack");
    expect(cl("kernel void k(void) { mystery_t ‸x; }")).not.toContain("bytes");
    expect(cl("#if 0\nglobal int *‸p;\n#endif\n")).toContain("Points to global memory");
  });

  it("spells unknown types as the author wrote them", () => {
    expect(inOpenCL("kernel void run(global mystery *‸y) { }").signature).toBe("__global mystery *y;");
    expect(inOpenCL("kernel void ‸run(global mystery *y, int n) { }").signature).toBe("__kernel void run(__global mystery *y, int n);");
  });
});

describe("hover in CUDA C++", () => {
  const params = "struct Params { float scale; double offset; int count; };\n";

  it("spells declarations in the words of CUDA C++", () => {
    expect(inCuda("__global__ void k(const float *__restrict__ i‸n) {}").signature).toBe("const float *__restrict__ in;");
    expect(
      inCuda("template <typename T> __device__ T tw‸ice(T x) { return x + x; }\n__global__ void k(float *o) { *o = twice(1.0f); }")
        .signature,
    ).toBe("__device__ T twice(T x);");
    expect(inCuda("constexpr int ‸N = 32;").signature).toBe("constexpr int N = 32;");
    expect(inCuda("constexpr const char *na‸me = nullptr;").signature).toContain("constexpr const char *const name");
  });

  it("says where the bytes of dynamic shared memory and managed variables are", () => {
    expect(inCuda("extern __shared__ float d‸yn[];").lines[2]).toBe(
      "Takes the bytes that the launch passes as its third argument: up to 49,152 for each block, more after `cudaFuncSetAttribute`",
    );
    expect(inCuda("__managed__ float bo‸th[4];").lines[2]).toBe("Takes 16 bytes of global memory, aligned to 4");
  });

  it("gives a kernel's parameters their bytes and the limit in force", () => {
    const kernel = `${params}__global__ void ‸run(const Params p, int n, float *out) { __shared__ float tile[256]; *out = tile[n]; }`;
    expect(inCuda(kernel)).toMatchObject({
      signature: "__global__ void run(const Params p, int n, float *out);",
      lines: [
        "Every thread of a launch runs it; the host does not wait for it",
        "Parameters: 40 bytes of 4,096 (32,764 from compute capability 7.0 and CUDA 12.1 on)",
        "Shared memory per block: 1,024 of 49,152 bytes",
      ],
    });
    expect(inCuda(kernel, { architectures: [90] }).lines[1]).toContain("40 bytes of 32,764 (4,096 before CUDA 12.1)");
    expect(inCuda(kernel, { architectures: [60, 90] }).lines[1]).toContain("40 bytes of 4,096");
    expect(inCuda(`${params}__global__ void run(const Params ‸p, int n) { }`).lines).toEqual([
      "Every thread of the grid has its own value",
      "Lives as long as the grid, in constant memory; a thread that writes it, or gives its address to a call that is not inlined, copies it to its stack",
      "Takes 24 bytes at offset 0, aligned to 8, 8 of them padding; the parameters take 28 of 4,096 (32,764 from compute capability 7.0 and CUDA 12.1 on)",
    ]);
  });

  it("leaves out sizes that depend on a template argument or are unknown", () => {
    expect(inCuda("template <typename T> __global__ void ‸fill(T value, int n) { }").lines[1]).toContain("at least 4 bytes of 4,096");
    expect(inCuda("__global__ void ‸k(mystery_t m) { }")).toMatchObject({
      signature: "__global__ void k(mystery_t m);",
      lines: [expect.any(String), expect.stringContaining("Parameters: unknown, at most 4,096")],
    });
  });

  it("explains an annotation that the project writes as a macro", () => {
    expect(inCuda(`#define GC __grid_constant__\n${params}__global__ void run(const G‸C Params p) { }`)).toMatchObject({
      signature: "// GC stands for __grid_constant__ here\n__grid_constant__ const Params p;",
      lines: [
        "One read-only object, at the same address for all threads of the grid",
        expect.any(String),
        expect.stringContaining("No thread copies it to its stack"),
      ],
    });
  });

  it("counts constant and shared memory", () => {
    const text = "__constant__ float table[1024];\n__constant__ int steps;\n__global__ void k(float *out) { out[0] = ste‸ps; }";
    expect(inCuda(text).lines).toEqual([
      "Seen by all device code of its module, read only; the host writes it with `cudaMemcpyToSymbol`",
      "Lives as long as the CUDA context; an initializer must be a constant expression",
      "Takes 4 of the 65,536 bytes of a module; this translation unit takes 4,100",
    ]);
    expect(inCuda("__global__ void k(float *o) { __shared__ float ‸t[8]; __shared__ char c; *o = t[1] + c; }").lines[2]).toBe(
      "Takes 32 of the 49,152 bytes of a block; `k` takes 33",
    );
    expect(inCuda("__global__ void k() { __shared__ float ‸t[8]; }").lines[2]).toBe(
      "Takes 32 of the 49,152 bytes of a block; nothing reads it, so the compiler removes it",
    );
    expect(inCuda("__device__ float f();\n__global__ void ‸k(float *o) { __shared__ float t[8]; *o = t[1] + f(); }").lines[2]).toBe(
      "Shared memory per block: at least 32 of 49,152 bytes: functions of other files may add to it",
    );
    expect(inCuda("template <int n> __global__ void ‸k(float *o) { __shared__ float t[n]; *o = t[1]; }").lines[2]).toBe(
      "Shared memory per block: depends on template arguments; at most 49,152 bytes",
    );
  });

  it("knows the variables that CUDA defines for each thread", () => {
    const { signature, lines } = inCuda("__global__ void k(int *o) { o[thread‸Idx.x] = 1; }");
    expect(signature).toBe("const uint3 threadIdx;");
    expect(lines).toEqual([
      "Seen by each thread, with its own value: its place in the block",
      "Never changes while the thread runs, and cannot be written",
      "A special register: it takes no memory",
    ]);
  });

  it("lists the objects that a local pointer may point to, as far as the file shows", () => {
    const body = (code: string) =>
      inCuda(`__constant__ float table[4];\n__global__ void k(float *o, float **deep) { __shared__ float t[4]; ${code} }`).lines[0];
    expect(body("float *q = t; float *‸p = q + 1; p = &t[2];")).toBe("Points to shared memory (`t`)");
    expect(body("const float *‸p = table; p = o;")).toBe(
      "Points to constant memory (`table`) or memory that the launch passes as `o`, normally global",
    );
    expect(body("float *‸p = *deep;")).toBe("May point to any memory: this file does not show where its value comes from");
    expect(body("float own; float *‸p = &own;")).toBe("Points to the thread's own stack (`own`)");
    expect(inCuda("__device__ float f(const float *‸p) { return *p; }\n__global__ void k(float *o) { *o = f(o); }").lines[0]).toBe(
      "Points to memory that the launch passes as `o`, normally global, as called in this file",
    );
    expect(inCuda("__device__ float f(const float *‸p) { return *p; }").lines[0]).toBe("May point to any memory: its callers decide");
    expect(cu("void host(float *‸p) { }")).toContain("Parameter of `host`");
  });

  it("explains device functions, and the host's functions that copy symbols", () => {
    expect(inCuda("__device__ float ‸f(float x) { return x; }\n__global__ void k(float *o) { *o = f(1); }").lines[0]).toBe(
      "Runs on the device, in the thread that calls it; called here by `k`",
    );
    const { signature, lines } = inCuda("__constant__ int n;\nvoid h(int v) { cudaMemcpy‸ToSymbol(n, &v, sizeof v); }");
    expect(signature).toContain("cudaMemcpyToSymbol(const T &, const void *, size_t");
    expect(lines[0]).toContain("Takes the variable itself, not its address or its name as a string");
  });

  it("explains template parameters that stand for a value", () => {
    const kernel =
      "template <typename T, int taps> __global__ void filter(T *p) { for (int i = 0; i < TAPS; i++) p[i] = 0; }\nvoid run(float *p) { filter<float, 8><<<1, 1>>>(p); filter<float, 16><<<1, 1>>>(p); }";
    for (const marked of [kernel.replace("int taps", "int ta‸ps").replace("TAPS", "taps"), kernel.replace("TAPS", "ta‸ps")]) {
      const { signature, lines } = inCuda(marked);
      expect(signature).toBe("template <int taps> __global__ … filter(…)");
      expect(lines[2]).toBe(
        "The compiler generates a kernel for each value: this file instantiates `filter<float, 8>` and `filter<float, 16>`",
      );
    }
    expect(cu(kernel.replace("typename T", "typename ‸T").replace("TAPS", "taps"))).toBe("");
  });

  it("never says that device code has a value that it cannot use", () => {
    for (const declaration of [
      "struct P { float x; };\nconst P ‸p = {1};",
      "int read();\nconst int ‸n = read();",
      "extern const int ‸e;",
      "const volatile int ‸v = 1;",
      "const float ‸a[2] = {1, 2};",
    ])
      expect(inCuda(declaration).lines.join(" "), declaration).not.toContain("in the instructions");
    for (const declaration of ["const int ‸n = 1;", "constexpr float ‸f = 1;", "constexpr float ‸a[2] = {1, 2};"])
      expect(inCuda(declaration).lines[2], declaration).toContain("in device code the value is part of the instructions");
  });

  it("shows the types' names that the author wrote", () => {
    const types = "typedef struct alignas(64) CUtensorMap_st { unsigned long long opaque[16]; } CUtensorMap;\nusing real = float;\n";
    expect(inCuda(`${types}__global__ void k(const __grid_constant__ CUtensorMap ‸map, real *out) { }`).signature).toBe(
      "__grid_constant__ const CUtensorMap map;",
    );
    expect(inCuda(`${types}__global__ void ‸k(const CUtensorMap map, real *out, uint n) { }`).signature).toBe(
      "__global__ void k(const CUtensorMap map, real *out, uint n);",
    );
  });

  it("says which host constants device code may use", () => {
    expect(inCuda("const int lim‸it = 64;")).toMatchObject({
      signature: "const int limit = 64;",
      lines: ["Device code may use the value of `limit`, never its address or a reference to it", expect.any(String), expect.any(String)],
    });
    expect(inCuda(`${params}const Params fall‸back = { };`).lines[0]).toContain(
      "Device code cannot use `fallback` at run time: it is neither integral nor floating point",
    );
    expect(cu("int mut‸able_ = 1;")).toContain("Variable outside of functions");
    expect(inCuda("int cores();\nconst int lim‸it = cores();").lines[0]).toContain("its initializer runs when the program starts");
    expect(inCuda(`${params}constexpr Params fall‸back = { };`).lines[0]).toContain(
      "may use the values of `fallback`'s members and copy it",
    );
    expect(inCuda("constexpr int primes[3] = {2, 3, 5};\n__global__ void k(int *p) { *p = pri‸mes[1]; }").lines[0]).toContain(
      "elements of `primes` that the compiler computes, none with a variable index",
    );
  });

  it("describes names that a header declares", () => {
    const found = hover(
      "a.cu",
      '#include "p.cuh"\n__global__ void k(float *out) { out[0] = ta‸ble[0]; }',
      {},
      { "p.cuh": "#pragma once\nextern __constant__ float table[16];\n" },
    );
    expect(partsOf(found?.markdown ?? "", "cuda").lines[2]).toContain("64 of the 65,536 bytes");
  });

  it("names the standard or architecture, and the setting that it comes from", () => {
    const settings = { cplusplusStandard: 20, architectures: [80], origin: "compile_commands.json", macros: [{ name: "A", value: "1" }] };
    expect(inCuda("__device__ int ‸x;", settings).last).toContain(
      "*judged by CUDA C++20 for sm_80; settings: `compile_commands.json`, 1 macro*",
    );
    expect(inCuda("__device__ int ‸x;").last).toContain("no settings found");
  });
});
