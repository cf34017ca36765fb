/** Macros that the build defines and without which kernels are inactive: from scripts, and from options in host programs. */
import { describe, expect, it } from "vitest";
import { openProject } from "../../../server/src/project/project.ts";
import { alternativesIn } from "../../../server/src/settings/builds/alternatives.ts";
import { neededMacros } from "../../../server/src/settings/builds/needed-macros.ts";
import { growth, tooMuch } from "../../growth.ts";
import { memoryFiles, testParser } from "../../service.ts";

const parser = await testParser();
/** A reference to a variable of CMake. */
const variable = (name: string) => `$\{${name}}`;
const guarded = "#ifdef USE_GPU\n__global__ void f(int *p) { }\n#endif\n";
const chain = "#if REAL == 32\ntypedef float Real;\n#elif REAL == 64\ntypedef double Real;\n#endif\n__global__ void f(Real *p) { }\n";
const kernel = "#if defined(WITH_SCALE)\nkernel void f(global int *p) { }\n#endif\n";

function macros(files: Readonly<Record<string, string>>, name: string): readonly string[] {
  const texts = new Map(Object.entries(files).map(([path, text]) => [`file:///w/${path}`, text]));
  const project = openProject({ root: "file:///w", files: memoryFiles(texts), parser });
  const { macros: all } = project.settings.of(`file:///w/${name}`);
  project.dispose();
  return all.map(({ name: macro, value }) => `${macro}=${value}`);
}

