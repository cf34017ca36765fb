/** `half` in a file that does not enable the extension itself, in a project whose build may put a header before it that does. */
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
});
