/** Which texts are OpenCL, of files whose names say so. Others have these names too: host programs, Lisp, Cool, scripts. */
import { beforeAll, describe, expect, it } from "vitest";
import { languageOfName, noSettings } from "../../../server/src/dialect.ts";
import { isOpenCLText } from "../../../server/src/embedded/opencl-texts.ts";
import { languageOfText } from "../../../server/src/settings/languages.ts";
import type { SyntaxParser } from "../../../server/src/syntax/parser.ts";
import { growth, tooMuch } from "../../growth.ts";
import { serviceOf, testParser } from "../../service.ts";

const others: readonly (readonly [string, string])[] = [
  ["a program", '#include "util.h"\nint main(int argc, char **argv) { return run(argc); }\n'],
  ["a program without parameters", "// x\nint\nmain()\n{\n return 0;\n}\n"],
  ["the host's API on several systems", "#ifdef __APPLE__\n#include <OpenCL/opencl.h>\n#else\n#include <CL/cl.h>\n#endif\nint f(int);\n"],
  ["a guarded header of the host", "#ifndef UTIL_H\n#define UTIL_H\n#include <CL/cl.h>\nconst char *names(int d);\n#endif\n"],
  ["objects of the host's API", "extern cl_context current;\n"],
  ["C++'s library", "using namespace std;\nint f() { std::vector<int> v; return v.size(); }\n"],
  ["kernels in literals", 'const char *source = "__kernel void f(__global int *p) {}";\nvoid go() { clFinish(queue); }\n'],
  ["Cool", 'class Main inherits IO {\n  main() : Object { out_string("int x;\\n") };\n};\n'],
  ["Cool with features", "-- it has { braces }\nclass List {\n  item : Int <- 0;\n  init(i : Int) : List { { item <- i; self; } };\n};\n"],
  ["clauses", "% facts\nparent(tom, bob).\ngrand(X, Y) :- parent(X, Z), parent(Z, Y).\n"],
  ["facts", "parent(tom, bob).\nparent(bob, ann).\n"],
  ["Lisp", ';;; hello\n\n(defpackage :x (:use :cl))\n(defun f (int) "int x;" int)\n'],
  ["Lisp after a block comment", '#|\nblock { int x; }\n|#\n(load "x")\n'],
  ["Lisp for some implementations", '#+sbcl (require :x)\n(print "kernel void f(")\n'],
  ["constraints", "package P\ncontext Person\n  inv adult: self.age >= 18\nendpackage\n"],
  ["constraints in one line", "-- Java-like; comment\ncontext Person inv: self.global->size() > 0\n"],
  ["a script of IRAF", 'procedure shift (image)\n\nstring image {prompt="Input"}\nbegin\n  int i, j\nend\n'],
  ["OCaml", "let rec fact n = if n = 0 then 1 else n * fact (n - 1)\n"],
  ["rules of make", "CC = gcc\nall: main.o\n\t$(CC) -o main main.o -lOpenCL; true\n"],
  [
    "a template with statements",
    "{% local n = 3 %}\nkernel void f(\n{% for i = 1, n do %}\n  global float *p{{i}},\n{% end %}\n  int n) { }\n",
  ],
  ["a template with a condition", "kernel void f(global int *p) {\n  {%- if masked %}\n  local int x;\n  {%- endif %}\n}\n"],
  ["a template with types", "kernel void f(global {{ real }} *p) {\n  {{ real }} x = p[0];\n}\n"],
  ["prose", "This folder has kernels for OpenCL.\nSet the local size to 64 and the global size to n.\n"],
];

const opencl: readonly (readonly [string, string])[] = [
  ["a comment about the host", "// the host's main() includes <CL/cl.h>\n__kernel void f(__global int *p) { *p = 1; }\n"],
  ["the host in a comment", "/*\n#include <vector>\nint main() { std::vector<int> v; clFinish(q); }\n*/\nfloat f(float x) { return x; }\n"],
  ["a helper", "// int main() calls it\nfloat main_part(float x) { return x; }\n"],
  ["a source for both sides", "#ifndef __OPENCL_VERSION__\n#include <vector>\n#include <CL/cl.h>\n#endif\nint f(int a) { return a; }\n"],
  ["a header for both sides", "#ifdef __OPENCL_VERSION__\n#define F float\n#else\n#include <CL/cl.h>\ntypedef cl_mem M;\n#endif\n"],
  ["the host's part in a macro of the project", "#ifdef HOST\n#include <vector>\nint main() {}\n#endif\nint f(int a) { return a; }\n"],
  ["a kernel for which editors read the API", "#include <CL/cl.h>\nkernel void f(global int *p) { *p = 1; }\n"],
  ["a helper beside an entry point", "float f(global float *p) { return *p; }\nint main(void) { return 0; }\n"],
  ["macros", "#define X 1\n#define Y(a) (a)\n"],
  ["a class", "class Main {\n public:\n  int x;\n  Main(int a) : x(a) {}\n};\nint f(int a);\n"],
  ["a fragment", "x = y + 1;\n"],
  ["a cast", "(float4)(1, 2, 3, 4)\n"],
  ["an empty file", ""],
  ["a comment", "\n// a comment, and nothing else\n// in two lines\n"],
  ["the first word", "__ker"],
  ["a kernel's name", "void run"],
  ["labels", "void f(int a) {\n  int b\n = a; switch (a) {\n case A:\n\tbreak;\n default:\n\tbreak;\n}\n}\n"],
  ["kernels in macros", "KERNEL(foo)(GLOBAL float *x) {\n x[0] = 1;\n}\n"],
  ["functions whose names begin like the API's", "float clRand(uint *s) { return *s; }\n"],
  [
    "lists in lists",
    "#define N 1\nconstant int a[1][1] = {{N}};\n#define ONE {{N}}\nint f(int a[1][1]);\nkernel void f(global int *p) { {{ p[0] = N; }} }\n",
  ],
  ["remainders", "kernel void f(global int *p, int a, int b) { p[a %b] = a%b; }\n"],
  ["a template in a comment and a literal", 'kernel void f(global int *p) {\n  // {% if x %}\n  printf("{% if x %}");\n}\n'],
  ["a quoted kernel in a comment", 'int f(int a);\n/* "kernel void f()" */\n'],
  ["a raw literal", 'R"(kernel void f(global int *p) { *p = 1; })"\n'],
  ["a kernel called main", "kernel void main(global int *p) { *p = 1; }\n"],
];

