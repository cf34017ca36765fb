/**
 * The facts of a file that is read piece by piece, and what they cost. All pieces draw on one budget, whenever they were read. The
 * pieces that an edit leaves alone still count, so that the budget ends at the same text whatever was typed before.
 */
import { type Budget, createBudget, onBudget, stepsFor, stepsToRead } from "../budget.ts";
import type { ListUnits, Row } from "../preprocess/preprocessor.ts";
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

/** The budget of these files together, without the cost of reading what the preprocessor has written. */
export function budgetOf(rows: Iterable<Row>, units: readonly ListUnits[]): Budget {
  const written = units.reduce((sum, { length }) => sum + length, 0);
  const steps = [...rows].reduce((sum, { text }) => sum + stepsFor(text.length), 0);
  return createBudget(steps - stepsToRead(written));
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

/**
 * The facts of the whole file, which consists of these pieces: first those of all texts, then those of the templates that they
 * instantiate. The declarations of its open headers are among them, as those of other headers are.
 */
export function factsOfFile(drawn: PieceCosts, reading: DialectReading, own: ReadonlySet<number>): Facts {
  const { pieces, world } = reading;
  const all = pieces.map((_, index) => (own.has(index) ? inOneGo(factsOfPiece(drawn, reading, index)) : undefined));
  const made = all.filter((each) => each !== undefined);
  const declared = world.declaredFor(own);
  const declaredBy = (index: number, isForAll: boolean): readonly Partial<Facts>[] => {
    const facts = declared.get(index);
    return facts?.isForAll === isForAll ? [{ functions: facts.functions, constants: facts.constants }] : [];
  };
  const parts = [
    world.shared,
    ...all.flatMap((each, index) => each?.own ?? declaredBy(index, true)),
    ...all.flatMap((_, index) => declaredBy(index, false)),
    ...made.filter(({ hasInstances }) => hasInstances).map(({ instances }) => instances),
  ];
  // A function that several pieces declare occurs once for each of them.
  return countedFacts((kind) => (kind === "functions" ? [...new Set(joinedList(parts, kind))] : joinedList(parts, kind)));
}
