/** Flags as people and build systems write them for clang and nvcc. */
import { describe, expect, it } from "vitest";
import { resolveName } from "../../../server/src/names.ts";
import { splitCommand } from "../../../server/src/settings/command-line.ts";
import { mergeFlags, readFlags } from "../../../server/src/settings/compiler-flags.ts";

const context = { resolve: (path: string) => resolveName("file:///p", path) };
const read = (command: string) => readFlags(splitCommand(command), context);
const settings = (command: string) => read(command).settings;

describe("OpenCL flags", () => {
  it.each([
    ["-cl-std=CL", "CL1.0"],
    ["-cl-std=cl1.2", "CL1.2"],
    ["-cl-std=CL3.0", "CL3.0"],
    ["-cl-std=clc++", "clc++1.0"],
    ["-cl-std=CLC++2021", "clc++2021"],
    ["-std=cl2.0", "CL2.0"],
    ["-Xclang -cl-std=CL2.0", "CL2.0"],
    ["-x clcpp", "clc++1.0"],
  ])("%s", (command, standard) => {
    expect(settings(command).openclStandard).toBe(standard);
  });

  it("-cl-ext enables and disables extensions, and the last one counts", () => {
    expect([...(settings("-cl-ext=-all,+cl_khr_fp64 -cl-ext=cl_khr_fp16,-cl_khr_fp64").openclExtensions ?? [])]).toEqual([
      ["all", false],
      ["cl_khr_fp64", false],
      ["cl_khr_fp16", true],
    ]);
  });
});

describe("CUDA flags", () => {
  it.each([
    ["-arch=sm_90", [90]],
    ["-arch sm_86", [86]],
    ["--gpu-architecture=compute_75 --gpu-code=sm_86", [75]],
    ["-gencode arch=compute_80,code=sm_86 -gencode=arch=compute_70,code=[sm_70,sm_75]", [70, 80]],
    ["--generate-code=arch=compute_90a,code=[compute_90a,sm_90a]", [90]],
    ["--cuda-gpu-arch=sm_70 --offload-arch=sm_80,sm_70", [70, 80]],
    ["--offload-arch gfx942", undefined],
    ["-arch=native", undefined],
  ])("%s", (command, architectures) => {
    const reading = read(command);
    expect(reading.settings.architectures).toEqual(architectures);
    expect(reading.problems).toEqual([]);
  });

  it.each([
    ["-arch=sm_90a", [90]],
    ["--offload-arch=sm_80,sm_120a,sm_90a", [90, 120]],
    ["-gencode arch=compute_90,code=sm_90 -gencode arch=compute_90a,code=sm_90a", undefined],
    ["-arch=sm_100f", undefined],
  ])("architectures that are compiled for alone: %s", (command, architectures) => {
    expect(settings(command).specificArchitectures).toEqual(architectures);
  });

  it.each([
    ["-rdc=true", true],
    ["-rdc true", true],
    ["--relocatable-device-code=false", false],
    ["-dc", true],
    ["-fgpu-rdc -fno-gpu-rdc", false],
    ["-O3", undefined],
  ])("%s", (command, isRelocatable) => {
    expect(settings(command).relocatableDeviceCode).toBe(isRelocatable);
  });

  it.each([
    ["-std=c++17", 17],
    ["--std=c++20", 20],
    ["-std gnu++2b", 23],
    ["-std=c99", undefined],
    ["-std=gnu++98", 3],
    ["-std=c++26", 26],
    ["-std=c++29", undefined],
  ])("%s", (command, standard) => {
    expect(settings(command).cplusplusStandard).toBe(standard);
  });

  it.each([
    ["-x cu", "cuda"],
    ["-xcuda", "cuda"],
    ["--x=cu", "cuda"],
    ["-x hip", "cuda"],
    ["-x cl", "opencl"],
    ["-x c++", undefined],
  ])("%s", (command, language) => {
    expect(settings(command).language).toBe(language);
  });

  it.each([
    ["-x cu", false],
    ["-xhip", true],
    ["-x cl", undefined],
  ])("%s", (command, hip) => {
    expect(settings(command).hip).toBe(hip);
  });
});

describe("macros and paths", () => {
  it("keep their order, with and without a blank after the option", () => {
    expect(settings(`-DA -D B=2 -D'F(a,b)=a + b' -UA -DEMPTY= --define-macro=C=3 '-DS="x y"'`).macros).toEqual([
      { name: "A", value: "1" },
      { name: "B", value: "2" },
      { name: "F(a,b)", value: "a + b" },
      { name: "A", value: undefined },
      { name: "EMPTY", value: "" },
      { name: "C", value: "3" },
      { name: "S", value: '"x y"' },
    ]);
  });

  it("resolve in the folder of the command", () => {
    expect(settings("-Iinc -I ../up -isystem /usr/x --include-path=a,b -isystem=c").includePaths).toEqual([
      "file:///p/inc",
      "file:///up",
      "file:///usr/x",
      "file:///p/a",
      "file:///p/b",
      "file:///p/c",
    ]);
    expect(settings("-include pre.h --pre-include=b.h").forcedIncludes).toEqual([
      { name: "pre.h", uri: "file:///p/pre.h" },
      { name: "b.h", uri: "file:///p/b.h" },
    ]);
  });

  it("are appended when settings are merged, and single values replaced", () => {
    const merged = mergeFlags(
      settings("-DA -cl-std=CL1.2 -cl-ext=+x,+y -arch=sm_70"),
      settings("-DB -cl-std=CL2.0 -cl-ext=-x -arch=sm_90"),
    );
    expect(merged.macros.map(({ name }) => name)).toEqual(["A", "B"]);
    expect(merged).toMatchObject({ openclStandard: "CL2.0", architectures: [90] });
    expect(Object.fromEntries(merged.openclExtensions ?? [])).toEqual({ x: false, y: true });
    expect(mergeFlags(settings("-arch=sm_70"), settings("")).architectures).toEqual([70]);
  });
});