describe("a text is OpenCL", () => {
  it.each(opencl)("with %s", (_, text) => {
    expect(isOpenCLText(text)).toBe(true);
  });
});

describe("a text is not OpenCL", () => {
  it.each(others)("with %s", (_, text) => {
    expect(isOpenCLText(text)).toBe(false);
    expect(languageOfText("/w/a.cl", text)).toBeUndefined();
  });
});

const cudaTexts: readonly (readonly [string, string])[] = [
  ["a kernel", 'extern "C" {\n__constant__ int scale;\n}\nextern "C" __global__ void f(int *p) { *p = scale; }\n'],
  ["a kernel whose result comes first", "__device__ int one() { return 1; }\nvoid __global__ f(int *p) { *p = one(); }\n"],
];

describe("a text with the name of OpenCL is CUDA", () => {
  it.each(cudaTexts)("with %s", (_, text) => {
    expect(isOpenCLText(text)).toBe(false);
    expect(languageOfText("/w/a.cl", text)).toBe("cuda");
  });
  it.each([
    ["kernels of both", "__global__ void f(int *p) {}\n__kernel void g(__global int *p) {}\n"],
    ["kernels of either", "#ifdef __CUDACC__\n__global__ void f(int *p) {}\n#else\nint f(int a);\n#endif\n"],
    ["a kernel in a comment", "// __global__ void f(int *p) {}\nint f(int a);\n"],
  ])("but not with %s", (_, text) => {
    expect(isOpenCLText(text)).toBe(true);
    expect(languageOfText("/w/a.cl", text)).toBeUndefined();
  });
});

it("texts without an end are read in bounded time", () => {
  for (const part of ["kernel ", "a", "class A { ", "a(b) ", "(", "; ", "#| ", "context a\n", "int\n", "#if\n"])
    expect(isOpenCLText(part.repeat(400_000))).toBeTypeOf("boolean");
});

it("comments of Lisp before another text are read in proportion to their number", () => {
  expect(growth(3, (count) => () => isOpenCLText(`${"#| part |#\n".repeat(count)}{ x }\n`))).toBeLessThan(tooMuch);
});

it.each(["Makefile.OpenCL", "GNUmakefile.ocl", "README.OpenCL"])("%s is not a source by its name", (name) => {
  expect(languageOfName(`file:///w/${name}`)).toBeUndefined();
});

describe("a host program with an extension of OpenCL", () => {
  const program = '#include "names.h"\n#include <CL/cl.h>\nint main() { const char *a = "b"; const char *c = a ? a : "d"; return 0; }\n';
  const header = "static inline char *name(const char *p) { char *q = p; return q; }\nsize_t get_global_id(int);\nextern cl_context c;\n";
  let parser: SyntaxParser;
  beforeAll(async () => {
    parser = await testParser();
  });
  const check = (name: string, texts: Readonly<Record<string, string>>, settings = noSettings) => {
    const files = Object.entries(texts).map(([each, text]) => ({ name: each, text }));
    return serviceOf(parser, files, settings).check(`file:///fixture/${name}`);
  };

  it.each(["main.opencl", "names.h"])("is not judged, nor are the headers that it includes: %s", (name) => {
    expect(check(name, { "main.opencl": program, "names.h": header })).toMatchObject({ dialects: [], diagnostics: [] });
  });

  it("is judged if the settings say that it is OpenCL", () => {
    expect(check("main.opencl", { "main.opencl": program }, { ...noSettings, language: "opencl" }).dialects).not.toEqual([]);
  });

  it("has the kernels in its literals judged", () => {
    const text = 'const char *k = "kernel void f(global int *p) { local int x = 0; }";\nvoid run() { clFinish(0); }\n';
    expect(check("a.cl", { "a.cl": text }).diagnostics.map(({ rule }) => rule)).toEqual(["local-initializer"]);
  });

  it("may be nothing but a variable with a quoted source", () => {
    const text =
      'static const char *const source =\n"int one(void) { return 1; }\\n"\n"kernel void f(global int *p) {\\n"\n"  local int x = 0; }\\n";\n';
    expect(check("a.cl", { "a.cl": text }).diagnostics.map(({ rule }) => rule)).toEqual(["local-initializer"]);
  });
});
