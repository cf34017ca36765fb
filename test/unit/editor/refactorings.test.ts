/** Refactorings of correct code: the titles that are offered at a mark, and all files after one of them is applied. */
import { afterAll, describe, expect, it } from "vitest";
import { applyEdits, editsByFile } from "../../../server/src/diagnostics/fix-all.ts";
import { type CompileSettings, noSettings } from "../../../server/src/dialect.ts";
import { createService, type Service } from "../../../server/src/service.ts";
import { memoryFiles, testParser } from "../../service.ts";

const parser = await testParser();
const services: Service[] = [];
afterAll(() => services.forEach((service) => void service.dispose()));

type Texts = Readonly<Record<string, string>>;

/** The refactorings at the mark `‸` in one of the files. */
function at(marked: Texts, settings: Partial<CompileSettings> = {}) {
  const [name = ""] = Object.entries(marked).find(([, text]) => text.includes("‸")) ?? [];
  const offset = (marked[name] ?? "").indexOf("‸");
  const texts = new Map(Object.entries(marked).map(([file, text]) => [`file:///${file}`, text.replace("‸", "")]));
  const service = createService({ files: memoryFiles(texts), parser, settingsOf: () => ({ ...noSettings, ...settings }) });
  services.push(service);
  service.check(`file:///${name}`);
  const offered = service.refactorings(`file:///${name}`, { start: offset, end: offset });
  return {
    titles: offered.map(({ title }) => title),
    /** Every file after the refactoring, by its name. Fails if the service reports new findings in them. */
    apply: (title: string | RegExp): Texts => {
      const chosen = offered.find((each) => (typeof title === "string" ? each.title === title : title.test(each.title)));
      if (chosen === undefined) throw new Error(`no ${title} in ${offered.map((each) => each.title).join("; ")}`);
      const edits = editsByFile(chosen.edits);
      const changed = new Map([...texts].map(([uri, text]) => [uri, applyEdits(text, edits.get(uri) ?? [])]));
      const after = createService({ files: memoryFiles(changed), parser, settingsOf: () => ({ ...noSettings, ...settings }) });
      services.push(after);
      const errors = [...changed.keys()].flatMap((uri) => after.check(uri).diagnostics.filter(({ severity }) => severity === "error"));
      expect(errors.map(({ message }) => message)).toEqual([]);
      return Object.fromEntries([...changed].map(([uri, text]) => [uri.slice("file:///".length), text]));
    },
  };
}

