/** The severity of nine `__constant` arguments depends on what is known about the build. The fix moves one to global memory. */
import { afterEach, expect, it } from "vitest";
import { applyEdits } from "../../../server/src/diagnostics/fix-all.ts";
import { type CompileSettings, embeddedProfile, noSettings } from "../../../server/src/dialect.ts";
import { createService, type Service } from "../../../server/src/service.ts";
import { memoryFiles, testParser } from "../../service.ts";

const parser = await testParser();
const uri = "file:///a.cl";
let service: Service;
afterEach(() => service.dispose());

const kernelOf = (parameters: readonly string[], body = "") => `kernel void k(${parameters.join(", ")}) {${body}}\n`;
const pointers = (count: number) => Array.from({ length: count }, (_, at) => `constant int *p${at}`);

function check(text: string, settings: CompileSettings = noSettings) {
  service = createService({ files: memoryFiles(new Map([[uri, text]])), parser, settingsOf: () => settings });
  return service.check(uri).diagnostics;
}

const severities = (text: string, settings?: CompileSettings) => check(text, settings).map(({ severity }) => severity);

it("are a warning if it is unknown how the file is built", () => {
  expect(severities(kernelOf(pointers(8)))).toEqual([]);
  expect(severities(kernelOf(pointers(9)))).toEqual(["warning"]);
});

it("are an info for a configured standard, and a warning for a configured limit", () => {
  const standard = { ...noSettings, openclStandard: "CL1.2" } as const;
  expect(severities(kernelOf(pointers(9)), standard)).toEqual(["info"]);
  expect(severities(kernelOf(pointers(9)), { ...standard, standardFrom: { uri, span: { start: 0, end: 0 } } })).toEqual(["warning"]);
  expect(
    severities(kernelOf(pointers(9)), { ...standard, limits: { ...noSettings.limits, constantArguments: 16, areConfigured: true } }),
  ).toEqual([]);
  expect(severities(kernelOf(pointers(5)), { ...standard, limits: embeddedProfile })).toEqual(["warning"]);
});

function fixed(text: string): string | undefined {
  const [finding] = check(text);
  const fix = finding === undefined ? undefined : service.fixes(uri, finding.location.span)[0]?.fix;
  return fix === undefined
    ? undefined
    : applyEdits(
        text,
        fix.edits.map(({ location, text: put }) => ({ span: location.span, text: put })),
      );
}

it("the fix passes the smallest as const global memory", () => {
  expect(fixed(kernelOf([...pointers(8), "constant char *c", "constant float4 *f"]))).toBe(
    kernelOf([...pointers(7), "const global int *p7", "const global char *c", "constant float4 *f"]),
  );
  expect(fixed(kernelOf([...pointers(8), "__constant const short *restrict s"]))).toBe(
    kernelOf([...pointers(8), "__global const short *restrict s"]),
  );
});

it("the fix keeps variables that other code needs in constant memory", () => {
  const helper = "int first(constant int *p) { return *p; }\n";
  const all = kernelOf(
    pointers(9),
    pointers(9)
      .map((_, at) => `first(p${at});`)
      .join(" "),
  );
  expect(fixed(helper + all)).toBeUndefined();
  expect(fixed(helper + kernelOf(pointers(9), "first(p8);"))).toBe(
    helper + kernelOf([...pointers(7), "const global int *p7", "constant int *p8"], "first(p8);"),
  );
});
