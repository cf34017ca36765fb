/** Builds of one file beside the first: those that define a macro without which kernels are inactive. */
import { describe, expect, it } from "vitest";
import { openProject } from "../../../server/src/project/project.ts";
import { memoryFiles, testParser } from "../../service.ts";

const parser = await testParser();

function reportOf(files: Readonly<Record<string, string>>, name: string) {
  const texts = new Map(Object.entries(files).map(([path, text]) => [`file:///w/${path}`, text]));
  const project = openProject({ root: "file:///w", files: memoryFiles(texts), parser });
  const report = project.service().check(`file:///w/${name}`);
  project.dispose();
  return report;
}
function messages(files: Readonly<Record<string, string>>, name: string): readonly string[] {
  return reportOf(files, name).diagnostics.map(({ message }) => message);
}
const written = "'*p' is const and cannot be written";
const kernel = (name: string) => `__global__ void ${name}(const int *p) { *p = 1; }\n`;

describe("a branch that no build takes", () => {
  it("is judged as if its macro were defined, and findings name it", () => {
    expect(messages({ "a.cu": `#ifdef USE_GPU\n${kernel("f")}#endif\n` }, "a.cu")).toEqual([`${written} (with -DUSE_GPU)`]);
  });

  it("is judged if host code in another one cannot be read", () => {
    const host = "void start() {\n#ifdef USE_GPU\n  library::run<,>(1);\n#endif\n}\n";
    const text = `#ifdef USE_GPU\n${kernel("f")}#endif\n${host}`;
    expect(messages({ "a.cu": text }, "a.cu")).toEqual([`${written} (with -DUSE_GPU)`]);
    const nearer = `#ifdef USE_GPU\n${kernel("f")}library::run<,>(1);\n#endif\n`;
    expect(messages({ "a.cu": nearer }, "a.cu")).toEqual([]);
    expect(messages({ "a.cu": text.replace("(1);", "(1); {") }, "a.cu")).toEqual([]);
  });

  it("is judged inside of another one", () => {
    const text = `#ifdef USE_GPU\n${kernel("f")}#ifdef WIDE\n${kernel("g")}#endif\n#endif\n`;
    expect(messages({ "a.cu": text }, "a.cu")).toEqual([`${written} (with -DUSE_GPU)`, `${written} (with -DWIDE)`]);
  });

  it("is judged for each value that a chain tests", () => {
    const text = `#if REAL == 32\n${kernel("f")}#elif REAL == 64\n${kernel("f")}#endif\n`;
    const { diagnostics, coverage, inactiveBranches } = reportOf({ "a.cu": text }, "a.cu");
    expect(diagnostics.map(({ message }) => message)).toEqual([`${written} (with -DREAL=32)`, `${written} (with -DREAL=64)`]);
    expect(coverage).toMatchObject({ kernels: 2, inactive: [] });
    expect(inactiveBranches).toEqual([]);
  });

  it("may have another standard than the flags say", () => {
    const text = "#ifdef CL20\nglobal int count;\nkernel void f(const global int *p) { *p = 1; }\n#endif\nkernel void g(void) {}\n";
    const files = (standard: string) => ({ "a.cl": text, "gpu-qualifiers.json": `{ "flags": ["-cl-std=${standard}"] }` });
    const errors = (standard: string) =>
      reportOf(files(standard), "a.cl")
        .diagnostics.filter(({ severity }) => severity === "error")
        .map(({ message }) => message);
    expect(errors("CL1.2")).toEqual([`${written} (with -DCL20)`]);
    expect(errors("clc++")).toEqual([`${written} (with -DCL20)`]);
  });

  it("is not judged if the flags switch its extension off", () => {
    const text = "#ifdef cl_khr_fp64\nkernel void f(global double *p, const global int *q) { *p = 1; *q = 1; }\n#endif\n";
    const found = (settings: string) => messages({ "a.cl": text, "gpu-qualifiers.json": settings }, "a.cl");
    expect(found('{ "flags": ["-cl-std=CL1.2"] }')).toEqual(["'*q' is const and cannot be written"]);
    expect(found('{ "flags": ["-cl-std=CL1.2", "-cl-ext=-cl_khr_fp64"] }')).toEqual([]);
    expect(found('{ "flags": ["-cl-std=CL1.2", "-cl-ext=-all"] }')).toEqual([]);
  });

  it("is HIP if its macro is named after it", () => {
    const text = (condition: string) =>
      `#if ${condition}\n__global__ void f(int *p) { __atomic_store_n(p, 1, __ATOMIC_RELEASE); }\n#else\n__global__ void g(int *p) { cudaTrap(p); }\n#endif\n`;
    for (const name of ["USE_ROCM", "WITH_HIP", "__HIP_PLATFORM_AMD__", "APP_HIP_GPU"])
      expect(messages({ "a.cu": text(`defined(${name})`) }, "a.cu")).toEqual([]);
    for (const name of ["USE_GPU", "SHIP", "USE_HIP_NVCC"]) expect(messages({ "a.cu": text(`defined(${name})`) }, "a.cu")).toHaveLength(1);
    const flags = (flag: string) => ({ "a.cu": text("USE_HIP"), "gpu-qualifiers.json": `{ "flags": ["${flag}"] }` });
    expect(messages(flags("-DUSE_HIP"), "a.cu")).toEqual([]);
  });

  it.each([
    [
      "in another language",
      "#ifdef USE_OPENCL\nkernel void f(global const int *p) { *p = 1; }\n#endif\n__global__ void g(int *p) { *p = 1; }\n",
    ],
    ["that is no code", `#ifdef NOTES\nThe kernel f: {\n${kernel("f")}#endif\n`],
    ["that the platform selects", `#ifdef _WIN32\n${kernel("f")}#endif\n`],
    ["that is disabled", `#if 0\n${kernel("f")}#endif\n`],
  ])("has no findings %s", (_, text) => expect(messages({ "a.cu": text }, "a.cu")).toEqual([]));

  it("has no findings while its end is not typed yet", () => {
    expect(messages({ "a.cu": `#ifdef USE_GPU\n${kernel("f")}` }, "a.cu")).toEqual([]);
  });

  it("adds nothing to the other code", () => {
    const text = `#ifdef BROKEN\n#define CONST const\n__global__ void g(int *p) { }\n#else\n#define CONST\n#endif\n__global__ void f(CONST int *p) { *p = 1; }\n`;
    expect(messages({ "a.cu": text }, "a.cu")).toEqual([]);
  });

  it("is left alone if the settings define macros, or undefine this one", () => {
    const text = `#ifdef USE_GPU\n${kernel("f")}#endif\n`;
    for (const flag of ["-DOTHER", "-UUSE_GPU"])
      expect(messages({ "a.cu": text, "gpu-qualifiers.json": JSON.stringify({ flags: [flag] }) }, "a.cu")).toEqual([]);
  });
});

