/**
 * `npm run oracle`: asks the compilers about every fixture whose text has changed, records their answers in
 * `test/fixtures/verdicts.json`, and fails if markers and compilers disagree without a reason, or if a fix does not remove its
 * error. `--all` asks again about every fixture; `-- FILE …` prints the compilers' answers for some files and records nothing;
 * `-- --draft FILE …` writes matching markers into the files; `-- --mark` gives each fixture a marker with a message, or updates
 * it.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { type Fixture, isSourceName, parseFixture } from "../test/fixtures.ts";
import { fixturesFolder, loadFixtures } from "../test/load-fixtures.ts";
import { fileVerdicts, hashOf, recordedOf, recordPath } from "../test/load-verdicts.ts";
import { mendsOf, mendsPath, readMends } from "../test/mends.ts";
import { check, testParser } from "../test/service.ts";
import { disagreements, formatRecorded, passesOf, type RecordedVerdicts, toRecorded } from "../test/verdicts.ts";
import { compilerVersions, type Job, verdictsOn } from "./oracle/compilers.ts";
import { draftMarkers } from "./oracle/draft.ts";
import { markMessage } from "./oracle/mark.ts";
import { judgeMends } from "./oracle/mends.ts";

const words = process.argv.slice(2);
const named = words.filter((word) => !word.startsWith("-"));
if (words.includes("--draft")) await draft(named);
else if (words.includes("--mark")) await mark();
else if (named.length > 0) await show(named);
else process.exitCode = Math.max(await record(words.includes("--all")), await recordMends(words.includes("--all")));

async function show(files: readonly string[]): Promise<void> {
  for (const file of files) {
    for (const [passes, list] of Object.entries(toRecorded(await verdictsOn(jobOf(file))))) {
      console.log(`${file} [${passes}]`);
      for (const [line, severity, message] of list) console.log(`  ${line}: ${severity}: ${message}`);
    }
  }
}

async function draft(files: readonly string[]): Promise<void> {
  for (const file of files) {
    const text = readFileSync(file, "utf8");
    writeFileSync(file, draftMarkers(text, fixtureOf(file, text), await verdictsOn(jobOf(file))));
  }
}

async function mark(): Promise<void> {
  const parser = await testParser();
  for (const fixture of loadFixtures()) {
    for (const { name, text } of markMessage(fixture, (each, standard) => check(parser, each, standard)) ?? [])
      writeFileSync(join(fixturesFolder, isSourceName(fixture.name) ? fixture.name : `${fixture.name}/${name}`), text);
  }
}

function jobOf(file: string): Job {
  const fixture = fixtureOf(file, readFileSync(file, "utf8"));
  return { folder: dirname(resolve(file)), name: basename(file), flags: fixture.flags, passes: passesOf(fixture) };
}

/** A fixture for a single file in any folder. */
function fixtureOf(file: string, text: string): Fixture {
  return parseFixture(`${basename(dirname(resolve(file)))}/${basename(file)}`, [{ name: basename(file), text }]);
}

async function record(all: boolean): Promise<number> {
  const fixtures = loadFixtures();
  const old = readRecord();
  const compilers = await compilerVersions();
  const isSame = JSON.stringify(old.compilers) === JSON.stringify(compilers);
  const sources: Record<string, RecordedVerdicts["sources"][string]> = {};
  let asked = 0;
  const queue = fixtures.flatMap((fixture) =>
    fixture.files.filter(({ name }) => isSourceName(name)).map(({ name }) => ({ fixture, name })),
  );
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { fixture, name } = next;
      const key = sourceKey(fixture, name);
      const hash = hashOf(fixture);
      const known = old.sources[key];
      if (!all && isSame && known?.hash === hash) sources[key] = known;
      else {
        sources[key] = recordedOf(fixture, name, await verdictsOn(jobFor(fixture, name)));
        asked++;
      }
    }
  };
  await Promise.all([worker(), worker()]);
  const fresh: RecordedVerdicts = { compilers, sources };
  writeFileSync(recordPath, formatRecorded(fresh));
  let failures = 0;
  for (const fixture of fixtures) {
    for (const text of [...fixture.problems, ...disagreements(fixture, (name) => fileVerdicts(fresh, fixture, name))]) {
      failures++;
      console.log(`${fixture.name}: ${text}`);
    }
  }
  console.log(`${fixtures.length} fixtures, ${Object.keys(sources).length} sources (${asked} compiled now), ${failures} disagreements`);
  return failures === 0 ? 0 : 1;
}

/** Asks clang about every fix that the checker offers for an error: the error must be gone. */
async function recordMends(all: boolean): Promise<number> {
  const parser = await testParser();
  const mends = loadFixtures().flatMap((fixture) => mendsOf(parser, fixture));
  const old = all ? new Set<string>() : readMends();
  const judged = await judgeMends(mends.filter(({ hash }) => !old.has(hash)));
  const failures = judged.filter(({ problem }) => problem !== undefined);
  for (const { name, problem } of failures) console.log(`${name}: ${problem}`);
  const failed = new Set(failures.map(({ hash }) => hash));
  const good = [...new Set(mends.map(({ hash }) => hash))].filter((hash) => !failed.has(hash)).sort();
  writeFileSync(mendsPath, `[\n${good.map((hash) => `  "${hash}"`).join(",\n")}\n]\n`);
  console.log(`${mends.length} fixes (${judged.length} tried now), ${failures.length} that do not mend`);
  return failures.length === 0 ? 0 : 1;
}

function readRecord(): RecordedVerdicts {
  try {
    return JSON.parse(readFileSync(recordPath, "utf8")) as RecordedVerdicts;
  } catch {
    return { compilers: {}, sources: {} };
  }
}

function sourceKey(fixture: Fixture, name: string): string {
  return isSourceName(fixture.name) ? fixture.name : `${fixture.name}/${name}`;
}

function jobFor(fixture: Fixture, name: string): Job {
  const path = join(fixturesFolder, fixture.name);
  return { folder: isSourceName(fixture.name) ? dirname(path) : path, name, flags: fixture.flags, passes: passesOf(fixture) };
}
