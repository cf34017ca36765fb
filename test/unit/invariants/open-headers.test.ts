/**
 * A source and its header, both open, are one list of pieces. Reading them so gives the same result as reading each as a whole, and what
 * is kept after an edit of either equals what a new service finds, in any order of questions.
 */
import { describe, expect, it } from "vitest";
import { runs, sample, seedOf } from "../../effort.ts";
import { loadFixtures } from "../../load-fixtures.ts";
import { differenceAfter, saidBy, serviceOver, told } from "../../open-headers.ts";
import { settingsFor, testParser } from "../../service.ts";

const parser = await testParser();
const header = "file:///w/h.cuh";
const source = "file:///w/a.cu";

const include = '#include "h.cuh"\n';
const use = "__global__ void k(const float *in, float *out) {\n  put((float *)in);\n  other(in, out);\n}\n";

/** A header, a source, and edits that look beyond one item: the file, the text that is replaced, and its replacement. */
type State = readonly [
  name: string,
  header: string,
  source: string,
  edits: readonly (readonly [file: "header" | "source", from: string, to: string])[],
];

const states: readonly State[] = [
  [
    "a brace of the header is commented out, closed too often, opened",
    "#pragma once\n__device__ void put(float *a);\ninline int f(int a) {\n  if (a) {\n    return 1;\n  }\n  return 0;\n}\n__device__ void other(const float *a, float *b);\n",
    include + use,
    [
      ["header", "  if (a) {", "//  if (a) {"],
      ["header", "//  if (a) {", "  if (a) {"],
      ["header", "int f(int a) {", "int f(int a) { {"],
      ["header", "{ {", "{"],
      ["header", "other(const float *a, float *b);", "other(const float *a, float *b)"],
    ],
  ],
  [
    "a torn header in a namespace",
    "#pragma once\n__device__ void put(float *a);\ninline int f(int a) { return a; }\n__device__ void other(const float *a, float *b);\n",
    `namespace n {\n${include}${use}}\n${use}`,
    [
      ["header", "return a; }", "return a; } }"],
      ["header", "} }", "}"],
      ["source", "namespace n {\n", ""],
      ["header", "return a; }", "return a;"],
    ],
  ],
  [
    "default argument appears",
    "#pragma once\n__device__ void put(float *a, int b);\n__device__ void other(const float *a, float *b);\n",
    `${include}__device__ void f(const float *in) { put((float *)in, 1); }\n${use}`,
    [
      ["header", "int b);", "int b = 0);"],
      ["header", "int b = 0);", "int b);"],
    ],
  ],
  [
    "overload is added in the header",
    "#pragma once\n__device__ void put(const float *a);\n__device__ void other(const float *a, float *b);\n",
    include + use,
    [
      ["header", "put(const float *a);", "put(const float *a);\n__device__ void put(float *a);"],
      ["header", "\n__device__ void put(float *a);", ""],
    ],
  ],
  [
    "typedef in the header",
    "#pragma once\ntypedef const float *In;\n__device__ void put(float *a);\n__device__ void other(In a, float *b);\n",
    `${include}__global__ void g(In in, float *out) { float *p = in; *p = 1; }\n${use}`,
    [
      ["header", "typedef const float *In;", "typedef float *In;"],
      ["header", "typedef float *In;", "typedef const float *In;"],
    ],
  ],
  [
    "member of a struct, through two items",
    "#pragma once\nstruct A { const float *data; };\nstruct B { A a; };\n__device__ void put(float *a);\n__device__ void other(const float *a, float *b);\n",
    `${include}__device__ B make();\n__global__ void g(float *out) { float *p = make().a.data; *p = 1; }\n${use}`,
    [
      ["header", "const float *data", "float *data"],
      ["header", " float *data", " const float *data"],
    ],
  ],
  [
    "macro in the header",
    "#pragma once\n#define IN const float *\n__device__ void put(float *a);\n__device__ void other(const float *a, float *b);\n",
    `${include}__global__ void g(IN in) { float *p = in; *p = 1; }\n${use}`,
    [
      ["header", "#define IN const float *", "#define IN float *"],
      ["header", "#define IN float *", "#define IN const float *"],
    ],
  ],
  [
    "memory space of a variable",
    "#pragma once\n__constant__ float table[8];\n__device__ void put(float *a);\n__device__ void other(const float *a, float *b);\n",
    `${include}__global__ void g() { table[0] = 1; }\nvoid host() { table[1] = 2; }\n${use}`,
    [
      ["header", "__constant__ float", "__device__ float"],
      ["header", "__device__ float", "float"],
      ["header", "\nfloat table", "\n__constant__ float table"],
    ],
  ],
  [
    "template, its body, a specialization",
    "#pragma once\ntemplate <class T> struct P { T *p; };\ntemplate <class T> __device__ void store(T *a) { *a = 0; }\n__device__ void put(float *a);\n__device__ void other(const float *a, float *b);\n",
    `${include}__global__ void g(const float *in, P<const float> q) { float *p = q.p; *p = 1; store((float *)in); }\n${use}`,
    [
      ["header", "*a = 0;", "const T *b = a; *b = 0;"],
      ["header", "template <class T> __device__", "template <> struct P<const float> { float *p; };\ntemplate <class T> __device__"],
      ["header", "template <> struct P<const float> { float *p; };\n", ""],
    ],
  ],
  [
    "namespace, using, argument-dependent look-up",
    "#pragma once\nnamespace n {\nstruct S { int v; };\n__device__ void take(S s, const float *p);\n}\n__device__ void put(float *a);\n__device__ void other(const float *a, float *b);\n",
    `${include}using namespace n;\n__device__ void g(S s, const float *p) { take(s, p); }\n${use}`,
    [
      ["header", "const float *p);\n}", "float *p);\n}"],
      ["source", "using namespace n;\n", ""],
      ["header", " float *p);\n}", " const float *p);\n}"],
    ],
  ],
  [
    "friend that only a class declares",
    "#pragma once\nstruct F { friend __device__ void meet(F f, const float *p); int v; };\n__device__ void put(float *a);\n__device__ void other(const float *a, float *b);\n",
    `${include}__device__ void g(F f, const float *p) { meet(f, p); }\n${use}`,
    [
      ["header", "const float *p); int", "float *p); int"],
      ["header", " float *p); int", " const float *p); int"],
    ],
  ],
  [
    "extern in a block",
    "#pragma once\n__device__ void put(float *a);\n__device__ void other(const float *a, float *b);\n__device__ void e1() { extern __constant__ float shared_one[]; }\n",
    `${include}__global__ void g() { extern __constant__ float shared_one[]; shared_one[0] = 1; }\n${use}`,
    [
      ["header", "extern __constant__ float", "extern __device__ float"],
      ["source", "extern __constant__ float shared_one[]; shared", "extern __device__ float shared_one[]; shared"],
    ],
  ],
  [
    "constant expression",
    "#pragma once\nconstexpr int size() { return 4; }\nenum { most = 4 };\n__device__ void put(float *a);\n__device__ void other(const float *a, float *b);\n",
    `${include}__constant__ float big[size() * 4000];\n__constant__ float more[most * 4000];\n${use}`,
    [
      ["header", "return 4", "return 9"],
      ["header", "most = 4", "most = 40"],
    ],
  ],
  [
    "bodies that others consult: a constexpr member, a constructor, a template that launches",
    "#pragma once\n__device__ void put(float *a);\n__device__ void other(const float *a, float *b);\nstruct V {\n  int n;\n  constexpr V(int m) : n(m) {}\n  __host__ __device__ constexpr int size() const { return 4; }\n};\nstruct C { int x; __device__ C(); };\n__device__ C::C() {}\ntemplate <class F> __global__ void run(F f) { f(); }\ntemplate <class F> void pass(F f) { f(); }\nconstexpr int twice(int a) { return 2 * a; }\n",
    `${include}V v(3);\n__device__ int a = v.size();\n__device__ C c;\nvoid host() {\n  int n = twice(1);\n  pass([=] { return n; });\n}\n${use}`,
    [
      ["header", "return 4;", "return n;"],
      ["header", "return n;", "return 5;"],
      ["header", "C::C() {}", "C::C() { x = 1; }"],
      ["header", "{ x = 1; }", "{}"],
      ["header", "void pass(F f) { f(); }", "void pass(F f) { run<<<1, 1>>>(f); }"],
      ["header", "{ run<<<1, 1>>>(f); }", "{ f(); }"],
      ["header", "return 2 * a;", "return a + a;"],
    ],
  ],
  [
    "execution space of a function",
    "#pragma once\n__device__ void put(float *a);\n__device__ void other(const float *a, float *b);\n__host__ __device__ int both(int a) { return a; }\n",
    `${include}void host() { both(1); }\n__global__ void g(int *p) { *p = both(2); }\n${use}`,
    [
      ["header", "__host__ __device__ int both", "int both"],
      ["header", "\nint both", "\n__device__ int both"],
    ],
  ],
  [
    "anonymous union",
    "#pragma once\nstatic union { const float *u; int w; };\n__device__ void put(float *a);\n__device__ void other(const float *a, float *b);\n",
    `${include}void g() { float *p = u; *p = 1; }\n${use}`,
    [["header", "const float *u", "float *u"]],
  ],
  [
    "half-typed text in the header",
    "#pragma once\n__device__ void put(float *a);\n__device__ void other(const float *a, float *b);\n",
    `${include}__global__ void g(const float *in) { float *p = in; *p = 1; }\n${use}`,
    [
      ["header", "__device__ void put", "struct { \n__device__ void put"],
      ["header", "struct { \n", ""],
    ],
  ],
  [
    "include moves into a condition",
    "#pragma once\n#ifdef __CUDA_ARCH__\n#define DEV 1\n#endif\n__device__ void put(float *a);\n__device__ void other(const float *a, float *b);\n",
    `${include}#if DEV\n__global__ void g(const float *in) { float *p = in; *p = 1; }\n#endif\n${use}`,
    [
      ["header", "#define DEV 1", "#define DEV 0"],
      ["header", "#define DEV 0", "#define DEV 1"],
    ],
  ],
];

