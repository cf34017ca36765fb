/**
 * The memo: what a function computes from an object is kept with the object, and forgotten with it. So a key must be a value that is
 * replaced, never edited: a unit, a tree, a type, the facts of a file, a report. Nothing else decides what is still true of a result.
 */

/**
 * The function, which computes the result of each key once. `context` are further arguments of the function that are the same for a
 * key whenever it is asked.
 */
export function memo<Key extends object, Context extends readonly unknown[], Result>(
  compute: (key: Key, ...context: Context) => Result,
): (key: Key, ...context: Context) => Result {
  return memoWith(compute, () => {});
}

/** Like `memo`, for a function that asks about the key that it is computing: the answer to that is `undefined`. */
export function memoInCircles<Key extends object, Context extends readonly unknown[], Result>(
  compute: (key: Key, ...context: Context) => Result | undefined,
): (key: Key, ...context: Context) => Result | undefined {
  return memoWith(compute, (results, key) => results.set(key, undefined));
}

function memoWith<Key extends object, Context extends readonly unknown[], Result>(
  compute: (key: Key, ...context: Context) => Result,
  before: (results: WeakMap<Key, Result>, key: Key) => void,
): (key: Key, ...context: Context) => Result {
  const results = new WeakMap<Key, Result>();
  return (key, ...context) => {
    const known = results.get(key);
    if (known !== undefined || results.has(key)) return known as Result;
    before(results, key);
    const result = compute(key, ...context);
    results.set(key, result);
    return result;
  };
}

/** Like `memo`, with a result of its own for each value of the second argument. */
export function memoByPair<Key extends object, By, Context extends readonly unknown[], Result>(
  compute: (key: Key, by: By, ...context: Context) => Result,
): (key: Key, by: By, ...context: Context) => Result {
  return memoOfPairs(compute, () => {});
}

/** Like `memoByPair`, with the result for the latest value of the second argument only. */
export function memoOfLatest<Key extends object, By, Context extends readonly unknown[], Result>(
  compute: (key: Key, by: By, ...context: Context) => Result,
): (key: Key, by: By, ...context: Context) => Result {
  return memoOfPairs(compute, (results) => results.clear());
}

function memoOfPairs<Key extends object, By, Context extends readonly unknown[], Result>(
  compute: (key: Key, by: By, ...context: Context) => Result,
  before: (results: Map<By, Result>) => void,
): (key: Key, by: By, ...context: Context) => Result {
  const resultsOf = memo((_: Key) => new Map<By, Result>());
  return (key, by, ...context) => {
    const results = resultsOf(key);
    const known = results.get(by);
    if (known !== undefined || results.has(by)) return known as Result;
    before(results);
    const result = compute(key, by, ...context);
    results.set(by, result);
    return result;
  };
}