describe("a macro that kernels need is defined", () => {
  it.each([
    ["CMakeLists.txt", "if(USE_GPU)\n  add_definitions(-DUSE_GPU)\nendif()\n", "USE_GPU=1"],
    ["CMakeLists.txt", "add_compile_definitions(OTHER USE_GPU=2)\n", "USE_GPU=2"],
    ["CMakeLists.txt", "target_compile_definitions(core PRIVATE\n  OTHER\n  USE_GPU)\n", "USE_GPU=1"],
    ["cmake/gpu.cmake", `set(CUDA_NVCC_FLAGS "${variable("CUDA_NVCC_FLAGS")} -O3 -DUSE_GPU")\n`, "USE_GPU=1"],
    ["Makefile", "NVCCFLAGS += -O3 -DUSE_GPU\n", "USE_GPU=1"],
    ["meson.build", "args = ['-DUSE_GPU=1']\n", "USE_GPU=1"],
    ["setup.py", 'CUDAExtension("x", ["a.cu"], define_macros=[("OTHER", None), ("USE_GPU", None)])\n', "USE_GPU=1"],
    ["setup.py", "macros = dict()\nExtension('x', define_macros = [('USE_GPU', '2')])\n", "USE_GPU=2"],
    ["setup.py", "extra_compile_args={'cxx': ['-O2'], 'nvcc': ['-O3', '-DUSE_GPU=3']}\n", "USE_GPU=3"],
    ["SConstruct", "env.Append(CPPDEFINES=['OTHER', 'USE_GPU=4'])\n", "USE_GPU=4"],
    ["BUILD.bazel", 'cuda_library(name = "x", defines = [\n    "OTHER=1",\n    "USE_GPU",\n])\n', "USE_GPU=1"],
    ["x.vcxproj", "<CudaCompile><Defines>WIN32;USE_GPU=5;%(Defines)</Defines></CudaCompile>\n", "USE_GPU=5"],
    ["x.vcxproj", '<ClCompile><PreprocessorDefinitions Condition="x">USE_GPU</PreprocessorDefinitions></ClCompile>\n', "USE_GPU=1"],
    ["x.vcxproj", "<AdditionalOptions>-Xcompiler /O2 -DUSE_GPU %(AdditionalOptions)</AdditionalOptions>\n", "USE_GPU=1"],
    ["binding.gyp", "{ 'targets': [{ 'defines': ['USE_GPU=6'] }] }\n", "USE_GPU=6"],
    ["xmake.lua", 'add_defines("OTHER", "USE_GPU")\n', "USE_GPU=1"],
  ])("by %s: %s", (script, text, expected) => {
    expect(macros({ [script]: text, "a.cu": guarded }, "a.cu")).toEqual([expected]);
  });

  it.each([
    ["CMakeLists.txt", "# add_definitions(-DUSE_GPU)\n"],
    ["x.vcxproj", "<!-- <Defines>USE_GPU</Defines> -->\n"],
    ["setup.py", "define_macros=[('OTHER', 'USE_GPU')]\n"],
    ["xmake.lua", '-- add_defines("USE_GPU")\n'],
  ])("but not by %s: %s", (script, text) => expect(macros({ [script]: text, "a.cu": guarded }, "a.cu")).toEqual([]));

  it("by the host program that builds an OpenCL file, with a value that the file uses", () => {
    const host = 'auto s = read("kernels/a.cl"); clBuildProgram(program, 0, 0, "-DN=4 -DM=5", 0, 0);';
    const use = "kernel void f(global int *p) { local int t[N]; }\n";
    expect(macros({ "a.cpp": host, "kernels/a.cl": use }, "kernels/a.cl")).toEqual(["N=4"]);
    expect(macros({ "a.cpp": host, "b.cl": use }, "b.cl")).toEqual([]);
    expect(macros({ "a.cpp": host, "a.cl": `#define N 3\n${use}` }, "a.cl")).toEqual([]);
    expect(macros({ "a.cpp": host, "b.cpp": host.replace("N=4", "N=8"), "a.cl": use }, "a.cl")).toEqual([]);
    expect(macros({ "a.cpp": host.replace('"-DN=4 -DM=5"', 'x ? "-DN=4" : ""'), "a.cl": use }, "a.cl")).toEqual([]);
  });

  it.each([
    ["a.java", 'clBuildProgram(program, 0, null, "-DWITH_SCALE", null, null);'],
    ["a.java", 'import com.jogamp.opencl.*;\nprogram.build(define("WITH_SCALE", 1));'],
    ["a.cs", 'using Cloo;\nprogram.Build(devices, "-D WITH_SCALE=1", null, IntPtr.Zero);'],
    ["a.go", 'import "github.com/x/go-opencl/cl"\nprogram.BuildProgram(nil, "-DWITH_SCALE=1")\n'],
    ["a.rs", 'use ocl::Program;\nlet p = Program::builder().src(S).cmplr_def("WITH_SCALE", 1).build(&c)?;'],
    ["a.rs", 'use ocl::Program;\nlet p = Program::builder().src(S).cmplr_opt("-DWITH_SCALE").build(&c)?;'],
  ])("by a host program in another language, %s: %s", (host, text) => {
    expect(macros({ [host]: text, "a.cl": kernel }, "a.cl")).toEqual(["WITH_SCALE=1"]);
  });

  it("by a host program, for OpenCL", () => {
    const host = 'clBuildProgram(program, 0, 0, "-DWITH_SCALE -D N=4", 0, 0);';
    expect(macros({ "a.cpp": host, "a.cl": kernel, "a.cu": guarded.replace("USE_GPU", "WITH_SCALE") }, "a.cl")).toEqual(["WITH_SCALE=1"]);
    expect(macros({ "a.cpp": host, "a.cu": guarded.replace("USE_GPU", "WITH_SCALE") }, "a.cu")).toEqual([]);
  });

  it.each([
    ["a call", 'Program first(this, "a.cl", "");\nProgram second(this, "kernel_b.cl", "-DSPLIT");\n', ["", "SPLIT=1"]],
    ["a name in parts", 'string o = "-DSPLIT ";\no += more();\nload("kernel_" + name + ".cl", o);\n', ["", "SPLIT=1"]],
    ["a macro", 'string o = "-DSPLIT=2 ";\n#define LOAD(name) load("kernel_" #name ".cl", o)\n', ["", "SPLIT=2"]],
    ["a name of which nothing is known", 'string o = "-DSPLIT ";\nload(name + ".cl", o);\n', ["", ""]],
    ["options that are appended for some", 'if (x) o += "-DSPLIT ";\nload("kernel_b.cl", o);\n', ["", ""]],
  ])("by a host program for the files that it names next, with %s", (_, host, expected) => {
    const files = {
      "a.cpp": `#include <OpenCL/cl.h>\n${host.replace("Program second", "\nProgram second")}`,
      "types.h": "#ifdef SPLIT\n#define SPACE global\n#else\n#define SPACE\n#endif\n",
      "a.cl": '#include "types.h"\n',
      "kernel_b.cl": '#include "types.h"\n',
    };
    expect(["a.cl", "kernel_b.cl"].map((name) => macros(files, name).join())).toEqual(expected);
  });

  const typed = "kernel void f(global T *p) { p[0] = convert(p[1]); }\n";
  it.each([
    ["a literal", 'o.insert("-DT=float");', "T=float"],
    ["one of two literals", 'o = half ? "-DT=half -DN=2" : "-DT=float -DN=4";', "T=float"],
    ["a choice", 'o = std::string("-DT=") + (isHalf ? "half" : "float");', "T=float"],
    ["a stream", 'o << "-DT=" << (wide ? "double" : "float") << " -DN=1";', "T=double"],
    ["a function of another file", 'o.emplace("-DT=" + nameOf(output->type()));', "T=float"],
    ["a function that it does not know", 'o.emplace("-DT=" + unknown(output));', ""],
    ["a space", 'o.insert("-DT=__global");', ""],
    ["a number", 'o.insert("-DT=4");', ""],
  ])("by a host program, for a word that nothing else defines, with %s", (_, options, expected) => {
    const files = {
      "host/a.cpp": `#include <OpenCL/cl.h>\nvoid build() { ${options} }\n`,
      "host/names.cpp":
        'std::string nameOf(Type type) {\n  switch (type) {\n    case H: return "half";\n    default: return "float";\n  }\n}\n',
      "kernels/a.cl": typed,
    };
    expect(macros(files, "kernels/a.cl").join()).toBe(expected);
    const defined = { ...files, "kernels/a.cl": `#include "types.h"\n${typed}`, "kernels/types.h": "#define T int\n" };
    expect(macros(defined, "kernels/a.cl")).toEqual([]);
    expect(macros({ ...files, "kernels/a.cl": typed.replaceAll("T", "U") }, "kernels/a.cl")).toEqual([]);
    // Where code has another way out, the host may define the word for other files.
    expect(macros({ ...files, "kernels/a.cl": "#ifdef T\n#define U 1\n#endif\nkernel void f() {}\n" }, "kernels/a.cl")).toEqual([]);
  });

  it("by a host program whose format completes the name", () => {
    const host = [
      "#include <OpenCL/cl.h>",
      "void define(Type type, const char *name) {",
      '  if (type == none) add(format("-D%s_DATA_T=undefined -D%s_NONE", name, name));',
      '  if (type == f16) add(format("-D%s_DATA_T=half -D%s_F16", name, name));',
      '  if (type == f32) add(format("-D%s_DATA_T=float -D%s_F32", name, name));',
      "}",
    ].join("\n");
    const kernel = "kernel void f(global SRC_DATA_T *p, global DST_DATA_T *q, global OWN_DATA_T *r, global DATA_T *s) { *p = *q; }\n";
    const files = { "a.cpp": host, "a.cl": `#define OWN_DATA_T int\n${kernel}` };
    expect(macros(files, "a.cl")).toEqual(["SRC_DATA_T=float", "DST_DATA_T=float"]);
  });

  it("by a host program that calls a function with its name", () => {
    const host = 'void build(ocl::context &c) { c.define_int("WITH_SCALE", conf.scale); c.define_int("OTHER", 2); }\n';
    expect(macros({ "a.cpp": host, "a.cl": kernel }, "a.cl")).toEqual(["WITH_SCALE=1"]);
    expect(macros({ "a.cpp": host.replaceAll("define_int", "defined_int"), "a.cl": kernel }, "a.cl")).toEqual([]);
  });

  it("by the nearest host program, for a word that nothing else defines", () => {
    const host = (type: string) => `clBuildProgram(program, 0, 0, "-DT=${type}", 0, 0);`;
    const files = { "a/host.cpp": host("int"), "b/host.cpp": host("uint"), "b/k.cl": typed, "k.cl": typed };
    expect(["b/k.cl", "k.cl"].map((name) => macros(files, name).join())).toEqual(["T=uint", "T=int"]);
  });

  it.each([
    ["the build's value", "target_compile_definitions(core PUBLIC REAL=64)\n", "REAL=64"],
    [
      "the default of the build's variable",
      `set(BITS 64 CACHE STRING x)\ntarget_compile_definitions(core PUBLIC REAL=${variable("BITS")})\n`,
      "REAL=64",
    ],
    [
      "the value that another script sets",
      `include(cmake/options.cmake)\ntarget_compile_definitions(core PUBLIC REAL=${variable("BITS")})\n`,
      "REAL=64",
      "set(BITS 64)\n",
    ],
    ["the first value if the build's is not known", `add_definitions(-DREAL=${variable("BITS")})\n`, "REAL=32"],
  ])("with %s", (_, script, expected, options = "") => {
    expect(macros({ "CMakeLists.txt": script, "cmake/options.cmake": options, "a.cu": chain }, "a.cu")).toEqual([expected]);
  });
});

