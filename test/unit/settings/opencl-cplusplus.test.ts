/** Sources named like OpenCL C that are written in C++ for OpenCL. */
import { beforeAll, describe, expect, test } from "vitest";
import { type CompileSettings, noSettings } from "../../../server/src/dialect.ts";
import { cplusplusIn, withCplusplus } from "../../../server/src/settings/opencl-cplusplus.ts";
import type { SyntaxParser } from "../../../server/src/syntax/parser.ts";
import { serviceOf, testParser } from "../../service.ts";

let parser: SyntaxParser;
beforeAll(async () => {
  parser = await testParser();
});

describe("C++ in OpenCL sources", () => {
  test.each([
    ["a template", "template <typename T> T twice(T x) { return x + x; }", "template <typename"],
    ["a template with a value", "template<int N> void f();", "template<int N>"],
    ["a specialization", "int x; template <> int twice(int);", "template <>"],
    ["access to members", "struct s { s(); private: int x; };", "private:"],
    ["a class", "class point { int x; };", "class point {"],
    ["a derived class", "struct base {}; class point final : base {};", "class point final :"],
    ["a namespace", "namespace a::b { int f(); }", "namespace a::b {"],
    ["an alias", "using word = unsigned int;", "using word ="],
    ["a named cast", "int f(float x) { return static_cast<int>(x); }", "static_cast<"],
    ["a member function of an object in a space", "struct s { void set(int) const __local; };", ") const __local;"],
    ["such a function with a result behind it", "struct s { auto self() __global -> int; };", ") __global ->"],
    ["a qualified name", "int f() { return limits::most; }", "s::m"],
    ["an operator function", "struct s { int x; }; struct s operator + (struct s a, struct s b);", "operator + ("],
    ["a scoped enumeration", "enum class side { left, right };", "enum class side"],
    ["a lambda", "void f() { auto g = [&](int x) { return x; }; }", "[&](int x) {"],
    ["a tag that is a type", "struct pair { int a, b; };\npair f(void);", ";\npair f("],
    ["a construct behind a conditional", "#if A\n#if B\n#endif\n#else\n#endif\nclass c { };", "class c {"],
  ])("%s is C++", (_, text, found) => {
    const span = cplusplusIn(text);
    expect(span && text.slice(span.start, span.end)).toBe(found);
  });

  test.each([
    ["names that are words of C++", "int f(global int *class, int new, int template) { return template < new ? class[0] : 1; }"],
    ["an address space", "void f(private int *p, int __private);"],
    ["an address space behind an attribute", "__attribute__((aligned(4))) __local int *f(void);"],
    ["a cast to a space", "int f(global int *p) { return *((__global int *)p) + *(__local const int *)(__local int *)0; }"],
    ["a comment and a literal", '// class a {\n/* private: */ constant char text[] = "template <typename T>";'],
    ["an unclosed comment", "int x; /* class a {"],
    ["a part for other languages", "#ifdef __cplusplus\nnamespace host {\n#endif\nint f();\n#ifdef __cplusplus\n}\n#endif"],
    ["operators, blocks and elements", "int f(int a, int *b) { int (^g)(int) = ^(int x) { return x; }; return a ? b[a] : g(a); }"],
    ["a variable with the name of a word", "int f(int operator, int b) { return operator + (b) * operator + (b); }"],
    ["a tag with a type definition", "typedef struct pair pair;\nstruct pair { int a; };\npair f(void);"],
    ["a type definition of the structure", "typedef struct pair { int a; } pair;\npair f(void);"],
    ["a tag that may be defined elsewhere", '#include "pair.h"\nstruct pair { int a; };\npair f(void);'],
    ["a tag that a macro defines", "#define pair struct pair\nstruct pair { int a; };\npair f(void);"],
    ["a tag of a variable", "struct pair { int a; };\nstruct pair f(void);\nvoid g(void) { struct pair pair = f(); pair.a = 1; }"],
    ["a macro", "#define CAST(type, x) \\\n  static_cast<type>(x)\nint f();"],
    [
      "a kernel that is a template",
      "template <class T> T f(T x);\ntemplate <class T>\n__attribute__((mangled_name(k))) kernel void k(global T *p);",
    ],
  ])("%s is not", (_, text) => {
    expect(cplusplusIn(text)).toBeUndefined();
  });

  test("overrides a guess, but no setting", () => {
    const standardOf = (settings: CompileSettings, uri = "/w/a.cl") => withCplusplus(settings, uri, () => "class a { };").openclStandard;
    expect(standardOf(noSettings)).toBe("clc++2021");
    expect(standardOf({ ...noSettings, openclStandard: "CL1.2", standardFrom: { uri: "/w/host.c", span: { start: 0, end: 1 } } })).toBe(
      "clc++2021",
    );
    expect(standardOf({ ...noSettings, openclStandard: "CL1.2" })).toBe("CL1.2");
    expect(standardOf(noSettings, "/w/a.clcpp")).toBeUndefined();
    expect(standardOf(noSettings, "/w/a.cu")).toBeUndefined();
  });

  test("are judged by that language alone", () => {
    const text = `struct sum {
  void add(int x) { total += x; }
private:
  int total;
};
void fill(global int *out) { *out = 1; }
void fill(local int *out) { *out = 2; }
kernel void k(global int *out, local int *tile) { fill(out); fill(tile); }`;
    const report = serviceOf(parser, [{ name: "sum.cl", text }], noSettings).check("file:///fixture/sum.cl");
    expect(report.dialects.map(({ label }) => label)).toEqual(["C++ for OpenCL 2021"]);
    expect(report.understanding.standardFrom).toEqual({
      uri: "file:///fixture/sum.cl",
      span: { start: text.indexOf("private:"), end: text.indexOf("private:") + 8 },
    });
    expect(report.diagnostics.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([]);
  });
});
