/** What the first check of an open file shows before its end stays true: on every fixture of one file, after each step of the check. */
import { expect, it } from "vitest";
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
