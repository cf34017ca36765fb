/**
 * Checks fixtures under their standards: every finding has a marker and every marker a finding. Fixtures of one file are also
 * read by pieces, as open files, with the same results. A compiler must have confirmed the fixes. Each fixture is read once in each
 * way, and the tests compare the results. `npm test` leaves to thorough tests what it would only say again.
 */
import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { judgeMends } from "../scripts/oracle/mends.ts";
import { rules } from "../server/src/rules/index.ts";
import type { SyntaxParser } from "../server/src/syntax/parser.ts";
import { isThorough, sample } from "./effort.ts";
import { differences, type Fixture, onlyRules, openclStandards } from "./fixtures.ts";
import { loadFixtures } from "./load-fixtures.ts";
import { readMends } from "./mends.ts";
import { withoutStandard } from "./merged-markers.ts";
import { arePlacedAlike, type OpenReading, readOpen, readWhole, readWholeFile, type WholeFile, type WholeReading } from "./open-files.ts";
import { check } from "./service.ts";
import { unless } from "./skips.ts";

/** How many test files share the fixtures, so that several workers run them. */
export const shards = 3;

/** One fix out of this many is compiled again. */
const mendsPerSample = 59;

/** The answers of a fixture's services. Each is computed when it is first asked for, and then kept. */
interface Readings {
  readonly whole: (standard: string) => WholeReading;
  readonly wholeFile: () => WholeFile;
  readonly open: () => OpenReading;
}

/** One part of the fixtures. */
export function testFixtures(parser: SyntaxParser, shard: number): void {
  const known: ReadonlySet<string> = new Set(rules.map(({ id }) => id));
  const fixtures = loadFixtures()
    .filter((_, index) => index % shards === shard)
    .map((fixture) => onlyRules(fixture, known));
  const opened: ReadonlySet<Fixture> = new Set(
    sample(
      fixtures.filter((fixture) => fixture.files.length === 1),
      10,
    ),
  );
  const readings = once((fixture: Fixture): Readings => {
    const wholeFile = once(() => readWholeFile(parser, fixture));
    const whole = (standard: string) =>
      standard === fixture.standards[0] && opened.has(fixture) ? wholeFile("") : readWhole(parser, fixture, standard);
    const open = once(() => readOpen(parser, fixture));
    return { whole: once(whole), wholeFile: () => wholeFile(""), open: () => open("") };
  });
  const standardsOf = once(standardsToTry);
  for (const rule of new Set(fixtures.map((fixture) => fixture.rule)))
    describe(rule, () => {
      for (const fixture of fixtures.filter((each) => each.rule === rule)) testFixture(parser, fixture, standardsOf(fixture), readings);
    });
  testOpenFiles([...opened], readings);
  testFixes(fixtures, standardsOf, readings);
}

/**
 * The standards under which a fixture is checked by itself. Where its markers hold in all of them, the check without a standard tells
 * whether one differs, so that the first is enough, and in some fixtures another one in turn.
 */
function standardsToTry({ name, standards, expectations }: Fixture): readonly string[] {
  const [first, ...others] = standards;
  const isSame = expectations.every((marker) => marker.standards === undefined);
  if (first === undefined || isThorough || !isSame || !openclStandards.every((standard) => standards.includes(standard))) return standards;
  return name.length % 4 === 0 ? [first, ...others.slice(name.length % others.length).slice(0, 1)] : [first];
}

function testFixture(parser: SyntaxParser, fixture: Fixture, standards: readonly string[], readings: (fixture: Fixture) => Readings): void {
  it(`${fixture.name} has well-formed markers`, () => expect(fixture.problems).toEqual([]));
  for (const standard of standards) {
    it(`${fixture.name} ${standard}`, () => expect(differences(fixture, standard, readings(fixture).whole(standard).seen)).toEqual([]));
  }
  if (openclStandards.every((standard) => fixture.standards.includes(standard))) {
    it(`${fixture.name} without a standard`, () => {
      const merged = withoutStandard(fixture);
      expect(differences(merged, "any", check(parser, fixture, undefined))).toEqual([]);
    });
  }
}

