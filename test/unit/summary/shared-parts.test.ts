/** What summaries of several files share, and what they leave out about functions that headers define. */
import { expect, it } from "vitest";
import { noSettings } from "../../../server/src/dialect.ts";
import { createService } from "../../../server/src/service.ts";
import { createSharing } from "../../../server/src/summary/shared-parts.ts";
import { memoryFiles, testParser } from "../../service.ts";

const parser = await testParser();

function summariesOf(texts: Readonly<Record<string, string>>) {
  const files = memoryFiles(new Map(Object.entries(texts).map(([name, text]) => [`file:///w/${name}`, text])));
  const service = createService({ files, parser, settingsOf: () => noSettings, isOpen: () => false });
  try {
    return ["a.cl", "b.cl"].map((name) => service.checkInBatch(`file:///w/${name}`).summary);
  } finally {
    service.dispose();
  }
}

const called = '#include "f.h"\nkernel void k(global int *p) { f(p); }\n';

it("a declaration in a header is described once for all files that include it", () => {
  const [one, other] = summariesOf({ "f.h": "void f(global int *p);\n", "a.cl": called, "b.cl": `\n${called}` });
  const declared = one?.prototypes?.find(({ name }) => name === "f");
  expect(declared).toBeDefined();
  expect(other?.prototypes?.find(({ name }) => name === "f")).toBe(declared);
  expect(one?.prototypes?.map(({ name }) => name).sort()).toEqual(["f", "k"]);
});

it("a declaration is left out where its translation unit has the definition", () => {
  const defined = { "f.h": "void f(global int *p);\nvoid f(global int *p) { *p = 0; }\n" };
  const [one] = summariesOf({ ...defined, "a.cl": called, "b.cl": "" });
  expect(one?.prototypes?.map(({ name, isDefinition }) => `${name} ${isDefinition}`).sort()).toEqual(["f true", "k true"]);
});

it("shared summaries equal the given ones", () => {
  const given = summariesOf({ "f.h": "void f(global int *p);\n", "a.cl": called, "b.cl": called });
  const share = createSharing();
  const copies = given.map((summary) => share(structuredClone(summary)));
  expect(copies).toEqual(given);
  const [one, other] = copies.map((summary) => summary?.prototypes?.find(({ name }) => name === "f"));
  expect(one).toBe(other);
});

it("a file checked in a batch takes part in the link as soon as its check is added", () => {
  const texts = { "a.cl": "void f(global int *p);\n", "b.cl": "void f(local int *p) { *p = 0; }\n" };
  const uris = Object.keys(texts).map((name) => `file:///w/${name}`);
  const files = memoryFiles(new Map(Object.entries(texts).map(([name, text]) => [`file:///w/${name}`, text])));
  const service = createService({ files, parser, settingsOf: () => noSettings });
  const checks = uris.map((uri) => service.checkInBatch(uri));
  expect(service.link().size).toBe(0);
  for (const each of checks) service.addCheck(each);
  expect(service.link().size).toBeGreaterThan(0);
  service.dispose();
});
