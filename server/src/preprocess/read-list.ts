/**
 * Reads the pieces of a file in order, each into a unit of its own. A piece's unit is kept as long as the macros, the open
 * conditionals and the included files are the same. So an edit of a body makes only one piece be read again. A header that is open
 * too is read in the same way: its pieces follow the piece that includes it, so that the file and its open headers are one list.
 */
import { append } from "../lists.ts";
import { memo } from "../memo.ts";
import type { FileUri } from "../source.ts";
import type { Steps } from "../steps.ts";
import { add, areSameCosts, type Costs, chargeHeader, isAffordable, noCosts } from "./costs.ts";
import { guardOf } from "./include-guard.ts";
import {
  type CachedUnit,
  cachedUnitOf,
  includeForced,
  isReadOnce,
  isReusable,
  type PieceStart,
  readPieceModule,
  takeLimits,
  type UnitCache,
} from "./includes.ts";
import { type Interner, Sign } from "./lexing/interner.ts";
import { Kind } from "./lexing/lexer.ts";
import { endOfDirective, isDirective } from "./lexing/lines.ts";
import type { Changes, Environment as Definitions } from "./macros/macros.ts";
import { Environment } from "./macros/macros.ts";
import type { Conditional, Entered, Job } from "./module.ts";
import { forgetRefusals } from "./refusals.ts";
import { fileOf, isFinished, type Piece, type Row } from "./row.ts";
import { unitsIn } from "./units.ts";
import type { Unit } from "./view/view.ts";

/** A piece as read under one dialect. */
export interface ReadPiece {
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
  /** The header that is read by pieces at the piece's `#include`. Its pieces follow, unless it is skipped. */
  readonly enters: Entered | undefined;
}

/** The result of reading a file and its open headers. */
export interface ReadList {
  /** The file that is compiled, and the headers that are read by pieces, in the order of their first pieces. */
  readonly rows: ReadonlyMap<FileUri, Row>;
  /** In the order of the translation unit. */
  readonly pieces: readonly ReadPiece[];
  /** The length of all pieces' Views, in characters. */
  readonly length: number;
  /** The files that must not be read by pieces: one of their pieces is miscut, or they are included twice, or what they begin goes on after them. */
  readonly uncut: ReadonlySet<FileUri>;
}

/** What the reader needs from the preprocessor. */
export interface ListReader {
  readonly cache: UnitCache;
  readonly job: Job;
  /** The row of a header whose pieces follow its `#include`; undefined for all other headers. */
  rowOf(uri: FileUri): Row | undefined;
  /** The definitions before the file's first line. */
  readonly base: Definitions;
  /** Earlier readings of a piece in this language mode, which several dialects may share. */
  known(piece: Piece): ReadPiece[];
  /** The present time, and the time of the last change of a file. */
  readonly tick: number;
  changedAt(uri: string): number;
  /** Nothing except the files in the list has changed since the earlier reading. */
  readonly isUndisturbed: boolean;
}

/** How many pieces are examined in one step. */
const piecesInStep = 256;
/** How many times the rest of the list is compared with the earlier one. */
const mostComparisons = 8;
/** How many pieces of the earlier list are searched one by one. */
const nearby = 16;
/** Stands in place of a file's name for what any include may name. */
export const anyInclude = "\u0001include";
/** The place of a name in `changedAt`: definitions of it somewhere in the workspace have changed. */
export const placeOfName = (name: string): string => `\u0001name ${name}`;

/** A file of which some pieces have been read. */
interface Frame {
  readonly row: Row;
  next: number;
  conditionals: readonly Conditional[];
  lines: number;
}