describe("a macro that headers test for values is defined", () => {
  const build = "target_compile_definitions(core PUBLIC REAL=64)\n";
  const types = chain.replace(/__global__.*\n/, "");
  const use = '#include "math.h"\n__global__ void f(Real *p) { }\n';

  it("for the sources that include them, directly or through others, as the build does, or else as the first test wants it", () => {
    const files = { "CMakeLists.txt": build, "lib/real.h": types, "math.h": '#include "lib/real.h"\n', "a.cu": use, "b.cu": "int a;\n" };
    expect([macros(files, "a.cu"), macros(files, "b.cu")]).toEqual([["REAL=64"], []]);
    expect(macros({ ...files, "CMakeLists.txt": "" }, "a.cu")).toEqual(["REAL=32"]);
  });

  it("also if any other value is an error, but not if it is a branch of its own", () => {
    const other = (text: string) => types.replace("#endif", `#else\n${text}\n#endif`);
    const found = (text: string) => macros({ "CMakeLists.txt": build, "math.h": other(text), "a.cu": use }, "a.cu");
    const errors = ["#error REAL must be 32 or 64", "// Why not?\n # error no", "/* None\n * fits. */\n//// ////\n#error no"];
    expect(errors.map(found)).toEqual(errors.map(() => ["REAL=64"]));
    expect([found("typedef half Real;"), found("// #error no\ntypedef half Real;")]).toEqual([[], []]);
  });

  it("in time that does not depend on the comments after an #else", () => {
    const outline = (slashes: number) => () =>
      neededMacros(`#if A == 1\n#elif A == 2\n#else\n${"/".repeat(slashes)}\n__global__ void f();\n#endif\n`);
    expect(growth(5, outline)).toBeLessThan(tooMuch);
  });

  it("again when a header changes", () => {
    const texts = new Map(
      Object.entries({ "CMakeLists.txt": build, "math.h": "", "a.cu": use }).map(([path, text]) => [`file:///w/${path}`, text]),
    );
    const project = openProject({ root: "file:///w", files: memoryFiles(texts), parser });
    expect(project.settings.of("file:///w/a.cu").macros).toEqual([]);
    texts.set("file:///w/math.h", types);
    project.changed(["file:///w/math.h"]);
    expect(project.settings.of("file:///w/a.cu").macros).toEqual([{ name: "REAL", value: "64" }]);
    project.dispose();
  });
});

