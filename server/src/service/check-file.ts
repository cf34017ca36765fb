/** Runs the rules on a file that has been read as a whole. */
import { createBudget, onBudget, stepsForSummary, tooComplex, withinInSteps } from "../budget.ts";
import { coverageOfFacts } from "../diagnostics/coverage.ts";
import { emptyReport, type FileReport, inactiveInAll, templateReport } from "../diagnostics/file-report.ts";
import { plausibleReadings } from "../diagnostics/merge.ts";
import { itemStarts, unitOf } from "../diagnostics/outline.ts";
import { runRules } from "../diagnostics/report.ts";
import { type Dialect, isHostSide, isStandardConfigured, languageOfName } from "../dialect.ts";
import { templateIn } from "../embedded/opencl-texts.ts";
import type { Finding } from "../finding.ts";
import { dependenciesOf } from "../preprocess/preprocessor.ts";
import { codeAt } from "../preprocess/unit-row.ts";
import { unitsIn } from "../preprocess/units.ts";
import type { Unit } from "../preprocess/view/view.ts";
import { rules } from "../rules/index.ts";
import type { CheckedFile } from "../rules/rule.ts";
import { countedFacts } from "../semantics/facts/counted-facts.ts";
import { contains } from "../semantics/types/places.ts";
import type { Place } from "../semantics/types/symbols.ts";
import type { Analysis, FileAnalysis } from "../semantics/units/analyze.ts";
import { type FileUri, textOf } from "../source.ts";
import type { Steps } from "../steps.ts";
import { summarize } from "../summary/summarize.ts";
import { type TrackedDialect, trackedDialect } from "../tracked-dialect.ts";
import { activeRules, type CheckOutcome, extensionsFor, resultOf, severityOf, withOpenMacros } from "./file-result.ts";
import { inWholeFile, located, locatedSummary } from "./in-file.ts";
import type { Tools } from "./options.ts";
import {
  type AnalyzedFile,
  compiledFor,
  type DialectAnalysis,
  isReadForHost,
  meansTheSame,
  readUnder,
  sharesOf,
  shownReadings,
  stepsToJudge,
} from "./read-file.ts";

/** The findings under one dialect, and the rules' questions about it. A dialect with the same answers has the same findings. */
interface CheckedDialect {
  /** The reading that the rules have judged. */
  readonly own: DialectAnalysis;
  readonly tracked: TrackedDialect;
  readonly findings: readonly Finding[];
  /** Those in bodies of other files that it reaches. */
  readonly elsewhere: readonly Finding[];
  /** The rules needed more steps than the file has. */
  readonly isOver: boolean;
}

/** The report of a file that is in no language. One that is named like OpenCL may be a template. */
function unjudged({ options }: Tools, uri: string, unread: readonly string[]): FileReport {
  const report = emptyReport(uri, unread);
  if (languageOfName(uri) !== "opencl") return report;
  const text = textOf(options.files, uri);
  const start = templateIn(text);
  return start === undefined ? report : templateReport(report, text, start);
}

/**
 * Checks a file, in steps, one for each rule. A further build or program of the file only adds findings of its own, so that it needs
 * neither a summary nor what its code causes elsewhere.
 */
