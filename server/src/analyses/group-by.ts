/** Groups items by a key, like `Map.groupBy`, which older versions of Node lack. */

/** Groups in the order of the items; items without a key are left out. */
export function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K | undefined): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
