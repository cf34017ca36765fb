/** Definitions, renames and completions of names of every kind, also in macros' bodies and inactive branches. */
import { describe, expect, it } from "vitest";
import { noSettings } from "../../../server/src/dialect.ts";
import { completionsAt } from "../../../server/src/editor/language/completion.ts";
import { occurrencesOf } from "../../../server/src/editor/language/occurrences.ts";
import { symbolAt } from "../../../server/src/editor/language/symbols.ts";
import { createService, type Service } from "../../../server/src/service.ts";
import { memoryFiles, testParser } from "../../service.ts";
import { opened } from "./opened.ts";

const parser = await testParser();
const uri = "file:///a.cl";

/** Asks a service about the mark `‸` of a file. */
function ask<Result>(marked: string, header: string, question: (service: Service, text: string, offset: number) => Result): Result {
  const text = marked.replace("‸", "");
  const files = new Map([
    [uri, text],
    ["file:///h.h", header],
  ]);
  const service = createService({ files: memoryFiles(files), parser, settingsOf: () => noSettings });
  try {
    return question(service, text, marked.indexOf("‸"));
  } finally {
    service.dispose();
  }
}

/** The file with every use of the name at the mark replaced by `_`. */
function renamed(marked: string): string {
  return ask(marked, "", (service, text, offset) => {
    const symbol = symbolAt(service.partAt(uri, offset).part.file, offset, service);
    const places = symbol === undefined ? [] : occurrencesOf(symbol, uri, service);
    return [...places]
      .sort((a, b) => b.span.start - a.span.start)
      .reduce((now, { span }) => `${now.slice(0, span.start)}_${now.slice(span.end)}`, text);
  });
}

/** The labels of the completions at the mark, best first. */
function completed(marked: string, header = ""): readonly string[] {
  return ask(marked, header, (service, text, offset) => {
    const entries = completionsAt(service.partAt(uri, offset).part.file, text, offset, service.files);
    return [...entries].sort((a, b) => (a.rank ?? 1) - (b.rank ?? 1)).map(({ label }) => label);
  });
}

