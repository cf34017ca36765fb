/** The lowered form of declarations and definitions, in the compact notation of `show.ts`. */
import { describe, expect, test } from "vitest";
import { items } from "./show.ts";

const cases: readonly (readonly [code: string, lowered: string])[] = [
  [
    "__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void f(__global const float * restrict a, __write_only pipe int d) { }",
    "function __kernel @reqd_work_group_size(64, 1, 1) void | (__global const float * restrict a, __write_only pipe int d) f {  }",
  ],
  ["extern __shared__ __align__(16) unsigned char s[];", "declare extern __shared__ @aligned(16) unsigned-char | [] s"],
  [
    "template <typename T, int N = 3> __global__ void __launch_bounds__(256, N) k(const T * __restrict__ a, const __grid_constant__ P p) { }",
    "template<type T, int N = value 3> function __global__ @launch_bounds(256, N) void | (const T * restrict a, const __grid_constant__ P p) k {  }",
  ],
  ["__constant float c[2] __attribute__((aligned(16))) = {1, 2};", "declare __constant float | post @aligned(16) [2] c = {1, 2}"],
  [
    "int *p[3], (*q)[4], *const volatile r = nullptr, &s = t, &&u = v;",
    "declare int | * [3] p | [4] * q | * const volatile r = nullptr | & s = t | && u = v",
  ],
  ["int (*f)(int, float), *g(void), (*h[2])(...);", "declare int | (int, float) * f | * (void) g | (...) * [2] h"],
  [
    "void f(void (^b)(__local void *, ...), int (S::*m)(int) const, int A::B::*n);",
    "declare void | (void (__local void *, ...) ^ b, int (int) const ::* m, int ::* n) f",
  ],
  ["int x[4] __constant;", "declare int | post __constant [4] x"],
  ["T (*p)[4] = a;", "declare T | [4] * p = a"],
  ["typedef unsigned long long ull, *pull;", "declare typedef unsigned-long-long | ull | * pull"],
  ["typedef float float4 __attribute__((ext_vector_type(4)));", "declare typedef float | post @ext_vector_type(4) float4"],
  ["typedef struct { int a; } T;", "declare typedef struct { declare int | a } | T"],
  [
    "struct __align__(8) S final : public A, virtual B<int> { public: int a : 3, : 4; static const int b = 2; int c{3}; void m() const __global noexcept override; virtual void n() = 0; S(int a) : a(a), c{1} { } ~S() = default; S(S &&) = delete; operator float*() const; template <class U> U get(); friend class D; __device__ friend bool operator==(S, S); using B<int>::x; };",
    "declare struct @aligned(8) S final : A, B<int> { access; declare int | a : 3 | : 4; declare static const int | b = 2; declare int | c = {3}; declare void | () const __global noexcept override m; declare virtual void | () n = pure; function | (int a) S : a(a), c({1}) {  }; function | () ~S; function | (S &&) S; declare | () const -> float * operator float *; template<type U> declare U | () get; declare friend class D; declare __device__ friend bool | (S, S) operator==; using B<int>::x }",
  ],
  ["enum class E : unsigned char { a = 1, b };", "declare enum class E : unsigned-char { a = 1, b }"],
  ["enum { c };", "declare enum { c }"],
  ["enum F : int;", "declare enum F : int"],
  [
    "template <class T> S<T>::operator int() const { return 1; }",
    "template<type T> function | () const -> int S<T>::operator int { return 1 }",
  ],
  ["bool S::operator ! () const { }", "function bool | () const S::operator! {  }"],
  ["void *operator new [] (size_t n);", "declare void | * (size_t n) operator new[]"],
  [`int operator""_x(unsigned long long);`, `declare int | (unsigned-long-long) operator""_x`],
  ["namespace a::b { inline namespace c { int x; } }", "namespace a::b { inline namespace c { declare int | x } }"],
  ["namespace { }", "namespace {  }"],
  ["namespace q = a::b;", "namespace q = a::b"],
  ["using namespace a;", "using namespace a"],
  ["using A::b, C::d;", "using A::b; using C::d"],
  ["using T = int (*)[3];", "alias T = int [3] *"],
  [`extern "C" { int f(); }`, "linkage C { declare int | () f }"],
  [`extern "C" __global__ void g();`, "linkage C { declare __global__ void | () g }"],
  ["template class P<float>;", "instantiate class P<float>"],
  ["extern template void f<int>(int *);", "extern instantiate void | (int *) f<int>"],
  [
    "template <typename... Ts, template <class> class X = Y, class U = int *, bool B = (1 > 2)> void f(Ts &&... a, const Ts *... b);",
    "template<type ... Ts, template X = Y, type U = int *, bool B = value paren(1 > 2)> declare void | (Ts && ... a, const Ts * ... b) f",
  ],
  ["template <> struct X<int>;", "template<> declare struct X<int>"],
  ["template <class T> constexpr bool v = true;", "template<type T> declare constexpr bool | v = true"],
  [`static_assert(sizeof(int) == 4, "x");`, "static-assert (sizeof(type int) == 4)"],
  ["auto f() -> int (*)[3];", "declare auto | () -> int [3] * f"],
  ["decltype(auto) g();", "declare auto | () g"],
  ["auto [a, b] = c;", "declare auto | binding a b = c"],
  ["typename A<T>::type x;", "declare typename A<T>::type | x"],
  ["_Atomic(int) y;", "declare atomic(int) | y"],
  ["typeof(x) z;", "declare decltype(x) | z"],
  ["long unsigned int w;", "declare long-unsigned-int | w"],
  ["unsigned const u;", "declare const unsigned | u"],
  [
    "void f(int a = 3, N n = {}, int b[static 3], int c[restrict], int *d __attribute__((unused)));",
    "declare void | (int a = 3, N n = {}, int [static 3] b, int [restrict] c, int * post @unused d) f",
  ],
  ["int f() __attribute__((noinline));", "declare int | () @noinline f"],
  ["[[nodiscard]] __noinline__ int g() [[noreturn]];", "declare __noinline__ @nodiscard int | () @noreturn g"],
  ["__declspec(align(16)) int h;", "declare @aligned(16) int | h"],
  ["alignas(8) alignas(T) int i;", "declare @aligned(8) @aligned(T) int | i"],
  [`asm("x");`, "unknown {  }"],
  ["FOO(x);", "unknown {  }"],
  ["FOO int x; int y;", "unknown {  }; unknown { declare int | x }; declare int | y"],
  ["__global float *p = a ! b; int z;", "unknown { declare __global float | * p = (!b) }; declare int | z"],
  ["void f( { int a; }", "unknown { declare int | a }"],
];

describe("declarations and definitions", () => {
  test.each(cases)("%s", (code, lowered) => {
    expect(items(code)).toBe(lowered);
  });
});
