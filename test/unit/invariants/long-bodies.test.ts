/**
 * In a long body, or that of a long class's member, an edit repeats only the work on what it changed. Whatever is edited, the findings are those of a new service, and
 * the unchanged statements are the same objects.
 */
import { expect, it } from "vitest";
import { noSettings } from "../../../server/src/dialect.ts";
import { longPiece } from "../../../server/src/preprocess/row.ts";
import { createService, type Service } from "../../../server/src/service.ts";
import type { FunctionItem, SyntaxTree } from "../../../server/src/syntax/ast.ts";
import { isThorough } from "../../effort.ts";
import { memoryFiles, testParser } from "../../service.ts";

const parser = await testParser();

const filler = (count: number, line: (at: number) => string) => Array.from({ length: count }, (_, at) => line(at)).join("\n");

const opencl = `constant float table[4] = {1, 2, 3, 4};
void store(global float *to, float value);
kernel void scale(global float *out, global const float *in, local float *tile, int n) {
  const int size = 16;
  float sum = 0.0f;
  global float *target = out;
${filler(50, (at) => `  sum += in[${at} % n] * ${at}.5f + tile[${at} % size];`)}
  local float *near = tile;
  for (int step = 0; step < size; step++) {
    const float part = in[step];
    if (part > 0.5f) {
      target[step] = part * sum;
      near = (local float *)target;
    } else tile[step] = part;
${filler(45, (at) => `    sum -= part * ${at}.25f;`)}
  }
  switch (n) {
    case 1: sum = table[1]; break;
    default: store(near, sum);
  }
  store(target, sum);
}
`;

const cuda = `__constant__ float table[4];
template <typename T> __device__ T first(T *p) { return *p; }
template <typename T>
__device__ T total(const T *in, T *out, int n) {
  T sum = 0;
${filler(70, (at) => `  sum += in[${at} % n] * T(${at}) + first(in);`)}
  T *target = out;
  auto add = [&](T more) { sum += more; };
  add(in[0]);
${filler(40, (at) => `  target[${at}] = sum * T(${at});`)}
  return sum;
}
__global__ void run(const __grid_constant__ int n, float *out, const float *in) {
  extern __shared__ float tile[];
  struct Pair { float a, b; };
  Pair pair = {in[0], in[1]};
  const float *source = in;
${filler(80, (at) => `  tile[${at}] = source[${at} % n] * ${at}.5f;`)}
  table[0] = first(tile) + first(source) + pair.a;
  out[0] = total<float>(source, out, n);
  n = 3;
}
`;

/** Both bodies declare the same dynamic shared memory, and the host reads less of the first one than the device. */
const shared = `template <typename T>
__global__ void sums(const T *in, T *out, int n) {
  typedef float Element;
  extern __shared__ Element tile[];
  // the first
  T sum = 0;
#if __CUDA_ARCH__ >= 800
${filler(90, (at) => `  sum += in[${at} % n] * T(${at}) + T(tile[${at}]);`)}
  *in = 1;
#else
${filler(20, (at) => `  sum -= in[${at} % n];`)}
#endif
  out[0] = sum;
}
extern "C" __global__ void counts(const float *in, float *out) {
  extern __shared__ float tile[];
${filler(90, (at) => `  tile[${at}] = in[${at}] * ${at}.5f;`)}
  out[0] = tile[0];
}
__global__ void ends(const float *in, float *out) {
  extern __shared__ float tile[];
  *in = tile[0];
}
void launch(const float *in, float *out) {
  sums<float><<<1, 32, 64>>>(in, out, 3);
  counts<<<1, 32, 64>>>(in, out);
}
`;

const classes = `__constant__ float table[4];
__device__ void take(float *);
template <typename T>
struct Box {
  T *data;
  T *other;
  int size = 4;
  struct Part { T *at; __device__ void move(const T *to) { at = at + 1; } };
  __device__ Box(T *given) : data(given), other(given) { size = 1; }
  __device__ void put(T value) {
    data[0] = value; // the first
    take(other);
${filler(55, (at) => `    other[${at}] = value * T(${at});`)}
  }
  __device__ T get(const T *from) const {
    T sum = 0;
    auto add = [&](const T *more) { sum += *more; };
    add(from);
${filler(55, (at) => `    sum += from[${at}] + data[${at}];`)}
    return sum;
  }
  template <typename U> __device__ void copy(const U *from, U *to) { U *there = to; *there = *from; }
  static constexpr int twice(int n) { return n + n; }
  __device__ Box &operator=(const Box &box) { data = box.data; return *this; }
  // Trailing
  int last[twice(2)];
};
struct Plain {
  float *at;
  __device__ void set(const float *source) const {
    float *target = at;
${filler(110, (at) => `    target[${at}] = source[${at}] * ${at}.5f;`)}
    table[1] = target[0];
  }
  friend __device__ void swap(Plain &one, Plain &two) { float *kept = one.at; one.at = two.at; two.at = kept; }
};
__global__ void use(Box<float> box, Box<const float> constant, Plain plain, const float *in, float *out) {
  __shared__ int places[sizeof(Box<float>::last)];
  box.put(1.0f);
  constant.get(in);
  plain.set(in);
  box.copy(in, out);
}
`;

