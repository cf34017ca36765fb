/**
 * The markers of a fixture: which findings its author expects, where, in which standard, and where compilers are expected to
 * disagree. `fixtures/README.md` describes the format. This file only parses text: `load-fixtures.ts` reads the files,
 * `service.ts` checks them, `scripts/oracle.ts` asks compilers.
 */
import type { Language } from "../server/src/dialect.ts";
import type { Severity } from "../server/src/finding.ts";

/** One text of a fixture. `name` is its path inside the fixture: the file's name, or a path in the fixture's folder. */
export interface FixtureFile {
  readonly name: string;
  readonly text: string;
}

export interface Expectation {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** Columns counted from 0, if the marker gives them. */
  readonly columns?: { readonly start: number; readonly end: number };
  readonly rule: string;
  readonly severity: Severity;
  /** If the marker gives it. */
  readonly message?: string;
  /** Absent: in every standard of the fixture. */
  readonly standards?: readonly string[];
}

/** An intended difference between the compilers and the markers. */
export interface OracleNote {
  readonly file: string;
  /** Absent: the whole file. */
  readonly line?: number;
  /** `silent`: no compiler reports the marked mistake. `reports`: a compiler reports something that is not a finding here. */
  readonly kind: "silent" | "reports";
  readonly reason: string;
  /** Standards, or compilers for CUDA. Absent: all. */
  readonly only?: readonly string[];
}

export interface Fixture {
  /** Path below `test/fixtures`; for a fixture of several files, the folder. */
  readonly name: string;
  /** The rule's folder. */
  readonly rule: string;
  readonly language: Language;
  readonly files: readonly FixtureFile[];
  readonly standards: readonly string[];
  readonly flags: readonly string[];
  readonly limits: Readonly<Record<string, number>>;
  readonly expectations: readonly Expectation[];
  readonly notes: readonly OracleNote[];
  /** Mistakes in the markers themselves; a test fails on any. */
  readonly problems: readonly string[];
}

/** The standards of a fixture without a `standard:` line. `CL3.0min` is 3.0 without its optional features. */
export const openclStandards: readonly string[] = ["CL1.2", "CL2.0", "CL3.0", "CL3.0min"];
/** The optional features that `CL3.0min` lacks. */
export const optionalFeatures: readonly string[] = [
  "generic_address_space",
  "program_scope_global_variables",
  "device_enqueue",
  "pipes",
  "read_write_images",
  "subgroups",
  "work_group_collective_functions",
].map((name) => `__opencl_c_${name}`);

const knownStandards = new Set([...openclStandards, "CL1.0", "CL1.1", "clc++1.0", "clc++2021", "cuda"]);
const compilers = new Set(["nvcc", "clang"]);
const severities: ReadonlySet<string> = new Set<Severity>(["error", "warning", "info", "hint"]);

const directive = /\/\/\s*(standard|flags|limits|expect|oracle)(?:\[([^\]]*)\])?:\s*(.*?)(?=\s*\/\/\s*(?:expect|oracle)\b|\s*$)/g;
const caretLine = /^(\s*\/\/\s*)(\^+)(?:\[([^\]]*)\])?\s+(.*\S)\s*$/;
const ruleWithMessage = /^([^:]*[^:\s])(?::\s+(.*))?$/;
const ruleWord = /^([a-z][a-z0-9_-]*)(?:\((\w+)\))?$/;

export function isSourceName(name: string): boolean {
  return /\.(cl|cu|clcpp)$/.test(name);
}

/** Reads the markers of one fixture: a single file, or the files of a folder. */
export function parseFixture(name: string, files: readonly FixtureFile[]): Fixture {
  const parts = files.map(parseFile);
  const written = parts.flatMap(({ standards }) => standards);
  const language = files.some(({ name: file }) => /\.cu$/.test(file)) ? "cuda" : "opencl";
  const isCplusplus = files.some(({ name: file }) => file.endsWith(".clcpp"));
  const usual = language === "cuda" ? ["cuda"] : isCplusplus ? ["clc++2021"] : openclStandards;
  const standards = written.length > 0 ? [...new Set(written)] : usual;
  const expectations = parts.flatMap((part) => part.expectations);
  const problems = parts.flatMap((part) => part.problems);
  for (const pointer of parts.flatMap(({ pointers }) => pointers)) {
    const problem = sayMore(expectations, pointer, standards);
    if (problem !== undefined) problems.push(problem);
  }
  const saysNone = parts.some((part) => part.saysNone);
  if (saysNone && expectations.length > 0) problems.push("says both 'expect: none' and something else");
  if (!saysNone && expectations.length === 0) problems.push("has no marker; a clean fixture says 'expect: none'");
  for (const standard of written) if (!knownStandards.has(standard)) problems.push(`unknown standard '${standard}'`);
  return {
    name,
    rule: name.slice(0, name.indexOf("/")),
    language,
    files,
    standards,
    flags: parts.flatMap((part) => part.flags),
    limits: Object.fromEntries(parts.flatMap((part) => part.limits)),
    expectations,
    notes: parts.flatMap((part) => part.notes),
    problems,
  };
}

