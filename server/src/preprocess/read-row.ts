/**
 * Reads the pieces of a row in order, each into a unit of its own. A piece's unit is kept as long as the macros, the open
 * conditionals and the included files are the same. So an edit of a body makes only one piece be read again.
 */
import type { Steps } from "../steps.ts";
import { add, type Costs, costBetween, isOverdrawn, noCosts } from "./costs.ts";
import { dependsOnWorkspace } from "./dependencies.ts";
import { type CachedUnit, cachedUnitOf, includeForced, isReusable, readPieceModule, type UnitCache } from "./includes.ts";
import type { Changes, Environment as Definitions } from "./macros/macros.ts";
import { Environment } from "./macros/macros.ts";
import type { Conditional, Job } from "./module.ts";
import { isFinished, type Piece, type Row } from "./row.ts";
import type { Unit } from "./view/view.ts";

/** A piece as read under one dialect. */
export interface PieceReading {
  readonly piece: Piece;
  readonly unit: Unit;
  readonly cached: CachedUnit;
  /** The conditionals that are open before and after it. */
  readonly before: readonly Conditional[];
  readonly after: readonly Conditional[];
  /** The time of the reading. */
  readonly tick: number;
  /** Its View shows that the raw text misled the cut. */
  readonly isMiscut: boolean;
  /** Its View contains the word `half`. */
  readonly hasHalf: boolean;
}

/** The result of reading a row of pieces. */
export interface RowReading {
  readonly row: Row;
  readonly pieces: readonly PieceReading[];
  /** What reading all pieces costs, however many of them were read before. */
  readonly cost: Costs;
  /** The length of all pieces' Views, in characters. */
  readonly length: number;
  /** The file must be read as one piece, because a piece is miscut. */
  readonly isMiscut: boolean;
  /** The pieces exceed the budget of the file, so that what one contains depends on all before it. */
  readonly isOverdrawn: boolean;
}

/** What the reader of a row needs from the preprocessor. */
export interface RowReader {
  readonly cache: UnitCache;
  readonly job: Job;
  /** The definitions before the file's first line. */
  readonly base: Definitions;
  /** Earlier readings of a piece in this flavour of the language, which several dialects may share. */
  known(piece: Piece): PieceReading[];
  /** The present time, and the time of the last change of a file. */
  readonly tick: number;
  changedAt(uri: string): number;
  /** Nothing except the file itself has changed since the earlier reading. */
  readonly isUndisturbed: boolean;
}

/** How many pieces are examined in one step. */
const piecesInStep = 256;
/** Stands in place of a file's name for questions about all files. */
export const wholeWorkspace = "";

/** Reads a row; `earlier` is the last reading of the same file in the same dialect. */
export function* readRow(reader: RowReader, row: Row, earlier: RowReading | undefined): Steps<RowReading> {
  const { job, base } = reader;
  const granted = { ...job.budget };
  const environment = new Environment(job.interner, base);
  const old = reader.isUndisturbed && earlier?.row.isWhole === row.isWhole ? earlier.pieces : [];
  const growth = row.pieces.length - old.length;
  const pieces: PieceReading[] = [];
  let conditionals: readonly Conditional[] = [];
  const take = (read: PieceReading): void => {
    pieces.push(read);
    environment.apply(read.cached.changes);
    job.counter = read.cached.counter?.after ?? job.counter;
    conditionals = read.after;
  };
  // All pieces before the edit equal the earlier ones, and so does the state after them.
  for (const same of old) {
    if (row.pieces[pieces.length] !== same.piece) break;
    take(same);
  }
  const freshFrom = pieces.length;
  let lines = freshFrom < row.pieces.length ? linesBefore(row, freshFrom) : 0;
  let cost: Costs | undefined;
  let length: number | undefined;
  for (const piece of row.pieces.slice(freshFrom)) {
    const index = pieces.length;
    // The pieces after the edit do not change either, if the edited pieces affect macros and conditionals as the replaced ones did.
    if (earlier !== undefined && old[index - growth]?.piece === piece && isSame(conditionals, old[index - growth]?.before ?? [])) {
      const fresh = pieces.slice(freshFrom);
      const replaced = old.slice(freshFrom, index - growth);
      const following = old.slice(index - growth);
      if (haveSameEffects(fresh, replaced, following)) {
        for (const each of following) pieces.push(each);
        cost = costBetween(costOf(fresh, earlier.cost), costOf(replaced));
        length = earlier.length + lengthOf(fresh) - lengthOf(replaced);
        break;
      }
    }
    const found = reader.known(piece).find((each) => isSame(conditionals, each.before) && isCurrent(reader, each, environment, lines));
    const read = found ?? (yield* readPiece(reader, piece, environment, { conditionals, lines }, index === 0));
    // Whether the budget is overdrawn depends on the other pieces too, so such a reading is not kept for this one.
    if (found === undefined && !isOverdrawn(job.budget)) reader.known(piece).unshift(read);
    if (index % piecesInStep === 0) yield;
    take(read);
    lines += linesIn(piece);
  }
  cost ??= costOf(pieces);
  length ??= lengthOf(pieces);
  const isMiscut = !row.isWhole && pieces.some((each) => each.isMiscut);
  return { row, pieces, cost, length, isMiscut, isOverdrawn: isOverdrawn(costBetween(granted, cost)) };
}

