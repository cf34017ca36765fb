/**
 * Device code in string literals of host files: which literals are recognized, and which are not. Every place and every edit is one
 * of the host file, whatever escapes the literal contains.
 */
import { afterAll, describe, expect, it } from "vitest";
import { noSettings } from "../../../server/src/dialect.ts";
import { findEmbedded } from "../../../server/src/embedded/embedded.ts";
import type { FileReport } from "../../../server/src/service.ts";
import { createService } from "../../../server/src/service.ts";
import { growth, tooMuch } from "../../growth.ts";
import { memoryFiles, testParser } from "../../service.ts";

const parser = await testParser();
const texts = new Map<string, string>();
const service = createService({ files: memoryFiles(texts), parser, settingsOf: () => noSettings });
afterAll(() => service.dispose());

function check(name: string, text: string): FileReport {
  const uri = `file:///${name}`;
  texts.set(uri, text);
  service.changed([uri]);
  return service.check(uri);
}

/** The code at the place of each finding. */
function found(name: string, text: string): readonly string[] {
  return check(name, text).diagnostics.map(({ rule, location: { span } }) => `${rule} ${text.slice(span.start, span.end)}`);
}

/** The text after the preferred fix of the only finding. */
function fixed(name: string, text: string): string | undefined {
  const fix = check(name, text).diagnostics.flatMap(({ fixes }) => fixes)[0];
  return fix?.edits
    .toSorted((a, b) => b.location.span.start - a.location.span.start)
    .reduce((edited, { location: { span }, text: written }) => edited.slice(0, span.start) + written + edited.slice(span.end), text);
}

const kernel = "kernel void f(constant int *table, global int *out) { table[0] = out[0]; }";

describe("device code is found in", () => {
  it.each([
    ["a raw literal", "a.cpp", `const char *source = R"CL(\n${kernel}\n)CL";`],
    ["a header", "a.h", `static const char source[] = R"(${kernel})";`],
    ["a literal in C", "a.c", `const char *source = "${kernel}";`],
    ["a literal, after an escape", "a.c", `const char *source = "#define N\\n${kernel}";`],
    ["a literal, after an escaped quote", "a.c", `const char *source = "// \\"x\\"\\n${kernel}";`],
    ["a continued literal", "a.c", `const char *source = "\\\n${kernel}";`],
    ["a continued literal of a device file", "a.cu", `const char *source = "\\\n${kernel}";`],
    ["a macro's argument in a device file", "a.cu", `const char *source = KERNEL_CODE(${kernel});`],
    ["a literal in Python, after an escape", "a.py", `source = "#define N\\n${kernel}"`],
    [
      "adjacent literals",
      "a.cpp",
      'auto s = "kernel void f(constant int *table, " /* then */\n  "global int *out) {\\n"\n"  table[0] = out[0];\\n}\\n";',
    ],
    [
      "escapes before the place",
      "a.cpp",
      'auto s = "/* \\"\\x41\\u00e9\\t\\\\ */ kernel void f(constant int *table, global int *out) { table[0] = out[0]; }";',
    ],
    ["continued lines", "a.c", 'const char *s = "kernel void f(constant int *table, global int *out) { \\\n  table[0] = out[0]; }";'],
    [
      "an array of lines",
      "a.c",
      'const char *s[] = { "kernel void f(constant int *table,\\n", " global int *out) {\\n", " table[0] = out[0];\\n", "}\\n" };',
    ],
    ["several literals of a list", "a.c", `const char *s[] = { "kernel void g(global int *p) { *p = 1; }", "${kernel}" };`],
    ["a macro's argument", "a.cpp", `#define TEXT(...) #__VA_ARGS__\nconst char *s = TEXT(\n${kernel}\n);`],
    [
      "through a second macro",
      "a.cpp",
      `#define TEXT_(x) #x\n#define TEXT(x) TEXT_(x)\nconst char *s = TEXT(${kernel.replace("constant int *table, ", "constant int *table, ")});`,
    ],
    ["a macro that wraps the text", "a.cpp", `#define R(...) std::string(" " #__VA_ARGS__ " ")\nauto s = R(\n${kernel}\n);`],
    ["the argument of a macro from a header", "a.cpp", `#include "r.hpp"\nauto s = R(\n${kernel}\n);`],
    [
      "arguments of macros that are concatenated, with directives between them",
      "a.cpp",
      `auto s = R(kernel void g(global int *p) { *p = one(); }) + R(\nint one() { return 1; }\n) + "#ifndef N" + R(\n${kernel}\n) + "#endif";`,
    ],
    ["a kernel in two arguments of macros", "a.cpp", `auto s = R(${kernel.slice(0, 53)}) + "#define N 1" + R(${kernel.slice(53)});`],
    [
      "concatenated literals",
      "a.cpp",
      `auto s = std::string("${kernel.slice(0, 53)}") + x, t = "${kernel.slice(0, 53)}" + "${kernel.slice(53)}";`,
    ],
    ["Python's concatenated literals", "a.py", `s = ("${kernel.slice(0, 53)}" +\n     "${kernel.slice(53)}")\n`],
    ["a definition", "a.h", `#define SOURCE \\\n  "kernel void f(constant int *table, global int *out) {" \\\n  "table[0] = out[0]; }"\n`],
    ["behind something of the program", "a.cpp", `std::string s = header + "${kernel}\\n" + footer;`],
    ["three quotes", "a.py", `source = """\n${kernel}\n"""\n`],
    [
      "Python's adjacent literals",
      "a.py",
      `source = ('kernel void f(constant int *table, '\n          "global int *out) { table[0] = out[0]; }")\n`,
    ],
    ["a file that is a raw literal", "a.opencl", `// for C++\nR"(\n${kernel}\n)"\nR"(\nint g(void) { return 1; }\n)"\n// end\n`],
    ["a file that is a macro's argument", "a.cl", `STRINGIFY(\n${kernel}\n)`],
  ])("%s", (_, name, text) => expect(found(name, text)).toEqual(["constant-write table[0]"]));

  it("a source for CUDA's runtime compiler", () => {
    expect(found("a.cpp", 'auto s = R"(extern "C" __global__ void f(const int n) { n = 1; })";')).toEqual(["const-write n"]);
  });
});

