/**
 * Prints diagnostics for people and for programs. `text` is one line per finding as compilers print it; `pretty` adds the line of
 * code with a marker below; the other formats are documents, some of them in `formats/`. It is the only file that imports
 * picocolors.
 */
import { createColors } from "picocolors";
import { type Coverage, joinedCoverage } from "../diagnostics/coverage.ts";
import { coverageText } from "../diagnostics/coverage-text.ts";
import type { Diagnostic, Severity } from "../finding.ts";
import { notCommand, printable } from "../printable.ts";
import type { Location } from "../source.ts";
import type { CheckResult, FileResult } from "./check.ts";
import { fixability } from "./fix.ts";
import { checkstyleOf } from "./formats/checkstyle.ts";
import { githubLines } from "./formats/github.ts";
import { gitlabOf } from "./formats/gitlab.ts";
import { junitOf } from "./formats/junit.ts";
import { rdjsonOf } from "./formats/rdjson.ts";
import { sarifOf } from "./formats/sarif.ts";
import { azureLines, teamcityLines } from "./formats/service-messages.ts";
import { jsonDocument } from "./json.ts";
import { isShown, severities } from "./severities.ts";
import { type Places, placesOf, type ShownFinding } from "./shown-finding.ts";

/** Every value of `--format`. */
export const formats = [
  "text",
  "pretty",
  "json",
  "sarif",
  "github",
  "gitlab",
  "junit",
  "rdjson",
  "checkstyle",
  "azure",
  "teamcity",
] as const;
/** A format of reports. */
export type Format = (typeof formats)[number];

/** How findings are printed. */
export interface ReportOptions {
  readonly format: Format;
  readonly level: Severity;
  readonly hasColors: boolean;
  /** The version of this program. */
  readonly version: string;
}

/** The complete text for standard output. */
export function renderReport(results: readonly CheckResult[], options: ReportOptions): string {
  switch (options.format) {
    case "json":
      return jsonDocument(jsonOf(results, options));
    case "sarif":
      return jsonDocument(
        sarifOf(shownFindings(results, options), {
          version: options.version,
          coverage: jsonOfCoverage(coverageOf(results)),
          isComplete: results.every(({ failed }) => failed.length === 0),
        }),
      );
    case "gitlab":
      return jsonDocument(gitlabOf(shownFindings(results, options)));
    case "junit":
      return junitOf(junitFiles(results, options));
    case "github":
      return joined(githubLines(shownFindings(results, options)));
    case "rdjson":
      return jsonDocument(rdjsonOf(shownFindings(results, options)));
    case "checkstyle":
      return checkstyleOf(shownFindings(results, options));
    case "azure":
      return joined(azureLines(shownFindings(results, options)));
    case "teamcity":
      return joined(teamcityLines(shownFindings(results, options)));
    case "text":
    case "pretty":
      return forPeople(results, options, options.format);
  }
}