describe("Add 'const __grid_constant__'", () => {
  const header = "#pragma once\nstruct P { int a[40]; };\n#define GRID_CONSTANT __grid_constant__\n__global__ void run(P p, float *out);\n";
  const source = '#include "run.cuh"\n__global__ void run(const P p, float *out) { out[0] = p.a[0]; }\n';

  it("edits every declaration with the project's macro, from any mention of the parameter or the kernel", () => {
    for (const marked of ["con‸st P p", "const ‸P p", "const P ‸p"]) {
      const { titles, apply } = at({ "run.cu": source.replace("const P p", marked), "run.cuh": header });
      expect(titles).toEqual(["Add 'const __grid_constant__' as 'GRID_CONSTANT' (2 declarations in 2 files)"]);
      expect(apply(/^Add/)).toEqual({
        "run.cu": source.replace("const P p", "const GRID_CONSTANT P p"),
        "run.cuh": header.replace("run(P p", "run(const GRID_CONSTANT P p"),
      });
    }
    expect(at({ "run.cu": source.replace("void run", "void r‸un"), "run.cuh": header }).titles).toEqual([
      "Add 'const __grid_constant__' to 'p' as 'GRID_CONSTANT' (2 declarations in 2 files)",
    ]);
  });

  it("is offered where the parameter is used, and where the kernel is launched", () => {
    const own = "struct P { int w[4]; };\n";
    const kernel = "__global__ void k(P p, int n, int *out) { out[n] = p.w[n]; }\n";
    const title = "Add 'const __grid_constant__' to 'p' (1 declaration in 1 file)";
    const launch = "void run(P q, int *out) { k<<<1, 1>>>(q, 4, out); }\n";
    const marked = [
      [kernel.replace("= p.w", "= ‸p.w"), launch],
      [kernel, launch.replace("k<<<", "‸k<<<")],
      [kernel, launch.replace("<<<1, 1", "<<<1‸, 1")],
      [kernel, launch.replace("(q, 4", "(‸q, 4")],
    ];
    for (const [first, second] of marked) {
      const { titles, apply } = at({ "a.cu": own + first + second });
      expect(titles, first).toEqual([title]);
      expect(apply(title)["a.cu"]).toBe(own + kernel.replace("P p", "const __grid_constant__ P p") + launch);
    }
    // Neither the number nor the pointer would gain anything.
    for (const [first, second] of [
      [kernel.replace("[n] =", "[‸n] ="), launch],
      [kernel.replace("{ out", "{ ‸out"), launch],
      [kernel, launch.replace("4, out)", "4, ‸out)")],
    ])
      expect(
        at({ "a.cu": own + first + second }).titles.filter((title) => title.includes("__grid_constant__")),
        first,
      ).toEqual([]);
  });

  it("is offered at uses in other files than the declaration, in templates, and with its counterpart", () => {
    const { titles, apply } = at({ "run.cu": source.replace("p.a", "‸p.a"), "run.cuh": header });
    expect(titles).toEqual(["Add 'const __grid_constant__' to 'p' as 'GRID_CONSTANT' (2 declarations in 2 files)"]);
    expect(apply(/^Add/)["run.cuh"]).toContain("run(const GRID_CONSTANT P p");
    const launched = at({
      "main.cu": '#include "run.cuh"\nvoid go(P p, float *o) { ru‸n<<<1, 1>>>(p, o); }\n',
      "run.cu": source,
      "run.cuh": header,
    });
    expect(launched.titles).toEqual(titles);
    expect(launched.apply(/^Add/)["run.cu"]).toContain("const GRID_CONSTANT P p");
    const template =
      "struct P { int w[4]; };\ntemplate <class T> __global__ void k(const P p, T *out) { out[0] = p.w[0]; }\nvoid go(P q, int *out) { k<int><<<1, 1>>>(‸q, out); }\n";
    expect(at({ "a.cu": template }).titles).toEqual(["Add 'const __grid_constant__' to 'p' (1 declaration in 1 file)"]);
    expect(at({ "a.cu": template.replace("‸", "").replace("= p.w", "= ‸p.w") }).titles).toHaveLength(1);
    const annotated = "struct P { int w[4]; };\n__global__ void k(const __grid_constant__ P p, int *out) { out[0] = ‸p.w[0]; }\n";
    expect(at({ "a.cu": annotated }).titles).toEqual(["Remove '__grid_constant__' from 'p' (1 declaration in 1 file)"]);
    expect(at({ "a.cu": "struct P { int w[4]; };\n__global__ void k(P p) { ‸p.w[0] = 1; }\n" }).titles).toEqual([]);
  });

  it("is offered in a header for a function that only closed files define", () => {
    const { apply } = at({ "run.cu": source, "run.cuh": header.replace("P p", "P ‸p") });
    expect(apply(/^Add/)["run.cu"]).toContain("const GRID_CONSTANT P p");
  });

  it("finds declarations in files without includes, and leaves other programs unchanged", () => {
    const own = "struct P { int a[40]; };\n";
    const files = {
      "a.cu": `${own}__global__ void run(P ‸p) { }\n`,
      "b.cu": `${own}__global__ void run(P);\n`,
    };
    expect(at(files).apply("Add 'const __grid_constant__' (2 declarations in 2 files)")["b.cu"]).toContain(
      "run(const __grid_constant__ P)",
    );
    const two = { ...files, "c.cu": `${own}__global__ void run(P p) { }\n` };
    expect(at(two).titles).toEqual(["Add 'const __grid_constant__' (1 declaration in 1 file)"]);
  });

  it("follows the word order of the other declarations and parameters", () => {
    const own = "struct P { int n; };\n";
    const cases = [
      ["const __grid_constant__ P p, P ‸q", "const __grid_constant__ P p, const __grid_constant__ P q"],
      ["__grid_constant__ const P p, P ‸q", "__grid_constant__ const P p, __grid_constant__ const P q"],
      ["__grid_constant__ const P p, const P ‸q", "__grid_constant__ const P p, __grid_constant__ const P q"],
      ["const P __grid_constant__ p, const P ‸q", "const P __grid_constant__ p, const P __grid_constant__ q"],
      ["P const ‸p", "P const __grid_constant__ p"],
      ["int ‸n", "const __grid_constant__ int n"],
      ["const float *‸p", "const float *const __grid_constant__ p"],
    ];
    for (const [before = "", after = ""] of cases)
      expect(at({ "a.cu": `${own}__global__ void k(${before}) { }\n` }).apply(/^Add/)["a.cu"]).toBe(
        `${own}__global__ void k(${after}) { }\n`,
      );
  });

  it("replaces const by a macro that contains const", () => {
    const macro = "#ifndef A_H\n#define A_H\n#define PARAM const __grid_constant__\n#endif\nstruct P { int n; };\n";
    expect(at({ "a.cu": `${macro}__global__ void k(const P ‸p, P q);\n` }).apply(/^Add/)["a.cu"]).toContain("k(PARAM P p, P q)");
    expect(at({ "a.cu": `${macro}__global__ void k(const P p, P ‸q);\n` }).apply(/^Add/)["a.cu"]).toContain("k(const P p, PARAM P q)");
  });

  it("uses a macro only if it is defined before the kernel, in every branch", () => {
    const offered = (text: string) => at({ "a.cu": `struct P { int n; };\n${text}` }).titles;
    expect(offered("__global__ void k(P ‸p);\n#define GC __grid_constant__\n")).toEqual([
      "Add 'const __grid_constant__' (1 declaration in 1 file)",
    ]);
    expect(offered("#if OLD\n#define GC __grid_constant__\n#endif\n__global__ void k(P ‸p);\n")).toEqual([
      "Add 'const __grid_constant__' (1 declaration in 1 file)",
    ]);
    expect(offered("#ifdef __CUDACC__\n#define GC __grid_constant__\n#else\n#define GC\n#endif\n__global__ void k(P ‸p);\n")).toEqual([
      "Add 'const __grid_constant__' as 'GC' (1 declaration in 1 file)",
    ]);
  });

  it("annotates specializations and instantiations with their template", () => {
    const text =
      "struct P { int n; };\ntemplate <class T> __global__ void k(const T ‸p) { }\ntemplate <> __global__ void k(const P p) { }\ntemplate __global__ void k(const int);\n";
    const { "a.cu": after = "" } = at({ "a.cu": text }).apply("Add 'const __grid_constant__' (3 declarations in 1 file)");
    expect(after.match(/__grid_constant__/g)).toHaveLength(3);
  });

  it("is not offered where const would not compile, by reference, for old devices and for functions", () => {
    const own =
      "struct P { int n; int *q; void set(); int get() const; };\n__device__ void change(P &p);\n__device__ void look(const P &p);\n";
    const offered = (text: string, settings: Partial<CompileSettings> = {}) => at({ "a.cu": own + text }, settings).titles;
    for (const body of ["p.n = 1;", "p.n++;", "p.set();", "change(p);", "int *r = &p.n;", "P &r = p;"])
      expect(offered(`__global__ void k(P ‸p) { ${body} }\n`), body).toEqual([]);
    for (const body of ["look(p);", "p.get();", "const int *r = &p.n;", "*p.q = 1;", "int *r = p.q;", "P r = p;"])
      expect(offered(`__global__ void k(P ‸p) { ${body} }\n`), body).toHaveLength(1);
    expect(offered("__global__ void k(P &‸p) { }\n")).toEqual([]);
    expect(offered("__global__ void k(P ‸p) { }\n", { architectures: [60] })).toEqual([]);
    expect(offered("__device__ void f(P ‸p) { }\n")).toEqual([]);
  });

  it("can be undone by its counterpart", () => {
    const annotated = {
      "run.cu": source.replace("const P p", "const GRID_CONSTANT P ‸p"),
      "run.cuh": header.replace("run(P p", "run(const GRID_CONSTANT P p"),
    };
    const { titles, apply } = at(annotated);
    expect(titles).toEqual(["Remove '__grid_constant__' (2 declarations in 2 files)"]);
    expect(apply(/^Remove/)).toEqual({ "run.cu": source, "run.cuh": header.replace("run(P p", "run(const P p") });
    expect(at({ "a.cu": "__global__ void k(const int __grid_constant__ ‸n);\n" }).apply(/^Remove/)["a.cu"]).toBe(
      "__global__ void k(const int n);\n",
    );
  });
});

