/**
 * Runs fixtures through the Service under each of their standards: every finding has a marker and every marker a finding.
 */
import { describe, expect, it } from "vitest";
import { rules } from "../server/src/rules/index.ts";
import type { SyntaxParser } from "../server/src/syntax/parser.ts";
import { differences, type Fixture, onlyRules, openclStandards } from "./fixtures.ts";
import { loadFixtures } from "./load-fixtures.ts";
import { withoutStandard } from "./merged-markers.ts";
import { check } from "./service.ts";

/** How many test files share the fixtures, so that several workers run them. */
export const shards = 3;

/** One part of the fixtures. */
export function testFixtures(parser: SyntaxParser, shard: number): void {
  const known: ReadonlySet<string> = new Set(rules.map(({ id }) => id));
  const fixtures = loadFixtures()
    .filter((_, index) => index % shards === shard)
    .map((fixture) => onlyRules(fixture, known));
  for (const rule of new Set(fixtures.map((fixture) => fixture.rule)))
    describe(rule, () => {
      for (const fixture of fixtures.filter((each) => each.rule === rule)) testFixture(parser, fixture);
    });
}

function testFixture(parser: SyntaxParser, fixture: Fixture): void {
  it(`${fixture.name} has well-formed markers`, () => expect(fixture.problems).toEqual([]));
  for (const standard of fixture.standards) {
    it(`${fixture.name} ${standard}`, () => expect(differences(fixture, standard, check(parser, fixture, standard))).toEqual([]));
  }
  if (openclStandards.every((standard) => fixture.standards.includes(standard))) {
    it(`${fixture.name} without a standard`, () => {
      const merged = withoutStandard(fixture);
      expect(differences(merged, "any", check(parser, fixture, undefined))).toEqual([]);
    });
  }
}