/** A short text that its macros make long. */
const expanded = `#define ADD(at) sum += in[at] * 0.5f; tile[at % 4] = sum;
#define ADD4(at) ADD(at) ADD(at + 1) ADD(at + 2) ADD(at + 3)
#define ADD16(at) ADD4(at) ADD4(at + 4) ADD4(at + 8) ADD4(at + 12)
#define ADD64(at) do { ADD16(at) ADD16(at + 16) ADD16(at + 32) ADD16(at + 48) } while (0)
#define STORE(to, value) store(to, value)
constant float table[4] = {1, 2, 3, 4};
void store(global float *to, float value);
kernel void mix(global float *out, global const float *in, local float *tile, int n) {
  float sum = 0;
  // the first
  global float *target = out;
  for (int step = 0; step < n; step++) {
    if (step > 4) target[step] = sum;
    ADD64(step);
    if (step > 8) target[0] = sum;
    ADD64(n);
  }
  STORE(target, sum);
  ADD64(0);
  local float *near = tile;
  near[0] = sum;
  table[1] = sum;
}
`;

/** Pairs of texts; each edit replaces one of a pair by the other. */
const edits: Readonly<Record<string, readonly (readonly [from: string, to: string])[]>> = {
  [opencl]: [
    ["* 30.5f", "* 31.75f"],
    ["float sum = 0.0f;", "double sum = 0.0;"],
    ["const int size = 16;", "const int size = 8, many = 2;"],
    ["global float *target = out;", "local float *target = tile;"],
    ["global float *target = out;", "constant float *target = table;"],
    ["global float *target = out;", ""],
    ["  for (int step", "  float part = 1; tile = near;\n  for (int step"],
    ["const float part = in[step];", "const float part = in[step]; global float *near = out;"],
    ["if (part > 0.5f) {", "{ global int *target = 0; if (part > 0.5f) {"],
    ["if (part > 0.5f) {", "while (part > 0.5f) {"],
    ["target[step] = part", "in[step] = part"],
    ["case 1: sum", "case 1: ; local float *target; sum"],
    ["store(near, sum)", "store(target, sum)"],
    ["  local float *near = tile;\n", "\n\n  local float *near = tile;\n"],
    ["  switch (n) {", "  struct Pair { global float *at; } target;\n  switch (n) {"],
    ["  switch (n) {", "  }\n  switch (n) {"],
    ["  float sum", "  typedef local float *Near; Near from = (Near)out;\n  float sum"],
    ["for (int step = 0", "for (global float *step = in"],
  ],
  [expanded]: [
    ["// the first", "// the first of all that are here"],
    ["  // the first\n", "\n\n\n"],
    ["float sum = 0;", "double sum = 0;"],
    ["float sum = 0;", "local float *sum = tile;"],
    ["  // the first", "  int fresh"],
    ["  // the first", "  API int fresh; GLOBAL"],
    ["global float *target = out;", "local float *target = tile;"],
    ["global float *target = out;", "constant float *target = table;"],
    ["target[step] = sum;", "in[step] = sum;"],
    ["if (step > 8)", "global float *tile = out; if (step > 8)"],
    ["if (step > 8)", "} if (n > 8)"],
    ["ADD64(n);", "ADD64(target);"],
    ["ADD64(n);", "ADD64(n"],
    ["STORE(target, sum);", "STORE(tile, sum);"],
    ["STORE(target, sum);", "STORE(near, sum);"],
    ["in[at] * 0.5f", "in[at] / n"],
    ["local float *near = tile;", "global float *near = tile;"],
    ["near[0] = sum;", "table[0] = sum;"],
  ],
  [cuda]: [
    ["* T(30)", "* T(31)"],
    ["T sum = 0;", "const T sum = 0;"],
    ["T *target = out;", "const T *target = in;"],
    ["add(in[0]);", "add(in[1]); in = out; *in = sum;"],
    ["auto add = [&]", "auto add = [=]"],
    ["total<float>(source", "total<const float>(source"],
    ["out[0] = total<float>(source, out, n);", ""],
    ["first(tile) + first(source)", "first(source)"],
    ["first(tile) + first(source)", "first(&pair)"],
    ["extern __shared__ float tile[];", "__shared__ const float tile[4];"],
    ["extern __shared__ float tile[];", "__constant__ float tile[4];"],
    ["struct Pair { float a, b; };", "struct Pair { const float a, b; }; const int n = 3;"],
    ["const float *source = in;", "float *source = out; source[0] = 1;"],
    ["  n = 3;\n", "  n = 4; { int n = 5; n = 6; }\n"],
  ],
  [classes]: [
    ["// the first", "// the first of all"],
    ["    take(other);", "    take(table);"],
    ["    take(other);", "    take(&this->data[3]); const T *n = data; n[0] = 1;"],
    ["    take(other);", "//  take(other);"],
    ["    take(other);", "    take(other); }  void more() {"],
    ["T sum = 0;", "T *sum = data;"],
    ["add(from);", "add(from); data[1] = sum;"],
    ["add(from);", "add(from); T *writable = from;"],
    ["add(from);", "add(from"],
    ["[&](const T *more)", "[=](const T *more)"],
    ["U *there = to;", "U *there = from;"],
    ["return n + n;", "return n * 3;"],
    ["data = box.data;", "data = box.other;"],
    ["// Trailing", "// Trailing comment"],
    ["// Trailing", "const T *trailing;"],
    ["at = at + 1;", "*to = *at;"],
    ["size = 1;", "size = 2; *given = 1;"],
    ["float *target = at;", "float *target = source;"],
    ["table[1] = target[0];", "table[2] = 1; this->at = 0;"],
    ["table[1] = target[0];", "extern __shared__ float tile[]; tile[0] = 1; float *t = source;"],
    ["one.at = two.at;", "const float *c = kept; *c = 1;"],
    ["box.put(1.0f);", "constant.put(1.0f);"],
    ["constant.get(in);", "constant.get(table); *constant.data = 1;"],
  ],
  [shared]: [
    ["T sum = 0;", "int fresh = 0; T sum = 0;"],
    ["typedef float Element;", "typedef int Element;"],
    ["  extern __shared__ Element tile[];", "  // tile\n  extern __shared__ Element tile[];"],
    ["extern __shared__ Element tile[];", "extern __shared__ Element other[]; float *tile = other;"],
    ["extern __shared__ float tile[];", "extern __shared__ double tile[];"],
    ["extern __shared__ float tile[];\n  *in", "extern __constant__ float tile[];\n  *in"],
    ["*in = 1;", "out[1] = 1;"],
    ["*in = 1;\n#else", "#else"],
    ["sum -= in[3 % n];", "*in = sum;"],
  ],
};

