/** The threads of the command line send reports to each other, so a report is plain data without functions. */
import { expect, it } from "vitest";
import { noSettings } from "../../../server/src/dialect.ts";
import { createService } from "../../../server/src/service.ts";
import { memoryFiles, testParser } from "../../service.ts";

const parser = await testParser();
const texts = new Map([
  ["file:///w/k.cl", "kernel void f(global int *p) { local int *q = p; }"],
  ["file:///w/k.cu", "__global__ void f(const int *p) { int *q = p; }"],
  ["file:///w/host.c", 'const char *source = "kernel void f(global int *p) { local int *q = p; }";'],
]);

for (const uri of texts.keys())
  it(`a report on ${uri.slice(uri.lastIndexOf("/") + 1)} can be sent to another thread`, () => {
    const service = createService({ files: memoryFiles(texts), parser, settingsOf: () => noSettings });
    const report = service.check(uri);
    expect(report.diagnostics).not.toEqual([]);
    expect(structuredClone(report)).toEqual(report);
    service.dispose();
  });
