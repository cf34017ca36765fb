/** Settings from the files of builds, as each build system writes them: databases, presets, response files. */
import { describe, expect, it } from "vitest";
import { createSettings } from "../../../server/src/settings/settings.ts";
import { settingsSchema } from "../../../server/src/settings/settings-schema.ts";

const schema = settingsSchema([{ id: "some-rule", title: "says something", severity: "error" }]);

function settingsWith(files: Readonly<Record<string, unknown>>) {
  const texts = new Map(
    Object.entries(files).map(([path, value]) => [`file:///w/${path}`, typeof value === "string" ? value : JSON.stringify(value)]),
  );
  const settings = createSettings({ root: "file:///w", schema, files: { read: (name) => texts.get(name) ?? "absent" } });
  return { settings, of: (path: string) => settings.of(`file:///w/${path}`) };
}

const of = (files: Readonly<Record<string, unknown>>, path: string) => settingsWith(files).of(path);

describe("a compilation database", () => {
  it("by CMake with nvcc: options of two words and of one, lists of code, quoted definitions", () => {
    const command =
      '/usr/local/cuda/bin/nvcc -forward-unknown-to-host-compiler -DS="\\"x y\\"" -DT=int --options-file CMakeFiles/a.dir/includes_CUDA.rsp ' +
      "--generate-code=arch=compute_80,code=[compute_80,sm_80] -gencode arch=compute_90a,code=sm_90a -std=c++17 -Xcompiler=-fPIC -x cu -rdc=true -c /w/src/a.cu -o a.o";
    const files = {
      "build/compile_commands.json": [{ directory: "/w/build", command, file: "/w/src/a.cu" }],
      "build/CMakeFiles/a.dir/includes_CUDA.rsp": '-I"/w/inc" -isystem=../third\n',
    };
    expect(of(files, "src/a.cu")).toMatchObject({
      language: "cuda",
      cplusplusStandard: 17,
      architectures: [80, 90],
      specificArchitectures: [90],
      relocatableDeviceCode: true,
      macros: [
        { name: "S", value: '"x y"' },
        { name: "T", value: "int" },
      ],
      includePaths: ["file:///w/inc", "file:///w/third"],
      origin: "compile_commands.json",
    });
  });

  it("by hipcc: C++ is HIP unless a flag says otherwise", () => {
    const entry = (name: string, flags: string) => ({
      directory: "/w/build",
      command: `/opt/rocm/bin/hipcc --offload-arch=gfx90a:xnack- ${flags} -c ../${name}`,
      file: `../${name}`,
    });
    const files = {
      "build/compile_commands.json": [entry("a.cpp", "-O3"), entry("b.cpp", "-x c++"), entry("c.c", ""), entry("d.hip", "-fgpu-rdc")],
    };
    expect(of(files, "a.cpp")).toMatchObject({ language: "cuda", hip: true });
    expect(of(files, "b.cpp").hip).not.toBe(false);
    expect(of(files, "c.c").language).toBeUndefined();
    expect(of(files, "d.hip")).toMatchObject({ hip: true, relocatableDeviceCode: true });
    expect(of(files, "a.cpp").architectures).toBeUndefined();
  });

  it("by clang: a launcher before it, arguments as a list, OpenCL beside CUDA", () => {
    const files = {
      "compile_commands.json": [
        {
          directory: "/w",
          arguments: [
            "ccache",
            "clang++",
            "--cuda-gpu-arch=sm_70",
            "--offload-arch=sm_80,sm_86",
            "-std=gnu++20",
            "-fgpu-rdc",
            "-c",
            "a.cu",
          ],
          file: "a.cu",
        },
        { directory: "/w", arguments: ["clang", "-cl-std=CL3.0", "-Xclang", "-cl-ext=-cl_khr_fp64", "-DN=4", "-c", "b.cl"], file: "b.cl" },
      ],
    };
    expect(of(files, "a.cu")).toMatchObject({ architectures: [70, 80, 86], cplusplusStandard: 20, relocatableDeviceCode: true });
    expect(of(files, "b.cl")).toMatchObject({ openclStandard: "CL3.0", macros: [{ name: "N", value: "4" }] });
    expect(of(files, "b.cl").openclExtensions?.get("cl_khr_fp64")).toBe(false);
  });

  it("by Bazel: a wrapper for a compiler, paths from the workspace and to generated files", () => {
    const words =
      "external/local_cuda/crosstool_wrapper -iquote . -iquote bazel-out/k8-fastbuild/bin -isystem external/lib/include -x cuda --cuda-gpu-arch=sm_80 -MD -MF bazel-out/a.d -DA -c kernels/a.cu.cc -o a.o";
    const files = { "compile_commands.json": [{ file: "kernels/a.cu.cc", arguments: words.split(" "), directory: "/w" }] };
    expect(of(files, "kernels/a.cu.cc")).toMatchObject({
      language: "cuda",
      architectures: [80],
      includePaths: ["file:///w", "file:///w/bazel-out/k8-fastbuild/bin", "file:///w/external/lib/include"],
      macros: [{ name: "A", value: "1" }],
    });
  });

  it("by meson: in its own folder, with sources above it", () => {
    const command =
      "nvcc -Iliba.a.p -I. -I.. -I../inc -std=c++14 -dc --compiler-options=-Wall -MQ liba.a.p/src_a.cu.o -MF liba.a.p/src_a.cu.o.d -o liba.a.p/src_a.cu.o -c ../src/a.cu";
    const files = {
      "builddir/compile_commands.json": [{ directory: "/w/builddir", command, file: "../src/a.cu", output: "liba.a.p/src_a.cu.o" }],
    };
    expect(of(files, "src/b.cu").isCompiled).toBeUndefined();
    expect(of(files, "src/a.cu")).toMatchObject({
      isCompiled: true,
      cplusplusStandard: 14,
      relocatableDeviceCode: true,
      includePaths: ["file:///w/builddir/liba.a.p", "file:///w/builddir", "file:///w", "file:///w/inc"],
    });
  });

  it.each(["", "build/", "builddir/", "out/", "_build/", "cmake-build-debug/", "cmake-build-release/"])("is found in '%s'", (folder) => {
    expect(
      of({ [`${folder}compile_commands.json`]: [{ directory: "/w", command: "nvcc -arch=sm_90 a.cu", file: "a.cu" }] }, "a.cu")
        .architectures,
    ).toEqual([90]);
  });

  it("that contains the file is preferred to one that contains a neighbor", () => {
    const files = {
      "compile_commands.json": [{ directory: "/w", command: "nvcc -arch=sm_70 b.cu", file: "b.cu" }],
      "build/compile_commands.json": [{ directory: "/w", command: "nvcc -arch=sm_90 a.cu", file: "a.cu" }],
    };
    expect(of(files, "a.cu").architectures).toEqual([90]);
    expect(of(files, "c.cu").architectures).toEqual([70]);
  });
});

