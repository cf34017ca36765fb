/**
 * More shapes like those of `shapes.ts`, from the view of an attacker who knows the implementation and looks for work that grows
 * faster than the text.
 */
import type { Shape } from "./shapes.ts";

const each = (count: number, text: (index: number) => string, between = ""): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(between);
/** Of two things that are repeated in each other. */
const root = (count: number): number => Math.ceil(Math.sqrt(count));

const cuda: Readonly<Record<string, (count: number) => string>> = {
  // The preprocessor.
  "empty arguments in each other": (n) => `#define F(x) x\nint y${each(n, () => "F(")}${each(n, () => ")")};\n`,
  "empty arguments side by side": (n) => `#define F(a, b, ...) a b __VA_ARGS__\n${each(n, () => "F(,,) ")}int y;\n`,
  "commas between nothing": (n) => `#define F(...) #__VA_ARGS__ __VA_ARGS__\nint y F(${each(n, () => ",")});\n`,
  "macros that wait for their arguments": (n) => `#define E\n#define F(x) x\nint y = ${each(n, () => "F E ")}(1);\n`,
  "names of macros in their own arguments": (n) => `#define F(x) x + F\nint y = F${each(n, (i) => `(${i})`)};\n`,
  "macros that name each other": (n) => `${each(n, (i) => `#define M${i}(x) M${(i + 1) % n}(x) M${(i + 7) % n}(x)\n`)}int y = M0(1);\n`,
  "arguments that are used often": (n) => `#define F(x) ${each(root(n), () => "x ")}\nint y = F(${each(root(n), () => "1 + ")} 1);\n`,
  "arguments that are used often in each other": (n) => `#define F(x) x x\nint y = ${each(n, () => "F(")}1${each(n, () => ")")};\n`,
  "macros with parameters in a chain": (n) => `#define F0(x) x\n${each(n, (i) => `#define F${i + 1}(x) F${i}(x)\n`)}int y = F${n}(1);\n`,
  "macros with parameters in a chain, often": (n) =>
    `#define F0(x) x\n${each(root(n), (i) => `#define F${i + 1}(x) F${i}((x))\n`)}${each(root(n), (i) => `int y${i} = F${root(n)}(1);\n`)}`,
  "conditionals in arguments": (n) => `#define F(x) x\nint y = F(\n${each(n, (i) => `#if ${i % 2}\n1 +\n#else\n2 +\n#endif\n`)}3);\n`,
  "conditionals in a body": (n) =>
    `__global__ void k(int *o) {\n${each(n, (i) => `#if A == ${i}\no[0] = ${i};\n#elif defined B${i}\no[1] = ${i};\n#endif\n`)}}\n`,
  "conditionals that cut brackets": (n) => each(n, (i) => `#if A${i}\nvoid f${i}() {\n#else\nvoid g${i}(int) {\n#endif\n}\n`),
  "conditionals in a list": (n) => `__constant__ int a[] = {\n${each(n, (i) => `#ifdef A${i}\n${i},\n#endif\n`)}0 };\n`,
  "conditionals around parameters": (n) => `__global__ void k(\n${each(n, (i) => `#ifdef A\nconst\n#endif\nint *p${i},\n`)}int n) {}\n`,
  "expansions that hide brackets": (n) => `#define B {\n#define E }\n${each(n, (i) => `void f${i}() B int x; E\n`)}`,
  "itself under other macros": (n) =>
    `#ifndef IN\n#define IN\n${each(n, (i) => `#define V x${i}\n#include "a.cu"\n#undef V\n`)}#else\nint V;\n#endif\n`,
  "itself a little deeper": (n) => `#if __COUNTER__ < ${n}\nint x;\n#include "a.cu"\n#endif\n`,
  "strings that are pasted": (n) => `#define S(a) #a "x"\nconst char *s = ${each(n, () => "S(ab) ")};\n`,
  "a string of a string of a string": (n) =>
    `#define S(a) #a\n#define T0(a) S(a)\n${each(n, (i) => `#define T${i + 1}(a) T${i}(#a)\n`)}const char *s = T${n}("");\n`,
  "definitions of one macro with more parameters": (n) => each(root(n), (i) => `#define F(${each(i, (j) => `a${j}`, ", ")}) 1\n`),
  "undefinitions between uses": (n) => each(n, (i) => `#define A${i} __device__\nA${i} int x${i};\n#undef A${i}\n`),
  "qualifiers out of macros": (n) => `#define Q __device__ const\n#define R(x) x *\n${each(n, (i) => `Q R(int) p${i} = 0;\n`)}`,
  // Declarations.
  "declarations that disagree": (n) => each(n, (i) => `__global__ void f(${i % 2 ? "const " : ""}int *a);\n`),
  "declarations in places that disagree": (n) => each(n, (i) => `${i % 2 ? "__device__" : "__host__"} void f(int *a);\n`),
  "variables in memories that disagree": (n) => each(n, (i) => `extern ${i % 2 ? "__device__" : "__constant__"} int x;\n`),
  "wide structs in unions": (n) =>
    `union U { ${each(root(n), (i) => `struct { ${each(root(n), (j) => `int a${i}_${j}; `)} } s${i}; `)} };\n__constant__ U u;\n__global__ void k(U u) { ${each(root(n), (i) => `u.s${i}.a${i}_0 = 1; `)} }\n`,
  "wide structs without a name": (n) =>
    `struct S { ${each(root(n), (i) => `union { struct { ${each(root(n), (j) => `int a${i}_${j}; `)} }; int b${i}; }; `)} };\n__global__ void k(S s) { ${each(root(n), (i) => `s.a${i}_0 = s.b${i}; `)} }\n`,
  "a struct with const members, often": (n) =>
    `struct S { ${each(root(n), (i) => `const int a${i}; `)} };\n__global__ void k(S *a, S *b) { ${each(root(n), () => "*a = *b; ")} }\n`,
  "members that are searched in bases": (n) =>
    `struct b0 { int v; };\n${each(root(n), (i) => `struct b${i + 1} : b${i} { };\n`)}__global__ void k(b${root(n)} x, int *o) { ${each(root(n), () => "o[0] = x.v + x.none; ")} }\n`,
  "friends that are functions": (n) => each(n, (i) => `struct S${i} { friend __device__ void f(S${i} s) {} };\n`),
  "types in functions": (n) => each(n, (i) => `void f${i}() { struct S { int a; }; S s; typedef S T; T t; }\n`),
  "names that are hidden": (n) => `int x; void f() { ${each(n, () => "{ int x; ")}x = 1; ${each(n, () => "} ")} }\n`,
  "enumerators by name": (n) =>
    `enum class E { ${each(root(n), (i) => `e${i}, `)} };\n${each(root(n), (i) => `__constant__ int a${i}[(int)E::e${i} + 1];\n`)}`,
  "lists in lists of structs": (n) =>
    `struct P { int a[2]; struct { float b, c; } d; };\n__constant__ P x[] = { ${each(n, (i) => `{ { ${i}, 1 }, { 1.5f, 2.5f } }`, ", ")} };\n`,
  "lists without inner braces": (n) =>
    `struct P { int a[2]; struct { float b, c; } d; };\n__constant__ P x[] = { ${each(n, (i) => `${i}, 1, 1.5f, 2.5f`, ", ")} };\n`,
  "designated members": (n) =>
    `struct P { ${each(root(n), (i) => `int a${i}; `)} };\n${each(root(n), (i) => `__constant__ P p${i} = { ${each(root(n), (j) => `.a${j} = ${j}`, ", ")} };\n`)}`,
  "declarations of one statement": (n) => `__global__ void k(int *o) { int ${each(n, (i) => `x${i} = o[${i}]`, ", ")}; }\n`,
  // Templates.
  "arguments of templates in a chain": (n) =>
    `template <class T> struct S { typedef T type; };\ntypedef int t0;\n${each(n, (i) => `typedef S<t${i}>::type t${i + 1};\n`)}__constant__ t${n} x;\n`,
  "templates that host code requests in pairs": (n) =>
    `__device__ void leaf(int x);\ntemplate <class T> __host__ __device__ void t0(T x) { leaf(x); }\n${each(n, (i) => `template <class T> __host__ __device__ void t${i + 1}(T x) { t${i}(x); t${i}(2.0); }\n`)}int main() { t${n}(1); }\n`,
  "templates of templates": (n) =>
    `template <template <class> class C, class T> struct A { C<T> c; };\ntemplate <class T> struct B { T t; };\n${each(n, (i) => `A<B, B<int[${i + 1}]>> a${i};\n`)}`,
  "conditions on templates": (n) =>
    `template <bool B, class T = int> struct If { typedef T type; };\n${each(n, (i) => `template <class T> __device__ typename If<sizeof(T) == ${i}>::type f(T a) { return ${i}; }\n`)}__global__ void k(int *o) { ${each(n, () => "o[0] = f(1); ")} }\n`,
  "kernels of templates": (n) =>
    `template <class T> __global__ void k(const T *a, T *b) { *b = *(T *)a; }\nvoid f() { ${each(n, (i) => `k<int[${i + 1}]><<<1, 1>>>(0, 0); `)} }\n`,
  "methods of instances": (n) =>
    `template <int N> struct S { __device__ int f() { return S<N - 1>().f() + N; } };\n__global__ void k(int *o) { o[0] = S<${n}>().f(); }\n`,
  "pairs of template arguments": (n) =>
    `namespace n { template <class A, class B> struct P {}; }\ntypedef n::P<int, char> t0;\n${each(n, (i) => `typedef n::P<t${i}, t${i}> t${i + 1};\n`)}__device__ int f(int);\n__global__ void k(t${n} *x, int *o) { o[0] = f(*x) + f(x); }\n`,
  "pairs of bases that are templates": (n) =>
    `template <class A, class B> struct L : A {}; template <class A> struct R : A {};\nstruct s0 {};\n${each(n, (i) => `struct s${i + 1} : L<s${i}, R<s${i}>> {};\n`)}__device__ int f(int);\n__global__ void k(s${n} *x, int *o) { o[0] = f(*x); }\n`,
  "pairs of classes with destructors": (n) =>
    `struct s0 { ~s0(); int a; };\n${each(n, (i) => `struct s${i + 1} { s${i} a, b; };\n`)}__global__ void k(s${n} x) {}\n`,
  "default arguments of templates": (n) =>
    `template <${each(n, (i) => `int N${i} = ${i === 0 ? 0 : `N${i - 1} + 1`}`, ", ")}> struct S { int v[N${n - 1} + 1]; };\n__constant__ S<> s;\n`,
  // Statements.
  "pointers that are mixed": (n) =>
    `__global__ void k(const int *a) { ${each(n, (i) => `int *p${i} = (int *)a; `)} ${each(n, (i) => `p${i} = p${(i * 7 + 3) % n}; `)} *p0 = 1; }\n`,
  "pointers that are mixed in loops": (n) =>
    `__global__ void k(int *a) { ${each(root(n), (i) => `int *p${i} = a; `)} ${each(root(n), () => "for (;;) { ")} ${each(root(n), (i) => `p${i} = p${(i + 1) % root(n)}; `)} ${each(root(n), () => "} ")} *p0 = 1; }\n`,
  "functions in a ring": (n) =>
    `${each(n, (i) => `__device__ void f${i}(int *a, int *b);\n`)}${each(n, (i) => `__device__ void f${i}(int *a, int *b) { f${(i + 1) % n}(b, a); f${(i + 5) % n}(a, b); *a = 1; }\n`)}__global__ void k(const int *a) { f0((int *)a, 0); }\n`,
  "functions with many parameters in a ring": (n) => {
    const m = root(n);
    return `${each(m, (i) => `__device__ void f${i}(${each(m, (j) => `int *a${j}`, ", ")}) { f${(i + 1) % m}(${each(m, (j) => `a${(j + 1) % m}`, ", ")}); *a0 = 1; }\n`)}`;
  },
  "lambdas with many captures": (n) =>
    `void f() { ${each(root(n), (i) => `int x${i}; `)} ${each(root(n), (i) => `auto l${i} = [=] __device__ { return ${each(root(n), (j) => `x${j}`, " + ")}; }; `)} }\n`,
  "writes to one constant": (n) =>
    `__constant__ int c[4];\n${each(n, (i) => `__device__ void f${i}() { c[0] = ${i}; }\n`)}__global__ void k() { ${each(n, (i) => `f${i}(); `)} }\n`,
  "fixes in one declaration": (n) =>
    `__global__ void k(${each(n, (i) => `__grid_constant__ int v${i}`, ", ")}) { ${each(n, (i) => `v${i} = 1; `)} }\n`,
  "conditions of threads": (n) =>
    `__global__ void k(int *o) { __shared__ int s[64]; ${each(n, () => "if (threadIdx.x < 3) { ")} __syncthreads(); s[0] = 1; ${each(n, () => "} ")} }\n`,
  "switches in loops": (n) =>
    `__global__ void k(int *o, int n) { for (int i = 0; i < n; i++) { ${each(n, (i) => `switch (i) { case ${i}: continue; default: break; } `)} } }\n`,
  assembler: (n) => `__global__ void k(int *o) { ${each(n, () => 'asm volatile("mov.u32 %0, %1;" : "=r"(o[0]) : "r"(o[1])); ')} }\n`,
  "launches with settings": (n) =>
    `__global__ void k(int *a) { *a = 1; }\nvoid f() { int *p; cudaMalloc(&p, 4); ${each(n, () => "k<<<dim3(1, 2), dim3(3), 0, 0>>>(p); ")} }\n`,
  "host pointers to kernels": (n) =>
    `__global__ void k(int *a) { *a = 1; }\nvoid f() { ${each(n, (i) => `int x${i}; int *p${i} = &x${i}; k<<<1, 1>>>(p${i}); `)} }\n`,
  // Letters and comments.
  "suppressions of other rules": (n) =>
    each(n, (i) => `// gpu-qualifiers: allow[nothing-${i}] x\n__global__ void k${i}(__grid_constant__ int v) {}\n`),
  "kernels between literals": (n) => each(n, (i) => `const char *s${i} = "__kernel void k" X${i} "(__global int *a) { a[0] = 1; }" ;\n`),
  "kernels in one literal": (n) => `const char *s = R"(${each(n, (i) => `__kernel void k${i}(__global int *a) { a[0] = ${i}; }\n`)})";\n`,
  "kernels in a call": (n) =>
    `void f() { ${each(n, (i) => `build("__kernel void k${i}(__global int *a, __local int *b) { a = b; }"); `)} }\n`,
  "splices in words": (n) => `int ${each(n, () => "a\\\n")}b;\n`,
  "lists of names": (n) => each(n, () => "M(a)\n"),
  "lists of names and records that stay open": (n) => each(n, () => "M(a) struct S {\n"),
  "an item that stays open": (n) => `__global__ void k(\n${each(n, (i) => `int x${i};\n`)}`,
  "items without an end": (n) => each(n, (i) => `struct S${i} {\n`),
};

