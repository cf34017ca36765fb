/**
 * Views of texts: the C standard's examples token by token, and the mapping of places back to the author's code. Every text has a
 * View, and its segments cover it.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { noSettings, openclDialect } from "../../../server/src/dialect.ts";
import { createPreprocessor } from "../../../server/src/preprocess/preprocessor.ts";
import type { Unit } from "../../../server/src/preprocess/view/view.ts";
import { runs, seedOf } from "../../effort.ts";
import { memoryFiles } from "../../service.ts";

const dialect = openclDialect("CL1.2");

function unitOf(files: Readonly<Record<string, string>>, main = "main.cl"): Unit {
  const unit = createPreprocessor(memoryFiles(new Map(Object.entries(files)))).unit(main, dialect, noSettings);
  if (typeof unit === "string") throw new Error(unit);
  return unit;
}

/** The View's text, with single blanks as white space. */
function expanded(text: string): string {
  return unitOf({ "main.cl": text }).view.text.replace(/\s+/g, " ").trim();
}

/** Removes blanks that do not separate tokens. Texts that differ only in those are the same to a parser. */
function tokens(text: string): string {
  return text.replace(/\s+/g, "");
}

describe("a View", () => {
  const text = "#define A\nint/* x\n*/y; // z\nint \\\nb;\n";
  const { view } = unitOf({ "main.cl": text });

  it("tells comments and line continuations from white space", () => {
    const seen = [...text].map((character, offset) => (view.isComment(view.offsetOf("main.cl", offset) ?? offset) ? "-" : character));
    expect(seen.join("")).toBe("#define A\nint-------y; ----\nint --b;\n");
  });

  it("leaves out only the directive itself", () => {
    expect(view.offsetOf("main.cl", text.indexOf("A"))).toBeUndefined();
    expect(view.offsetOf("main.cl", text.indexOf("\n"))).toBe(text.indexOf("\n"));
  });
});

describe("a header", () => {
  const files = {
    "part.h": "#ifdef WIDE\nint wide;\n#endif\nint LATER;\n",
    "one.cl": '#define WIDE\n#include "part.h"\n',
    "two.cl": '#define WIDE 2\n#include "part.h"\n',
    "none.cl": '#include "part.h"\n',
    "other.cl": '#define WIDE\n#define LATER now\n#include "part.h"\n',
    "again.cl": '#define WIDE\n#define LATER now2\n#include "part.h"\n',
  };
  const preprocessor = createPreprocessor(memoryFiles(new Map(Object.entries(files))));
  const headerOf = (uri: string) => {
    const unit = preprocessor.unit(uri, dialect, noSettings);
    return typeof unit === "string" ? undefined : unit.includes[0]?.unit;
  };

  it("is read once for includers that give different definitions to a name that it only tests", () => {
    expect(headerOf("one.cl")?.view.text).toContain("int wide;");
    expect(headerOf("two.cl")).toBe(headerOf("one.cl"));
    expect(headerOf("none.cl")?.view.text).not.toContain("int wide;");
  });

  it("is read again if a name that it uses has another meaning", () => {
    expect(headerOf("other.cl")?.view.text).toContain("int now;");
    expect(headerOf("again.cl")?.view.text).toContain("int now2;");
  });
});

describe("an include", () => {
  const header = { "lib/part.h": "int found;\n" };

  it("in quotes or brackets is not macro-expanded", () => {
    expect(unitOf({ ...header, "main.cl": "#define part other\n#include <lib/part.h>\n" }).notes).toEqual([]);
    expect(unitOf({ ...header, "main.cl": '#define part other\n#include "lib/part.h"\n' }).notes).toEqual([]);
  });

  it("may be computed", () => {
    expect(unitOf({ ...header, "main.cl": "#define PART <lib/part.h>\n#include PART\n" }).includes.map(({ unit }) => unit?.uri)).toEqual([
      "lib/part.h",
    ]);
  });
});

describe("a short file", () => {
  it("may include headers whose macros make half a million tokens", () => {
    const many = Array.from({ length: 2_500 }, (_, index) => `ROW(t${index})`).join("\n");
    const row = Array.from({ length: 100 }, () => "a,").join(" ");
    const header = `#define ROW(name) constant int name[] = { ${row} };\nconstant int a = 0;\n${many}\n`;
    const { notes, view } = unitOf({ "table.h": header, "main.cl": '#include "table.h"\n#define last(x) x\nint last(end);\n' });
    expect(notes).toEqual([]);
    expect(view.text).toContain("int end;");
  });
});

