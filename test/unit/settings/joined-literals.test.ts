/** Files that are one raw literal each, which C++ code includes and joins to a program: which of them stand in front of which. */
import { describe, expect, it } from "vitest";
import { openProject } from "../../../server/src/project/project.ts";
import { memoryFiles, testParser } from "../../service.ts";

const parser = await testParser();
const wrap = (text: string) => `// A comment.\nR"(\n${text}\n)"\n`;
const kernels = {
  "k/common.cl": wrap("typedef float real;"),
  "k/level.cl": wrap("#define SCALE 2\ninline real twice(real x) { return SCALE * x; }"),
  "k/main.cl": wrap("kernel void main_kernel(global real *out) { out[0] = twice(out[1]); }"),
  "k/plain.cl": "kernel void plain(global float *p) { p[0] = 1; }",
};

function project(hosts: Readonly<Record<string, string>>) {
  const all = Object.entries({ ...kernels, ...hosts }).map(([path, text]): [string, string] => [`file:///w/${path}`, text]);
  const texts = new Map(all);
  return { texts, opened: openProject({ root: "file:///w", files: memoryFiles(texts), parser }) };
}

function inFrontOf(name: string, hosts: Readonly<Record<string, string>>): readonly string[] {
  const { opened } = project(hosts);
  const found = opened.settings.of(`file:///w/${name}\0embedded-0.cl`).forcedIncludes.map((each) => each.name);
  opened.dispose();
  return found;
}

const listed = `Routine::Routine() : Base("main", {\n  #include "k/level.cl"\n  // A comment.\n  #include "k/main.cl"\n}) {}\n`;
const appended = `void compile(const std::string &source) {
  std::string header = "#define A 1\\n";
  header +=
#include "k/common.cl"
  ;
  auto whole = header + source;
}
`;

describe("the files in front of a literal", () => {
  it("precede it in a list", () => {
    expect(inFrontOf("k/main.cl", { "host.cpp": listed })).toEqual(["level.cl"]);
    expect(inFrontOf("k/level.cl", { "host.cpp": listed })).toEqual([]);
    expect(inFrontOf("k/main.cl", { "host.cpp": listed.replace("// A comment.", ",") })).toEqual(["level.cl"]);
  });

  it("are joined with a text from elsewhere", () => {
    const hosts = { "compile.cpp": appended, "host.cpp": listed };
    expect(inFrontOf("k/main.cl", hosts)).toEqual(["common.cl", "level.cl"]);
    expect(inFrontOf("k/level.cl", hosts)).toEqual(["common.cl"]);
    expect(inFrontOf("k/common.cl", hosts)).toEqual([]);
    // Of two such texts, it is not known which one comes first.
    const other = appended.replace("common", "level");
    expect(inFrontOf("k/main.cl", { "compile.cpp": appended, "other.cpp": other })).toEqual([]);
    expect(inFrontOf("k/main.cl", { "compile.cpp": appended.replace("header + source", "source + header") })).toEqual([]);
  });

  it("are the values of variables that a sum joins", () => {
    const variable = (name: string) => `static const std::string ${name} =\n  #include "k/${name}.cl"\n;\n`;
    const names = ["common", "level", "main"].map(variable).join("");
    const sum = `${names}auto program = cl::Program(context, common + "#define B 1\\n" + level + main);\n`;
    expect(inFrontOf("k/main.cl", { "host.cpp": sum })).toEqual(["common.cl", "level.cl"]);
    expect(inFrontOf("k/main.cl", { "host.cpp": names })).toEqual([]);
  });

  it("are not those of another branch", () => {
    const branches = `auto s = "#if A\\n"\n#include "k/level.cl"\n"#else\\n"\n#include "k/main.cl"\n"#endif\\n";\n`;
    expect(inFrontOf("k/main.cl", { "host.cpp": branches })).toEqual([]);
  });

  it("are literals themselves, and known", () => {
    const plain = listed.replace("k/level", "k/plain");
    expect(inFrontOf("k/main.cl", { "host.cpp": plain })).toEqual([]);
    expect(inFrontOf("k/main.cl", { "host.cpp": listed.replace("k/level", "k/absent") })).toEqual([]);
  });

  it("test macros whose values the host writes: each is a build", () => {
    const common = wrap(
      "#ifndef PRECISION\n#define PRECISION 32\n#endif\n#if PRECISION == 32\ntypedef float real;\n#define NEGATE(v)\n#elif PRECISION == 64\ntypedef double real;\n#define NEGATE(v) v = -v\n#endif",
    );
    const main = wrap("kernel void main_kernel(global real *out) { const real x = out[0]; NEGATE(x); out[1] = x; }");
    const compile = appended.replace("void", 'void add(std::string &s, int n) { s += "#define PRECISION " + ToString(n); }\nvoid');
    const messagesWith = (host: string) => {
      const { opened } = project({ "k/common.cl": common, "k/main.cl": main, "compile.cpp": host, "host.cpp": listed });
      const found = opened
        .service()
        .check("file:///w/k/main.cl")
        .diagnostics.map(({ message }) => message);
      opened.dispose();
      return found;
    };
    expect(messagesWith(compile)).toEqual(["'x' is const and cannot be written (with -DPRECISION=64)"]);
    expect(messagesWith(appended)).toEqual([]);
  });

  it("give the words of its program a meaning, until the host changes", () => {
    const { texts, opened } = project({ "compile.cpp": appended, "host.cpp": listed });
    const check = () =>
      opened
        .service()
        .check("file:///w/k/main.cl")
        .diagnostics.map(({ rule, location }) => [rule, location.uri]);
    expect(check()).toEqual([]);
    texts.set("file:///w/k/common.cl", wrap("typedef const float real;"));
    opened.changed(["file:///w/k/common.cl"]);
    expect(check()).toEqual([["const-write", "file:///w/k/main.cl"]]);
    texts.set("file:///w/compile.cpp", `\n// Moved.\n${appended}`);
    expect(opened.changed(["file:///w/compile.cpp"])).not.toBe("everything");
    texts.set("file:///w/compile.cpp", "");
    expect(opened.changed(["file:///w/compile.cpp"])).toBe("everything");
    opened.dispose();
  });
});
