/**
 * Gives each fixture one marker that asserts a finding's columns and message, according to the current output, and updates markers
 * whose message was reworded. The result must be read: it records the current output, whether or not that is right.
 */
import { differences, type Expectation, type Fixture, type FixtureFile, parseFixture, type SeenFinding } from "../../test/fixtures.ts";

/** The findings of a fixture under one of its standards. */
export type Check = (fixture: Fixture, standard: string) => readonly SeenFinding[];

/** The fixture's files with the marker; undefined if it already has a valid one, or if no finding can be marked. */
export function markMessage(fixture: Fixture, check: Check): readonly FixtureFile[] | undefined {
  const found = new Map(fixture.standards.map((standard) => [standard, check(fixture, standard)]));
  const stale = fixture.expectations.filter(({ message }) => message !== undefined);
  const open = stale.length > 0 ? stale : [...fixture.expectations].sort((a, b) => rank(fixture, a) - rank(fixture, b));
  let files: readonly FixtureFile[] | undefined;
  for (const expectation of open) {
    const findings = findingsAt(fixture, expectation, found);
    const marked = (files ?? fixture.files).map((file) =>
      file.name === expectation.file ? { ...file, text: markedText(file, expectation, findings) } : file,
    );
    if (marked.every(({ text }, index) => text === (files ?? fixture.files)[index]?.text)) continue;
    // Outdated markers are valid only after all of them have been rewritten.
    if (stale.length === 0 && !holds(fixture, marked, check)) continue;
    files = marked;
    if (stale.length === 0) break;
  }
  return files;
}

/** The order in which findings are considered: those of the fixture's own rule first, then errors. */
function rank(fixture: Fixture, { rule, severity }: Expectation): number {
  return (rule === fixture.rule ? 0 : 2) + (severity === "error" ? 0 : 1);
}

/** A finding with the standards in which it is the only one at a marker. */
interface Told {
  readonly finding: SeenFinding;
  readonly standards: string[];
}

/** The findings of the checker at the marker; empty if there is more than one in a standard. */
function findingsAt(fixture: Fixture, expectation: Expectation, found: ReadonlyMap<string, readonly SeenFinding[]>): readonly Told[] {
  const { file, line, rule, severity, columns } = expectation;
  const told = new Map<string, Told>();
  for (const standard of expectation.standards ?? fixture.standards) {
    const here = (found.get(standard) ?? []).filter(
      (seen) => seen.file === file && seen.line === line && seen.rule === rule && seen.severity === severity,
    );
    const [finding, ...more] = columns === undefined ? here : here.filter((seen) => seen.columns.start === columns.start);
    if (finding === undefined || more.length > 0) return [];
    const key = JSON.stringify(finding);
    const same = told.get(key) ?? { finding, standards: [] };
    told.set(key, same);
    same.standards.push(standard);
  }
  return [...told.values()];
}

function markedText({ text }: FixtureFile, expectation: Expectation, told: readonly Told[]): string {
  const lines = text.split("\n");
  const { line, columns, rule, severity } = expectation;
  const code = lines[line - 1] ?? "";
  // A marker that does not fit on the next line is not written.
  if (told.length === 0 || code.endsWith("\\") || !told.every(({ finding }) => hasRoom(code, finding))) return text;
  if (columns === undefined) {
    const pointers = told.map((each) => pointerTo(code, each.finding, told.length === 1 ? expectation.standards : each.standards, ""));
    return lines.toSpliced(line, 0, ...pointers).join("\n");
  }
  const word = severity === "error" ? rule : `${rule}(${severity})`;
  const isOwn = (other: string) =>
    other.indexOf("^") === columns.start && /^\s*\/\/\s*\^/.test(other) && other.endsWith(expectation.message ?? word);
  const below = lines.findIndex((other, index) => index >= line && isOwn(other));
  if (below < 0) return text;
  const prefix = lines[below]?.includes(` ${word}`) === true ? `${word}: ` : "";
  const pointers = told.map((each) => pointerTo(code, each.finding, told.length === 1 ? expectation.standards : each.standards, prefix));
  return lines.toSpliced(below, 1, ...pointers).join("\n");
}

/** True if the finding is within the line, and the slashes of a comment fit before it. */
function hasRoom(code: string, { columns }: SeenFinding): boolean {
  return columns.start >= 2 && columns.end <= code.length;
}

/** The line that points at a finding in the line above. */
function pointerTo(code: string, { columns, message }: SeenFinding, standards: readonly string[] | undefined, prefix: string): string {
  const indent = /^\s*/.exec(code)?.[0] ?? "";
  const lead = indent.length + 3 <= columns.start ? indent : "";
  const only = standards === undefined ? "" : `[${standards.join(", ")}]`;
  return `${lead}//${" ".repeat(columns.start - lead.length - 2)}${"^".repeat(columns.end - columns.start)}${only} ${prefix}${message}`;
}

/** True if the markers still agree with the checker. */
function holds(fixture: Fixture, files: readonly FixtureFile[], check: Check): boolean {
  const marked = parseFixture(fixture.name, files);
  return (
    marked.problems.length === 0 &&
    marked.standards.every((standard) => differences(marked, standard, check(marked, standard)).length === 0)
  );
}
