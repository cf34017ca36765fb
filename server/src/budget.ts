/**
 * How much work a file may cost. Code whose work could grow faster than the file takes steps from the current budget. When no steps
 * are left, the code stops and keeps its partial result, and a note says where it stopped. Steps are counted rather than timed, so
 * the same text stops at the same place on every machine.
 */
import type { Steps } from "./steps.ts";

/** The steps that are left; negative after a request for more than there were. */
export interface Budget {
  left: number;
}

/**
 * The cost limit of checking a short file under all of its standards together: what its macros write, its analysis, its rules and its
 * summary draw from one budget. A step takes about one microsecond.
 */
const stepsPerFile = 1_200_000;
/** A longer file gets this many steps per character, about five times what ordinary code needs. */
const stepsPerCharacter = 2;

/** The cost limit of checking a file of the given length in characters. */
export function stepsFor(length: number): number {
  return stepsPerFile + stepsPerCharacter * length;
}

/** The share that is reserved for the rules, so that they can report on a file whose analysis ran out of steps. */
export const stepsForRules = 300_000;
/** The share that is reserved for the summary, so that the link knows at least the declarations of such a file. */
export const stepsForSummary = 100_000;

/**
 * The number of steps that may be taken between two pauses. The host answers requests during the pauses, and without this limit one
 * declaration of a long file could take all of the file's steps, which is several seconds. The longest declarations and functions
 * of real projects take 40,000.
 */
const mostInOneStep = 300_000;

/** The cost of parsing this many characters of a View, before their analysis. */
export function stepsToRead(length: number): number {
  return length >> 2;
}

/** The note at the place where a budget ran out. */
export const tooComplex = "not fully checked: too complex";

/** Creates a budget with the given number of steps. */
export function createBudget(steps: number = stepsPerFile): Budget {
  return { left: steps };
}

// The core is synchronous, so one budget is current at a time. Work that runs in steps restores its own budget at each step.
let current: Budget = createBudget(Number.POSITIVE_INFINITY);

/** Takes steps from the current budget; false when too few are left. */
export function spend(steps = 1): boolean {
  current.left -= steps;
  return current.left >= 0;
}

/** The steps that the current budget has left. */
export function stepsLeft(): number {
  return current.left;
}

/** True once the current budget has been asked for more than it had. */
export function isSpent(): boolean {
  return current.left < 0;
}

/** The error that ends work whose budget ran out. */
const spent = new Error(tooComplex);

/**
 * Takes steps from the current budget, and throws when too few are left. Code that cannot return a partial result calls it. The
 * owner of the budget catches the error (`affordable`).
 */
export function demand(steps = 1): void {
  if (!spend(steps)) throw spent;
}

/** The result of work that may call `demand`; undefined if its budget ran out. */
export function affordable<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (error === spent) return undefined;
    throw error;
  }
}

/** Like `affordable`, but runs the work as one step on a budget of its own. */
export function within<Result>(budget: Budget, work: () => Result): Result | undefined {
  return oneStep(budget, () => affordable(work));
}

/** Runs the work on this budget. Work that takes more than `mostInOneStep` steps ends the budget. */
function oneStep<Result>(budget: Budget, work: () => Result): Result {
  const outer = current;
  const reserved = Math.max(0, budget.left - mostInOneStep);
  budget.left -= reserved;
  current = budget;
  try {
    return work();
  } finally {
    current = outer;
    if (budget.left >= 0) budget.left += reserved;
  }
}

/** Like `within`, but for work in steps. */
export function* withinInSteps<Result>(budget: Budget, work: Steps<Result>): Steps<Result | undefined> {
  try {
    return yield* onBudget(budget, work);
  } catch (error) {
    if (error === spent) return undefined;
    throw error;
  }
}

/** Runs work in steps, each of which takes from this budget. */
export function* onBudget<Result>(budget: Budget, work: Steps<Result>): Steps<Result> {
  try {
    for (;;) {
      const step = oneStep(budget, () => work.next());
      if (step.done === true) return step.value;
      yield;
    }
  } finally {
    work.return(undefined as never);
  }
}