describe("nothing is found in", () => {
  it.each([
    ["placeholders", "a.cpp", `const char *s = "kernel void f(constant %s *table) { table[0] = 1; }";`],
    ["a text that is formatted", "a.cpp", `sprintf(buffer, "${kernel}", name);`],
    ["a type from the program", "a.cpp", 'auto s = std::string("kernel void f(constant ") + type + " *table) { table[0] = 1; }";'],
    ["a macro in the middle", "a.cpp", 'auto s = "kernel void f(constant int *table) {" BODY "table[0] = 1; }";'],
    ["a formatted literal", "a.py", 'source = f"""kernel void f(constant {t} *table) {{ table[0] = 1; }}"""'],
    ["Python's format", "a.py", `source = """kernel void f(constant int *table) { table[0] = 1; }""".format(1)`],
    ["Python's percent", "a.py", `source = """kernel void f(constant int *table) { table[0] = 1; }""" % 1`],
    ["a macro that adds text", "a.cpp", `#define R(x) "int " #x\nauto s = R(int f() { ${kernel} });`],
    ["arguments of macros around something of the program", "a.cpp", `auto s = R(${kernel.slice(0, 53)}) + body + R(${kernel.slice(53)});`],
    ["prose", "a.cpp", 'log("the kernel void of (constant) {data} is in __global memory");'],
    ["comments", "a.cpp", `// "${kernel}"\n/* R"(${kernel})" */`],
    ["a part of a source", "a.cpp", 'auto s = "kernel void f(constant int *table) { table[0] = 1;";'],
    ["other languages", "a.js", `const s = \`${kernel}\`;`],
    ["words of a host file", "a.cpp", 'const char *names[] = { "__global ", "__kernel" }; float *get_global_id;'],
  ])("%s", (_, name, text) => expect(found(name, text)).toEqual([]));
});

