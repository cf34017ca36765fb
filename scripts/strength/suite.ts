/** Runs all fixtures and examples, beginning with those related to the named file; exits with 1 at the first failure. */
import { rules } from "../../server/src/rules/index.ts";
import { differences, type Fixture, openclStandards } from "../../test/fixtures.ts";
import { loadFixtures } from "../../test/load-fixtures.ts";
import { withoutStandard } from "../../test/merged-markers.ts";
import { checkText, exampleUri, fixedText, judgementsOf, lineAt, markedLines, withoutMarkers } from "../../test/rule-examples.ts";
import { check, testParser } from "../../test/service.ts";

const parser = await testParser();
const [, , about = ""] = process.argv;

function fail(reason: string): void {
  console.error(reason);
  process.exit(1);
}

function isRight(fixture: Fixture, standard: string | undefined): boolean {
  const judged = standard === undefined ? withoutStandard(fixture) : fixture;
  return differences(judged, standard ?? "any", check(parser, fixture, standard)).length === 0;
}

function testExamples(rule: (typeof rules)[number]): void {
  for (const example of rule.examples) {
    const uri = exampleUri(example);
    for (const { name, settings } of judgementsOf(example)) {
      const found = checkText(parser, uri, example.bad, settings);
      const lines = [...new Set(found.map(({ location }) => lineAt(example.bad, location.span.start)))];
      if (JSON.stringify(lines) !== JSON.stringify(markedLines(example.bad))) fail(`example of ${rule.id}, ${name}`);
      if (checkText(parser, uri, example.good, settings).length > 0) fail(`good example of ${rule.id}, ${name}`);
      if (withoutMarkers(fixedText(example.bad, found)) !== (example.fixed ?? withoutMarkers(example.bad)))
        fail(`fix of ${rule.id}, ${name}`);
    }
  }
}

const isNear = (id: string) => about.includes(`/${id}.`);
for (const rule of [...rules].sort((a, b) => Number(isNear(b.id)) - Number(isNear(a.id)))) testExamples(rule);
const fixtures = [...loadFixtures()].sort((a, b) => Number(isNear(b.rule)) - Number(isNear(a.rule)));
// Most differences are found under the first standard of each fixture.
for (const fixture of fixtures) if (!isRight(fixture, fixture.standards[0])) fail(fixture.name);
for (const fixture of fixtures) {
  for (const standard of fixture.standards.slice(1)) if (!isRight(fixture, standard)) fail(`${fixture.name} ${standard}`);
  if (openclStandards.every((standard) => fixture.standards.includes(standard)) && !isRight(fixture, undefined))
    fail(`${fixture.name} without a standard`);
}
