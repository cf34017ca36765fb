/**
 * Provides editor features with the facts of an open file that is read by pieces, and with the piece around an offset. So a hint, a
 * hover or a color after an edit costs no more than the edit.
 */
import type { FileFacts, ReadUnit } from "../diagnostics/analyzed-files.ts";
import { isHostSide } from "../dialect.ts";
import { pieceAt } from "../preprocess/row.ts";
import type { PieceFile } from "./piece-file.ts";

/** The file with its facts. Places in the facts are places in pieces, which `spanIn` maps to the file. */
export function factsOfPieces({ row, settings, readings, factsOf }: PieceFile): FileFacts {
  const shown = readings.flatMap(({ dialect }, at) => (isHostSide(dialect) ? [] : [{ dialect, facts: factsOf(at) }]));
  return { uri: row.uri, settings, readings: shown };
}

/** The piece around an offset of a file. */
export interface PieceAround {
  /** The piece, with the facts of the whole file. */
  readonly piece: ReadUnit;
  /** The start of the piece in the file. */
  readonly start: number;
}

/** The piece around an offset; undefined if the file has no pieces. */
export function pieceAround({ row, settings, readings, factsOf }: PieceFile, offset: number): PieceAround | undefined {
  const index = pieceAt(row.starts, offset);
  const piece = row.pieces[index];
  if (piece === undefined) return undefined;
  const inPiece = readings.flatMap(({ dialect, units }, at) => {
    const unit = units[index];
    return unit === undefined || isHostSide(dialect) ? [] : [{ dialect, unit, facts: factsOf(at) }];
  });
  return { piece: { uri: piece.uri, settings, readings: inPiece }, start: row.starts[index] ?? 0 };
}