describe("a macro is left alone", () => {
  it.each([
    ["that no build defines", { "CMakeLists.txt": "add_definitions(-DOTHER)\n", "a.cu": guarded }],
    ["that only a comment defines", { "CMakeLists.txt": "# add_definitions(-DUSE_GPU)\n", "a.cu": guarded }],
  ])("%s", (_, files) => {
    expect(macros(files as unknown as Record<string, string>, "a.cu")).toEqual([]);
  });
});

describe("kernels need", () => {
  it.each<[string, string, readonly string[]]>([
    ["a macro around them", guarded, ["USE_GPU"]],
    ["a chain of values", chain, ["REAL"]],
    ["nothing if there is another branch", guarded.replace("#endif", "#else\n__global__ void g() { }\n#endif"), []],
    ["nothing that the file defines", `#define USE_GPU\n${guarded}`, []],
    ["nothing that stands around other code", `#ifdef DEBUG\nint x;\n#endif\n${guarded}`, ["USE_GPU"]],
    ["no include guard", `#ifndef A_CUH\n#define A_CUH\n${guarded}#endif\n`, ["USE_GPU"]],
    ["no macro of a compiler", guarded.replace("USE_GPU", "__HIPCC__"), []],
    ["nothing in comments", "#ifdef A\n// __global__ void f();\n#endif\n__global__ void g() { }\n", []],
  ])("%s", (_, text, expected) => {
    expect([...neededMacros(text).keys()]).toEqual(expected);
  });
});

