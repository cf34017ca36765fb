/** Declarations of headers are parsed when their names are looked up, and the members of classes when they are needed. */
import { describe, expect, it } from "vitest";
import { namesOf } from "../../../server/src/semantics/declarations/on-demand.ts";
import { inOneGo } from "../../../server/src/steps.ts";
import type { DeferredItem, Item } from "../../../server/src/syntax/ast.ts";
import { type PartParser, readDeclarations } from "../../../server/src/syntax/declarations.ts";
import { outlineOf } from "../../../server/src/syntax/text/bodies.ts";
import { sample } from "../../effort.ts";
import { loadFixtures } from "../../load-fixtures.ts";
import { testParser } from "../../service.ts";

describe("a declaration of a header", () => {
  it.each([
    ["struct S { int a; };", "class S"],
    ["class S;", "class S"],
    ["union __align__(16) U final { int a; };", "class U"],
    ["template <class T, int N = (1 > 0)> struct S : B<T>, C { T a; };", "class S"],
    ["template <> struct S<int, P<float>> { };", "class S"],
    ["template <class T> struct S<T *> : decltype(f()) { };", "class S"],
    ["using T = P<int>;", "T"],
    ["template <class T> using R = typename P<T>::type;", "R"],
    ["static inline unsigned int f(int a, int (*g)(int)) { return a; }", "f"],
    ["__device__ __forceinline__ float f(float a) { return a; }", "f"],
    ["const char *const *f(void);", "f"],
    ["ns::P<int>::type f(int a) noexcept(true);", "f"],
    ["template <class T> __host__ __device__ auto f(T a) -> decltype(g(a)) { return g(a); }", "f"],
    ["template <> void f<int>(int a) { }", "f"],
    ["template <class T> void S<T>::f(T a) const { }", "S::f"],
    ["int ns::f() { return 0; }", "ns::f"],
    ["[[nodiscard]] int f() = delete;", "f"],
    ["__attribute__((noinline)) void f() { }", "f"],
  ])("%s is parsed later", (text, expected) => {
    const { text: outline, deferred } = outlineOf(text);
    expect(
      deferred.map(({ isClass, outer, name }) => `${isClass ? "class " : ""}${outer === undefined ? "" : `${outer}::`}${name}`),
    ).toEqual([expected]);
    expect(outline).toBe(" ".repeat(text.length));
  });

  it.each([
    ["declares more than one name", "struct S { int a; } s;"],
    ["declares more than one name", "int f(int), g(int);"],
    ["declares more than one name", "enum E { A, B };"],
    ["declares more than one name", "struct S f() { }"],
    ["declares more than one name", "using T = struct S { int a; };"],
    ["has no name", "struct { int a; };"],
    ["has no plain name", "S operator+(S a, S b) { return a; }"],
    ["has no plain name", "int (*f(int a))(float) { return 0; }"],
    ["has no plain name", "struct A::B { int a; };"],
    ["has no plain name", "int ::f() { return 0; }"],
    ["has no type", "MACRO(a, b) { }"],
    ["has no type", "S::S(int a) : b{a} { }"],
    ["may contain an undefined macro", "API int f(int a) { return a; }"],
    ["may contain an undefined macro", "API T f(T a) { return a; }"],
    ["may contain an undefined macro", "struct API S { int a; };"],
    ["may contain an undefined macro", "int f(int a) API { return a; }"],
    ["declares in the scope around it", "struct S { friend void f(S); };"],
    ["counts even if nothing names it", "__global__ void k(int a) { }"],
    ["counts even if nothing names it", "__constant__ int f(int a);"],
    ["counts even if nothing names it", "struct S { static __constant__ int a; };"],
    ["is compared with those of other files", "__device__ void f(int a);"],
    ["is a variable", "int a = f(1);"],
    ["is constrained", "template <class T> requires C<T> void f(T a) { }"],
    ["is an instantiation", "template struct S<int>;"],
    ["is incomplete", "struct S { int a;"],
    ["is incomplete", "void f(int a"],
  ])("that %s is parsed at once: %s", (_, text) => {
    expect(outlineOf(text).deferred).toEqual([]);
  });

  it("is found in namespaces and linkage specifications, and not in classes or functions", () => {
    const text =
      'namespace a { namespace b { void f() { } } } extern "C" { int g(); } struct S { friend S; void h() { } }; void k() { struct T { }; }';
    expect(outlineOf(text).deferred.map(({ name }) => name)).toEqual(["f", "g", "k"]);
  });

  it("after the end of an unknown declaration is parsed at once", () => {
    expect(outlineOf("struct S { friend S; } *f(int a) { }").deferred).toEqual([]);
  });
});

