/**
 * The extent of tests with very many cases, such as random texts or every keystroke of a program. `npm test` tries a part of them,
 * `npm run thorough` more.
 */

/** True in `npm run thorough`: `vitest.config.ts` sets the variable for Vitest's mode of that name. */
export const isThorough = process.env.THOROUGH === "yes";

/** The number of random cases of a property. */
export function runs(usual: number): number {
  return isThorough ? 8 * usual : usual;
}