describe("an edit", () => {
  const head = "kernel void f(const global int *in, global int *out) { ";
  it("in a raw literal is written as it is", () =>
    expect(fixed("b.cpp", `auto s = R"(${head}global int *p = in; *out = *p; })";`)).toBe(
      `auto s = R"(${head}const global int *p = in; *out = *p; })";`,
    ));
  it("after escapes is at the right place", () =>
    expect(fixed("b.cpp", `auto s = "/*\\"*/ ${head}\\n\\tglobal int *p = in; *out = *p; }";`)).toBe(
      `auto s = "/*\\"*/ ${head}\\n\\tconst global int *p = in; *out = *p; }";`,
    ));
  it("among adjacent literals is in the right one", () =>
    expect(fixed("b.cpp", `auto s = "${head}"\n  "global int *p = in;" "*out = *p; }";`)).toBe(
      `auto s = "${head}"\n  "const global int *p = in;" "*out = *p; }";`,
    ));
  it("in an ordinary literal is escaped", () => {
    const [source] = findEmbedded("file:///c.cpp", 'auto s = "kernel void f(global int *p) { *p = 1; }";');
    expect(source?.editHost({ location: { uri: source.uri, span: { start: 0, end: 0 } }, text: 'a\n"\\' })?.text).toBe('a\\n\\"\\\\');
  });
  it("that spans two literals is refused", () => {
    const [source] = findEmbedded("file:///c.cpp", 'auto s = "kernel void f(global int *p) {" " *p = 1; }";');
    expect(source?.editHost({ location: { uri: source.uri, span: { start: 0, end: source.text.length } }, text: "x" })).toBeUndefined();
  });
});

it("comments in the literal and in its host allow findings", () => {
  const raw = `auto s = R"(\nkernel void f(constant int *table) {\n  // gpu-qualifiers: allow[constant-write] only a test\n  table[0] = 1;\n})";`;
  expect(found("g.cpp", raw)).toEqual([]);
  const quoted = `auto s = "kernel void f(constant int *table) {"\n  // gpu-qualifiers: allow[constant-write] only a test\n  "table[0] = 1; }";`;
  expect(found("g.cpp", quoted)).toEqual([]);
});

it("a hover refers to the host's text", () => {
  const text = 'auto s = "/* \\"\\t */ kernel void f(constant int *table) { int x = table[0]; }";';
  check("d.cpp", text);
  const at = text.indexOf("constant");
  expect(service.hover("file:///d.cpp", at)?.span).toEqual({ start: at, end: at + "constant".length });
});

it("counts them, and follows edits", () => {
  const report = check("e.cpp", `auto s = R"(${kernel})"; auto t = "${kernel}";`);
  expect([report.embedded, report.diagnostics.length, report.dependencies]).toEqual([2, 2, ["file:///e.cpp"]]);
  expect(check("e.cpp", `auto s = R"(${kernel.replace("constant", "global")})"; auto t = "${kernel}";`).diagnostics).toHaveLength(1);
  expect(check("e.cpp", "int main() {}").diagnostics).toEqual([]);
});

it("takes time in proportion to the text", () => {
  const parts = ["/*", "#", '"', "STRINGIFY(", "kernel void ", 'R"(', "\\", "# define A(x) ", "'''", '\\"', "\\\n"];
  const searched = (count: number) => () => {
    for (const part of parts)
      for (const name of ["f.cpp", "f.py", "f.cl"]) findEmbedded(`file:///${name}`, `__kernel void global ${part.repeat(count)}`);
  };
  expect(growth(1_000, searched)).toBeLessThan(tooMuch);
});

it("a file that is named after a literal of another file is checked as itself", () => {
  found("named.cpp", `const char *source = R"CL(\n${kernel}\n)CL";`);
  const named = "kernel void g(global float *to, local float *from) { to = from; }";
  expect(found("named.cpp#embedded-0.cl", named)).toEqual(["address-space-conversion from"]);
});
