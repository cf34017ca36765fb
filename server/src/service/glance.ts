/**
 * Gives immediate results for open files. A file is read piece by piece, together with the open headers that it includes. A complete
 * check judges all pieces, and runs the rules about several of them. A glance after an edit judges the pieces that the edit touched
 * and keeps everything else, so it costs as much as the edit changes. The check that follows replaces its result.
 */
import { mergeDialects } from "../diagnostics/merge.ts";
import { movedDiagnostics } from "../diagnostics/moved-diagnostics.ts";
import { keepMostSevere, keyOf } from "../diagnostics/report.ts";
import { applySuppressions } from "../diagnostics/suppressions.ts";
import { type Dialect, isHostSide } from "../dialect.ts";
import type { Diagnostic, Finding } from "../finding.ts";
import { memoOfLatest } from "../memo.ts";
import { dependenciesOf, type ListUnits, type Piece, type Row } from "../preprocess/preprocessor.ts";
import { fileOf, pieceAt } from "../preprocess/row.ts";
import { type Location, textOf, type UnitLocation } from "../source.ts";
import { inOneGo, type Steps } from "../steps.ts";
import { checkAnalyzed } from "./check-file.ts";
import { certainIn, checkPieces, startsIn } from "./check-pieces.ts";
import { activeRules, type CheckOutcome, severityOf, toDiagnostic } from "./file-result.ts";
import { locatedDiagnostic as located } from "./in-file.ts";
import { mostAtOnce, type PieceFindings } from "./kept-findings.ts";
import { createOpenRows } from "./open-rows.ts";
import type { Tools } from "./options.ts";
import { createPieceUnit, type PieceFile, type PieceSource, type PieceUnit } from "./piece-file.ts";
import { longestText } from "./piece-list.ts";
import { type AnalyzedFile, contextWith, type FileContext, type FilesReached, filesByText, mayExceedBudget } from "./read-file.ts";

/** What an editor shows until the complete check has finished. */
export interface Glance {
  readonly diagnostics: readonly Diagnostic[];
  /** The start of each declaration in the file, in order. */
  readonly itemStarts: readonly number[];
}

/** The open files, piece by piece. */
export interface Glances {
  /** The complete result of a file; undefined if it cannot be read piece by piece. */
  check(uri: string): Steps<CheckOutcome | undefined>;
  /** Records that the file has been checked completely, and the findings that are shown for its current text. */
  note(uri: string, found: readonly Diagnostic[]): void;
  /**
   * The glance at a file. `linked` are the findings between files from the file's last complete check. Undefined if only a complete
   * check can tell.
   */
  of(uri: string, linked: readonly Diagnostic[]): Glance | undefined;
  /**
   * What the first check of an open file has found so far: the findings in the items that have been judged, if they have the same
   * words under every standard. The complete check adds to it and takes nothing back. Empty once the file has been checked
   * completely.
   */
  soFar(uri: string): readonly Diagnostic[];
  /** The file as its last complete check has read it; undefined if it was not read by pieces, or if its text has changed since. */
  checkedFile(uri: string): PieceFile | undefined;
}

/** How many translation units are kept piece by piece. */
const mostUnits = 8;

/** A translation unit: a file that is compiled, with its open headers. */
interface Entry {
  readonly unit: PieceUnit;
  /** How it was read last. */
  source: PieceSource | undefined;
  /** By file, the last complete check: its text, and the findings that only the whole file could tell. */
  readonly noted: Map<string, { readonly row: Row; readonly ofFile: readonly Diagnostic[] }>;
}

