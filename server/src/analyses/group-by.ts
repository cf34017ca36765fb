/** Items by a key, which `Map.groupBy` does where Node is new enough. */

/** In their order; those without a key are left out. */
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
