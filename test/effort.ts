/**
 * The extent of tests with very many cases, such as random texts or every keystroke of a program. `npm test` tries a part of them,
 * `npm run thorough` more.
 */

/** True in `npm run thorough` and `npm run random`: `random-tests.ts` has the variables of their modes. */
export const isThorough = process.env.THOROUGH === "yes";

/**
 * The seed of random cases. `npm run thorough` and `npm run random` have a new one each time, which they print; `SEED=…` before the same
 * command repeats it. In other runs a test always tries the same cases, for which `usual` is a number of its own.
 */
export function seedOf(usual: number): number {
  const fresh = Number(process.env.SEED ?? 0);
  return (usual + Math.imul(fresh, 2_654_435_761)) >>> 0;
}

/** One element out of `every` of a list, from `first` on; all of them in thorough tests. */
export function sample<Element>(list: readonly Element[], every: number, first = 0): readonly Element[] {
  return isThorough ? list : list.filter((_, index) => index % every === first);
}

/** The number of random cases of a property. */
export function runs(usual: number): number {
  return isThorough ? 16 * usual : usual;
}
