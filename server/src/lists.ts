/**
 * Small things about lists that hold for lists of any length. Elements spread into a call are arguments, which lie on the
 * stack: a hundred thousand of them end the program.
 */

/** Adds all elements of another list at the end. */
export function append<T>(list: T[], more: Iterable<T>): void {
  for (const element of more) list.push(element);
}

/** The greatest number of a list as `Math.max` has it: `-Infinity` for an empty list, NaN where any of them is NaN. */
export function greatest(numbers: Iterable<number>): number {
  let found = Number.NEGATIVE_INFINITY;
  for (const number of numbers) found = Math.max(found, number);
  return found;
}

/** The least number of a list as `Math.min` has it: `Infinity` for an empty list, NaN where any of them is NaN. */
export function least(numbers: Iterable<number>): number {
  let found = Number.POSITIVE_INFINITY;
  for (const number of numbers) found = Math.min(found, number);
  return found;
}

/** Words as a sentence has them: `a`, `a or b`, `a, b or c`. */
export function enumerated(words: readonly string[], conjunction: "and" | "or"): string {
  const last = words[words.length - 1] ?? "";
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} ${conjunction} ${last}` : last;
}

const none: readonly never[] = [];

/** The same elements in a list that holds nothing else: one that has grown keeps room for sixteen more. For lists that are kept. */
export function compact<T>(list: readonly T[]): readonly T[] {
  return list.length === 0 ? none : list.slice();
}
