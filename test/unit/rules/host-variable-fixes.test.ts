/** Fixes for host variables in device code: which are offered, in which order, and that nvcc compiles their results. */
import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { applyEdits } from "../../../server/src/diagnostics/fix-all.ts";
import { noSettings } from "../../../server/src/dialect.ts";
import { nvccErrors } from "../../nvcc-errors.ts";
import { serviceOf, testParser } from "../../service.ts";
import { unless } from "../../skips.ts";

const parser = await testParser();
const uri = "file:///fixture/a.cu";
const hasNvcc = spawnSync("nvcc", ["--version"]).status === 0;

interface Offered {
  readonly title: string;
  readonly text: string;
}

/** The text after each fix of the rule's first finding. */
function offered(text: string, rule: string): readonly Offered[] {
  const service = serviceOf(parser, [{ name: "a.cu", text }], noSettings);
  try {
    const found = service.check(uri).diagnostics.find((diagnostic) => diagnostic.rule === rule);
    if (found === undefined) throw new Error(`no ${rule} in: ${text}`);
    return found.fixes.map(({ title, edits }) => ({
      title,
      text: applyEdits(
        text,
        edits.map(({ location: { span }, text: inserted }) => ({ span, text: inserted })),
      ),
    }));
  } finally {
    service.dispose();
  }
}

const table = "static const float weights[3] = {0.25f, 0.5f, 0.25f};\n";
const range = "struct Range { int low, high; };\nstatic const Range range = {1, 9};\n";

const cases: readonly { readonly says: string; readonly rule: string; readonly text: string; readonly titles: readonly string[] }[] = [
  {
    says: "a number bound to a reference",
    rule: "const-host-variable-address",
    text: "const unsigned int limit = 10;\n__device__ bool less(const unsigned &a, const unsigned &b) { return a < b; }\n__device__ bool f(unsigned i) { return less(i, limit); }\n",
    titles: ["Pass the value of 'limit'", "Copy 'limit' to a local variable", "Declare 'limit' '__constant__'"],
  },
  {
    says: "the address of a number",
    rule: "const-host-variable-address",
    text: "namespace lib { const int limit = 10; }\n__global__ void k(int *out) {\n  const int *p = &lib::limit;\n  out[0] = *p;\n}\n",
    titles: ["Copy 'limit' to a local variable", "Declare 'limit' '__constant__'"],
  },
  {
    says: "an address that goes away",
    rule: "const-host-variable-address",
    text: "const int limit = 10;\n__device__ const int *f() { return &limit; }\n",
    titles: ["Declare 'limit' '__constant__'"],
  },
  {
    says: "an address of which the callee is not seen",
    rule: "const-host-variable-address",
    text: "const int limit = 10;\n__device__ void g(const int *p);\n__global__ void k() { g(&limit); }\n",
    titles: ["Declare 'limit' '__constant__'"],
  },
  {
    says: "an object whose method is called",
    rule: "const-host-variable-address",
    text: "struct P { int x; __device__ int f() const { return x; } };\nconstexpr P point = {1};\n__global__ void k(int *out) { if (out[1]) out[0] = point.f(); }\n",
    titles: ["Copy 'point' to a local variable", "Declare 'point' '__constant__'"],
  },
  {
    says: "a table handed to a function",
    rule: "const-host-variable-address",
    text: `${table}__device__ float sum(const float *w) { return w[0]; }\n__device__ float f() { return sum(weights); }\n`,
    titles: ["Declare 'weights' '__constant__'"],
  },
  {
    says: "an element of a table",
    rule: "const-host-variable-type",
    text: `${table}__device__ float f(int i) { return weights[i] + weights[0]; }\n`,
    titles: ["Declare 'weights' '__constant__'", "Copy 'weights' into 'f'"],
  },
  {
    says: "a table that the host uses as well",
    rule: "const-host-variable-type",
    text: `${table}__device__ float f(int i) { return weights[i]; }\nfloat g(int i) { return weights[i]; }\n`,
    titles: ["Give device code a copy of 'weights' in '__constant__' memory", "Copy 'weights' into 'f'"],
  },
  {
    says: "a large table",
    rule: "const-host-variable-type",
    text: "const int many[100] = {1, 2};\n__device__ int f(int i) { return many[i]; }\n",
    titles: ["Declare 'many' '__constant__'"],
  },
  {
    says: "a member of a structure",
    rule: "const-host-variable-type",
    text: `${range}__device__ int f() { return range.low; }\nint g() { return range.high; }\n`,
    titles: ["Declare 'range' 'constexpr'", "Declare 'range' '__constant__'"],
  },
  {
    says: "a structure that is no literal",
    rule: "const-host-variable-type",
    text: "struct S { int n; S() {} };\nstruct R { int n; __host__ __device__ ~R(); };\nconst R r = {1};\n__device__ int f() { return r.n; }\n",
    titles: [],
  },
  {
    says: "a string",
    rule: "const-host-variable-type",
    text: 'const char *const text = "abc";\n__device__ char f(int i) { return text[i]; }\n',
    titles: ["Declare 'text' 'constexpr'"],
  },
  {
    says: "a definition that comes later",
    rule: "const-host-variable-uninitialized",
    text: "extern const int limit;\n__global__ void k(int *out) { *out = limit; }\nvoid start(int *out) { k<<<1, 1>>>(out); }\nconst int limit = 20;\n",
    titles: ["Move the definition of 'limit' in front of its use", "Pass 'limit' as a parameter of 'k'"],
  },
  {
    says: "a value that only the program knows",
    rule: "const-host-variable-uninitialized",
    text: "int cores();\nconst int limit = cores();\n__global__ void k(int *out) { *out = limit; }\nvoid start(int *out) { k<<<1, 1>>>(out); k<<<2, 1>>>(nullptr); }\n",
    titles: ["Pass 'limit' as a parameter of 'k'"],
  },
  {
    says: "a volatile constant",
    rule: "const-host-variable-volatile",
    text: "static const volatile int limit = 10;\n__global__ void k(int *out) { *out = limit; }\nvoid start(int *out) { k<<<1, 1>>>(out); }\n",
    titles: ["Remove 'volatile'", "Pass 'limit' as a parameter of 'k'"],
  },
  {
    says: "a variable",
    rule: "host-variable-in-device-code",
    text: "static int limit = 10;\n__global__ void k(int *out) { *out = limit; }\nvoid start(int *out) { k<<<1, 1>>>(out); }\n",
    titles: ["Pass 'limit' as a parameter of 'k'", "Declare 'limit' 'constexpr'", "Declare 'limit' '__device__'"],
  },
  {
    says: "a variable that others may write",
    rule: "host-variable-in-device-code",
    text: "struct Size { int x, y; };\nSize size;\n__global__ void k(int *out);\nvoid start(int *out, int x) { size.x = x; k<<<1, 1>>>(out); }\n__global__ void k(int *out) { *out = size.x; }\n",
    titles: ["Pass 'size' as a parameter of 'k'"],
  },
  {
    says: "a variable that the launch does not see",
    rule: "host-variable-in-device-code",
    text: "int limit = 10;\n__global__ void k(int *out) { *out = limit; }\nvoid start(int *out, int limit) { k<<<1, 1>>>(out); }\n",
    titles: ["Declare 'limit' 'constexpr'", "Declare 'limit' '__device__'"],
  },
  {
    says: "a variable that the host reads, too",
    rule: "host-variable-in-device-code",
    text: "double step = 0.5;\n__device__ double f() { return step; }\ndouble g() { return step; }\n",
    titles: ["Declare 'step' 'constexpr'"],
  },
  {
    says: "a variable whose address the host takes",
    rule: "host-variable-in-device-code",
    text: "int limit = 10;\n__device__ int f() { return limit; }\nint *g() { return &limit; }\n",
    titles: [],
  },
  {
    says: "a variable that is written",
    rule: "host-variable-in-device-code",
    text: "int limit = 10;\n__global__ void k(int *out) { *out = limit; limit = 3; }\nvoid start(int *out) { k<<<1, 1>>>(out); }\n",
    titles: ["Declare 'limit' '__device__'"],
  },
  {
    says: "a definition that comes later, after a variable that it refers to",
    rule: "const-host-variable-uninitialized",
    text: "extern const int limit;\n__global__ void k(int *out) { *out = limit; }\nvoid start(int *out) { k<<<1, 1>>>(out); }\nconst int unit = 10, more = 1;\nconst int limit = 2 * unit;\n",
    titles: ["Pass 'limit' as a parameter of 'k'"],
  },
];