/** Checks of open files, and glances at them; keeps what they need for the most recently used files. */
export function createGlances(tools: Tools): Glances {
  const rows = createOpenRows(tools);
  /** By the file that is compiled. */
  const entries = new Map<string, Entry>();
  /** The file in whose translation unit each file was checked last. */
  const roots = new Map<string, string>();
  const entryOf = (root: string): Entry => {
    const entry = entries.get(root) ?? { unit: createPieceUnit(), source: undefined, noted: new Map() };
    entries.delete(root);
    entries.set(root, entry);
    const [oldest] = entries.keys();
    if (entries.size > mostUnits && oldest !== undefined) entries.delete(oldest);
    return entry;
  };
  const entryAround = (uri: string): Entry | undefined => entries.get(roots.get(uri) ?? uri);
  /** The file is not read by pieces. */
  const forget = (uri: string): undefined => {
    const root = roots.get(uri);
    roots.delete(uri);
    if (root === uri) entries.delete(uri);
    else entries.get(root ?? "")?.noted.delete(uri);
    return undefined;
  };
  const updated = function* (root: string, { settings, dialects }: FileContext): Steps<Entry> {
    const entry = entryOf(root);
    entry.source = { tools, rows, uri: root, settings, dialects, rulesOf: (uri) => activeRules(tools.options, uri) };
    yield* entry.unit.update(entry.source);
    return entry;
  };
  /** The files that a candidate includes, as its pieces tell. A candidate whose pieces are not known is read as a whole. */
  const reaches: FilesReached = function* (candidate, header) {
    if (!entries.has(candidate)) return yield* filesByText(tools, candidate);
    const context = yield* contextWith(tools, candidate, (other) => filesByText(tools, other));
    const list = (yield* updated(candidate, context)).unit.list();
    if (list === undefined || list.isWhole) return yield* filesByText(tools, candidate);
    noteLists(tools, context, list.units);
    return list.rows.has(header) ? [header] : filesOf(list.units[0]);
  };
  return {
    check: function* (uri) {
      const isWhole = textOf(tools.options.files, uri).length > longestText;
      const context = isWhole ? undefined : yield* contextWith(tools, uri, reaches);
      if (context === undefined || context.dialects.length === 0) return forget(uri);
      const entry = yield* updated(context.root, context);
      const { unit } = entry;
      const file = unit.file(uri);
      if (file === undefined || file.row.isWhole) return forget(uri);
      roots.set(uri, context.root);
      yield* unit.complete(uri, true);
      const checked = yield* checkPieces(tools, uri, context, file);
      noteLists(
        tools,
        context,
        file.readings.map(({ list }) => list),
      );
      return checked;
    },
    note: (uri, found) => {
      const entry = entryAround(uri);
      const file = entry?.unit.file(uri);
      if (entry === undefined || file === undefined) return;
      const ofItems = new Set(diagnosticsOf(file, tools, "of plausible standards").map(keyOf));
      entry.noted.set(uri, { row: file.row, ofFile: found.filter((each) => !ofItems.has(keyOf(each))) });
    },
    of: (uri, linked) => {
      const entry = entryAround(uri);
      const noted = entry?.noted.get(uri);
      if (entry?.source === undefined || noted === undefined) return undefined;
      const { unit, source } = entry;
      const { row, ofFile } = noted;
      inOneGo(unit.update(source));
      const file = unit.file(uri);
      if (file === undefined || file.row.isWhole) return undefined;
      if (unit.left(uri) <= mostAtOnce) inOneGo(unit.complete(uri, false));
      // If a piece has not been checked, too much is new for a glance, and the complete check reports the findings.
      const isJudged = unit.left(uri) === 0 || file.row.pieces.slice(0, file.end).every((_, index) => file.findingsOf(index) !== undefined);
      if (unit.isSpoilt() || !isJudged) return undefined;
      const carried = carry([...ofFile, ...linked], row, file.row);
      const { kept } = applySuppressions(diagnosticsOf(file, tools, "of plausible standards"), tools.suppressionsOf);
      return {
        diagnostics: [...kept, ...carried].sort((a, b) => a.location.span.start - b.location.span.start),
        get itemStarts() {
          return startsIn(file);
        },
      };
    },
    checkedFile: (uri) => {
      const entry = entryAround(uri);
      const file = entry?.unit.file(uri);
      const noted = entry?.noted.get(uri);
      if (entry === undefined || file === undefined || noted === undefined || entry.unit.left(uri) > 0) return undefined;
      return noted.row === file.row && file.row.text === textOf(tools.options.files, uri) ? file : undefined;
    },
    soFar: (uri) => {
      const entry = entryAround(uri);
      const file = entry?.unit.file(uri);
      if (entry?.noted.has(uri) === true || file === undefined || file.row.isWhole) return [];
      // The check will start over with the new text.
      if (file.row.text !== textOf(tools.options.files, uri)) return [];
      return applySuppressions(diagnosticsOf(file, tools, "of all standards"), tools.suppressionsOf).kept;
    },
  };
}

/**
 * The result of a file that is not open, or that cannot be read by pieces. It is read by pieces nevertheless if its budget may end
 * in it: where it ends is the same for an open file and a closed one.
 */
export function* checkWhole(tools: Tools, uri: string, reading: AnalyzedFile): Steps<CheckOutcome> {
  const { options } = tools;
  // An open file is here because it cannot be read by pieces.
  const isByPieces = options.isOpen?.(uri) !== true && mayExceedBudget(tools, uri, reading);
  const isOpen = (other: string) => other === uri || options.isOpen?.(other) === true;
  const pieces = isByPieces ? yield* createGlances({ ...tools, options: { ...options, isOpen } }).check(uri) : undefined;
  return pieces ?? (yield* checkAnalyzed(tools, uri, reading));
}

/** Fixes depend on the whole file, so the complete check creates them. */
function withoutFixes({ fixes: _, ...finding }: Finding<UnitLocation>): Finding<UnitLocation> {
  return finding;
}

/** Records the units of a list. */
function noteLists({ notebook }: Tools, { settings }: FileContext, lists: readonly ListUnits[]): void {
  for (const { pieces } of lists) for (const { unit } of pieces) notebook.unit({ unit, paths: settings.includePaths });
}

