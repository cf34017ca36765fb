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

  it("is judged inside of another one", () => {
    const text = `#ifdef USE_GPU\n${kernel("f")}#ifdef WIDE\n${kernel("g")}#endif\n#endif\n`;
    expect(messages({ "a.cu": text }, "a.cu")).toEqual([`${written} (with -DUSE_GPU)`, `${written} (with -DWIDE)`]);
  });

  it("is judged for each value that a chain tests", () => {
    const text = `#if REAL == 32\n${kernel("f")}#elif REAL == 64\n${kernel("f")}#endif\n`;
    const { diagnostics, coverage, untaken } = reportOf({ "a.cu": text }, "a.cu");
    expect(diagnostics.map(({ message }) => message)).toEqual([`${written} (with -DREAL=32)`, `${written} (with -DREAL=64)`]);
    expect(coverage).toMatchObject({ kernels: 2, inactive: [] });
    expect(untaken).toEqual([]);
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

describe("an allowance", () => {
  it("is used if one of the builds uses it", () => {
    const allowed = "__global__ void f(const int *p) {\n  *p = 1; // gpu-qualifiers: allow[const-write] in place\n}\n";
    expect(messages({ "a.cu": `#ifdef USE_GPU\n${allowed}#endif\n` }, "a.cu")).toEqual([]);
  });
});
