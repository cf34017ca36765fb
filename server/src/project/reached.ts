/** Decides how many of the files that sources include are checked together with those sources. */

/** The total length in characters of those files: a library may be included as a whole. */
const mostReached = 120_000;

/** The first of these files, as far as their total length is worth the time. */
export function withinReach(names: readonly string[], lengthOf: (name: string) => number): readonly string[] {
  let length = 0;
  return names.filter((name) => {
    length += lengthOf(name);
    return length <= mostReached;
  });
}
