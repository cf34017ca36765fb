/** The compiler of the host code: named by a flag, a build script or a Visual Studio project. */
import { describe, expect, it } from "vitest";
import { openProject } from "../../../server/src/project/project.ts";
import { memoryFiles, testParser } from "../../service.ts";

const parser = await testParser();
const kernel = "const float scale = 5.0f;\n__global__ void f(float *p) { *p = scale; }\n";

function open(files: Readonly<Record<string, string>>) {
  const texts = new Map(Object.entries({ "src/a.cu": kernel, ...files }).map(([path, text]) => [`file:///w/${path}`, text]));
  return { texts, project: openProject({ root: "file:///w", files: memoryFiles(texts), parser }) };
}

function found(files: Readonly<Record<string, string>>): readonly string[] {
  const { project } = open(files);
  const { diagnostics } = project.service().check("file:///w/src/a.cu");
  project.dispose();
  return diagnostics.map(({ severity, message }) => `${severity}: ${message}`);
}

/** Of a script, which may describe one of several builds; a command that names the compiler makes it an error. */
const wrong = ["warning: host variable 'scale' of type 'const float' has no value in device code with cl.exe"];

describe("Microsoft's compiler is named by", () => {
  it.each([
    ["a Visual Studio project", { "x.vcxproj": '<ItemGroup><CudaCompile Include="src\\a.cu" /></ItemGroup>' }],
    ["a Visual Studio project in a folder", { "win/x.vcxproj": '<CudaCompile Include="b.cu;..\\src\\a.cu">\n</CudaCompile>' }],
    ["a Makefile", { "src/Makefile": "NVCCFLAGS = -O2 -ccbin cl.exe\n" }],
    ["a path in a Makefile", { Makefile: 'nvcc -ccbin="C:/VC/bin/cl.exe" -o a a.cu\n' }],
    ["CMake's variable", { "CMakeLists.txt": "set(CMAKE_CUDA_HOST_COMPILER cl)\n" }],
    ["setup.py", { "setup.py": "extra_compile_args={'nvcc': ['-ccbin', 'cl.exe']}\n" }],
    [
      "flags of CMake for it",
      { "CMakeLists.txt": 'if(MSVC)\n  add_definitions(-DX)\n  list(APPEND CUDA_NVCC_FLAGS "-Xcompiler /EHsc")\nendif()\n' },
    ],
    ["flags for others alone", { "cmake/gpu.cmake": 'if (NOT MSVC)\n  set(CMAKE_CUDA_FLAGS "-Xcompiler -fPIC")\nendif()\n' }],
    ["a condition about both", { "CMakeLists.txt": "if (USE_CUDA AND MSVC)\n  message(STATUS x)\nendif()\n" }],
    ["flags of setup.py on Windows", { "setup.py": "if sys.platform == 'win32':\n    args['nvcc'] += ['-Xcompiler', '/MD']\n" }],
    ["flags of setup.py elsewhere", { "setup.py": "if 'nvcc' in args and platform.system() != 'Windows':\n    args['x'] = 1\n" }],
  ])("%s", (_, files) => expect(found(files as Readonly<Record<string, string>>)).toEqual(wrong));
});

it("a command that names Microsoft's compiler is the build", () => {
  const flags = "-ccbin\nC:\\VC\\bin\\Hostx64\\x64\\cl.exe\n";
  expect(found({ "compile_flags.txt": flags })).toEqual(wrong.map((each) => each.replace("warning", "error")));
});

describe("another compiler is used with", () => {
  it.each([
    ["a project of other sources", { "x.vcxproj": '<CudaCompile Include="src\\b.cu" />' }],
    ["another compiler", { Makefile: "nvcc -ccbin clang++ a.cu\nnvcc -ccbin /usr/bin/cl-13 b.cu\n" }],
    ["a comment", { Makefile: "# nvcc -ccbin cl.exe a.cu\n" }],
    ["a script of another folder", { "win/Makefile": "nvcc -ccbin cl.exe a.cu\n" }],
    ["flags for C++ by CMake", { "CMakeLists.txt": "if(MSVC)\n  add_definitions(-DX)\nendif()\nset(CUDA_NVCC_FLAGS -O2)\n" }],
    [
      "flags in another branch",
      { "CMakeLists.txt": "if(MSVC)\n  add_definitions(-DX)\nelseif(UNIX)\n  set(CUDA_NVCC_FLAGS -O2)\nendif()\n" },
    ],
    ["a copy of CMake's module", { "cmake/FindCUDA.cmake": "if(MSVC)\n  set(CUDA_NVCC_FLAGS -O2)\nendif()\n" }],
    ["flags of setup.py for C++", { "setup.py": "if os.name == 'nt':\n    args['cxx'] = ['/MD']\n\nargs['nvcc'] = []\n" }],
    ["no script", {}],
  ])("%s", (_, files) => expect(found(files as Readonly<Record<string, string>>)).toEqual([]));
});

it("changes with the project", () => {
  const { texts, project } = open({ "x.vcxproj": "" });
  const messages = () =>
    project
      .service()
      .check("file:///w/src/a.cu")
      .diagnostics.map(({ severity, message }) => `${severity}: ${message}`);
  expect(messages()).toEqual([]);
  texts.set("file:///w/x.vcxproj", '<CudaCompile Include="src\\a.cu" />');
  expect(project.changed(["file:///w/x.vcxproj"])).toBe("everything");
  expect(messages()).toEqual(wrong);
  project.dispose();
});