const opencl: Readonly<Record<string, (count: number) => string>> = {
  "declarations that disagree": (n) => each(n, (i) => `void f(${i % 2 ? "global" : "local"} int *a);\n`),
  "spaces that are mixed": (n) =>
    `kernel void k(global int *a, local int *b) { ${each(n, (i) => `int *p${i} = ${i % 2 ? "a" : "b"}; `)} ${each(n, (i) => `p${i} = p${(i * 7 + 3) % n}; `)} }\n`,
  "functions whose parameters have no space": (n) =>
    `void f0(int *a) { *a = 1; }\n${each(n, (i) => `void f${i + 1}(int *a) { f${i}(a); }\n`)}kernel void k(global int *a, local int *b) { f${n}(a); f${n}(b); }\n`,
  "one function in every space": (n) =>
    `void f(int *a) { *a = 1; }\nkernel void k(global int *a, local int *b) { ${each(n, (i) => `f(${i % 2 ? "a" : "b"}); `)} }\n`,
  "barriers under conditions": (n) =>
    `kernel void k(global int *o, local int *l) { ${each(n, (i) => `if (get_local_id(0) == ${i}) { l[${i}] = 1; barrier(CLK_LOCAL_MEM_FENCE); } `)} }\n`,
  "lists of constants": (n) =>
    `constant int a[] = { ${each(n, (i) => `${i}`, ", ")} };\nconstant int *b[] = { ${each(n, (i) => `&a[${i}]`, ", ")} };\n`,
  "macros of spaces": (n) =>
    `#define G global\n#define P(T) G T *\n${each(n, (i) => `kernel void k${i}(P(int) a, local int *b) { a = b; }\n`)}`,
  "components of components": (n) => `kernel void k(float4 a, global float4 *o) { ${each(n, () => "o[0].xy = a.wzyx.xy; ")} }\n`,
  "extensions in a body": (n) =>
    `kernel void k(global int *o) {\n${each(n, (i) => `#pragma OPENCL EXTENSION cl_khr_fp64 : ${i % 2 ? "enable" : "disable"}\ndouble d${i} = 1.0;\n`)}}\n`,
};

const shapesOf = (language: Shape["language"], all: Readonly<Record<string, (count: number) => string>>): readonly Shape[] =>
  Object.entries(all).map(([name, of]) => ({ name, language, of }));

/** All of these shapes. */
export const moreShapes: readonly Shape[] = [...shapesOf("cu", cuda), ...shapesOf("cl", opencl)];