/**
 * A fix removes its error: for every fix of an error in an OpenCL fixture, clang has confirmed that the error is gone and that
 * there is no new one. Where clang is installed, a sample is tested again.
 */
function testFixes(
  fixtures: readonly Fixture[],
  standardsOf: (fixture: Fixture) => readonly string[],
  readings: (fixture: Fixture) => Readings,
): void {
  const mends = () => fixtures.flatMap((fixture) => standardsOf(fixture).flatMap((standard) => readings(fixture).whole(standard).mends));
  const recorded = readMends();
  const hasClang = spawnSync(process.env.CLANG ?? "clang-22", ["--version"]).status === 0;

  describe("fixes of OpenCL fixtures", () => {
    it("are many", () => expect(mends().length).toBeGreaterThan(300 / shards));

    it("were confirmed by the compiler (npm run oracle)", () =>
      expect(
        mends()
          .filter(({ hash }) => !recorded.has(hash))
          .map(({ name }) => name),
      ).toEqual([]));

    it.skipIf(!hasClang)(`are confirmed by clang${unless(hasClang, "clang is not installed")}`, async () => {
      const judged = await judgeMends(mends().filter((_, index) => index % mendsPerSample === 0));
      expect(judged.filter(({ problem }) => problem !== undefined).map(({ name, problem }) => `${name}: ${problem}`)).toEqual([]);
    });
  });
}

/** The tests of open files, which are fixtures of one file, each under its first standard. */
function testOpenFiles(fixtures: readonly Fixture[], readings: (fixture: Fixture) => Readings): void {
  describe("an open file", () => {
    it("has the findings, fixes and summary of the whole file", () => {
      for (const fixture of fixtures.filter(arePlacedAlike)) {
        const { open, wholeFile } = readings(fixture);
        expect(open().checked, fixture.name).toEqual(wholeFile().checked);
      }
    });

    it("leads to the author's texts only", () => {
      for (const fixture of fixtures.filter(arePlacedAlike)) {
        const { diagnostics } = readings(fixture).open().checked;
        expect(
          diagnostics.filter((told) => told.includes("builtin:")),
          fixture.name,
        ).toEqual([]);
      }
    });

    it("is read by pieces in nearly all fixtures", () => {
      const cut = fixtures.filter((fixture) => readings(fixture).open().isCut);
      expect(cut.length).toBeGreaterThan(fixtures.length * 0.8);
    });

    it("shows no finding during its check that is missing at the end", () => {
      let early = 0;
      for (const fixture of fixtures) {
        const { inTheEnd, early: seen, afterwards } = readings(fixture).open();
        // What is a warning in a template's text may become an error, once an instance of it has been judged.
        const raised = inTheEnd.map((told) => told.replace(" error ", " warning "));
        expect([...inTheEnd, ...raised], fixture.name).toEqual(expect.arrayContaining([...seen]));
        expect(afterwards, fixture.name).toBe(0);
        early += seen.size;
      }
      // Most rules judge single items, so most findings are shown early.
      expect(early).toBeGreaterThan(fixtures.length);
    });

    it("has the hints, tokens, lenses, hovers and declarations of the whole file", () => {
      for (const fixture of fixtures) {
        const { open, wholeFile } = readings(fixture);
        expect(open().shown, fixture.name).toEqual(wholeFile().shown);
      }
    });
  });
}

/** The function with its results kept, so that it is called once for each argument. */
function once<Argument, Result extends object>(compute: (argument: Argument) => Result): (argument: Argument) => Result {
  const known = new Map<Argument, Result>();
  return (argument) => {
    const result = known.get(argument) ?? compute(argument);
    known.set(argument, result);
    return result;
  };
}
