/**
 * Helpers that work on lists of any length. Spreading a list into a call puts its elements on the stack, which overflows at about
 * a hundred thousand of them.
 */

/** Adds all elements of another list at the end. */
export function append<T>(list: T[], more: Iterable<T>): void {
  for (const element of more) list.push(element);
}

/** The greatest number, as `Math.max` defines it: `-Infinity` for an empty list, NaN if any number is NaN. */
export function greatest(numbers: Iterable<number>): number {
  let found = Number.NEGATIVE_INFINITY;
  for (const number of numbers) found = Math.max(found, number);
  return found;
}

/** The least number, as `Math.min` defines it: `Infinity` for an empty list, NaN if any number is NaN. */
export function least(numbers: Iterable<number>): number {
  let found = Number.POSITIVE_INFINITY;
  for (const number of numbers) found = Math.min(found, number);
  return found;
}

/** Words joined as in a sentence: `a`, `a or b`, `a, b or c`. */
export function enumerated(words: readonly string[], conjunction: "and" | "or"): string {
  const last = words[words.length - 1] ?? "";
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} ${conjunction} ${last}` : last;
}

const none: readonly never[] = [];

/** A copy without spare capacity, for lists that are kept: a list that has grown reserves room for up to sixteen more elements. */
export function compact<T>(list: readonly T[]): readonly T[] {
  return list.length === 0 ? none : list.slice();
}

/** True if both lists have the same numbers in the same order. */
export function areEqual(a: Int32Array, b: Int32Array): boolean {
  return a.length === b.length && a.every((number, index) => number === b[index]);
}

/**
 * How many numbers of an ascending sequence are at most `limit`. This is one more than the index of the last such number.
 * `numberAt` gives the number at an index below `length`. The search is logarithmic.
 */
export function countUpTo(length: number, numberAt: (index: number) => number | undefined, limit: number): number {
  let low = 0;
  for (let high = length; low < high; ) {
    const middle = (low + high) >> 1;
    if ((numberAt(middle) ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
