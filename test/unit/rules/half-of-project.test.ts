/** `half` and `double` in a file that does not enable the extension itself, in a project whose build may put a text before it that does. */
import { afterEach, describe, expect, it } from "vitest";
import { type CompileSettings, noSettings } from "../../../server/src/dialect.ts";
import { createService, type Service } from "../../../server/src/service.ts";
import { memoryFiles, testParser } from "../../service.ts";

const parser = await testParser();
const enabling = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";
const using = "half twice(half x) { return x + x; }\n";
let service: Service;
afterEach(() => service.dispose());

function errorsOf(texts: Map<string, string>, settings: CompileSettings = noSettings): number {
  service = createService({ files: memoryFiles(texts), parser, settingsOf: () => settings });
  return service.check("file:///kernel.cl").diagnostics.length;
}

describe("half without a pragma", () => {
  it("is reported if no header of the project has the pragma", () => {
    expect(errorsOf(new Map([["file:///kernel.cl", using]]))).toBe(2);
    const besides = new Map([
      ["file:///kernel.cl", using],
      ["file:///other.cl", enabling],
    ]);
    expect(errorsOf(besides)).toBe(2);
  });

  it("is not judged if a header has the pragma and the build of the file is unknown", () => {
    const texts = new Map([
      ["file:///kernel.cl", using],
      ["file:///types.h", enabling],
    ]);
    expect(errorsOf(texts)).toBe(0);
    expect(errorsOf(texts, { ...noSettings, openclStandard: "CL1.2", origin: "command line" })).toBe(2);
    expect(errorsOf(new Map([...texts, ["file:///kernel.cl", `${using}${enabling}`]]))).toBe(2);
  });

  it("is judged again when the header changes", () => {
    const texts = new Map([["file:///kernel.cl", using]]);
    expect(errorsOf(texts)).toBe(2);
    texts.set("file:///types.h", enabling);
    expect(service.changed(["file:///types.h"])).toContain("file:///kernel.cl");
    expect(service.check("file:///kernel.cl").diagnostics.length).toBe(0);
    texts.set("file:///types.h", "");
    expect(service.changed(["file:///types.h"])).toContain("file:///kernel.cl");
    expect(service.check("file:///kernel.cl").diagnostics.length).toBe(2);
  });

  it("is not judged if host code has the pragma in a literal, whatever the settings are", () => {
    const settings = { ...noSettings, openclStandard: "CL1.1", origin: "command line" } as const;
    const hosts = {
      "file:///host.cpp": `std::string source = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\\n" + read("kernel.cl");\n`,
      "file:///host.py": `source = "#pragma OPENCL EXTENSION cl_khr_fp16: enable\\n" + open("kernel.cl").read()\n`,
      "file:///host.hpp": `const char *head = "#pragma OPENCL EXTENSION all : enable";\n`,
    };
    for (const [name, text] of Object.entries(hosts)) {
      const texts = new Map([
        ["file:///kernel.cl", using],
        [name, text],
      ]);
      expect(errorsOf(texts, settings), name).toBe(0);
      texts.set(name, text.replaceAll(/cl_khr_fp16|all/g, "cl_khr_fp64"));
      expect(service.changed([name]), name).toContain("file:///kernel.cl");
      expect(service.check("file:///kernel.cl").diagnostics.length, name).toBe(2);
    }
  });

  it("is judged if only programs in literals of host code have the pragma", () => {
    const program = `"#pragma OPENCL EXTENSION cl_khr_fp16 : enable\\n"\n"kernel void k(global half *p) { *p = p[1]; }\\n"`;
    const found = (host: string) =>
      errorsOf(
        new Map([
          ["file:///kernel.cl", using],
          ["file:///host.cpp", host],
        ]),
      );
    expect(found(`const char *source = ${program};\n`)).toBe(2);
    expect(found(`build(${program});\n`)).toBe(2);
    expect(found(`std::string source = ${program} + read("kernel.cl");\n`)).toBe(0);
    expect(found(`const char *sources[] = {${program}, read("kernel.cl")};\n`)).toBe(0);
  });

  it("is judged together with double", () => {
    const settings = { ...noSettings, openclStandard: "CL1.1", origin: "command line" } as const;
    const texts = new Map([["file:///kernel.cl", "double twice(double x) { return x + x; }\n"]]);
    expect(errorsOf(texts, settings)).toBe(2);
    texts.set("file:///host.cpp", `const char *head = "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\\n";\n`);
    expect(errorsOf(texts, settings)).toBe(0);
  });
});

describe("half in a header", () => {
  const inHeader = (texts: Record<string, string>) => {
    const files = new Map(Object.entries({ "file:///types.h": `#ifdef cl_khr_fp16\n${using}#endif\n`, ...texts }));
    service = createService({ files: memoryFiles(files), parser, settingsOf: () => noSettings });
    return service.check("file:///types.h").diagnostics.length;
  };
  const program = '#include "types.h"\n';

  it("is reported if no program of it has the pragma", () => {
    expect(inHeader({ "file:///kernel.cl": program, "file:///other.cl": enabling })).toBe(2);
  });

  it("is not judged if one of its programs enables it, also after the header", () => {
    expect(inHeader({ "file:///kernel.cl": program, "file:///other.cl": `${enabling}${program}` })).toBe(0);
    expect(inHeader({ "file:///kernel.cl": `${program}#include "math.h"\n`, "file:///math.h": `${program}${enabling}` })).toBe(0);
    expect(inHeader({ "file:///kernel.cl": program, "file:///b.cl": `#include "on.h"\n${program}`, "file:///on.h": enabling })).toBe(0);
  });
});
