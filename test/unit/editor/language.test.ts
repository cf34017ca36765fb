/** Signatures, outline, definitions, references, renaming and folding ranges, at marks `‸` in complete and incomplete code. */
import { describe, expect, it } from "vitest";
import type { CompileSettings } from "../../../server/src/dialect.ts";
import { refusalOf } from "../../../server/src/editor/language/new-names.ts";
import { occurrencesOf } from "../../../server/src/editor/language/occurrences.ts";
import { foldsOf, outlineOf } from "../../../server/src/editor/language/outline.ts";
import { signatureHelpAt } from "../../../server/src/editor/language/signatures.ts";
import { symbolAt } from "../../../server/src/editor/language/symbols.ts";
import { opened } from "./opened.ts";

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

  it("reach files that see the declaration through another file, or by force", () => {
    const marked = {
      "base.h": "#define WID‸TH 4\n",
      "middle.h": "int middle(void) { return WIDTH; }\n",
      "run.cl": '#include "base.h"\n#include "middle.h"\nkernel void run(void) { middle(); }\n',
      "lone.cl": "int lone(void) { return WIDTH; }\n",
    };
    const places = (settings: Partial<CompileSettings>) => {
      const { service, uri, offset } = opened(marked, settings);
      const symbol = symbolAt(service.read(uri), offset, service);
      return (symbol === undefined ? [] : occurrencesOf(symbol, uri, service)).map((place) => place.uri.slice("file:///".length)).sort();
    };
    expect(places({})).toEqual(["base.h", "middle.h"]);
    expect(places({ forcedIncludes: [{ name: "base.h", uri: "file:///base.h" }] })).toEqual(["base.h", "lone.cl", "middle.h"]);
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
