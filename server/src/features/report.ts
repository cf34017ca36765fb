/**
 * Runs the rules over facts and brings what they report back to the author's code: places become locations, edits that
 * would fall on text which the author did not write are dropped together with their fix.
 */
import type { Dialect, Limits } from "../dialect.ts";
import type { Finding, Fix, RelatedPlace } from "../finding.ts";
import type { CheckedFile, PlacedEdit, Rule, RuleFinding } from "../rules/rule.ts";
import type { Facts } from "../semantics/facts.ts";
import type { Place } from "../semantics/symbols.ts";
import type { Edit, Location } from "../source.ts";

/** The findings of these rules that lie in the file, without repetitions. */
export function runRules(rules: readonly Rule[], facts: Facts, dialect: Dialect, limits: Limits, file: CheckedFile): readonly Finding[] {
  const findings = new Map<string, Finding>();
  for (const rule of rules) {
    if (rule.check === undefined || !rule.languages.includes(dialect.language)) continue;
    rule.check({ dialect, limits, facts, file }, (reported) => {
      const finding = toFinding(rule.id, reported);
      // A macro body may be met several times in one invocation: the author sees one place.
      const key = keyOf(finding);
      if (finding.location.uri === file.uri && !findings.has(key)) findings.set(key, finding);
    });
  }
  return [...findings.values()];
}

/** Findings with equal keys are the same for the author. */
export function keyOf({ rule, location }: Finding): string {
  return `${rule} ${location.uri} ${location.span.start} ${location.span.end}`;
}

function toFinding(rule: string, reported: RuleFinding): Finding {
  const origin = reported.place.unit.view.origin(reported.place.span);
  const related: RelatedPlace[] = (reported.related ?? [])
    .filter(({ place }) => !isBuiltin(place))
    .map(({ message, place }) => ({ message, location: locationOf(place) }));
  if (origin.macro?.definition !== undefined && !origin.exact)
    related.push({ message: `in the expansion of '${origin.macro.name}', defined here`, location: origin.macro.definition });
  const fixes: Fix[] = [];
  for (const { title, edits, isPreferred, respaces } of reported.fixes ?? []) {
    const placed = edits.map(toEdit);
    if (placed.every((edit) => edit !== undefined))
      fixes.push({ title, edits: placed, isPreferred: isPreferred ?? false, ...(respaces === undefined ? {} : { respaces }) });
  }
  const spelledIn = origin.macro === undefined || origin.exact ? [] : spellings(reported.place);
  return {
    rule,
    message: reported.message,
    location: origin.location,
    ...(reported.severity === undefined ? {} : { severity: reported.severity }),
    related,
    fixes,
    ...(spelledIn.length === 0 ? {} : { spelledIn }),
  };
}

/** The definitions that a place came out of: of the outermost macro, and wherever parts of it are spelled. */
function spellings({ unit: { view }, span }: Place): readonly Location[] {
  const found = new Map<string, Location>();
  for (const [index, { start, expansion }] of view.segments.entries()) {
    if (start >= span.end) break;
    if (expansion === undefined || (view.segments[index + 1]?.start ?? view.text.length) <= span.start) continue;
    for (const location of [expansion.definition, expansion.argument ? undefined : expansion.spelling, expansion.inner?.definition]) {
      if (location !== undefined) found.set(`${location.uri} ${location.span.start}`, location);
    }
  }
  return [...found.values()];
}

function isBuiltin(place: Place): boolean {
  return place.unit.uri.startsWith("builtin:");
}

function locationOf(place: Place): Location {
  return place.unit.view.origin(place.span).location;
}

/** An edit of the author's text; undefined where the author did not write what it changes. */
export function toEdit({ place, how, text }: PlacedEdit): Edit | undefined {
  if (isBuiltin(place)) return undefined;
  const origin = place.unit.view.origin(place.span);
  if (!origin.exact) {
    // The words of a parameter may come out of a macro; in front of the whole there is still room.
    const first = place.unit.view.origin({ start: place.span.start, end: Math.min(place.span.start + 1, place.span.end) });
    if (how !== "before" || (first.macro !== undefined && !startsInvocation(place, first))) return toMacroEdit(origin, how, text);
    return { location: at(first.location.uri, first.location.span.start), text };
  }
  const { uri, span } = origin.location;
  if (how === "before") return { location: at(uri, span.start), text };
  if (how === "after") return { location: at(uri, span.end), text };
  return { location: origin.location, text };
}

/** The place begins with the first thing that came out of a macro's name: in front of that name there is room as well. */
function startsInvocation({ unit, span }: Place, { location, macro }: ReturnType<Place["unit"]["view"]["origin"]>): boolean {
  if (location.span.end - location.span.start !== macro?.name.length) return false;
  const before = span.start === 0 ? undefined : unit.view.origin({ start: span.start - 1, end: span.start });
  return before?.location.uri !== location.uri || before.location.span.start !== location.span.start;
}

/** What came whole out of one macro invocation may be replaced or removed together with that invocation. */
function toMacroEdit(origin: ReturnType<Place["unit"]["view"]["origin"]>, how: PlacedEdit["how"], text: string): Edit | undefined {
  const { macro, location } = origin;
  if (macro === undefined || (how ?? "replace") !== "replace" || text !== "") return undefined;
  const length = location.span.end - location.span.start;
  return length === macro.name.length ? { location, text } : undefined;
}

function at(uri: string, offset: number): Location {
  return { uri, span: { start: offset, end: offset } };
}
