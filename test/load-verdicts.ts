/** Reads the recorded verdicts and tells which text of a fixture they belong to. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Fixture, isSourceName, withoutCarets } from "./fixtures.ts";
import { fixturesFolder } from "./load-fixtures.ts";
import { fromRecorded, type RecordedVerdicts, toRecorded, type Verdicts } from "./verdicts.ts";

export const recordPath = join(fixturesFolder, "verdicts.json");

export function readVerdicts(): RecordedVerdicts {
  return JSON.parse(readFileSync(recordPath, "utf8")) as RecordedVerdicts;
}

/** The hash of everything that the compilers judge: every file of the fixture without its carets, its flags and standards. */
export function hashOf(fixture: Fixture): string {
  const { flags, standards } = fixture;
  const files = fixture.files.map(({ name, text }) => ({ name, text: withoutCarets(text).text }));
  return createHash("sha256")
    .update(JSON.stringify([files, flags, standards]))
    .digest("hex")
    .slice(0, 16);
}

/** The verdicts on one source of a fixture; undefined if they were recorded for another text. */
export function fileVerdicts(record: RecordedVerdicts, fixture: Fixture, name: string): Verdicts | undefined {
  const recorded = record.sources[isSourceName(fixture.name) ? fixture.name : `${fixture.name}/${name}`];
  if (recorded?.hash !== hashOf(fixture)) return undefined;
  const { lines } = withoutCarets(textOf(fixture, name));
  return withLines(fromRecorded(recorded.verdicts), (line) => lines[line - 1] ?? line);
}

/** The recorded form of the verdicts on a source: its line numbers do not count carets. */
export function recordedOf(fixture: Fixture, name: string, verdicts: Verdicts): RecordedVerdicts["sources"][string] {
  const { lines } = withoutCarets(textOf(fixture, name));
  return { hash: hashOf(fixture), verdicts: toRecorded(withLines(verdicts, (line) => (line === 0 ? 0 : lines.indexOf(line) + 1))) };
}

function textOf({ files }: Fixture, name: string): string {
  return files.find((file) => file.name === name)?.text ?? "";
}

function withLines(verdicts: Verdicts, lineOf: (line: number) => number): Verdicts {
  return Object.fromEntries(
    Object.entries(verdicts).map(([pass, list]) => [pass, list.map((verdict) => ({ ...verdict, line: lineOf(verdict.line) }))]),
  );
}
