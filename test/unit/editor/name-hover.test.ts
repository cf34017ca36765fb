/** Every word of a kernel has a hover: names of every kind, with sizes and places, and words that only the build can define. */
import { describe, expect, it } from "vitest";
import { noSettings } from "../../../server/src/dialect.ts";
import { createService } from "../../../server/src/service.ts";
import { memoryFiles, testParser } from "../../service.ts";

const parser = await testParser();

/** The hover at the mark `‸`. */
function hover(marked: string, name = "a.cl", others: Readonly<Record<string, string>> = {}): string {
  const uri = `file:///${name}`;
  const files = new Map([
    [uri, marked.replace("‸", "")],
    ...Object.entries(others).map(([other, text]) => [`file:///${other}`, text] as const),
  ]);
  const service = createService({ files: memoryFiles(files), parser, settingsOf: () => noSettings });
  try {
    return service.hover(uri, marked.indexOf("‸"))?.markdown ?? "";
  } finally {
    service.dispose();
  }
}

const body = "typedef struct { float4 at; uint id; } Item;\n#define TWICE(v) ((v) + step)\n";

describe("the hover of a name", () => {
  it("gives the place of a member in its structure", () => {
    expect(hover(`${body}uint f(global Item *i) { return i->i‸d; }`)).toContain(
      "- Member of `Item`, at byte 16 of 32\n- 4 bytes, aligned to 4",
    );
  });

  it("gives the size, alignment and members of a type", () => {
    const shown = hover(`${body}void f(global It‸em *i) { }`);
    expect(shown).toContain("struct Item {\n  float4 at;\n  uint id;\n};");
    expect(shown).toContain("- 32 bytes, aligned to 16");
    expect(hover("typedef uint u32;\nvoid f(u‸32 x) { }")).toContain("typedef uint u32;");
    expect(hover("typedef global const uint *words_t;\nvoid f(words‸_t x) { }")).toContain("typedef __global const uint *words_t;");
    expect(hover("typedef uint row_t[4];\nvoid f(void) { row‸_t r; }")).toContain("typedef uint row_t[4];");
    expect(hover("void f(flo‸at4 x) { }")).toContain("- 16 bytes, aligned to 16");
  });

  it("gives the type and the place of a vector's components", () => {
    expect(hover("float f(float4 v) { return v.‸z; }")).toContain("float z;\n```\n\n- Component 2 of a `float4`, at byte 8 of 16");
    expect(hover("uint2 f(global uint3 *v) { return v->‸zx; }")).toContain("uint2 zx;\n```\n\n- Components 2, 0 of a `uint3`");
    expect(hover("char4 f(char8 v) { return (v + v).‸odd; }")).toContain("- Components 1, 3, 5, 7 of a `char8`");
    expect(hover("struct S { int x; };\nshort f(short16 v) { return v.s‸f; }")).toContain(
      "- Component 15 of a `short16`, at byte 30 of 32",
    );
  });

  it("shows where a macro is defined, also in a header", () => {
    expect(hover(`${body}int f(int step) { return TWI‸CE(1); }`)).toContain("#define TWICE(v) ((v) + step)");
    const shown = hover('#include "sizes.h"\nfloat f(void) { float a[SI‸ZE]; return a[0]; }', "a.cl", { "sizes.h": "\n#define SIZE 64\n" });
    expect(shown).toContain("Macro, defined in line 2 of `sizes.h`");
  });

  it("shows the definition of a macro that is in force", () => {
    const text = "#if WIDE\n#define LANES 8\n#else\n#define LANES 4\n#endif\n";
    expect(hover(`${text}int f(void) { return LA‸NES; }`)).toContain("#define LANES 4\n```\n\n- Macro, defined in line 4");
    const again = "#define STEP 1\nint f(void) { return STEP; }\n#undef STEP\n#define STEP 2\nint g(void) { return ST‸EP; }";
    expect(hover(again)).toContain("#define STEP 2");
  });

  it("says nothing about keywords and the words of directives", () => {
    for (const text of ["void f(void) { bre‸ak; }", "#end‸if", "# def‸ine A", "str‸uct S { int a; };"]) expect(hover(text), text).toBe("");
  });

  it("explains the constants that are keywords in C++", () => {
    expect(hover("bool f(void) { return tr‸ue; }")).toContain("- A constant of the language with the value 1");
  });

  it("shows the overload that is called first", () => {
    const text = "kernel void k(global ulong8 *p, global ulong *q) { p[0] = vload8(0, q); p[1] = max(p[0], p[1]); }";
    expect(hover(text.replace("vload8", "vload‸8"))).toContain("```c\nulong8 vload8(size_t, __global const ulong *);");
    expect(hover(text.replace("max", "m‸ax"))).toContain("```c\nulong8 max(ulong8, ulong8);");
  });

  it("spells arrays as their author does", () => {
    expect(hover("void f(ulong st[25]) { s‸t[0] = 1; }")).toMatch(/^```c\n(?:__\w+ )?ulong \*st;/);
    expect(hover("void f(void) { ushort t[2][3]; ‸t[0][0] = 1; }")).toContain("```c\nushort t[2][3];");
  });

  it("keeps a length that only the build knows", () => {
    expect(hover("void f(void) { uint rows[ LINES ]; r‸ows[0] = 1; }")).toContain("uint rows[LINES];");
    expect(hover("kernel void k(void) { local uint row‸s[LINES]; }")).toContain("__local uint rows[LINES];");
    expect(hover("void f(void) { uint rows[] = {1, 2}; r‸ows[0] = 1; }")).toContain("uint rows[2] = {1, 2};");
  });

  it("shows one declarator of several whose type is unknown", () => {
    expect(hover("typedef struct { real x, *y, z[2]; } At‸om;")).toContain("  real x;\n  real *y;\n  real z[2];\n");
    const local = (name: string) => hover(`#define STEP real a, *b = a, c[2]; \\\n  use(${name})\n`);
    expect([local("‸a"), local("‸b"), local("‸c")].map((each) => each.split("\n")[1])).toEqual(["real a;", "real *b;", "real c[2];"]);
  });

  it("finds a local name behind a comment that ends with a period", () => {
    const body = "PREPARE\n  local Unknown rows[4];\n  // The first one.\n  ‸rows[0] = 1;\n";
    const shown = hover(`kernel void k(global int *p MORE) {\n${body}}\n`);
    expect(shown).toContain("local Unknown rows[4];");
    expect(shown).not.toContain("PREPARE");
  });

  it("counts lines in the host's file", () => {
    const host = `int a;\nconst char *s = R"(\nint g(int n) {\n  return ‸n;\n}\nkernel void k(global int *p) { *p = g(1); })";\n`;
    expect(hover(host, "host.cpp")).toContain("Declared in line 3 of `host.cpp`");
  });

  it("shows a macro that puts names together", () => {
    expect(hover("#define ADD(i) in##i[0] += 1\nvoid f(int *in1) { A‸DD(1); }")).toContain("#define ADD(i) in ## i[0] += 1");
  });

  it("knows what the words of a macro's body mean where it is expanded", () => {
    const text = "#define TWICE(v) ((v) + st‸ep)\nint f(int step) { return TWICE(1); }";
    expect(hover(text)).toContain("Parameter of `f`");
    expect(hover("#define TWICE(v) ((‸v) + 1)\n")).toContain("Parameter of the macro `TWICE`");
  });

  it("explains functions, constants and attributes of OpenCL C", () => {
    expect(hover("kernel void k(void) { barrier(CLK_LOCAL‸_MEM_FENCE); }")).toContain("Local memory: after the barrier");
    expect(hover("kernel void k(global float *o) { *o = na‸tive_sin(*o); }")).toContain("float native_sin(float);");
    expect(hover("__attribute__((reqd_‸work_group_size(8, 8, 1))) kernel void k(void) { }")).toContain("exactly this size");
  });

  it("reads an inactive branch as a build that takes it", () => {
    const text = "void f(void) {\n#ifdef FAST\n  uint steps = 4;\n  st‸eps += 1;\n#elif SLOW\n#else\n  float steps = 1;\n#endif\n}";
    expect(hover(text)).toContain("uint steps = 4;");
    expect(hover(text.replace("‸", "").replace("float steps", "float st‸eps"))).toContain("float steps = 1;");
    expect(hover("#if 0\n#elif 0\n#if 0\n#else\nglobal int *‸p;\n#endif\n#endif")).toContain("*p");
  });

  it("shows the value and the type of a number that hides them", () => {
    const number = (literal: string) => hover(`kernel void k(global float *o) { *o = ${literal}; }`);
    expect(number("0x1.921‸fb6p+1f")).toContain("float 3.14159274\n");
    expect(number("1.‸f")).toContain("float 1\n");
    expect(number("0x‸FFu")).toContain("unsigned int 255\n");
    expect(number("‸0.5")).toContain("with an `f` at its end it is a `float`");
    expect(number("1‸6")).toBe("");
    expect(hover("__global__ void k(float *o) { *o = 0.‸5f; }", "a.cu")).toBe("");
  });

  it("says that only the build can define a name", () => {
    expect(hover("kernel void k(global float *o) { o[0] = SC‸ALE; }")).toContain("the build may define it");
    expect(hover("kernel void k(global float *o) { o[0] = SC‸ALE; }", "a.cl", { "b.cl": "\n#define SCALE 2\n" })).toContain(
      "line 2 of `b.cl` does, if the host builds one program from both",
    );
  });

  it("explains functions and host variables in CUDA, and leaves other names to clangd", () => {
    expect(hover("__global__ void k(const float *p, float *q) { *q = __ld‸g(p); }", "a.cu")).toContain("__ldg(");
    expect(hover("__global__ void k(float *q) { __sync‸warp(); }", "a.cu")).toContain("__syncwarp");
    expect(hover("struct S { int a; };\nint f(S s) { return s.‸a; }", "a.cu")).toBe("");
  });

  it("finds a variable in the innermost block that declares it", () => {
    expect(hover("#define USE x\nint f(void) { int x = 1; { float x = 2; x; } return U‸SE; }")).toContain("#define USE x");
    expect(hover("void f(void) { int n = 1; { float n = 2; float m[2]; m[0] = ‸n; } }")).toContain("float n = 2;");
  });
});