describe("a rename", () => {
  it("changes a member in its structure and at its uses, and no variable of the same name", () => {
    expect(
      renamed("struct S { int i‸d; }; struct T { int id; };\nint f(struct S *s, struct T t) { int id = s->id; return id + t.id; }"),
    ).toBe("struct S { int _; }; struct T { int id; };\nint f(struct S *s, struct T t) { int id = s->_; return id + t.id; }");
  });

  it("leaves components of vectors that are called like a member", () => {
    const text = (name: string) =>
      `struct S { float ${name}; };\nfloat f(struct S s, float4 v, real4 u) { v.x = s.${name}; return v.x + (v * 2).x + u.x; }`;
    expect(renamed(text("x").replace("s.x", "s.‸x"))).toBe(text("_"));
    const components = (name: string) => `float f(real4 u) { return u.${name}; }\n`;
    expect(renamed(`${components("x")}struct S { float x; float ‸f; };`)).toBe(`${components("x")}struct S { float x; float _; };`);
  });

  it("changes a type with its tag", () => {
    expect(renamed("typedef struct S { int a; } S;\nvoid f(‸S *s) { struct S t; }")).toBe(
      "typedef struct _ { int a; } _;\nvoid f(_ *s) { struct _ t; }",
    );
  });

  it("changes a local variable of a macro's body, whether the macro is used or not", () => {
    for (const use of ["", "int f(int v) { GS(1); return v; }"])
      expect(renamed(`#define GS(x) { const int i = x; v += i; ‸i; }\n${use}`)).toBe(
        `#define GS(x) { const int _ = x; v += _; _; }\n${use}`,
      );
    expect(renamed("#define EACH(n) do { for (int r = 0; r < n; r++) \\\n  STEP(‸r); } while (0)\n")).toBe(
      "#define EACH(n) do { for (int _ = 0; _ < n; _++) \\\n  STEP(_); } while (0)\n",
    );
  });

  it("changes a variable that a macro declares for the function around it", () => {
    expect(renamed("#define START int i, j; i = 1\nint f(void) { START; ‸i = 2; return i; }\nint g(int i) { return i; }")).toBe(
      "#define START int _, j; _ = 1\nint f(void) { START; _ = 2; return _; }\nint g(int i) { return i; }",
    );
  });

  it("changes what a macro's body names in every function that uses the macro", () => {
    const text =
      "#define ADD(p) p += h\nint f(int h) { int p = h; ADD(p); return p; }\nint g(int h) { ADD(h); return h; }\nint k(int h) { return h; }";
    const after =
      "#define ADD(p) p += _\nint f(int _) { int p = _; ADD(p); return p; }\nint g(int _) { ADD(_); return _; }\nint k(int h) { return h; }";
    for (const mark of ["p += h", "f(int h", "return h; }\nint k"]) {
      const at = text.indexOf(mark) + mark.indexOf("h");
      expect(renamed(`${text.slice(0, at)}‸${text.slice(at)}`), mark).toBe(after);
    }
  });

  it("changes what a macro's body names in the functions of other files", () => {
    const text = '#define NEXT v[0] += 1;\nvoid f(void) { int ‸v[2]; NEXT }\n#include "h.h"\n';
    const files = ask(text, "void g(void) { int v[3]; NEXT v[1] = 1; }\nint v;\n", (service, _, offset) => {
      const symbol = symbolAt(service.partAt(uri, offset).part.file, offset, service);
      return (symbol === undefined ? [] : occurrencesOf(symbol, uri, service)).map((place) => `${place.uri}:${place.span.start}`);
    });
    expect([...files].sort()).toEqual(["file:///a.cl:13", "file:///a.cl:43", "file:///h.h:19", "file:///h.h:30"]);
  });

  it("changes a macro in headers that use it, and in other files that define it for them", () => {
    const texts = {
      "a.cl": '#define ‸WIDE(x) (x)\n#include "h.h"\nint f(int n) { return WIDE(n); }\n',
      "b.cl": '#define WIDE(x) (2 * (x))\n#include "h.h"\n',
      "c.cl": "#define WIDE(x) (3 * (x))\n",
      "h.h": "int g(int n) { return WIDE(n); }\n",
    };
    const { service, uri: own, offset } = opened(texts);
    const symbol = symbolAt(service.read(own), offset, service);
    const places = symbol === undefined ? [] : occurrencesOf(symbol, own, service);
    const starts = places.map((place) => `${place.uri.slice("file:///".length)}:${place.span.start}`);
    expect(starts.sort()).toEqual(["a.cl:57", "a.cl:8", "b.cl:8", "h.h:22"]);
  });

  it("changes a type in headers that use it, by their words, and in other files that declare it for them", () => {
    const texts = {
      "a.cl": 'typedef unsigned int ‸u32;\n#include "h.h"\n#include "members.h"\n',
      "b.cl": 'typedef unsigned int u32;\n#include "h.h"\n',
      "c.cl": "typedef unsigned int u32;\n",
      "h.h": "u32 half_of(u32 n) { return n / 2; }\nint own(int u32) { return u32; }\nstruct Pair { u32 first; };\n",
      "members.h": "struct Other { int u32; };\nint sum(struct Other o, u32 n) { return o.u32 + n; }\n",
    };
    const { service, uri: own, offset } = opened(texts);
    const symbol = symbolAt(service.read(own), offset, service);
    const places = symbol === undefined ? [] : occurrencesOf(symbol, own, service);
    const lines = places.map((place) => `${place.uri.slice("file:///".length)}:${place.span.start}`);
    expect(lines.sort()).toEqual(["a.cl:21", "b.cl:21", "h.h:0", "h.h:12", "h.h:84", "members.h:51"]);
  });

  it("changes a function and a type that only an inactive branch declares", () => {
    const text = "#ifdef WIDE\ntypedef struct { int n; } Item;\nint load(global Item *p) { return p->n; }\n#endif\n";
    expect(renamed(`${text}int f(global Item *p) { return ‸load(p); }\n`)).toContain("int _(global Item *p)");
    expect(renamed(text.replace("Item *p", "‸Item *p"))).toBe(text.replaceAll("Item", "_"));
  });

  it("changes the variable of a loop that a macro begins, in an inactive branch", () => {
    const body = (loop: string, name: string) =>
      `void f(global int *p) {\n#ifdef FAST\n  ${loop}(int ${name} = 0; ${name} < 4; ${name}++) { p[${name}] = 1; }\n  ${loop}(int i = 0; i < 4; i++) p[i] = 2;\n#endif\n}\n`;
    for (const loop of ["for", "unroll_for", "UNROLL(4)"]) expect(renamed(body(loop, "i").replace("p[i]", "p[‸i]"))).toBe(body(loop, "_"));
    const call = "void f(int i) {\n#ifdef FAST\n  run(int i, i);\n  i = 1;\n#endif\n}\n";
    expect(renamed(call.replace("i = 1", "‸i = 1"))).toContain("void f(int _)");
  });

  it("tells from the words of other files what a macro names there", () => {
    const other = '#include "h.h"\nint g(void) { int sum = 1; TWICE return sum; }\nint k(int sum) { return sum; }\n';
    const texts = {
      "a.cl": '#include "h.h"\nint f(void) { int ‸sum = 0; ADD return sum; }\n',
      "b.cl": other,
      "h.h": "#define ADD sum += 1;\n#define TWICE ADD ADD\n",
    };
    const { service, uri: own, offset } = opened(texts);
    const symbol = symbolAt(service.read(own), offset, service);
    const read: string[] = [];
    const readAndNoted = (name: string) => {
      read.push(name);
      return service.read(name);
    };
    const context = { ...service, read: readAndNoted };
    const places = symbol === undefined ? [] : occurrencesOf(symbol, own, context);
    expect(places.filter((place) => place.uri === "file:///b.cl").map(({ span }) => span.start)).toEqual([
      other.indexOf("sum = 1"),
      other.indexOf("sum; }"),
    ]);
    expect(read).not.toContain("file:///b.cl");
  });

  it("changes what a macro's body names where no compiler expands the macro", () => {
    const text = "#define STEP acc += 1;\n#define TWICE { int ‸acc = 0; STEP STEP }\n#if 0\nvoid f(void) { TWICE }\n#endif\nint acc;\n";
    const after = "#define STEP _ += 1;\n#define TWICE { int _ = 0; STEP STEP }\n#if 0\nvoid f(void) { TWICE }\n#endif\nint acc;\n";
    expect(renamed(text)).toBe(after);
    expect(renamed(text.replace("‸", "").replace("STEP acc", "STEP ‸acc"))).toBe(after);
  });

  it("changes a parameter that a macro with further parameters follows", () => {
    const text = "float f(global float *‸p\n    EXTRA_DECL) {\n  return LOAD(&p[0] EXTRA) + p[1];\n}\n";
    expect(renamed(text)).toBe("float f(global float *_\n    EXTRA_DECL) {\n  return LOAD(&_[0] EXTRA) + _[1];\n}\n");
  });

  it("changes a local variable that a macro without a semicolon precedes", () => {
    const text = "void f(int n) {\n  LOAD(n)\n  int hit = 0;\n  for (;;) {\n    STEP(n)\n    ‸hit = n;\n  }\n}\n";
    expect(renamed(text)).toBe("void f(int n) {\n  LOAD(n)\n  int _ = 0;\n  for (;;) {\n    STEP(n)\n    _ = n;\n  }\n}\n");
  });

  it("changes a name in an argument that a macro drops", () => {
    for (const text of ["int f(int ‸w) { check(w > 0); return w; }", "int f(int w) { check(‸w > 0); return w; }"])
      expect(renamed(`#define check(c)\n${text}`)).toBe("#define check(c)\nint f(int _) { check(_ > 0); return _; }");
  });

  it("changes the local names of a template that is not OpenCL yet, block by block", () => {
    expect(
      renamed(
        "__kernel void %Pdot(__global %TYPE *x) {\n  %TYPE%V a, ‸b = 1;\n  { int b = 2; b++; }\n  for (int i; i < 1;) %ADD(b, x);\n}\n",
      ),
    ).toBe("__kernel void %Pdot(__global %TYPE *x) {\n  %TYPE%V a, _ = 1;\n  { int b = 2; b++; }\n  for (int i; i < 1;) %ADD(_, x);\n}\n");
  });

  it("changes a macro's parameter in its head and body", () => {
    expect(renamed("#define F(a, b) ((a) + ‸b)\nint b;\n")).toBe("#define F(a, _) ((a) + _)\nint b;\n");
  });

  it("changes an enumerator", () => {
    expect(renamed("enum { ON, OFF };\nint f(void) { return ‸ON; }")).toBe("enum { _, OFF };\nint f(void) { return _; }");
  });

  it("changes a variable in its own block, where inner ones hide it", () => {
    expect(renamed("void f(void) { int ‸n = 1; { float n = 2; n = 3; } n = 4; }")).toBe(
      "void f(void) { int _ = 1; { float n = 2; n = 3; } _ = 4; }",
    );
  });

  it("changes a label with the statements that go to it, and no variable of its name", () => {
    const text = "void f(int n) { int end; if (n) goto ‸end; end = n ? end : 1; end: n = 0; }\nvoid g(void) { goto end; end: ; }\n";
    const after = "void f(int n) { int end; if (n) goto _; end = n ? end : 1; _: n = 0; }\nvoid g(void) { goto end; end: ; }\n";
    expect(renamed(text)).toBe(after);
    expect(renamed(text.replace("‸", "").replace("end: n", "‸end: n"))).toBe(after);
  });

  it("changes a parameter of a macro in the macro alone", () => {
    expect(renamed("#define TWICE(v) ((‸v) + v)\nint v;\n")).toBe("#define TWICE(_) ((_) + _)\nint v;\n");
  });
});

