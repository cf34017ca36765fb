/**
 * Reads the pieces of a row, one behind the other, each into a unit of its own. A piece's unit is kept as long as everything that it
 * asked has the same answer: the macros, the open conditionals, the files that it includes. So an edit of a body reads one piece.
 */
import type { Steps } from "../steps.ts";
import { asksWorkspace } from "./dependencies.ts";
import { type CachedUnit, cachedUnitOf, includeForced, isReusable, readPieceModule, type UnitCache } from "./includes.ts";
import type { Changes, Environment as Definitions } from "./macros/macros.ts";
import { Environment } from "./macros/macros.ts";
import type { Conditional, Job } from "./module.ts";
import { isFinished, type Piece, type Row } from "./row.ts";
import type { Unit } from "./view.ts";

/** A piece as one dialect reads it. */
export interface PieceReading {
  readonly piece: Piece;
  readonly unit: Unit;
  readonly made: CachedUnit;
  /** The conditionals that are open in front of it and behind it. */
  readonly before: readonly Conditional[];
  readonly after: readonly Conditional[];
  /** When it was read. */
  readonly tick: number;
}

/** What a row of pieces gave. */
export interface RowReading {
  readonly row: Row;
  readonly pieces: readonly PieceReading[];
  /** The Views show that the raw text misled the cut: the file must be read as one piece. */
  readonly isMiscut: boolean;
}

/** What the reader of a row needs of the preprocessor. */
export interface RowReader {
  readonly cache: UnitCache;
  readonly job: Job;
  /** The definitions in front of the file's first line. */
  readonly base: Definitions;
  /** What was read of a piece before, in this flavor of the language: several dialects may share it. */
  known(piece: Piece): PieceReading[];
  /** Now, and when a file changed last. */
  readonly tick: number;
  changedAt(uri: string): number;
  /** Nothing but the file itself has changed since the earlier reading. */
  readonly isUndisturbed: boolean;
}

/** Pieces that are looked at in one step. */
const piecesInStep = 256;
/** In the place of a file's name: what units asked of all files may have another answer. */
export const wholeWorkspace = "";

/** Reads a row; `earlier` is the last reading of the same file in the same dialect. */
export function* readRow(reader: RowReader, row: Row, earlier: RowReading | undefined): Steps<RowReading> {
  const { job, base } = reader;
  const environment = new Environment(job.interner, base);
  const old = reader.isUndisturbed && earlier?.row.isWhole === row.isWhole ? earlier.pieces : [];
  const growth = row.pieces.length - old.length;
  const pieces: PieceReading[] = [];
  let conditionals: readonly Conditional[] = [];
  let lines = 0;
  /** So far every piece is the earlier one, so that what is behind it is as it was. */
  let isAsBefore = old.length > 0;
  let freshFrom = 0;
  for (const [index, piece] of row.pieces.entries()) {
    const same = old[index];
    const later = old[index - growth];
    if (isAsBefore && same?.piece === piece) pieces.push(same);
    else {
      if (isAsBefore) {
        lines = linesBefore(row, index);
        freshFrom = index;
        isAsBefore = false;
      }
      // Behind the edit nothing changes either, if the edited pieces do to macros and conditionals what those before them did.
      if (later?.piece === piece && isSame(conditionals, later.before)) {
        const behind = old.slice(index - growth);
        if (doSame(pieces.slice(freshFrom), old.slice(freshFrom, index - growth), behind)) {
          for (const each of behind) pieces.push(each);
          break;
        }
      }
      const found = reader.known(piece).find((each) => isSame(conditionals, each.before) && isCurrent(reader, each, environment, lines));
      const read = found ?? (yield* readPiece(reader, piece, environment, { conditionals, lines }, index === 0));
      if (found === undefined) reader.known(piece).unshift(read);
      if (index % piecesInStep === 0) yield;
      pieces.push(read);
    }
    const last = pieces[pieces.length - 1];
    if (last === undefined) break;
    if (last.made.changes.size > 0) environment.apply(last.made.changes);
    job.counter = last.made.counter?.after ?? job.counter;
    conditionals = last.after;
    if (!isAsBefore) lines += linesIn(piece.text);
  }
  return { row, pieces, isMiscut: !row.isWhole && pieces.some(isMiscut) };
}

/** Whether the pieces behind notice nothing: those read anew define what the replaced ones did, on as many lines where those count. */
function doSame(fresh: readonly PieceReading[], replaced: readonly PieceReading[], behind: readonly PieceReading[]): boolean {
  const changesOf = (all: readonly PieceReading[]) => all.map(({ made }) => made.changes).filter(({ size }) => size > 0);
  const before = changesOf(replaced);
  const now = changesOf(fresh);
  if (now.length !== before.length || !now.every((changes, at) => isSameChange(changes, before[at]))) return false;
  const lines = (all: readonly PieceReading[]) => all.reduce((sum, { piece }) => sum + linesIn(piece.text), 0);
  return lines(fresh) === lines(replaced) || behind.every(({ made }) => made.linesBefore === undefined);
}

function isSameChange(a: Changes, b: Changes | undefined): boolean {
  return a.size === b?.size && [...a].every(([id, macro]) => b.has(id) && b.get(id)?.key === macro?.key);
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
        one.asksPass === other.asksPass
      );
    })
  );
}

function isCurrent(
  { cache, job, changedAt }: RowReader,
  { piece, made, tick }: PieceReading,
  environment: Definitions,
  lines: number,
): boolean {
  if (made.linesBefore !== undefined && made.linesBefore !== lines) return false;
  for (const uri of made.files) if (changedAt(uri) > tick) return false;
  if (changedAt(wholeWorkspace) > tick && asksWorkspace(made.unit)) return false;
  return isReusable(cache, made, piece.file, job, environment);
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
  const made = cachedUnitOf(module, piece.file, counter);
  return { piece, unit: made.unit, made, before: start.conditionals, after: conditionals, tick };
}

/** A finished piece is whole declarations, or opens or closes a scope; `__COUNTER__` ties every piece to those in front of it. */
function isMiscut({ piece, made: { depth, lowest, isEnded, counter } }: PieceReading): boolean {
  if (counter !== undefined) return true;
  if (!isFinished(piece)) return false;
  if (depth === 1 && lowest === 0) return piece.kind !== "opens";
  if (depth === -1 && lowest === -1) return piece.kind !== "closes";
  return depth !== 0 || lowest < 0 || !isEnded;
}

function linesIn(text: string): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}

function linesBefore({ pieces }: Row, index: number): number {
  return pieces.slice(0, index).reduce((lines, { text }) => lines + linesIn(text), 0);
}
