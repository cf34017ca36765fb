/** The OpenCL standard is inferred from the project's own files: which statements count, for which files, and when it stays unknown. */
import { describe, expect, it } from "vitest";
import { embeddedMark } from "../../../server/src/names.ts";
import { openProject } from "../../../server/src/project/project.ts";
import { createStandardInference } from "../../../server/src/settings/inferred-standard.ts";
import { standardStatements } from "../../../server/src/settings/standard-statements.ts";
import { memoryFiles, testParser } from "../../service.ts";

function said(name: string, text: string): readonly string[] {
  return standardStatements(`file:///${name}`, text).map(({ standard }) => standard);
}

describe("statements", () => {
  it.each([
    ["CMakeLists.txt", "add_custom_command(COMMAND clang -cl-std=CL2.0 a.cl)\n# -cl-std=CL1.2\n", ["CL2.0"]],
    ["meson.build", "args = ['-cl-std=CL3.0']\n", ["CL3.0"]],
    ["Makefile", "FLAGS = -cl-std=clc++2021 -O2\n", ["clc++2021"]],
    ["rules.cmake", "set(FLAGS -cl-std=CL$(VERSION))\n", ["other"]],
    ["a.cpp", 'clBuildProgram(p, 1, &d, "-cl-std=CL1.2 -DN=4", nullptr, nullptr);', ["CL1.2"]],
    [
      "a.cpp",
      'std::string options = "-DN=4 -cl-std=CL2.0"; // -cl-std=CL1.1\nclBuildProgram(p, 1, &d, options.c_str(), 0, 0);',
      ["CL2.0", "open"],
    ],
    ["a.cpp", 'options = "-cl-std=CL2.0" + std::string(" -w");', ["CL2.0"]],
    ["a.cpp", 'options = "-cl-std=CL2.0" + suffix;', ["other"]],
    ["a.cpp", 'options = std::string("-cl-std=") + "CL1.2" + more;', ["other"]],
    ["a.cpp", 'options = std::string("-cl-std=") + "CL1.2 " + more;', ["CL1.2"]],
    ["a.cpp", 'options = "-cl-std=" + std::string("CL1.2");', ["CL1.2"]],
    ["a.cpp", 'const std::string version = "CL3.0";\noptions = "-cl-std=" + version;', ["CL3.0"]],
    ["a.cpp", 'std::string version = "CL3.0";\nif (old) version = "CL1.2";\noptions = "-cl-std=" + version;', ["other"]],
    ["a.c", '#define STANDARD "CL1.2"\nconst char *options = "-cl-std=" STANDARD " -w";', ["CL1.2"]],
    ["a.c", '#ifdef A\n#define STANDARD "CL1.2"\n#else\n#define STANDARD "CL2.0"\n#endif\nchar *o = "-cl-std=" STANDARD;', ["other"]],
    ["a.c", 'sprintf(options, "-DN=%d -cl-std=CL%d.%d", n, 1, 2);', ["CL1.2"]],
    ["a.c", 'sprintf(options, "-cl-std=CL%d.%d", major, minor);', ["other"]],
    ["a.c", '#define MAJOR 2\nsnprintf(options, 99, "-cl-std=CL%d.0 -DN=%s", MAJOR, name(3));', ["CL2.0"]],
    ["a.c", 'sprintf(options, "-cl-std=%s -I%s", "CL1.2", path);', ["CL1.2"]],
    ["a.cpp", 'stream << "-cl-std=" << "CL1.2" << " -w";', ["CL1.2"]],
    ["a.cpp", 'stream << "-cl-std=CL" << version;', ["other"]],
    ["a.py", 'import pyopencl as cl\noptions = "-cl-std=CL%d.%d" % (1, 2)\n', ["CL1.2"]],
    ["a.py", 'import pyopencl as cl\noptions = "-cl-std=CL%s" % version\n', ["other"]],
    ["a.cpp", 'options = "-cl-std=CL" + version;', ["other"]],
    [
      "a.cpp",
      'std::string options = "-cl-std=CL";\noptions += std::to_string(version);\nclBuildProgram(p, 1, &d, options.c_str(), 0, 0);',
      ["other", "open"],
    ],
    ["a.c", "clBuildProgram(p, 1, &d, NULL, NULL, NULL);", ["default"]],
    ["a.c", 'clBuildProgram(p, 1, &d, "-cl-fast-relaxed-math", NULL, NULL);', ["default"]],
    ["a.c", "clBuildProgram(p, 1, &d, options, NULL, NULL);", ["open"]],
    ["a.c", 'const char *options = "-I.";\nclBuildProgram(p, 1, &d, options, NULL, NULL);', ["default"]],
    ["a.c", "p = clCreateProgramWithBinary(c, 1, &d, &n, &b, 0, 0);\nclBuildProgram(p, 1, &d, NULL, NULL, NULL);", []],
    ["a.cpp", 'cl::Program program(context, source); program.build({device}, "-I.");', ["default"]],
    ["a.cpp", 'cl::Program program(context, source); program.build({device}, "-I." + more);', ["open"]],
    ["a.cpp", "auto program = new cl::Program(context, source); program->build({device}, more);", ["open"]],
    ["a.py", 'import pyopencl as cl\nprogram = cl.Program(c, s).build(options=["-DN=4", "-cl-mad-enable"])\n', ["default"]],
    ["a.py", "import pyopencl as cl\nprogram = cl.Program(c, s).build(options=more)\n", ["open"]],
    ["a.cpp", "cl::Program program(context, source); program.build({device});", ["default"]],
    ["a.py", 'import pyopencl as cl\nprogram = cl.Program(c, s).build(options=["-cl-std=CL2.0"])\n', ["CL2.0"]],
    ["a.py", "import pyopencl as cl\nprogram = cl.Program(c, s).build()\n", ["default"]],
    ["A.java", 'clBuildProgram(program, 0, null, "-cl-std=CL2.0", null, null);', ["CL2.0"]],
    ["A.java", "clBuildProgram(program, 0, null, null, null, null);", ["default"]],
    ["A.java", 'CL10.clBuildProgram(program, device, "-DN=4", null, NULL);', ["default"]],
    ["A.java", "CL10.clBuildProgram(program, device, options, null, NULL);", ["open"]],
    ["A.java", 'import com.jogamp.opencl.*;\nprogram = context.createProgram(source).build("-cl-mad-enable");', ["default"]],
    ["A.java", "builder.build();", []],
    ["A.cs", 'using Cloo;\nprogram.Build(devices, "-cl-std=CL1.2 -w", null, IntPtr.Zero);', ["CL1.2"]],
    ["A.cs", "using Cloo;\nprogram.Build(devices, null, null, IntPtr.Zero);", ["default"]],
    ["A.cs", "using Cloo;\nprogram.Build(devices, options, null, IntPtr.Zero);", ["open"]],
    ["A.cs", "builder.Build(devices, null);", []],
    ["a.go", 'import "github.com/x/gocl/cl"\ncl.CLBuildProgram(program, 1, devices, []byte("-cl-std=CL1.2"), nil, nil)\n', ["CL1.2"]],
    ["a.go", "cl.CLBuildProgram(program, 1, devices, nil, nil, nil)\n", ["default"]],
    ["a.go", 'import "github.com/x/go-opencl/cl"\nerr = program.BuildProgram(nil, "")\n', ["default"]],
    ["a.go", 'import "github.com/x/go-opencl/cl"\nerr = program.BuildProgram(nil, options)\n', ["open"]],
    ["a.rs", 'use ocl::Program;\nlet p = Program::builder().src(S).cmplr_opt("-cl-std=CL2.0").build(&context)?;', ["CL2.0"]],
    ["a.rs", "use ocl::ProQue;\nlet q = ProQue::builder().src(S).dims(1).build()?;", ["default"]],
    ["a.rs", 'use ocl::Program;\nlet p = Program::builder().src(S).cmplr_opt("-w").build(&context)?;', ["default"]],
    ["a.rs", "use ocl::Program;\nlet p = Program::builder().src(S).cmplr_opt(more).build(&context)?;", ["open"]],
    ["a.rs", "use ocl::Program;\nlet p = Other::builder().build();", []],
    ["a.rs", 'ocl::core::build_program(&p, Some(&[d]), &CString::new("").unwrap(), None, None)?;', ["default"]],
    ["a.rs", 'use opencl3::program::Program;\nlet p = Program::create_and_build_from_source(&context, S, "")?;', ["default"]],
    ["a.rs", "use opencl3::program::Program;\nlet p = Program::create_and_build_from_source(&context, S, CL_STD_2_0)?;", ["open"]],
    ["a.py", 'print("// RUN: clang -cl-std=CL2.0 %s")\n', []],
    [
      "CL/cl2.hpp",
      '#ifndef CL_HPP_\n#define CL_HPP_\nclass Program { Program() { clBuildProgram(p, 0, nullptr, "-cl-std=CL2.0", 0, 0); } };\n#endif\n',
      [],
    ],
    [
      "a.hpp",
      '#define A_HPP_\n#define CL_HPP_TARGET_OPENCL_VERSION 200\nclBuildProgram(p, 0, nullptr, "-cl-std=CL2.0", 0, 0);\n',
      ["CL2.0"],
    ],
    ["a.h", "#define CL_TARGET_OPENCL_VERSION 200\n", []],
    ["a.cl", "// RUN: clang -cl-std=CL2.0 %s\n", []],
  ])("%s: %s", (name, text, expected) => expect(said(name, text)).toEqual(expected));
});