describe("a type", () => {
  it("is found where a header's typedef names it", () => {
    const found = ask('#include "h.h"\nvoid f(Item *i) { ‸i; }', "typedef struct { int n; } Item;\n", (service, _, offset) =>
      symbolAt(service.partAt(uri, offset).part.file, offset, service),
    );
    expect(found?.typeDeclaration).toEqual({ uri: "file:///h.h", span: { start: 26, end: 30 } });
  });
});

describe("a completion", () => {
  it("puts locals first, and leaves those of closed blocks out", () => {
    const labels = completed("void f(int first) { { int closed; } int second; ‸ }\nint other;");
    expect(labels.indexOf("second")).toBeLessThan(labels.indexOf("other"));
    expect(labels.indexOf("first")).toBeLessThan(labels.indexOf("other"));
    expect(labels).not.toContain("closed");
  });

  it("offers what a header declares, constants and conversions", () => {
    const labels = completed('#include "h.h"\nvoid f(void) { ‸ }', "typedef int Cell;\nfloat unused(float x);\nenum { RED };\n");
    expect(labels).toEqual(expect.arrayContaining(["Cell", "unused", "RED", "CLK_LOCAL_MEM_FENCE", "M_PI_F", "as_int4", "convert_uchar"]));
  });

  it("offers a name that the code below uses where it is declared, and one that the build defines", () => {
    expect(completed("void f(int ‸) { width + width; }")).toContain("width");
    expect(completed("void f(void) { int a[TILE]; int b[‸]; }")).toContain("TILE");
  });

  it("knows the variables of an inactive branch", () => {
    expect(completed("void f(void) {\n#ifdef FAST\n  int quick = 1;\n  ‸\n#endif\n}")).toContain("quick");
  });
});