it("a header is judged with the options of each program that includes it", () => {
  const files = {
    "host.cpp": '#include <OpenCL/cl.h>\nload("a.cl", "");\nstring o = "-DSPLIT ";\nload("kernel_" + name + ".cl", o);\n',
    "types.h": "#ifdef SPLIT\n#define SPACE global\n#else\n#define SPACE private\n#endif\n",
    "help.h": "int first(SPACE int *p) { return *p; }\nint help(private int *p) { return first(p); }\n",
    "a.cl": '#include "types.h"\n#include "help.h"\nkernel void a(global int *p) { int i = *p; *p = help(&i); }\n',
    "kernel_b.cl": '#include "types.h"\n#include "help.h"\nkernel void b(global int *p) { *p = first(p); }\n',
  };
  expect(messages(files, "a.cl")).toEqual([]);
  expect(messages(files, "help.h")).toEqual(["passing '__private int *' to '__global int *' changes the address space"]);
});

describe("a host program", () => {
  const pointer = "float first(float *p) { return *p; }\nkernel void f(global float *a) { *a = first(a); }\n";
  const narrowed = /without -cl-std/;
  it.each([
    ["in a helper", 'bool ok = build(p, "-cl-std=CL2.0 -DN=4") || build(p, "-DN=4");\nclBuildProgram(p, 1, &d, o, 0, 0);'],
    ["by the interface", 'if (clBuildProgram(p, 1, &d, "-cl-std=CL2.0", 0, 0)) clBuildProgram(p, 1, &d, "", 0, 0);'],
    ["with more options", 'if (!run(p, string("-cl-std=CL2.0 ") + more)) run(p, more);\nclBuildProgram(p, 1, &d, o, 0, 0);'],
  ])("that falls back to no standard builds by both: %s", (_, host) => {
    const found = messages({ "a.cl": pointer, "a.cpp": host }, "a.cl");
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(narrowed);
  });

  it.each([
    ["another program", 'clBuildProgram(p, 1, &d, "-cl-std=CL2.0", 0, 0); clBuildProgram(q, 1, &d, "-cl-std=CL2.0 -w", 0, 0);'],
    ["options that may name one", 'build(p, "-cl-std=CL2.0 -DN=4"); build(p, other);\nclBuildProgram(p, 1, &d, "-cl-std=CL2.0", 0, 0);'],
  ])("builds by the standard alone with %s", (_, host) => expect(messages({ "a.cl": pointer, "a.cpp": host }, "a.cl")).toEqual([]));

  const split =
    "#ifdef SPLIT\n#define STATE global\n#else\n#define STATE\n#endif\nvoid g(STATE int *p) { }\nkernel void f(global int *a) { int x = 1; g(&x); }\n";
  const call = "clBuildProgram(p, 1, &d, o.c_str(), 0, 0);";
  it.each([
    ["appends", `string o = "-cl-std=CL1.2";\nif (s) o += " -DSPLIT";\n${call}`],
    ["appends by a call", `string o = "-cl-std=CL1.2";\nif (s) o.append(" -DSPLIT");\n${call}`],
    ["appends in C", `char o[99] = "-cl-std=CL1.2";\nif (s) strcat(o, " -DSPLIT");\n${call}`],
    ["adds to a set", `set<string> o;\no.emplace("-cl-std=CL1.2");\nif (s) {\n  log(s);\n  o.emplace("-DSPLIT");\n}\n${call}`],
    ["adds in one statement", `set<string> o;\no.insert("-cl-std=CL1.2");\nif (s) o.insert("-DSPLIT");\n${call}`],
    ["adds in the other branch", `set<string> o;\no.insert("-cl-std=CL1.2");\nif (s) { } else { o.insert(string("-DSPLIT")); }\n${call}`],
    ["writes behind the others", `char o[99] = "-cl-std=CL1.2";\nif (s)\n  sprintf(o + strlen(o), " -DSPLIT");\n${call}`],
    ["writes into the rest", `char o[99] = "-cl-std=CL1.2";\nif (s) {\n  n += snprintf(o + n, sizeof(o) - n, " -DSPLIT");\n}\n${call}`],
    ["streams", `stringstream o;\no << "-cl-std=CL1.2";\nif (s) o << " -DSPLIT";\n${call}`],
    ["sets", `const char *o = "-cl-std=CL1.2";\nif (s) o = "-cl-std=CL1.2 -DSPLIT";\n${call}`],
    ["chooses", `string o = string("-cl-std=CL1.2 ") + (s ? "-DSPLIT" : "");\n${call}`],
  ])("that %s an option has two builds", (_, host) => {
    const found = messages({ "a.cl": split, "a.cpp": host }, "a.cl");
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/\(with -DSPLIT\)$/);
    expect(messages({ "a.cl": '#include "s.h"\nint x;\n', "s.h": split, "a.cpp": host }, "s.h")).toEqual(found);
  });

  it("has one build with what is always added to a set", () => {
    const host = `void build(bool s) {\n  set<string> o;\n  if (s) log(s);\n  o.insert("-cl-std=CL1.2");\n  o.insert("-DSPLIT");\n  ${call}\n}\n`;
    expect(messages({ "a.cl": split, "a.cpp": host }, "a.cl").filter((message) => message.endsWith("(with -DSPLIT)"))).toEqual([]);
  });

  it("has one build of a program that another one's format does not name", () => {
    const host = `char o[99];\nif (s) {\n  snprintf(o, sizeof(o), "-DN=%d -DSPLIT", n);\n  load("other.cl", o);\n}\n${call}`;
    expect(messages({ "a.cl": split, "a.cpp": host }, "a.cl").filter((message) => message.endsWith("(with -DSPLIT)"))).toEqual([]);
  });

  it("that appends many options is judged with the one of a mistake", () => {
    const names = ["A", "B", "C", "D", "SPLIT", "E"];
    const host = `string o = "-cl-std=CL1.2";\n${names.map((name) => `if (s[${name}]) o += " -D${name}";\n`).join("")}${call}`;
    const branches = names.map((name) => `#ifdef ${name}\nvoid in_${name}(global int *p) { }\n#endif\n`).join("");
    const text = `${branches}#ifdef SPLIT\nvoid g(local int *p) { in_SPLIT(p); }\n#endif\n`;
    const found = messages({ "a.cl": text, "a.cpp": host }, "a.cl");
    expect(found).toEqual(["passing '__local int *' to '__global int *' changes the address space (with -DSPLIT)"]);
    // What only several of the options cause together is no build of the program.
    const together = text.replace("in_SPLIT(p)", "in_A(p)");
    expect(messages({ "a.cl": together, "a.cpp": host }, "a.cl")).toEqual([]);
  });

  it("that includes kernels as raw literals has two builds of them", () => {
    const host = `string k =\n#include "types.opencl"\n;\nstring l =\n#include "a.opencl"\n;\nstring m =\n#include "absent.opencl"\n;\nload(k + l + m);\nstring o = "-cl-std=CL1.2";\nif (s) o += " -DSPLIT";\n${call}`;
    const files = {
      "types.opencl": 'R"(\ntypedef float real;\n)"\n',
      "a.opencl": `R"(\n${split.replaceAll("int", "real")})"\n`,
      "a.cpp": host,
    };
    expect(messages(files, "a.opencl")).toEqual([
      "passing '__private float *' to '__global float *' changes the address space (with -DSPLIT)",
    ]);
  });

  it.each([
    ["a header's code", "a.h", ""],
    ["a source's code", "a.cl", ""],
    ["code that needs the option too", "a.h", "#ifdef __HALF__\n"],
    ["code that needs the option too", "a.cl", "#ifdef __HALF__\n"],
  ])("that enables an extension by an option does so in that build alone: %s", (_, name, guard) => {
    const code = `${guard}#ifdef cl_khr_fp16\nvoid read(global half *p, global float *q) { *q = *p; }\n#endif\n${guard && "#endif\n"}`;
    const use = "kernel void f(global float *q) { *q = 1; }\n";
    const files = {
      "a.cl": `#include "compat.h"\n${name === "a.h" ? '#include "a.h"\n' : code}${use}`,
      "b.cl": `#include "compat.h"\n${use}`,
      "a.h": name === "a.h" ? code : "",
      "compat.h": "#ifdef __HALF__\n#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#endif\n",
      "a.cpp": `string o = "-cl-std=CL1.2";\nif (s) o += " -D__HALF__";\n${call}`,
    };
    expect(messages(files, name)).toEqual(guard === "" ? ["loading a 'half' needs 'cl_khr_fp16'; 'vload_half' does not"] : []);
    // Without the option in the host, nobody knows whether the macro is ever missing.
    expect(messages({ ...files, "a.cpp": "" }, name)).toEqual([]);
  });

  it("has one build if no kernel tests the option", () => {
    const host = `string o = "-cl-std=CL1.2";\nif (s) o += " -DOTHER";\n${call}`;
    expect(messages({ "a.cl": split, "a.cpp": host }, "a.cl")).toEqual([]);
  });
});