function open(texts: Map<string, string>): Service {
  return createService({ files: memoryFiles(texts), parser, settingsOf: () => noSettings, isOpen: () => true });
}

it.each([
  ["OpenCL C", "file:///long.cl", opencl],
  ["CUDA", "file:///long.cu", cuda],
  ["classes", "file:///classes.cu", classes],
  ["bodies that share memory", "file:///shared.cu", shared],
  ["macros", "file:///expanded.cl", expanded],
])("edits of a long body in %s give the findings of a new service", (_, uri, source) => {
  const texts = new Map([[uri, source]]);
  const service = open(texts);
  const seen = new Set<string>();
  const ofNewService = new Map<string, string>();
  const expectedNow = (): string => {
    const text = texts.get(uri) ?? "";
    const known = ofNewService.get(text);
    if (known !== undefined) return known;
    const fresh = open(texts);
    const expected = JSON.stringify(fresh.check(uri).diagnostics);
    fresh.dispose();
    ofNewService.set(text, expected);
    return expected;
  };
  const compare = (edit: string) => {
    const expected = expectedNow();
    expect(JSON.stringify(service.check(uri).diagnostics), edit).toBe(expected);
    seen.add(expected);
  };
  const type = (text: string) => {
    texts.set(uri, text);
    service.changed([uri]);
    service.glance(uri, []);
  };
  compare("none");
  const all = edits[source] ?? [];
  for (const [index, [from, to]] of all.entries()) {
    expect(source).toContain(from);
    type(source.replace(from, to));
    compare(`${from} becomes ${to}`);
    // Every fourth edit is followed by another one, or each in thorough tests.
    if (isThorough || index % 4 === 0) {
      const [other, more] = all[(index + 5) % all.length] ?? [from, to];
      type(source.replace(from, to).replace(other, more));
      compare(`${from} becomes ${to}, and ${other} ${more}`);
    }
    // The next edit of every second one comes at once, and reverts this one, too.
    if (!isThorough && index % 2 === 1) continue;
    type(source);
    compare(`${to} becomes ${from}`);
  }
  // The edits change the findings, so that a stale one would be noticed.
  expect(seen.size).toBeGreaterThan(10);
  service.dispose();
});

