/**
 * Ledgers count the same bytes as nvcc: the constant memory of translation units, the parameters and the shared memory of kernels. The
 * texts here show which objects count and how they are aligned; the fixtures about sizes are compared as well. nvcc's counts are recorded in
 * `ledgers.verdicts.json`, and a sample is compiled again where nvcc is installed. After adding a text, record its counts with
 * `RECORD=yes npx vitest run test/unit/rules/ledgers.test.ts`.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { constantMemoryTable } from "../../../server/src/analyses/constant-memory.ts";
import { parameterEntries } from "../../../server/src/analyses/kernel-parameters.ts";
import { parametersOf } from "../../../server/src/analyses/memory/launches.ts";
import { sharedMemoryOf } from "../../../server/src/analyses/memory/shared.ts";
import { memoryTableOf } from "../../../server/src/analyses/memory-table.ts";
import type { FunctionSymbol } from "../../../server/src/semantics/types/symbols.ts";
import { isThorough } from "../../effort.ts";
import { withoutCarets } from "../../fixtures.ts";
import { fixturesFolder } from "../../load-fixtures.ts";
import { unless } from "../../skips.ts";
import { analyzeText, cuda } from "../semantics/analyze-text.ts";

const hasNvcc = spawnSync("nvcc", ["--version"]).status === 0;

interface Counts {
  readonly constants: number;
  /** By the kernel's name. */
  readonly parameters: Readonly<Record<string, number>>;
  /** The static shared memory by the kernel's name; kernels without any are absent. */
  readonly shared: Readonly<Record<string, number>>;
}

