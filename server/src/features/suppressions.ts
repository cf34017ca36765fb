/**
 * Findings that the author allows, by a comment: `gpu-qualifiers: allow[rule-id] reason` holds for the line of code that it
 * stands on or, alone on its line, for the next one; `allow-file[rule-id]` for the whole file. A comment on a macro's
 * definition holds wherever the macro is used. Comments that allow nothing are findings themselves.
 */
import type { Diagnostic, Finding, Fix } from "../finding.ts";
import { unusedSuppression } from "../rules/unused-suppression.ts";
import type { Files, Location, Span } from "../source.ts";

/** One rule id in a comment. */
export interface AllowedRule {
  readonly id: string;
  readonly span: Span;
}

export interface Suppression {
  readonly rules: readonly AllowedRule[];
  readonly scope: "line" | "file";
  /** The whole comment. */
  readonly comment: Span;
  /** Findings that start here are allowed. */
  readonly covers: Span;
  /** It stands on a `#define`, so that other files may need it. */
  readonly isOnDefinition: boolean;
}

// Numbers first: C++ separates their digits with quotes.
const comments = /\b\d(?:'?[\w.])*|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'|\/\/(?:\\\r?\n|[^\n])*|\/\*[\s\S]*?\*\//g;
const directive = /^(?:\/\/|\/\*)[/*!\s]*gpu-qualifiers:\s*(allow(?:-file)?)\b\s*(?:\[([^\]]*)\])?/;

/** The suppressions in a text, in order. */
export function suppressionsIn(text: string): readonly Suppression[] {
  if (!text.includes("gpu-qualifiers:")) return [];
  const found: Suppression[] = [];
  for (const match of text.matchAll(comments)) {
    const parts = directive.exec(match[0]);
    if (parts === null) continue;
    const comment = { start: match.index, end: match.index + match[0].length };
    const isFile = parts[1] === "allow-file";
    const covers = isFile ? { start: 0, end: text.length } : lineOf(text, comment);
    const list = parts[2] ?? "";
    const listStart = comment.start + parts[0].length - 1 - list.length;
    const rules = [...list.matchAll(/[^\s,]+/g)].map(({ 0: id, index }) => ({
      id,
      span: { start: listStart + index, end: listStart + index + id.length },
    }));
    found.push({
      rules,
      scope: isFile ? "file" : "line",
      comment,
      covers,
      isOnDefinition: /^\s*#\s*define\b/.test(text.slice(covers.start, covers.end)),
    });
  }
  return found;
}

/** The suppressions of each file, as long as its text stays the same. */
export function rememberSuppressions(files: Files): (uri: string) => readonly Suppression[] {
  const known = new Map<string, { readonly text: string; readonly suppressions: readonly Suppression[] }>();
  return (uri) => {
    const text = files.read(uri);
    const entry = known.get(uri);
    if (entry?.text === text) return entry.suppressions;
    const suppressions = suppressionsIn(text);
    if (suppressions.length === 0) known.delete(uri);
    else known.set(uri, { text, suppressions });
    return suppressions;
  };
}

/** What is left, and which of the allowances were needed. */
export function applySuppressions(
  diagnostics: readonly Diagnostic[],
  suppressionsOf: (uri: string) => readonly Suppression[],
): { readonly kept: readonly Diagnostic[]; readonly used: ReadonlySet<AllowedRule> } {
  const used = new Set<AllowedRule>();
  const kept = diagnostics.filter((diagnostic) => {
    const allowing = [diagnostic.location, ...(diagnostic.spelledIn ?? [])].flatMap((location) =>
      allowancesAt(diagnostic.rule, location, suppressionsOf(location.uri)),
    );
    for (const allowed of allowing) used.add(allowed);
    return allowing.length === 0;
  });
  return { kept, used };
}

export interface UnusedOptions {
  readonly uri: string;
  readonly text: string;
  readonly suppressions: readonly Suppression[];
  readonly used: ReadonlySet<AllowedRule>;
  /** `decided`: the rule would have reported its findings; `open`: whether it has any is not known here. */
  statusOf(id: string): "decided" | "open" | "unknown-rule";
  /** False where the offset lies in code that is not compiled. */
  isActive(offset: number): boolean;
}

/** Allowances without a finding that they allow, and those that nobody can understand. */
export function unusedSuppressions({ uri, text, suppressions, used, statusOf, isActive }: UnusedOptions): readonly Finding[] {
  const findings: Finding[] = [];
  const report = (message: string, span: Span, fixes: readonly Fix[]) =>
    findings.push({ rule: unusedSuppression.id, message, location: { uri, span }, fixes });
  for (const suppression of suppressions) {
    if (!(suppression.scope === "file" || isActive(firstCode(text, suppression)))) continue;
    if (suppression.rules.length === 0) report("a suppression names the rules that it allows: 'allow[rule-id]'", suppression.comment, []);
    const needless = suppression.rules.filter((allowed) => {
      const status = used.has(allowed) ? "open" : statusOf(allowed.id);
      return status === "unknown-rule" || (status === "decided" && !suppression.isOnDefinition);
    });
    for (const allowed of needless) {
      const where = suppression.scope === "file" ? "in this file" : "here";
      const message =
        statusOf(allowed.id) === "unknown-rule"
          ? `no rule is called '${allowed.id}'`
          : `'${allowed.id}' finds nothing ${where} that would have to be allowed`;
      report(message, allowed.span, [removal(uri, text, suppression, allowed, needless.length === suppression.rules.length)]);
    }
  }
  return findings;
}

function allowancesAt(rule: string, { span }: Location, suppressions: readonly Suppression[]): readonly AllowedRule[] {
  return suppressions
    .filter(({ covers }) => covers.start <= span.start && span.start < Math.max(covers.end, covers.start + 1))
    .flatMap(({ rules }) => rules.filter(({ id }) => id === rule));
}

/** The line of code that a comment is about: its own, or where it stands alone the next; lines that end in `\` are one. */
function lineOf(text: string, comment: Span): Span {
  const own = wholeLine(text, comment.start);
  const outside = text.slice(own.start, comment.start) + text.slice(comment.end, Math.max(comment.end, own.end));
  if (outside.replaceAll("\\", "").trim() !== "") return own;
  let next = endOfLine(text, comment.end) + 1;
  // Other comments may stand in between.
  for (;;) {
    const line = wholeLine(text, next);
    if (next >= text.length || !/^\s*(?:$|\/\/|\/\*[\s\S]*\*\/\s*$)/.test(text.slice(line.start, line.end))) return line;
    next = line.end + 1;
  }
}

function wholeLine(text: string, offset: number): Span {
  let start = text.lastIndexOf("\n", offset - 1) + 1;
  while (start > 0 && isContinued(text, start - 1)) start = text.lastIndexOf("\n", start - 2) + 1;
  let end = endOfLine(text, offset);
  while (end < text.length && isContinued(text, end)) end = endOfLine(text, end + 1);
  return { start: Math.min(start, text.length), end };
}

function endOfLine(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end < 0 ? text.length : end;
}

/** The line feed at `end` has a backslash in front. */
function isContinued(text: string, end: number): boolean {
  return /\\\r?$/.test(text.slice(Math.max(0, end - 2), end));
}

function firstCode(text: string, { covers, comment }: Suppression): number {
  const from =
    covers.start <= comment.start && text.slice(covers.start, comment.start).trim() === ""
      ? Math.max(covers.start, comment.end)
      : covers.start;
  return from + (/\S/.exec(text.slice(from, covers.end))?.index ?? 0);
}

/** Takes one id out of a comment, or with the last one the comment, and its line where it stood alone. */
function removal(uri: string, text: string, { rules, comment }: Suppression, { id, span }: AllowedRule, isAll: boolean): Fix {
  if (isAll) {
    const line = { start: text.lastIndexOf("\n", comment.start - 1) + 1, end: endOfLine(text, comment.end) };
    const isAlone = (text.slice(line.start, comment.start) + text.slice(comment.end, line.end)).trim() === "";
    const before = /[ \t]*$/.exec(text.slice(line.start, comment.start))?.[0].length ?? 0;
    const whole = isAlone
      ? { start: line.start, end: Math.min(line.end + 1, text.length) }
      : { start: comment.start - before, end: comment.end };
    return { title: "Remove the suppression", edits: [{ location: { uri, span: whole }, text: "" }], isPreferred: true };
  }
  const index = rules.findIndex((rule) => rule.span === span);
  const next = rules[index + 1];
  const previous = rules[index - 1];
  const part =
    next === undefined ? { start: previous?.span.end ?? span.start, end: span.end } : { start: span.start, end: next.span.start };
  return { title: `Do not allow '${id}' here`, edits: [{ location: { uri, span: part }, text: "" }], isPreferred: true };
}
