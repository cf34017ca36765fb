/**
 * Every fix of every finding in a fixture, and every refactoring at any place of it, each applied alone; and what our own check says
 * about the result. `scripts/fixes.ts` asks the compilers about the same texts.
 */
import type { Fix } from "../server/src/finding.ts";
import type { Service } from "../server/src/service.ts";
import type { Edit } from "../server/src/source.ts";
import type { SyntaxParser } from "../server/src/syntax/parser.ts";
import { type Fixture, type FixtureFile, isSourceName } from "./fixtures.ts";
import { seenBy, serviceOf, settingsFor } from "./service.ts";

/** A change that the light bulb offers, applied to the files of a fixture. */
export interface Offer {
  /** The fixture, line, standard and title, for messages. */
  readonly name: string;
  /** The rule and the severity of the finding that is to be gone, as in `countedFindings`; undefined for a refactoring. */
  readonly rule: string | undefined;
  readonly fixture: Fixture;
  readonly standard: string;
  readonly after: readonly FixtureFile[];
}

/** How often each rule reports something, by severity. */
type Counts = ReadonlyMap<string, number>;

const scheme = "file:///fixture/";

/** The offers for one fixture under one of its standards. */
export function offersOf(parser: SyntaxParser, fixture: Fixture, standard: string): readonly Offer[] {
  const service = serviceOf(parser, fixture.files, settingsFor(fixture, standard));
  try {
    const sources = fixture.files.filter(({ name }) => isSourceName(name));
    for (const { name } of sources) service.check(scheme + name);
    const linked = service.link();
    const offers = sources.flatMap((file) => [
      ...fixesIn(service, fixture, standard, file, linked.get(scheme + file.name) ?? []),
      ...refactoringsIn(service, fixture, standard, file),
    ]);
    return [...new Map(offers.map((offer) => [JSON.stringify([offer.rule, offer.after]), offer])).values()];
  } finally {
    service.dispose();
  }
}

function fixesIn(
  service: Service,
  fixture: Fixture,
  standard: string,
  file: FixtureFile,
  linked: ReturnType<Service["check"]>["diagnostics"],
): readonly Offer[] {
  const uri = scheme + file.name;
  return [...service.check(uri).diagnostics, ...linked].flatMap(({ rule, severity, location, fixes }) =>
    fixes.flatMap((given: Fix) => {
      const fix = service.complete(uri, given);
      if (fix === undefined) return [];
      return [offer(fixture, standard, file, location.span.start, `${rule} ${severity}`, fix)];
    }),
  );
}

/** The refactorings at the starts of words. */
function refactoringsIn(service: Service, fixture: Fixture, standard: string, file: FixtureFile): readonly Offer[] {
  const found = [...file.text.matchAll(/\b[A-Za-z_]\w*/g)].flatMap(({ index }) =>
    service.refactorings(scheme + file.name, { start: index, end: index }).map((each) => ({ ...each, index })),
  );
  const distinct = new Map(found.map((each) => [JSON.stringify(each.edits), each]));
  return [...distinct.values()].map((each) => offer(fixture, standard, file, each.index, undefined, each));
}

function offer(
  fixture: Fixture,
  standard: string,
  file: FixtureFile,
  at: number,
  rule: string | undefined,
  { title, edits }: Pick<Fix, "title" | "edits">,
): Offer {
  const line = file.text.slice(0, at).split("\n").length;
  const after = fixture.files.map((each) => ({ name: each.name, text: edited(each.text, edits, scheme + each.name) }));
  return { name: `${fixture.name}:${line} ${standard}: ${title}`, rule, fixture, standard, after };
}

/** A file's text with the edits of it. */
export function edited(text: string, edits: readonly Edit[], uri: string): string {
  return edits
    .filter(({ location }) => location.uri === uri)
    .sort((a, b) => b.location.span.start - a.location.span.start)
    .reduce((result, { location: { span }, text: fresh }) => result.slice(0, span.start) + fresh + result.slice(span.end), text);
}

/** What our own check has against the result; undefined if the finding is gone and there is no other error or warning. */
export function ownProblem(parser: SyntaxParser, { fixture, standard, after, rule }: Offer): string | undefined {
  return problemOfCounts(countsOf(parser, fixture, standard), countsOf(parser, { ...fixture, files: after }, standard), rule);
}

/** Compares how often each rule reports something before and after a change that is to silence one finding of `rule`. */
export function problemOfCounts(before: Counts, after: Counts, rule: string | undefined): string | undefined {
  if (rule !== undefined && (after.get(rule) ?? 0) >= (before.get(rule) ?? 0)) return `${rule} is not silenced`;
  for (const [key, count] of after) if (key.endsWith("!") && count > (before.get(key) ?? 0)) return `it causes ${key.slice(0, -1)}`;
  return undefined;
}

const known = new WeakMap<Fixture, Map<string, Counts>>();

function countsOf(parser: SyntaxParser, fixture: Fixture, standard: string): Counts {
  const ofFixture = known.get(fixture) ?? new Map<string, Counts>();
  known.set(fixture, ofFixture);
  const present = ofFixture.get(standard);
  if (present !== undefined) return present;
  const service = serviceOf(parser, fixture.files, settingsFor(fixture, standard));
  try {
    const counts = countedFindings(seenBy(service, fixture));
    ofFixture.set(standard, counts);
    return counts;
  } finally {
    service.dispose();
  }
}

/** The number of findings of each rule and severity, `rule error`, and of each rule's errors and warnings, `rule!`. */
export function countedFindings(findings: readonly { readonly rule: string; readonly severity: string }[]): Counts {
  const counts = new Map<string, number>();
  for (const { rule, severity } of findings) {
    const isSerious = severity === "error" || severity === "warning";
    for (const key of isSerious ? [`${rule} ${severity}`, `${rule}!`] : [`${rule} ${severity}`])
      counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}
