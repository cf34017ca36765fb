/** Completion, at marks `‸` in complete and incomplete code. */
import { describe, expect, it } from "vitest";
import type { CompileSettings } from "../../../server/src/dialect.ts";
import { completionsAt } from "../../../server/src/editor/language/completion.ts";
import { signatureHelpAt } from "../../../server/src/editor/language/signatures.ts";
import { describeBuiltin } from "../../../server/src/editor/language/words-of-language.ts";
import { gpuWordsOf } from "../../../server/src/qualifiers.ts";
import { opened } from "./opened.ts";

/** The labels that begin with the typed letters, as clients sort them. */
function sorted(marked: string, name = "a.cl"): readonly string[] {
  const { service, uri, text, offset } = opened({ [name]: marked }, {});
  const typed = /\w*$/.exec(text.slice(0, offset))?.[0] ?? "";
  const key = ({ rank = 1, distance = 999_999, label }: { rank?: number; distance?: number; label: string }) =>
    `${rank}${String(distance).padStart(6, "0")}${label}`;
  return completionsAt(service.read(uri), text, offset, service.files)
    .filter(({ label }) => label.startsWith(typed))
    .toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
    .map(({ label }) => label);
}

function completed(marked: string, name = "a.cl", settings?: Partial<CompileSettings>): readonly string[] {
  const { service, uri, text, offset } = opened({ [name]: marked }, settings);
  return completionsAt(service.read(uri), text, offset).map(({ label }) => label);
}