function inferred(files: Readonly<Record<string, string>>, name: string): string | undefined {
  const texts = new Map(Object.entries(files).map(([path, text]) => [`file:///w/${path}`, text]));
  return createStandardInference("file:///w", memoryFiles(texts)).of(`file:///w/${name}`)?.standard;
}

describe("a file's standard", () => {
  const twelve = 'clBuildProgram(p, 1, &d, "-cl-std=CL1.2", 0, 0);';
  const two = 'clBuildProgram(p, 1, &d, "-cl-std=CL2.0", 0, 0);';
  it("is the one that all files name", () => expect(inferred({ "src/a.cpp": twelve, "src/b.cpp": twelve }, "kernels/k.cl")).toBe("CL1.2"));
  it("is unknown if they differ", () => expect(inferred({ "src/a.cpp": twelve, "src/b.cpp": two }, "kernels/k.cl")).toBeUndefined());
  it("is unknown if one file builds without options", () =>
    expect(inferred({ "a.cpp": `${twelve} clBuildProgram(q, 1, &d, 0, 0, 0);` }, "k.cl")).toBeUndefined());
  const plain = 'load("k.cl"); clBuildProgram(q, 1, &d, 0, 0, 0);';
  it("is OpenCL C 1.2 if the host names the file and builds without a standard", () =>
    expect(inferred({ "a.cpp": plain }, "kernels/k.cl")).toBe("CL1.2"));
  it("is unknown if the host builds other files without a standard", () =>
    expect(inferred({ "a.cpp": plain }, "kernels/other.cl")).toBeUndefined());
  const unknownOptions = "clBuildProgram(q, 1, &d, more, 0, 0);";
  it("is unknown if some builds without a standard have unknown options, and a text names the option", () => {
    const reader = { "options.cpp": 'const char *help = "-cl-std: the version";' };
    expect(inferred({ "a.cpp": plain, "b.cpp": unknownOptions, ...reader }, "k.cl")).toBeUndefined();
    expect(inferred({ "b.cpp": unknownOptions, ...reader }, `b.cpp${embeddedMark}0.cl`)).toBeUndefined();
    for (const name of ["main.rs", "other.cl"])
      expect(inferred({ "a.cpp": plain, "b.cpp": unknownOptions, [name]: "// -cl-std=CL2.0\n" }, "k.cl")).toBeUndefined();
  });
  it("is OpenCL C 1.2 whatever the options are, if no text of the project names that option", () => {
    expect(inferred({ "a.cpp": plain, "b.cpp": unknownOptions }, "k.cl")).toBe("CL1.2");
    expect(inferred({ "b.cpp": `load("k.cl"); ${unknownOptions}` }, "k.cl")).toBe("CL1.2");
    expect(inferred({ "b.cpp": `load("k.cl"); ${unknownOptions}` }, "other.cl")).toBeUndefined();
    expect(inferred({ "b.cpp": `load(name + ".cl"); ${unknownOptions}` }, "other.cl")).toBe("CL1.2");
    expect(inferred({ "b.cpp": `load("k.cl"); ${unknownOptions}`, "cl2.hpp": bindings }, "k.cl")).toBe("CL1.2");
    expect(inferred({ "b.cpp": `load("k.cl"); /* more += "-cl-std=CL2.0"; */ ${unknownOptions}` }, "k.cl")).toBe("CL1.2");
    expect(inferred({ "b.c": `sprintf(name, "%s/m%05d-pure.cl", folder, mode); ${unknownOptions}` }, "m00010-pure.cl")).toBe("CL1.2");
  });
  it("is OpenCL C 1.2 for files that a host names only, if another host builds with unknown options", () => {
    const others = { "lib/build.c": `${unknownOptions} more = getenv("OPTIONS");`, "notes.py": 'print("use -cl-std=")\n' };
    const named = 'load("k.cl"); clBuildProgram(q, 1, &d, 0, 0, 0);';
    const completed = 'load(name + ".cl"); clBuildProgram(q, 1, &d, 0, 0, 0);';
    expect(inferred({ "tests/a.c": named, ...others }, "tests/k.cl")).toBe("CL1.2");
    expect(inferred({ "tests/a.c": completed, ...others }, "tests/k.cl")).toBeUndefined();
    expect(inferred({ "tests/a.c": completed }, "tests/k.cl")).toBe("CL1.2");
  });
  it("is that of a folder above in spite of unknown options", () =>
    expect(inferred({ "a.cpp": two, "b/b.cpp": "clBuildProgram(q, 1, &d, more, 0, 0);" }, "b/k.cl")).toBe("CL2.0"));
  it("is OpenCL C 1.2 for literals of a host that builds without a standard", () =>
    expect(inferred({ "b.cpp": "clBuildProgram(q, 1, &d, 0, 0, 0);" }, `b.cpp${embeddedMark}0.cl`)).toBe("CL1.2"));
  it("is unknown if the script that names it builds nothing", () =>
    expect(inferred({ "tests.py": 'flags = "-cl-std=CL2.0"\n' }, "k.cl")).toBeUndefined());
  it("is not known where options for something else differ", () =>
    expect(inferred({ "a.cpp": twelve, "options.h": '#define FLAGS "-cl-std=CL2.0"\n' }, "k.cl")).toBeUndefined());
  it("is that of the nearest folder", () => expect(inferred({ "a/main.cpp": twelve, "b/main.cpp": two }, "b/kernels/k.cl")).toBe("CL2.0"));
  it("is that of the host file", () => expect(inferred({ "a.cpp": twelve, "b.cpp": two }, `b.cpp${embeddedMark}0.cl`)).toBe("CL2.0"));
});

