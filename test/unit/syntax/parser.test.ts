/**
 * Properties of every parse: spans are nested and inside of the text, broken and hostile source has a tree, and an incremental parse
 * gives the same tree as a new one.
 */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Item } from "../../../server/src/syntax/ast.ts";
import { asCast } from "../../../server/src/syntax/lowering/readings.ts";
import { guard } from "../../../server/src/syntax/text/guard.ts";
import { declaratorName, unqualifiedName, walkExpressions } from "../../../server/src/syntax/walk.ts";
import { runs, seedOf } from "../../effort.ts";
import { newParser } from "../../service.ts";
import { readCorpus } from "../grammar/corpus.ts";
import { items, parser, showExpression } from "./show.ts";

const corpus = join(import.meta.dirname, "../../../grammars/corpus");
const cases = readCorpus(corpus);
const files = [...new Set(cases.map(({ file }) => file))];
const texts = files.map((file) =>
  cases
    .filter((one) => one.file === file)
    .map(({ code }) => code)
    .join("\n"),
);

/** The spans that are not inside of the enclosing span. */
function misplaced(node: unknown, start: number, end: number): readonly string[] {
  if (Array.isArray(node)) return node.flatMap((inner) => misplaced(inner, start, end));
  if (typeof node !== "object" || node === null) return [];
  if (!("span" in node)) return Object.values(node).flatMap((inner) => misplaced(inner, start, end));
  const { span } = node as Item;
  const own = span.start >= start && span.end <= end && span.start <= span.end ? [] : [JSON.stringify(node)];
  return [...own, ...Object.values(node).flatMap((inner) => misplaced(inner, span.start, span.end))];
}

function parse(text: string) {
  const parsed = parser.parse(text);
  parsed.dispose();
  return parsed.tree;
}

describe("spans", () => {
  test.each(texts)("nest", (text) => {
    expect(misplaced(parse(text).items, 0, text.length)).toEqual([]);
  });

  test("of names contain exactly the name", () => {
    const text = "__global int *a = b::c;";
    const [item] = parse(text).items;
    if (item?.kind !== "declaration") throw new Error("no declaration");
    const [declared] = item.declarators;
    const name = declared === undefined ? undefined : declaratorName(declared.declarator);
    expect(text.slice(name?.span.start, name?.span.end)).toBe("a");
    expect(text.slice(item.specifiers.span.start, item.specifiers.span.end)).toBe("__global int");
    expect(text.slice(declared?.initializer?.span.start, declared?.initializer?.span.end)).toBe("b::c");
  });

  test("count UTF-16 units", () => {
    const text = 'auto a = "é😀"; int b;';
    const [, item] = parse(text).items;
    expect(text.slice(item?.span.start, item?.span.end)).toBe("int b;");
  });
});