describe("open headers", () => {
  it("have the findings, fixes and notes of headers that are read as wholes", () => {
    let cut = 0;
    const fixtures = loadFixtures().filter(({ files }) => files.length > 1);
    for (const fixture of sample(fixtures, 2)) {
      const settings = settingsFor(fixture, fixture.standards[0]);
      const texts = new Map(fixture.files.map(({ name, text }) => [`file:///fixture/${name}`, text]));
      const [open, whole] = [true, false].map((isOpen) => serviceOver(parser, texts, isOpen, settings));
      for (const uri of texts.keys()) {
        if (open === undefined || whole === undefined) continue;
        const [now, before] = [told(open, uri), told(whole, uri)];
        // In its includer's list a header also sees the declarations behind its `#include`.
        const isHeader = /\.(h|cuh|clh)$/.test(uri);
        expect(isHeader ? { ...now, summary: "" } : now, `${fixture.name} ${uri}`).toEqual(isHeader ? { ...before, summary: "" } : before);
        if (isHeader && open.glance(uri, []) !== undefined) cut += 1;
      }
      for (const each of [open, whole]) each?.dispose();
    }
    expect(cut).toBeGreaterThan(10);
  });

  it.each([
    ["open", header, "h.cuh"],
    ["closed", "file:///w/closed.cuh", "closed.cuh"],
    ["closed, of a header", "file:///w/closed.cuh", "between.cuh"],
  ])("that appear later change what their includers were told: %s", (_, added, name) => {
    const body = "__global__ void g(const float *in, float *out) {\n  RESULT float *p = in;\n  put(in);\n  *p = *out;\n}\n";
    const texts = new Map([
      ["file:///w/between.cuh", '#include "closed.cuh"\n'],
      [source, `#include "${name}"\n__device__ void put(float *a);\n${body}${body.replace("g(", "h(")}`],
    ]);
    const kept = serviceOver(parser, texts, true);
    const before = kept.check(source).diagnostics.map(({ rule }) => rule);
    for (const uri of texts.keys()) kept.check(uri);
    texts.set(added, "#pragma once\n#define RESULT const\n__device__ void put(const float *a);\n");
    expect(differenceAfter(parser, kept, texts, added)).toBeUndefined();
    expect(kept.check(source).diagnostics.map(({ rule }) => rule)).not.toEqual(before);
    texts.delete(added);
    expect(differenceAfter(parser, kept, texts, added)).toBeUndefined();
    expect(kept.check(source).diagnostics.map(({ rule }) => rule)).toEqual(before);
    kept.dispose();
  });

  it.each(states)("after edits that look beyond one item: %s", (_, first, second, edits) => {
    const texts = new Map([
      [header, first],
      [source, second],
    ]);
    const kept = serviceOver(parser, texts, true);
    for (const uri of texts.keys()) kept.check(uri);
    for (const [file, from, to] of edits) {
      const uri = file === "header" ? header : source;
      const before = texts.get(uri) ?? "";
      expect(before).toContain(from);
      texts.set(uri, before.replace(from, to));
      expect(differenceAfter(parser, kept, texts, uri), to).toBeUndefined();
      const whole = serviceOver(parser, texts, false);
      const isReadable = [...texts.keys()].every((each) => whole.check(each).understanding.parseErrors.length === 0);
      // A header that is read as a whole in its includer's context hides the declarations in its bodies.
      if (isReadable && !texts.get(header)?.includes("{ extern"))
        for (const each of texts.keys()) expect(saidBy(kept, each), to).toEqual(saidBy(whole, each));
      whole.dispose();
    }
    kept.dispose();
  });

  it.each([
    ["namespace n {\n", "}\n"],
    ["namespace n {\n", "};\n"],
    ["inline namespace v { namespace n {\n", "}}\n"],
  ])("and a torn header that is read once stays a list of pieces, whose end closes its namespaces: %j", (opens, closes) => {
    const texts = new Map([
      [
        header,
        `#pragma once\n${opens}struct S { int v; };\ninline int f(int a) {\n  if (a) {\n    return 1;\n  }\n  return 0;\n}\n__device__ void take(S s, float *p);\n${closes}`,
      ],
      [
        source,
        `${include}struct S { int w; };\n__global__ void g(S s, n::S t, const float *p) {\n  float *q = p;\n  n::take(t, q);\n  s.w = 1;\n}\n`,
      ],
    ]);
    const kept = serviceOver(parser, texts, true);
    expect([...texts.keys()].map((uri) => kept.check(uri).diagnostics.map(({ rule }) => rule))).toEqual([[], ["qualifier-discarded"]]);
    for (const [from, to] of [
      ["  if (a) {", "//  if (a) {"],
      ["return 1;", "return 12;"],
      ["//  if (a) {", "  if (a) { {"],
      ["return 12;", "return 1;"],
      ["namespace n {", "namespace n { namespace m {\nnamespace o {"],
      ["return 1;", "return 12;"],
    ] as const) {
      const before = texts.get(header) ?? "";
      expect(before).toContain(from);
      texts.set(header, before.replace(from, to));
      expect(differenceAfter(parser, kept, texts, header), to).toBeUndefined();
      expect(kept.glance(header, []), to).toBeDefined();
      const rules = kept.check(source).diagnostics.map(({ rule }) => rule);
      expect(rules, to).toEqual(["qualifier-discarded"]);
    }
    kept.dispose();
  });

  it("also if a closed header includes the open one, and another source includes both", () => {
    const closed = "file:///w/closed.h";
    const other = "file:///w/b.cu";
    const texts = new Map([
      [header, "#pragma once\n__device__ void put(float *a);\ntypedef const float *In;\n"],
      [closed, '#pragma once\n#include "h.cuh"\n__device__ void other(In a, float *b);\nstruct Holder { In in; };\n'],
      [source, `#include "closed.h"\n${use}`],
      [other, '#include "h.cuh"\n#include "closed.h"\n__device__ void show(Holder h) { float *p = h.in; *p = 1; }\n'],
    ]);
    const kept = serviceOver(parser, texts, true);
    for (const uri of texts.keys()) kept.check(uri);
    const edits = [
      [header, "typedef const float *In;", "typedef float *In;"],
      [other, "float *p = h.in;", "const float *p = h.in;"],
      [header, "typedef float *In;", "__device__ inline void first(const float *a) { float *b = a; }\ntypedef const float *In;"],
      [header, "float *b = a;", "const float *b = a;"],
      [closed, "In in;", "float *in;"],
      [source, "put((float *)in);", "put(in);"],
      [header, "put(float *a)", "put(const float *a)"],
    ] as const;
    for (const [uri, from, to] of edits) {
      const before = texts.get(uri) ?? "";
      expect(before).toContain(from);
      texts.set(uri, before.replace(from, to));
      expect(differenceAfter(parser, kept, texts, uri), to).toBeUndefined();
      if (uri !== closed) expect(kept.glance(uri, []), to).toBeDefined();
    }
    kept.dispose();
  });

  it("and a header that cannot be cut is read as a whole", () => {
    const begins = "file:///w/begin.h";
    const texts = new Map([
      [begins, "__device__"],
      [header, "namespace n {\n"],
      [source, '#include "begin.h"\nvoid put(float *a) {}\n#include "h.cuh"\n__device__ void f(const float *a) { float *b = a; }\n}\n'],
    ]);
    const [open, whole] = [true, false].map((isOpen) => serviceOver(parser, texts, isOpen));
    for (const uri of texts.keys()) if (open !== undefined && whole !== undefined) expect(told(open, uri), uri).toEqual(told(whole, uri));
    expect(open?.check(source).diagnostics.length).toBe(1);
    open?.dispose();
    whole?.dispose();
  });

  it("after random edits", () => {
    let seed = seedOf(5);
    const below = (limit: number) => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((seed / 2 ** 32) * limit);
    };
    const isFit = (text: string): boolean => /^[};].*\n/m.test(text) && !/#include|R"/.test(text);
    const fixtures = loadFixtures().filter(({ files: [file, ...more] }) => more.length === 0 && isFit(file?.text ?? ""));
    let compared = 0;
    for (let round = 0; round < runs(2); round += 1) {
      const fixture = fixtures[below(fixtures.length)];
      const text = fixture?.files[0]?.text ?? "";
      const cuts = [...text.matchAll(/^[};].*\n/gm)];
      const at = cuts.map((match) => match.index + match[0].length)[below(cuts.length)];
      if (fixture === undefined || at === undefined) continue;
      const settings = settingsFor(fixture, fixture.standards[0]);
      const name = `file:///w/${fixture.files[0]?.name.replaceAll("/", "-")}`;
      const texts = new Map([
        [header, `${round % 2 === 0 ? "#pragma once\n" : ""}${text.slice(0, at)}`],
        [name, `#include "h.cuh"\n${text.slice(at)}`],
      ]);
      // A header has the results that it has in its first includer.
      if (round % 3 === 0) texts.set(name.replace("/w/", "/w/second-"), `#include "h.cuh"\n${text.slice(at)}`);
      const words = [...new Set(text.match(/[A-Za-z_]\w+/g) ?? [])];
      const kept = serviceOver(parser, texts, true, settings);
      for (const uri of texts.keys()) kept.check(uri);
      for (let edit = 0; edit < 8; edit += 1) {
        const uri = below(3) === 0 ? name : header;
        texts.set(uri, randomEdit(texts.get(uri) ?? "", words, below));
        compared += 1;
        expect(differenceAfter(parser, kept, texts, uri, settings), `${fixture.name} round ${round}:\n${texts.get(uri)}`).toBeUndefined();
      }
      kept.dispose();
    }
    expect(compared).toBeGreaterThan(runs(10));
  });
});

/** The text with a line removed or doubled, or without a qualifier, or with another word, or without a brace or semicolon. */
function randomEdit(text: string, words: readonly string[], below: (limit: number) => number): string {
  const lines = text.split("\n");
  const line = below(lines.length);
  const before = lines[line] ?? "";
  const all = before.match(/[A-Za-z_]\w+/g) ?? [];
  const ways = [
    () => lines.splice(line, 1),
    () => lines.splice(line, 0, before),
    () => lines.splice(line, 1, before.replace(/\b(const|__\w+__|__global|__local|global|local|constant)\b ?/, "")),
    () => lines.splice(line, 1, before.replace(all[below(all.length)] ?? "", words[below(words.length)] ?? "")),
    () => lines.splice(line, 1, before.replace(/[{;]/, "")),
  ];
  ways[below(ways.length)]?.();
  return lines.join("\n");
}