it("definitions follow edits of the build", () => {
  const texts = new Map([
    ["file:///w/CMakeLists.txt", "add_definitions(-DUSE_GPU)\n"],
    ["file:///w/a.cu", guarded],
  ]);
  const project = openProject({ root: "file:///w", files: memoryFiles(texts), parser });
  const kernels = () => project.service().check("file:///w/a.cu").coverage.kernels;
  expect(kernels()).toBe(1);
  expect(project.settings.of("file:///w/a.cu").origin).toBe("-DUSE_GPU=1 (in the build) in CMakeLists.txt:1");
  texts.set("file:///w/CMakeLists.txt", "project(x)\n");
  expect(project.changed(["file:///w/CMakeLists.txt"])).toBe("everything");
  // Nothing defines it now, so its kernel is judged as if it were defined.
  expect(project.settings.of("file:///w/a.cu").origin).toBe("defaults");
  project.dispose();
});

describe("a header that is empty without a macro of the build", () => {
  const use = '#include "a.cuh"\n__global__ void f(Real *p) { }\n';
  const build = "target_compile_definitions(core PUBLIC ENABLE_GPU)\n";
  const header =
    "// about\n#ifndef A_H\n#define A_H\n#ifdef ENABLE_GPU\n#ifdef X\nint x;\n#else\nint y;\n#endif\ntypedef float Real;\n#endif // GPU\n#endif\n";
  it.each([
    ["has it", header, build, ["ENABLE_GPU=1"]],
    [
      "has it without a guard",
      header.replace(/#ifndef A_H\n#define A_H\n/, "#pragma once\n").replace(/#endif\n$/, ""),
      build,
      ["ENABLE_GPU=1"],
    ],
    ["lacks it if the build does not define it", header, "", []],
    ["lacks it if another branch exists", header.replace("#endif // GPU", "#else\ntypedef double Real;\n#endif"), build, []],
    ["lacks it if the header has more", header.replace("#endif // GPU", "#endif\nint more;\n"), build, []],
  ])("%s", (_, text, script, expected) => {
    expect(macros({ "CMakeLists.txt": script, "a.cuh": text, "a.cu": use }, "a.cu")).toEqual(expected);
  });
});

describe("one of several cases that declare a type is chosen", () => {
  const types = "#if DT_F16 == 1\n#define DATA half\n#elif DT_F32 == 1\n#define DATA float\n#elif DT_S8\n#define DATA char\n#endif\n";
  const apart = types.replaceAll("#elif", "#endif\n// The next one:\n\n#if");
  const one = "#if REAL == 1\ntypedef double DATA;\n#elif REAL == 2\nusing DATA = float;\n#endif\n";
  const use = '#include "types.h"\nkernel void f(global DATA *p) { }\n';
  it.each([
    ["the one for float", types, use, ["DT_F32=1"]],
    ["the one for float of neighbours", apart, use, ["DT_F32=1"]],
    ["the one for float of one macro", one, use, ["REAL=2"]],
    ["the one for float of one macro's neighbours", one.replace("#elif", "#endif\n#if"), use, ["REAL=2"]],
    ["the first one if none is for float", types.replace("float", "double"), use, ["DT_F16=1"]],
    ["the first one of neighbours if none is for float", apart.replace("float", "double"), use, ["DT_F16=1"]],
    ["also if other cases are errors", types.replace("#endif", "#else\n#error no type\n#endif"), use, ["DT_F32=1"]],
    ["also if a test rejects other cases", types.replace("#endif", "#elif !defined(UNDEF)\n#error no type\n#endif"), use, ["DT_F32=1"]],
    ["none if there is another case", types.replace("#endif", "#else\n#define DATA int\n#endif"), use, []],
    ["none if there is a case for the rest", `${types}#ifndef DATA\n#define DATA int\n#endif\n`, use, []],
    ["none of neighbours if there is a case for the rest", `${apart}#ifndef DATA\n#define DATA int\n#endif\n`, use, []],
    ["none if an undefined macro satisfies one", one.replace("== 1", "== 0"), use, []],
    ["none if the file does not use it", types, use.replace("DATA", "int"), []],
    ["none if the file defines one", types, `#define DT_S8 1\n${use}`, []],
    ["none if a branch does not define it", types.replace("DATA half", "OTHER half"), use, []],
    ["none if a test is of another kind", types.replace("DT_S8", "DT_S8 > 1"), use, []],
    ["none if code divides them", apart.replace("// The next one:", "int divides;"), use, []],
    ["none if a compiler or a platform decides", apart.replaceAll("DT_F32 == 1", "defined(cl_khr_fp64)"), use, []],
  ])("%s", (_, text, kernels, expected) => expect(macros({ "types.h": text, "a.cl": kernels }, "a.cl")).toEqual(expected));

  it("the one that the build defines", () => {
    const script = "add_definitions(-DDT_S8)\n";
    expect(macros({ "CMakeLists.txt": script, "types.h": types, "a.cl": use }, "a.cl")).toEqual(["DT_S8=1"]);
    expect(macros({ "CMakeLists.txt": "add_definitions(-DREAL=1)\n", "types.h": one, "a.cl": use }, "a.cl")).toEqual(["REAL=1"]);
  });

  it("none beside one that the settings define", () => {
    const flags = { "gpu-qualifiers.json": '{ "flags": ["-DDT_F16"] }' };
    expect(macros({ ...flags, "types.h": types, "a.cl": use }, "a.cl")).toEqual(["DT_F16=1"]);
  });

  it.each([
    ["for types", types.replace("half", "long"), ["DT_F32=1"]],
    ["not for words that only some compilers know", types.replaceAll("DATA", "DATA __device__"), []],
    ["not for other languages", types.replace("DT_F16", "USE_HIP"), []],
  ])("in CUDA %s", (_, text, expected) =>
    expect(macros({ "types.h": text, "a.cu": '#include "types.h"\n__global__ void f(DATA *p) { }\n' }, "a.cu")).toEqual(expected),
  );
});

it.each([
  ["neighbours", (index: number) => `#ifdef A${index}\n#define X int\n#endif\n`],
  ["chains", (index: number) => `#ifdef A${index}\n#define X${index} int\n#elif defined B\n#define X${index} float\n#endif\n`],
])("reads many %s in linear time", (_, conditional) => {
  const reading = (count: number) => {
    const text = Array.from({ length: count }, (_, index) => conditional(index)).join("");
    return () => expect(alternativesIn(text).length).toBeGreaterThan(0);
  };
  expect(growth(2000, reading)).toBeLessThan(tooMuch);
});
