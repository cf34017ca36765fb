/** Compiler flags and settings files, through the command line program. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runHere } from "./in-process.ts";
import { dependsOnStandard, folderWith, wrongCast } from "./run.ts";

const conditional = `#ifdef WRONG\n${wrongCast}#endif\n`;

describe("flags after --", () => {
  it("choose the standard", async () => {
    const folder = folderWith({ "a.cl": dependsOnStandard });
    expect((await runHere(["check", "a.cl", "--", "-cl-std=CL1.2"], folder)).code).toBe(1);
    expect(await runHere(["check", "a.cl", "--", "-cl-std=CL2.0"], folder)).toMatchObject({ code: 0, out: "" });
    expect((await runHere(["check", "a.cl", "--", "-cl-std=CL3.0", "-cl-ext=-__opencl_c_generic_address_space"], folder)).code).toBe(1);
    expect((await runHere(["check", "a.cl", "--", "-cl-std=CL3.0"], folder)).code).toBe(0);
  });

  it("define, undefine and include", async () => {
    const folder = folderWith({
      "a.cl": conditional,
      "w.h": "#define WRONG 1\n",
      "inc/w.h": "#define WRONG 1\n",
      "b.cl": `#include "w.h"\n${conditional}`,
    });
    // Without the flag, the branch is judged as that of another build.
    expect((await runHere(["check", "a.cl"], folder)).out).toContain("(with -DWRONG)");
    expect((await runHere(["check", "a.cl", "--", "-DWRONG"], folder)).out).not.toContain("(with -DWRONG)");
    expect((await runHere(["check", "a.cl", "--", "-DWRONG"], folder)).code).toBe(1);
    expect((await runHere(["check", "a.cl", "--", "-D", "WRONG=1", "-U", "WRONG"], folder)).code).toBe(0);
    expect((await runHere(["check", "a.cl", "--", "-include", "w.h"], folder)).code).toBe(1);
    expect((await runHere(["check", "b.cl", "--", "-I", "inc"], folder)).code).toBe(1);
  });

  it("force includes from the current folder, by absolute path, or else from beside the source", async () => {
    const folder = folderWith({
      "src/a.cl": conditional,
      "src/beside.h": "#define WRONG\n",
      "inc/w.h": '#include "deeper.h"\n',
      "inc/deeper.h": "#define WRONG\n",
    });
    // Without the header, the branch is judged as that of another build.
    const isDefined = async (from: string, file: string, header: string) => {
      const { code, out } = await runHere(["check", file, "--", "-include", header], from);
      return code === 1 && !out.includes("(with -DWRONG)");
    };
    const check = (header: string) => isDefined(folder, "src/a.cl", header);
    expect(await check("inc/w.h")).toBe(true);
    expect(await check(join(folder, "inc/w.h"))).toBe(true);
    expect(await check("src/../inc/w.h")).toBe(true);
    expect(await check("beside.h")).toBe(true);
    expect(await check("nowhere.h")).toBe(false);
    expect(await isDefined(join(folder, "inc"), "../src/a.cl", "w.h")).toBe(true);
  });

  it("come from response files", async () => {
    const folder = folderWith({ "a.cl": conditional, "flags.rsp": "-D 'WRONG' @more.rsp\n", "more.rsp": "-cl-std=CL1.2" });
    expect(await runHere(["check", "--format", "json", "a.cl", "--", "@flags.rsp"], folder)).toMatchObject({
      code: 1,
      out: expect.stringContaining('"OpenCL C 1.2"'),
    });
    expect(await runHere(["check", "a.cl", "--", "@nope.rsp"], folder)).toMatchObject({
      code: 2,
      error: "gpu-qualifiers: cannot read the response file 'nope.rsp'\n",
    });
  });

  it("name the language of a file with another name", async () => {
    const folder = folderWith({ "kernel.txt": wrongCast });
    expect((await runHere(["check", "kernel.txt", "--", "-x", "cl"], folder)).code).toBe(1);
  });

  it("are noted if they have no effect, and refused if they are wrong", async () => {
    const folder = folderWith({ "a.cl": wrongCast });
    expect(await runHere(["check", "a.cl", "--", "-O3", "-Xptxas", "-v", "--use_fast_math"], folder)).toMatchObject({
      code: 1,
      error: expect.stringMatching(/^gpu-qualifiers: flags without an effect here: -O3 -Xptxas -v --use_fast_math\n/),
    });
    expect(await runHere(["check", "a.cl", "--", "-cl-std=CL9"], folder)).toEqual({
      code: 2,
      out: "",
      error: "gpu-qualifiers: unknown OpenCL standard 'CL9'\n",
    });
    expect(await runHere(["check", "a.cl", "--", "-D"], folder)).toMatchObject({ code: 2, error: "gpu-qualifiers: '-D' needs a value\n" });
  });
});

describe("settings files", () => {
  it("of the project are found from any file in it", async () => {
    const folder = folderWith({
      ".git/HEAD": "",
      "gpu-qualifiers.json": '{ "opencl": { "standard": "CL1.2" } }',
      "src/a.cl": dependsOnStandard,
    });
    expect((await runHere(["check", "src/a.cl"], folder)).code).toBe(1);
    expect((await runHere(["check", "a.cl"], join(folder, "src"))).code).toBe(1);
    // The command line takes precedence.
    expect((await runHere(["check", "src/a.cl", "--", "-cl-std=CL2.0"], folder)).code).toBe(0);
  });

  it("disable rules and change severities", async () => {
    const folder = folderWith({ "a.cl": wrongCast, "gpu-qualifiers.json": '{ "rules": { "address-space-cast": "warning" } }' });
    expect(await runHere(["check", "a.cl"], folder)).toMatchObject({ code: 0, out: expect.stringContaining("a.cl:1:47: warning:") });
    const off = folderWith({ "a.cl": wrongCast, "gpu-qualifiers.json": '{ "rules": { "address-space-cast": "off" } }' });
    expect(await runHere(["check", "a.cl"], off)).toMatchObject({ code: 0, out: "" });
  });

  it("exclude files in folders, but not files that the command line names", async () => {
    const folder = folderWith({ "third_party/a.cl": wrongCast, "gpu-qualifiers.json": '{ "exclude": ["third_party/"] }' });
    expect((await runHere(["check", "."], folder)).out).toBe("");
    expect((await runHere(["check", "third_party/a.cl"], folder)).code).toBe(1);
  });

  it("are reported at their mistakes, and the run fails", async () => {
    const folder = folderWith({
      "a.cl": wrongCast,
      "gpu-qualifiers.json": '{\n  "rules": { "address-space-cast": "of" },\n  "opencl": { "standart": "CL1.2" }\n}\n',
    });
    const { code, out, error } = await runHere(["check", "a.cl"], folder);
    expect(code).toBe(2);
    expect(out).toContain("[address-space-cast]");
    expect(error).toBe(
      [
        "gpu-qualifiers.json:2:36: error: 'of' is none of off, hint, info, warning, error [settings]",
        "gpu-qualifiers.json:3:15: error: unknown setting 'standart', did you mean 'standard'? [settings]",
        "gpu-qualifiers: 1 error in 1 file: 1 kernel checked",
        "",
      ].join("\n"),
    );
  });

  it("of other tools apply if ours do not set the same", async () => {
    expect((await runHere(["check", "a.cl"], folderWith({ "a.cl": dependsOnStandard, "compile_flags.txt": "-cl-std=CL1.2\n" }))).code).toBe(
      1,
    );
    expect(
      (
        await runHere(
          ["check", "a.cl"],
          folderWith({ "a.cl": dependsOnStandard, ".clangd": "CompileFlags:\n  Add: [-cl-std=CL1.2, -Wall]\n" }),
        )
      ).code,
    ).toBe(1);
    const database = JSON.stringify([{ directory: ".", file: "a.cl", command: "clang -c -cl-std=CL1.2 a.cl" }]);
    expect(
      (await runHere(["check", "a.cl"], folderWith({ "a.cl": dependsOnStandard, "build/compile_commands.json": database }))).code,
    ).toBe(1);
  });
});