describe("the examples of C11 §6.10.3.5", () => {
  it("3: redefinition and re-examination", () => {
    const text = `#define x 3
#define f(a) f(x * (a))
#undef x
#define x 2
#define g f
#define z z[0]
#define h g(~
#define m(a) a(w)
#define w 0,1
#define t(a) a
#define p() int
#define q(x) x
#define r(x,y) x ## y
#define str(x) # x
f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);
g(x+(3,4)-w) | h 5) & m
(f)^m(m);
p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };
char c[2][6] = { str(hello), str() };`;
    expect(tokens(expanded(text))).toBe(
      tokens(`f(2 * (y+1)) + f(2 * (f(2 * (z[0])))) % f(2 * (0)) + t(1);
f(2 * (2+(3,4)-0,1)) | f(2 * (~ 5)) & f(2 * (0,1))^m(0,1);
int i[] = { 1, 23, 4, 5, };
char c[2][6] = { "hello", "" };`),
    );
  });

  it("4: strings and concatenation", () => {
    const text = `#define str(s) # s
#define xstr(s) str(s)
#define debug(s, t) printf("x" # s "= %d, x" # t "= %s", \\
x ## s, x ## t)
#define INCFILE(n) vers ## n
#define glue(a, b) a ## b
#define xglue(a, b) glue(a, b)
#define HIGHLOW "hello"
#define LOW LOW ", world"
debug(1, 2);
xstr(INCFILE(2).h)
glue(HIGH, LOW);
xglue(HIGH, LOW)`;
    expect(tokens(expanded(text))).toBe(tokens(`printf("x" "1" "= %d, x" "2" "= %s", x1, x2); "vers2.h" "hello"; "hello" ", world"`));
  });

  it("5: empty arguments", () => {
    expect(
      tokens(
        expanded("#define t(x,y,z) x ## y ## z\nint j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,),\nt(10,,), t(,11,), t(,,12), t(,,) };"),
      ),
    ).toBe(tokens("int j[] = { 123, 45, 67, 89, 10, 11, 12, };"));
  });

  it("7: variable arguments", () => {
    const text = `#define debug(...) fprintf(stderr, __VA_ARGS__)
#define showlist(...) puts(#__VA_ARGS__)
#define report(test, ...) ((test)?puts(#test):\\
printf(__VA_ARGS__))
debug("Flag");
debug("X = %d\\n", x);
showlist(The first, second, and third items.);
report(x>y, "x is %d but y is %d", x, y);`;
    expect(tokens(expanded(text))).toBe(
      tokens(
        `fprintf(stderr, "Flag"); fprintf(stderr, "X = %d\\n", x); puts("The first, second, and third items."); ((x>y)?puts("x>y"): printf("x is %d but y is %d", x, y));`,
      ),
    );
  });
});

describe("tokens", () => {
  it("stay separate if they would form another token together", () => {
    expect(expanded("#define minus -\n#define twice(x) x x\nint i = -minus-1 twice(+)twice(b);")).toBe("int i = - - -1 + +b b;");
  });

  it("stay adjacent if they were adjacent in an argument or a body, like the three signs of a launch", () => {
    expect(expanded("#define run(x) do { x; } while (0)\nrun((k<a><<<1>>>(p)));")).toBe("do { (k<a><<<1>>>(p)); } while (0);");
    expect(expanded("#define launch(a) k<a><<<1>>>(p)\nlaunch(2);")).toBe("k<2><<<1>>>(p);");
  });
});

describe("conditions", () => {
  it.each([
    ["1 ? 2 : (1/0)", true],
    ["0 && (1/0)", false],
    ["-1 > 0u", true],
    ["defined X || !defined(Y)", true],
    ["UNKNOWN", false],
    ["UNKNOWN()", false],
    ["!UNKNOWN(1, (2))", true],
    ["UNKNOWN() || 1", true],
    ["UNKNOWN(", false],
    ["(2 << 3) == 020", true],
    ["'a' == 97", true],
  ])("%s", (condition, holds) => {
    expect(expanded(`#if ${condition}\nyes\n#else\nno\n#endif`)).toBe(holds ? "yes" : "no");
  });

  it("leave one branch, and replace the others by blanks", () => {
    expect(expanded("#define A 2\n#if A == 1\none\n#elif A == 2\ntwo\n#else\nthree\n#endif\nlast")).toBe("two last");
  });
});

describe("keywords", () => {
  it("have one spelling", () => expect(expanded("kernel void f(global int *p) {}")).toBe("__kernel void f(__global int *p) {}"));
  it("are not removed by a macro", () => expect(expanded("#define __global\n__global int *p;")).toBe("__global int *p;"));
});