it.each([
  ["file:///long.cl", opencl],
  ["file:///long.cu", cuda],
  ["file:///classes.cu", classes],
  ["file:///shared.cu", shared],
  ["file:///expanded.cl", expanded],
])("%s has the same findings as an open and as a closed file", (uri, source) => {
  const texts = new Map([[uri, source]]);
  const [piecewise, whole] = [true, false].map((isOpen) =>
    createService({ files: memoryFiles(texts), parser, settingsOf: () => noSettings, isOpen: () => isOpen }),
  );
  const expected = whole?.check(uri).diagnostics;
  expect(expected).not.toEqual([]);
  expect(piecewise?.check(uri).diagnostics).toEqual(expected);
});

function statementsOf(tree: SyntaxTree) {
  const last = tree.items[tree.items.length - 1] as FunctionItem;
  return last.body?.statements ?? [];
}

/** How many of the statements of the new tree, at any depth, are not those of the old one. */
function freshStatements(old: SyntaxTree, now: SyntaxTree): number {
  const known = new Set<object>();
  let fresh = 0;
  const visit = (value: unknown, see: (statement: object) => boolean): void => {
    if (typeof value !== "object" || value === null) return;
    if ("kind" in value && value.kind === "expression" && !see(value)) return;
    for (const part of Object.values(value)) visit(part, see);
  };
  visit(old.items, (statement) => known.add(statement) !== undefined);
  visit(now.items, (statement) => {
    if (!known.has(statement)) fresh += 1;
    return !known.has(statement);
  });
  return fresh;
}

it.each([
  [
    "that macros make long",
    "file:///expanded.cl",
    expanded,
    { part: "", variants: 1, more: ["\n  int fre\n", "\n  int fresh\n", "\n  int fresh;\n"] },
  ],
  ["that the host reads otherwise", "file:///shared.cu", shared, { part: "T sum", variants: 2, more: [] }],
])("a key in a body %s keeps the statements around it", (_, uri, source, { part, variants, more }) => {
  const texts = new Map([[uri, source]]);
  const trees: SyntaxTree[] = [];
  const watched: typeof parser = {
    ...parser,
    parseInSteps: function* (text, previous) {
      const parsed = yield* parser.parseInSteps(text, previous);
      if (text.length > longPiece && text.includes(part)) trees.push(parsed.tree);
      return parsed;
    },
  };
  const service = createService({ files: memoryFiles(texts), parser: watched, settingsOf: () => noSettings, isOpen: () => true });
  service.check(uri);
  for (const typed of ["  // the first of\n", "  // the first of all\n", ...more]) {
    const before = trees.splice(0).slice(-variants);
    texts.set(uri, source.replace("  // the first\n", typed));
    service.changed([uri]);
    service.glance(uri, []);
    expect([before.length, trees.length]).toEqual([variants, variants]);
    const fresh = before.map((tree, at) => freshStatements(tree, trees[at] ?? tree));
    for (const count of fresh) expect(count, typed).toBeLessThan(20);
  }
  service.dispose();
});

it("a text that changes in one line keeps the statements of all others", () => {
  const text = `__kernel void k(__global int *out) {\n${filler(200, (at) => `  out[${at}] = (int)(${at} * 3);`)}\n}\n`;
  expect(text.length).toBeGreaterThan(longPiece);
  const before = parser.parse(text);
  const after = parser.parse(text.replace("(100 * 3)", "(100 + 3)"), before);
  const [old, now] = [statementsOf(before.tree), statementsOf(after.tree)];
  expect(now).toHaveLength(200);
  expect(now.flatMap((statement, at) => (statement === old[at] ? [] : [at]))).toEqual([100]);
  expect(after.tree).toEqual(parser.parse(text.replace("(100 * 3)", "(100 + 3)")).tree);
});