function forPeople(results: readonly CheckResult[], options: ReportOptions, format: "text" | "pretty"): string {
  const findings = shownFindings(results, options);
  const lines = findings.flatMap((finding) =>
    format === "text" ? plainLines(finding.diagnostic, finding.places) : prettyLines(finding, options.hasColors),
  );
  if (format === "pretty") lines.push(summaryOf(results, options));
  if (findings.length > 0) lines.push(lastLine(findings));
  return joined(lines);
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

/** The last line of a report: `3 findings, 2 can be fixed with --fix`. */
function lastLine(findings: readonly ShownFinding[]): string {
  const fixable = findings.filter((finding) => finding.isFixable).length;
  const count = `${findings.length} finding${findings.length === 1 ? "" : "s"}`;
  return `${count}, ${fixable === 0 ? "none" : fixable} can be fixed with --fix`;
}

/** The findings that a report shows, one a line, without their related places. */
export function findingLines(results: readonly CheckResult[], options: Pick<ReportOptions, "level">): readonly string[] {
  return shownFindings(results, options).flatMap(({ diagnostic, places }) => plainLines(diagnostic, places).slice(0, 1));
}

function shownFindings(results: readonly CheckResult[], { level }: Pick<ReportOptions, "level">): readonly ShownFinding[] {
  return results.flatMap((result) => {
    const view = viewOf(result);
    return result.files.flatMap((file) => shownIn(file, view, level));
  });
}

/** What printing one project's findings needs of its files. Made once for all of them, so that each file is read once. */
interface View {
  readonly places: Places;
  isFixable(diagnostic: Diagnostic): boolean;
}

function viewOf(result: CheckResult): View {
  return { places: placesOf(result), isFixable: fixability(result) };
}

function shownIn({ diagnostics }: FileResult, { places, isFixable }: View, level: Severity): readonly ShownFinding[] {
  return diagnostics
    .filter(({ severity }) => isShown(severity, level))
    .map((diagnostic) => ({ diagnostic, places, isFixable: isFixable(diagnostic) }));
}

function junitFiles(results: readonly CheckResult[], { level }: ReportOptions) {
  return results.flatMap((result) => {
    const view = viewOf(result);
    return [
      ...result.files.map((file) => ({ shown: file.shown, findings: shownIn(file, view, level) })),
      ...result.failed.map(({ target, reason }) => ({ shown: target.shown, findings: [], failure: `not checked because ${reason}` })),
    ];
  });
}

/** A place as `file:line:column`; lines and columns count from one. */
function position({ uri, span }: Location, places: Places): string {
  const { line, column } = places.lines(uri).placeOf(span.start);
  return notCommand(`${printable(places.shown(uri))}:${line + 1}:${column + 1}`);
}

function plainLines(diagnostic: Diagnostic, places: Places): readonly string[] {
  return [
    `${position(diagnostic.location, places)}: ${diagnostic.severity}: ${printable(diagnostic.message)} [${diagnostic.rule}]`,
    ...diagnostic.related.map(({ message, location }) => `${position(location, places)}: note: ${printable(message)}`),
  ];
}

function prettyLines({ diagnostic, places, isFixable: hasFix }: ShownFinding, hasColors: boolean): readonly string[] {
  const colors = createColors(hasColors);
  const paint = { error: colors.red, warning: colors.magenta, info: colors.cyan, hint: colors.green }[diagnostic.severity];
  const head = (location: Location, word: string, message: string) => `${colors.bold(`${position(location, places)}:`)} ${word} ${message}`;
  const fix = diagnostic.fixes.find(({ isPreferred }) => isPreferred) ?? diagnostic.fixes[0];
  // Only a change that `--fix` writes is called a fix. The others are possible choices.
  const wayOut = hasFix ? "fix" : "possible fix";
  return [
    head(
      diagnostic.location,
      paint(colors.bold(`${diagnostic.severity}:`)),
      `${colors.bold(printable(diagnostic.message))} ${colors.dim(`[${diagnostic.rule}]`)}`,
    ),
    ...excerpt(diagnostic.location, places, (marker) => colors.green(colors.bold(marker))),
    ...(fix === undefined ? [] : [`      ${colors.dim("=")} ${wayOut}: ${printable(fix.title)}`]),
    ...diagnostic.related.flatMap(({ message, location }) => [
      head(location, colors.dim(colors.bold("note:")), printable(message)),
      ...(isSamePlace(location, diagnostic.location) ? [] : excerpt(location, places, (marker) => colors.green(marker))),
    ]),
    "",
  ];
}

function isSamePlace(a: Location, b: Location): boolean {
  return a.uri === b.uri && a.span.start === b.span.start && a.span.end === b.span.end;
}

// A generated file may have its whole text on one line.
const maximalWidth = 160;

/** The line of code, and on the next line `^~~~` under the place. */
function excerpt({ uri, span }: Location, places: Places, paint: (marker: string) => string): readonly string[] {
  const lines = places.lines(uri);
  const start = lines.placeOf(span.start);
  const end = lines.placeOf(span.end);
  const whole = lines.textOf(start.line);
  const cut = whole.length <= maximalWidth ? 0 : Math.max(0, start.column - maximalWidth / 4);
  const code = whole.slice(cut, cut + maximalWidth);
  const column = start.column - cut;
  const last = end.line === start.line ? end.column - cut : code.trimEnd().length;
  const width = Math.max(1, Math.min(last, code.length) - column);
  // A character that cannot be shown is printed as several characters.
  const padding = printable(code.slice(0, column)).replace(/[^\t]/g, " ");
  const marked = printable(code.slice(column, column + width)).length;
  return [
    `${String(start.line + 1).padStart(5)} | ${printable(code)}`,
    `      | ${padding}${paint(`^${"~".repeat(Math.max(marked, 1) - 1)}`)}`,
  ];
}

/** The last line about a run: what was found in how many files, and how much of their device code was judged. */
export function summaryOf(results: readonly CheckResult[], options: ReportOptions): string {
  const colors = createColors(options.hasColors);
  // A host source may contain only parts of kernels.
  const files = results.flatMap((result) => result.files.filter(({ report }) => report.dialects.length > 0));
  const all = files.flatMap(({ diagnostics }) => diagnostics);
  const counts = severities.map((severity) => ({ severity, count: all.filter((diagnostic) => diagnostic.severity === severity).length }));
  const shown = counts.filter(({ severity, count }) => count > 0 && isShown(severity, options.level));
  const hidden = counts.filter(({ severity, count }) => count > 0 && !isShown(severity, options.level));
  const name = ({ severity, count }: { severity: Severity; count: number }) =>
    `${count} ${severity}${count === 1 || severity === "info" ? "" : "s"}`;
  const found = shown.length === 0 ? colors.green("nothing found") : colors.bold(shown.map(name).join(", "));
  const rest = hidden.length === 0 ? "" : colors.dim(` (${hidden.map(name).join(", ")} not shown: --level ${hidden.at(-1)?.severity})`);
  const embedded = files.reduce((sum, { report }) => sum + report.embedded, 0);
  const within = embedded === 0 ? "" : `, ${embedded} source${embedded === 1 ? "" : "s"} in string literals among them`;
  return `${found} in ${files.length} file${files.length === 1 ? "" : "s"}${within}${rest}: ${coverageText(coverageOf(results))}`;
}

function jsonOf(results: readonly CheckResult[], options: ReportOptions) {
  return {
    version: 1,
    files: results.flatMap((result) => {
      const view = viewOf(result);
      return result.files.map((file) => jsonOfFile(file, view, options));
    }),
    skipped: results.flatMap(({ skipped }) => skipped.map(({ target, reason }) => ({ file: target.shown, reason }))),
    failed: results.flatMap(({ failed }) => failed.map(({ target }) => target.shown)),
    coverage: jsonOfCoverage(coverageOf(results)),
    settingsProblems: results.flatMap((result) => {
      const places = placesOf(result);
      return result.settingsProblems.map(({ message, location }) => ({ message, ...jsonOfPlace(location, places) }));
    }),
  };
}

function jsonOfFile(file: FileResult, view: View, { level }: ReportOptions) {
  const { shown, report, origin } = file;
  const place = (location: Location) => jsonOfPlace(location, view.places);
  return {
    file: shown,
    dialects: report.dialects.map(({ label }) => label),
    settings: origin,
    embedded: report.embedded,
    coverage: jsonOfCoverage(report.coverage),
    diagnostics: shownIn(file, view, level).map(({ diagnostic, isFixable: hasFix }) => ({
      rule: diagnostic.rule,
      severity: diagnostic.severity,
      message: diagnostic.message,
      ...place(diagnostic.location),
      isFixable: hasFix,
      related: diagnostic.related.map((other) => ({ message: other.message, ...place(other.location) })),
      fixes: diagnostic.fixes.map(({ title, isPreferred, edits }) => ({
        title,
        isPreferred,
        edits: edits.map((edit) => ({ ...place(edit.location), text: edit.text })),
      })),
    })),
    notes: report.notes.map(({ message, location }) => ({ message, ...place(location) })),
  };
}

/** The coverage of all checked files. */
function coverageOf(results: readonly CheckResult[]): Coverage {
  return joinedCoverage(results.flatMap(({ files }) => files.map(({ report }) => report.coverage)));
}

/** Without the unknown types, which are for `--verbose`. */
function jsonOfCoverage({ kernels, unclear, inactive, hidden, unparsed, missingHeaders, limits }: Coverage) {
  return { kernels, unclear, inactive, hidden, unparsed, missingHeaders, limits };
}

function jsonOfPlace({ uri, span }: Location, places: Places) {
  const start = places.lines(uri).placeOf(span.start);
  const end = places.lines(uri).placeOf(span.end);
  return {
    file: places.shown(uri),
    start: { line: start.line + 1, column: start.column + 1, offset: span.start },
    end: { line: end.line + 1, column: end.column + 1, offset: span.end },
  };
}
