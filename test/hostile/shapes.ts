/**
 * Texts that repeat or nest one construct a given number of times. Generators and attackers write such files; the cost of a check must
 * grow at most linearly with their length.
 */
import { moreShapes } from "./more-shapes.ts";

/** A repeated construct, with a name that describes it. `of(n)` repeats it n times. */
export interface Shape {
  readonly name: string;
  readonly language: "cu" | "cl";
  of(count: number): string;
}

const each = (count: number, text: (index: number) => string, between = ""): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(between);
const kernel = "__global__ void k(float *out) { out[0] = 1; }\n";

const cuda: Readonly<Record<string, (count: number) => string>> = {
  // Declarations.
  enumerators: (n) => `enum E { ${each(n, (i) => `e${i}, `)} };\n${kernel}`,
  "enumerators that follow each other": (n) =>
    `enum E { e0 = 0, ${each(n, (i) => `e${i + 1} = e${i} + 1, `)} };\n__constant__ int a[e${n}];\n`,
  enumerations: (n) => each(n, (i) => `enum E${i} { x${i} };\n`),
  "constants that follow each other": (n) =>
    `const int c0 = 0;\n${each(n, (i) => `constexpr int c${i + 1} = c${i} + 1;\n`)}__constant__ int a[c${n}];\n`,
  members: (n) =>
    `struct S { ${each(n, (i) => `int f${i}; `)} };\n__global__ void k(S s, int *o) { ${each(n, (i) => `o[0] = s.f${i}; `)} }\n`,
  "member functions": (n) => `struct S { ${each(n, (i) => `__device__ int f${i}() { return f${n - 1 - i}(); } `)} };\n`,
  "overloaded members": (n) =>
    `struct S { ${each(n, (i) => `__device__ int f(int (*p)[${i + 1}]) { return 0; } `)} };\n__global__ void k(S s) { int a[3]; ${each(n, () => "s.f(&a); ")} }\n`,
  constructors: (n) => `struct S { ${each(n, (i) => `S(int (*p)[${i + 1}]) {} `)} };\n__constant__ S s(0);\n`,
  "operators of a class": (n) =>
    `struct S { ${each(n, (i) => `__device__ S operator+(int (*p)[${i + 1}]) { return *this; } `)} };\n__global__ void k(S s) { ${each(n, () => "s + 1; ")} }\n`,
  "free operators": (n) =>
    `struct S { };\n${each(n, (i) => `__device__ S operator+(S a, int (*p)[${i + 1}]) { return a; }\n`)}__global__ void k(S s) { ${each(n, () => "s + 1; ")} }\n`,
  "conversions of a class": (n) => `${each(n, (i) => `struct T${i} {};\n`)}struct S { ${each(n, (i) => `operator T${i}(); `)} };\n`,
  "classes in a chain of bases": (n) =>
    `struct b0 { int v; };\n${each(n, (i) => `struct b${i + 1} : b${i} { int m${i}; };\n`)}__global__ void k(b${n} x, int *o) { o[0] = x.v; }\n__constant__ b${n} y;\n`,
  "diamonds of bases": (n) =>
    `struct l0 { int v; };\n${each(n, (i) => `struct a${i} : l${i} {}; struct c${i} : l${i} {}; struct l${i + 1} : a${i}, c${i} {};\n`)}__global__ void k(l${n} x, int *o) { o[0] = x.v + x.w; }\n__constant__ l${n} y;\n`,
  "diamonds of virtual bases": (n) =>
    `struct l0 { int v; };\n${each(n, (i) => `struct a${i} : virtual l${i} {}; struct c${i} : virtual l${i} {}; struct l${i + 1} : a${i}, c${i} {};\n`)}__global__ void k(l${n} x, int *o) { o[0] = x.v + x.w; }\n`,
  "bases of one class": (n) =>
    `${each(n, (i) => `struct b${i} { int m${i}; };\n`)}struct D : ${each(n, (i) => `b${i}`, ", ")} { };\n__global__ void k(D x, int *o) { o[0] = x.m${n - 1} + x.none; }\n__constant__ D y;\n`,
  "empty bases": (n) =>
    `struct e {};\n${each(n, (i) => `struct b${i} : e {};\n`)}struct D : ${each(n, (i) => `b${i}`, ", ")} { };\n__constant__ D y;\n`,
  "structs in structs": (n) =>
    `struct s0 { int a; };\n${each(n, (i) => `struct s${i + 1} { s${i} a; };\n`)}__constant__ s${n} x; __global__ void k(s${n} x) {}\n`,
  "pairs of structs": (n) =>
    `struct s0 { int a; };\n${each(n, (i) => `struct s${i + 1} { s${i} a, b; };\n`)}__constant__ s${n} x; __global__ void k(s${n} x, const s${n} y, __grid_constant__ const s${n} z) { s${n} w; const s${n} v; s${n} u = x; }\n`,
  "pairs of pointers to structs": (n) =>
    `struct s0 { int *a; };\n${each(n, (i) => `struct s${i + 1} { s${i} *a, *b; s${i} c[2], d; };\n`)}__global__ void k(s${n} x) { x.a->a->b = 0; }\n`,
  "pairs of classes with constructors": (n) =>
    `struct s0 { s0() {} int a; };\n${each(n, (i) => `struct s${i + 1} { s${i} a, b; s${i + 1}() {} };\n`)}__constant__ s${n} x; __shared__ s${n} y; __device__ s${n} z;\n`,
  "nested classes": (n) => `${each(n, (i) => `struct c${i} { `)}int x; ${each(n, () => "}; ")}\n`,
  "nested classes in one": (n) =>
    `struct S { ${each(n, (i) => `struct c${i} { int x; }; `)} };\n__global__ void k(${each(n, (i) => `S::c${i} p${i}`, ", ")}) {}\n`,
  "nested namespaces": (n) => `${each(n, (i) => `namespace n${i} { `)}int x; ${each(n, () => "} ")}\n`,
  "qualified namespaces": (n) => `namespace ${each(n, (i) => `n${i}`, "::")} { int x; }\nint y = ${each(n, (i) => `n${i}::`)}x;\n`,
  "namespaces again": (n) => each(n, (i) => `namespace n { int x${i}; }\n`),
  "inline namespaces": (n) =>
    `${each(n, (i) => `inline namespace n${i} { int x${i}; }\n`)}int f() { return ${each(n, (i) => `x${i}`, " + ")} + missing; }\n`,
  "using directives": (n) =>
    `${each(n, (i) => `namespace n${i} { int x${i}; }\nusing namespace n${i};\n`)}__global__ void k(int *o) { ${each(n, (i) => `o[0] = x${i}; `)} }\n`,
  "the same using directive": (n) =>
    `namespace a { int y; }\n${each(n, () => "using namespace a;\n")}__global__ void k(int *o) { ${each(n, (i) => `o[0] = x${i}; `)} }\n`,
  "using directives of using directives": (n) =>
    `namespace n0 { int x; }\n${each(n, (i) => `namespace n${i + 1} { using namespace n${i}; }\n`)}int y = n${n}::x;\nint z = n${n}::w;\n`,
  "using declarations": (n) => `namespace a { void f(); }\n${each(n, () => "using a::f;\n")}`,
  "namespace aliases": (n) => `namespace a0 { int x; }\n${each(n, (i) => `namespace a${i + 1} = a${i};\n`)}int y = a${n}::x;\n`,
  "redeclared variables": (n) => each(n, () => "int x;\n"),
  "redeclared external variables": (n) =>
    `${each(n, () => "extern __device__ int x;\n")}__global__ void k() { ${each(n, () => "x = 1; ")} }\n`,
  "redeclared constants": (n) => `${each(n, () => "extern const int x;\n")}__global__ void k(int *o) { ${each(n, () => "o[0] = x; ")} }\n`,
  "redeclared shared arrays": (n) => `__global__ void k() { ${each(n, () => "{ extern __shared__ int x[]; x[0] = 1; } ")} }\n`,
  "redeclared functions": (n) =>
    `${each(n, () => "__device__ void f(int *a, int b);\n")}__global__ void k() { ${each(n, () => "f(0, 1); ")} }\n`,
  "redeclared kernels": (n) => each(n, () => "__global__ void f(const int *a, int b = 1);\n"),
  "redefined functions": (n) => each(n, () => "__device__ void f(int *a, int b) { *a = b; }\n"),
  "redeclared classes": (n) => each(n, () => "struct S; struct S { int x; };\n"),
  "redeclared typedefs": (n) => each(n, () => "typedef int T; T x;\n"),
  "typedefs of pointers": (n) =>
    `typedef int t0;\n${each(n, (i) => `typedef t${i} *t${i + 1};\n`)}__global__ void k(t${n} x, int *q) { t${n} y = x; *y = 0; }\n`,
  "typedefs of arrays": (n) =>
    `typedef int t0;\n${each(n, (i) => `typedef t${i} t${i + 1}[2];\n`)}__constant__ t${n} x;\n__global__ void k() { t${n} y; y[0] = x; }\n`,
  "typedefs of functions": (n) =>
    `typedef void t0(int);\n${each(n, (i) => `typedef void t${i + 1}(t${i} *a, t${i} *b);\n`)}t${n} f; __global__ void k(t${n} *x) { t${n} *y = x; }\n`,
  aliases: (n) => `using t0 = int;\n${each(n, (i) => `using t${i + 1} = t${i};\n`)}t${n} x;\n`,
  auto: (n) => `__device__ void f(int p) { auto x0 = &p; ${each(n, (i) => `auto x${i + 1} = &x${i}; `)} }\n`,
  "types of expressions": (n) => `int x0;\n${each(n, (i) => `decltype(&x${i}) x${i + 1};\n`)}`,
  functions: (n) => each(n, (i) => `__device__ int f${i}(int *a) { return a[${i}]; }\n`),
  kernels: (n) =>
    each(n, (i) => `__global__ void k${i}(float *a, const float *b, int n) { int i = threadIdx.x; if (i < n) a[i] = b[i]; }\n`),
  "functions that call each other": (n) =>
    `__device__ void f0(int *a) { *a = 1; }\n${each(n, (i) => `__device__ void f${i + 1}(int *a) { f${i}(a); f${i}(a); }\n`)}__global__ void k(const int *a) { f${n}((int *)a); }\n`,
  "functions that call all others": (n) => {
    const m = Math.ceil(Math.sqrt(n));
    return `${each(m, (i) => `__device__ void f${i}(int *a);\n`)}${each(m, (i) => `__device__ void f${i}(int *a) { ${each(m, (j) => `f${j}(a); `)} }\n`)}__global__ void k(const int *a) { f0((int *)a); }\n`;
  },
  overloads: (n) =>
    `${each(n, (i) => `__device__ void f(int (*a)[${i + 1}]) {}\n`)}__global__ void k() { int a[7]; ${each(n, () => "f(&a); ")} }\n`,
  "overloads by count": (n) => {
    const m = Math.ceil(Math.sqrt(n));
    return `${each(m, (i) => `__device__ void f(${each(i, (j) => `int a${j}`, ", ")}) {}\n`)}__global__ void k() { ${each(m, (i) => `f(${each(i, () => "1", ", ")}); `)} }\n`;
  },
  "overloads of a template": (n) =>
    `${each(n, (i) => `template <class T> __device__ void f(T (*a)[${i + 1}]) {}\n`)}__global__ void k() { int a[7]; ${each(n, () => "f(&a); ")} }\n`,
  "overloaded kernels": (n) =>
    `${each(n, (i) => `__global__ void k(int (*a)[${i + 1}]) {}\n`)}void f() { ${each(n, () => "k<<<1, 1>>>(0); ")} }\n`,
  parameters: (n) => `__global__ void k(${each(n, (i) => `int *p${i}`, ", ")}) { ${each(n, (i) => `*p${i} = 1; `)} }\n`,
  "default arguments": (n) =>
    `__device__ void f(${each(n, (i) => `int p${i} = ${i}`, ", ")});\n__global__ void k() { ${each(Math.ceil(Math.sqrt(n)), () => "f(); ")} }\n`,
  "default arguments that call each other": (n) =>
    `__device__ int f0();\n${each(n, (i) => `__device__ int f${i + 1}(int a = f${i}(), int b = f${i}());\n`)}__global__ void k() { f${n}(); }\n`,
  arguments: (n) => `__device__ void f(...);\n__global__ void k() { f(${each(n, (i) => `${i}`, ", ")}); }\n`,
  launches: (n) => `__global__ void k(int a);\nvoid f() { ${each(n, () => "k<<<1, 2>>>(3); ")} }\n`,
  "launches of the unknown": (n) => `void f() { ${each(n, (i) => `k${i}<<<1, 2>>>(3); `)} }\n`,
  attributes: (n) => `${each(n, () => "__attribute__((x)) ")}int y;\n`,
  "attributes of C++": (n) => `${each(n, () => "[[x]] ")}int y;\n`,
  alignments: (n) => `struct ${each(n, () => "alignas(8) ")} S { int y; };\n__constant__ S s;\n`,
  specifiers: (n) => `${each(n, () => "const volatile ")}int y;\n`,
  "qualifiers of functions": (n) => `${each(n, () => "__device__ __host__ ")}void f();\n`,
  declarators: (n) => `int ${each(n, (i) => `*a${i} = 0`, ", ")};\n`,
  stars: (n) => `int ${each(n, () => "*")}p;\n`,
  "qualified stars": (n) => `int ${each(n, () => "*const ")}p = 0;\nvoid f() { ${each(n, () => "*")}p = 0; }\n`,
  dimensions: (n) => `__constant__ int a${each(n, () => "[1]")};\nint b = a${each(n, () => "[0]")};\n`,
  "functions of functions": (n) => `void f(${each(n, () => "void (*p)(")}int${each(n, () => ")")});\n`,
  "pointers to functions": (n) => `int ${each(n, () => "(*")}f${each(n, () => ")(int)")};\n`,
  "references to arrays": (n) => each(n, (i) => `int (&f${i}(int (&a)[${i + 1}]))[${i + 1}];\n`),
  "bit-fields": (n) => `struct S { ${each(n, (i) => `int b${i} : 3; `)} };\n__constant__ S s;\n`,
  "anonymous unions": (n) => `struct S { ${each(n, () => "union { ")}int x; ${each(n, () => "}; ")} };\n`,
  "anonymous unions side by side": (n) => `struct S { ${each(n, (i) => `union { int a${i}; float b${i}; }; `)} };\n__constant__ S s;\n`,
  "static assertions": (n) => each(n, (i) => `static_assert(${i} < ${n} + 1, "");\n`),
  friends: (n) => `struct S { ${each(n, (i) => `friend void f${i}(S); `)} };\n`,
  "extern C": (n) => `${each(n, () => 'extern "C" ')}int x;\n${each(n, () => 'extern "C" { ')}int y;${each(n, () => " }")}\n`,
  // Templates.
  templates: (n) => each(n, (i) => `template <class T> __device__ T f${i}(T a) { return a; }\n`),
  "template parameters": (n) => `template <${each(n, (i) => `class T${i}`, ", ")}> struct S { };\nS<${each(n, () => "int", ", ")}> s;\n`,
  "template arguments in each other": (n) => `template <class T> struct S { T t; };\n${each(n, () => "S<")}int${each(n, () => ">")} s;\n`,
  "template arguments side by side": (n) => `template <class... T> struct S { };\nS<${each(n, () => "int", ", ")}> s;\n`,
  instances: (n) => `template <int N> struct S { int v[N]; };\n${each(n, (i) => `__constant__ S<${i + 1}> s${i};\n`)}`,
  "instances of functions": (n) =>
    `template <int N> __global__ void k(int *a) { a[N] = 1; }\nvoid f() { ${each(n, (i) => `k<${i}><<<1, 1>>>(0); `)} }\n`,
  specializations: (n) =>
    `template <int N> struct S { int v; };\n${each(n, (i) => `template <> struct S<${i}> { int v${i}; };\n`)}${each(n, (i) => `__constant__ S<${i}> s${i};\n`)}`,
  "partial specializations": (n) =>
    `template <class T, int N> struct S { int v; };\n${each(n, (i) => `template <class T> struct S<T, ${i}> { int v${i}; };\n`)}${each(n, (i) => `__constant__ S<int, ${i}> s${i};\n`)}`,
  "specializations of functions": (n) =>
    `template <int N> __device__ void f(int *a);\n${each(n, (i) => `template <> __device__ void f<${i}>(int *a) {}\n`)}`,
  "recursive templates": (n) =>
    `template <int N> struct T { static const int v = T<N - 1>::v + T<N - 2>::v; };\n__constant__ int a[T<${n}>::v];\n`,
  "growing templates": (n) => `template <class T> struct P { P<P<T>> *next; T a; };\n${each(n, (i) => `P<int[${i + 1}]> p${i};\n`)}`,
  "doubling templates": (n) =>
    `template <class A, class B> struct P { };\ntypedef P<int, int> t0;\n${each(n, (i) => `typedef P<t${i}, t${i}> t${i + 1};\n`)}__constant__ t${n} x; __global__ void k(t${n} a) { t${n} b = a; }\n`,
  "doubling instances": (n) => `template <int N, int M> struct P { P<N - 1, 2 * M> a; P<N - 1, 2 * M + 1> b; };\nP<${n}, 0> x;\n`,
  "template bodies that call each other": (n) =>
    `template <class T> __device__ void f0(T *a) { *a = 1; }\n${each(n, (i) => `template <class T> __device__ void f${i + 1}(T *a) { f${i}(a); f${i}(&a); }\n`)}__global__ void k(int *a) { f${n}(a); }\n`,
  "template bodies that call themselves": (n) =>
    `template <int N> __device__ void f(int *a) { f<N - 1>(a); f<N - 2>(a); }\n__global__ void k(int *a) { f<${n}>(a); }\n`,
  "variable templates": (n) => `template <int N> constexpr int v = v<N - 1> + v<N - 2>;\n__constant__ int a[v<${n}>];\n`,
  "alias templates": (n) =>
    `template <class T> using a0 = T *;\n${each(n, (i) => `template <class T> using a${i + 1} = a${i}<a${i}<T>>;\n`)}a${n}<int> x;\n`,
  packs: (n) =>
    `template <class... T> __device__ int f(T... a) { return (a + ... + 0); }\n__global__ void k(int *o) { o[0] = f(${each(n, (i) => `${i}`, ", ")}); }\n`,
  "less-than signs": (n) => `int x = a ${each(n, () => "< b ")};\n`,
  // Statements.
  blocks: (n) => `void f() ${each(n, () => "{")}${each(n, () => "}")}\n`,
  "blocks that stay open": (n) => `void f() ${each(n, () => "{")}\n`,
  "ifs in ifs": (n) => `void f(int x) { ${each(n, () => "if (x) ")}; }\n`,
  "else ifs": (n) => `__global__ void k(int x, int *o) { ${each(n, (i) => `if (x == ${i}) o[0] = ${i}; else `)}; }\n`,
  "loops in loops": (n) => `void f() { ${each(n, (i) => `for (int i${i} = 0; i${i} < 2; i${i}++) `)}; }\n`,
  loops: (n) => `__global__ void k(int *o, int n) { ${each(n, () => "for (int i = 0; i < n; i++) o[i] = i; ")} }\n`,
  cases: (n) => `__global__ void k(int x, int *o) { switch (x) { ${each(n, (i) => `case ${i}: o[0] = ${i}; break; `)} } }\n`,
  "cases in each other": (n) => `void f(int x) { switch (x) { ${each(n, (i) => `case ${i}: `)}; } }\n`,
  "switches in each other": (n) => `void f(int x) { ${each(n, () => "switch (x) case 1: ")}; }\n`,
  labels: (n) => `void f() { ${each(n, (i) => `l${i}: `)}; }\n`,
  gotos: (n) => `__global__ void k() { ${each(n, (i) => `goto l${i}; `)} ${each(n, (i) => `l${i}: ; `)} }\n`,
  statements: (n) => `__global__ void k(int *o) { ${each(n, (i) => `o[${i}] = ${i}; `)} }\n`,
  locals: (n) => `__global__ void k(int *o) { ${each(n, (i) => `int x${i} = o[${i}]; `)} o[0] = ${each(n, (i) => `x${i}`, " + ")}; }\n`,
  "copies of pointers": (n) => `__global__ void k(const int *p0) { ${each(n, (i) => `int *p${i + 1} = (int *)p${i}; `)} *p${n} = 1; }\n`,
  "assignments to one pointer": (n) =>
    `__global__ void k(int *a, int *b) { int *p = a; ${each(n, (i) => `p = ${i % 2 ? "a" : "b"}; *p = ${i}; `)} }\n`,
  "shared memory and barriers": (n) =>
    `__global__ void k(int *o) { __shared__ int s[32]; ${each(n, (i) => `if (threadIdx.x == ${i}) { s[${i % 32}] = o[${i}]; __syncthreads(); } `)} }\n`,
  "reads of constant memory": (n) =>
    `__constant__ int c[64];\n__global__ void k(int *o) { ${each(n, (i) => `o[${i}] = c[threadIdx.x + ${i}]; `)} }\n`,
  "constants that are written": (n) =>
    `__constant__ int c;\n__global__ void k(const int *p) { ${each(n, (i) => `*(int *)p = ${i}; c = ${i}; `)} }\n`,
  "host variables in device code": (n) =>
    `${each(n, (i) => `int h${i};\n`)}__global__ void k(int *o) { ${each(n, (i) => `o[0] = h${i}; `)} }\n`,
  "copies to symbols": (n) =>
    `${each(n, (i) => `__constant__ int c${i};\n`)}void f(int *p) { ${each(n, (i) => `cudaMemcpyToSymbol(c${i}, p, 4); `)} }\n`,
  "copies to one symbol": (n) => `__constant__ int c[4];\nvoid f(int *p) { ${each(n, () => "cudaMemcpyToSymbol(c, p, 4); ")} }\n`,
  "constants of memory": (n) => each(n, (i) => `__constant__ int c${i}[16];\n`),
  "lambdas in each other": (n) => `auto x = ${each(n, () => "[=] { return ")}1${each(n, () => "; }")};\n`,
  "calls that pass a lambda on": (n) =>
    `template <class F> void run(F f) { ${each(3 * n, () => "run(f); ")}}\nvoid g() { auto l = [] __device__ {}; run(l); }\n`,
  lambdas: (n) => `void f() { ${each(n, (i) => `auto x${i} = [=] __device__ (int a) { return a + ${i}; }; `)} }\n`,
  captures: (n) => `void f() { ${each(n, (i) => `int x${i}; `)} auto l = [${each(n, (i) => `x${i}`, ", ")}] __device__ { return 1; }; }\n`,
  tries: (n) => `void f() { ${each(n, () => "try { ")}${each(n, () => "} catch (...) { }")} }\n`,
  // Expressions.
  sums: (n) => `__constant__ int x = ${each(n, () => "1", " + ")};\n`,
  "sums in parentheses": (n) => `int x = ${each(n, () => "(1 + ")}1${each(n, () => ")")};\n`,
  "products on both sides": (n) => `int x = ${each(n, () => "(1 + 2) * (3 - 4)", " + ")};\n`,
  conditions: (n) => `int x = ${each(n, (i) => `a == ${i} ? ${i} : `)}0;\n`,
  "conditions in the middle": (n) => `int x = ${each(n, () => "a ? ")}0${each(n, () => " : 1")};\n`,
  commas: (n) => `int x = (${each(n, (i) => `${i}`, ", ")});\n`,
  assignments: (n) => `void f(int a) { ${each(n, () => "a = ")}1; }\n`,
  negations: (n) => `int x = ${each(n, () => "!")}1;\nint y = ${each(n, () => "- ")}1;\n`,
  casts: (n) => `__global__ void k(const int *p) { int *q = ${each(n, () => "(int *)")}p; }\n`,
  "named casts": (n) => `__global__ void k(const int *p) { int *q = ${each(n, () => "const_cast<int *>(")}p${each(n, () => ")")}; }\n`,
  sizes: (n) => `int x = ${each(n, () => "sizeof ")}1;\n`,
  "calls in each other": (n) =>
    `__device__ int f(int a);\n__global__ void k(int *o) { o[0] = ${each(n, () => "f(")}1${each(n, () => ")")}; }\n`,
  "calls in a row": (n) => `int x = f${each(n, () => "(1)")};\n`,
  "calls of members in a row": (n) => `struct S { S &f(int); };\nvoid g(S s) { s${each(n, () => ".f(1)")}; }\n`,
  subscripts: (n) => `int x = a${each(n, () => "[1]")};\n`,
  "subscripts in each other": (n) => `__global__ void k(int *a) { a[0] = ${each(n, () => "a[")}0${each(n, () => "]")}; }\n`,
  "members of members": (n) => `struct S { S *n; };\nvoid f(S *s) { s${each(n, () => "->n")} = 0; }\n`,
  "lists in each other": (n) => `int x[] = ${each(n, () => "{")}1${each(n, () => "}")};\n`,
  lists: (n) => `__constant__ int x[] = { ${each(n, (i) => `${i}`, ", ")} };\n`,
  "rows of lists": (n) => `__constant__ int x[][2] = { ${each(n, (i) => `{ ${i}, 1 }`, ", ")} };\n`,
  "lists of structs": (n) => `struct P { int a; float b; };\n__constant__ P x[] = { ${each(n, (i) => `{ ${i}, 1.5f }`, ", ")} };\n`,
  "lists of addresses": (n) => `int h;\n__device__ int *x[] = { ${each(n, () => "&h", ", ")} };\n`,
  designators: (n) => `int x[] = { ${each(n, (i) => `[${i}] = 1`, ", ")} };\n`,
  "literals side by side": (n) => `const char *x = ${each(n, () => '"abc" ')};\n`,
  "one long literal": (n) => `const char *x = "${each(n, () => "abcdefgh")}";\n`,
  escapes: (n) => `const char *x = "${each(n, () => "\\x41\\n")}";\n`,
  "long numbers": (n) =>
    `int x = 1${each(n, () => "0")};\nunsigned long long y = 0x${each(n, () => "f")};\nint z[${each(n, () => "9")}];\ndouble w = 1.${each(n, () => "3")};\n`,
  "big shifts": (n) =>
    `const long x0 = 1;\n${each(n, (i) => `const long x${i + 1} = x${i} << 62 << 62;\n`)}const long long y = 1ll << 1000000000;\n`,
  "big products": (n) =>
    `const unsigned long x0 = 0xffffffffffffffff;\n${each(n, (i) => `const unsigned long x${i + 1} = x${i} * x${i};\n`)}`,
  "suffixes of numbers": (n) => `int x = 1${each(n, () => "'0")}${each(n, () => "u")};\n`,
  "kernels in literals": (n) => each(n, (i) => `const char *s${i} = "__kernel void k${i}(__global int *a) { a[0] = ${i}; }";\n`),
  "lines of a kernel in literals": (n) =>
    `const char *s = "__kernel void k(__global int *a) {\\n"\n${each(n, (i) => `"  a[${i}] = ${i};\\n"\n`)}"}";\n`,
  "raw literals": (n) => each(n, (i) => `const char *s${i} = R"(__kernel void k${i}(__global int *a) { a[0] = ${i}; })";\n`),
  // The preprocessor.
  macros: (n) => `${each(n, (i) => `#define M${i} ${i}\n`)}int x[] = { ${each(n, (i) => `M${i}`, ", ")} };\n`,
  "macros of macros": (n) => `#define M0 1\n${each(n, (i) => `#define M${i + 1} M${i}\n`)}int x = M${n};\n`,
  "macros that are redefined": (n) => `${each(n, (i) => `#undef M\n#define M ${i}\nint x${i} = M;\n`)}`,
  expansions: (n) => `#define M x\nint ${each(n, () => "M ")};\n`,
  "expansions of calls": (n) => `#define M(a, b) a + b\nint x = ${each(n, () => "M(1, 2)", " + ")};\n`,
  "expansions to declarations": (n) => `#define M int x; \n${each(n, () => "M ")}`,
  "expansions to statements": (n) =>
    `#define CHECK(x) do { if (x) return; } while (0)\nvoid f(int a) { ${each(n, () => "CHECK(a);\n")} }\n`,
  "one expansion to many": (n) => `#define M ${each(n, () => "x ")}\nint M;\n`,
  "expansions of words": (n) => `#define M a b c d e f g h i j\n${each(n, () => "M ")}`,
  "expansions in each other": (n) => `#define F(x) (x)\nint x = ${each(n, () => "F(")}1${each(n, () => ")")};\n`,
  "doubling expansions": (n) => `#define M0 x\n${each(n, (i) => `#define M${i + 1} M${i} M${i}\n`)}int M${n};\n`,
  "many doubling expansions": (n) => `#define M0 x\n${each(18, (i) => `#define M${i + 1} M${i} M${i}\n`)}${each(n, () => "M18\n")}`,
  "parameters of macros": (n) =>
    `#define F(${each(n, (i) => `p${i}`, ", ")}) ${each(n, (i) => `p${i}`, " + ")}\nint x = F(${each(n, (i) => `${i}`, ", ")});\n`,
  "arguments of macros": (n) => `#define F(...) f(__VA_ARGS__)\nint x = F(${each(n, (i) => `${i}`, ", ")});\n`,
  "stringized arguments": (n) =>
    `#define S(x) #x\nconst char *x = S(${each(n, () => "a ")});\n${each(n, () => 'const char *y = S("a\\n");\n')}`,
  "pasted words": (n) => `#define P(a, b) a##b\n${each(n, (i) => `int P(x, ${i});\n`)}`,
  "pastes in a row": (n) => `#define P a ${each(n, () => "## b ")}\nint P;\n`,
  "optional arguments": (n) => `#define F(a, ...) f(a __VA_OPT__(,) __VA_ARGS__)\nint x = ${each(n, () => "F(1, 2)", " + ")};\n`,
  "invocations that stay open": (n) => `#define F(x) x\n${each(n, () => "F(")}\n`,
  "invocations across directives": (n) => `#define F(x) x\n${each(n, () => "F(1\n#if 1\n)\n#endif\n")}`,
  "invocations that directives close": (n) => `#define F(x) x\n${each(n, () => "#if 0\n)\n#endif\nF(1\n")}`,
  conditionals: (n) => `${each(n, () => "#if 1\n")}${kernel}`,
  "annotations in conditionals": (n) =>
    `${each(n, (i) => `#ifdef A${i}\n#define B${i} __grid_constant__\n`)}${each(n, () => "#endif\n")}struct P { int a[4]; };\n__global__ void k(const P p, int *o) { o[0] = p.a[1]; }\n`,
  "conditionals side by side": (n) => each(n, (i) => `#ifdef A${i}\nint x${i};\n#else\nint y${i};\n#endif\n`),
  elifs: (n) => `#if 0\n${each(n, (i) => `#elif A == ${i} + 1\nint x${i};\n`)}#endif\n`,
  "conditions of the preprocessor": (n) => `#if ${each(n, (i) => `defined A${i}`, " || ")}\nint x;\n#endif\n`,
  "conditions in parentheses": (n) =>
    `#if ${each(n, () => "(")}1${each(n, () => ")")}\nint x;\n#endif\n#if ${each(n, () => "!")}1\nint y;\n#endif\n#if ${each(n, () => "1 ? ")} 1 ${each(n, () => " : 2")}\n#endif\n`,
  "missing headers": (n) => each(n, (i) => `#include "missing${i}.h"\n`),
  "the same missing header": (n) => each(n, () => "#include <missing.h>\n"),
  "includes of itself": (n) => `${each(n, () => '#include "a.cu"\n')}int x;\n`,
  "includes of itself in a body": (n) => `void f() {\n${each(n, () => '#include "a.cu"\n')}}\n`,
  "computed includes": (n) => `#define H <missing.h>\n${each(n, () => "#include H\n")}`,
  pragmas: (n) => `${each(n, () => "#pragma unroll\n")}${kernel}`,
  "pragmas of loops": (n) =>
    `__global__ void k(int *o, int n) { ${each(n, () => "\n#pragma unroll\nfor (int i = 0; i < n; i++) o[i] = i; ")} }\n`,
  "pragma operators": (n) => `${each(n, () => '_Pragma("unroll") ')}int x;\n`,
  errors: (n) => each(n, () => "#error no\n"),
  "empty directives": (n) => each(n, () => "#\n"),
  lines: (n) => each(n, (i) => `#line ${i} "x.cu"\n`),
  "branches for the device": (n) =>
    `${each(n, (i) => `#ifdef __CUDA_ARCH__\nint d${i};\n#else\nint h${i};\n#endif\n`)}__global__ void k(int *o) { ${each(n, (i) => `o[0] = h${i}; `)} }\n`,
  counters: (n) => `${each(n, () => "__COUNTER__ __LINE__ __FILE__\n")}`,
  "qualifier macros that nobody defines": (n) => each(n, (i) => `FOO_${i} int x${i};\n`),
  "one qualifier macro that nobody defines": (n) => each(n, (i) => `API void f${i}(int *a);\n`),
  // Letters.
  words: (n) => each(n, () => "a "),
  "words in capitals": (n) => `${each(n, () => "AB ")};\nvoid f() { g(1 ${each(n, () => "AB ")}); }\n`,
  semicolons: (n) => each(n, () => ";"),
  quotes: (n) => each(n, () => "'"),
  "double quotes": (n) => each(n, () => '"'),
  "braces that close": (n) => each(n, () => "}"),
  "parentheses that close": (n) => each(n, () => ")"),
  "parentheses and braces": (n) => each(n, () => "({})"),
  "brackets in brackets": (n) => `int x = ${each(n, () => "([{")}\n`,
  "empty parentheses": (n) => `int x = ${each(n, () => "()")};\n`,
  signs: (n) => each(n, () => "+-*/%&|^!~<>=?:,."),
  "at signs": (n) => each(n, () => "@ ; "),
  hashes: (n) => each(n, () => "# "),
  backslashes: (n) => each(n, () => "\\"),
  "continued lines": (n) => `int a\\\n${each(n, () => "\\\n")};\n#define M ${each(n, () => "x \\\n")}\nM\n`,
  "continued comments": (n) => `// ${each(n, () => "x \\\n")}\nint x;\n`,
  trigraphs: (n) => each(n, () => "??/??=??("),
  comments: (n) => `${each(n, () => "/* x */ ")}int x;\n`,
  "comments on lines": (n) => `${each(n, () => "// x\n")}int x;\n`,
  slashes: (n) => each(n, () => "/"),
  "comments that stay open": (n) => each(n, () => "/* x\n"),
  "raw literals that stay open": (n) => each(n, () => 'R"x(\n'),
  "raw delimiters": (n) => each(n, (i) => `R"${"d".repeat(i % 17)}(" `),
  suppressions: (n) => each(n, () => "// gpu-qualifiers: allow[const-write] x\n"),
  "suppressions of findings": (n) =>
    each(n, (i) => `__global__ void k${i}(__grid_constant__ int v) {} // gpu-qualifiers: allow[grid-constant-non-const] x\n`),
  "suppressions of the file": (n) =>
    `${each(n, () => "// gpu-qualifiers: allow-file[grid-constant-non-const] x\n")}${each(n, (i) => `__global__ void k${i}(__grid_constant__ int v) {}\n`)}`,
  "suppressions on one line": (n) => `${each(n, () => "/* gpu-qualifiers: allow[const-write] x */ ")}int x;\n`,
  "rules of one suppression": (n) => `// gpu-qualifiers: allow[${each(n, () => "const-write", ", ")}]\nint x;\n`,
  findings: (n) => each(n, (i) => `__global__ void k${i}(__grid_constant__ int v) {}\n`),
  "findings on one line": (n) => each(n, (i) => `__global__ void k${i}(__grid_constant__ int v) {} `),
  "carriage returns": (n) => each(n, (i) => `int x${i};\r`),
  zeros: (n) => `int x; ${each(n, () => "\0")}\n`,
  "marks of byte order": (n) => each(n, () => "\uFEFF"),
  "lone surrogates": (n) => `int \uD800x = ${each(n, () => "\uDC00\uD800")};\n`,
  "letters of other scripts": (n) => each(n, () => "\u5909\u6570 "),
  controls: (n) => each(n, () => "\u0001\u202E\u2028"),
  blanks: (n) => `${each(n, () => "        ")}int x;${each(n, () => "\n\t")}`,
  "one long word": (n) => `int ${each(n, () => "abcdefgh")};\n`,
};

const opencl: Readonly<Record<string, (count: number) => string>> = {
  kernels: (n) =>
    each(n, (i) => `kernel void k${i}(global float *a, constant float *b, int n) { int i = get_global_id(0); if (i < n) a[i] = b[i]; }\n`),
  "typedefs of pointers": (n) =>
    `typedef int t0;\n${each(n, (i) => `typedef t${i} *t${i + 1};\n`)}kernel void k(t${n} x, global int *q) { t${n} y = x; }\n`,
  spaces: (n) => `kernel void k(${each(n, () => "global ")}int *p) {}\n`,
  conversions: (n) => `kernel void k(global int *a, local int *b) { ${each(n, () => "global int *p = b; { local int *b = p; } ")} }\n`,
  "copies of pointers": (n) =>
    `kernel void k(global int *p0) { ${each(n, (i) => `global int *p${i + 1} = p${i}; `)} local int *q = p${n}; }\n`,
  "calls of builtin functions": (n) =>
    `kernel void k(global float4 *a) { ${each(n, (i) => `a[${i}] = mix(a[${i}], vload4(0, (global float *)a), 0.5f); `)} }\n`,
  "builtin calls in each other": (n) =>
    `kernel void k(global float *a) { a[0] = ${each(n, () => "fmax(")}1.0f${each(n, () => ", 2.0f)")}; }\n`,
  "vector literals": (n) => `kernel void k(global float4 *a) { ${each(n, (i) => `a[${i}] = (float4)(1, 2, 3, 4); `)} }\n`,
  components: (n) => `kernel void k(float4 a, global float *o) { o[0] = a${each(n, () => ".xyzw")}.x; }\n`,
  "structs in pairs": (n) =>
    `struct s0 { global int *a; };\n${each(n, (i) => `struct s${i + 1} { struct s${i} a, b; };\n`)}kernel void k(struct s${n} x) { struct s${n} y = x; }\n`,
  "unions in pairs": (n) =>
    `union s0 { int a; float f; };\n${each(n, (i) => `union s${i + 1} { union s${i} a, b; };\n`)}kernel void k(union s${n} x, global union s${n} *z) { union s${n} y = x; z[0] = y; }\n`,
  "overloadable functions": (n) =>
    `${each(n, (i) => `__attribute__((overloadable)) void f(int (*a)[${i + 1}]);\n`)}kernel void k() { int a[3]; ${each(n, () => "f(&a); ")} }\n`,
  "blocks of code": (n) => `kernel void k(global int *a) { ${each(n, (i) => `int (^b${i})(int) = ^(int x) { return x + ${i}; }; `)} }\n`,
  "attributes of kernels": (n) => `${each(n, () => "__attribute__((reqd_work_group_size(1, 1, 1))) ")}kernel void k(global int *a) { }\n`,
  extensions: (n) =>
    `${each(n, () => "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#pragma OPENCL EXTENSION cl_khr_fp16 : disable\n")}kernel void k(global half *a) { half b = a[0]; }\n`,
  "unknown words": (n) => each(n, (i) => `FOO_${i} int x${i};\n`),
  atomics: (n) => `kernel void k(global atomic_int *a) { ${each(n, () => "atomic_fetch_add(a, 1); ")} }\n`,
  images: (n) =>
    `kernel void k(${each(n, (i) => `read_only image2d_t i${i}`, ", ")}, sampler_t s, global float4 *o) { ${each(n, (i) => `o[0] = read_imagef(i${i}, s, (int2)(0, 0)); `)} }\n`,
  "pointers to pointers": (n) => `kernel void k(global int * ${each(n, () => "global *")}p) { }\n`,
  "ifdefs of headers": (n) => each(n, (i) => `#ifdef UNKNOWN_${i}\n#include "h${i}.h"\n#endif\n`),
  "includes of itself": () => '#include "a.cl"\n#include "a.cl"\nint x;\n',
  "local variables": (n) => `kernel void k(global int *o) { ${each(n, (i) => `local int l${i}; `)} o[0] = l0; }\n`,
  constants: (n) =>
    `${each(n, (i) => `constant int c${i} = ${i};\n`)}kernel void k(global int *o) { ${each(n, (i) => `o[0] = c${i}; `)} }\n`,
};

const shapesOf = (language: Shape["language"], all: Readonly<Record<string, (count: number) => string>>): readonly Shape[] =>
  Object.entries(all).map(([name, of]) => ({ name, language, of }));

/** Every shape, in one order. */
export const shapes: readonly Shape[] = [...shapesOf("cu", cuda), ...shapesOf("cl", opencl), ...moreShapes];
