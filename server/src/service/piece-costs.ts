/**
 * The facts of a file that is read piece by piece, and what they cost. All pieces draw on one budget, whenever they were read. The
 * pieces that an edit leaves alone still count, so that the budget ends at the same text whatever was typed before.
 */
import { type Budget, createBudget, onBudget, stepsFor, stepsToRead } from "../budget.ts";
import type { Row, RowUnits } from "../preprocess/preprocessor.ts";
import { countedFacts } from "../semantics/facts/counted-facts.ts";
import type { Facts } from "../semantics/facts/facts.ts";
import type { WorldPiece } from "../semantics/units/entries.ts";
import { joinedList, type PieceFacts, type World } from "../semantics/units/world.ts";
import { inOneGo, type Steps } from "../steps.ts";
import type { DialectReading } from "./piece-worlds.ts";

/** The steps that each world took, and the facts of each piece in it. */
export type CostsOfWorlds = Map<World | WorldPiece, number>;

/** A budget and what draws on it. */
export interface PieceCosts {
  readonly budget: Budget;
  readonly costs: CostsOfWorlds;
  /** The steps of this budget that facts took. They are counted separately, because a rule may ask for the facts of all pieces. */
  spentOnFacts: number;
}

/** The budget of a file in a row, without the cost of reading what the preprocessor has written. */
export function budgetOf({ text }: Row, units: readonly RowUnits[]): Budget {
  const written = units.reduce((sum, { length }) => sum + length, 0);
  return createBudget(stepsFor(text.length) - stepsToRead(written));
}

/** The facts of a piece. When they are computed again, their cost replaces that of the piece's earlier facts. */
export function* factsOfPiece(drawn: PieceCosts, { world, pieces }: DialectReading, index: number): Steps<PieceFacts> {
  const { budget, costs } = drawn;
  const { left } = budget;
  const made = yield* onBudget(budget, world.factsOf(index));
  const cost = left - budget.left;
  const piece = pieces[index];
  if (cost === 0 || piece === undefined) return made;
  budget.left += costs.get(piece) ?? 0;
  costs.set(piece, cost);
  drawn.spentOnFacts += left - budget.left;
  return made;
}

/** The facts of the whole file: first those of all texts, then those of the templates that they instantiate. */
export function factsOfFile(drawn: PieceCosts, reading: DialectReading): Facts {
  const { pieces, world } = reading;
  const made = pieces.map((_, index) => inOneGo(factsOfPiece(drawn, reading, index)));
  const parts = [
    world.shared,
    ...made.map(({ own }) => own),
    ...made.filter(({ hasInstances }) => hasInstances).map(({ instances }) => instances),
  ];
  // A function that several pieces declare occurs once for each of them.
  return countedFacts((kind) => (kind === "functions" ? [...new Set(joinedList(parts, kind))] : joinedList(parts, kind)));
}
