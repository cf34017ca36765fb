/** A macro that a host program sets to a number known only at run time: when its value is inferred from the tests in kernels. */
import { describe, expect, it } from "vitest";
import { openProject } from "../../../server/src/project/project.ts";
import { chainsIn, createMacroInference } from "../../../server/src/settings/inferred-macros.ts";
import { memoryFiles, testParser } from "../../service.ts";

const chain = "#if N == 2\n#define T int2\n#elif (N == 4) // wide\n#define T int4\n#endif\n";

function inMemory(files: Readonly<Record<string, string>>) {
  return memoryFiles(new Map(Object.entries(files).map(([path, text]) => [`file:///w/${path}`, text])));
}

function inferred(files: Readonly<Record<string, string>>): readonly string[] {
  return createMacroInference(inMemory(files))
    .macros()
    .map(({ name, value }) => `${name}=${value}`);
}

describe("a chain of tests", () => {
  const values = (text: string) => chainsIn(text, new Set(["N", "M"])).map((found) => `${found.name}: ${found.values.join(" ")}`);
  it.each([
    [chain, ["N: 2 4"]],
    [chain.replace("#endif", "#else\n#define T int\n#endif"), []],
    [chain.replace("#define T int4", "#define U int4"), []],
    [chain.replace("N == 4", "M == 4"), []],
    [chain.replace("N == 4", "N >= 4"), []],
    [chain.replace("N == 4", "N == 0"), []],
    [chain.replace("#elif (N == 4)", "#elif defined(N)"), []],
    ["#if N == 2\n#define T int2\n#endif\n", []],
    [`#ifdef A\n${chain}#else\n${chain}#endif\n`, ["N: 2 4", "N: 2 4"]],
    [chain.replace("#define T int4", "#ifdef A\n#define T int4\n#endif"), []],
    ["#elif N == 2\n#endif\n#endif\n", []],
  ])("%j", (text, expected) => expect(values(text)).toEqual(expected));
});

describe("a macro's value", () => {
  it.each([
    ["a format", { "a.c": 'sprintf(options, "-w -D N=%d -DM=%s", n, m);' }],
    ["a concatenation", { "a.cpp": 'std::string options = "-DN=" + std::to_string(n);' }],
    ["Python's format", { "a.py": 'options = "-DN=%d" % n\n' }],
  ])("is the first tested one: %s", (_, host) => expect(inferred({ ...host, "k.cl": chain })).toEqual(["N=2"]));
  it("is one that all chains of tests contain", () =>
    expect(inferred({ "a.c": 'f("-DN=%d", n);', "k.cl": chain, "l.cl": chain.replaceAll("2", "4").replace("(N == 4)", "N == 8") })).toEqual(
      ["N=4"],
    ));
  it.each([
    ["if chains have no common value", { "a.c": 'f("-DN=%d", n);', "k.cl": chain, "l.cl": chain.replace("2", "1").replace("4", "3") }],
    ["if the host gives the number", { "a.c": 'f("-DN=%d", 4);', "k.cl": chain }],
    ["if the option is in a comment", { "a.c": '// f("-DN=%d", n);', "k.cl": chain }],
    ["if the text is a message", { "a.c": 'f("give -DN=%d {", n);', "k.cl": chain }],
    ["if no kernel tests it", { "a.c": 'f("-DN=%d", n);', "k.cl": "int n = N;" }],
    ["if no host sets it", { "k.cl": chain }],
  ])("is unknown %s", (_, files) => expect(inferred(files)).toEqual([]));
});

describe("a project", () => {
  const kernel = `${chain}kernel void f(global T *p) { int *q = p; }\n`;
  it("reads kernels with the value, names its origin, and follows edits", async () => {
    const texts = new Map([
      ["file:///w/k.cl", kernel],
      ["file:///w/main.c", 'void f(void) {\n  sprintf(o, "-cl-std=CL1.2 -DN=%d", n); clBuildProgram(p, 1, &d, o, 0, 0); }'],
    ]);
    const project = openProject({ root: "file:///w", files: memoryFiles(texts), parser: await testParser() });
    const messages = () => project.service().check("file:///w/k.cl").diagnostics;
    expect(messages()).toHaveLength(1);
    expect(messages()[0]?.message).toContain("__global int2 *");
    expect(project.settings.of("file:///w/k.cl").origin).toBe(
      "-DN=2 (one of the values that are tested) in main.c:2, -cl-std=CL1.2 in main.c:2",
    );
    texts.set("file:///w/k.cl", kernel.replace("2", "8").replace("int2", "int8"));
    expect(project.changed(["file:///w/k.cl"])).toBe("everything");
    expect(messages()[0]?.message).toContain("__global int8 *");
    texts.set("file:///w/k.cl", `${texts.get("file:///w/k.cl")}\n`);
    expect(project.changed(["file:///w/k.cl"])).not.toBe("everything");
    texts.set("file:///w/main.c", texts.get("file:///w/main.c")?.replace("-DN", "-DM") ?? "");
    expect(project.changed(["file:///w/main.c"])).toBe("everything");
    expect(project.settings.of("file:///w/k.cl").origin).toContain("-DN=8 (in the build) in k.cl:1");
    project.dispose();
  });
  it("prefers values from settings", async () => {
    const files = inMemory({
      "k.cl": kernel,
      "main.c": 'f("-DN=%d", n);',
      "gpu-qualifiers.json": '{ "flags": ["-DN=4"] }',
    });
    const project = openProject({ root: "file:///w", files, parser: await testParser() });
    expect(project.settings.of("file:///w/k.cl").macros).toEqual([{ name: "N", value: "4" }]);
    project.dispose();
  });
});
