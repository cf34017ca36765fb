/**
 * Macros without a definition: which words are treated as such. The code around one is unknown, and its neighbors are read.
 */
import { describe, expect, test } from "vitest";
import { inOneGo } from "../../../server/src/steps.ts";
import { readTokens } from "../../../server/src/syntax/text/atoms.ts";
import { signTagHeads, signUnknownWords } from "../../../server/src/syntax/text/unknown-words.ts";

/** The text with `#` in place of each unknown word. */
const signed = (text: string): string => inOneGo(signUnknownWords(text, readTokens(text))).replace(/\uE000+/g, "#");

describe("words in declarations", () => {
  test.each([
    ["API void f();", "# void f();"],
    ["void API f();", "void # f();"],
    ["template <class T> API T f(T x);", "template <class T> # T f(T x);"],
    ["DEVICE INLINE T f(T x);", "# # T f(T x);"],
    ["struct API S { };", "struct # S { };"],
    ["class ALIGN(8) S { };", "class # S { };"],
    ["struct S s { 1, 2 };", "struct S s { 1, 2 };"],
    ["struct API S { int x; };", "struct # S { int x; };"],
    ["enum API E { one, two };", "enum # E { one, two };"],
    ["BEGIN(cuda) namespace a { }", "# namespace a { }"],
    ["BEGIN namespace a { } END", "# namespace a { } #"],
    ["void BOUNDS(256) f(int x) { }", "void # f(int x) { }"],
    ["void f(int x) NOTHROW;", "void f(int x) #;"],
    ["struct S { API S(int x) noexcept : x(x) { } };", "struct S { # S(int x) noexcept : x(x) { } };"],
    ["struct S { API T operator+(T); API operator bool(); };", "struct S { # T operator+(T); # operator bool(); };"],
    ["void f(IN float *RESTRICT p);", "void f(# float *# p);"],
    ["void f(float *CONST RESTRICT p);", "void f(float *# # p);"],
    ["API MORE thing *f();", "# # thing *f();"],
    ["API THING &x = y;", "# THING &x = y;"],
    ["auto g = [=] LAMBDA(int i) { };", "auto g = [=] #(int i) { };"],
    ["using A DEPRECATED = B;", "using A # = B;"],
  ])("%s", (text, expected) => {
    expect(signed(text)).toBe(expected);
  });
});

describe("words in the heads of classes, which the grammar reads as functions", () => {
  test.each([
    ["class API S { public: int x; };", "class # S { public: int x; };"],
    ["template <class T> struct API S\n{ T x; };", "template <class T> struct # S\n{ T x; };"],
    ["class S API { int x; };", "class S # { int x; };"],
    ["union API U { struct { int i; } s; };", "union # U { struct { int i; } s; };"],
    ["struct T s {1, 2};", "struct T s {1, 2};"],
    ['struct T s { ";", [] { return 1; }() };', 'struct T s { ";", [] { return 1; }() };'],
    ["struct S final { int x; };", "struct S final { int x; };"],
    ["struct T f() { int x; }", "struct T f() { int x; }"],
  ])("%s", (text, expected) => expect(signTagHeads(text).replace(/\uE000+/g, "#")).toBe(expected));
});

describe("calls without an end", () => {
  test.each([
    ["void f() { CHECK(x) return; }", "void f() { CHECK(x);return; }"],
    ["void f() { LOOP(i, n) { x(); } }", "void f() { LOOP(i, n);{ x(); } }"],
    ["void f() { CHECK(x) y = 3; }", "void f() { CHECK(x);y = 3; }"],
    ["void f() { SWITCH(t, CASE(a, 1) CASE(b, 2)); }", "void f() { SWITCH(t, CASE(a, 1),CASE(b, 2)); }"],
    [
      "void f() { LOAD x += 1; LOAD y[i][j].z = 2; LOAD p->q = 3; LOAD(a) n++; }",
      "void f() { # x += 1; # y[i][j].z = 2; # p->q = 3; LOAD(a);n++; }",
    ],
    ["void f() { take(x, ((void *)0) MORE); }", "void f() { take(x, ((void *)0) #); }"],
    ['int x; CASE("a", "b", int, unsigned int, T) { }', 'int x; CASE("a", "b", ___, ____________, T) { }'],
    [
      "namespace API a { } namespace API b::c { } inline namespace API v1 { } namespace d { }",
      "namespace # a { } namespace # b::c { } inline namespace # v1 { } namespace d { }",
    ],
    ["void f() { take(x, unsigned int, 4); }", "void f() { take(x, ____________, 4); }"],
  ])("%s", (text, expected) => {
    expect(signed(text)).toBe(expected);
  });
});

describe("programs", () => {
  test.each([
    "A(int) : a(1) { } B(int, T) { } int C(float);",
    "void f() { T x = 1; T y[n]; T z[2] = {}; x += 1; y[n].a = 2; p->q--; }",
    "T x(3); A::B<int> c = d; unsigned long long n;",
    "const T *f(const T &a, T *b) const noexcept;",
    "struct S : A<B>, C { S(int x) : x(x) { } ~S(); T operator()(int) const; };",
    "void f() { if (x) y = 3; else z(); for (auto i : v(1)) g(i); (T)(x) * y; a < b; return T(x) * y; }",
    'enum class E : int { a, b }; namespace a::b { } extern "C" { int g(void (*)(int)); }',
    "__global__ void __launch_bounds__(64) k(const float *__restrict__ p);",
    "template <typename T, class U = A<T>> inline constexpr bool v = sizeof(T) < 4;",
    "void f() { k<<<1, 2>>>(x); auto g = [&](int i) mutable { return i; }; T y{1}; new T(x); }",
    "void f() { va_arg(ap, int); sizeof(int); int h(int); std::function<R(int)> g; }",
  ])("%s has none", (text) => {
    expect(signed(text)).toBe(text);
  });
});