/** The files that a list consists of, and those that it includes. */
function filesOf(units: ListUnits | undefined): readonly string[] {
  return (units?.pieces ?? []).flatMap(({ unit }) => dependenciesOf(unit)).map(fileOf);
}

/** The findings of rules about single items, joined over the standards, in places of the file. */
function diagnosticsOf(file: PieceFile, { options }: Tools, which: "of plausible standards" | "of all standards"): readonly Diagnostic[] {
  const { row, readings } = file;
  const incomplete = new Set<number>();
  const reporting: { readonly uri: string; readonly findings: PieceFindings }[] = [];
  for (const [index, { uri }] of row.pieces.entries()) {
    const findings = file.findingsOf(index);
    if (findings === undefined || findings.isBlank) continue;
    for (const [at, is] of findings.isComplete.entries()) if (!is) incomplete.add(at);
    if (findings.found.some((list) => list.length > 0)) reporting.push({ uri, findings });
  }
  const all = readings.map((_, at) => at);
  const plausible = incomplete.size === all.length || which === "of all standards" ? all : all.filter((at) => !incomplete.has(at));
  const dialects = plausible.map((at) => readings[at]?.dialect).filter((dialect): dialect is Dialect => dialect !== undefined);
  const under = `${which} ${file.end === row.pieces.length} ${plausible.join(" ")} ${JSON.stringify(options.rules?.severitiesOf(row.uri))}`;
  const found: Diagnostic[] = [];
  let mayRepeat = false;
  for (const { uri, findings } of reporting) {
    const diagnostics = inPieces(findings, under, () =>
      withoutRepetitions(
        mergeDialects(
          dialects,
          plausible.map((at) => certainIn(file, findings.found[at] ?? [])),
          severityOf,
        )
          .filter(
            (finding) =>
              which === "of plausible standards" ||
              dialects.some(isHostSide) ||
              findings.found.every((list) => list.some((other) => isSame(other, finding))),
          )
          .map((finding) => toDiagnostic(withoutFixes(finding), options, row.uri))
          .filter((diagnostic) => diagnostic !== undefined),
      ),
    );
    for (const each of diagnostics) {
      mayRepeat ||= each.location.uri !== uri;
      found.push(located(each, file.locate));
    }
  }
  // Two pieces that declare one function may both report it.
  return mayRepeat ? withoutRepetitions(found) : found;
}

function withoutRepetitions<At extends Location | UnitLocation>(diagnostics: readonly Diagnostic<At>[]): readonly Diagnostic<At>[] {
  const first = new Map<string, Diagnostic<At>>();
  for (const diagnostic of diagnostics) keepMostSevere(first, diagnostic, ({ severity }) => severity);
  return [...first.values()];
}

function isSame(a: Finding<UnitLocation>, b: Finding<UnitLocation>): boolean {
  return keyOf(a) === keyOf(b) && a.message === b.message;
}

/** The diagnostics of a piece, in places of the piece: kept as long as the standards and the settings are the same. */
const inPieces = memoOfLatest((_: PieceFindings, _under: string, convert: () => readonly Diagnostic<UnitLocation>[]) => convert());

// ---------------------------------------------------------------- earlier findings

/** Moves diagnostics of an earlier text to the current positions of their text, and drops those whose text is gone. */
function carry(diagnostics: readonly Diagnostic[], before: Row, now: Row): readonly Diagnostic[] {
  if (diagnostics.length === 0) return [];
  const move = (location: Location): Location | undefined => {
    if (location.uri !== before.uri) return location;
    const index = pieceAt(before.starts, location.span.start);
    const piece = before.pieces[index];
    const at = piece === undefined ? undefined : now.indices.get(piece.uri);
    const target = at === undefined ? undefined : now.pieces[at];
    if (piece === undefined || at === undefined || target === undefined) return undefined;
    const start = before.starts[index] ?? 0;
    const there = now.starts[at] ?? 0;
    const span = spanIn(piece, target, { start: location.span.start - start, end: location.span.end - start });
    return span === undefined ? undefined : { uri: now.uri, span: { start: there + span.start, end: there + span.end } };
  };
  return movedDiagnostics(diagnostics, move);
}

/** The place of a span of a piece's old text in its new one; undefined if the edit touches it. */
function spanIn(old: Piece, now: Piece, span: Location["span"]): Location["span"] | undefined {
  if (old === now || old.text === now.text) return span;
  const shortest = Math.min(old.text.length, now.text.length);
  let front = 0;
  while (front < shortest && old.text.charCodeAt(front) === now.text.charCodeAt(front)) front += 1;
  if (span.end <= front) return span;
  let back = 0;
  while (back < shortest - front && old.text.charCodeAt(old.text.length - 1 - back) === now.text.charCodeAt(now.text.length - 1 - back))
    back += 1;
  const growth = now.text.length - old.text.length;
  return span.start >= old.text.length - back ? { start: span.start + growth, end: span.end + growth } : undefined;
}
