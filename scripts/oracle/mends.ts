/** Applies the checker's fixes to fixtures and asks clang again: the error must be gone, and there must be no new one. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Fixture, type FixtureFile, isSourceName } from "../../test/fixtures.ts";
import { type Mend, problemOfMend } from "../../test/mends.ts";
import type { Verdict } from "../../test/verdicts.ts";
import { verdictsOn } from "./compilers.ts";

export interface JudgedMend extends Mend {
  /** The problem of the fix; undefined if clang confirms it. */
  readonly problem: string | undefined;
}

export async function judgeMends(mends: readonly Mend[]): Promise<readonly JudgedMend[]> {
  const known = new Map<string, Promise<readonly Verdict[]>>();
  const ask = (fixture: Fixture, files: readonly FixtureFile[], name: string, standard: string): Promise<readonly Verdict[]> => {
    const key = JSON.stringify([files, name, standard, fixture.flags]);
    const answer = known.get(key) ?? errorsIn(fixture, files, name, standard);
    known.set(key, answer);
    return answer;
  };
  const judged: JudgedMend[] = [];
  for (const mend of mends) {
    const { fixture, file, standard, after } = mend;
    const [old, fresh] = await Promise.all([ask(fixture, fixture.files, file, standard), ask(fixture, after, file, standard)]);
    judged.push({ ...mend, problem: problemOfMend(old, fresh) });
  }
  return judged;
}

async function errorsIn(fixture: Fixture, files: readonly FixtureFile[], name: string, standard: string): Promise<readonly Verdict[]> {
  const folder = mkdtempSync(join(tmpdir(), "mend-"));
  try {
    for (const file of files) {
      mkdirSync(dirname(join(folder, file.name)), { recursive: true });
      writeFileSync(join(folder, file.name), file.text);
    }
    // A fix may change several files, each of which must still compile.
    const sources = files.length === 1 ? [name] : files.map((file) => file.name).filter(isSourceName);
    const verdicts = await Promise.all(
      sources.map((source) => verdictsOn({ folder, name: source, flags: fixture.flags, passes: [standard] })),
    );
    return verdicts.flatMap((each) => each[standard] ?? []);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
