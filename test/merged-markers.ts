/** Derives the markers for a check without a configured standard from those of each standard. */
import { type Expectation, type Fixture, openclStandards } from "./fixtures.ts";

/**
 * The markers of a fixture for a check without a configured standard: a finding in all standards stays as it is, an error in OpenCL C 1.2
 * becomes a warning, and any other one in some standards an info. A marker without standards equals one with all of them.
 */
export function withoutStandard(fixture: Fixture): Fixture {
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

/** The standards that have the features of the fixture; all of them if none has. */
function plausibleStandards({ expectations, files }: Fixture): readonly string[] {
  const lineOf = ({ file, line }: Expectation) => files.find(({ name }) => name === file)?.text.split("\n")[line - 1] ?? "";
  const saysGeneric = (each: Expectation) => each.rule === "address-space-placement" && /\b(?:__)?generic\b/.test(lineOf(each));
  // Outside of functions, also by a typedef's name.
  const saysGlobal = (each: Expectation) =>
    each.rule === "program-scope-space" &&
    /^\S(?:.*\*)?[^*]*\b(?:__)?[gG]lobal\w* [^*]*$|^(?:__)?[gG]lobal\w* [^*]*$/.test(lineOf(each).split(";")[0] ?? "");
  const lacking = expectations
    .filter((each) => each.rule === "unavailable-feature" || saysGeneric(each) || saysGlobal(each))
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
  // The message of a finding in only some standards names them.
  const isOfPlainBuild = group.some(({ standards, severity }) => severity === "error" && standards?.includes("CL1.2") === true);
  const mild = plain.severity === "hint" ? plain : { ...plain, severity: isOfPlainBuild ? ("warning" as const) : ("info" as const) };
  const same = message === undefined || group.some((each) => each.message !== message) ? plain : { ...plain, message };
  return [...Array<Expectation>(everywhere).fill(same), ...Array<Expectation>(somewhere).fill(mild)];
}
