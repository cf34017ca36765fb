/**
 * Runs fixtures through the Service under each of their standards: every finding has a marker and every marker a finding. A
 * fixture of one file is also opened, which reads it by pieces; editors must show of it what the whole file says. Each fixture is
 * read once in each way, and the tests compare the results.
 */
import { describe, expect, it } from "vitest";
import { rules } from "../server/src/rules/index.ts";
import type { SyntaxParser } from "../server/src/syntax/parser.ts";
import { differences, type Fixture, onlyRules, openclStandards } from "./fixtures.ts";
import { loadFixtures } from "./load-fixtures.ts";
import { withoutStandard } from "./merged-markers.ts";
import { arePlacedAlike, type OpenReading, readOpen, readWhole, type WholeReading } from "./open-files.ts";
import { check } from "./service.ts";

/** How many test files share the fixtures, so that several workers run them. */
export const shards = 3;

/** One part of the fixtures. */
export function testFixtures(parser: SyntaxParser, shard: number): void {
  const known: ReadonlySet<string> = new Set(rules.map(({ id }) => id));
  const fixtures = loadFixtures()
    .filter((_, index) => index % shards === shard)
    .map((fixture) => onlyRules(fixture, known));
  const wholeOf = once((fixture: Fixture) => readWhole(parser, fixture));
  for (const rule of new Set(fixtures.map((fixture) => fixture.rule)))
    describe(rule, () => {
      for (const fixture of fixtures.filter((each) => each.rule === rule)) testFixture(parser, fixture, wholeOf);
    });
  testOpenFiles(
    fixtures.filter(({ files }) => files.length === 1),
    wholeOf,
    once((fixture: Fixture) => readOpen(parser, fixture)),
  );
}

function testFixture(parser: SyntaxParser, fixture: Fixture, wholeOf: (fixture: Fixture) => WholeReading): void {
  const [first] = fixture.standards;
  it(`${fixture.name} has well-formed markers`, () => expect(fixture.problems).toEqual([]));
  for (const standard of fixture.standards) {
    it(`${fixture.name} ${standard}`, () => {
      const isShared = standard === first && fixture.files.length === 1;
      expect(differences(fixture, standard, isShared ? wholeOf(fixture).seen : check(parser, fixture, standard))).toEqual([]);
    });
  }
  if (openclStandards.every((standard) => fixture.standards.includes(standard))) {
    it(`${fixture.name} without a standard`, () => {
      const merged = withoutStandard(fixture);
      expect(differences(merged, "any", check(parser, fixture, undefined))).toEqual([]);
    });
  }
}

/** The tests of fixtures of one file, each under its first standard. */
function testOpenFiles(
  fixtures: readonly Fixture[],
  wholeOf: (fixture: Fixture) => WholeReading,
  openOf: (fixture: Fixture) => OpenReading,
): void {
  describe("an open file", () => {
    it("has the findings, fixes and summary of the whole file", { timeout: 180_000 }, () => {
      for (const fixture of fixtures.filter(arePlacedAlike)) expect(openOf(fixture).learnt, fixture.name).toEqual(wholeOf(fixture).learnt);
    });

    it("is nearly always cut into pieces", () => {
      const cut = fixtures.filter((fixture) => openOf(fixture).isCut);
      expect(cut.length).toBeGreaterThan(fixtures.length * 0.8);
    });

    it("shows nothing before the end of its check that is not found in the end", () => {
      let early = 0;
      for (const fixture of fixtures) {
        const { inTheEnd, early: seen, afterwards } = openOf(fixture);
        expect(inTheEnd, fixture.name).toEqual(expect.arrayContaining([...seen]));
        expect(afterwards, fixture.name).toBe(0);
        early += seen.size;
      }
      // Most findings are those of single items.
      expect(early).toBeGreaterThan(fixtures.length);
    });

    it("has the hints, tokens, lenses, hovers and declarations of the whole file", () => {
      for (const fixture of fixtures) expect(openOf(fixture).shown, fixture.name).toEqual(wholeOf(fixture).shown);
    });
  });
}

/** The function, which is called once for each argument. */
function once<Argument, Result extends object>(compute: (argument: Argument) => Result): (argument: Argument) => Result {
  const known = new Map<Argument, Result>();
  return (argument) => {
    const result = known.get(argument) ?? compute(argument);
    known.set(argument, result);
    return result;
  };
}