describe("completion", () => {
  it("offers qualifiers where they are allowed, in the spelling of the file", () => {
    expect(completed("kernel void k(global int *p) { }\n‸")).toEqual(
      expect.arrayContaining(["kernel", "global", "local", "constant", "private", "generic"]),
    );
    expect(completed("__kernel void k(__global int *p) { }\n__kernel void l(__glo‸")).toEqual(
      expect.arrayContaining(["__global", "__constant", "__read_only"]),
    );
    const parameter = completed("kernel void k(global int *p, ‸) { }");
    expect(parameter).toEqual(expect.arrayContaining(["global", "local", "read_only"]));
    expect(parameter).not.toContain("kernel");
    expect(parameter).not.toContain("get_global_id");
    expect(completed("kernel void k(global int *‸) { }")).toEqual(expect.arrayContaining(["restrict", "const"]));
    const body = completed("kernel void k(global int *p) {\n  ‸\n}");
    expect(body).toEqual(expect.arrayContaining(["local", "constant", "get_global_id", "p", "barrier"]));
    expect(body).not.toContain("kernel");
    expect(body).not.toContain("read_only");
    expect(completed("kernel void k(global int *p) { p = (‸) }")).toContain("global");
  });

  it("reads each branch of a conditional from where the conditional begins", () => {
    const text =
      "#if WIDE\nkernel void k(global float4 *p) {\n#else\nkernel void k(glo‸, int n) {\n#endif\n  local int tile[4];\n}\nkernel void l(void) { }\n";
    expect(completed(text)).toContain("global");
    const after = text.replace("glo‸", "global float *p").replace("l(void)", "l(‸)");
    expect(completed(after)).toEqual(expect.arrayContaining(["global", "read_only"]));
    expect(completed(text.replace("glo‸", "global float *p").replace("int tile[4];", "int tile[4]; ‸"))).toContain("barrier");
    const nested = "kernel void k(global int *p) {\n#if A\n  if (p[0]) {\n#ifdef B\n    f(\n#endif\n#else\n  {\n#endif\n    ‸\n  }\n}\n";
    expect(completed(nested)).toEqual(expect.arrayContaining(["for", "p"]));
  });

  it("knows which standard has which function", () => {
    expect(completed("kernel void k(void) { ‸ }", "a.cl", { openclStandard: "CL1.2" })).not.toContain("generic");
    expect(completed("kernel void k(void) { ‸ }", "a.cl", { openclStandard: "CL1.2" })).not.toContain("work_group_barrier");
    expect(completed("kernel void k(void) { ‸ }")).toContain("work_group_barrier");
  });

  it("offers the functions of every standard if none is configured, and names it", () => {
    const { service, uri, text, offset } = opened({ "a.cl": "kernel void k(void) { ‸ }" }, {});
    const details = new Map(completionsAt(service.read(uri), text, offset).map(({ label, detail }) => [label, detail]));
    expect(details.get("get_global_id")).toBe("OpenCL C");
    expect(details.get("work_group_barrier")).toBe("OpenCL C 2.0 and 3.0");
    expect(details.get("generic") ?? details.get("__generic")).toBe("address space, OpenCL C 2.0 and 3.0");
    expect(describeBuiltin("work_group_barrier", service.read(uri))).toContain("void work_group_barrier(");
    const call = "kernel void k(void) { work_group_barrier(";
    const half = opened({ "b.cl": `${call}‸` }, {});
    expect(signatureHelpAt(half.service.read(half.uri), half.text, half.offset)?.signatures.length).toBeGreaterThan(0);
  });

  it("offers macros of headers with their definition, without their guards", () => {
    const { service, uri, text, offset } = opened({
      "a.cl": '#include "a.h"\n#define TAPS 9\nkernel void k(void) { int n = ‸ }',
      "a.h": '#ifndef A_H\n#define A_H\n#include "b.h"\n#endif\n',
      "b.h": "#define SQUARE(x) ((x) * (x))\n",
    });
    const details = new Map(completionsAt(service.read(uri), text, offset, service.files).map(({ label, detail }) => [label, detail]));
    expect([details.get("TAPS"), details.get("SQUARE"), details.get("A_H")]).toEqual(["TAPS 9", "SQUARE(x) ((x) * (x))", undefined]);
  });

  it("offers a name of the file once, even if a builtin function has the same name", () => {
    const text = "float clamp(float x) { return x; }\nkernel void k(global float *o) { o[0] = ‸ }";
    expect(completed(text).filter((label) => label === "clamp")).toHaveLength(1);
  });

  it("offers builtin functions and names of the file in expressions, but not in comments, directives, member accesses and declarators", () => {
    const text =
      "#define TAPS 9\nconstant int table[4] = {1};\nint helper(int n) { int inner = n; return inner; }\nkernel void k(global int *out) { int own = 1; out[0] = ‸";
    const names = completed(text);
    expect(names).toEqual(expect.arrayContaining(["TAPS", "table", "helper", "out", "own", "clamp"]));
    expect(names).not.toContain("inner");
    expect(names).not.toContain("k");
    for (const nothing of [
      "// glo‸",
      "/* glo‸ */",
      "#include ‸",
      "kernel void k(global float *p) { p->‸ }",
      "kernel void k(void) { float ‸ }",
    ])
      expect(completed(nothing).filter((label) => label !== "TAPS")).toEqual([]);
  });

  it.each([
    ["#‸", ["include", "define", "pragma"], []],
    ["#if‸", ["if", "ifdef"], []],
    ["#define TAPS 9\n#ifdef OUTER\n#endif\n#if ‸", ["TAPS", "OUTER", "defined", "__OPENCL_VERSION__", "cl_khr_fp64"], ["get_global_id"]],
    ["#pragma ‸", ["OPENCL EXTENSION", "unroll"], ["include"]],
    ["#pragma OPENCL EXTENSION cl_‸", ["cl_khr_fp64", "cl_khr_fp16", "cl_intel_subgroups"], ["enable"]],
    ["#pragma OPENCL EXTENSION cl_khr_fp64 : ‸", ["enable", "disable"], ["cl_khr_fp16"]],
    ["#pragma OPENCL FP_CONTRACT ‸", ["ON", "OFF"], []],
    ["__attribute__((‸)) kernel void k(void) {}", ["reqd_work_group_size", "vec_type_hint"], ["float4"]],
    ["kernel __attribute__((reqd_work_group_size(1, 1, 1), ‸)) void k(void) {}", ["work_group_size_hint"], ["float4"]],
    ["#if 1 // ‸", [], ["defined"]],
    ["#define ‸", [], ["defined", "define"]],
  ])("offers the words of a directive or an attribute: %s", (marked, expected, others) => {
    const labels = completed(marked);
    expect(labels).toEqual(expect.arrayContaining(expected));
    for (const other of others) expect(labels).not.toContain(other);
  });

  it("offers the headers and folders beside the file and below the include paths", () => {
    const others = { "src/near.h": "", "src/deep/far.clh": "", "include/lib/all.h": "", "src/a.txt": "" };
    const labelsOf = (line: string) => {
      const { service, uri, text, offset } = opened({ "src/a.cl": line, ...others }, { includePaths: ["file:///include"] });
      return completionsAt(service.read(uri), text, offset, service.files).map(({ label }) => label);
    };
    expect(labelsOf('#include "‸"')).toEqual(["near.h", "deep/", "lib/"]);
    expect(labelsOf("#include <deep/f‸>")).toEqual(["far.clh"]);
    expect(labelsOf('#include "../include/lib/‸')).toEqual(["all.h"]);
  });

  it("offers what other files declare, from which the host may build one program", () => {
    const other =
      "#define LIMIT 4\ntypedef struct { int n; } Item;\nfloat helper(float x) { float inner = x; return inner; }\nint later(int n);\nconstant OTHER float table[2] = {1, 2};\n";
    const { service, uri, text, offset } = opened({ "a.cl": "kernel void k(void) { ‸ }", "b.cl": other, "c.cu": "#define CUDA_ONLY 1\n" });
    const details = new Map(completionsAt(service.read(uri), text, offset, service.files).map(({ label, detail }) => [label, detail]));
    expect(["LIMIT", "Item", "helper", "table", "inner", "later", "CUDA_ONLY"].map((name) => details.get(name))).toEqual([
      "declared in b.cl",
      "declared in b.cl",
      "declared in b.cl",
      "declared in b.cl",
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("offers members and words of other functions where a name is declared, and qualifiers after a type", () => {
    const text = "typedef struct { int ‸; } S;\nkernel void k(global S *s) { s->count = 1; }";
    expect(completed(text)).toContain("count");
    const other = "void f(global float *image) { image[0] = 1; }\n";
    expect(completed(`${other}void g(global float *‸) { image[1] = 2; }`)).toContain("image");
    expect(completed(`${other}void g(void) { float a, ‸; image; }`)).toContain("image");
    expect(completed(`${other}void g(void) { ‸ }`)).not.toContain("image");
    expect(completed("kernel void k(uint co‸) {}")).toEqual(expect.arrayContaining(["const"]));
    expect(completed("kernel void k(uint ‸) {}")).not.toContain("const");
  });

  it("takes no directive for the beginning of a statement or a parameter", () => {
    expect(completed("kernel void k(global int *p) {\n#if WIDE\n  ui‸\n#endif\n}")).toContain("uint");
    expect(completed("kernel void k(global int *p,\n#ifdef CACHE\n  glo‸\n#endif\n) {}")).toContain("global");
    expect(completed("kernel void k(global int4 *p) {\n#if USE(p)\n  p->‸\n#endif\n}")).toContain("xyz");
  });

  it("offers types and names after a word that may be a qualifier or a type of the build", () => {
    expect(completed("kernel void k(CACHED ui‸) {}")).toContain("uint");
    expect(completed("void f(global float *image) {}\nkernel void k(PIXEL ‸) {}")).toContain("image");
  });

  it("offers what other files name for declarations, and their macros of the build elsewhere, once two letters are typed", () => {
    const other = "kernel void blur_row(global float *pixels) { float inner = ROWS; pixels[0] = inner; }\n";
    const labelsOf = (marked: string) => {
      const { service, uri, text, offset } = opened({ "a.cl": marked, "b.cl": other });
      return completionsAt(service.read(uri), text, offset, service.files).map(({ label }) => label);
    };
    expect(labelsOf("kernel void bl‸() {}")).toContain("blur_row");
    expect(labelsOf("kernel void k(global float *pi‸) {}")).toContain("pixels");
    expect(labelsOf("kernel void k(void) { int n = RO‸; }")).toContain("ROWS");
    expect(labelsOf("kernel void k(void) { int n = in‸; }")).not.toContain("inner");
    expect(labelsOf("kernel void b‸() {}")).not.toContain("blur_row");
  });

  it("puts what the file uses before what it does not, the nearest first, and what begins as typed before all", () => {
    const { service, uri, text, offset } = opened({
      "a.cl": '#include "a.h"\nvoid f(void) { int far = mix_a(1); }\nkernel void k(void) { int n = mix_b(1) + mi‸; }',
      "a.h": "#define MIX_C 1\nint mix_a(int a);\nint mix_b(int b);\nint mix_d(int d);\n",
    });
    const found = new Map(completionsAt(service.read(uri), text, offset, service.files).map((entry) => [entry.label, entry]));
    const of = (label: string) => found.get(label);
    expect(of("mix_b")?.rank).toBe(of("mix_a")?.rank);
    expect(of("mix_b")?.distance).toBeLessThan(of("mix_a")?.distance ?? 0);
    expect(of("mix_a")?.rank).toBeLessThan(of("mix_d")?.rank ?? 0);
    expect([of("mix_d")?.isTypedSo, of("MIX_C")?.isTypedSo]).toEqual([true, false]);
  });

  it("offers both spellings of a qualifier where one is typed", () => {
    expect(completed("kernel void k(__gl‸) {}")).toContain("__global");
    expect(completed("__kernel void k(__global int *p) {}\nkernel void l(glo‸) {}")).toContain("global");
  });

  it("puts what has the expected type first", () => {
    const own = "typedef struct { int n; } S;\nint count; float4 color; S item;\nfloat4 mix4(float4 a); void use(S s);\n";
    const first = (body: string) => {
      const { service, uri, text, offset } = opened({ "a.cl": `${own}kernel void k(global float *g, local float *l) { ${body} }` });
      const entries = completionsAt(service.read(uri), text, offset);
      const ranks = new Map(entries.map(({ label, rank = 0 }) => [label, rank]));
      return (a: string, b: string) => (ranks.get(a) ?? 99) < (ranks.get(b) ?? 99);
    };
    expect(first("float4 c = ‸;")("color", "count")).toBe(true);
    expect(first("float4 c = ‸;")("mix4", "item")).toBe(true);
    expect(first("use(‸);")("item", "color")).toBe(true);
    expect(first("local float *p = ‸;")("l", "g")).toBe(true);
    expect(first("int n = ‸;")("get_work_dim", "mem_fence")).toBe(true);
  });

  it("offers snippets in the spelling of the file, where they may stand", () => {
    const snippetsIn = (marked: string) => {
      const { service, uri, text, offset } = opened({ "a.cl": marked });
      return completionsAt(service.read(uri), text, offset).flatMap(({ kind, snippet = "" }) => (kind === "snippet" ? [snippet] : []));
    };
    expect(snippetsIn("__kernel void k(__global int *p) {}\n‸")).toEqual([expect.stringMatching(/^__kernel void \$\{1:name\}\(__global /)]);
    const inKernel = snippetsIn("kernel void k(global int *p) { ‸ }");
    expect(inKernel).toEqual([
      expect.stringContaining("get_global_id"),
      expect.stringContaining("get_local_id"),
      expect.stringMatching(/^local /),
    ]);
    expect(snippetsIn("void f(void) { ‸ }")).toHaveLength(2);
    expect(snippetsIn("void f(int a) { a = ‸ }")).toEqual([]);
  });

  it("offers types and keywords where a declaration or a statement may begin", () => {
    const own = "typedef struct { int a; } item_t;\nstruct node { int b; };\n";
    expect(completed(`${own}‸`)).toEqual(expect.arrayContaining(["float4", "uint", "typedef", "inline", "item_t"]));
    expect(completed(`${own}‸`)).not.toContain("for");
    const parameter = completed(`${own}kernel void k(global ‸) { }`);
    expect(parameter).toEqual(expect.arrayContaining(["float4", "const", "image2d_t", "item_t"]));
    expect(parameter).not.toContain("return");
    const body = completed(`${own}kernel void k(global item_t *p) {\n  ‸\n}`);
    expect(body).toEqual(expect.arrayContaining(["ulong16", "for", "break", "item_t", "node"]));
    expect(completed("kernel void k(void) { ‸ }", "a.cl", { openclStandard: "CL1.2" })).not.toContain("atomic_int");
    expect(completed("kernel void k(void) { ‸ }")).toContain("atomic_int");
  });

  it("puts in front what most authors mean", () => {
    expect(sorted("__‸").slice(0, 4)).toEqual(["__kernel", "__global", "__local", "__constant"]);
    expect(sorted("void f(float4 v) { v.‸ }").slice(0, 5)).toEqual(["x", "y", "z", "w", "s0"]);
    expect(sorted("struct S { int z; int a; };\nvoid f(struct S s) { s.‸ }").slice(0, 2)).toEqual(["z", "a"]);
    expect(sorted("__attribute__((‸")[0]).toBe("reqd_work_group_size");
    expect(sorted("#pragma OPENCL EXTENSION ‸")[0]).toMatch(/^cl_khr_/);
    expect(sorted("#pragma OPENCL EXTENSION cl_khr_fp16 : ‸")).toEqual(["enable", "disable"]);
    expect(sorted("kernel void k(global int *p) { barrier(‸) }")[0]).toMatch(/^CLK_\w+_MEM_FENCE$/);
    expect(sorted("kernel void k(global atomic_int *p) { atomic_store_explicit(p, 1, ‸) }")[0]).toMatch(/^memory_order_/);
  });

  it("offers no statements inside of expressions, and no words of directives", () => {
    const text = '#pragma OPENCL FP_CONTRACT ON\n#include "a.h"\n#define SIZE 4\nvoid f(int n) {\n  int m = ‸;\n}\n';
    const inExpression = sorted(text);
    const returning = sorted(`${text}int g(void) { if (1) return 0; return 1; }\n`);
    expect(returning.filter((label) => /^(?:if|return)$/.test(label))).toEqual([]);
    expect(inExpression.filter((label) => /^(?:if|return|for|pragma|include|define|FP_CONTRACT)$/.test(label))).toEqual([]);
    expect(inExpression.indexOf("m")).toBeGreaterThan(inExpression.indexOf("SIZE"));
    expect(inExpression).toEqual(expect.arrayContaining(["n", "SIZE", "sizeof", "get_global_id"]));
    expect(sorted(text.replace("int m = ‸;", "‸"))).toEqual(expect.arrayContaining(["if", "return"]));
  });

  it("reads no expression that is nested too deeply", () => {
    const nested = `${"(".repeat(20_000)}v${")".repeat(20_000)}`;
    expect(completed(`void f(float4 v) { ${nested}.‸ }`)).toEqual([]);
    const shallow = `${"(".repeat(20)}v${")".repeat(20)}`;
    expect(completed(`void f(float4 v) { ${shallow}.‸ }`)).toContain("x");
  });

  it("puts images last where none can be declared", () => {
    const { service, uri, text, offset } = opened(
      { "a.cl": "kernel void k(global int *image, read_only image2d_t other) {\n  im‸\n}\n" },
      {},
    );
    const entries = completionsAt(service.read(uri), text, offset).filter(({ label }) => label.startsWith("im"));
    const ranks = new Map(entries.map(({ label, rank }) => [label, rank]));
    expect([ranks.get("image"), ranks.get("image1d_t"), ranks.get("image2d_depth_t")]).toEqual([0, 8, 8]);
  });

  it("offers in the definition of a macro what may stand where it is used", () => {
    const text = "#define STEP(state, i) \\\n  state ^= \\\n  ‸\nkernel void k(global int *out) { int own = 1; STEP(own, out[0]); }\n";
    expect(completed(text)).toEqual(expect.arrayContaining(["state", "own", "out", "rotate", "STEP"]));
    expect(completed("#define ‸")).toEqual([]);
  });

  it.each([
    ["s.‸", ["position", "tags", "next", "raw"]],
    ["p->‸", ["position", "tags", "next", "raw"]],
    ["p[i + 1].next->‸", ["position", "tags", "next", "raw"]],
    ["s.position.‸", ["x", "w", "s3", "lo", "odd", "xy"]],
    ["p->next[0].position.‸", ["x", "w", "s3", "lo", "odd", "xy"]],
    ["wide.‸", ["s0", "sf", "hi"]],
    ["s.po‸;", ["position"]],
    ["(*p).‸", ["position", "tags", "next", "raw"]],
    ["(p + i)->‸", ["position", "tags", "next", "raw"]],
    ["i = (&s)->‸", ["position", "tags", "next", "raw"]],
    ["node(i).‸", ["position", "tags", "next", "raw"]],
    ["((global struct S *)p)->‸", ["position", "tags", "next", "raw"]],
    ["i = 1 + node(i).position.lo.‸", ["x", "y", "s1", "hi"]],
    ["(s.position * 2 + 1).‸", ["x", "w", "s3"]],
    ["(float4)(1, 2, 3, 4).‸", ["x", "w", "s3"]],
    ["fmax(s.position, 0.5f).‸", ["x", "w", "s3"]],
    ["convert_float4_rte(s.position).‸", ["x", "w", "s3"]],
    ["vload8(0, &i).‸", ["s0", "s7", "even"]],
  ])("offers the members after %s", (expression, members) => {
    const own = "struct S { float4 position; int tags[2]; struct S *next; union { int raw; float real; }; };\nstruct S node(int);\n";
    const text = `${own}kernel void k(global struct S *p, struct S s, int16 wide, int i) {\n  ${expression}\n}\n`;
    expect(completed(text)).toEqual(expect.arrayContaining(members));
    expect(completed(text)).not.toContain("get_global_id");
    if (expression.startsWith("wide")) expect(completed(text)).not.toContain("x");
  });

  it("describes a builtin function with the spaces that its pointers may have", () => {
    const { service, uri } = opened({ "a.cl": "‸" }, { openclStandard: "CL1.2" });
    expect(describeBuiltin("fract", service.read(uri))).toContain("float fract(float, __global float *)");
    expect(describeBuiltin("nothing", service.read(uri))).toBeUndefined();
  });

  it("offers the words of CUDA to clients that enable it", () => {
    const settings = {};
    expect(completed("‸", "a.cu", settings)).toEqual(expect.arrayContaining(["__global__", "__constant__"]));
    expect(completed("__global__ void k(‸) {}", "a.cu", settings)).toContain("__grid_constant__");
    expect(completed("__global__ void k() { ‸ }", "a.cu", settings)).toEqual(
      expect.arrayContaining(["__shared__", "__syncthreads", "atomicAdd"]),
    );
  });

  it.each([
    ["cuda", "a.cu", "__global__ void"],
    ["opencl", "a.cl", "__kernel void"],
  ] as const)("offers every qualifying word of %s somewhere", (language, name, kernel) => {
    const places = ["‸", `${kernel} k(‸) {}`, `${kernel} k() { ‸ }`].flatMap((marked) => completed(marked, name, {}));
    const spelled = (word: string) => [word, word.replace(/^__/, "")].some((each) => places.includes(each));
    expect(gpuWordsOf(language).filter((word) => !spelled(word))).toEqual([]);
  });
});
