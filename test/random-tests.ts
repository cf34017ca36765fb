/**
 * Which tests try random cases, and from which seed. `npm test` tries the same cases each time. The modes `thorough` and `random` of
 * Vitest try new ones, and say with which seed.
 */
import { randomInt } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";

/** What the environment says of the random cases in a mode: a seed that is given stays, and other modes have none. */
export function randomEnvironment(mode: string, given: string | undefined): Readonly<Record<string, string>> {
  if (mode !== "thorough" && mode !== "random") return {};
  // A workflow passes an empty text where no seed is given.
  return { THOROUGH: "yes", SEED: given || String(randomInt(1, 2 ** 31)) };
}

/** The paths, from the repository's root, of the files with tests whose cases depend on the seed. */
export function randomTests(): readonly string[] {
  return readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".test.ts") && /^import .*\bseedOf\b/m.test(readFileSync(join(import.meta.dirname, path), "utf8")))
    .map((path) => `test/${path.replaceAll(sep, "/")}`)
    .sort();
}
