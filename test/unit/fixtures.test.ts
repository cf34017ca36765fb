/**
 * Runs every fixture through the Service under each of its standards: every finding has a marker and every marker a finding.
 * Fixtures may be there before their rule is; its markers count from the moment it is registered.
 */
import { describe, expect, it } from "vitest";
import { rules } from "../../server/src/rules/index.ts";
import { differences, type Expectation, type Fixture, onlyRules, openclStandards } from "../fixtures.ts";
import { loadFixtures } from "../load-fixtures.ts";
import { check, testParser } from "../service.ts";

const parser = await testParser();
const known: ReadonlySet<string> = new Set(rules.map(({ id }) => id));
const written = loadFixtures();
const fixtures = written.map((fixture) => onlyRules(fixture, known));

/** Rules that have fixtures and no code yet. */
const awaited: readonly string[] = [];

describe("the rules of the fixtures", () => {
  it("are registered or awaited", () => {
    const named = new Set(written.flatMap((fixture) => [fixture.rule, ...fixture.expectations.map(({ rule }) => rule)]));
    expect([...named].filter((rule) => !known.has(rule)).sort()).toEqual([...awaited].sort());
  });

  it("have a fixture each", () => {
    const folders = new Set(written.map(({ rule }) => rule));
    expect([...known].filter((rule) => !folders.has(rule))).toEqual([]);
  });
});

/** A finding that starts in the first column or shares its line with others of its rule cannot be pointed at. */
const unmarked: readonly string[] = ["half-without-extension/forced", "half-without-extension/order", "kernel-signature/named-by-macro.cu"];

it("one marker of each fixture says the finding's columns and message", () => {
  const silent = written.filter(
    ({ expectations }) => expectations.length > 0 && expectations.every(({ message }) => message === undefined),
  );
  expect(silent.map(({ name }) => name)).toEqual(unmarked);
});

for (const rule of new Set(fixtures.map((fixture) => fixture.rule))) {
  describe(rule, () => {
    for (const fixture of fixtures.filter((each) => each.rule === rule)) {
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
  });
}

/**
 * What the markers mean while nobody said a standard: wrong in all is what it is, wrong in some is an info. A marker
 * without standards and one with all of them say the same.
 */
function withoutStandard(fixture: Fixture): Fixture {
  const standards = plausibleStandards(fixture);
  const groups = new Map<string, Expectation[]>();
  for (const expectation of fixture.expectations) {
    const { file, line, rule, columns } = expectation;
    for (const standard of (expectation.standards ?? openclStandards).filter((each) => standards.includes(each))) {
      const key = `${file}:${line}:${columns?.start ?? ""}:${columns?.end ?? ""}:${rule}`;
      groups.set(key, [...(groups.get(key) ?? []), { ...expectation, standards: [standard] }]);
    }
  }
  const expectations = [...groups.values()].flatMap((group) => mergedOf(group, standards));
  return { ...fixture, expectations };
}

/** Standards that lack what the fixture uses do not judge it, if others do not. */
function plausibleStandards({ expectations, files }: Fixture): readonly string[] {
  const saysGeneric = ({ file, line, rule }: Expectation) =>
    rule === "address-space-placement" &&
    /\b(?:__)?generic\b/.test(files.find(({ name }) => name === file)?.text.split("\n")[line - 1] ?? "");
  const lacking = expectations
    .filter((each) => each.rule === "unavailable-feature" || saysGeneric(each))
    .flatMap(({ standards }) => standards ?? openclStandards);
  const others = openclStandards.filter((standard) => !lacking.includes(standard));
  return others.length === 0 ? openclStandards : others;
}

function mergedOf(group: readonly Expectation[], among: readonly string[]): readonly Expectation[] {
  const first = group[0];
  if (first === undefined) return [];
  const perStandard = among.map((standard) => group.filter(({ standards }) => standards?.includes(standard)).length);
  const { standards: _, message, ...plain } = first;
  const everywhere = Math.min(...perStandard);
  const somewhere = Math.max(...perStandard) - everywhere;
  // What is wrong in some standards alone names those in its message.
  const mild = plain.severity === "hint" ? plain : { ...plain, severity: "info" as const };
  const same = message === undefined || group.some((each) => each.message !== message) ? plain : { ...plain, message };
  return [...Array<Expectation>(everywhere).fill(same), ...Array<Expectation>(somewhere).fill(mild)];
}