describe("a word that is a space in one branch and nothing in the other", () => {
  const word = (space: string) => `#ifdef SPLIT\n#define AS ${space}\n#else\n#define AS\n#endif\n`;
  const globals =
    "typedef struct { int x; } T;\ntypedef struct { T t; } Data;\ntypedef AS struct Globals { constant Data *data; } Globals;\nvoid take(const T *t) { }\n";
  const conversion = "passing '__constant T *' to '__private const T *' changes the address space";

  it.each([
    ["the type of a parameter", "void f(Globals *g) { take(&g->data->t); }\n", [conversion]],
    ["a parameter", "void f(AS Data *p, constant Data *q) { take(&q->t); }\n", [conversion]],
    ["the target of a pointer, which is right in one of the cases", "void f(global int *p) { AS int *q = p; }\n", []],
  ])("hides no mistake of both cases behind %s", (_, use, expected) => {
    expect(messages({ "a.cl": `${word("global")}${globals}${use}` }, "a.cl")).toEqual(expected);
  });

  it("hides no mistake of both cases in CUDA", () => {
    const text = `${word("__device__")}AS void f(const int *p) { *p = 1; }\n`;
    expect(messages({ "a.cu": text }, "a.cu")).toEqual([written]);
    const called = "AS void f(int *p) { }\n__global__ void g(int *p) { f(p); }\n";
    expect(messages({ "a.cu": `${word("__device__")}${called}` }, "a.cu")).toEqual([]);
  });

  it("is decided by settings that define or undefine the macro", () => {
    const files = {
      "a.cl": `${word("global")}${globals}void f(global int *p) { AS int *q = p; }\nvoid g(local int *p) { AS int *q = p; }\n`,
    };
    const found = (flag: string) => messages({ ...files, "gpu-qualifiers.json": `{ "flags": ["-cl-std=CL1.2", "${flag}"] }` }, "a.cl");
    expect(found("-DSPLIT")).toEqual(["initializing '__global int *' with '__local int *' changes the address space"]);
    expect(found("-USPLIT")).toEqual([
      "initializing '__private int *' with '__global int *' changes the address space",
      "initializing '__private int *' with '__local int *' changes the address space",
    ]);
  });

  it("stays unknown if two macros decide", () => {
    const text = `${word("global").replace("#ifdef SPLIT", "#if defined(SPLIT) && WIDE")}${globals}void f(Globals *g) { take(&g->data->t); }\n`;
    expect(messages({ "a.cl": text }, "a.cl")).toEqual([]);
  });

  it("hides no mistake in a header of two programs", () => {
    const header = "void f(Globals *g) { take(&g->data->t); }\n";
    const files = {
      "b.cl": `${word("global")}${globals}#include "h.h"\n`,
      "c.cl": `${word("global")}${globals}#include "h.h"\n`,
      "h.h": header,
    };
    expect(messages(files, "h.h")).toEqual([conversion]);
  });
});

