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
const other = "kernel void g(global int *out) { out[0] = 1; }";
/** A hole of a template, behind a dollar sign. */
const hole = (name: string) => `$\{${name}}`;

describe("device code is found in", () => {
  it.each([
    ["a raw literal", "a.cpp", `const char *source = R"CL(\n${kernel}\n)CL";`],
    ["a header", "a.h", `static const char source[] = R"(${kernel})";`],
    ["a table of names and texts", "a.cpp", `Test tests[] = {{"add", R"(\n${kernel}\n)", 1}, {"sub", "${other}"}};`],
    ["a text of directives from the program", "a.cpp", `Test tests[] = {{"add", R"(%s\n${kernel})"}};`],
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
      "literals, of which macros name some",
      "a.c",
      '#define NL "\\n"\n#define TYPE "int" /* the element */\nconst char *s = "kernel void f(constant " TYPE " *table, global " TYPE\n  " *out) {" NL "  table[0] = out[0];" NL\n  "}" NL;',
    ],
    [
      "a list of lines, with line feeds that a header names",
      "a.c",
      'const char *s[] = {\n  NL, "kernel void f(constant int *table, global int *out)" NL, "{" NL,\n  "  table[0] = out[0];" NL,\n  "}" NL\n};',
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
    ["the argument of a macro of any name, behind a function", "a.cpp", `auto s = clSource(\nint one() { return 1; }\n${kernel}\n);`],
    ["the last argument of a macro", "a.cpp", `#define PROGRAM(name, ...) const char *name = #__VA_ARGS__\nPROGRAM(s,\n${kernel}\n);`],
    [
      "an argument that a macro passes on",
      "a.cpp",
      `#define ADD(name, source) add(#name, std::string(#source), true)\nADD(a, ${kernel.replace("table, ", "table) {} kernel void g(")});`.replace(
        "table) {} kernel void g(",
        "table, ",
      ),
    ],
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
    [
      "a macro's argument with directives on lines of the literal",
      "a.cl",
      `STRINGIFY(\n\\n#define TABLE\n constant int *\n\\n\nconstant char text[] = "\\n#";\n${kernel.replace("constant int *", "TABLE ")}\n)`,
    ],
  ])("%s", (_, name, text) => expect(found(name, text)).toEqual(["constant-write table[0]"]));

  const braced = kernel.replaceAll("{", "{{").replaceAll("}", "}}");
  it.each([
    ["Python's f-string", "a.py", `s = f"""${braced.replace("constant int", "constant {t}").replace("global int", "global {t}")}"""`],
    ["Python's f-string with a name in a name", "a.py", `s = f"${braced.replace(" f(", " f_{t}_{n + 1:03d}(")}"`],
    ["Python's f-string with a macro's value", "a.py", `s = f"""#define N {n}\n${braced}"""`],
    ["Python's format", "a.py", `s = """\n${braced.replace("constant int", "constant {0}")}""".format(t)`],
    ["Python's format of a text in parentheses", "a.py", `s = ("${braced.slice(0, 54)}"\n  "${braced.slice(54)}").format()`],
    ["Python's percent", "a.py", `s = """${kernel.replace("constant int", "constant %s")}""" % (t,)`],
    ["a format", "a.cpp", `const char *s = "${kernel.replace("constant int", "constant %s%d")}";`],
    [
      "a format in literals",
      "a.c",
      `static const char *s =\n  "%s\\n"\n  "kernel void f(global %s *a, constant int *table)\\n"\n  "{ table[0] = a[%zu] %% 3; }";`,
    ],
    ["a call of printf", "a.c", `snprintf(text, sizeof text, "${kernel.replace("global int *out", "global %s *out")}", type);`],
    ["a call that prints when it runs", "a.c", `const char *s = "${kernel.replace("table[0]", 'printf(\\"= %d\\", 1 % 3); table[0]')}";`],
    ["Python's percent with names", "a.py", `s = ("${kernel.replace("constant int", "constant %(t)s")}" % {"t": t})`],
    [
      "Python's template",
      "a.py",
      `s = Template("""#define N ${hole("n")}\n${kernel.replace("global int", `global ${hole(" t ")}`)}""").substitute(n=1)`,
    ],
    ["Python's template without braces", "a.py", `s = string.Template("""${kernel.replace("global int", "global $t")}""")`],
    ["a template that is filled in later", "a.py", `s = """${kernel.replace(" f(", ` f_${hole("name")}_$n(`)}"""\nt = Template(s)`],
    ["Python's joined lines", "a.py", `s = "\\n".join(["// first", "${kernel.slice(0, 53)}", "// then", "${kernel.slice(53)}"])`],
    ["Rust's raw literal", "a.rs", `const S: &str = r#"\n${kernel}\n"#;`],
    ["Rust's literal after a lifetime", "a.rs", `fn f<'a>(x: &'a str) { let s = "\\\n    ${kernel}"; let c = '"'; }`],
    ["Rust's concat", "a.rs", `const S: &str = concat!("${kernel.slice(0, 53)}", "${kernel.slice(53)}");`],
    ["Rust's format", "a.rs", `let s = format!(r"${braced.replace("constant int", "constant {}")}", t);`],
    ["Julia's three quotes", "a.jl", `const s = """\n${kernel}\n"""\n`],
    ["Julia's raw literal", "a.jl", `#= " =# s = raw"${kernel}"`],
    ["Julia's interpolation", "a.jl", `s = "${kernel.replace("constant int", "constant $T")}"`],
    ["Julia's sum", "a.jl", `s = """${kernel.slice(0, 53).replace("constant int", 'constant $(f("x"))')}""" *\n  "${kernel.slice(53)}"`],
    ["Go's raw literal", "a.go", `const s = \`\n${kernel}\n\`\n`],
    ["Go's sum", "a.go", `var s = "${kernel.slice(0, 53)}" +\n\t"${kernel.slice(53)}"\n`],
    ["a template of JavaScript", "a.js", `const s = \`\n${kernel}\n\`;`],
    ["a template of TypeScript with holes", "a.ts", `const s = \`${kernel.replace("constant int", `constant $${"{t({ a: `b` })}"}`)}\`;`],
    ["joined lines of JavaScript", "a.mjs", `x = a / b; s = ["${kernel.slice(0, 53)}", '${kernel.slice(53)}',].join('\\n');`],
    ["Java's text block", "A.java", `String s = """\n    ${kernel}\n    """;`],
    ["Java's sum", "A.java", `String s = "${kernel.slice(0, 53)}" + // then\n  "${kernel.slice(53)}";`],
    ["C#'s verbatim literal", "a.cs", `var s = @"// ""x""\n${kernel}";`],
    ["C#'s raw literal", "a.cs", `var s = """\n  ${kernel}\n  """;`],
    ["C#'s interpolation", "a.cs", `var s = $@"${braced.replace("constant int", "constant {t}")}";`],
    ["C#'s raw interpolation", "a.cs", `var s = $$"""\n${kernel.replace("constant int", "constant {{t}}")}\n""";`],
    ["Kotlin's three quotes", "a.kt", `val s = """\n${kernel}\n""".trimIndent()`],
    [
      "Scala's three quotes",
      "a.scala",
      `val s = """\n|${kernel}\n""".replace("x", "y")`.replace("\n|", "\n").replace('.replace("x", "y")', ""),
    ],
  ])("%s", (_, name, text) => expect(found(name, text)).toEqual(["constant-write table[0]"]));

  it("a source for CUDA's runtime compiler", () => {
    expect(found("a.cpp", 'auto s = R"(extern "C" __global__ void f(const int n) { n = 1; })";')).toEqual(["const-write n"]);
  });
});

describe("nothing is found in", () => {
  it.each([
    ["placeholders that may be statements", "a.cpp", `const char *s = "kernel void f(constant %s *table) { %s; table[0] = 1; }";`],
    [
      "a format with a conversion that no function has",
      "a.cpp",
      `const char *s = "kernel void f(constant %s *t, constant int *table) { table[0] = t[1] % t[2]; }";`,
    ],
    ["a text that is formatted", "a.cpp", `sprintf(buffer, "${kernel}", name);`],
    ["a type from the program", "a.cpp", 'auto s = std::string("kernel void f(constant ") + type + " *table) { table[0] = 1; }";'],
    ["a macro in the middle", "a.cpp", 'auto s = "kernel void f(constant int *table) {" BODY "table[0] = 1; }";'],
    [
      "a formatted literal that is a template of statements",
      "a.py",
      'source = f"""kernel void f(constant int *t) {{ {body}; t[0] = 1; }}"""',
    ],
    [
      "a formatted literal with a line that may be anything",
      "a.py",
      'source = f"""kernel void f(constant int *t) {{\n  {body}\n  t[0] = 1; }}"""',
    ],
    ["a formatted literal with a condition", "a.py", 'source = f"""#if {n}\nkernel void f(constant int *t) {{ t[0] = 1; }}\n#endif"""'],
    ["a formatted address space", "a.py", 'source = f"""kernel void f({space} int *t, constant int *u) {{ t = u; }}"""'],
    [
      "a formatted address space, by a macro",
      "a.py",
      'source = f"""#define AS {space}\nkernel void f(AS int *t, constant int *u) {{ t = u; }}"""',
    ],
    ["a template with statements", "a.py", `source = """kernel void f(constant int *t) { ${hole("body")} t[0] = 1; }"""`],
    ["a template's address space", "a.py", `source = """kernel void f(${hole("space")} int *t, constant int *u) { t = u; }"""`],
    ["a template with lines of Mako", "a.py", `source = """kernel void f(constant int *t) {\n% if x:\n${hole("t")}[0] = 1;\n% endif\n}"""`],
    ["braces that Python's format rejects", "a.py", `source = """kernel void f(constant int *table) { table[0] = 1; }""".format(1)`],
    ["a percent sign that Python rejects", "a.py", `source = """kernel void f(constant int *t) { t[0] = t[1] % t[2]; }""" % 1`],
    ["advice about a text with holes", "a.py", 'source = f"""kernel void f(global int *a, global int *b) {{ b[0] = g({x}); }}"""'],
    ["Metal's kernels", "a.rs", 'const S: &str = "using namespace metal; kernel void f(constant int *t [[buffer(0)]]) { t[0] = 1; }";'],
    ["what Rust prints", "a.rs", `println!("${kernel.replaceAll("{", "{{").replaceAll("}", "}}")}");`],
    ["a comment of Rust", "a.rs", `/* /* */ const S: &str = r"${kernel}"; */`],
    ["a regular expression", "a.js", `x = /"/; // ${kernel}"`],
    ["a macro that adds text", "a.cpp", `#define R(x) "int " #x\nauto s = R(int f() { ${kernel} });`],
    ["arguments of macros around something of the program", "a.cpp", `auto s = R(${kernel.slice(0, 53)}) + body + R(${kernel.slice(53)});`],
    [
      "a macro that stringizes and adds text",
      "a.cpp",
      `#define R(n, ...) f(n, "int " #__VA_ARGS__)\nauto s = R(1, int f() { ${kernel} });`,
    ],
    ["a macro that is no stringizer", "a.cpp", `#define R(...) __VA_ARGS__\nR(int f() { return 1; } ${kernel})`],
    ["prose", "a.cpp", 'log("the kernel void of (constant) {data} is in __global memory");'],
    ["comments", "a.cpp", `// "${kernel}"\n/* R"(${kernel})" */`],
    ["a part of a source", "a.cpp", 'auto s = "kernel void f(constant int *table) { table[0] = 1;";'],
    ["other languages", "a.txt", `const s = \`${kernel}\`;`],
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
  it("in a macro that stands for a literal is refused", () => {
    const [source] = findEmbedded("file:///c.c", '#define INT " int "\nchar *s = "kernel void f(global" INT "*p) { *p = 1; }";');
    const start = source?.text.indexOf(" int ") ?? 0;
    expect(source?.text).toBe("kernel void f(global int *p) { *p = 1; }");
    expect(source?.editHost({ location: { uri: source.uri, span: { start, end: start + 5 } }, text: "x" })).toBeUndefined();
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
  const parts = [
    "/*",
    "#",
    '"',
    "STRINGIFY(",
    "kernel void ",
    'R"(',
    "\\",
    "# define A(x) ",
    "'''",
    '\\"',
    "\\\n",
    "(/[",
    "${",
    '$("',
    'f"{',
    "{{}}{a}",
    '"\\n{{}}" ',
    "r##",
    "`$",
    '@"""',
  ];
  const searched = (count: number) => () => {
    for (const part of parts)
      for (const name of ["f.cpp", "f.py", "f.cl", "f.rs", "f.jl", "f.ts", "f.cs"])
        findEmbedded(`file:///${name}`, `__kernel void global ${part.repeat(count)}`);
  };
  expect(growth(250, searched)).toBeLessThan(tooMuch);
});

it("a file that is named after a literal of another file is checked as itself", () => {
  found("named.cpp", `const char *source = R"CL(\n${kernel}\n)CL";`);
  const named = "kernel void g(global float *to, local float *from) { to = from; }";
  expect(found("named.cpp#embedded-0.cl", named)).toEqual(["address-space-conversion from"]);
});
