/**
 * Gives immediate results for open files. A file is read piece by piece. A complete check judges all pieces, and runs the rules
 * about several of them. A glance after an edit judges the pieces that the edit touched and keeps everything else, so it costs as
 * much as the edit changes. The check that follows replaces its result.
 */
import { mergeDialects } from "../diagnostics/merge.ts";
import { movedDiagnostics } from "../diagnostics/moved-diagnostics.ts";
import { keyOf } from "../diagnostics/report.ts";
import { applySuppressions } from "../diagnostics/suppressions.ts";
import type { Dialect } from "../dialect.ts";
import type { Diagnostic, Finding } from "../finding.ts";
import { dependsOnWorkspace, type Piece, type Row } from "../preprocess/preprocessor.ts";
import { pieceAt } from "../preprocess/row.ts";
import { prelude } from "../semantics/builtins/index.ts";
import type { Location, UnitLocation } from "../source.ts";
import { inOneGo, type Steps } from "../steps.ts";
import { checkPieces, ofItems, startsIn } from "./check-pieces.ts";
import { locatedDiagnostic as located } from "./in-file.ts";
import { activeRules, type CheckedReading, severityOf, toDiagnostic } from "./judgement.ts";
import { type Judgement, mostAtOnce } from "./kept-judgements.ts";
import type { Tools } from "./options.ts";
import { createPieceFile, type PieceFile, type PieceFileHolder, type PieceSource } from "./piece-file.ts";
import { contextInSteps, contextOf, type ReadingContext, textOf } from "./read-file.ts";

/** What an editor shows until the complete check has finished. */
export interface Glance {
  readonly diagnostics: readonly Diagnostic[];
  /** The start of each declaration in the file, in order. */
  readonly itemStarts: readonly number[];
}

