/** Reads the recorded verdicts and says to which text of a fixture they belong. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Fixture, isSourceName } from "./fixtures.ts";
import { fixturesFolder } from "./load-fixtures.ts";
import { fromRecorded, type RecordedVerdicts, type Verdicts } from "./verdicts.ts";

export const recordPath = join(fixturesFolder, "verdicts.json");

export function readVerdicts(): RecordedVerdicts {
  return JSON.parse(readFileSync(recordPath, "utf8")) as RecordedVerdicts;
}

/** Of all that the compilers read: every file of the fixture, its flags and standards. */
export function hashOf(fixture: Fixture): string {
  const { files, flags, standards } = fixture;
  return createHash("sha256")
    .update(JSON.stringify([files, flags, standards]))
    .digest("hex")
    .slice(0, 16);
}

/** The verdicts on one source of a fixture; undefined where they were recorded for another text. */
export function fileVerdicts(record: RecordedVerdicts, fixture: Fixture, name: string): Verdicts | undefined {
  const recorded = record.sources[isSourceName(fixture.name) ? fixture.name : `${fixture.name}/${name}`];
  return recorded?.hash === hashOf(fixture) ? fromRecorded(recorded.verdicts) : undefined;
}