describe("Qualify a pointer", () => {
  const settings = { openclStandard: "CL1.2" } as const;

  it("edits all declarations, and the pointers of callers", () => {
    const header = "float sum(const float *row, int n);\n";
    const source =
      '#include "sum.h"\nfloat sum(const float *r‸ow, int n) { const float *end = row + n; float s = 0; while (row < end) s += *row++; return s; }\n';
    const kernel = '#include "sum.h"\nkernel void run(global float *data) { data[0] = sum(data, 4); }\n';
    const { titles, apply } = at({ "sum.cl": source, "sum.h": header, "run.cl": kernel }, settings);
    expect(titles.filter((title) => title.includes("global"))).toEqual(["Make 'row' '__global' (3 declarations in 2 files)"]);
    const after = apply(/global/);
    expect(after["sum.h"]).toBe("float sum(__global const float *row, int n);\n");
    expect(after["sum.cl"]).toContain("sum(__global const float *row, int n) { __global const float *end = row + n;");
    expect(after["run.cl"]).toBe(kernel);
    expect(titles.some((title) => title.includes("local'"))).toBe(true);
  });

  it("follows callers that pass their own parameter on, in the file's spelling", () => {
    const text =
      "void inner(local int *p‸) { p[0] = 1; }\nvoid outer(local int *q) { inner(q + 1); }\nkernel void run(local int *t) { outer(t); }\n";
    const { apply, titles } = at({ "a.cl": text }, settings);
    expect(apply(/Make 'p' 'global'/)["a.cl"]).toBe(text.replaceAll("local", "global").replace("‸", ""));
    // The host gives a kernel no private memory, and constant memory is not written.
    expect(titles).toEqual(["Make 'p' 'global' (3 declarations in 1 file, changes argument 0 of 'run')"]);
    const bare = "kernel void run(global int *out) { int own; int *‸p = &own; }\n";
    expect(at({ "a.cl": bare }, settings).apply(/private/)["a.cl"]).toContain("private int *p = &own");
  });

  it("is offered on a use, and on the host's call that sets the argument", () => {
    const text = "kernel void blur(global int *out, global int *q) { out[0] = q[1]; }\n";
    const title = "Make 'q' 'local' (changes argument 1 of 'blur')";
    expect(at({ "a.cl": text.replace("q[1]", "‸q[1]") }, settings).titles).toContain(title);
    const host =
      'void run(cl_program p) {\n  cl_kernel k = clCreateKernel(p, "blur", 0);\n  clSetKernelArg(k, 0, 8, &a);\n  clSetKernelArg(k, ‸1, 8, &b);\n}\n';
    const { titles, apply } = at({ "host.cpp": host, "a.cl": text }, settings);
    expect(titles).toContain(title);
    expect(apply(/'local'/)["a.cl"]).toBe(text.replace("global int *q", "local int *q"));
    const other = "kernel void blur(global int *q) {}\n";
    expect(at({ "host.cpp": host, "a.cl": text, "b.cl": other }, settings).titles).toEqual([]);
    const unknown = host.replace('(p, "blur", 0)', "(p, name, 0)");
    expect(at({ "host.cpp": unknown, "a.cl": text }, settings).titles).toEqual([]);
  });

  it("offers only spaces that all other uses of the pointer can have", () => {
    const offered = (text: string) =>
      at({ "a.cl": text }, settings).titles.map((title) => / '_*(\w+)'/.exec(title.replace("'p'", ""))?.[1]);
    expect(offered("void f(int *‸p) { *p = 1; }\nvoid g() { int own[4]; f(own); }\n")).toEqual(["private"]);
    expect(offered("struct S { int *p; };\nvoid f(int *‸p, struct S *s) { s->p = p; }\n")).toEqual(["private"]);
    expect(offered("int *f(int *‸p) { return p; }\n")).toEqual(["private"]);
    expect(offered("typedef int *ints;\nvoid f(ints ‸p) { }\n")).toEqual([]);
    expect(offered("kernel void k(int ‸n) { }\n")).toEqual([]);
  });

  it("is not offered where a use may need the space, but no conversion says so", () => {
    const offered = (text: string) => at({ "a.cl": text }, settings).titles;
    expect(offered("void f(global int *‸p) { *p = 1; }\n")).not.toEqual([]);
    for (const text of [
      "ulong f(global int *‸p) { return (ulong)p; }\n",
      "global int *f(ulong bits) { global int *‸p = (global int *)bits; return p; }\n",
      "void f(global char *‸p) { printf(p); }\n",
      "void f(global int *‸p) { unknown(p); }\n",
      "void f(global int *‸p) { __typeof__(*p) x = 1; }\n",
      "void f(p) global int *‸p; { }\n",
      "void f(global int *‸p) { *p = 1; barrier(CLK_GLOBAL_MEM_FENCE); }\n",
      "void f(local int *‸p) { *p = 1; write_mem_fence(CLK_LOCAL_MEM_FENCE); }\n",
    ])
      expect(offered(text), text).toEqual([]);
  });
});

