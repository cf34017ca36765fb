/**
 * Runs the rules on a file that is read piece by piece. The rules about single items have judged each piece (`piece-file.ts`). Here
 * the other rules judge all pieces together, and places in pieces are converted to places in the file.
 */
import { createBudget, onBudget, stepsForRules, stepsForSummary, tooComplex, withinInSteps } from "../budget.ts";
import { coverageOfFacts, noCoverage } from "../diagnostics/coverage.ts";
import { type FileReport, inactiveInAll } from "../diagnostics/file-report.ts";
import { plausibleReadings } from "../diagnostics/merge.ts";
import { itemStarts } from "../diagnostics/outline.ts";
import { keepMostSevere, runRules } from "../diagnostics/report.ts";
import { type Dialect, isHostSide, isStandardConfigured } from "../dialect.ts";
import type { Finding } from "../finding.ts";
import { memo } from "../memo.ts";
import { dependenciesOf, type ReadPiece, unreadOf } from "../preprocess/preprocessor.ts";
import { fileOf, pieceAt } from "../preprocess/row.ts";
import { unitsIn } from "../preprocess/units.ts";
import type { Unit } from "../preprocess/view/view.ts";
import { rules } from "../rules/index.ts";
import type { CheckedFile } from "../rules/rule.ts";
import type { Facts } from "../semantics/facts/facts.ts";
import { type Location, textOf, type UnitLocation } from "../source.ts";
import type { Steps } from "../steps.ts";
import { summarize } from "../summary/summarize.ts";
import { type TrackedDialect, trackedDialect } from "../tracked-dialect.ts";
import { activeRules, type CheckOutcome, extensionsFor, resultOf, severityOf, withOpenMacros } from "./file-result.ts";
import { located, locatedSummary } from "./in-file.ts";
import type { Tools } from "./options.ts";
import type { PieceFile } from "./piece-file.ts";
import { compiledFor, type FileContext } from "./read-file.ts";

function unitsAt({ readings }: PieceFile, at: number): readonly Unit[] {
  return readings[at]?.pieces.map(({ unit }) => unit) ?? [];
}

/** The result of a file whose pieces have all been checked, in steps, one for each rule about several pieces. */
export function* checkPieces(tools: Tools, uri: string, context: FileContext, file: PieceFile): Steps<CheckOutcome> {
  const { options } = tools;
  const { settings, root } = context;
  const { readers, answer } = tools.includers.ask(uri);
  const read = (other: string) => textOf(options.files, fileOf(other));
  const units = () => file.readings.flatMap(({ list }) => list.pieces.map(({ unit }) => unit));
  const mayBeEnabledBefore = extensionsFor(tools, { uri, root, settings, readers, units });
  const isConfigured = isStandardConfigured(settings);
  const active = activeRules(options, uri);
  const readings = file.readings.map(({ dialect }, at) => ({ dialect, at, analysis: { facts: file.factsOf(at) } }));
  const plausible = plausibleReadings(readings);
  const checked = {
    uri,
    text: file.row.text,
    isStandardConfigured: isConfigured,
    hostReading: hostReadingIn(readings),
    readers,
    compiledFor: compiledFor({ uri, root, settings, readers }),
    mayBeEnabledBefore,
    textOf: read,
  };
  const judged: {
    readonly facts: Facts;
    readonly tracked: TrackedDialect;
    readonly together: readonly Finding<UnitLocation>[];
  }[] = [];
  const found: (readonly Finding[])[] = [];
  const notes: FileReport["notes"][number][] = file.readings
    .filter(({ dialect }) => !isHostSide(dialect))
    .flatMap(({ pieces }) => pieces.flatMap(({ unit }) => unit.notes.map((note) => ({ ...note, location: file.locate(note.location) }))));
  const isWhole = file.end === file.row.pieces.length;
  const budget = createBudget(file.stepsLeft + stepsForRules);
  for (const { dialect, at } of plausible) {
    yield* file.separate(at);
    let facts = file.factsOf(at);
    const isAlike = (other: (typeof judged)[number]) => other.facts === facts && other.tracked.agreesWith(dialect);
    let known = judged.find(isAlike);
    while (known === undefined) {
      const tracked = trackedDialect(dialect);
      const together = yield* onBudget(budget, runRules(active, facts, tracked.dialect, settings.limits, checked, "of the file"));
      yield* file.separate(at);
      // The rules may have asked a new question about the dialect.
      if (file.factsOf(at) === facts) known = { facts, tracked, together };
      else facts = file.factsOf(at);
    }
    judged.push(known);
    found.push(withoutDoubles(certainIn(file, [...file.findings(at), ...known.together])).map((finding) => located(finding, file.locate)));
  }
  if (!isWhole || budget.left < 0) notes.push({ kind: "too-complex", message: tooComplex, location: endIn(file) });
  const [first] = readings;
  const pieces = file.readings.flatMap(({ pieces }) => pieces.slice(0, file.end));
  const own = file.readings[0]?.pieces.slice(0, file.end) ?? [];
  const dependencies = dependenciesOfPieces(file);
  const summary =
    first === undefined
      ? undefined
      : yield* withinInSteps(
          createBudget(Math.max(0, budget.left) + stepsForSummary),
          summarize({ uri, files: dependencies, facts: first.analysis.facts, dialect: first.dialect, textOf: read }, rules),
        );
  const outcome = yield* resultOf(tools, {
    ...context,
    uri,
    dialects: plausible.map(({ dialect }) => dialect),
    found,
    notes,
    inactiveBranches: inactiveInAll(
      file.readings.map(({ pieces }) =>
        inactiveIn(
          pieces.map(({ unit }) => unit),
          file,
        ),
      ),
    ),
    parseErrors: own.flatMap((reading) => file.treeOf(reading).errors.map((span) => file.locate(reading.unit.view.origin(span).location))),
    isUnderstood: isWhole && pieces.every((reading) => reading.unit.notes.length === 0 && isReadWhole(file, reading)),
    ...file.understanding(),
    ofFacts: judged[0] === undefined ? noCoverage : coverageOfFacts(uri, judged[0].facts, unitsAt(file, plausible[0]?.at ?? 0)),
    itemStarts: startsIn(file),
    unread: [...new Set(file.readings.flatMap(({ list }) => list.pieces.flatMap(({ unit }) => unreadOf(unit))))],
    dependencies,
    summary: summary === undefined ? undefined : locatedSummary(summary, file.locate),
    readers: answer(),
    isActive: (offset) => isActive(file, offset),
  });
  return withOpenMacros(outcome, [...new Set(own.flatMap(({ unit }) => unitsIn(unit)))]);
}