/** Reads a file, of which `root` is the row; `earlier` is the last reading of the same file in the same dialect. */
export function* readList(reader: ListReader, root: Row, earlier: ReadList | undefined): Steps<ReadList> {
  const { job, base } = reader;
  const environment = new Environment(job.interner, base);
  const old = reader.isUndisturbed && earlier?.rows.get(root.uri)?.isWhole === root.isWhole ? earlier.pieces : [];
  let oldIndices: ReadonlyMap<Piece, number> | undefined;
  /** The index of a piece in the earlier list, which is nearly always one of the next. */
  const oldIndexOf = (piece: Piece, expected: number): number | undefined => {
    for (let at = expected; at < Math.min(old.length, expected + nearby); at += 1) if (old[at]?.piece === piece) return at;
    oldIndices ??= new Map(old.map((each, at) => [each.piece, at]));
    return oldIndices.get(piece);
  };
  const pieces: ReadPiece[] = [];
  const rows = new Map([[root.uri, root]]);
  const uncut = new Set<FileUri>();
  const frames: Frame[] = [{ row: root, next: 0, conditionals: [], lines: 0 }];
  const take = (frame: Frame, read: ReadPiece): void => {
    pieces.push(read);
    if (read.cached.changes.ids.length > 0) environment.apply(read.cached.changes);
    job.counter = read.cached.counter?.after ?? job.counter;
    frame.conditionals = read.after;
    frame.lines += linesIn(read.piece);
    frame.next += 1;
    // In a namespace, a header is a part of what the namespace contains.
    if (read.isMiscut || (read.cached.hasTorn && frames.some(isInScope))) uncut.add(frame.row.uri);
    const row = read.enters?.isRead === true ? reader.rowOf(read.enters.uri) : undefined;
    if (row === undefined) return;
    if (frames.length === 1) forgetRefusals(job.refused);
    // Each piece has one place in the list.
    if (rows.has(row.uri)) uncut.add(row.uri);
    else {
      rows.set(row.uri, row);
      chargeHeader(job.budget, row.text.length);
      frames.push({ row, next: 0, conditionals: [], lines: 0 });
    }
  };
  /**
   * False for a header whose last item or conditional goes on in the file that includes it. One that is read once has whole declarations;
   * if it is torn, its author is typing in it, and its end closes what is open, as in `includes.ts`.
   */
  const canEnd = ({ row, conditionals }: Frame): boolean => {
    if (conditionals.length > 0 || !isTorn(row)) return conditionals.length === 0;
    const isOnce = isReadOnce(job, row.uri, guardOfRow(row, job.interner), (macro) => environment.test(macro) !== undefined);
    return isOnce && !frames.some(isInScope);
  };
  let isFront = true;
  let freshFrom = 0;
  let comparisons = 0;
  let length: number | undefined;
  for (let frame = frames[frames.length - 1]; frame !== undefined; frame = frames[frames.length - 1]) {
    const piece = frame.row.pieces[frame.next];
    if (piece === undefined) {
      frames.pop();
      if (frames.length > 0 && !canEnd(frame)) uncut.add(frame.row.uri);
      continue;
    }
    const index = pieces.length;
    const same = old[index];
    // All pieces before the edit equal the earlier ones, and so does the state after them.
    if (isFront && same?.piece === piece && isStillEntered(reader, same)) {
      takeLimits(job, same.cached);
      take(frame, same);
      continue;
    }
    if (isFront) freshFrom = index;
    isFront = false;
    // The pieces after the edit do not change either, if the edited pieces affect macros and conditionals as the replaced ones did.
    const from = comparisons < mostComparisons ? oldIndexOf(piece, freshFrom) : undefined;
    if (earlier !== undefined && from !== undefined && from >= freshFrom) {
      comparisons += 1;
      const following = old.slice(from);
      const fresh = pieces.slice(freshFrom);
      const replaced = old.slice(freshFrom, from);
      const rest = isSame(frame.conditionals, following[0]?.before ?? []) ? restOf(frames, following, reader) : undefined;
      if (rest !== undefined && haveSameEffects(fresh, replaced, following) && leavesAsMuch(job, fresh, replaced, following)) {
        // A list in which something is miscut is not kept, so nothing is in the rest.
        append(pieces, following);
        for (const row of rest) {
          if (rows.has(row.uri)) uncut.add(row.uri);
          rows.set(row.uri, row);
        }
        length = earlier.length + lengthOf(fresh) - lengthOf(replaced);
        break;
      }
    }
    const { conditionals, lines } = frame;
    const found = reader.known(piece).find((each) => isSame(conditionals, each.before) && isCurrent(reader, each, environment, lines));
    const chain = frames.length === 1 ? [piece.uri] : frames.map(({ row }) => row.uri);
    const start = { conditionals, lines, chain, mayBeFollowed: piece.kind === "include" };
    const read = found ?? (yield* readPiece(reader, piece, environment, start, index === 0));
    if (found === undefined) reader.known(piece).unshift(read);
    else takeLimits(job, read.cached);
    if (index % piecesInStep === 0) yield;
    take(frame, read);
  }
  length ??= lengthOf(pieces);
  return { rows, pieces, length, uncut };
}

/** The guard of a header that is read by pieces; 0 if it has none. */
export function guardOfRow(row: Row, interner: Interner): number {
  row.guard ??= guardOf(
    row.pieces.map(({ file }) => file.tokens),
    interner,
  );
  return row.guard;
}

/** True if the piece enters its header as it did before, or does not enter any. */
function isStillEntered({ rowOf, job }: ListReader, { piece, unit, enters }: ReadPiece): boolean {
  if (piece.kind !== "include") return true;
  if (enters !== undefined) {
    const row = rowOf(enters.uri);
    return row !== undefined && guardOfRow(row, job.interner) === enters.guard;
  }
  return !unit.includes.some(({ unit: header }) => header !== undefined && rowOf(fileOf(header.uri)) !== undefined);
}

/** The rows of the headers in the rest of the list, if it consists of these pieces; undefined otherwise. */
function restOf(frames: readonly Frame[], following: readonly ReadPiece[], reader: ListReader): readonly Row[] | undefined {
  const rest = frames.map(({ row, next }) => ({ row, next }));
  const entered: Row[] = [];
  let at = 0;
  for (let top = rest[rest.length - 1]; top !== undefined; top = rest[rest.length - 1]) {
    const piece = top.row.pieces[top.next];
    if (piece === undefined) {
      rest.pop();
      continue;
    }
    const read = following[at];
    if (read?.piece !== piece || !isStillEntered(reader, read) || read.cached.hasTorn) return undefined;
    at += 1;
    top.next += 1;
    const row = read.enters?.isRead === true ? reader.rowOf(read.enters.uri) : undefined;
    if (row === undefined) continue;
    entered.push(row);
    rest.push({ row, next: 0 });
  }
  return at === following.length ? entered : undefined;
}

