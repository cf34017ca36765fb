/**
 * Broken source is ordinary input: for every text, checks and hovers end in bounded time and without an exception.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CompileSettings, noSettings } from "../../../server/src/dialect.ts";
import { createService, type FileReport } from "../../../server/src/service.ts";
import { runs, sample, seedOf } from "../../effort.ts";
import { loadFixtures } from "../../load-fixtures.ts";
import { memoryFiles, testParser } from "../../service.ts";

const parser = await testParser();
const sources = loadFixtures()
  .flatMap(({ files }) => files)
  .filter(({ name }) => /\.(cl|cu|clcpp)$/.test(name));

// One standard is enough here; several only repeat the work.
const settings: CompileSettings = { ...noSettings, openclStandard: "CL2.0" };

/** The files in which a hostile text is checked: one of each language, or usually only one of both. */
const urisFor = (name: string) => sample(["file:///x.cl", "file:///x.cu"], 2, name.length % 2);

/** Checks the first of several texts, and asks for a few hovers in it. */
function survive(files: Readonly<Record<string, string>>): FileReport {
  const [uri = "", text = ""] = Object.entries(files)[0] ?? [];
  const service = createService({ files: memoryFiles(new Map(Object.entries(files))), parser, settingsOf: () => settings });
  try {
    const report = service.check(uri);
    service.link();
    for (let i = 0; i < 4; i++) service.hover(uri, Math.floor((text.length * i) / 4));
    for (const { location } of report.diagnostics) if (location.uri === uri) expect(location.span.end).toBeLessThanOrEqual(text.length);
    return report;
  } finally {
    service.dispose();
  }
}

function survivesAs(name: string, text: string): void {
  survive({ [`file:///x${name.slice(name.lastIndexOf("."))}`]: text });
}

describe("a fixture", () => {
  const source = fc.constantFrom(...sources);
  const part = fc.double({ min: 0, max: 1, noNaN: true });

  it("may end anywhere", () => {
    fc.assert(
      fc.property(source, part, ({ name, text }, end) => survivesAs(name, text.slice(0, Math.floor(end * text.length)))),
      { numRuns: runs(8), seed: seedOf(1) },
    );
  });

  it("may lack any part", () => {
    fc.assert(
      fc.property(source, part, part, ({ name, text }, a, b) =>
        survivesAs(name, text.slice(0, Math.floor(Math.min(a, b) * text.length)) + text.slice(Math.floor(Math.max(a, b) * text.length))),
      ),
      { numRuns: runs(8), seed: seedOf(2) },
    );
  });

  it("may contain any characters anywhere", () => {
    const noise = fc.oneof(
      fc.string({ unit: "binary", maxLength: 40 }),
      fc.string({ unit: "grapheme", maxLength: 20 }),
      fc.constantFrom("\0", "\uFEFF", "\uD800", "\r", "\\\r\n", 'R"(', "??/", "#include", "<<<", "__VA_ARGS__"),
    );
    fc.assert(
      fc.property(source, part, noise, ({ name, text }, at, inserted) => {
        const offset = Math.floor(at * text.length);
        survivesAs(name, text.slice(0, offset) + inserted + text.slice(offset));
      }),
      { numRuns: runs(8), seed: seedOf(3) },
    );
  });

  it("may have its tokens in any order", () => {
    fc.assert(
      fc.property(source, fc.nat(), ({ name, text }, seed) => {
        const tokens = text.split(/\b/);
        const shuffled = tokens
          .map((token, index) => ({ token, key: Math.imul(index + 1, seed * 2 + 1) >>> 0 }))
          .sort((a, b) => a.key - b.key);
        survivesAs(name, shuffled.map(({ token }) => token).join(""));
      }),
      { numRuns: runs(8), seed: seedOf(4) },
    );
  });
});