const flat = (items: readonly Item[]): readonly Item[] =>
  items.flatMap((item) => (item.kind === "namespace" || item.kind === "linkage" ? flat(item.items) : [item]));

const deferredIn = (items: readonly Item[]): readonly DeferredItem[] => flat(items).filter((item) => item.kind === "deferred");

it("waits under the names that it declares, in fixtures", async () => {
  const parser = await testParser();
  const wrong: string[] = [];
  let count = 0;
  for (const { name: file, text: written } of sample(
    loadFixtures().flatMap(({ files }) => files),
    5,
    1,
  )) {
    const text = written.replace(/^[ \t]*#(?:[^\\\n]|\\[\s\S])*/gm, "");
    const whole = parser.parse(text);
    whole.dispose();
    if (whole.tree.errors.length > 0) continue;
    for (const deferred of deferredIn(inOneGo(parser.parseDeclarations(text)).items)) {
      const [item, ...others] = deferred.read();
      count += 1;
      if (item === undefined || others.length > 0) wrong.push(`${file}: ${deferred.name} is ${1 + others.length} items`);
      else if (JSON.stringify(item).includes('"kind":"unknown"') || deferred.outer !== undefined) continue;
      else if (!new Set(namesOf(item)).has(deferred.name)) wrong.push(`${file}: ${deferred.name} declares ${namesOf(item)?.join(" ")}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(250);
});

describe("the members of a class in a header", () => {
  it("are parsed when they are first needed", async () => {
    const parser = await testParser();
    const parts: string[] = [];
    const recorded: PartParser = {
      parse: () => expect.unreachable(),
      *parsePart(text, part, from) {
        parts.push(part.trim());
        const { items } = inOneGo(parser.parseDeclarations(" ".repeat(from) + part));
        return items.flatMap((item) =>
          item.kind === "deferred" ? parser.parse(text).tree.items.filter(({ span }) => span.start === from) : [item],
        );
      },
    };
    const text = "struct A { int first; }; struct B { int second; };";
    const [, item] = inOneGo(readDeclarations(recorded, text)).items;
    expect(parts).toEqual([""]);
    const [declared] = item?.kind === "deferred" ? item.read() : [];
    expect(parts.slice(1)).toEqual(["struct B {int _;       };"]);
    const specifier = declared?.kind === "declaration" ? declared.specifiers.type : undefined;
    const body = specifier?.kind === "record" ? specifier.body : undefined;
    expect(parts).toHaveLength(2);
    expect(body?.members).toHaveLength(1);
    expect(body?.members).toHaveLength(1);
    expect(parts.slice(2)).toEqual(["struct B { int second; };"]);
  });

  it("leave the rest of the header known if they cannot be read", async () => {
    const parser = await testParser();
    const text = "struct A { int a; }; struct B { int 5 b; }; struct C { int c; };";
    const [a, b, c] = deferredIn(inOneGo(parser.parseDeclarations(text)).items);
    const membersOf = (item: DeferredItem | undefined) =>
      (item?.read() ?? []).flatMap((each) =>
        each.kind === "declaration" && each.specifiers.type?.kind === "record" ? (each.specifiers.type.body?.members ?? []) : [],
      );
    expect(membersOf(a).map(({ kind }) => kind)).toEqual(["declaration"]);
    expect(membersOf(b).map(({ kind }) => kind)).toContain("unknown");
    expect(membersOf(c).map(({ kind }) => kind)).toEqual(["declaration"]);
  });
});
