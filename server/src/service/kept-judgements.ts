/**
 * Decides which judgements of pieces survive an edit. Those that the edit cannot have touched stay. The others are dropped and
 * their pieces judged again: at once if they are few, and by the complete check if they are many.
 */
import type { Finding } from "../finding.ts";
import type { PieceReading } from "../preprocess/preprocessor.ts";
import type { UnitLocation } from "../source.ts";
import type { SyntaxTree } from "../syntax/ast.ts";
import type { PieceList } from "./piece-list.ts";
import type { DialectReading } from "./piece-worlds.ts";
import { type NamesOfPiece, namesOfPiece, touchedBy } from "./touched-pieces.ts";

/** The findings of rules about single items for a piece, under each dialect. */
export interface Judgement {
  readonly found: readonly (readonly Finding<UnitLocation>[])[];
  /** For each dialect, whether the piece uses only features that the dialect has. */
  readonly isComplete: readonly boolean[];
  /** There are no findings, and no dialect lacks anything. */
  readonly isBlank: boolean;
  /** The steps that the judgement took, without those for facts. */
  readonly cost: number;
}

/** The judgements of pieces, by their indices. */
export interface JudgedPieces {
  readonly list: PieceList;
  readonly readings: readonly DialectReading[];
  readonly judgements: (Judgement | undefined)[];
  /** Pieces whose judgements are shown until they are judged again. */
  readonly stale: Set<number>;
  treeOf(reading: PieceReading): SyntaxTree;
}

/** How many pieces are judged in a glance, if an edit may have changed their meaning. */
export const mostAtOnce = 48;

/**
 * Drops the judgements that an edit in the same world may have touched: those of the edited pieces, and of the pieces that read an
 * edited template again with their arguments. Returns the indices of these pieces. If they are too many for a glance, the pieces
 * that were not edited themselves keep their last findings until the complete check.
 */
export function dropTouched(old: JudgedPieces, state: JudgedPieces): readonly number[] {
  const { list, readings, judgements, stale } = state;
  const edited = new Set<number>();
  const seen: NamesOfPiece[] = [];
  let mayAskOtherwise = false;
  for (const [at, { units }] of readings.entries()) {
    const before = old.readings[at]?.units.pieces ?? [];
    for (const [index, piece] of units.pieces.entries()) {
      const last = before[index];
      if (last === piece || last === undefined) continue;
      edited.add(index);
      for (const names of [namesOfPiece(last, old.treeOf(last)), namesOfPiece(piece, state.treeOf(piece))])
        if (names.isTemplate) seen.push(names);
      mayAskOtherwise ||= last.unit.testsArchitecture !== piece.unit.testsArchitecture;
    }
  }
  for (const index of edited) judgements[index] = undefined;
  const isAskedOtherwise = mayAskOtherwise && testsArchitecture(old) !== testsArchitecture(state);
  if (!isAskedOtherwise && seen.length === 0) return [...edited];
  const touched = isAskedOtherwise ? "all" : touchedBy(namesOfPieces(state), seen);
  const isForGlance = touched !== "all" && touched.size <= mostAtOnce;
  const dropped = new Set(edited);
  for (const [index, { uri }] of list.pieces.entries()) {
    if (touched !== "all" && !touched.has(uri)) continue;
    if (seen.length > 0) for (const { world } of readings) world.forgetFacts(index);
    if (isForGlance || isAskedOtherwise) {
      judgements[index] = undefined;
      dropped.add(index);
    } else if (!edited.has(index)) stale.add(index);
  }
  return [...dropped];
}

/**
 * Keeps the judgements of pieces that an edit cannot have touched. In a new world they are stale. If an edit touches too many
 * pieces for a glance, their last findings are shown until the complete check.
 */
export function keepJudgements(old: JudgedPieces, state: JudgedPieces): void {
  const [reading] = state.readings;
  const [oldReading] = old.readings;
  if (reading === undefined || oldReading === undefined) return;
  // A macro may change the meaning of a piece whose own text is unchanged.
  const edited = new Set(
    state.readings.flatMap(({ units }, at) => {
      const before = new Map(old.readings[at]?.units.pieces.map((each) => [each.piece.uri, each]));
      return units.pieces.filter((each) => before.get(each.piece.uri) !== each).map(({ piece }) => piece.uri);
    }),
  );
  const present = new Set(state.list.pieces.map(({ uri }) => uri));
  const gone = oldReading.units.pieces.filter(({ piece }) => edited.has(piece.uri) || !present.has(piece.uri));
  const names = namesOfPieces(state);
  const seen = [...names.filter(({ uri }) => edited.has(uri)), ...gone.map((each) => namesOfPiece(each, old.treeOf(each)))];
  const isAskedOtherwise = testsArchitecture(old) !== testsArchitecture(state);
  const touched = isAskedOtherwise ? "all" : seen.length === 0 ? edited : touchedBy(names, seen);
  const isForGlance = touched !== "all" && touched.size <= mostAtOnce;
  for (const [index, { uri }] of state.list.pieces.entries()) {
    const known = old.judgements[old.list.indices.get(uri) ?? -1];
    if (known === undefined || edited.has(uri)) continue;
    if ((touched === "all" || touched.has(uri)) && (isForGlance || isAskedOtherwise)) continue;
    state.judgements[index] = known;
    state.stale.add(index);
  }
}

/** True if any piece depends on the device's architecture. Rules test that. */
function testsArchitecture({ readings }: JudgedPieces): boolean {
  return readings.some(({ units }) => units.pieces.some(({ unit }) => unit.testsArchitecture === true));
}

function namesOfPieces({ readings: [first], treeOf }: JudgedPieces): readonly NamesOfPiece[] {
  return (first?.units.pieces ?? []).map((each) => namesOfPiece(each, treeOf(each)));
}
