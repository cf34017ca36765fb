/** What the rules say of a file that has been read, joined over its standards and without what its author allows. */
import { emptyReport, type FileReport, isFirstOfItsKind } from "../features/file-report.ts";
import { mergeDialects, plausibleReadings } from "../features/merge.ts";
import { itemStarts, unitOf } from "../features/outline.ts";
import { runRules } from "../features/report.ts";
import { applySuppressions, unusedSuppressions } from "../features/suppressions.ts";
import type { Diagnostic, Finding } from "../finding.ts";
import { dependenciesOf } from "../preprocess/preprocessor.ts";
import { rules } from "../rules/index.ts";
import type { Steps } from "../steps.ts";
import { summarize } from "../workspace/summarize.ts";
import type { Summary } from "../workspace/summary.ts";
import type { ServiceOptions, Tools } from "./options.ts";
import { type FileReading, textOf } from "./read-file.ts";

/** What the check of one file leaves behind. */
export interface Learnt {
  readonly report: FileReport;
  readonly summary: Summary | undefined;
  /** Allowances that only findings of the link could need, as what they are if there are none. */
  readonly undecided: readonly Finding[];
}

export interface CheckedReading extends Learnt {
  /** What was answered where a rule asked whether other files include it. */
  readonly isIncluded: boolean | undefined;
}

/** In steps, one for each standard. */
export function* checkReading(tools: Tools, uri: string, reading: FileReading): Steps<CheckedReading> {
  const { options } = tools;
  const { root, settings, readings, unread } = reading;
  const first = readings[0];
  if (first === undefined) return { report: emptyReport(uri, unread), summary: undefined, isIncluded: undefined, undecided: [] };
  const plausible = plausibleReadings(readings);
  // A header has a tree of its own; what it is read for may be broken elsewhere.
  const unit = unitOf(first.unit, uri) ?? first.unit;
  const tree = unit === first.unit ? first.tree : tools.syntax.of(unit.uri, unit.view.text);
  const dialects = plausible.map(({ dialect }) => dialect);
  const { isIncluded, answer } = tools.includers.ask(uri);
  const file = { uri, text: textOf(options.files, uri), isIncluded };
  const found: (readonly Finding[])[] = [];
  for (const { dialect, analysis } of plausible) {
    found.push(runRules(activeRules(options, uri), analysis.facts, dialect, settings.limits, file));
    yield;
  }
  const severityOf = (finding: Finding) => finding.severity ?? rules.find(({ id }) => id === finding.rule)?.severity ?? "warning";
  const all = mergeDialects(dialects, found, severityOf)
    .map((finding) => toDiagnostic(finding, options))
    .filter((diagnostic) => diagnostic !== undefined);
  const { kept, used } = applySuppressions(all, tools.suppressionsOf);
  const { now, undecided } = unusedIn(tools, uri, reading, used);
  const unused = now.map((finding) => toDiagnostic(finding, options)).filter((diagnostic) => diagnostic !== undefined);
  return {
    report: {
      uri,
      diagnostics: [...kept, ...unused].sort((a, b) => a.location.span.start - b.location.span.start),
      notes: readings.flatMap(({ unit }) => unit.notes).filter(isFirstOfItsKind),
      dialects,
      understanding: {
        parseErrors: tree.errors.map((span) => unit.view.origin(span).location),
        expressions: first.analysis.expressions,
        unknownExpressions: first.analysis.unknownExpressions,
        ...(settings.standardFrom === undefined ? {} : { standardFrom: settings.standardFrom }),
      },
      itemStarts: itemStarts(unit, tree),
      embedded: 0,
      unread,
      dependencies: [...new Set([root, ...readings.flatMap(({ unit }) => dependenciesOf(unit))])],
    },
    undecided,
    summary: summarize(uri, dependenciesOf(first.unit), first.analysis.facts, first.dialect),
    isIncluded: answer(),
  };
}

function activeRules(options: ServiceOptions, uri: string): typeof rules {
  const severities = options.rules?.severitiesOf(uri) ?? {};
  return rules.filter(({ id }) => severities[id] !== "off");
}

/** What the author allows without need. Where a file was not fully understood a rule may have missed its finding. */
function unusedIn(
  { options, suppressionsOf }: Tools,
  uri: string,
  { language, readings }: FileReading,
  used: ReturnType<typeof applySuppressions>["used"],
): { readonly now: readonly Finding[]; readonly undecided: readonly Finding[] } {
  const suppressions = suppressionsOf(uri);
  if (suppressions.length === 0 || language === undefined) return { now: [], undecided: [] };
  const isUnderstood = readings.every(
    ({ tree, unit }) => tree.errors.length === 0 && tree.unknownWords.length === 0 && unit.notes.length === 0,
  );
  const active = new Set(activeRules(options, uri));
  const statusOf = (id: string) => {
    const rule = rules.find((candidate) => candidate.id === id);
    if (rule === undefined) return "unknown-rule";
    return isUnderstood && rule.check !== undefined && rule.link === undefined && rule.languages.includes(language) && active.has(rule)
      ? "decided"
      : "open";
  };
  const statusAtLink = (id: string) =>
    isUnderstood && rules.some((rule) => rule.id === id && rule.link !== undefined && rule.languages.includes(language) && active.has(rule))
      ? "decided"
      : "open";
  const isActive = (offset: number) => readings.some(({ unit }) => unit.uri !== uri || unit.view.offsetOf(uri, offset) !== undefined);
  const given = { uri, text: options.files.read(uri), suppressions, used, isActive };
  const named = suppressions.filter(({ rules: allowed }) => allowed.length > 0);
  return {
    now: unusedSuppressions({ ...given, statusOf }),
    undecided: unusedSuppressions({ ...given, suppressions: named, statusOf: statusAtLink }),
  };
}

/** A finding with the severity that the settings give its rule; undefined where they switch it off. */
export function toDiagnostic(finding: Finding, options: ServiceOptions): Diagnostic | undefined {
  const configured = options.rules?.severitiesOf(finding.location.uri)[finding.rule];
  if (configured === "off") return undefined;
  const own = finding.severity ?? rules.find(({ id }) => id === finding.rule)?.severity ?? "warning";
  return { ...finding, severity: configured ?? own, related: finding.related ?? [], fixes: finding.fixes ?? [] };
}