describe("each of several address spaces that the build chooses", () => {
  const spaces = (second: string) =>
    `#ifdef IN_LOCAL\n#define SPACE local\n#${second === "elif" ? "elif defined IN_CONSTANT" : "endif\n#ifdef IN_CONSTANT"}\n#define SPACE constant\n#endif\n`;
  const use = "void f(local int *p);\nkernel void k(SPACE int *p) { f(p); global int *q = p; }\n";
  it.each(["elif", "endif"])("is judged, in cases that #%s divides", (second) => {
    expect(messages({ "a.cl": spaces(second) + use }, "a.cl")).toEqual([
      "passing '__constant int *' to '__local int *' changes the address space (with -DIN_CONSTANT)",
      "initializing '__global int *' with '__local int *' changes the address space",
    ]);
  });

  it("is judged, in a header", () => {
    expect(messages({ "spaces.h": spaces("elif"), "a.cl": `#include "spaces.h"\n${use}` }, "a.cl")).toHaveLength(2);
  });

  it("is the one of the settings if they choose", () => {
    const flags = { "gpu-qualifiers.json": '{ "flags": ["-DIN_LOCAL"] }' };
    expect(messages({ ...flags, "a.cl": spaces("elif") + use }, "a.cl")).toHaveLength(1);
  });
});

describe("an allowance", () => {
  it("is used if one of the builds uses it", () => {
    const allowed = "__global__ void f(const int *p) {\n  *p = 1; // gpu-qualifiers: allow[const-write] in place\n}\n";
    expect(messages({ "a.cu": `#ifdef USE_GPU\n${allowed}#endif\n` }, "a.cu")).toEqual([]);
  });
});