/** True if the file ends inside of a scope or an item. */
function isTorn({ pieces }: Row): boolean {
  const last = pieces.findLast(({ kind }) => kind !== "blank");
  return last !== undefined && (last.kind === "unfinished" || last.state.scopes > 0);
}

/** True if the piece that is read is inside of a namespace or an `extern "C"` block. */
function isInScope({ row, next }: Frame): boolean {
  return (row.pieces[next - 1]?.state.scopes ?? 0) > 0;
}

/** What reading these pieces costs. */
function costOf(pieces: readonly ReadPiece[]): Costs {
  const sum = { ...noCosts };
  for (const { cached } of pieces) add(sum, cached.cost);
  return sum;
}

function lengthOf(pieces: readonly ReadPiece[]): number {
  return pieces.reduce((sum, { unit }) => sum + unit.view.text.length, 0);
}

/**
 * True if the new pieces do not affect the pieces `following` them differently from the replaced ones: they define the same, and have
 * the same number of lines if that matters.
 */
function haveSameEffects(fresh: readonly ReadPiece[], replaced: readonly ReadPiece[], following: readonly ReadPiece[]): boolean {
  const changesOf = (all: readonly ReadPiece[]) => all.map(({ cached }) => cached.changes).filter(({ ids }) => ids.length > 0);
  const before = changesOf(replaced);
  const now = changesOf(fresh);
  if (now.length !== before.length || !now.every((changes, at) => isSameChange(changes, before[at]))) return false;
  const lines = (all: readonly ReadPiece[]) => all.reduce((sum, { piece }) => sum + linesIn(piece), 0);
  return lines(fresh) === lines(replaced) || following.every(({ cached }) => cached.linesBefore === undefined);
}

/** True if no limit cuts off the pieces `following` the new ones elsewhere than before: these cost the same, or all are affordable. */
function leavesAsMuch(
  { budget }: Job,
  fresh: readonly ReadPiece[],
  replaced: readonly ReadPiece[],
  following: readonly ReadPiece[],
): boolean {
  const isLimited = ({ cached }: ReadPiece) => cached.limited !== undefined;
  if (following.some(isLimited)) return ![...fresh, ...replaced].some(isLimited) && areSameCosts(costOf(fresh), costOf(replaced));
  return isAffordable(budget, costOf(following));
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

function isCurrent(reader: ListReader, read: ReadPiece, environment: Definitions, lines: number): boolean {
  const { cache, job, changedAt } = reader;
  const { piece, cached, tick } = read;
  if (!isStillEntered(reader, read)) return false;
  if (cached.linesBefore !== undefined && cached.linesBefore !== lines) return false;
  for (const file of cached.files) if (changedAt(job.interner.textOf(file)) > tick) return false;
  if (changedAt(anyInclude) > tick && unitsIn(cached.unit).some(({ includeQuestions }) => includeQuestions !== undefined)) return false;
  if (cached.unit.lookedUpNames?.some((name) => changedAt(placeOfName(name)) > tick) === true) return false;
  return isReusable(cache, cached, piece.file, job, environment);
}

function* readPiece(
  { cache, job, tick }: ListReader,
  piece: Piece,
  outer: Definitions,
  start: PieceStart,
  isFirst: boolean,
): Steps<ReadPiece> {
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
    enters: module.follower?.header,
  };
}

/**
 * Whether the View of a piece shows that the raw text misled the cut. A finished piece must consist of whole declarations, or open
 * or close a scope. A piece that uses `__COUNTER__` counts as miscut, because it would depend on all pieces before it.
 */
function isMiscut(piece: Piece, { unit, depth, lowest, isEnded, counter }: CachedUnit): boolean {
  if (counter !== undefined) return true;
  if (!isFinished(piece)) return false;
  if (depth === 1 && lowest === 0) return piece.kind !== "opens";
  if (depth === -1 && lowest === -1) return piece.kind !== "closes";
  return depth !== 0 || lowest < 0 || !(isEnded || isUnknownCall(piece, unit));
}

/** True for `NAME(…)` by itself that is not expanded: an undefined macro, rather than the start of a declaration. */
function isUnknownCall({ file: { tokens } }: Piece, { view }: Unit): boolean {
  const { ids, kinds, count, text, starts, ends } = tokens;
  let first = 0;
  while (first < count && isDirective(tokens, first)) first = endOfDirective(tokens, first);
  const isCall = kinds[first] === Kind.identifier && ids[first + 1] === Sign.openParenthesis && ids[count - 1] === Sign.closeParenthesis;
  return isCall && view.text.trimStart().startsWith(text.slice(starts[first], ends[first]));
}

/** The number of line breaks in a piece, counted once. */
const linesIn = memo(({ text }: Piece): number => {
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
});
