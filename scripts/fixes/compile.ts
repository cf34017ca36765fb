/** Compiles the files of a fixture before and after a change, and compares what the compilers reject. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Fixture, type FixtureFile, isSourceName, type OracleNote } from "../../test/fixtures.ts";
import type { Offer } from "../../test/offers.ts";
import { covers, passesOf } from "../../test/verdicts.ts";
import { verdictsOn } from "../oracle/compilers.ts";

/** Errors by the pass that reports them. */
type Errors = ReadonlyMap<string, readonly string[]>;

/** A judge that compiles each text once. With `clangAlone` nvcc is not asked. */
export function createJudge(clangAlone: boolean): (offer: Offer) => Promise<string | undefined> {
  const known = new Map<string, Promise<Errors>>();
  const ask = (fixture: Fixture, files: readonly FixtureFile[], standard: string): Promise<Errors> => {
    const key = JSON.stringify([files, standard, fixture.flags]);
    const answer = known.get(key) ?? errorsIn(fixture, files, standard, clangAlone);
    known.set(key, answer);
    return answer;
  };
  return async ({ fixture, standard, after, rule }) => {
    const [old, fresh] = await Promise.all([ask(fixture, fixture.files, standard), ask(fixture, after, standard)]);
    for (const [pass, errors] of fresh) {
      const before = old.get(pass) ?? [];
      // A refactoring keeps correct code correct. What it makes of rejected code is nobody's promise.
      // Nor is what a compiler says behind errors that are no findings here: they hide others.
      const isOpen = before.length > 0 && (rule === undefined || fixture.notes.some((note) => reportsOthers(note, fixture, pass)));
      const problem = isOpen ? undefined : newError(before, errors);
      if (problem !== undefined) return `${pass}: ${problem}`;
    }
    return undefined;
  };
}

/** True if a fixture says of a whole file that the compiler rejects what is no finding here. */
function reportsOthers(note: OracleNote, { files }: Fixture, pass: string): boolean {
  return note.kind === "reports" && note.line === undefined && files.some(({ name }) => covers(note, name, undefined, pass));
}

/** The first error that only the second list has. Names and types in messages do not count, because a change may alter them. */
export function newError(before: readonly string[], after: readonly string[]): string | undefined {
  const left = before.map(withoutNames);
  for (const message of after) {
    const at = left.indexOf(withoutNames(message));
    if (at < 0) return message;
    left.splice(at, 1);
  }
  return undefined;
}

function withoutNames(message: string): string {
  return message.replace(/'[^']*'|"[^"]*"|\([^)]*\)/g, "'…'");
}

async function errorsIn(fixture: Fixture, files: readonly FixtureFile[], standard: string, clangAlone: boolean): Promise<Errors> {
  const folder = mkdtempSync(join(tmpdir(), "fixes-"));
  try {
    for (const file of files) {
      mkdirSync(dirname(join(folder, file.name)), { recursive: true });
      writeFileSync(join(folder, file.name), file.text);
    }
    const passes = (fixture.language === "cuda" ? passesOf(fixture) : [standard]).filter((pass) => !clangAlone || !pass.startsWith("nvcc"));
    const errors = new Map<string, string[]>();
    for (const { name } of files.filter((file) => isSourceName(file.name))) {
      const verdicts = await verdictsOn({ folder, name, flags: fixture.flags, passes });
      for (const [pass, list] of Object.entries(verdicts)) {
        const own = list.filter(({ severity }) => severity === "error").map(({ message }) => message);
        errors.set(pass, [...(errors.get(pass) ?? []), ...own]);
      }
    }
    return errors;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