describe("hostile texts", () => {
  const many = (text: string, count: number) => text.repeat(count);

  it.each([
    ["open parentheses", many("(", 20_000)],
    ["open braces", `void f() ${many("{", 20_000)}`],
    ["open brackets", `int a${many("[", 20_000)}`],
    ["closed again", `int x = ${many("(", 10_000)}1${many(")", 10_000)};`],
    ["template brackets", `a${many("<b", 20_000)}`],
    ["pointers", `int ${many("*", 10_000)}p;`],
    ["operators", `int x = ${many("1 + ", 5_000)}1;`],
    ["negations", `int x = ${many("!", 10_000)}1;`],
    ["conditionals", `int x = ${many("1 ? 2 : ", 5_000)}3;`],
    ["nested calls", `int x = ${many("f(", 5_000)}1${many(")", 5_000)};`],
    ["nested blocks", `void f() { ${many("if (1) { ", 5_000)} ${many("}", 5_000)} }`],
    ["else chains", `void f(int x) { ${many("if (x) ; else ", 5_000)}; }`],
    ["member chains", `int x = a${many(".b", 10_000)};`],
    ["nested types", `${many("struct S { ", 2_000)}int x;${many("};", 2_000)}`],
    [
      "records without end",
      "struct A { A a; A b; A c[2]; A() {} }; struct B : B { int x; }; struct C; struct D { C c; D() {} }; struct C { D d; D e; }; const D g = {}; A h; B i; C j;",
    ],
    [
      "class templates without end",
      "template <class T> struct P : P<T *> { T t; P<T *> u; }; P<int> p; template <class T> struct R; template <class T> struct Q { R<T> a; }; template <class T> struct R { Q<T> a; Q<T> b; }; R<int> r;",
    ],
    ["nested namespaces", many("namespace n { ", 5_000)],
    ["nested lambdas", `auto x = ${many("[] { return ", 2_000)}1${many("; }", 2_000)};`],
    ["initializer lists", `int x[] = ${many("{", 10_000)}1${many("}", 10_000)};`],
    ["qualifiers", `${many("const volatile ", 5_000)}int x;`],
    ["parameters", `void f(${many("int *, ", 3_000)}int);`],
    ["a long string", `const char *s = "${many("x", 200_000)}`],
    ["a long comment", `/*${many("x", 200_000)}`],
    ["rules of slashes", `${many(`${many("/", 80)}\n#define A 1\n`, 100)}int x(); ${many(`) ${many("/", 80)}\n#endif\n`, 100)}`],
    [
      "rules in front of a string",
      `${many(`${many("/", 80)}\n`, 100)}STRINGIFY(int x; ${many(`) ${many("/", 80)}\n#endif /* */\n`, 100)}x`,
    ],
    ["a long identifier", `int ${many("x", 300_000)};`],
    ["continuations", `int a\\\n${many("\\\n", 100_000)};`],
  ])("%s", (name, text) => {
    for (const uri of urisFor(name)) survive({ [uri]: text });
  });
});