describe("other ways for a kernel's parameter", () => {
  const kernel = "__global__ void k(float *p, int n) { p[n] = n; }\n";

  it("makes it a template parameter if every launch passes a constant", () => {
    const host = "void run(float *p) { k<<<1, 2>>>(p, 16); k<<<1, 2>>>(p, 4 + 4); }\n";
    const title = "Make 'n' a template parameter of 'k' (changes 2 launches)";
    for (const marked of [kernel.replace("int n", "int ‸n") + host, kernel + host.replace("16", "‸16")]) {
      const { titles, apply } = at({ "a.cu": marked });
      expect(titles.filter((each) => each.includes("'n'"))).toContain(title);
      expect(apply(/template/)["a.cu"]).toBe(
        "template <int n>\n__global__ void k(float *p) { p[n] = n; }\n" +
          "void run(float *p) { k<16><<<1, 2>>>(p); k<(4 + 4)><<<1, 2>>>(p); }\n",
      );
    }
    for (const [text, other] of [
      [`${kernel.replace("int n", "int ‸n")}void run(float *p, int m) { k<<<1, 2>>>(p, m); }\n`, ""],
      [`${kernel.replace("int n", "int ‸n")}void run(float *p) { k<<<1, 2>>>(p, 1); auto f = k; }\n`, ""],
      [kernel.replace("int n", "int ‸n").replace("= n", "= n++") + host, ""],
      [kernel.replace("int n", "int ‸n") + host, "__global__ void k(float *p, int n);\n"],
    ] as const)
      expect(at({ "a.cu": text, "b.cu": other }).titles.filter((each) => each.includes("template"))).toEqual([]);
  });

  it("moves it to constant memory if every launch passes a variable into the default stream", () => {
    const text = `${kernel.replace("int n", "int ‸n")}void run(float *p, int m) {\n  k<<<1, 2>>>(p, m);\n}\n`;
    expect(at({ "a.cu": text }).apply(/__constant__/)["a.cu"]).toBe(
      "__constant__ int k_n;\n__global__ void k(float *p) { p[k_n] = k_n; }\n" +
        "void run(float *p, int m) {\n  cudaMemcpyToSymbol(k_n, &m, sizeof(k_n));\n  k<<<1, 2>>>(p);\n}\n",
    );
    for (const launch of ["if (m) k<<<1, 2>>>(p, m);", "k<<<1, 2, 0, s>>>(p, m);", "k<<<1, 2>>>(p, m + 1);"])
      expect(at({ "a.cu": text.replace("k<<<1, 2>>>(p, m);", launch) }).titles.filter((each) => each.includes("'__constant__'"))).toEqual(
        [],
      );
  });
});