describe("response files", () => {
  it("for nvcc may be several, nested, and named by every spelling of the option", () => {
    const files = {
      "compile_commands.json": [
        { directory: "/w", command: "nvcc @one.rsp --options-file two.rsp,three.rsp -optf=four.rsp -c a.cu", file: "a.cu" },
      ],
      "one.rsp": "-DONE @nested.rsp",
      "nested.rsp": "'-DNESTED=a b'\n-arch=sm_80",
      "two.rsp": "-DTWO",
      "three.rsp": "-DTHREE",
      "four.rsp": "-dc",
    };
    expect(of(files, "a.cu")).toMatchObject({
      macros: ["ONE", "NESTED", "TWO", "THREE"].map((name) => ({ name, value: name === "NESTED" ? "a b" : "1" })),
      architectures: [80],
      relocatableDeviceCode: true,
    });
  });

  it("are watched like the settings that they belong to", () => {
    const { settings, of: ask } = settingsWith({
      "compile_commands.json": [{ directory: "/w", command: "nvcc @a.rsp a.cu", file: "a.cu" }],
      "a.rsp": "-dc",
    });
    expect(settings.hasRead("file:///w/a.rsp")).toBe(false);
    ask("a.cu");
    expect(settings.hasRead("file:///w/a.rsp")).toBe(true);
    expect(settings.hasRead("file:///w/b.rsp")).toBe(false);
  });
});