describe("hostile preprocessing", () => {
  it.each([
    ["a macro bomb", `#define A0 x x\n${Array.from({ length: 60 }, (_, i) => `#define A${i + 1} A${i} A${i}\n`).join("")}int A60;`],
    ["a bomb of arguments", `#define D(x) x x\nint ${"D(".repeat(40)}y${")".repeat(40)};`],
    ["macros that name each other", "#define A B(A)\n#define B(x) A x B(x)\nA B(A) B(B(A))"],
    ["an invocation without an end", `#define F(x) x\nF(${"(".repeat(10_000)}`],
    ["pasting", `#define P(a, b) a##b\n${"P(".repeat(1_000)}x${", y)".repeat(1_000)}`],
    ["nested conditions", `${"#if 1\n".repeat(10_000)}int x;`],
    ["a deep condition", `#if ${"(".repeat(50_000)}1\n#endif`],
    ["a condition that divides by zero", "#if 1 / 0\n#elif 1 % 0 || 1 << 1000\n#endif"],
    [
      "many macros",
      Array.from({ length: 2_000 }, (_, i) => `#define M${i} M${i + 1}\n`)
        .join("")
        .concat("int M0;"),
    ],
  ])("%s", (name, text) => {
    for (const uri of urisFor(name)) survive({ [uri]: text });
  });

  it.each(["*/", "/* a */ */", "*/ */"])("the end of a comment without its beginning does not hide the text after it: %s", (stray) => {
    const kernel = "kernel void k(global int *a, local int *b) { a = b; }\n";
    const rulesOf = (text: string) => survive({ "file:///a.cl": text }).diagnostics.map(({ rule }) => rule);
    expect(rulesOf(`${stray}\n${kernel}`)).toEqual(["address-space-conversion"]);
    expect(rulesOf(`int before;\n${stray} ${kernel}`)).toEqual(["address-space-conversion"]);
    expect(rulesOf(kernel.replace("a = b;", `${stray} a = b;`))).toEqual(["address-space-conversion"]);
    // Here the slash begins a comment.
    expect(rulesOf(kernel.replace("a = b;", "int *c = &a */* of */a;"))).toEqual([]);
  });

  it("include cycles end with a note in the file that closes the cycle", () => {
    const cycle = {
      "file:///a.cl": '#include "b.h"\nint x;',
      "file:///b.h": '#include "c.h"\n',
      "file:///c.h": '#include "b.h"\n#include "c.h"\n',
    };
    expect(survive(cycle).dependencies).toEqual(expect.arrayContaining(Object.keys(cycle)));
    expect(survive({ "file:///a.cl": 'void f() {\n#include "a.cl"\n}\n' }).notes.length).toBeGreaterThan(0);
  });

  it("a header that includes itself twice does not double the work at each level", () => {
    survive({ "file:///a.cl": '#include "b.h"\n', "file:///b.h": '#include "b.h"\n#include "b.h"\n' });
    survive({ "file:///a.cl": 'void f() {\n#include "b.h"\n}\n', "file:///b.h": '#include "b.h"\n#include "b.h"\n' });
  });

  it.each([
    ["once", { "a.cu": '#include "a.cu"\nint x;\n' }],
    ["twice", { "a.cu": '#include "a.cu"\n#include "a.cu"\nint x;\n' }],
    ["twice, through a macro", { "a.cu": '#define SELF "a.cu"\n#include SELF\n#include SELF\nint x;\n' }],
    ["twice, under conditions", { "a.cu": '#if 1\n#include "a.cu"\n#endif\n#ifndef NO\n#include "a.cu"\n#endif\nint x;\n' }],
    ["twice, in a body", { "a.cu": 'void f() {\n#include "a.cu"\n#include "a.cu"\n}\n' }],
    ["through a header", { "a.cu": '#include "b.h"\n#include "b.h"\nint x;\n', "b.h": '#include "a.cu"\n#include "a.cu"\nint y;\n' }],
    ["in every line", { "a.cu": `${'#include "a.cu"\n'.repeat(3_000)}int x;\n` }],
    [
      "at the end of headers that are nested too deeply",
      {
        "a.cu": '#include "h0.h"\nint x;\n',
        ...Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`h${i}.h`, `#include "h${i + 1}.h"\n`.repeat(2)])),
      },
    ],
  ])("a file that includes itself %s is read a few times, not 2^n times", (_, texts) => {
    const files = memoryFiles(new Map(Object.entries(texts).map(([name, text]) => [`file:///${name}`, text])));
    for (const isOpen of [false, true]) {
      const service = createService({ files, parser, settingsOf: () => settings, isOpen: () => isOpen });
      const steps = service.checkInSteps("file:///a.cu");
      let count = 0;
      while (steps.next().done !== true) count++;
      service.dispose();
      // Each include takes a step; 20,000 of them are allowed.
      expect(count).toBeLessThan(1_000);
    }
  });

  it("headers that each include the next one twice are read once each", () => {
    const ladder = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [`file:///h${i}.h`, `#include "h${i + 1}.h"\n#include "h${i + 1}.h"\n`]),
    );
    survive({ "file:///a.cl": '#include "h0.h"\n', ...ladder });
    survive({ "file:///a.cl": 'void f() {\n#include "h0.h"\n}\n', ...ladder });
  });
});
