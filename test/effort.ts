/**
 * How much the tests try that could go on without end: random texts, and every keystroke of a program. `npm test` tries a part,
 * `npm run thorough` all of it.
 */

/** True in `npm run thorough`: `vitest.config.ts` sets the variable for Vitest's mode of that name. */
export const isThorough = process.env.THOROUGH === "yes";

/** How many random cases a property gets. */
export function runs(usual: number): number {
  return isThorough ? 8 * usual : usual;
}
