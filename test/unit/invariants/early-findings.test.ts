/** What the first check of an open file shows before its end stays true: on every fixture of one file, after each step of the check. */
import { expect, it } from "vitest";
import { noSettings } from "../../../server/src/dialect.ts";
import type { Diagnostic } from "../../../server/src/finding.ts";
import { createService } from "../../../server/src/service.ts";
import { loadFixtures } from "../../load-fixtures.ts";
import { memoryFiles, settingsFor, testParser } from "../../service.ts";

const parser = await testParser();
const fixtures = loadFixtures().filter(({ files }) => files.length === 1);
const told = ({ rule, message, severity, location: { uri, span } }: Diagnostic) =>
  `${uri} ${span.start} ${span.end} ${rule} ${severity} ${message}`;

it("what a check finds early it finds in the end", { timeout: 120_000 }, () => {
  let early = 0;
  for (const fixture of fixtures) {
    const [file] = fixture.files;
    const uri = `file:///fixture/${file?.name}`;
    const settings = settingsFor(fixture, fixture.standards[0]);
    const files = memoryFiles(new Map([[uri, file?.text ?? ""]]));
    const service = createService({ files, parser, settingsOf: () => settings, isOpen: () => true });
    const seen = new Set<string>();
    const steps = service.checkInSteps(uri);
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) for (const found of service.foundSoFar(uri)) seen.add(told(found));
    expect([...step.value.diagnostics.map(told)], fixture.name).toEqual(expect.arrayContaining([...seen]));
    expect(service.foundSoFar(uri), fixture.name).toEqual([]);
    early += seen.size;
    service.dispose();
  }
  // Most findings are those of single items.
  expect(early).toBeGreaterThan(500);
});

it("a glance shows what an item tells by itself, also of a rule that looks at the whole file", () => {
  const uri = "file:///typed.cl";
  const filler = "void other(global int *p);\n".repeat(500);
  const before = `${filler}kernel void run(const global int *in, global int *out) {\n  const global int *kept = in;\n  *out = *kept;\n}\n`;
  const texts = new Map([[uri, before]]);
  const service = createService({ files: memoryFiles(texts), parser, settingsOf: () => noSettings, isOpen: () => true });
  const rulesOf = (found: readonly Diagnostic[] | undefined) => found?.map(({ rule }) => rule);
  expect(rulesOf(service.check(uri).diagnostics)).toEqual([]);
  const type = (text: string) => {
    texts.set(uri, text);
    service.changed([uri]);
    return rulesOf(service.glance(uri, [])?.diagnostics);
  };
  expect(type(before.replace("const global int *kept", "global int *kept"))).toEqual(["qualifier-discarded"]);
  service.check(uri);
  expect(type(before)).toEqual([]);
  service.dispose();
});