describe("headers", () => {
  it("define macros for their includer, and are units of their own", () => {
    const unit = unitOf({ "main.cl": '#include "a.h"\nSPACE int *p;', "a.h": "#define SPACE global\ntypedef int T;\n" });
    expect(unit.view.text.trim()).toBe("__global int *p;");
    expect(unit.includes.map((site) => site.unit?.uri)).toEqual(["a.h"]);
  });

  it("in the middle of a declaration are part of it", () => {
    expect(expanded2({ "main.cl": 'int a[] = {\n#include "list.inc"\n};', "list.inc": "1, 2, 3" })).toBe("int a[] = { 1, 2, 3 };");
  });

  it("may include themselves", () => {
    expect(() =>
      unitOf({ "main.cl": '#include "a.h"\n', "a.h": '#include "b.h"\nint a;\n', "b.h": '#include "a.h"\nint b;\n' }),
    ).not.toThrow();
  });

  it("are read if only a macro of the build guards their include, as if the build defined it", () => {
    const source = '#ifdef DEVICE_BUILD\n#include "types.h"\n#include "more.h"\n#endif\n#ifdef DEVICE_BUILD\nu32 here;\n#endif\n';
    const header = "#ifdef DEVICE_BUILD\ntypedef uint u32;\n#else\ntypedef uint32_t u32;\n#endif\n";
    const unit = unitOf({ "main.cl": source, "types.h": header, "more.h": "" });
    expect(unit.includes.map((site) => site.unit?.view.text.trim())).toEqual(["typedef uint u32;", ""]);
    expect(unit.view.text.trim()).toBe("u32 here;");
  });

  it("are read if a macro guards a single one, but the macro stays undefined, because it may be a feature", () => {
    const unit = unitOf({
      "main.cl": '#ifdef FEATURE\n#include "feature.h"\n#endif\n#ifdef FEATURE\nint b;\n#endif\n',
      "feature.h": "int a;\n",
    });
    expect(unit.includes).toHaveLength(1);
    expect(unit.view.text.trim()).toBe("");
  });

  it("are left out if a file defines the macro, or if it guards code as well", () => {
    const guarded = '#ifdef DEVICE_BUILD\n#include "types.h"\n#endif\n';
    expect(unitOf({ "main.cl": guarded, "types.h": "int a;\n", "other.h": "#define DEVICE_BUILD\n" }).includes).toEqual([]);
    expect(unitOf({ "main.cl": '#ifdef DEVICE_BUILD\n#include "types.h"\nint b;\n#endif\n', "types.h": "int a;\n" }).includes).toEqual([]);
  });

  it("that are missing are noted", () => {
    expect(unitOf({ "main.cl": "#include <nowhere.h>\n" }).notes.map(({ kind }) => kind)).toEqual(["missing-header"]);
  });
});

function expanded2(files: Readonly<Record<string, string>>): string {
  return unitOf(files).view.text.replace(/\s+/g, " ").trim();
}

describe("the origin", () => {
  const backOf = (source: string) => {
    const { view } = unitOf({ "main.cl": source });
    const originOf = (text: string) => {
      const start = view.text.indexOf(text);
      const { location, exact, macro } = view.origin({ start, end: start + text.length });
      return { text: source.slice(location.span.start, location.span.end), exact, macro: macro?.name };
    };
    return { originOf };
  };
  const { originOf } = backOf("#define PTR(space, name) space int *name\nkernel void f(PTR(global, p)) { *p = 1; }\n");
  it("of an argument leads to the argument", () => expect(originOf("__global")).toEqual({ text: "global", exact: true, macro: "PTR" }));
  it("of a macro's body leads to the invocation", () =>
    expect(originOf("int *")).toMatchObject({ text: "PTR(global, p)", exact: false, macro: "PTR" }));
  it("of plain text leads to that text", () => expect(originOf("*p = 1")).toEqual({ text: "*p = 1", exact: true, macro: undefined }));
  it("of a part of an argument leads to that part", () => {
    const { originOf: inside } = backOf("#define ID(x) x\nint ID(longer) = ID(global);\n");
    expect(inside("onge")).toEqual({ text: "onge", exact: true, macro: "ID" });
    expect(inside("lobal")).toMatchObject({ text: "global", exact: false });
  });
  it("of an invocation in an argument leads to that invocation", () => {
    const { originOf: inside } = backOf("#define ID(x) x\n#define VALUE 42\nint a = ID(VALUE), b = ID(b + VALUE + 7);\n");
    expect(inside("42")).toEqual({ text: "VALUE", exact: false, macro: "VALUE" });
    expect(inside("b + 42")).toEqual({ text: "b + VALUE", exact: false, macro: "ID" });
  });
});

