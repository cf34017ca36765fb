/** The lowered form of expressions, in the compact notation of `show.ts`. */
import { describe, expect, test } from "vitest";
import { expression } from "./show.ts";

const cases: readonly (readonly [code: string, lowered: string])[] = [
  ["a + b * c - d", "((a + (b * c)) - d)"],
  ["a = b += c", "(a = (b += c))"],
  ["a ? b : c ? d : e", "(a ? b : (c ? d : e))"],
  ["a ?: b", "(a ?  : b)"],
  ["-a + !b - ~c * *d & &e", "((((-a) + (!b)) - ((~c) * (*d))) & (&e))"],
  ["++a + b--", "((++a) + (b--))"],
  ["(a, b, c)", "paren(a , (b , c))"],
  ["f(a, g(b))(c)[d].e->g", "f(a, g(b))(c)[d].e->g"],
  ["k<<<g, b>>>(a)", "k<<<g, b>>>(a)"],
  ["a::b<int, 3, T, c + 1>(x)", "a::b<int, value 3, T, value (c + 1)>(x)"],
  ["(int)a + (T *)b", "(cast(int, a) + cast(T *, b))"],
  ["(T)(a)", "cast(T, paren(a))"],
  ["(int &)(T)a += b", "(cast(int &, cast(T, a)) += b)"],
  ["(int)(a = b)", "cast(int, paren(a = b))"],
  ["(T)(a)->b", "cast(T, paren(a)->b)"],
  ["(float4)(a, b, c, d).xyz", "cast(float4, paren(a , (b , (c , d)))).xyz"],
  ["(uint)-a * b", "(cast(uint, (-a)) * b)"],
  ["(a) - b * c", "(paren(a) - (b * c))"],
  ["(f)()", "paren(f)()"],
  ["static_cast<const int *>(p)", "static_cast(const int *, p)"],
  ["addrspace_cast<__global int *>(p)", "addrspace_cast(__global int *, p)"],
  ["(T){1, .a = 2, .b.c = 3, [4] = 5}", "literal(T, {1, .a = 2, .b.c = 3, [4] = 5})"],
  ["T{1}", "literal(T, {1})"],
  ["typename A::B{1}", "literal(typename A::B, {1})"],
  ["int(x) + unsigned(y) + float4(z)", "((construct(int; x) + construct(unsigned; y)) + float4(z))"],
  [
    "sizeof(int *) + sizeof x + sizeof(T) + alignof(T) + sizeof...(Ts)",
    "((((sizeof(type int *) + sizeof(x)) + sizeof(paren(T))) + alignof(type T)) + sizeof(Ts...))",
  ],
  ["typeid(int)", "typeid(type int)"],
  ["new const T*[n]", "new(const T * [n]; ; )"],
  ["new (p) T(1, 2)", "new(T; p; 1, 2)"],
  ["new T[n][2]{}", "new(T [2] [n]; ; {})"],
  [
    "[=, &a, b = c, this] __device__ (int i) mutable -> int { return i; }",
    "lambda[=, &a, b = c, this](int i) __device__ mutable -> int { return i }",
  ],
  ["[&]<class T>(T t) { }", "lambda[&]<type T>(T t) {  }"],
  ["^(int a) { return a; }", "^(int a) { return a }"],
  ["({ int a = 1; a; })", "({ declare int | a = 1; a })"],
  ["f(a...) + (b + ... + 1) + (... && c)", "((f(a...) + fold(+; b, 1)) + fold(&&; c))"],
  [`"a" L"b" "c"`, `"abc"`],
  ["'a' + 1.0h + 0x1.8p3 + 1'000", "((('a' + 1.0h) + 0x1.8p3) + 1'000)"],
  ["true + nullptr + this->x + NULL", "(((true + nullptr) + this->x) + nullptr)"],
  ["x.template f<int>() + y.~T() + z.operator()(1) + A::B::c", "(((x.f<int>() + y.~T()) + z.operator()(1)) + A::B::c)"],
  ["a.*b + c->*d", "((a .* b) + (c ->* d))"],
  ["a and not b or c", "((a && (!b)) || c)"],
  ["f(1, )", "unknown(f, 1)"],
  ["a +", "unknown { (x = a) }"],
  ["__builtin_offsetof(S, a)", "unknown(a)"],
  ["__builtin_astype(x, __global T *) < y", "(bit-cast(__global T *, x) < y)"],
  ["x < __builtin_bit_cast(float, y)", "(x < bit-cast(float, y))"],
  ["10_ms", "unknown()"],
];

describe("expressions", () => {
  test.each(cases)("%s", (code, lowered) => {
    expect(expression(code)).toBe(lowered);
  });
});
