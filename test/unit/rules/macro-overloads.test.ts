/** In OpenCL C an unknown macro in a function's head may be clang's attribute for overloads, so calls in its own body may mean others. */
import { afterAll, expect, it } from "vitest";
import { noSettings } from "../../../server/src/dialect.ts";
import { createService } from "../../../server/src/service.ts";
import { memoryFiles, testParser } from "../../service.ts";

const texts = new Map<string, string>();
const service = createService({ files: memoryFiles(texts), parser: await testParser(), settingsOf: () => noSettings });
afterAll(() => service.dispose());

function rulesOf(text: string): readonly string[] {
  texts.set("file:///library.cl", text);
  service.changed(["file:///library.cl"]);
  return service.check("file:///library.cl").diagnostics.map(({ rule }) => rule);
}

it.each([
  ["a builtin function", "float2 OVERLOAD modf(float2 x, private float2 *whole) { float part; modf(x.x, &part); return x; }"],
  ["a function of the program", "float OVERLOAD twice(float x, private int *count) { float sum; return twice(x, &sum); }"],
])("an overload of %s", (_, text) => {
  expect(rulesOf(`#include "absent.h"\n${text}\n`)).toEqual([]);
  expect(rulesOf(`${text.replace("OVERLOAD ", "")}\n`)).toEqual(["pointer-type-mismatch"]);
});