describe("fixes for host variables in device code", () => {
  for (const { says, rule, text, titles } of cases) {
    it(`are offered for ${says}`, () => {
      expect(offered(text, rule).map(({ title }) => title)).toEqual(titles);
    });
  }

  it("edit every place that has to change", () => {
    const [first, second] = offered(cases[7]?.text ?? "", "const-host-variable-type");
    expect(first?.text).toBe(`${table}__constant__ static const float weights_device[3] = {0.25f, 0.5f, 0.25f};
__device__ float f(int i) { return weights_device[i]; }
float g(int i) { return weights[i]; }
`);
    expect(second?.text).toContain("__device__ float f(int i) { const float weights[3] = {0.25f, 0.5f, 0.25f}; return weights[i]; }");
    expect(offered(cases[1]?.text ?? "", "const-host-variable-address")[0]?.text).toContain(
      "  const auto limit_copy = lib::limit;\n  const int *p = &limit_copy;\n",
    );
    expect(offered(cases[16]?.text ?? "", "host-variable-in-device-code")[0]?.text).toContain(
      "__global__ void k(int *out, Size size);\nvoid start(int *out, int x) { size.x = x; k<<<1, 1>>>(out, size); }\n__global__ void k(int *out, Size size)",
    );
  });

  it.skipIf(!hasNvcc)(`give code that nvcc compiles${unless(hasNvcc, "nvcc is not installed")}`, async () => {
    // Each text is in a namespace of its own, so that one run is enough.
    const texts = cases.flatMap(({ text, rule }) => offered(text, rule).map(({ text: fixed, title }) => ({ fixed, title })));
    const file = texts.map(({ fixed, title }, index) => `namespace n${index} {  // ${title}\n${fixed}}\n`).join("");
    expect(await nvccErrors(file)).toEqual([]);
  });
});
