/**
 * Runs the rules over facts and maps their findings to the author's code. Places become locations, and a fix with an edit outside
 * of the author's text is dropped.
 */
import { isBuiltin, toEdit } from "../analyses/placed-edits.ts";
import { affordable, type Budget, createBudget, demand, isSpent, within } from "../budget.ts";
import { type Dialect, isHostSide, type Limits } from "../dialect.ts";
import { type Finding, type Fix, isMoreSevere, type RelatedPlace, type Severity } from "../finding.ts";
import { fileOf } from "../preprocess/row.ts";
import type { CheckedFile, Rule, RuleFinding, RuleFix } from "../rules/rule.ts";
import type { Facts } from "../semantics/facts/facts.ts";
import type { Place } from "../semantics/types/symbols.ts";
import { type Location, placeKey, spanKey, type UnitLocation } from "../source.ts";
import type { Steps } from "../steps.ts";

/** Which findings of rules are wanted: those about single items (`check`), those that depend on several (`checkFile`), or both. */
export type RulePart = "of items" | "of the file" | "all";

/**
 * The findings of these rules in the file, without repetitions. Takes one step per rule, as long as the budget lasts. A piece of a
 * file is treated like a whole file.
 */
export function* runRules(
  rules: readonly Rule[],
  facts: Facts,
  dialect: Dialect,
  limits: Limits,
  file: CheckedFile,
  part: RulePart,
): Steps<readonly Finding<UnitLocation>[]> {
  const findings = new Map<string, Finding<UnitLocation>>();
  // Fixes are created later, on a budget of their own. Together they may cost as much as a file.
  const fixing = createBudget();
  for (const rule of rules) {
    const check = part === "of the file" ? undefined : rule.check;
    const checkFile = part === "of items" ? undefined : rule.checkFile;
    if ((check ?? checkFile) === undefined || !rule.languages.includes(dialect.language)) continue;
    if (isHostSide(dialect) && rule.judgesHostSide !== true) continue;
    if (isSpent()) break;
    const report = (given: RuleFinding): void => {
      demand();
      const reported = file.reachedFrom === undefined ? given : inProgram(given, file.reachedFrom(given.place));
      if (reported === undefined) return;
      const finding = toFinding(rule.id, reported, () => file.facts?.() ?? facts, fixing);
      // A macro's body may be analyzed several times for one invocation, but the author sees one place.
      const isWanted = file.reachedFrom !== undefined || fileOf(finding.location.uri) === fileOf(file.uri);
      if (isWanted) keepMostSevere(findings, finding, ({ severity }) => severity ?? rule.severity);
    };
    const context = { dialect, limits, facts, file };
    affordable(() => check?.(context, report));
    affordable(() => checkFile?.(context, report));
    yield;
  }
  return [...findings.values()];
}

/** A finding in a file that others include, with the place that makes its text a part of this program. */
function inProgram(finding: RuleFinding, from: Place | undefined): RuleFinding | undefined {
  if (from === undefined) return undefined;
  const related = finding.related ?? [];
  const isNamed = related.some(({ place }) => place === from);
  return { ...finding, related: isNamed ? related : [...related, { message: "in the program that uses it here", place: from }] };
}

/**
 * Adds a finding, by its key, unless one with the same key is as severe. What a template's text has as a warning may be an error in an
 * instance.
 */
export function keepMostSevere<Found extends Pick<Finding<Location | UnitLocation>, "rule" | "location">>(
  found: Map<string, Found>,
  finding: Found,
  severityOf: (finding: Found) => Severity,
): void {
  const key = keyOf(finding);
  const known = found.get(key);
  if (known === undefined || isMoreSevere(severityOf(finding), severityOf(known))) found.set(key, finding);
}

/** Findings with equal keys look the same to the author. */
export function keyOf({ rule, location }: Pick<Finding<Location | UnitLocation>, "rule" | "location">): string {
  return `${rule} ${spanKey(location)}`;
}

function toFinding(rule: string, reported: RuleFinding, factsOf: () => Facts, fixing: Budget): Finding<UnitLocation> {
  const origin = reported.place.unit.view.origin(reported.place.span);
  const related: RelatedPlace<UnitLocation>[] = (reported.related ?? [])
    .filter(({ place }) => !isBuiltin(place))
    .map(({ message, place }) => ({ message, location: locationOf(place) }));
  const definition = origin.exact ? undefined : origin.macro?.definition;
  if (definition !== undefined && !definition.uri.startsWith("builtin:"))
    related.push({ message: `in the expansion of '${origin.macro?.name ?? ""}', defined here`, location: definition });
  const make = reported.fixes;
  const spelledIn = origin.macro === undefined || origin.exact ? [] : spellings(reported.place);
  return {
    rule,
    message: reported.message,
    location: origin.location,
    ...(reported.severity === undefined ? {} : { severity: reported.severity }),
    related,
    ...(make === undefined ? {} : { fixes: rememberFor(factsOf, (facts) => within(fixing, () => placedFixes(make(facts))) ?? []) }),
    ...(spelledIn.length === 0 ? {} : { spelledIn }),
  };
}

/** Caches a result for as long as the facts stay the same. */
function rememberFor<Result>(factsOf: () => Facts, make: (facts: Facts) => Result): () => Result {
  let made: { readonly facts: Facts; readonly result: Result } | undefined;
  return () => {
    const facts = factsOf();
    if (made?.facts !== facts) made = { facts, result: make(facts) };
    return made.result;
  };
}

/** Drops fixes that would change text outside of the author's code. */
function placedFixes(fixes: readonly RuleFix[]): readonly Fix<UnitLocation>[] {
  return fixes.flatMap(({ title, edits, safety, qualifiedParameter }) => {
    const placed = edits.map(toEdit);
    return placed.every((edit) => edit !== undefined)
      ? [{ title, edits: placed, isPreferred: safety === "safe", ...(qualifiedParameter === undefined ? {} : { qualifiedParameter }) }]
      : [];
  });
}

/** The macro definitions that a place came from: the definition of the outermost macro, and those that spell parts of the place. */
function spellings({ unit: { view }, span }: Place): readonly UnitLocation[] {
  const found = new Map<string, UnitLocation>();
  const { segments } = view;
  for (let index = segments.indexAt(span.start); index < segments.length; index += 1) {
    const { start = span.end, expansion } = segments.at(index) ?? {};
    if (start >= span.end) break;
    if (expansion === undefined || (segments.startOf(index + 1) ?? view.text.length) <= span.start) continue;
    for (const location of [expansion.definition, expansion.argument ? undefined : expansion.spelling, expansion.inner?.definition]) {
      if (location !== undefined) found.set(placeKey(location), location);
    }
  }
  return [...found.values()];
}

function locationOf(place: Place): UnitLocation {
  return place.unit.view.origin(place.span).location;
}