const texts: Readonly<Record<string, string>> = {
  "scalars of every size":
    "__constant__ bool b; __constant__ char c; __constant__ short s; __constant__ int i; __constant__ long l; __constant__ long long ll; __constant__ float f; __constant__ double d; __constant__ char *p; __constant__ char last;",
  "bools and chars between wider ones":
    "__constant__ bool a; __constant__ bool b; __constant__ int i; __constant__ char c[3]; __constant__ short s; __constant__ bool d[5]; __constant__ double e; __constant__ unsigned char f;",
  "vector types":
    "__constant__ char a; __constant__ char2 b; __constant__ uchar3 c; __constant__ uchar4 d; __constant__ short2 e; __constant__ short3 f; __constant__ ushort4 g; __constant__ int2 h; __constant__ int3 i; __constant__ int4 j; __constant__ float3 k; __constant__ float4 l; __constant__ double2 m; __constant__ double3 n; __constant__ longlong2 o; __constant__ char p; __constant__ dim3 q;",
  "arrays of vectors":
    "__constant__ char a; __constant__ float3 b[3]; __constant__ char c; __constant__ float4 d[2]; __constant__ char3 e[5]; __constant__ int f[2][3];",
  "records and their padding":
    "struct A { char c; double d; short s; }; struct B { A a; char c; }; struct E { }; struct D : A { char x; }; __constant__ char c; __constant__ A a; __constant__ E e; __constant__ B b[2]; __constant__ D d; __constant__ char last;",
  alignas:
    "struct alignas(32) A { char c; }; struct B { alignas(16) char c; int i; }; __constant__ char a; __constant__ A b; __constant__ char c; alignas(64) __constant__ int d; __constant__ B e[2]; __constant__ char f; __constant__ alignas(8) char g[3]; struct __align__(8) G { int i; char c; }; __constant__ char h; __constant__ G g2[3];",
  "alignments behind what they align":
    "struct A { char c; } __align__(32); struct B { char c; int i __align__(16); }; __constant__ char a; __constant__ A b[2]; __constant__ char c; __constant__ B d; __constant__ char e[3] __align__(8);",
  "packed records":
    "struct __attribute__((packed)) A { char c; int i; double d; }; __constant__ char a; __constant__ A b[3]; __constant__ short c;",
  "unions, enumerations and bit-fields":
    "union U { char c[5]; int i; }; enum E : char { one }; enum class F : short { two }; enum G { three }; struct H { unsigned a : 3, b : 30; char c; }; __constant__ E e; __constant__ F f; __constant__ G g; __constant__ U u[3]; __constant__ H h; __constant__ char last;",
  "values and strings":
    'constexpr int count = 3; __constant__ char first; __constant__ int a[] = {1, 2, 3}; __constant__ char s[] = "hello"; __constant__ float t[count * 2] = {1}; __constant__ const short n = 5; __constant__ constexpr double pi = 3.0; __constant__ char last[] = {1, 2};',
  "what is used by nobody":
    "static __constant__ int a[10]; namespace lib { __constant__ char b; } namespace { __constant__ double c; } static __constant__ const int d = 4; __constant__ const int e = 4;",
  "declared before it is defined":
    "extern __constant__ int a[]; extern __constant__ char b; __constant__ char c; __constant__ int a[7]; __constant__ char b;",
  "extern without a definition":
    "extern __constant__ int a; extern __constant__ int b; __constant__ char c; __global__ void k(int *p) { *p = a; }",
  "in functions":
    "__constant__ char a; __global__ void k(int *p, int i) { static __constant__ int t[5] = {1, 2}; p[0] = t[i] + a; } __device__ int f(int i) { __constant__ static double u[2] = {3, 4}; return u[i]; }",
  "in functions that use it or do not":
    "__global__ void k(int *p, int i) { static __constant__ int t[5] = {1, 2}; static __constant__ int unused[9]; p[0] = t[i]; }",
  "in inline functions":
    "inline __device__ int f(int i) { static __constant__ int t[5] = {1, 2}; return t[i]; } static __device__ int g(int i) { static __constant__ int u[7] = {1, 2}; return u[i]; } __device__ int h(int i) { return f(i); }",
  "device memory does not count":
    "__device__ int a[100]; __device__ const int b = 3; __constant__ char c; const int d = 4; __managed__ int e; __global__ void k(int *p) { __shared__ int s[4]; s[threadIdx.x] = *p; *p = s[threadIdx.x ^ 1]; }",
  "members of a class template":
    "template <class T, int N> struct Table { T values[N]; char tag; }; __constant__ char c; __constant__ Table<float, 3> t; __constant__ Table<double, 2> u[2]; __constant__ Table<char, 5> v;",
  parameters:
    "struct P { char c; double d; short s; }; struct E { }; struct alignas(32) A { int i; }; __global__ void a() { } __global__ void b(char c, int i, char d) { } __global__ void c(P p, char q, float3 v, float4 w) { } __global__ void d(const E e, int i) { } __global__ void e(char x, A y, bool z) { } __global__ void f(int x[10], P *y, const double z) { } __global__ void g(char4 a, short b, uchar3 c, P q[2], long d, bool e) { }",
  "parameters of templates":
    "template <class T, int N> struct V { T v[N]; }; template <class T> __global__ void k(char c, T t, V<T, 3> v) { } template __global__ void k<double>(char, double, V<double, 3>); template __global__ void k<short>(char, short, V<short, 3>);",
  "shared variables in the order of the text":
    "#define USE(v) v[threadIdx.x] = p[0]; __syncthreads(); p[1] += v[threadIdx.x ^ 1];\n__global__ void a(float *p) { __shared__ char c[17]; __shared__ float t[1]; __shared__ char e[15]; __shared__ double d[1]; USE(c) USE(t) USE(e) USE(d) } __global__ void b(float *p) { __shared__ double d[1]; __shared__ char e[16]; __shared__ double f[1]; __shared__ char c[1]; USE(c) USE(d) USE(e) USE(f) } __global__ void c(float *p) { __shared__ char c[1], d[1], e[1], f[14]; USE(c) USE(d) USE(e) USE(f) } __global__ void d(float *p) { if (p[0] > 1) { __shared__ int a[40]; USE(a) } else { __shared__ int b[50]; USE(b) } } __global__ void e(float *p) { __shared__ alignas(32) char c[1]; __shared__ char d[3]; USE(d) USE(c) }",
  "shared variables of callees and of the file":
    "#define USE(v) v[threadIdx.x] = p[0]; __syncthreads(); p[1] += v[threadIdx.x ^ 1];\n__shared__ char own[5]; __device__ __noinline__ float apart(int i) { __shared__ double d[3]; d[i] = i; __syncthreads(); return d[i + 1]; } __device__ float inlined(int i) { __shared__ char d[3]; d[i] = i; __syncthreads(); return d[i + 1]; } __global__ void a(float *p) { __shared__ char e[17]; p[3] = apart(p[1]) + inlined(p[2]); USE(e) USE(own) } __global__ void b(float *p) { p[0] = inlined(p[1]); }",
  "shared variables that nothing reads":
    "__global__ void a(float *p) { __shared__ float unused[100]; p[0] = 1; } __global__ void b(float *p) { __shared__ float t[100]; t[threadIdx.x] = p[0]; } __global__ void c(float *p) { __shared__ float t[9]; t[threadIdx.x] += p[0]; } __global__ void d(float *p) { __shared__ float t[9]; atomicAdd(&t[threadIdx.x], p[0]); }",
  "static beside dynamic shared memory":
    "#define USE(v) v[threadIdx.x] = p[0]; __syncthreads(); p[1] += v[threadIdx.x ^ 1];\n__global__ void a(float *p) { extern __shared__ float dynamic[]; __shared__ char c[1]; USE(dynamic) USE(c) } __global__ void b(float *p) { __shared__ char c[35]; USE(c) } __global__ void c(float *p) { p[0] = 1; }",
  "static beside aligned dynamic shared memory":
    "__global__ void a(float *p) { extern __shared__ __align__(128) float dynamic[]; dynamic[threadIdx.x] = p[0]; __syncthreads(); p[1] = dynamic[threadIdx.x ^ 1]; } __global__ void b(float *p) { __shared__ char c[35]; c[threadIdx.x] = p[0]; __syncthreads(); p[1] = c[threadIdx.x ^ 1]; }",
  "dynamic shared memory that nothing uses":
    "extern __shared__ char dynamic[]; __global__ void b(float *p) { __shared__ char c[35]; c[threadIdx.x] = p[0]; __syncthreads(); p[1] = c[threadIdx.x ^ 1]; }",
  "shared variables of templates":
    "template <class T, int N> __global__ void reduce(T *p) { __shared__ T s[N]; __shared__ char own[3]; s[threadIdx.x] = p[0]; own[threadIdx.x] = p[1]; __syncthreads(); p[1] = s[threadIdx.x ^ 1] + own[threadIdx.x ^ 1]; } void host(float *p, double *q) { reduce<float, 128><<<1, 32>>>(p); reduce<double, 10><<<1, 32>>>(q); } template __global__ void reduce<char, 7>(char *);",
};

