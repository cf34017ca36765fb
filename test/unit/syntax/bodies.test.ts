/** If only declarations are needed, the bodies of functions are emptied before parsing, and nothing else is. */
import { expect, it } from "vitest";
import { inOneGo } from "../../../server/src/steps.ts";
import type { Item } from "../../../server/src/syntax/ast.ts";
import { emptyBodies } from "../../../server/src/syntax/text/bodies.ts";
import { sample } from "../../effort.ts";
import { loadFixtures } from "../../load-fixtures.ts";
import { testParser } from "../../service.ts";

const emptied = (text: string): string => emptyBodies(text).replace(/ +/g, " ");

it.each([
  ["void f(int a) { g(a); }", "void f(int a) {; }"],
  ["void f() {} int a;", "void f() {} int a;"],
  ["int f() const noexcept(true) { return '}'; }", "int f() const noexcept(true) {; }"],
  ["auto f() -> decltype(g()) { return g(); /* } */ }", "auto f() -> decltype(g()) {; }"],
  ["void f() __attribute__((noinline)) { g(); }", "void f() __attribute__((noinline)) {; }"],
  ["struct S { S() : a(1) { g(); } int a; };", "struct S { S() : a(1) {; } int a; };"],
  ["namespace a { struct S f() { return {}; } }", "namespace a { struct S f() {; } }"],
  ['extern "C" { void f() { g(); } }', 'extern "C" { void f() {; } }'],
  ["template<class T = int> void f() { g(); }", "template<class T = int> void f() {; }"],
  ["S &operator=(S o) { return *this; }", "S &operator=(S o) {; }"],
  ["bool operator()(int i) { return i; }", "bool operator()(int i) {; }"],
])("empties %s", (text, expected) => {
  const result = emptyBodies(text);
  expect(result).toHaveLength(text.length);
  expect(emptied(text)).toBe(expected);
});

it.each([
  "struct __align__(16) S { int a; };",
  "struct __attribute__((packed)) { int a; } s;",
  "struct S : decltype(f()) { int a; };",
  "enum E { A = f(1), B };",
  "int a[] = { f(1) };",
  "auto f = [](int a) { return a; };",
  "void f(int a) { g(",
  "int a; } void f(int b) {",
])("keeps %s", (text) => {
  expect(emptyBodies(text)).toBe(text);
});

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** The items, with the deferred ones parsed, as text without the bodies of functions. */
function headsOf(items: readonly Item[]): string {
  const withoutBody = (_: string, value: unknown) => (isObject(value) && value["kind"] === "block" ? undefined : value);
  const read = (list: readonly Item[]): readonly Item[] =>
    list.flatMap((item) => {
      if (item.kind === "deferred") return item.read();
      return item.kind === "namespace" || item.kind === "linkage" ? [{ ...item, items: read(item.items) }] : [item];
    });
  return JSON.stringify(read(items), withoutBody);
}

it("leaves the declarations of fixtures as they are", async () => {
  const parser = await testParser();
  const wrong: string[] = [];
  let count = 0;
  for (const { name, text: written } of sample(
    loadFixtures().flatMap(({ files }) => files),
    5,
  )) {
    const text = written.replace(/^[ \t]*#(?:[^\\\n]|\\[\s\S])*/gm, "");
    const parsed = parser.parse(text);
    const { tree } = parsed;
    parsed.dispose();
    if (tree.errors.length > 0) continue;
    count += 1;
    if (headsOf(inOneGo(parser.parseDeclarations(text)).items) !== headsOf(tree.items)) wrong.push(name);
  }
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(100);
});