/** A copy of the bindings of the OpenCL API. */
const bindings = '#ifndef CL_HPP_\n#define CL_HPP_\n// program.build("-cl-std=CL2.0");\n#endif\n';

describe("standards of which a host chooses one for the device", () => {
  const choice = (one: string, other: string) =>
    `cl_int build() {\n  if (isOld) ${one}\n  else ${other}\n  return clBuildProgram(p, 1, &d, options, 0, 0);\n}\n`;
  const builds = (host: string) => {
    const files = memoryFiles(
      new Map([
        ["file:///w/a.cpp", host],
        ["file:///w/k.cl", ""],
      ]),
    );
    const found = createStandardInference("file:///w", files).of("file:///w/k.cl");
    return found === undefined ? undefined : [found.standard, ...(found.others ?? []).map(({ standard }) => standard)];
  };

  it("are builds, each", () => {
    expect(builds(choice('options += "-cl-std=CL1.2 ";', 'options += "-cl-std=CL2.0 ";'))).toEqual(["CL1.2", "CL2.0"]);
    const printed = (standard: string) => `n += snprintf(options + n, size - n, "-cl-std=${standard} ");`;
    expect(builds(choice(printed("CL2.0"), `if (isNew) ${printed("CL2.1")} else ${printed("CL1.2")}`))).toEqual(["CL2.0", "CL1.2"]);
  });

  it("are unknown if other options have them, or a build itself", () => {
    expect(builds(choice('first += "-cl-std=CL1.2 ";', 'second += "-cl-std=CL2.0 ";'))).toBeUndefined();
    const direct = (standard: string) => `clBuildProgram(q, 1, &d, "-cl-std=${standard}", 0, 0);`;
    expect(builds(choice(direct("CL1.2"), direct("CL2.0")))).toBeUndefined();
  });
});