/** The open files, piece by piece. */
export interface Glances {
  /** The complete judgement of a file; undefined if it cannot be read piece by piece. */
  check(uri: string): Steps<CheckedPieces | undefined>;
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

/** The judgement of a file, and what it depends on besides the texts that it names. */
export interface CheckedPieces extends CheckedReading {
  readonly tried: readonly string[];
  /** Tests whether the pieces would be read differently now; undefined if that depends only on the named texts. */
  readonly isReadOtherwise: (() => boolean) | undefined;
}

/** How many files' pieces are kept. */
const mostFiles = 8;

/** The greatest length of a text that is read by pieces; a longer one, some 60,000 lines, takes too long to cut in one step. */
const longestText = 2_000_000;

/** A file that exceeded its budget is read by pieces again once its length has fallen below this share. */
const shorter = 0.9;

interface Entry {
  readonly holder: PieceFileHolder;
  /** The last complete check: how the file was read, its text, and the findings that only the whole file could tell. */
  noted: { readonly source: PieceSource; readonly row: Row; readonly ofFile: readonly Diagnostic[] } | undefined;
}

/** Checks of open files, and glances at them; keeps what they need for the most recently used files. */
export function createGlances(tools: Tools): Glances {
  const entries = new Map<string, Entry>();
  /** The lengths of texts whose pieces exceeded their budget. */
  const tooComplex = new Map<string, number>();
  const entryOf = (uri: string): Entry => {
    const entry = entries.get(uri) ?? { holder: createPieceFile(), noted: undefined };
    entries.delete(uri);
    entries.set(uri, entry);
    const [oldest] = entries.keys();
    if (entries.size > mostFiles && oldest !== undefined) entries.delete(oldest);
    return entry;
  };
  const sourceOf = (uri: string, { settings, dialects }: ReadingContext): PieceSource => ({
    tools,
    uri,
    settings,
    dialects,
    rules: ofItems(activeRules(tools.options, uri)),
  });
  return {
    check: function* (uri) {
      const { length } = textOf(tools.options.files, uri);
      const isComplex = length > (tooComplex.get(uri) ?? Number.POSITIVE_INFINITY) * shorter;
      const isWhole = tools.hosts.of(uri).length > 0 || length > longestText || isComplex;
      const context = isWhole ? undefined : yield* contextInSteps(tools, uri);
      if (context === undefined || context.root !== uri || context.dialects.length === 0) {
        entries.delete(uri);
        return undefined;
      }
      const { holder } = entryOf(uri);
      const file = yield* holder.update(sourceOf(uri, context));
      if (typeof file === "string" || file.row.isWhole) {
        if (file === "overdrawn") tooComplex.set(uri, length);
        entries.delete(uri);
        return undefined;
      }
      yield* holder.complete();
      const checked = file.isTooComplex ? undefined : yield* checkPieces(tools, uri, context, file);
      if (checked === undefined) {
        tooComplex.set(uri, length);
        entries.delete(uri);
        return undefined;
      }
      tooComplex.delete(uri);
      return { ...checked, tried: context.tried, isReadOtherwise: isReadOtherwise(tools, file) };
    },
    note: (uri, found) => {
      const entry = entries.get(uri);
      const file = entry?.holder.current();
      if (entry === undefined || file === undefined) return;
      const ofItems = new Set(diagnosticsOf(file, tools, "of plausible standards").map(keyOf));
      const ofFile = found.filter((each) => !ofItems.has(keyOf(each)));
      entry.noted = { source: sourceOf(uri, contextOf(tools, uri)), row: file.row, ofFile };
    },
    of: (uri, linked) => {
      const entry = entries.get(uri);
      if (entry?.noted === undefined) return undefined;
      const { source, row, ofFile } = entry.noted;
      const file = inOneGo(entry.holder.update(source));
      if (typeof file === "string" || file.row.isWhole) return undefined;
      if (entry.holder.left() <= mostAtOnce) inOneGo(entry.holder.complete());
      // If a piece has no judgement, too much is new for a glance, and the complete check reports the findings.
      const isJudged = entry.holder.left() === 0 || file.row.pieces.every((_, index) => file.judgementOf(index) !== undefined);
      if (file.isTooComplex || !isJudged) return undefined;
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
      const entry = entries.get(uri);
      const file = entry?.holder.current();
      if (entry?.noted === undefined || file === undefined || entry.holder.left() > 0) return undefined;
      return entry.noted.row === file.row && file.row.text === textOf(tools.options.files, uri) ? file : undefined;
    },
    soFar: (uri) => {
      const entry = entries.get(uri);
      const file = entry?.holder.current();
      if (entry?.noted !== undefined || file === undefined || file.row.isWhole) return [];
      // The check will start over with the new text.
      if (file.row.text !== textOf(tools.options.files, uri)) return [];
      return applySuppressions(diagnosticsOf(file, tools, "of all standards"), tools.suppressionsOf).kept;
    },
  };
}

/** Fixes depend on the whole file, so the complete check creates them. */
function withoutFixes({ fixes: _, ...finding }: Finding<UnitLocation>): Finding<UnitLocation> {
  return finding;
}

/** A test that asks the preprocessor again, because other files than those that it read may change its answer. */
function isReadOtherwise({ preprocessor }: Tools, { row, settings, readings }: PieceFile): CheckedPieces["isReadOtherwise"] {
  const dependent = readings.filter(({ units: { half, pieces } }) => half !== "no" || pieces.some(({ unit }) => dependsOnWorkspace(unit)));
  if (dependent.length === 0) return undefined;
  return () =>
    dependent.some(({ dialect, units }) => {
      const now = inOneGo(preprocessor.readRow(row, dialect, settings, prelude(dialect), units));
      return now.half !== units.half || now.pieces.some((piece, index) => piece !== units.pieces[index]);
    });
}

/** The findings of rules about single items, joined over the standards, in places of the file. */
function diagnosticsOf(file: PieceFile, { options }: Tools, which: "of plausible standards" | "of all standards"): readonly Diagnostic[] {
  const { row, readings } = file;
  const incomplete = new Set<number>();
  const reporting: { readonly uri: string; readonly judgement: Judgement }[] = [];
  for (const [index, { uri }] of row.pieces.entries()) {
    const judgement = file.judgementOf(index);
    if (judgement === undefined || judgement.isBlank) continue;
    for (const [at, is] of judgement.isComplete.entries()) if (!is) incomplete.add(at);
    if (judgement.found.some((list) => list.length > 0)) reporting.push({ uri, judgement });
  }
  const all = readings.map((_, at) => at);
  const plausible = incomplete.size === all.length || which === "of all standards" ? all : all.filter((at) => !incomplete.has(at));
  const dialects = plausible.map((at) => readings[at]?.dialect).filter((dialect): dialect is Dialect => dialect !== undefined);
  const under = `${which} ${plausible.join(" ")} ${JSON.stringify(options.rules?.severitiesOf(row.uri))}`;
  const found: Diagnostic[] = [];
  let mayRepeat = false;
  for (const { uri, judgement } of reporting) {
    const diagnostics = inPieces(judgement, under, () =>
      withoutRepetitions(
        mergeDialects(
          dialects,
          plausible.map((at) => judgement.found[at] ?? []),
          severityOf,
        )
          .filter(
            (finding) =>
              which === "of plausible standards" || judgement.found.every((list) => list.some((other) => isSame(other, finding))),
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
  for (const diagnostic of diagnostics) {
    const { uri, span } = diagnostic.location;
    const key = `${diagnostic.rule} ${span.start} ${span.end} ${uri}`;
    if (!first.has(key)) first.set(key, diagnostic);
  }
  return [...first.values()];
}

function isSame(a: Finding<UnitLocation>, b: Finding<UnitLocation>): boolean {
  return keyOf(a) === keyOf(b) && a.message === b.message;
}

/** The diagnostics of a judgement, in places of its piece: kept as long as the standards and the settings are the same. */
const known = new WeakMap<Judgement, { readonly under: string; readonly diagnostics: readonly Diagnostic<UnitLocation>[] }>();

function inPieces(
  judgement: Judgement,
  under: string,
  convert: () => readonly Diagnostic<UnitLocation>[],
): readonly Diagnostic<UnitLocation>[] {
  const last = known.get(judgement);
  if (last?.under === under) return last.diagnostics;
  const diagnostics = convert();
  known.set(judgement, { under, diagnostics });
  return diagnostics;
}

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
