/**
 * Prints diagnostics for people and for programs. `text` is one line per finding as compilers print it; `pretty` adds the
 * line of code with a marker below; `json` and `sarif` are one document. The only file that imports picocolors.
 */
import { createColors } from "picocolors";
import type { Diagnostic, Severity } from "../finding.ts";
import { type LineIndex, lineIndex } from "../host/lines.ts";
import type { Location } from "../source.ts";
import type { CheckedFile, CheckResult } from "./check.ts";
import { sarifOf } from "./sarif.ts";
import { shownPath } from "./targets.ts";

export type Format = "text" | "pretty" | "json" | "sarif";

export interface ReportOptions {
  readonly format: Format;
  readonly level: Severity;
  readonly hasColors: boolean;
  /** Of this program. */
  readonly version: string;
}

const order: readonly Severity[] = ["error", "warning", "info", "hint"];

/** True where a diagnostic of that severity is shown. */
export function isShown(severity: Severity, level: Severity): boolean {
  return order.indexOf(severity) <= order.indexOf(level);
}

/** Everything that goes to standard output. */
export function renderReport(results: readonly CheckResult[], options: ReportOptions): string {
  if (options.format === "json") return `${JSON.stringify(jsonOf(results, options), undefined, 2)}\n`;
  if (options.format === "sarif") {
    const files = results.flatMap((result) => {
      const places = placesOf(result);
      return result.files.map(({ diagnostics }) => ({
        places,
        diagnostics: diagnostics.filter(({ severity }) => isShown(severity, options.level)),
      }));
    });
    return `${JSON.stringify(sarifOf(files, options.version), undefined, 2)}\n`;
  }
  const lines = results.flatMap((result) => {
    const places = placesOf(result);
    return result.files.flatMap((file) =>
      file.diagnostics
        .filter(({ severity }) => isShown(severity, options.level))
        .flatMap((diagnostic) =>
          options.format === "text" ? plainLines(diagnostic, places) : prettyLines(diagnostic, places, options.hasColors),
        ),
    );
  });
  if (options.format === "pretty") lines.push(summaryOf(results, options));
  return lines.map((line) => `${line}\n`).join("");
}

export interface Places {
  shown(name: string): string;
  lines(name: string): LineIndex;
}

function placesOf(result: CheckResult): Places {
  const shown = new Map(result.files.map((file) => [file.name, file.shown]));
  const indexes = new Map<string, LineIndex>();
  return {
    shown: (name) => shown.get(name) ?? shownPath(name),
    lines(name) {
      const index = indexes.get(name) ?? lineIndex(result.textOf(name));
      indexes.set(name, index);
      return index;
    },
  };
}

/** `file:line:column`, both counted from one. */
function position({ uri, span }: Location, places: Places): string {
  const { line, column } = places.lines(uri).placeOf(span.start);
  return `${places.shown(uri)}:${line + 1}:${column + 1}`;
}

function plainLines(diagnostic: Diagnostic, places: Places): readonly string[] {
  return [
    `${position(diagnostic.location, places)}: ${diagnostic.severity}: ${diagnostic.message} [${diagnostic.rule}]`,
    ...diagnostic.related.map(({ message, location }) => `${position(location, places)}: note: ${message}`),
  ];
}

function prettyLines(diagnostic: Diagnostic, places: Places, hasColors: boolean): readonly string[] {
  const colors = createColors(hasColors);
  const paint = { error: colors.red, warning: colors.magenta, info: colors.cyan, hint: colors.green }[diagnostic.severity];
  const head = (location: Location, word: string, message: string) => `${colors.bold(`${position(location, places)}:`)} ${word} ${message}`;
  const fix = diagnostic.fixes.find(({ isPreferred }) => isPreferred) ?? diagnostic.fixes[0];
  return [
    head(
      diagnostic.location,
      paint(colors.bold(`${diagnostic.severity}:`)),
      `${colors.bold(diagnostic.message)} ${colors.dim(`[${diagnostic.rule}]`)}`,
    ),
    ...excerpt(diagnostic.location, places, (marker) => colors.green(colors.bold(marker))),
    ...(fix === undefined ? [] : [`      ${colors.dim("=")} fix: ${fix.title}`]),
    ...diagnostic.related.flatMap(({ message, location }) => [
      head(location, colors.dim(colors.bold("note:")), message),
      ...(isSamePlace(location, diagnostic.location) ? [] : excerpt(location, places, (marker) => colors.green(marker))),
    ]),
    "",
  ];
}