describe("broken source", () => {
  test("an unreadable statement does not affect its neighbors", () => {
    expect(items("void f() { a(); b( ; c(); }")).toContain("c()");
  });

  test("an unknown word before a declaration makes it unknown, but not the next line", () => {
    expect(items("PRIVATE_AS uint *p;\nuint *q;")).toMatch(/^unknown \{.*\}; declare uint \| \* q$/);
  });

  test("an unreadable name makes the function unknown and keeps its body", () => {
    expect(items("void CALL_MACRO f(int a) { g(); }")).toMatch(/^unknown \{ function .*g\(\)/);
  });

  test("a missing semicolon is an error at its place", () => {
    expect(parse("void f() { int x = 3 }").errors).toEqual([{ start: 20, end: 20 }]);
  });

  test.each([
    ["parentheses", `int x = ${"(".repeat(20_000)}`],
    ["brackets", "[".repeat(20_000)],
    ["blocks", `void f() ${"{".repeat(20_000)}${"}".repeat(20_000)}`],
    ["angles", "a<".repeat(20_000)],
    ["closed templates", `${"A<".repeat(20_000)}int${">".repeat(20_000)} x;`],
    ["prefix operators", `int x = ${"- ".repeat(20_000)}1;`],
    ["a sum", `int x = 1${" + 1".repeat(20_000)};`],
    ["stars", `int ${"*".repeat(20_000)}p;`],
    ["else-ifs", `void f() { if (a) ; ${"else if (a) ; ".repeat(10_000)} }`],
    ["casts", `int x = ${"(T)".repeat(5_000)}1;`],
    ["members", `int x = a${".b".repeat(20_000)};`],
    ["namespaces", "namespace a { ".repeat(20_000)],
    ["nul characters", "\0".repeat(10_000)],
    ["half of a surrogate pair", "int a; \ud83d int b;"],
  ])("thousands of %s are parsed", (_, text) => {
    const tree = parse(text);
    expect(tree.errors.length).toBeGreaterThan(0);
    expect(misplaced(tree.items, 0, text.length)).toEqual([]);
  });

  test("code that is nested too deeply is unknown, the code around it is known", () => {
    const shown = items(`int a; void f() { b(); ${"{".repeat(300)}${"}".repeat(300)} } int c;`);
    expect(shown).toMatch(/^declare int \| a; function void \| \(\) f \{ b\(\); /);
    expect(shown).toContain("unknown");
    expect(shown).toMatch(/declare int \| c$/);
  });
});

describe("a text with too many tokens", async () => {
  const item = "void f() { g(1, 2, 3, 4, 5, 6, 7, 8, 9); }\n";
  const tokensOfItem = 27;
  const impatient = await newParser(100);
  const parseImpatiently = (text: string) => {
    const parsed = impatient.parse(text);
    parsed.dispose();
    return parsed.tree;
  };

  test("is read up to the end of an item, without an error", () => {
    const { items: read, errors, endsAt } = parseImpatiently(item.repeat(20));
    expect(errors).toEqual([]);
    expect(read.map(({ kind }) => kind)).toEqual(["function", "function", "function"]);
    expect(endsAt).toBe(item.length * read.length - 1);
  });

  test("has an error where it ends inside of an item", () => {
    const { errors, endsAt } = parseImpatiently(`void f() {\n${"g(1);\n".repeat(100)}}`);
    expect(errors.length).toBeGreaterThan(0);
    expect(endsAt).toBeGreaterThan(0);
  });

  test("has as many as it has words, numbers and operators", () => {
    const table = (count: number) => `float table[] = {${"-1.25f, .5, 0x1.8p3, ".repeat(count)}};\n`;
    // `float table[] = {`, seven tokens for each three elements, `};`
    const most = Math.floor((100 - 8) / 7);
    expect(parseImpatiently(table(most)).endsAt).toBeUndefined();
    expect(guard(table(most + 1), 100).endsAt).toBeDefined();
  });

  test("has more than 400,000, as a rule", () => {
    const most = Math.floor(400_000 / tokensOfItem);
    expect(guard(item.repeat(most)).endsAt).toBeUndefined();
    expect(guard(item.repeat(most + 1)).endsAt).toBe(item.length * most - 1);
  });
});

describe("an incremental parse", () => {
  const random = (seed: number) => {
    let state = seed;
    return (below: number) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
      return state % below;
    };
  };
  const snippets = ["(", ")", "{", "}", "<", ";", "int x;", "__global ", '"', "*", "/*", ",", "=", "\n", "é", "", "", ""];

  const casesPerText = 8;
  const editsPerText = 3;

  // Each edit is applied to the correct text, so that both correct and broken trees are the start of a parse.
  test.each(files.map((file, seed) => ({ file, seed })))("gives the tree of a new parse ($file)", ({ file, seed }) => {
    const next = random(seedOf(seed + 1));
    const codes = cases.filter((one) => one.file === file).map(({ code }) => code);
    let text = "";
    let parsed = parser.parse(text);
    let clean = 0;
    for (let edit = 0; edit < runs(30); edit++) {
      if (edit % editsPerText === 0) {
        const from = next(codes.length);
        text = codes.slice(from, from + casesPerText).join("\n");
        parsed.dispose();
        parsed = parser.parse(text);
      }
      const at = next(text.length + 1);
      const edited = text.slice(0, at) + (snippets[next(snippets.length)] ?? "") + text.slice(at + next(6));
      const continued = parser.parse(edited, parsed);
      const fresh = parser.parse(edited);
      if (fresh.tree.errors.length === 0) clean++;
      expect(JSON.stringify(continued.tree)).toBe(JSON.stringify(fresh.tree));
      fresh.dispose();
      parsed.dispose();
      parsed = continued;
    }
    parsed.dispose();
    expect(clean).toBeGreaterThan(2);
  });

  test("leaves the previous parse usable, and may start from any previous parse", () => {
    const first = parser.parse("int a; int b;");
    const second = parser.parse("int a; float b;", first);
    const third = parser.parse("int aa; int b;", first);
    expect(second.tree).toEqual(parse("int a; float b;"));
    expect(third.tree).toEqual(parse("int aa; int b;"));
    first.dispose();
    first.dispose();
    expect(parser.parse("int c;", first).tree).toEqual(parse("int c;"));
  });
});

describe("readings and walks", () => {
  function initializer(text: string) {
    const [item] = parse(`int x = ${text};`).items;
    const value = item?.kind === "declaration" ? item.declarators[0]?.initializer : undefined;
    if (value?.kind !== "value") throw new Error("no initializer");
    return value.value;
  }

  test.each([
    ["(T) - a", "cast(T, (-a))"],
    ["(T) * a.b", "cast(T, (*a.b))"],
    ["(T) - a * b", "(cast(T, (-a)) * b)"],
    ["(T) - a * b / c", "((cast(T, (-a)) * b) / c)"],
  ])("%s may be a cast", (code, lowered) => {
    const cast = asCast(initializer(code));
    expect(cast === undefined ? "" : showExpression(cast)).toBe(lowered);
  });

  test.each(["a - b", "(a + b) - c", "(a) / b"])("%s may not", (code) => {
    expect(asCast(initializer(code))).toBeUndefined();
  });

  test("walkExpressions visits outer expressions first, from left to right", () => {
    const names: string[] = [];
    walkExpressions(initializer("f(a, b[c]) ? (d) : T{e, .x = g}"), (inner) => {
      if (inner.kind === "name") names.push(unqualifiedName(inner.name));
    });
    expect(names).toEqual(["f", "a", "b", "c", "d", "e", "g"]);
  });
});

test("two texts can be parsed in turns", () => {
  const long = (statement: string) => `int f(int x) {\n${`  ${statement}\n`.repeat(2_500)}}\n`;
  // Equally long, so that each is copied while the other is.
  const both = [parser.parseInSteps(long("x = x * 2 + 1;")), parser.parseInSteps(long("x += g(x, 11);"))] as const;
  const parsed: ReturnType<typeof parser.parse>[] = [];
  let steps = 0;
  while (parsed.length < 2) {
    for (const work of both) {
      const step = work.next();
      if (step.done !== true) steps += 1;
      else if (step.value !== undefined) parsed.push(step.value);
    }
  }
  // Each is copied in several steps.
  expect(steps).toBeGreaterThan(3);
  for (const { text, tree, dispose } of parsed) {
    expect(JSON.stringify(tree)).toBe(JSON.stringify(parse(text)));
    dispose();
  }
});
