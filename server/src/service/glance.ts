/**
 * What can be said of an open file at once after an edit: the rules of single items speak of the pieces that the edit touched, and
 * everything else is carried along from the last complete check. A glance costs what the edit changes; the check that follows it has
 * the last word.
 */

import { mergeDialects } from "../diagnostics/merge.ts";
import { itemStarts } from "../diagnostics/outline.ts";
import { keyOf } from "../diagnostics/report.ts";
import { applySuppressions } from "../diagnostics/suppressions.ts";
import type { Dialect } from "../dialect.ts";
import type { Diagnostic, Finding } from "../finding.ts";
import type { Piece, Row } from "../preprocess/preprocessor.ts";
import { rules } from "../rules/index.ts";
import type { Location } from "../source.ts";
import { inOneGo, type Steps } from "../steps.ts";
import { activeRules, severityOf, toDiagnostic } from "./check-file.ts";
import type { Tools } from "./options.ts";
import { createPieceFile, type PieceFile, type PieceFileHolder, type PieceSource } from "./piece-file.ts";
import { contextOf } from "./read-file.ts";

/** What an editor shows until the complete check is done. */
export interface Glance {
  readonly diagnostics: readonly Diagnostic[];
  /** Where the file's declarations begin, in order. */
  readonly itemStarts: readonly number[];
}

/** What can be said of an open file at once, from its last complete check. */
export interface Glances {
  /** The file has been checked completely, and this was found in the text as it is now. */
  note(uri: string, found: readonly Diagnostic[]): void;
  /** Makes ready what a glance needs, in steps. */
  prepare(uri: string): Steps<void>;
  /**
   * `linked` is what the file's last complete check found with other files. Undefined where only such a check can say anything.
   */
  of(uri: string, linked: readonly Diagnostic[]): Glance | undefined;
  /** The file is not looked at any more. */
  forget(uri: string): void;
}

/** Files whose pieces are kept. */
const mostFiles = 8;

/** So many pieces are judged in a glance, where an edit may have changed what they mean. */
const mostAtOnce = 48;

interface Entry {
  readonly holder: PieceFileHolder;
  /** The last complete check: how the file was read, its text, and what was found. */
  noted: { readonly source: PieceSource; readonly row: Row; readonly found: readonly Diagnostic[] } | undefined;
  isReady: boolean;
}

/** Glances at the files that are open; what they need of a file is kept until it is forgotten. */
export function createGlances(tools: Tools): Glances {
  const entries = new Map<string, Entry>();
  const entryOf = (uri: string): Entry => {
    const entry = entries.get(uri) ?? { holder: createPieceFile(), noted: undefined, isReady: false };
    entries.delete(uri);
    entries.set(uri, entry);
    const [oldest] = entries.keys();
    if (entries.size > mostFiles && oldest !== undefined) entries.delete(oldest);
    return entry;
  };
  const sourceOf = (uri: string) => {
    const context = contextOf(tools, uri);
    if (context.root !== uri || context.dialects.length === 0) return undefined;
    return { tools, uri, settings: context.settings, dialects: context.dialects, rules: activeRules(tools.options, uri).filter(isOfItem) };
  };
  return {
    note: (uri, found) => {
      const source = tools.hosts.of(uri).length > 0 ? undefined : sourceOf(uri);
      if (source === undefined) return void entries.delete(uri);
      const entry = entryOf(uri);
      const row = entry.holder.rowOf(source);
      entry.noted = row === undefined ? undefined : { source, row, found };
    },
    prepare: function* (uri) {
      const entry = entries.get(uri);
      if (entry?.noted === undefined) return;
      const file = yield* entry.holder.update(entry.noted.source);
      if (typeof file === "string" || file.row.isWhole) return;
      yield* entry.holder.complete();
      entry.isReady = true;
    },
    of: (uri, linked) => {
      const entry = entries.get(uri);
      if (entry?.noted === undefined || !entry.isReady) return undefined;
      const { source, row, found } = entry.noted;
      const file = inOneGo(entry.holder.update(source));
      if (typeof file === "string" || file.row.isWhole) return undefined;
      if (entry.holder.left() <= mostAtOnce) inOneGo(entry.holder.complete());
      const carried = carry([...found.filter(({ rule }) => !isJudgedByPiece(rule)), ...linked], row, file.row);
      const own = findingsOf(file)
        .map((finding) => toDiagnostic(located(finding, file), tools.options))
        .filter((diagnostic) => diagnostic !== undefined);
      const { kept } = applySuppressions(own, tools.suppressionsOf);
      return {
        diagnostics: [...kept, ...carried].sort((a, b) => a.location.span.start - b.location.span.start),
        itemStarts: startsIn(file),
      };
    },
    forget: (uri) => void entries.delete(uri),
  };
}