function ours(text: string): Counts {
  const { facts } = analyzeText(text, cuda);
  const parameters: Record<string, number> = {};
  const shared: Record<string, number> = {};
  const addShared = (kernel: FunctionSymbol, instance?: string) => {
    const { total, isComplete } = sharedMemoryOf(kernel, facts, instance).total;
    if (total > 0 || !isComplete) add(shared, kernel.name, isComplete ? total : Number.NaN);
  };
  for (const instantiation of facts.instantiations) {
    const { template, name } = instantiation;
    if (!template.declarations.some(({ execution }) => execution.kernel)) continue;
    addShared(template, name);
    add(parameters, template.name, parametersOf(instantiation).total);
  }
  for (const symbol of facts.functions) {
    const { name, declarations } = symbol;
    for (const declaration of declarations) {
      if (declaration.execution.kernel && declaration.isDefinition && !declaration.isTemplate) addShared(symbol);
      if (declaration.execution.kernel && !declaration.isTemplate && declaration.isDefinition)
        add(parameters, name, memoryTableOf(parameterEntries(declaration)).total);
    }
  }
  return { constants: constantMemoryTable(facts, false).total, parameters, shared };
}

/** The offset of a kernel's first parameter in its constant bank. */
const firstParameter = 352;

function nvccs(text: string): Counts | string {
  const folder = mkdtempSync(join(tmpdir(), "ledgers-"));
  try {
    writeFileSync(join(folder, "a.cu"), text);
    const { stdout, stderr } = spawnSync(
      "nvcc",
      ["-arch=sm_80", "-cubin", "-Xptxas", "-v", "-o", join(folder, "a.cubin"), join(folder, "a.cu")],
      { encoding: "utf8" },
    );
    const said = stdout + stderr;
    const tooMuch = /too much global constant data \((0x[0-9a-f]+) bytes/.exec(said)?.[1];
    if (tooMuch !== undefined) return { constants: Number(tooMuch), parameters: {}, shared: {} };
    if (!said.includes("bytes gmem")) return said;
    const parameters: Record<string, number> = {};
    const shared: Record<string, number> = {};
    for (const match of said.matchAll(/Compiling entry function '_Z(\d+)(\w+)'[\s\S]*?(?:(\d+) bytes smem, )?(\d+) bytes cmem\[0\]/g)) {
      const name = match[2]?.slice(0, Number(match[1])) ?? "";
      add(parameters, name, Number(match[4]) - firstParameter);
      if (match[3] !== undefined) add(shared, name, Number(match[3]));
    }
    return { constants: Number(/(\d+) bytes cmem\[3\]/.exec(said)?.[1] ?? 0), parameters, shared };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Adds to the count of a kernel. The instantiations of a template are counted together. */
function add(counts: Record<string, number>, name: string, count: number): void {
  counts[name] = (counts[name] ?? 0) + count;
}

/** Fixtures with other errors: nvcc gives no figures for them. */
const withoutFigures = new Set([
  "constant-memory-size/branches.cu",
  "kernel-parameter-size/aligned-behind.cu",
  "kernel-parameter-size/instances.cu",
  "kernel-parameter-size/sizes.cu",
]);

/** Files of the fixtures about sizes that nvcc compiles by themselves. */
function fixtureTexts(): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const rule of ["constant-memory-size", "kernel-parameter-size"]) {
    for (const name of readdirSync(join(fixturesFolder, rule))) {
      const text = name.endsWith(".cu") ? readFileSync(join(fixturesFolder, rule, name), "utf8") : "";
      if (text !== "" && !text.includes("flags:") && !withoutFigures.has(`${rule}/${name}`)) found[`${rule}/${name}`] = text;
    }
  }
  return found;
}

const all = Object.entries({ ...texts, ...fixtureTexts() }).map(([name, text]) => ({ name, text, key: keyOf(text) }));
const verdicts = join(import.meta.dirname, "ledgers.verdicts.json");
if (process.env.RECORD === "yes")
  writeFileSync(verdicts, `${JSON.stringify(Object.fromEntries(all.map(({ key, text }) => [key, nvccs(text)])), undefined, 2)}\n`);
const recorded = JSON.parse(readFileSync(verdicts, "utf8")) as Readonly<Record<string, Counts>>;
/** One text out of this many is compiled again. */
const every = isThorough ? 1 : 18;

/** The text's hash, without the lines of a fixture that only point at code. */
function keyOf(text: string): string {
  return createHash("sha256").update(withoutCarets(text).text).digest("hex").slice(0, 12);
}

describe("ledgers", () => {
  it.each(all)("count what nvcc counts: $name", ({ text, key }) => {
    const theirs = recorded[key];
    if (theirs === undefined) throw new Error("nvcc's counts of the text are not recorded");
    const { constants, parameters, shared } = ours(text);
    const hasKernels = Object.keys(theirs.parameters).length > 0;
    expect({ constants, parameters: hasKernels ? parameters : {}, shared: hasKernels ? shared : {} }).toEqual(theirs);
  });

  it.skipIf(!hasNvcc)(`are recorded as nvcc counts them now${unless(hasNvcc, "nvcc is not installed")}`, () => {
    for (const { name, text, key } of all.filter((_, index) => index % every === 2 % every))
      expect(nvccs(text), name).toEqual(recorded[key]);
  });

  // FIXME: instantiations of variable templates count as well. A count that is too low can hide a finding.
  it("leave out variable templates", () => {
    expect(
      ours("template <class T> __constant__ T one = T(1); __constant__ char c; __global__ void k(double *p) { *p = one<int>; }").constants,
    ).toBe(1);
  });
});
