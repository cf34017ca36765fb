/**
 * Reads the fixtures from disk: every source in a rule's folder, and every folder in it as one fixture of several files. The test files of
 * a worker share them.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Fixture, type FixtureFile, isSourceName, parseFixture } from "./fixtures.ts";

export const fixturesFolder = join(import.meta.dirname, "fixtures");

let loaded: readonly Fixture[] | undefined;

/** All fixtures, read once per process. */
export function loadFixtures(): readonly Fixture[] {
  loaded ??= readFixtures();
  return loaded;
}

function readFixtures(): readonly Fixture[] {
  const fixtures: Fixture[] = [];
  for (const rule of foldersIn(fixturesFolder)) {
    for (const entry of readdirSync(join(fixturesFolder, rule), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const name = `${rule}/${entry.name}`;
      if (entry.isDirectory()) fixtures.push(parseFixture(name, filesIn(join(fixturesFolder, name), "")));
      else if (isSourceName(entry.name))
        fixtures.push(parseFixture(name, [{ name: entry.name, text: readFileSync(join(fixturesFolder, name), "utf8") }]));
    }
  }
  return fixtures;
}

function foldersIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

function filesIn(folder: string, prefix: string): readonly FixtureFile[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesIn(path, `${prefix}${entry.name}/`);
      return [{ name: `${prefix}${entry.name}`, text: readFileSync(path, "utf8") }];
    });
}