/** A line of carets with a message, which leaves the rule to the marker above. */
type Pointer = Required<Pick<Expectation, "file" | "line" | "columns" | "message">> & Pick<Expectation, "standards">;

interface Part {
  readonly pointers: Pointer[];
  readonly standards: string[];
  readonly flags: string[];
  readonly limits: [string, number][];
  readonly expectations: Expectation[];
  readonly notes: OracleNote[];
  readonly problems: string[];
  saysNone: boolean;
}

function parseFile({ name, text }: FixtureFile): Part {
  const part: Part = { pointers: [], standards: [], flags: [], limits: [], expectations: [], notes: [], problems: [], saysNone: false };
  let codeLine = 0;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const caret = caretLine.exec(line);
    if (caret !== null) {
      const [, lead = "", carets = "", only, said = ""] = caret;
      const columns = { start: lead.length, end: lead.length + carets.length };
      if (codeLine === 0) part.problems.push(`${name}:${index + 1}: a caret without a line above`);
      const [, words = said, message] = ruleWithMessage.exec(said) ?? [];
      if (!listOf(words).every((word) => ruleWord.test(word)))
        part.pointers.push({
          file: name,
          line: codeLine,
          columns,
          message: said,
          ...(only === undefined ? {} : { standards: listOf(only) }),
        });
      else addExpectations(part, { file: name, line: codeLine, columns, ...(message === undefined ? {} : { message }) }, words, only);
      continue;
    }
    const isCode = !/^\s*(\/\/.*)?$/.test(line);
    if (isCode) codeLine = index + 1;
    for (const [, kind = "", only, words = ""] of line.matchAll(directive))
      addDirective(part, name, isCode ? index + 1 : undefined, kind, only, words);
  }
  return part;
}

function addDirective(part: Part, file: string, line: number | undefined, kind: string, only: string | undefined, words: string): void {
  switch (kind) {
    case "standard":
      part.standards.push(...listOf(words));
      return;
    case "flags":
      part.flags.push(...words.split(/\s+/).filter((word) => word !== ""));
      return;
    case "limits":
      for (const word of words.split(/[\s,]+/)) {
        const [key = "", value = ""] = word.split("=");
        if (!/^\d+$/.test(value)) part.problems.push(`${file}: a limit is written 'name=number', not '${word}'`);
        part.limits.push([key, Number(value)]);
      }
      return;
    case "expect":
      if (words === "none") part.saysNone = true;
      else if (line === undefined) part.problems.push(`${file}: '${words}' is expected on a line without code`);
      else addExpectations(part, { file, line }, words, only);
      return;
    default:
      addNote(part, file, line, words, only);
  }
}

function addExpectations(
  part: Part,
  marker: Pick<Expectation, "file" | "line" | "columns" | "message">,
  words: string,
  only: string | undefined,
): void {
  const { file, line } = marker;
  for (const word of listOf(words)) {
    const match = ruleWord.exec(word);
    const severity = match?.[2] ?? "error";
    if (match?.[1] === undefined || !isSeverity(severity)) {
      part.problems.push(`${file}:${line}: '${word}' is not a rule id`);
      continue;
    }
    const standards = only === undefined ? undefined : listOf(only);
    for (const standard of standards ?? [])
      if (!knownStandards.has(standard)) part.problems.push(`${file}:${line}: unknown standard '${standard}'`);
    part.expectations.push({ ...marker, rule: match[1], severity, ...(standards === undefined ? {} : { standards }) });
  }
}

/** Adds the finding's columns and message to the only marker of a line, in some standards or in all. */
function sayMore(expectations: Expectation[], { standards: named, ...said }: Pointer, allStandards: readonly string[]): string | undefined {
  const { file, line } = said;
  const [meant, ...more] = expectations.filter(
    (each) =>
      each.file === file &&
      each.line === line &&
      each.columns === undefined &&
      (named ?? []).every((name) => each.standards?.includes(name) ?? true),
  );
  if (meant === undefined || more.length > 0)
    return `${file}:${line}: a message belongs to one marker of its line, not to ${meant === undefined ? "none" : "several"}`;
  const rest = named === undefined ? [] : (meant.standards ?? allStandards).filter((name) => !named.includes(name));
  expectations.splice(
    expectations.indexOf(meant),
    1,
    { ...meant, ...said, ...(named === undefined ? {} : { standards: named }) },
    ...(rest.length === 0 ? [] : [{ ...meant, standards: rest }]),
  );
  return undefined;
}

