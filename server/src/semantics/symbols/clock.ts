/** The time in which declarations are bound: which of them are visible now, and which names are looked up meanwhile. */
import type { LazyDeclarations } from "./lazy-declarations.ts";

/**
 * Counts declarations while a translation unit is read, so that declarations bound later (see `on-demand.ts`) find only names
 * that precede their text. Names of class members have no time: the whole class sees them (C++17 §6.3.7).
 */
export interface Clock {
  now: number;
  isPast: boolean;
  /** How many nested declarations are being bound on demand. */
  depth: number;
  /** The declarations that are or were lazy: bound when one of their names is looked up. */
  readonly list: LazyDeclarations;
  /** Receives each name that is looked up. */
  lookups: Set<string> | undefined;
}

/** Names beyond this depth, which no human-written library reaches, are unknown. */
export const deepest = 100;

/** True if so many nested declarations are being bound that no further one may be. */
export function isTooDeep({ depth }: Clock): boolean {
  return depth > deepest;
}

/** Runs a function with the names that were declared up to a time. */
export function inPast<Result>(clock: Clock, time: number, run: () => Result): Result {
  const { now, isPast, depth } = clock;
  Object.assign(clock, { now: time, isPast: true, depth: depth + 1 });
  try {
    return run();
  } finally {
    Object.assign(clock, { now, isPast, depth });
  }
}

/** Runs a function with all names of the translation unit. */
export function atEnd<Result>(clock: Clock, run: () => Result): Result {
  return inPast(clock, Number.MAX_SAFE_INTEGER, run);
}

/** Runs a function, and collects the names that it looks up. */
export function recordLookups<Result>(clock: Clock, lookups: Set<string> | undefined, run: () => Result): Result {
  const { lookups: outer } = clock;
  clock.lookups = lookups;
  try {
    return run();
  } finally {
    clock.lookups = outer;
  }
}

/** Returns the time of a lazy declaration, and advances the clock. */
export function passTime(clock: Clock): number {
  const { now } = clock;
  if (!clock.isPast) clock.now += 1;
  return now;
}