/** Whether the rule speaks of an item from what the item itself says, and from the declarations that it can see. */
function isOfItem({ scope, check }: (typeof rules)[number]): boolean {
  return scope !== "file" && check !== undefined;
}

function isJudgedByPiece(id: string): boolean {
  const rule = rules.find((each) => each.id === id);
  return rule !== undefined && isOfItem(rule);
}

/** What the rules of single items found, joined over the standards, in places of pieces. */
function findingsOf({ row, readings, judgementOf }: PieceFile): readonly Finding[] {
  const judgements = row.pieces.map((_, index) => judgementOf(index)).filter((each) => each !== undefined);
  const all = readings.map((_, at) => at);
  const complete = all.filter((at) => judgements.every(({ isComplete }) => isComplete[at] === true));
  const plausible = complete.length === 0 ? all : complete;
  const dialects = plausible.map((at) => readings[at]?.dialect).filter((dialect): dialect is Dialect => dialect !== undefined);
  // Two pieces that declare one function may both speak of it.
  const found = new Map<string, Finding>();
  for (const judgement of judgements) {
    const own = plausible.map((at) => judgement.found[at] ?? []);
    if (own.every((list) => list.length === 0)) continue;
    for (const finding of mergeDialects(dialects, own, severityOf)) if (!found.has(keyOf(finding))) found.set(keyOf(finding), finding);
  }
  return [...found.values()];
}

/** In places of the file. Fixes look at the whole file: the complete check makes them. */
function located({ fixes: _, ...finding }: Finding, { locate }: PieceFile): Finding {
  const place = <Place extends { readonly location: Location }>(each: Place): Place => ({ ...each, location: locate(each.location) });
  return {
    ...place(finding),
    ...(finding.related === undefined ? {} : { related: finding.related.map(place) }),
    ...(finding.spelledIn === undefined ? {} : { spelledIn: finding.spelledIn.map(locate) }),
  };
}

const starts = new WeakMap<object, readonly number[]>();

function startsIn({ row, readings, treeOf }: PieceFile): readonly number[] {
  const [first] = readings;
  return (first?.units.pieces ?? []).flatMap((reading, index) => {
    const own = starts.get(reading) ?? itemStarts(reading.unit, treeOf(reading));
    starts.set(reading, own);
    return own.map((offset) => offset + (row.starts[index] ?? 0));
  });
}

// ---------------------------------------------------------------- what was found before

/** Moves diagnostics of an earlier text to where their text stands now; those whose text is gone are left out. */
function carry(diagnostics: readonly Diagnostic[], before: Row, now: Row): readonly Diagnostic[] {
  if (diagnostics.length === 0) return [];
  const pieces = new Map(now.pieces.map((piece, index) => [piece.uri, { piece, start: now.starts[index] ?? 0 }]));
  const move = (location: Location): Location | undefined => {
    if (location.uri !== before.uri) return location;
    const index = pieceAt(before, location.span.start);
    const piece = before.pieces[index];
    const target = piece === undefined ? undefined : pieces.get(piece.uri);
    if (piece === undefined || target === undefined) return undefined;
    const start = before.starts[index] ?? 0;
    const span = spanIn(piece, target.piece, { start: location.span.start - start, end: location.span.end - start });
    return span === undefined ? undefined : { uri: now.uri, span: { start: target.start + span.start, end: target.start + span.end } };
  };
  return diagnostics.flatMap((diagnostic) => {
    const location = move(diagnostic.location);
    if (location === undefined) return [];
    const related = diagnostic.related.flatMap((each) => {
      const there = move(each.location);
      return there === undefined ? [] : [{ ...each, location: there }];
    });
    return [{ ...diagnostic, location, related, fixes: [] }];
  });
}

function pieceAt({ starts: all }: Row, offset: number): number {
  let low = 0;
  let high = all.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((all[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Where a span of a piece's old text stands in its new one; undefined where the edit touches it. */
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