function addNote(part: Part, file: string, line: number | undefined, words: string, only: string | undefined): void {
  const match = /^(silent|reports)\s+-\s+(\S.*)$/.exec(words);
  if (match?.[2] === undefined) {
    part.problems.push(`${file}:${line ?? 1}: write 'oracle: silent - reason' or 'oracle: reports - reason'`);
    return;
  }
  const names = only === undefined ? undefined : listOf(only);
  for (const each of names ?? [])
    if (!knownStandards.has(each) && !compilers.has(each))
      part.problems.push(`${file}:${line ?? 1}: unknown standard or compiler '${each}'`);
  const kind = match[1] === "silent" ? "silent" : "reports";
  part.notes.push({
    file,
    kind,
    reason: match[2],
    ...(line === undefined ? {} : { line }),
    ...(names === undefined ? {} : { only: names }),
  });
}

function listOf(words: string): readonly string[] {
  return words
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

function isSeverity(word: string): word is Severity {
  return severities.has(word);
}

/** The fixture without the markers of rules other than these, for rules without code. */
export function onlyRules(fixture: Fixture, known: ReadonlySet<string>): Fixture {
  return { ...fixture, expectations: fixture.expectations.filter(({ rule }) => known.has(rule)) };
}

/**
 * The files as compilers get them, without the lines that only point at code: a reworded message requires no new verdicts.
 * `lines` maps the remaining lines to line numbers in the file, counted from 1.
 */
export function withoutCarets(text: string): { readonly text: string; readonly lines: readonly number[] } {
  const kept = text.split("\n").map((line, index) => ({ line, number: index + 1 }));
  const left = kept.filter(({ line }) => !caretLine.test(line.replace(/\r$/, "")));
  return { text: left.map(({ line }) => line).join("\n"), lines: left.map(({ number }) => number) };
}

// ---------------------------------------------------------------- comparing

/** A finding as a fixture describes it: in lines and columns of one of its files. */
export interface SeenFinding {
  readonly file: string;
  readonly line: number;
  readonly columns: { readonly start: number; readonly end: number };
  readonly rule: string;
  readonly severity: Severity;
  readonly message: string;
}

/**
 * The differences between the markers and the findings under one standard, in words; empty if they agree. Infos and hints count
 * if they belong to the fixture's own rule or the fixture has a marker for one of that rule.
 */
export function differences(fixture: Fixture, standard: string, findings: readonly SeenFinding[]): readonly string[] {
  // Markers with more details choose first.
  const expected = fixture.expectations
    .filter(({ standards }) => standards === undefined || standards.includes(standard))
    .sort((a, b) => detail(b) - detail(a));
  const mild = new Set([fixture.rule, ...fixture.expectations.filter(isMild).map(({ rule }) => rule)]);
  const open = findings.filter((finding) => !isMild(finding) || mild.has(finding.rule));
  const missing: string[] = [];
  for (const expectation of expected) {
    const index = open.findIndex((finding) => matches(expectation, finding));
    if (index >= 0) open.splice(index, 1);
    else
      missing.push(`missing: ${placeOf(expectation)} ${expectation.rule}(${expectation.severity}) ${expectation.message ?? ""}`.trimEnd());
  }
  return [...missing, ...open.map((finding) => `unexpected: ${placeOf(finding)} ${finding.rule}(${finding.severity}) ${finding.message}`)];
}

function isMild({ severity }: { readonly severity: Severity }): boolean {
  return severity === "info" || severity === "hint";
}

function detail({ columns, message }: Expectation): number {
  return Number(columns !== undefined) + Number(message !== undefined);
}

function matches({ file, line, rule, severity, columns, message }: Expectation, finding: SeenFinding): boolean {
  if (finding.file !== file || finding.line !== line || finding.rule !== rule || finding.severity !== severity) return false;
  if (message !== undefined && message !== finding.message) return false;
  return columns === undefined || (columns.start === finding.columns.start && columns.end === finding.columns.end);
}

function placeOf({ file, line, columns }: Expectation | SeenFinding): string {
  return `${file}:${line}${columns === undefined ? "" : `:${columns.start + 1}-${columns.end + 1}`}`;
}
