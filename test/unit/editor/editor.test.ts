/** What editors show beside findings: inlay hints, tokens, lenses, declarations, and the View. */
import { describe, expect, it } from "vitest";
import { type CompileSettings, embeddedProfile, noSettings } from "../../../server/src/dialect.ts";
import { inlayHints } from "../../../server/src/editor/inlay-hints.ts";
import { lenses } from "../../../server/src/editor/lenses.ts";
import { semanticTokens } from "../../../server/src/editor/semantic-tokens.ts";
import { showView } from "../../../server/src/editor/show-view.ts";
import { createService, type Service } from "../../../server/src/service.ts";
import { memoryFiles, testParser } from "../../service.ts";

const parser = await testParser();

function withService<Result>(
  files: Readonly<Record<string, string>>,
  settings: Partial<CompileSettings>,
  work: (service: Service) => Result,
): Result {
  const texts = new Map(Object.entries(files).map(([name, text]) => [`file:///${name}`, text]));
  const service = createService({ files: memoryFiles(texts), parser, settingsOf: () => ({ ...noSettings, ...settings }) });
  try {
    return work(service);
  } finally {
    service.dispose();
  }
}

describe("inlay hints", () => {
  const hints = (text: string, settings: Partial<CompileSettings> = {}) =>
    withService({ "a.cl": text }, settings, (service) => {
      const found = inlayHints(service.read("file:///a.cl"));
      return found.reduceRight((result, { offset, label }) => `${result.slice(0, offset)}«${label}»${result.slice(offset)}`, text);
    });

  it("write the space that a pointer points to", () => {
    expect(hints("int f(const int *p, global int *q) { int *r = 0; int i; return *p; }", { openclStandard: "CL1.2" })).toBe(
      "int f(«private»const int *p, global int *q) { «private»int *r = 0; int i; return *p; }",
    );
    expect(hints("int f(int *p);", { openclStandard: "CL2.0" })).toBe("int f(«generic»int *p);");
  });

  it("name each standard if the implied spaces differ", () => {
    expect(hints("int f(int *p);")).toBe("int f(«private|generic»int *p);");
    const [hint] = withService({ "a.cl": "int f(int *p);" }, {}, (service) => inlayHints(service.read("file:///a.cl")));
    expect(hint?.tooltip).toBe(
      "'p' points to private in OpenCL C 1.2 and 3.0 without generic address space and generic in OpenCL C 2.0 and 3.0: the address space is not written",
    );
  });

  it("show variables at program scope that are in global memory", () => {
    expect(hints("int counter = 0;\nconstant int c = 1;", { openclStandard: "CL2.0" })).toBe(
      "«global»int counter = 0;\nconstant int c = 1;",
    );
  });

  it.each([
    "typedef global int *pointer;\nvoid f(pointer p);",
    "#define P int *p\nvoid f(P);",
    "kernel void k(int *p) { }",
    "void f(int n) { int i = n; }",
    "void f(thing *p);",
  ])("are not shown for %s", (text) => {
    expect(hints(text, { openclStandard: "CL2.0" })).toBe(text);
  });

  it("appear once before several declarators, and never in CUDA", () => {
    expect(hints("void f(void) { int *a, *b; }", { openclStandard: "CL1.2" })).toBe("void f(void) { «private»int *a, *b; }");
    expect(withService({ "a.cu": "__device__ void f(int *p);" }, {}, (service) => inlayHints(service.read("file:///a.cu")))).toEqual([]);
  });
});

describe("semantic tokens", () => {
  const tokens = (name: string, text: string) =>
    withService({ [name]: text }, {}, (service) =>
      semanticTokens(service.read(`file:///${name}`)).map(({ span, type, modifiers }) =>
        [text.slice(span.start, span.end), type, ...modifiers].join(" "),
      ),
    );

  it("tell the address spaces of OpenCL apart", () => {
    expect(
      tokens("a.cl", "constant int c = 1;\nkernel void k(global int *g, int n) { local int t[4]; int i = n; g[0] = t[i] + c; }"),
    ).toEqual([
      "c variable declaration readonly constant",
      "g parameter declaration global",
      "t variable declaration local",
      "g parameter global",
      "t variable local",
      "c variable readonly constant",
    ]);
  });

  it("omit spaces about which the standards disagree", () => {
    expect(tokens("a.cl", "int f(int *p) { return *p; }")).toEqual([]);
  });

  it("tell the memory spaces of CUDA apart", () => {
    expect(
      tokens(
        "a.cu",
        "struct S { int a; };\n__constant__ int c;\n__global__ void k(const __grid_constant__ S s, int *p) { __shared__ int t[4]; t[0] = s.a + c; }",
      ),
    ).toEqual([
      "c variable declaration readonly constant",
      "s parameter declaration readonly gridConstant",
      "t variable declaration shared",
      "t variable shared",
      "s parameter readonly gridConstant",
      "c variable readonly constant",
    ]);
  });
});