/** Pieces that are the same code for both sides have the same facts. */
function hostReadingIn(
  readings: readonly { readonly dialect: Dialect; readonly analysis: { readonly facts: Facts } }[],
): CheckedFile["hostReading"] {
  const onHost = readings.filter(({ dialect }) => isHostSide(dialect));
  if (onHost.length === 0) return undefined;
  return onHost.every(({ analysis }) => analysis.facts === readings[0]?.analysis.facts) ? "same" : "other";
}

/** The branches of the file itself that are left out, at places of the file. */
function inactiveIn(pieces: readonly Unit[], file: PieceFile): FileReport["inactiveBranches"] {
  const located = pieces.flatMap(({ inactiveBranches = [] }) =>
    inactiveBranches.map((branch) => ({ ...branch, location: file.locate(branch.location) })),
  );
  return located.filter(({ location }) => location.uri === file.row.uri);
}

function isReadWhole(file: PieceFile, reading: ReadPiece): boolean {
  const { errors, unknownWords } = file.treeOf(reading);
  return errors.length === 0 && unknownWords.length === 0;
}

/** The findings that hold whatever the pieces say that were not judged: errors, which compilers report regardless of other code. */
export function certainIn<At extends Pick<Finding, "rule" | "severity">>({ end, row }: PieceFile, found: readonly At[]): readonly At[] {
  return end === row.pieces.length ? found : found.filter((finding) => severityOf(finding) === "error");
}

/** The place from which on the file is not checked; its start if all of it was, and only the rules about several pieces were not. */
function endIn({ end, row, readings: [first], treeOf, locate }: PieceFile): Location {
  const reading = first?.pieces[end];
  if (reading === undefined) return { uri: row.uri, span: { start: 0, end: 0 } };
  return locate(reading.unit.view.origin(treeOf(reading).items[0]?.span ?? { start: 0, end: 0 }).location);
}

/** The findings without repetitions: two pieces that declare one function may both report it. */
function withoutDoubles(findings: readonly Finding<UnitLocation>[]): readonly Finding<UnitLocation>[] {
  const first = new Map<string, Finding<UnitLocation>>();
  for (const finding of findings) keepMostSevere(first, finding, severityOf);
  return [...first.values()];
}

/** The files of the translation unit. */
function dependenciesOfPieces({ readings }: PieceFile): readonly string[] {
  const units = readings.flatMap(({ list: { pieces, prelude } }) => [
    ...pieces.map(({ unit }) => unit),
    ...(prelude === undefined ? [] : [prelude]),
  ]);
  return [...new Set([...units.flatMap(dependenciesOf).map(fileOf)])];
}

function isActive({ row, readings }: PieceFile, offset: number): boolean {
  const index = pieceAt(row.starts, offset);
  const start = row.starts[index] ?? 0;
  return readings.some(({ pieces }) => {
    const reading = pieces[index];
    return reading?.unit.view.offsetOf(reading.piece.uri, offset - start) !== undefined;
  });
}

/** The start of each declaration in the file, in order. */
export function startsIn({ row, readings, treeOf, end }: PieceFile): readonly number[] {
  const [first] = readings;
  const all: number[] = [];
  for (const [index, reading] of (first?.pieces.slice(0, end) ?? []).entries()) {
    const start = row.starts[index] ?? 0;
    for (const offset of startsInPiece(reading, treeOf)) all.push(start + offset);
  }
  return all;
}

const startsInPiece = memo((reading: ReadPiece, treeOf: PieceFile["treeOf"]) => itemStarts(reading.unit, treeOf(reading)));