describe("other ways for a constant", () => {
  it("makes a host constant constexpr or __constant__, or passes it", () => {
    const text = "const int li‸mit = 64;\n__global__ void k(int *p) { p[0] = limit; }\nvoid run(int *p) { k<<<1, 1>>>(p); }\n";
    const { titles, apply } = at({ "a.cu": text });
    expect(at({ "a.cu": text.replace("‸", "").replace("= limit", "= ‸limit") }).titles).toEqual(titles);
    expect(titles).toEqual(["Make 'limit' 'constexpr'", "Move 'limit' to '__constant__' memory", "Pass 'limit' as a kernel parameter"]);
    expect(apply(/constexpr/)["a.cu"]).toContain("constexpr int limit = 64;");
    expect(apply(/Move/)["a.cu"]).toContain("__constant__ const int limit = 64;");
    const passed = apply(/Pass/)["a.cu"];
    expect(passed).toContain("k(int *p, int limit) { p[0] = limit; }");
    expect(passed).toContain("k<<<1, 1>>>(p, limit);");
  });

  it("passes the value that is copied to a __constant__ variable", () => {
    const text =
      "struct P { int n; };\n__constant__ P para‸ms;\n__global__ void k(int *p) { p[0] = params.n; }\nvoid run(int *p, P value) { cudaMemcpyToSymbol(params, &value, sizeof(value)); k<<<1, 1>>>(p); }\n";
    expect(at({ "a.cu": text }).apply(/Pass/)["a.cu"]).toBe(
      "struct P { int n; };\n__global__ void k(int *p, P params) { p[0] = params.n; }\nvoid run(int *p, P value) { k<<<1, 1>>>(p, value); }\n",
    );
  });

  it("is not offered for a variable that has to stay constant or that other files know", () => {
    const offered = (text: string, more: Texts = {}) => at({ "a.cu": text, ...more }).titles;
    expect(
      offered(
        "const int n‸ = 4;\n__global__ void k(int *p) { int own[n]; own[0] = n; *p = own[0]; }\nvoid run(int *p) { k<<<1, 1>>>(p); }\n",
      ),
    ).not.toContain("Pass 'n' as a kernel parameter");
    expect(offered("extern const int n‸;\n")).toEqual([]);
    expect(offered('#include "n.h"\n', { "n.h": "const int count‸ = 4;\n", "b.cu": '#include "n.h"\nconst int *p = &count;\n' })).toEqual([
      "Make 'count' 'constexpr'",
    ]);
  });
});