describe("other flags", () => {
  it("are returned with their values, which are not read as flags", () => {
    expect(read("-c -O3 -o -Dx.o -Xcompiler -DHOST -ccbin g++ --use_fast_math -lcuda -fPIC a.cu").ignored).toEqual([
      "-c",
      "-O3",
      "-o -Dx.o",
      "-Xcompiler -DHOST",
      "-ccbin g++",
      "--use_fast_math",
      "-lcuda",
      "-fPIC",
      "a.cu",
    ]);
  });

  it("have no effect if they name no architecture of NVIDIA's", () => {
    const { ignored, problems } = read("-arch=foo -arch arm64 -arch= -arch=native -arch=all-major --offload-arch=gfx90a:xnack+,gfx1100");
    expect({ ignored, problems }).toEqual({ ignored: ["-arch=foo", "-arch arm64", "-arch="], problems: [] });
  });

  it("have problems if we know them and their values are wrong", () => {
    expect(read("-std=c++99").problems.map(({ message }) => message)).toEqual(["unknown C++ standard 'c++99'"]);
    expect(read("-cl-std=CL9 -arch=sm_x -gencode code=sm_80 -D").problems.map(({ message }) => message)).toEqual([
      "unknown OpenCL standard 'CL9'",
      "unknown architecture 'sm_x'; expected one such as 'sm_90'",
      "'-gencode code=sm_80' names no architecture",
      "'-D' needs a value",
    ]);
  });
});

describe("response files", () => {
  const files = new Map([
    ["a.rsp", "-DA --options-file b.rsp"],
    ["b.rsp", '-DB="1 2"\n-optf=c.rsp'],
    ["c.rsp", "-DC"],
    ["loop.rsp", "-DL @loop.rsp"],
  ]);
  const readWith = (flags: readonly string[]) =>
    readFlags(flags, { ...context, readResponseFile: (name) => files.get(name.slice(context.resolve("").length + 1)) });

  it("are replaced by the flags in them", () => {
    expect(readWith(["@a.rsp"]).settings.macros).toEqual([
      { name: "A", value: "1" },
      { name: "B", value: "1 2" },
      { name: "C", value: "1" },
    ]);
  });

  it("that include themselves are read a limited number of times", () => {
    const location = { uri: context.resolve("loop.rsp"), span: { start: 4, end: 13 } };
    expect(readWith(["@loop.rsp"]).problems).toEqual([{ message: "the response file 'loop.rsp' includes itself", location }]);
  });

  it("that name each other many times, or are many, are limited with a problem", () => {
    const bomb = readFlags(["@r"], { ...context, readResponseFile: (name) => `${`@${name.slice("file:///p/".length)}x `.repeat(40)}-DA` });
    expect(bomb.problems.map(({ message }) => message)).toContain("more than 200 response files: those from here on have no effect");
    expect(bomb.settings.macros.length).toBeLessThan(500);
    const long = readFlags(["@r"], { ...context, readResponseFile: () => "-DA ".repeat(200_000) });
    expect(long.problems).toMatchObject([{ message: "more than 100000 flags: those from here on have no effect" }]);
    const text = readFlags(["@r", "@r"], { ...context, readResponseFile: () => " ".repeat(3_000_000) });
    expect(text.problems).toMatchObject([{ message: "too much text with the response file 'r'" }]);
  });

  it("have problems at the places of their mistakes", () => {
    const { problems } = readFlags(["@r"], { ...context, readResponseFile: () => "-DA\n'-cl-std=CL9'" });
    expect(problems).toEqual([
      { message: "unknown OpenCL standard 'CL9'", location: { uri: context.resolve("r"), span: { start: 4, end: 17 } } },
    ]);
  });
});

describe("include paths", () => {
  it("are at most a thousand", () => {
    const { settings, problems } = readFlags(
      Array.from({ length: 3_000 }, (_, i) => `-Id${i}`),
      context,
    );
    expect([settings.includePaths.length, problems.map(({ message }) => message)]).toEqual([
      1_000,
      ["more than 1000 include paths: those from here on are not searched"],
    ]);
  });
});

describe("commands", () => {
  it.each([
    [`a  b\tc\nd`, ["a", "b", "c", "d"]],
    [`'a b' "c \\"d\\"" e\\ f ""`, ["a b", 'c "d"', "e f", ""]],
    [`-D"X"='y z'w`, ["-DX=y zw"]],
    [`"C:\\cuda\\nvcc.exe" -Ic:\\inc "a b.cu"`, ["C:/cuda/nvcc.exe", "-Ic:/inc", "a b.cu"]],
    [`'open`, ["open"]],
  ])("%j are split as a shell does", (command, words) => {
    expect(splitCommand(command)).toEqual(words);
  });
});