describe("any text", () => {
  const pieces = [
    "#define A B C\n",
    "#define F(x) x #x A\n",
    "#if A\n",
    "#else\n",
    "#endif\n",
    '#include "main.cl"\n',
    "F(",
    ")",
    "A ",
    "global ",
    '"',
    "'",
    "/*",
    "*/",
    "//",
    "\\\n",
    "\r\n",
    "0x1p+",
    "##",
    "\u0000",
    "é",
  ];
  const anyText = fc
    .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 6 })), { maxLength: 40 })
    .map((parts) => parts.join(""));
  it("gives a View that its segments cover, and places within the files", () => {
    fc.assert(
      fc.property(anyText, fc.nat(), fc.nat(), (text, a, b) => {
        const { view } = unitOf({ "main.cl": text });
        const starts = Array.from({ length: view.segments.length }, (_, index) => view.segments.startOf(index) ?? -1);
        expect(starts).toEqual([...starts].sort((x, y) => x - y));
        if (view.text !== "") expect(starts[0]).toBe(0);
        const start = a % (view.text.length + 1);
        const end = start + (b % (view.text.length + 1 - start));
        const { location } = view.origin({ start, end });
        expect(location.span.start).toBeGreaterThanOrEqual(0);
        expect(location.span.end).toBeGreaterThanOrEqual(location.span.start);
        if (location.uri === "main.cl") expect(location.span.end).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: runs(100), seed: seedOf(20) },
    );
  });

  it("is read the same twice", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const again = unitOf({ "main.cl": text }).view.text;
        expect(unitOf({ "main.cl": text }).view.text).toBe(again);
      }),
      { numRuns: runs(30), seed: seedOf(21) },
    );
  });
});

describe("hostile text", () => {
  it("that doubles with every macro is no longer expanded beyond a limit", () => {
    const bomb = Array.from({ length: 40 }, (_, index) => `#define A${index + 1} A${index} A${index}`).join("\n");
    const unit = unitOf({ "main.cl": `#define A0 x\n${bomb}\nA40\n` });
    expect(unit.notes.map(({ kind }) => kind)).toContain("macro-limit");
  });

  it("may have many open brackets, or one very long line", () => {
    expect(unitOf({ "main.cl": "(".repeat(100_000) }).view.text.length).toBeGreaterThanOrEqual(100_000);
    expect(unitOf({ "main.cl": "a ".repeat(500_000) }).view.text.length).toBeGreaterThanOrEqual(999_999);
  });
});

describe("a header that is included at file scope", () => {
  /** Whether its text is a part of the includer's View. */
  const isSpliced = (text: string) => unitOf({ "main.cl": '#include "part.h"\nint after;\n', "part.h": text }).view.text.includes("first");

  it("is a unit of its own if its author is typing in it", () => {
    const guarded = (text: string) => `#pragma once\nint first;\n${text}\n`;
    for (const torn of ["void f() { {}", "void f() { } }", "int a", "int a =", "namespace x { void f() {", "struct S {"]) {
      expect(isSpliced(guarded(torn)), torn).toBe(false);
      expect(isSpliced(`#ifndef PART_H\n#define PART_H\n${guarded(torn)}#endif\n`), torn).toBe(false);
    }
  });

  it("is a part of the includer if another header may continue it", () => {
    for (const open of ["namespace x {", "inline namespace x {", 'extern "C" {', "namespace a { namespace b {\nint c;"]) {
      expect(isSpliced(`#pragma once\nint first;\n${open}\n`), open).toBe(true);
    }
    for (const fragment of ["void f() {", "int a =", "struct S {"]) expect(isSpliced(`int first;\n${fragment}\n`), fragment).toBe(true);
  });
});

describe("text that is not expanded says why", () => {
  const notesOf = (files: Readonly<Record<string, string>>) => unitOf(files).notes.map(({ kind }) => kind);

  it("an invocation with another number of arguments", () => {
    expect(notesOf({ "main.cl": "#define ADD(a, b) a + b\nint x = ADD(1);\nint y = ADD(1, 2);\n" })).toEqual(["macro-arguments"]);
  });

  it("an invocation whose arguments have no end", () => {
    const { notes, view } = unitOf({ "main.cl": "#define ADD(a, b) a + b\nint x = ADD(1, 2;\nint y = 3;\n" });
    expect(notes.map(({ message }) => message)).toEqual(["'ADD' is not expanded: its arguments have no end"]);
    expect(view.text).toContain("ADD(1, 2;");
  });

  it("but not a function that has a macro's name", () => {
    expect(notesOf({ "main.cl": "#define f(x) f(x)\nint f;\nint x = f(1);\n" })).toEqual([]);
  });

  it("a macro that is a qualifier in one branch only", () => {
    const text = "#ifdef WITH_GPU\n#define SPACE __global\n#else\n#define SPACE\n#endif\nSPACE int *p;\n";
    expect(notesOf({ "main.cl": text })).toEqual(["conflicting-macro"]);
  });

  it("a condition that has no value, and a branch that only a build can choose", () => {
    expect(notesOf({ "main.cl": "#if 1 / 0\nint x;\n#endif\n" })).toEqual(["malformed"]);
    const files = { "main.cl": '#ifdef BUILD\n#include "a.h"\n#endif\nint x = N;\n', "a.h": "#define N 1\n" };
    expect(notesOf(files)).toEqual(["assumed-define"]);
  });
});