describe("other ways for a value in OpenCL", () => {
  it("passes a constant of the program to the kernels that read it", () => {
    const text = "constant float weights[2] = {1, 2};\nkernel void blur(global float *out) { out[0] = weights[1]; }\n";
    for (const marked of [text.replace("weights[2]", "wei‸ghts[2]"), text.replace("= weights", "= ‸weights")]) {
      const { titles, apply } = at({ "a.cl": marked });
      const title = "Pass 'weights' as argument 1 of 'blur', with values of the host";
      expect(titles).toContain(title);
      expect(apply(title)["a.cl"]).toBe("kernel void blur(global float *out, constant float *weights) { out[0] = weights[1]; }\n");
    }
    expect(at({ "a.cl": "__constant int n‸ = 4;\n__kernel void k(void) { int m = n; }\n" }).apply(/^Pass/)["a.cl"]).toBe(
      "__kernel void k(int n) { int m = n; }\n",
    );
    for (const [text, other] of [
      ["constant int n‸ = 4;\nkernel void k(void) { int m[n]; }\n", ""],
      ["constant int n‸ = 4;\nint f(void) { return n; }\nkernel void k(void) { f(); }\n", ""],
      ["constant int n‸[2] = {1, 2};\nkernel void k(void) { int m = sizeof(n); }\n", ""],
      ["constant int n‸ = 4, m = 2;\nkernel void k(void) { int o = n; }\n", ""],
      ["constant int m = 2, n‸ = 4;\nkernel void k(void) { int o = n; }\n", ""],
      ["constant int n‸[2] = {1, 2};\nkernel void k(void) { constant int *constant p = n; }\n", ""],
      ["constant int n‸ = 4;\nkernel void k(void) { int o = n; }\n", "extern constant int n;\n"],
    ] as const)
      expect(at({ "a.cl": text, "b.cl": other }).titles.filter((title) => title.startsWith("Pass"))).toEqual([]);
  });

  it("moves an argument to constant memory if the host always passes one number", () => {
    const kernel = "kernel void scale(global float *p, float by, int n) { p[n] *= by; }\n";
    const host =
      'void run(cl_program g) {\n  const float by = 0.5f;\n  cl_kernel k = clCreateKernel(g, "scale", 0);\n' +
      "  clSetKernelArg(k, 0, sizeof(p), &p);\n  e |= clSetKernelArg(k, 1, sizeof(by), &by);\n  CHECK(clSetKernelArg(k, 2, sizeof(n), &n));\n}\n";
    for (const marked of [kernel.replace("float by", "float ‸by"), kernel.replace("*= by", "*= ‸by")]) {
      const { apply, titles } = at({ "scale.cl": marked, "host.cpp": host });
      expect(titles).toContain("Move 'by' of 'scale' to constant memory (removes argument 1, which the host sets to 0.5f)");
      const after = apply(/^Move/);
      expect(after["scale.cl"]).toBe("constant float scale_by = 0.5f;\nkernel void scale(global float *p, int n) { p[n] *= scale_by; }\n");
      expect(after["host.cpp"]).toBe(host.replace("  e |= clSetKernelArg(k, 1, sizeof(by), &by);\n", "").replace("(k, 2,", "(k, 1,"));
    }
    for (const changed of [
      host.replace("const float", "float"),
      host.replace("  e |= clSet", "  cl_int e = clSet"),
      host.replace("(k, 2,", "(k, i,"),
      `${host}void other(cl_kernel o) { clSetKernelArg(o, 0, 4, &x); }`,
    ])
      expect(
        at({ "scale.cl": kernel.replace("float by", "float ‸by"), "host.cpp": changed }).titles.filter((title) => title.startsWith("Move")),
      ).toEqual([]);
  });
});
