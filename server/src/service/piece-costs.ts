/**
 * The facts of a file that is read piece by piece, and what they cost. All pieces draw on one budget in their order, whenever they
 * were read. The pieces that an edit leaves alone still count, so that the budget ends at the same piece whatever was typed before. That
 * piece and those after it are not judged. What each of them costs stays known, so it is paid again only when the piece changes.
 */
import { type Budget, createBudget, onBudget, stepsFor, stepsToRead } from "../budget.ts";
import type { ListUnits, Row } from "../preprocess/preprocessor.ts";
import { countedFacts } from "../semantics/facts/counted-facts.ts";
import type { Facts } from "../semantics/facts/facts.ts";
import type { ModelPiece } from "../semantics/units/entries.ts";
import { joinedList, type PieceFacts, type SemanticModel } from "../semantics/units/semantic-model.ts";
import { inOneGo, type Steps } from "../steps.ts";
import type { PieceFindings } from "./kept-findings.ts";
import type { DialectModel } from "./piece-models.ts";

/** The steps that creating each model took, and those for the facts of each piece in it. */
export type CostsOfModels = Map<SemanticModel | ModelPiece, number>;

/** What the pieces may take, and what they have taken. */
export interface PieceCosts {
  /** The steps that all pieces may take together. */
  readonly steps: number;
  readonly costs: CostsOfModels;
  reach: Reach;
}

/** How far the steps go, as far as the pieces have been judged. */
export interface Reach {
  /** The index of the first piece that they do not cover; the number of pieces if they cover all. */
  readonly end: number;
  /** What the pieces before it leave. */
  readonly left: number;
}

/** The steps for these files together, without the cost of reading what the preprocessor has written. */
export function stepsOf(rows: Iterable<Row>, [first, ...others]: readonly ListUnits[]): number {
  let written = first?.length ?? 0;
  // Most dialects read the same.
  for (const { pieces } of others)
    for (const [index, piece] of pieces.entries()) if (piece !== first?.pieces[index]) written += piece.unit.view.text.length;
  return [...rows].reduce((sum, { text }) => sum + stepsFor(text.length), 0) - stepsToRead(written);
}

/** How far the steps go for pieces with these findings. */
export function reachOf(
  { steps, costs }: Pick<PieceCosts, "steps" | "costs">,
  readings: readonly DialectModel[],
  findings: readonly (PieceFindings | undefined)[],
): Reach {
  let left = steps - [...new Set(readings.map(({ model }) => model))].reduce((sum, model) => sum + (costs.get(model) ?? 0), 0);
  if (left < 0) return { end: 0, left: 0 };
  for (const [index, own] of findings.entries()) {
    const cost = own?.cost ?? 0;
    if (cost > left || own?.tooLong !== undefined) return { end: index, left };
    left -= cost;
  }
  return { end: findings.length, left };
}

/** The facts of a piece. When they are computed again, their cost replaces that of the piece's earlier facts. */
export function* factsOfPiece(budget: Budget, costs: CostsOfModels, { model, pieces }: DialectModel, index: number): Steps<PieceFacts> {
  const { left } = budget;
  const made = yield* onBudget(budget, model.factsOf(index));
  const piece = pieces[index];
  if (budget.left < left && piece !== undefined) costs.set(piece, left - budget.left);
  return made;
}

/**
 * The facts of the whole file, which consists of these pieces: first those of all texts, then those of the templates that they
 * instantiate. The declarations of its open headers are among them, as those of other headers are.
 */
export function factsOfFile({ steps, costs, reach }: PieceCosts, reading: DialectModel, own: ReadonlySet<number>): Facts {
  const { pieces, model } = reading;
  const all = pieces.map((_, index) =>
    own.has(index) && index < reach.end ? inOneGo(factsOfPiece(createBudget(steps), costs, reading, index)) : undefined,
  );
  const made = all.filter((each) => each !== undefined);
  const declared = model.declaredFor(own);
  const declaredBy = (index: number, isForAll: boolean): readonly Partial<Facts>[] => {
    const facts = declared.get(index);
    return facts?.isForAll === isForAll ? [{ functions: facts.functions, constants: facts.constants }] : [];
  };
  const parts = [
    model.shared,
    ...all.flatMap((each, index) => each?.own ?? declaredBy(index, true)),
    ...all.flatMap((_, index) => declaredBy(index, false)),
    ...made.filter(({ hasInstances }) => hasInstances).map(({ instances }) => instances),
  ];
  // A function that several pieces declare occurs once for each of them.
  return countedFacts((kind) => (kind === "functions" ? [...new Set(joinedList(parts, kind))] : joinedList(parts, kind)));
}