function isSamePlace(a: Location, b: Location): boolean {
  return a.uri === b.uri && a.span.start === b.span.start && a.span.end === b.span.end;
}

// A generated file may have its whole text in one line.
const maximalWidth = 160;

/** The line of code, and below it `^~~~` under the place. */
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
  const padding = code.slice(0, column).replace(/[^\t]/g, " ");
  return [`${String(start.line + 1).padStart(5)} | ${code}`, `      | ${padding}${paint(`^${"~".repeat(width - 1)}`)}`];
}

function summaryOf(results: readonly CheckResult[], options: ReportOptions): string {
  const colors = createColors(options.hasColors);
  const files = results.flatMap((result) => result.files);
  const all = files.flatMap(({ diagnostics }) => diagnostics);
  const counts = order.map((severity) => ({ severity, count: all.filter((diagnostic) => diagnostic.severity === severity).length }));
  const shown = counts.filter(({ severity, count }) => count > 0 && isShown(severity, options.level));
  const hidden = counts.filter(({ severity, count }) => count > 0 && !isShown(severity, options.level));
  const name = ({ severity, count }: { severity: Severity; count: number }) =>
    `${count} ${severity}${count === 1 || severity === "info" ? "" : "s"}`;
  const found = shown.length === 0 ? colors.green("nothing found") : colors.bold(shown.map(name).join(", "));
  const rest = hidden.length === 0 ? "" : colors.dim(` (${hidden.map(name).join(", ")} not shown: --level ${hidden.at(-1)?.severity})`);
  const embedded = files.reduce((sum, { report }) => sum + report.embedded, 0);
  const within = embedded === 0 ? "" : `, ${embedded} source${embedded === 1 ? "" : "s"} in string literals among them`;
  return `${found} in ${files.length} file${files.length === 1 ? "" : "s"}${within}${rest}`;
}

function jsonOf(results: readonly CheckResult[], options: ReportOptions) {
  return {
    version: 1,
    files: results.flatMap((result) => {
      const places = placesOf(result);
      return result.files.map((file) => jsonOfFile(file, places, options));
    }),
    skipped: results.flatMap(({ skipped }) => skipped.map(({ target, reason }) => ({ file: target.shown, reason }))),
    failed: results.flatMap(({ failed }) => failed.map(({ target }) => target.shown)),
    settingsProblems: results.flatMap((result) =>
      result.settingsProblems.map(({ message, location }) => ({ message, ...jsonOfPlace(location, placesOf(result)) })),
    ),
  };
}

function jsonOfFile({ shown, report, diagnostics, origin }: CheckedFile, places: Places, options: ReportOptions) {
  const place = (location: Location) => jsonOfPlace(location, places);
  return {
    file: shown,
    dialects: report.dialects.map(({ label }) => label),
    settings: origin,
    embedded: report.embedded,
    diagnostics: diagnostics
      .filter(({ severity }) => isShown(severity, options.level))
      .map(({ rule, severity, message, location, related, fixes }) => ({
        rule,
        severity,
        message,
        ...place(location),
        related: related.map((other) => ({ message: other.message, ...place(other.location) })),
        fixes: fixes.map(({ title, isPreferred, edits }) => ({
          title,
          isPreferred,
          edits: edits.map((edit) => ({ ...place(edit.location), text: edit.text })),
        })),
      })),
    notes: report.notes.map(({ message, location }) => ({ message, ...place(location) })),
  };
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