/** What reading these pieces costs, added to another cost. */
function costOf(pieces: readonly PieceReading[], other: Costs = noCosts): Costs {
  const sum = { ...other };
  for (const { cached } of pieces) add(sum, cached.cost);
  return sum;
}

function lengthOf(pieces: readonly PieceReading[]): number {
  return pieces.reduce((sum, { unit }) => sum + unit.view.text.length, 0);
}

/** Tests whether code uses the type `half`, or a name like it. */
export function hasHalf({ view }: Unit): boolean {
  return /\bhalf\b/.test(view.text);
}

/**
 * True if the new pieces do not affect the pieces `following` them differently from the replaced ones: they define the same, and have
 * the same number of lines if that matters.
 */
function haveSameEffects(fresh: readonly PieceReading[], replaced: readonly PieceReading[], following: readonly PieceReading[]): boolean {
  const changesOf = (all: readonly PieceReading[]) => all.map(({ cached }) => cached.changes).filter(({ ids }) => ids.length > 0);
  const before = changesOf(replaced);
  const now = changesOf(fresh);
  if (now.length !== before.length || !now.every((changes, at) => isSameChange(changes, before[at]))) return false;
  const lines = (all: readonly PieceReading[]) => all.reduce((sum, { piece }) => sum + linesIn(piece), 0);
  return lines(fresh) === lines(replaced) || following.every(({ cached }) => cached.linesBefore === undefined);
}

function isSameChange(a: Changes, b: Changes | undefined): boolean {
  if (a.ids.length !== b?.ids.length) return false;
  const others = new Map(b.macros.map((macro, at) => [b.ids[at] ?? 0, macro]));
  return a.macros.every((macro, at) => others.has(a.ids[at] ?? 0) && others.get(a.ids[at] ?? 0)?.key === macro?.key);
}

function isSame(a: readonly Conditional[], b: readonly Conditional[]): boolean {
  return (
    a.length === b.length &&
    a.every((one, at) => {
      const other = b[at];
      return (
        other !== undefined &&
        one.isActive === other.isActive &&
        one.wasTaken === other.wasTaken &&
        one.isOuterActive === other.isOuterActive &&
        one.hadElse === other.hadElse &&
        one.testsPass === other.testsPass
      );
    })
  );
}

function isCurrent(
  { cache, job, changedAt }: RowReader,
  { piece, cached, tick }: PieceReading,
  environment: Definitions,
  lines: number,
): boolean {
  if (cached.linesBefore !== undefined && cached.linesBefore !== lines) return false;
  for (const file of cached.files) if (changedAt(job.interner.textOf(file)) > tick) return false;
  if (changedAt(wholeWorkspace) > tick && dependsOnWorkspace(cached.unit)) return false;
  return isReusable(cache, cached, piece.file, job, environment);
}

function* readPiece(
  { cache, job, tick }: RowReader,
  piece: Piece,
  outer: Definitions,
  start: { readonly conditionals: readonly Conditional[]; readonly lines: number },
  isFirst: boolean,
): Steps<PieceReading> {
  const counter = job.counter;
  const environment = new Environment(job.interner, outer);
  const { module, conditionals } = yield* readPieceModule(job, cache, environment, piece.file, start, function* (fresh) {
    if (!isFirst) return;
    for (const name of job.settings.forcedIncludes)
      yield* includeForced(cache, fresh, name, { uri: piece.uri, span: { start: 0, end: 0 } });
  });
  const cached = cachedUnitOf(module, piece.file, counter);
  const { unit } = cached;
  return {
    piece,
    unit,
    cached,
    before: start.conditionals,
    after: conditionals,
    tick,
    isMiscut: isMiscut(piece, cached),
    hasHalf: hasHalf(unit),
  };
}

/**
 * Whether the View of a piece shows that the raw text misled the cut. A finished piece must consist of whole declarations, or open
 * or close a scope. A piece that uses `__COUNTER__` counts as miscut, because it would depend on all pieces before it.
 */
function isMiscut(piece: Piece, { depth, lowest, isEnded, counter }: CachedUnit): boolean {
  if (counter !== undefined) return true;
  if (!isFinished(piece)) return false;
  if (depth === 1 && lowest === 0) return piece.kind !== "opens";
  if (depth === -1 && lowest === -1) return piece.kind !== "closes";
  return depth !== 0 || lowest < 0 || !isEnded;
}

const lineCounts = new WeakMap<Piece, number>();

/** The number of line breaks in a piece, counted once. */
function linesIn(piece: Piece): number {
  const known = lineCounts.get(piece);
  if (known !== undefined) return known;
  const { text } = piece;
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
  lineCounts.set(piece, lines);
  return lines;
}

function linesBefore({ pieces }: Row, index: number): number {
  return pieces.slice(0, index).reduce((lines, piece) => lines + linesIn(piece), 0);
}
