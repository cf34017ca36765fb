/** Completion, signatures, outline, definitions, references, renaming and folding ranges, at marks `‸` in complete and incomplete code. */
import { afterAll, describe, expect, it } from "vitest";
import { type CompileSettings, noSettings } from "../../../server/src/dialect.ts";
import { completionsAt } from "../../../server/src/editor/language/completion.ts";
import { refusalOf } from "../../../server/src/editor/language/new-names.ts";
import { foldsOf, outlineOf } from "../../../server/src/editor/language/outline.ts";
import { signatureHelpAt } from "../../../server/src/editor/language/signatures.ts";
import { occurrencesOf, symbolAt } from "../../../server/src/editor/language/symbols.ts";
import { describeBuiltin } from "../../../server/src/editor/language/words-of-language.ts";
import { gpuWordsOf } from "../../../server/src/qualifiers.ts";
import { createService, type Service } from "../../../server/src/service.ts";
import { memoryFiles, testParser } from "../../service.ts";

const parser = await testParser();
const services: Service[] = [];
afterAll(() => services.forEach((service) => void service.dispose()));

/** The service, the marked file without its mark, and the offset of the mark. */
function opened(marked: Readonly<Record<string, string>>, settings: Partial<CompileSettings> = { openclStandard: "CL2.0" }) {
  const [name = "", text = ""] = Object.entries(marked).find(([, content]) => content.includes("‸")) ?? [];
  const texts = new Map(Object.entries(marked).map(([file, content]) => [`file:///${file}`, content.replace("‸", "")]));
  const service = createService({ files: memoryFiles(texts), parser, settingsOf: () => ({ ...noSettings, ...settings }) });
  services.push(service);
  return { service, uri: `file:///${name}`, text: text.replace("‸", ""), offset: text.indexOf("‸"), texts };
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
  ])("offers the members after %s", (expression, members) => {
    const own = "struct S { float4 position; int tags[2]; struct S *next; union { int raw; float real; }; };\n";
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

describe("signature help", () => {
  const help = (marked: string) => {
    const { service, uri, text, offset } = opened({ "a.cl": marked }, { openclStandard: "CL1.2" });
    const found = signatureHelpAt(service.read(uri), text, offset);
    const active = found?.signatures[found.active];
    const parameter = active?.parameters[found?.parameter ?? 0];
    return found === undefined
      ? undefined
      : {
          label: active?.label,
          parameter: parameter && active?.label.slice(parameter.start, parameter.end),
          count: found.signatures.length,
        };
  };

  it("chooses the overload by the arguments that stand", () => {
    expect(help("kernel void k(float4 v, int2 n) { max(v, ‸); }")?.label).toBe("float4 max(float4, float4)");
    expect(help("kernel void k(float4 v, int2 n) { max(n, ‸); }")?.label).toBe("int2 max(int2, int2)");
    expect(help("kernel void k(local int *p) { atomic_add(p, ‸); }")?.label).toMatch(/^int atomic_add\(/);
  });

  it("shows the overloads with their address spaces, and the current argument", () => {
    const found = help("kernel void k(global float *o) { float f = fract(1.0f, ‸");
    expect(found).toMatchObject({ label: "float fract(float, __global float *)", parameter: "__global float *" });
    expect(found?.count).toBeGreaterThan(2);
    expect(help("kernel void k(global float *o) { o[get_global_id(‸)] = 1; }")).toMatchObject({
      label: "size_t get_global_id(uint)",
      parameter: "uint",
    });
    expect(help("kernel void k(global float *o) { o[0] = clamp(o[min(1, 2)], ‸0.0f, 1.0f); }")?.label).toContain("clamp(");
  });

  it("shows the author's own functions, and nothing elsewhere", () => {
    const own = "float sum(local float *row, int n) { return row[n]; }\nkernel void k(local float *t) { sum(t, ‸); }";
    expect(help(own)).toEqual({ label: "float sum(__local float *row, int n)", parameter: "int n", count: 1 });
    expect(help("kernel void k(void) { unknown_function(‸); }")).toBeUndefined();
    expect(help("kernel void k(void) { int a = (‸1 + 2); }")).toBeUndefined();
  });
});

describe("names", () => {
  const header = "#ifndef H\n#define H\n#define TAPS 9\nconstant float weights[TAPS] = {1};\nfloat sum(const float *row, int n);\n#endif\n";
  const source =
    '#include "sum.h"\nfloat sum(const float *row, int n) { float s = 0; for (int i = 0; i < n && i < TAPS; i++) s += row[i] * weights[i]; return s; }\n';
  const other = '#include "sum.h"\nkernel void run(global float *out) { float own[TAPS]; out[0] = sum(own, TAPS); }\n';
  const stranger = "float sum(float a) { return a; }\n#define TAPS 2\n";
  const files = { "sum.h": header, "sum.cl": source, "run.cl": other, "stranger.cl": stranger };

  const asked = (name: keyof typeof files, word: string) => {
    const marked = { ...files, [name]: files[name].replace(word, `${word.slice(0, 1)}‸${word.slice(1)}`) };
    const { service, uri, offset, texts } = opened(marked);
    const symbol = symbolAt(service.read(uri), offset, service);
    const show = (place: { readonly uri: string; readonly span: { readonly start: number; readonly end: number } }) =>
      `${place.uri.slice("file:///".length)}:${(texts.get(place.uri) ?? "").slice(0, place.span.start).split("\n").length}`;
    return {
      definition: symbol?.declarations[0] && show(symbol.declarations[0]),
      places: symbol === undefined ? [] : occurrencesOf(symbol, uri, service).map(show).sort(),
    };
  };

  it("of functions lead to the definition and reach every file that includes the declaration", () => {
    expect(asked("sum.h", "sum")).toEqual({ definition: "sum.h:5", places: ["run.cl:2", "sum.cl:2", "sum.h:5"] });
    expect(asked("sum.cl", "sum(").definition).toBe("sum.cl:2");
  });

  it("of macros and constants include uses in constant expressions", () => {
    expect(asked("run.cl", "TAPS")).toEqual({ definition: "sum.h:3", places: ["run.cl:2", "run.cl:2", "sum.cl:2", "sum.h:3", "sum.h:4"] });
    expect(asked("sum.cl", "weights")).toEqual({ definition: "sum.h:4", places: ["sum.cl:2", "sum.h:4"] });
  });

  it("of local variables stay in their function, and members and shadows keep their own", () => {
    const text =
      "struct S { int n; };\nconstant int n = 3;\nkernel void k(global struct S *s, global int *o) { o[0] = n; { int n = 1; o[1] = n; } s->n = n; }\nint f(int n) { return n; }\n";
    const places = (marked: string) => {
      const { service, uri, offset } = opened({ "a.cl": marked });
      const symbol = symbolAt(service.read(uri), offset, service);
      return symbol === undefined ? [] : occurrencesOf(symbol, uri, service).map(({ span }) => span.start);
    };
    const constant = places(text.replace("constant int n", "constant int ‸n"));
    expect(constant.map((start) => text.slice(start - 4, start + 1))).toEqual(["int n", "] = n", "n = n"]);
    expect(places(text.replace("{ int n = 1", "{ int ‸n = 1")).map((start) => text.slice(start - 4, start + 1))).toEqual([
      "int n",
      "] = n",
    ]);
    // A member is found through an object of its class.
    expect(places(text.replace("{ int n;", "{ int ‸n;")).map((start) => text.slice(start - 3, start + 1))).toEqual(["nt n", "s->n"]);
    expect(places(text.replace("f(int n", "f(int ‸n"))).toHaveLength(2);
    expect(places("kernel void k(void) { int a = 1; bar‸rier(a); }")).toEqual([]);
  });
});

describe("outline and folds", () => {
  it("names kernels, functions, constants, structures and macros", () => {
    const { service, uri, text } = opened({
      "a.cl":
        "‸#define N 4\nstruct S { int a; };\nconstant int table[N] = {1};\nint f(int x) {\n  return x;\n}\nkernel void run(global int *out) { out[0] = f(1); }\n",
    });
    expect(outlineOf(service.read(uri), text).map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      "macro N",
      "struct S",
      "constant table",
      "function f",
      "kernel run",
    ]);
    const f = outlineOf(service.read(uri), text).find(({ name }) => name === "f");
    expect(text.slice(f?.span.start, f?.span.end)).toBe("int f(int x) {\n  return x;\n}");
  });

  it("folds blocks, comments and conditional sections, even if a brace is missing", () => {
    const text = "/* a\n b */\n#if A\nint f() {\n  return 1;\n}\n#else\n// x\n#endif\nint g() {\n";
    const lines = foldsOf(text).map(({ span }) => [
      text.slice(0, span.start).split("\n").length,
      text.slice(0, span.end).split("\n").length,
    ]);
    expect(lines).toEqual([
      [1, 2],
      [4, 6],
      [3, 6],
      [7, 8],
    ]);
  });
});

describe("a new name", () => {
  const refused = (files: Readonly<Record<string, string>>, newName: string, settings?: Partial<CompileSettings>) => {
    const { service, uri, offset } = opened(files, settings);
    const symbol = symbolAt(service.read(uri), offset, service);
    if (symbol === undefined) throw new Error("no symbol");
    return refusalOf(symbol, newName, uri, occurrencesOf(symbol, uri, service), service);
  };
  const file = {
    "lib.h":
      "#define LIMIT 4\n#define ADD(a, b) ((a) + (b) + offset)\ntypedef struct { int inner; } Pair;\nenum { RED, GREEN };\nint twice(int of);\n",
    "a.cl": `#include "lib.h"
constant int table[2] = {1, 2};
int twice(int of) { return 2 * of; }
int apart(int alone) { return alone; }
kernel void k(global int *out, int n) {
  int su‸m = n + table[0];
  for (int i = 0; i < n; i++) { Pair p; p.inner = i; sum += p.inner; }
  out[0] = sum;
}
`,
  };

  it.each([
    ["for", "'for' is a keyword."],
    ["class", "'class' is a keyword."],
    ["float4", "'float4' is a type of OpenCL C."],
    ["image2d_t", "'image2d_t' is a type of OpenCL C."],
    ["uint", "'uint' is a type of OpenCL C."],
    ["global", "'global' is a qualifier of OpenCL C."],
    ["__local", "'__local' is a qualifier of OpenCL C."],
    ["generic", "'generic' is a qualifier of OpenCL C."],
    ["get_global_id", "'get_global_id' is a function of OpenCL C."],
    ["convert_int4_sat", "'convert_int4_sat' is a function of OpenCL C."],
    ["work_group_barrier", "'work_group_barrier' is a function of OpenCL C."],
    ["M_PI", "'M_PI' is a name of OpenCL C."],
    ["memory_order_relaxed", "'memory_order_relaxed' is a name of OpenCL C."],
    ["CLK_LOCAL_MEM_FENCE", "'CLK_LOCAL_MEM_FENCE' is a name of OpenCL C."],
    ["cl_khr_fp64", "'cl_khr_fp64' is a macro of OpenCL C."],
    ["2x", "'2x' is not an identifier."],
    ["", "'' is not an identifier."],
  ])("cannot be %s, which belongs to the language in some standard", (name, sentence) => {
    expect(refused(file, name)).toBe(sentence);
    expect(refused(file, name, { openclStandard: "CL1.2" })).toBe(sentence);
  });

  it.each([
    ["n", 5],
    ["out", 5],
    ["i", 7],
    ["p", 7],
    ["table", 2],
    ["twice", 3],
    ["k", 5],
  ])("cannot be %s, which is visible there", (name, line) => {
    expect(refused(file, name)).toBe(`'${name}' already means something else where 'sum' is used: see line ${line}.`);
  });

  it.each([
    ["LIMIT", 1],
    ["ADD", 1],
    ["offset", 2],
    ["Pair", 3],
    ["GREEN", 4],
  ])("cannot be %s, which a header declares or a macro uses", (name, line) => {
    expect(refused(file, name)).toMatch(
      new RegExp(`^'${name}' already means something else where 'sum' is used: see line \\d+( of lib\\.h)?\\.$`),
    );
    expect(line).toBeGreaterThan(0);
  });

  it.each(["total", "alone", "of", "inner", "a", "sum", "apart2", "lib", "h"])("may be %s, which means nothing there", (name) => {
    expect(refused(file, name)).toBeUndefined();
  });

  it("of a function must not be that of a local name where it is called", () => {
    const calls = {
      "a.cl": "int su‸m(int a) { return a; }\nkernel void k(global int *out, int n) { out[0] = sum(n); }\nint g(int m) { return m; }\n",
    };
    expect(refused(calls, "n")).toBe("'n' already means something else where 'sum' is used: see line 2.");
    expect(refused(calls, "m")).toBeUndefined();
  });

  it("of a macro must be nowhere", () => {
    const macro = { "a.cl": "#define TA‸PS 9\ntypedef struct { int size; } S;\nkernel void k(global S *s) { s->size = TAPS; }\n" };
    expect(refused(macro, "size")).toBe("'size' already means something else where 'TAPS' is used: see line 2.");
    expect(refused(macro, "TAP_COUNT")).toBeUndefined();
  });

  it("follows CUDA's names in CUDA", () => {
    const cuda = { "a.cu": "__global__ void k(int *out) { int su‸m = 1; out[0] = sum; }\n" };
    for (const name of ["float4", "threadIdx", "__syncthreads", "__shared__", "class"])
      expect(refused(cuda, name, {})).toMatch(/^'\w+' is a/);
    expect(refused(cuda, "get_global_id", {})).toBeUndefined();
  });
});
