/**
 * `npm run fixture -- NAME …`: checks the fixtures whose names contain one of these words, or a file or folder of theirs, and prints
 * what is found and what their markers expect, line by line. The exit code is 1 if these differ anywhere.
 */
import { relative, resolve } from "node:path";
import { differences, type Fixture, type SeenFinding } from "../test/fixtures.ts";
import { fixturesFolder, loadFixtures } from "../test/load-fixtures.ts";
import { check, testParser } from "../test/service.ts";

const words = process.argv.slice(2);
const chosen = loadFixtures().filter(({ name }) => words.some((word) => isMeant(name, word)));
if (chosen.length === 0) {
  console.error(words.length === 0 ? "name a fixture: npm run fixture -- grid-constant/const" : `no fixture is named ${words.join(", ")}`);
  process.exitCode = 2;
}
const parser = await testParser();
let differing = 0;
for (const fixture of chosen) {
  for (const standard of fixture.standards) {
    const seen = check(parser, fixture, standard);
    const wrong = [...fixture.problems, ...differences(fixture, standard, seen)];
    differing += wrong.length > 0 ? 1 : 0;
    console.log(`${fixture.name} ${standard}: ${wrong.length === 0 ? "as expected" : "different"}`);
    for (const line of expected(fixture, standard)) console.log(`  expected ${line}`);
    for (const line of shown(fixture, seen)) console.log(`  found    ${line}`);
    for (const line of wrong) console.log(`  problem  ${line}`);
  }
}
if (differing > 0) process.exitCode = 1;

/** Whether a word names the fixture: a path to it or to something in it or around it, or a part of its name. */
function isMeant(name: string, word: string): boolean {
  const path = relative(fixturesFolder, resolve(word)).replaceAll("\\", "/");
  return name.includes(word) || path === name || path.startsWith(`${name}/`) || name.startsWith(`${path}/`);
}

function expected({ files, expectations }: Fixture, standard: string): readonly string[] {
  return expectations
    .filter(({ standards }) => standards === undefined || standards.includes(standard))
    .map(({ file, line, columns, severity, rule, message }) => {
      const where = `${files.length > 1 ? `${file}:` : ""}${line}${columns === undefined ? "" : `:${columns.start}-${columns.end}`}`;
      return `${where} ${rule}${severity === "error" ? "" : `(${severity})`}${message === undefined ? "" : `: ${message}`}`;
    });
}

function shown({ files }: Fixture, seen: readonly SeenFinding[]): readonly string[] {
  return seen.map(({ file, line, columns, severity, rule, message }) => {
    const where = `${files.length > 1 ? `${file}:` : ""}${line}:${columns.start}-${columns.end}`;
    return `${where} ${rule}${severity === "error" ? "" : `(${severity})`}: ${message}`;
  });
}