describe("CMake's presets", () => {
  const macro = (name: string) => `$${"{"}${name}}`;
  const preset = (name: string, more: object) => ({ name, generator: "Ninja", ...more });

  it("name the build folders: by preset, inherited, or their own", () => {
    const presets = {
      version: 6,
      configurePresets: [
        preset("base", { hidden: true, binaryDir: `${macro("sourceDir")}/out/${macro("presetName")}-${macro("generator")}` }),
        preset("debug", { inherits: "base" }),
        preset("release", { inherits: ["base"], binaryDir: `made/${macro("sourceDirName")}` }),
        preset("other", { binaryDir: "$env{BUILD}/x" }),
      ],
    };
    const database = (arch: number, file: string) => [{ directory: "/w", command: `nvcc -arch=sm_${arch} ${file}`, file }];
    const files = {
      "CMakePresets.json": presets,
      "out/debug-Ninja/compile_commands.json": database(80, "a.cu"),
      "made/w/compile_commands.json": database(90, "b.cu"),
    };
    expect(of(files, "a.cu").architectures).toEqual([80]);
    expect(of(files, "b.cu").architectures).toEqual([90]);
  });

  it("apply without a database if all of them agree", () => {
    const variables = (architectures: string) => ({
      CMAKE_CUDA_STANDARD: { type: "STRING", value: "20" },
      CMAKE_CUDA_ARCHITECTURES: architectures,
      CMAKE_CUDA_SEPARABLE_COMPILATION: true,
      CMAKE_CUDA_FLAGS: "-DFAST --expt-relaxed-constexpr",
    });
    const presets = (second: string) => ({
      "CMakePresets.json": {
        version: 3,
        configurePresets: [
          preset("one", { cacheVariables: variables("80-real;90a") }),
          preset("two", { cacheVariables: variables(second) }),
        ],
      },
    });
    expect(of(presets("80-real;90a"), "src/a.cu")).toMatchObject({
      cplusplusStandard: 20,
      architectures: [80, 90],
      specificArchitectures: [90],
      relocatableDeviceCode: true,
      macros: [{ name: "FAST", value: "1" }],
      origin: "CMakePresets.json",
    });
    expect(of(presets("70"), "src/a.cu").architectures).toBeUndefined();
    expect(of(presets("native"), "src/a.cu").cplusplusStandard).toBe(20);
    // The variables are about CUDA.
    expect(of(presets("80-real;90a"), "a.cl").origin).toBe("defaults");
  });

  it("may be the user's own, and include each other in a circle", () => {
    const files = {
      "CMakeUserPresets.json": {
        version: 4,
        include: ["cmake/more.json", "CMakePresets.json"],
        configurePresets: [preset("mine", { inherits: "more" })],
      },
      "cmake/more.json": {
        version: 4,
        include: ["../CMakeUserPresets.json"],
        configurePresets: [preset("more", { hidden: true, inherits: "more", binaryDir: `${macro("fileDir")}/b` })],
      },
      "cmake/b/compile_commands.json": [{ directory: "/w", command: "nvcc -arch=sm_75 a.cu", file: "a.cu" }],
    };
    expect(of(files, "a.cu").architectures).toEqual([75]);
  });

  it.each([
    "",
    "[]",
    "{",
    '{"configurePresets": 3}',
    '{"configurePresets": [null, {"name": 1}, {"name": "a", "inherits": {}, "binaryDir": 4, "cacheVariables": [1]}]}',
  ])("that are invalid have no effect: %s", (text) => {
    expect(of({ "CMakePresets.json": text }, "a.cu").origin).toBe("defaults");
  });
});