describe("a project", () => {
  const kernel = "kernel void f(global int *p) { int *q = p; }";
  const texts = new Map([
    ["file:///w/k.cl", kernel],
    ["file:///w/main.c", 'void f(void) {\n  clBuildProgram(p, 1, &d, "-cl-std=CL1.2", 0, 0); }'],
  ]);
  it("is checked under the standard, names its origin, and follows edits", async () => {
    const project = openProject({ root: "file:///w", files: memoryFiles(texts), parser: await testParser() });
    const check = () => project.service().check("file:///w/k.cl");
    expect(check().dialects.map(({ label }) => label)).toEqual(["OpenCL C 1.2"]);
    expect(check().understanding.standardFrom).toMatchObject({ uri: "file:///w/main.c" });
    expect(check().diagnostics.map(({ severity }) => severity)).toEqual(["error"]);
    expect(project.settings.of("file:///w/k.cl").origin).toBe("-cl-std=CL1.2 in main.c:2");
    expect(project.service().hover("file:///w/k.cl", kernel.indexOf("global"))?.markdown).toContain("-cl-std=CL1.2 in main.c:2");

    texts.set("file:///w/main.c", 'void f(void) { clBuildProgram(p, 1, &d, "-cl-std=CL2.0", 0, 0); }');
    expect(project.changed(["file:///w/main.c"])).toBe("everything");
    expect(check().diagnostics).toEqual([]);
    texts.set("file:///w/main.c", "void f(void) {}");
    expect(project.changed(["file:///w/main.c"])).toBe("everything");
    expect(check().dialects).toHaveLength(4);
    expect(project.changed(["file:///w/main.c"])).not.toBe("everything");
    project.dispose();
  });
  it("prefers the standard of settings", async () => {
    const files = new Map([
      ...texts,
      ["file:///w/main.c", 'clBuildProgram(p, 1, &d, "-cl-std=CL1.2", 0, 0);'],
      ["file:///w/gpu-qualifiers.json", '{ "opencl": { "standard": "CL2.0" } }'],
    ]);
    const project = openProject({ root: "file:///w", files: memoryFiles(files), parser: await testParser() });
    expect(
      project
        .service()
        .check("file:///w/k.cl")
        .dialects.map(({ label }) => label),
    ).toEqual(["OpenCL C 2.0"]);
    expect(project.settings.of("file:///w/k.cl").origin).toBe("gpu-qualifiers.json");
    project.dispose();
  });
});