describe("lenses", () => {
  const titles = (name: string, text: string, settings: Partial<CompileSettings> = {}) =>
    withService({ [name]: text }, settings, (service) => lenses(service.read(`file:///${name}`)).map(({ title }) => title));

  it("count the bytes of OpenCL's kernels and constants", () => {
    expect(titles("a.cl", "constant int c[16] = {1};\nkernel void k(constant int *t, global int *g, int n) { local int l[8]; }")).toEqual([
      "64 of 65,536 bytes of constant memory in this file",
      "20 bytes of parameters · 32 bytes of local memory · 1 of 8 constant arguments",
    ]);
  });

  it("count the bytes of CUDA's kernels and constants, against the limits of the architectures", () => {
    const text =
      "__constant__ float table[256];\nstruct S { int a[100]; };\n__global__ void k(S s, int *p) { __shared__ int t[4]; *p = t[s.a[0]]; }";
    expect(titles("a.cu", text)).toEqual([
      "1,024 of 65,536 bytes of constant memory in this translation unit",
      "408 bytes of parameters · 16 bytes of shared memory",
    ]);
    expect(titles("a.cu", text, { architectures: [90] })[1]).toMatch(/^408 of 32,764 bytes of parameters/);
    expect(titles("a.cu", text, { architectures: [60, 90] })[1]).toMatch(/^408 of 4,096 bytes of parameters/);
  });

  it("count the constants that a kernel uses, also in called functions and from headers", () => {
    const files = {
      "a.cu":
        '#include "t.cuh"\n__constant__ int own[8];\n__constant__ int unused;\n__device__ int g(int i) { return table[i]; }\n__global__ void k(int *p) { *p = own[0] + g(1); }\n__global__ void l() {}\n',
      "t.cuh": "__constant__ int table[4];\n",
    };
    expect(withService(files, {}, (service) => lenses(service.read("file:///a.cu")).map(({ title }) => title))).toEqual([
      "52 of 65,536 bytes of constant memory in this translation unit",
      "8 bytes of parameters · 48 bytes of constant memory",
    ]);
  });

  it("count the constants that a kernel of OpenCL reaches, as arguments too, against the profile's limits", () => {
    const text =
      "constant int c[16] = {1};\nint g(int i) { return c[i]; }\nkernel void k(constant int *t, global int *o) { constant int own = 1; *o = g(*t) + own; }";
    expect(titles("a.cl", text, { limits: embeddedProfile })).toEqual([
      "68 of 1,024 bytes of constant memory in this file",
      "16 bytes of parameters · 68 of 1,024 bytes of constant memory · 1 of 4 constant arguments (3 with its variables)",
    ]);
  });

  it("mark a number that is only a lower bound", () => {
    expect(titles("a.cu", "__global__ void k(int n, Unknown u) {}")).toEqual(["more than 4 bytes of parameters"]);
    expect(titles("a.cl", "constant int a[N] = {1};\nconstant int b = 1;")).toEqual([
      "more than 4 of 65,536 bytes of constant memory in this file",
    ]);
  });
});

describe("declarations", () => {
  it("of all checked files are found, the definition first", () => {
    const files = {
      "k.cuh": "__global__ void k(int *p);\n",
      "a.cu": '#include "k.cuh"\n__global__ void k(int *p) {}\n',
      "b.cu": "__global__ void k(int *p);\nvoid f() { }\n",
    };
    const found = withService(files, {}, (service) => {
      for (const name of ["a.cu", "b.cu"]) service.check(`file:///${name}`);
      return service.declarations("file:///a.cu", files["a.cu"].indexOf("k(int"));
    });
    expect(found.map(({ uri, span }) => `${uri} ${span.start}`)).toEqual(["file:///a.cu 33", "file:///k.cuh 16", "file:///b.cu 16"]);
  });
});

describe("branches that are not taken", () => {
  const text = "#if __OPENCL_VERSION__ < 200\nint old;\n#endif\n#ifdef FAST\nint fast;\n#endif\nint x;\n";
  const inactive = (isOpen: boolean, settings: Partial<CompileSettings>) => {
    const service = createService({
      files: memoryFiles(new Map([["file:///a.cl", text]])),
      parser,
      settingsOf: () => ({ ...noSettings, ...settings }),
      isOpen: () => isOpen,
    });
    const { inactiveBranches } = service.check("file:///a.cl");
    service.dispose();
    return inactiveBranches.map(({ message, location: { span } }) => [message, span.start]);
  };

  it.each([true, false])("are those that no standard takes (open: %s)", (isOpen) => {
    const fast = ["'#ifdef FAST' is not taken: 'FAST' is not defined", text.indexOf("#ifdef")];
    expect(inactive(isOpen, {})).toEqual([fast]);
    const [old, ...others] = inactive(isOpen, { openclStandard: "CL2.0" });
    expect(old).toEqual(["'#if __OPENCL_VERSION__ < 200' is not taken: '200 < 200' is false", 0]);
    expect(others).toEqual([fast]);
  });
});

describe("the View for people", () => {
  it("shows which file each line came from", () => {
    const header = "#define KERNEL kernel void\n#define SPACE __global\n";
    const text = '#include "m.h"\n#if 0\nint gone;\n#endif\nKERNEL k(SPACE int *p) {\n  *p = 1;\n}\n';
    const lineOf = (uri: string, offset: number) => (uri.endsWith("m.h") ? header : text).slice(0, offset).split("\n").length;
    const shown = withService(
      { "a.cl": text, "m.h": header },
      { openclStandard: "CL2.0", macros: [{ name: "N", value: "4" }] },
      (service) => showView(service.read("file:///a.cl"), lineOf),
    );
    expect(shown?.split("\n")).toEqual([
      "// a.cl as OpenCL C 2.0",
      "// settings: defaults; -DN=4",
      "// a.cl:2: '#if 0' is not taken: the condition is false",
      "",
      '// #include "m.h" is m.h',
      expect.stringMatching(/^__kernel void k\(__global int \*p\) \{ {2}\/\/ line 5, from KERNEL, SPACE$/),
      "  *p = 1;",
      "}",
      "",
    ]);
  });
});
