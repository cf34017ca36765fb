/**
 * How much work a file may cost. Whoever does work that could grow faster than the file takes steps from the budget in force,
 * and leaves the rest undone when nothing is left: what is known by then is kept, and a note says where it ended. Steps are
 * counted, never timed, so that the same text ends at the same place on every machine.
 */
import type { Steps } from "./steps.ts";

/** Steps that are left; below zero where more was asked for than there was. */
export interface Budget {
  left: number;
}

/** What the check of a short file may cost, under all its standards together; about two microseconds each. */
const stepsPerFile = 2_000_000;
/** A long file may cost more: so many steps for each of its characters, about five times what ordinary code takes. */
const stepsPerCharacter = 2;

/** What the check of a file of so many characters may cost. */
export function stepsFor(length: number): number {
  return stepsPerFile + stepsPerCharacter * length;
}

/** The part of them that is kept for the rules, so that they can say what is known of a file that has no end. */
export const stepsForRules = 500_000;

/** What is said where a budget ended. */
export const tooComplex = "not fully checked: too complex";

/** A budget of so many steps. */
export function createBudget(steps: number = stepsPerFile): Budget {
  return { left: steps };
}

// The core is synchronous, so that what runs now draws from one budget; work in steps gets its own back with each step.
let current: Budget = createBudget(Number.POSITIVE_INFINITY);

/** Takes steps from the budget in force; false where there are not so many left. */
export function spend(steps = 1): boolean {
  current.left -= steps;
  return current.left >= 0;
}

/** More was asked for than the budget in force had. */
export function isSpent(): boolean {
  return current.left < 0;
}

/** What ends work that demanded more steps than there were. */
const spent = new Error(tooComplex);

/**
 * Takes steps from the budget in force, and ends the work where there are not so many left: for questions that have no answer
 * by halves. Whoever hands out the budget goes on behind it, see `affordable`.
 */
export function demand(steps = 1): void {
  if (!spend(steps)) throw spent;
}

/** The result of work that may end because it demands too much; undefined where it did. */
export function affordable<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (error === spent) return undefined;
    throw error;
  }
}

/** The same on a budget of its own. */
export function within<Result>(budget: Budget, work: () => Result): Result | undefined {
  const outer = current;
  current = budget;
  try {
    return affordable(work);
  } finally {
    current = outer;
  }
}

/** Does the work on this budget, step by step. */
export function* drawing<Result>(budget: Budget, work: Steps<Result>): Steps<Result> {
  try {
    for (;;) {
      const outer = current;
      current = budget;
      try {
        const step = work.next();
        if (step.done === true) return step.value;
      } finally {
        current = outer;
      }
      yield;
    }
  } finally {
    work.return(undefined as never);
  }
}
