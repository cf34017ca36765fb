/** What the rules say of a file that has been read, joined over its standards and without what its author allows. */

import { createBudget, drawing, stepsForRules, tooComplex, within } from "../budget.ts";
import { emptyReport, type FileReport, withoutRepetitions } from "../diagnostics/file-report.ts";
import { mergeDialects, plausibleReadings } from "../diagnostics/merge.ts";
import { itemStarts, unitOf } from "../diagnostics/outline.ts";
import { runRules } from "../diagnostics/report.ts";
import { applySuppressions, unusedSuppressions } from "../diagnostics/suppressions.ts";
import { isStandardSaid } from "../dialect.ts";
import type { Diagnostic, Finding, Severity } from "../finding.ts";
import { dependenciesOf } from "../preprocess/preprocessor.ts";
import type { Unit } from "../preprocess/view.ts";
import { printable } from "../printable.ts";
import { rules } from "../rules/index.ts";
import type { Analysis } from "../semantics/units/analyze.ts";
import type { Steps } from "../steps.ts";
import { summarize } from "../summary/summarize.ts";
import type { Summary } from "../summary/summary.ts";
import type { ServiceOptions, Tools } from "./options.ts";
import { type FileReading, textOf } from "./read-file.ts";

/** What the rules say of a file, for itself and for the link. */
export interface Judgement {
  readonly report: FileReport;
  readonly summary: Summary | undefined;
  /** Allowances that only findings of the link could need, as what they are if there are none. */
  readonly undecided: readonly Diagnostic[];
}

/** What an answer rests on besides the texts that it was made of. */
export interface Basis {
  /** The files in whose context it could have been read, where it is a header. */
  readonly candidates: readonly string[];
  /** What those were made of that turned out not to include it. */
  readonly tried: readonly string[];
  /** What was answered where a rule asked whether other files include it. */
  readonly isIncluded: boolean | undefined;
  /** A header is missing, or a name was looked up among all files. */
  readonly asksWorkspace: boolean;
}

/** What the check of one file leaves behind. */
export interface Learnt extends Judgement {
  readonly basis: Basis;
}

/** What the check of one file gave, and what it depended on. */
export interface CheckedReading extends Judgement {
  /** What was answered where a rule asked whether other files include it. */
  readonly isIncluded: boolean | undefined;
}

/** In steps, one for each rule. */
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
  const read = (other: string) => textOf(options.files, other);
  const file = { uri, text: read(uri), isStandardSaid: isStandardSaid(settings), isIncluded, textOf: read };
  const found: (readonly Finding[])[] = [];
  const notes: FileReport["notes"][number][] = readings.flatMap(({ unit }) => unit.notes);
  for (const { dialect, unit, analysis, stepsLeft } of plausible) {
    const budget = createBudget(Math.max(0, stepsLeft) + Math.ceil(stepsForRules / readings.length));
    const findings = yield* drawing(budget, runRules(activeRules(options, uri), analysis.facts, dialect, settings.limits, file));
    // What was not read might say otherwise; only what compilers reject as it stands is sure.
    const isWhole = stepsLeft >= 0 && analysis.endedAt === undefined;
    found.push(isWhole ? findings : findings.filter((finding) => severityOf(finding) === "error"));
    if (budget.left < 0 || !isWhole) notes.push(endOf(unit, analysis));
  }
  yield;
  const all: Diagnostic[] = [];
  for (const finding of mergeDialects(dialects, found, severityOf)) {
    // Its fixes are made here.
    const diagnostic = toDiagnostic(finding, options);
    if (diagnostic !== undefined) all.push(diagnostic);
    yield;
  }
  const { kept, used } = applySuppressions(all, tools.suppressionsOf);
  const { now, undecided } = unusedIn(tools, uri, reading, used);
  yield;
  const unused = now.map((finding) => toDiagnostic(finding, options)).filter((diagnostic) => diagnostic !== undefined);
  return {
    report: {
      uri,
      diagnostics: [...kept, ...unused].sort((a, b) => a.location.span.start - b.location.span.start),
      notes: withoutRepetitions(notes).map((note) => ({ ...note, message: printable(note.message) })),
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
    // Plain data, because it goes to other threads and to the disk.
    undecided: undecided.map((finding) => toDiagnostic(finding, options)).filter((diagnostic) => diagnostic !== undefined),
    summary: within(createBudget(), () =>
      summarize({ uri, files: dependenciesOf(first.unit), facts: first.analysis.facts, dialect: first.dialect, textOf: read }, rules),
    ),
    isIncluded: answer(),
  };
}

/** The note on the item in which the budget ended; where the rules needed more, on the whole file. */
function endOf(unit: Unit, { endedAt }: Analysis): FileReport["notes"][number] {
  const place = endedAt ?? { unit, span: { start: 0, end: 0 } };
  return { message: tooComplex, location: place.unit.view.origin(place.span).location };
}

/** The rules that the settings have not switched off for a file. */
export function activeRules(options: ServiceOptions, uri: string): typeof rules {
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
    ({ tree, unit, stepsLeft }) => tree.errors.length === 0 && tree.unknownWords.length === 0 && unit.notes.length === 0 && stepsLeft >= 0,
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

/** The severity of a finding before the settings have their say. */
export function severityOf(finding: Finding): Severity {
  return finding.severity ?? rules.find(({ id }) => id === finding.rule)?.severity ?? "warning";
}

/** A finding with the severity that the settings give its rule; undefined where they switch it off. */
export function toDiagnostic(finding: Finding, options: ServiceOptions): Diagnostic | undefined {
  const configured = options.rules?.severitiesOf(finding.location.uri)[finding.rule];
  if (configured === "off") return undefined;
  return printed({
    ...finding,
    severity: configured ?? severityOf(finding),
    related: finding.related ?? [],
    fixes: finding.fixes?.() ?? [],
  });
}

/** Names in its texts may be made of anything; places and edits stay what they are. */
function printed(diagnostic: Diagnostic): Diagnostic {
  return {
    ...diagnostic,
    message: printable(diagnostic.message),
    related: diagnostic.related.map(({ message, location }) => ({ message: printable(message), location })),
    fixes: diagnostic.fixes.map((fix) => ({ ...fix, title: printable(fix.title) })),
  };
}
