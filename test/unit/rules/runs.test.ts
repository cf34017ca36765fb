/** Every mistake that was run on a device is reported, on the line for which `test/runs/mistakes.cu` says so. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { noSettings } from "../../../server/src/dialect.ts";
import { readRuns, runsFolder } from "../../load-runs.ts";
import { serviceOf, testParser } from "../../service.ts";

const text = readFileSync(join(runsFolder, "mistakes.cu"), "utf8");
const parser = await testParser();

function lineAt(offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

it("reports each mistake that was run", () => {
  const service = serviceOf(parser, [{ name: "mistakes.cu", text }], noSettings);
  const uri = "file:///fixture/mistakes.cu";
  const found = new Set(service.check(uri).diagnostics.map(({ rule, location }) => `${lineAt(location.span.start)} ${rule}`));
  const expected = [...text.matchAll(/^ *\/\/ finds: ([\w-]+)$/gm)].map(({ index, 1: rule }) => `${lineAt(index) + 1} ${rule}`);
  expect(expected.filter((each) => !found.has(each))).toEqual([]);
  const rules = expected.map((each) => each.replace(/^\d+ /, ""));
  expect(rules.sort()).toEqual(
    readRuns()
      .runs.map(({ rule }) => rule)
      .sort(),
  );
  service.dispose();
});
