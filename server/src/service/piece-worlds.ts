/**
 * The worlds of names that the pieces of a file are read in, one for each dialect: made anew when what others can see of a piece has
 * changed, and kept, with the new body in its place, when nothing but a body has.
 */
import { type Budget, drawing } from "../budget.ts";
import type { Dialect } from "../dialect.ts";
import type { PieceReading, RowUnits } from "../preprocess/preprocessor.ts";
import type { Unit } from "../preprocess/view.ts";
import { createWorld, type World, type WorldPiece } from "../semantics/units/world.ts";
import type { Steps } from "../steps.ts";
import type { SyntaxTree } from "../syntax/ast.ts";
import type { Tools } from "./options.ts";

/** A file as one dialect reads it. */
export interface DialectReading {
  readonly dialect: Dialect;
  readonly units: RowUnits;
  readonly world: World;
  /** The pieces as the world has them: a piece keeps its unit while its body is edited. */
  readonly pieces: readonly WorldPiece[];
}

/** The trees of pieces, each parsed when it is first asked for, and kept as long as the piece's reading is. */
export function treesOf({ syntax }: Tools): (reading: PieceReading) => SyntaxTree {
  const known = new WeakMap<PieceReading, SyntaxTree>();
  return (reading) => {
    const tree = known.get(reading) ?? syntax.ofPiece(reading.piece.uri, textToParse(reading));
    known.set(reading, tree);
    return tree;
  };
}

/** The parser gets whole declarations: a namespace that only opens here is closed for it. */
function textToParse(reading: PieceReading): string {
  const { text } = reading.unit.view;
  const scope = scopeOf(reading);
  return scope === "opens" ? `${text}}` : scope === "closes" ? "" : text;
}

function scopeOf({ piece, made }: PieceReading): WorldPiece["scope"] {
  if (piece.kind === "opens" && made.depth === 1) return "opens";
  return piece.kind === "closes" && made.depth === -1 ? "closes" : undefined;
}

/** What new worlds are made from. */
export interface WorldsInput {
  readonly tools: Tools;
  readonly dialects: readonly Dialect[];
  /** The pieces as each dialect reads them. */
  readonly units: readonly RowUnits[];
  treeOf(reading: PieceReading): SyntaxTree;
  readonly budget: Budget;
  /** Where a piece starts in the file at the moment, also after later edits; undefined where the uri is of none. */
  startOf(uri: string): number | undefined;
}

/** A new world for each dialect. */
export function* newWorlds({ tools, dialects, units, treeOf, budget, startOf }: WorldsInput): Steps<readonly DialectReading[]> {
  const readings: DialectReading[] = [];
  for (const [index, dialect] of dialects.entries()) {
    const own = units[index];
    if (own === undefined) continue;
    const sources = new Map<WorldPiece, PieceReading>();
    const row: { units: readonly Unit[]; startOf(uri: string): number | undefined } = { units: [], startOf };
    const pieces = own.pieces.map((reading) => {
      const piece: WorldPiece = { unit: { ...reading.unit, row }, scope: scopeOf(reading) };
      sources.set(piece, reading);
      return piece;
    });
    row.units = pieces.map(({ unit }) => unit);
    const world = yield* drawing(
      budget,
      createWorld({
        dialect,
        prelude: own.prelude,
        pieces,
        mayEnableHalf: own.half === "open",
        syntaxOf: (piece) => {
          const reading = sources.get(piece);
          return reading === undefined ? { items: [], errors: [], unknownWords: [] } : treeOf(reading);
        },
        declarationsOf: (unit) => tools.syntax.declarationsOf(unit.uri, unit.view.text),
        parseText: tools.syntax.builtin,
      }),
    );
    readings.push({ dialect, units: own, world, pieces });
  }
  return readings;
}

/** The old worlds, where only bodies have changed; each of those is in its world then. */
export function sameWorlds(
  old: readonly DialectReading[],
  units: readonly RowUnits[],
  treeOf: (reading: PieceReading) => SyntaxTree,
): readonly DialectReading[] | undefined {
  const readings: DialectReading[] = [];
  for (const [at, reading] of old.entries()) {
    const now = units[at];
    if (
      now === undefined ||
      now.prelude !== reading.units.prelude ||
      now.half !== reading.units.half ||
      now.pieces.length !== reading.units.pieces.length
    )
      return undefined;
    for (const [index, piece] of now.pieces.entries()) {
      const before = reading.units.pieces[index];
      if (before === piece) continue;
      // Others that read the same text in the same way are left as they are.
      if (before === undefined || before.piece.uri !== piece.piece.uri || scopeOf(piece) !== scopeOf(before)) return undefined;
      if (before.unit !== piece.unit && !reading.world.replaceBody(index, piece.unit, treeOf(piece))) return undefined;
    }
    readings.push({ ...reading, units: now });
  }
  return readings;
}