export function* checkAnalyzed(tools: Tools, uri: string, reading: AnalyzedFile, isFurther = false): Steps<CheckOutcome> {
  const { options } = tools;
  const { root, settings, language, readings, unread } = reading;
  const first = readings[0];
  if (first === undefined)
    return { report: unjudged(tools, uri, unread), summary: undefined, readers: undefined, undecided: [], elsewhere: [] };
  const plausible = plausibleReadings(readings);
  // A header has a tree of its own; errors in its includer do not matter.
  const unit = unitOf(first.unit, uri) ?? first.unit;
  const tree = unit === first.unit ? first.tree : tools.syntax.of(unit.uri, unit.view.text);
  const dialects = plausible.map(({ dialect }) => dialect);
  const { readers, answer } = tools.includers.ask(uri);
  const read = (other: string) => textOf(options.files, other);
  const mayBeEnabledBefore = extensionsFor(tools, { uri, root, settings, readers, units: () => readings.map(({ unit }) => unit) });
  const isConfigured = isStandardConfigured(settings);
  const file = {
    uri,
    text: read(uri),
    isStandardConfigured: isConfigured,
    hostReading: dialects.some(isHostSide) ? ("other" as const) : isReadForHost(tools, uri, root) ? ("same" as const) : undefined,
    readers,
    compiledFor: compiledFor({ uri, root, settings, readers }),
    mayBeEnabledBefore,
    textOf: read,
  };
  const shares = sharesOf(readings.map(({ dialect }) => dialect));
  const found: (readonly Finding[])[] = [];
  const elsewhere: (readonly Finding[])[] = [];
  const notes: FileReport["notes"][number][] = shownReadings(readings).flatMap(({ unit }) =>
    unit.notes.map((note) => ({ ...note, location: inWholeFile(note.location) })),
  );
  const checked: CheckedDialect[] = [];
  const budget = createBudget(stepsToJudge(tools, uri, reading));
  const checkUnder = function* (read: DialectAnalysis): Steps<CheckedDialect> {
    const { dialect, unit } = read;
    // The rules may have asked more about the dialect than the analysis did, and the dialects may differ in the answers. Where they have
    // found something in an analysis under another dialect, they do so here, too, and need one of their own.
    const hasFindings = checked.some(({ own, findings }) => own.analysis === read.analysis && findings.length > 0);
    const isShared = read.tracked.agreesWith(dialect) && !(hasFindings && read.analyzedUnder !== dialect);
    const own = isShared ? read : yield* readUnder(tools, uri, unit, dialect, shares);
    const { analysis } = own;
    const tracked = trackedDialect(dialect);
    const found = yield* onBudget(
      budget,
      runRules(activeRules(options, uri), analysis.facts, tracked.dialect, settings.limits, file, "all"),
    );
    // The types in the facts have answered for another dialect, or will when the findings are worded and fixed.
    if (own.analyzedUnder !== dialect && (found.length > 0 || !own.tracked.agreesWith(dialect)))
      return yield* checkUnder(yield* readUnder(tools, uri, unit, dialect, shares));
    const reached = isFurther ? [] : yield* elsewhereOf(tools, { ...file, settings }, analysis, tracked.dialect);
    if (own.analyzedUnder !== dialect && reached.length > 0) return yield* checkUnder(yield* readUnder(tools, uri, unit, dialect, shares));
    return {
      own,
      tracked,
      elsewhere: reached,
      findings: found.map((finding) => located(finding, inWholeFile)),
      isOver: budget.left < 0,
    };
  };
  for (const read of plausible) {
    const { dialect, unit, stepsLeft } = read;
    const isAlike = ({ own, tracked }: CheckedDialect) =>
      tracked.agreesWith(dialect) &&
      (own.analysis === read.analysis ? read.tracked.agreesWith(dialect) : meansTheSame(tools, own, unit, dialect));
    const known = checked.find(isAlike) ?? (yield* checkUnder(read));
    checked.push(known);
    const { own, findings, isOver } = known;
    const { analysis } = own;
    elsewhere.push(known.elsewhere);
    // Text that was not read might change a finding. Only an error that compilers report regardless of it is certain.
    const isWhole = stepsLeft >= 0 && analysis.endedAt === undefined;
    found.push(isWhole ? findings : findings.filter((finding) => severityOf(finding) === "error"));
    if (isOver || !isWhole) notes.push(endOf(unit, analysis));
  }
  yield;
  const summarized = { uri, files: dependenciesOf(first.unit), facts: first.analysis.facts, dialect: first.dialect, textOf: read };
  const ofSummary = createBudget(Math.max(0, budget.left) + stepsForSummary);
  const summary = isFurther ? undefined : yield* withinInSteps(ofSummary, summarize(summarized, rules));
  const outcome = yield* resultOf(tools, {
    uri,
    root,
    settings,
    language,
    dialects,
    found,
    elsewhere,
    notes,
    inactiveBranches: inactiveInAll(readings.map((read) => inactiveIn(read.unit, uri))),
    parseErrors: tree.errors.map((span) => codeAt({ unit, span })),
    isUnderstood: readings.every(
      ({ tree, unit, stepsLeft }) =>
        tree.errors.length + tree.unknownWords.length + unit.notes.length === 0 && tree.endsAt === undefined && stepsLeft >= 0,
    ),
    expressions: first.analysis.expressions,
    unknownExpressions: first.analysis.unknownExpressions,
    ofFacts: coverageOfFacts(uri, (plausible[0] ?? first).analysis.facts, [(plausible[0] ?? first).unit]),
    itemStarts: itemStarts(unit, tree),
    unread,
    dependencies: readings.flatMap(({ unit }) => dependenciesOf(unit)),
    summary: summary === undefined ? undefined : locatedSummary(summary, inWholeFile),
    readers: answer(),
    isActive: (offset) => readings.some(({ unit }) => unit.uri !== uri || unit.view.offsetOf(uri, offset) !== undefined),
  });
  return withOpenMacros(outcome, unitsIn(first.unit));
}

/** The findings in bodies of other files that a file instantiates: what its arguments make wrong, and perhaps no others. */
function* elsewhereOf(
  { options }: Tools,
  file: CheckedFile & Pick<AnalyzedFile, "settings">,
  { reached }: FileAnalysis,
  dialect: Dialect,
): Steps<readonly Finding[]> {
  if (reached === undefined) return [];
  const facts = countedFacts((kind) => reached.facts[kind]);
  const reachedFrom = (place: Place) => reached.bodies.find((body) => contains(body.place, place))?.from;
  const active = activeRules(options, file.uri);
  const found = yield* onBudget(createBudget(), runRules(active, facts, dialect, file.settings.limits, { ...file, reachedFrom }, "all"));
  return found.map(({ fixes: _, ...finding }) => located(finding, inWholeFile));
}

/** The branches of the file itself that are left out. */
function inactiveIn(unit: Unit, uri: FileUri): FileReport["inactiveBranches"] {
  const { inactiveBranches = [] } = unitOf(unit, uri) ?? unit;
  return inactiveBranches
    .map((branch) => ({ ...branch, location: inWholeFile(branch.location) }))
    .filter(({ location }) => location.uri === uri);
}

/** The note at the item in which the budget ran out; on the whole file if the rules exceeded it. */
function endOf(unit: Unit, { endedAt }: Analysis): FileReport["notes"][number] {
  const place = endedAt ?? { unit, span: { start: 0, end: 0 } };
  return { kind: "too-complex", message: tooComplex, location: codeAt(place) };
}
