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
import { classes, cuda, dispatched, edits, expanded, filler, opencl, returning, shared, shortClasses } from "../../long-bodies.ts";
import { memoryFiles, testParser } from "../../service.ts";

const parser = await testParser();

function open(texts: Map<string, string>): Service {
  return createService({ files: memoryFiles(texts), parser, settingsOf: () => noSettings, isOpen: () => true });
}

it.each([
  ["OpenCL C", "file:///long.cl", opencl],
  ["CUDA", "file:///long.cu", cuda],
  ["classes", "file:///classes.cu", classes],
  ["short classes", "file:///shortclasses.cu", shortClasses],
  ["bodies that share memory", "file:///shared.cu", shared],
  ["lambdas", "file:///dispatched.cu", dispatched],
  ["macros", "file:///expanded.cl", expanded],
  ["returned objects", "file:///returning.cu", returning],
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
    // Every eighth edit is followed by another one, or each in thorough tests.
    if (isThorough || index % 8 === 0) {
      const [other, more] = all[(index + 5) % all.length] ?? [from, to];
      type(source.replace(from, to).replace(other, more));
      compare(`${from} becomes ${to}, and ${other} ${more}`);
    }
    // Only every third edit is reverted by itself; the next edit of the others comes at once, and reverts them, too.
    if (!isThorough && index % 3 !== 0) continue;
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
  ["file:///dispatched.cu", dispatched],
  ["file:///expanded.cl", expanded],
  ["file:///returning.cu", returning],
])("%s has a long piece, and the same findings as an open and as a closed file", (uri, source) => {
  const texts = new Map([[uri, source]]);
  const lengths: number[] = [];
  const measuring: typeof parser = {
    ...parser,
    parseInSteps: (text, previous) => {
      lengths.push(text.length);
      return parser.parseInSteps(text, previous);
    },
  };
  const piecewise = createService({ files: memoryFiles(texts), parser: measuring, settingsOf: () => noSettings, isOpen: () => true });
  const whole = createService({ files: memoryFiles(texts), parser, settingsOf: () => noSettings });
  const expected = whole.check(uri).diagnostics;
  expect(expected).not.toEqual([]);
  expect(piecewise.check(uri).diagnostics).toEqual(expected);
  expect(Math.max(...lengths)).toBeGreaterThanOrEqual(longPiece);
  piecewise.dispose();
  whole.dispose();
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

it("what an instance alone looks up matters to the body that requests it, also after an edit that does not walk it again", () => {
  const uri = "file:///instance.cu";
  const text = (pointer: string, added: string) => `struct Table { ${pointer} at; };
__device__ Table table;
template <typename T> __global__ void fill(T value) { table.at[0] = value; auto to = &table.at[0]; to[0] = value; }
void launch() { ${added}fill<<<1, 1>>>(1.0f); }
`;
  const texts = new Map([[uri, text("float *", "")]]);
  const service = open(texts);
  const found = (pointer: string, added: string) => {
    texts.set(uri, text(pointer, added));
    service.changed([uri]);
    service.glance(uri, []);
    const fresh = open(texts);
    const { diagnostics } = fresh.check(uri);
    fresh.dispose();
    expect(service.check(uri).diagnostics).toEqual(diagnostics);
    return diagnostics.length;
  };
  expect([found("float *", ""), found("float *", "int n; "), found("const float *", "int n; "), found("float *", "int n; ")]).toEqual([
    0, 0, 2, 0,
  ]);
});
