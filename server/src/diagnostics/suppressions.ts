/**
 * Finds the comments by which the author allows findings. `gpu-qualifiers: allow[rule-id] reason` applies to the line of code that
 * it is on or, alone on its line, to the next one; `allow-file[rule-id]` applies to the whole file. A comment on a macro's
 * definition applies to every use of the macro. A comment that allows nothing is itself a finding.
 */
import type { Diagnostic, Finding, Fix } from "../finding.ts";
import { countUpTo } from "../lists.ts";
import { memo } from "../memo.ts";
import { unusedSuppression } from "../rules/common/unused-suppression.ts";
import type { Files, Location, SourceSpan } from "../source.ts";
import { changeOf } from "../text-change.ts";

/** One rule id in a comment. */
export interface AllowedRule {
  readonly id: string;
  readonly span: SourceSpan;
}

/** One comment that allows findings. */
export interface Suppression {
  readonly rules: readonly AllowedRule[];
  readonly scope: "line" | "file";
  /** The whole comment. */
  readonly comment: SourceSpan;
  /** Findings that start in this span are allowed. */
  readonly covers: SourceSpan;
  /** The comment is on a `#define`, so other files may need it. */
  readonly isOnDefinition: boolean;
}

// Numbers come first, because C++ separates digits with quotes.
const comments = /\b\d(?:'?[\w.])*|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'|\/\/(?:\\\r?\n|[^\n])*|\/\*[\s\S]*?\*\//g;
const directive = /^(?:\/\/|\/\*)[/*!\s]*gpu-qualifiers:\s*(allow(?:-file)?)\b\s*(?:\[([^\]]*)\])?/;

/** Every suppression contains this. */
const keyword = "gpu-qualifiers:";

/** The suppressions in a text, in order. */
export function suppressionsIn(text: string): readonly Suppression[] {
  if (!text.includes(keyword)) return [];
  const found: Suppression[] = [];
  const lineOf = lineFinder(text);
  for (const match of text.matchAll(comments)) {
    const parts = directive.exec(match[0]);
    if (parts === null) continue;
    const comment = { start: match.index, end: match.index + match[0].length };
    const isFile = parts[1] === "allow-file";
    const covers = isFile ? { start: 0, end: text.length } : lineOf(comment);
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
      isOnDefinition: !isFile && /^\s*#\s*define\b/.test(text.slice(covers.start, covers.end)),
    });
  }
  return found;
}

/** How many files without suppressions are remembered: the checked file, and those that its findings are in. */
const mostWithout = 64;

/** Caches the suppressions of each file while its text stays the same, because every finding looks for them. */
export function rememberSuppressions(files: Files): (uri: string) => readonly Suppression[] {
  const known = new Map<string, { readonly text: string; readonly suppressions: readonly Suppression[] }>();
  /** Texts without the keyword. */
  const without = new Map<string, string>();
  return (uri) => {
    const text = files.read(uri);
    const last = without.get(uri);
    if (last === text) return [];
    const entry = known.get(uri);
    if (entry?.text === text) return entry.suppressions;
    const hasKeyword = last === undefined ? text.includes(keyword) : addsKeyword(last, text);
    const suppressions = hasKeyword ? suppressionsIn(text) : [];
    known.delete(uri);
    without.delete(uri);
    if (hasKeyword) known.set(uri, { text, suppressions });
    else without.set(uri, text);
    const [oldest] = without.keys();
    if (without.size > mostWithout && oldest !== undefined) without.delete(oldest);
    return suppressions;
  };
}

/**
 * Whether a text contains the keyword, given an earlier text that does not. So a long text is not searched again after each
 * keystroke.
 */
function addsKeyword(before: string, after: string): boolean {
  const { start, newEnd } = changeOf(before, after);
  return after.slice(Math.max(0, start - keyword.length), newEnd + keyword.length).includes(keyword);
}

/** Removes allowed findings; returns the rest, and which of the allowances were used. */
export function applySuppressions(
  diagnostics: readonly Diagnostic[],
  suppressionsOf: (uri: string) => readonly Suppression[],
): { readonly kept: readonly Diagnostic[]; readonly used: ReadonlySet<AllowedRule> } {
  const used = new Set<AllowedRule>();
  // The same comments often allow many findings.
  const counted = new Set<readonly AllowedRule[]>();
  const kept = diagnostics.filter((diagnostic) => {
    const allowing = [diagnostic.location, ...(diagnostic.spelledIn ?? [])].flatMap((location) =>
      allowancesAt(diagnostic.rule, location, suppressionsOf(location.uri)),
    );
    for (const list of allowing) {
      if (counted.has(list)) continue;
      counted.add(list);
      for (const allowed of list) used.add(allowed);
    }
    return allowing.length === 0;
  });
  return { kept, used };
}

/** The input that decides whether a suppression is unused. */
export interface UnusedOptions {
  readonly uri: string;
  readonly text: string;
  readonly suppressions: readonly Suppression[];
  readonly used: ReadonlySet<AllowedRule>;
  /** `decided`: the rule has run, so its findings are known. `open`: it is not known here whether the rule has findings. */
  statusOf(id: string): "decided" | "open" | "unknown-rule";
  /** False if the offset is in an inactive branch. */
  isActive(offset: number): boolean;
}

/** Findings for allowances that allow nothing, and for those that cannot be understood. */
export function unusedSuppressions({ uri, text, suppressions, used, statusOf, isActive }: UnusedOptions): readonly Finding[] {
  const findings: Finding[] = [];
  const report = (message: string, span: SourceSpan, makeFixes: () => readonly Fix[]) =>
    findings.push({ rule: unusedSuppression.id, message, location: { uri, span }, fixes: makeFixes });
  for (const suppression of suppressions) {
    if (!(suppression.scope === "file" || isActive(firstCode(text, suppression)))) continue;
    if (suppression.rules.length === 0)
      report("a suppression names the rules that it allows: 'allow[rule-id]'", suppression.comment, () => []);
    const needless = [...suppression.rules.entries()].filter(([, allowed]) => {
      const status = used.has(allowed) ? "open" : statusOf(allowed.id);
      return status === "unknown-rule" || (status === "decided" && !suppression.isOnDefinition);
    });
    for (const [index, allowed] of needless) {
      const where = suppression.scope === "file" ? "in this file" : "here";
      const message =
        statusOf(allowed.id) === "unknown-rule"
          ? `no rule is called '${allowed.id}'`
          : `this comment allows nothing: '${allowed.id}' has no finding ${where}`;
      report(message, allowed.span, () => [removal(uri, text, suppression, index, needless.length === suppression.rules.length)]);
    }
  }
  return findings;
}

/** The allowances of a rule at a place: those of the file, and those of the line. */
function allowancesAt(rule: string, { span }: Location, suppressions: readonly Suppression[]): readonly (readonly AllowedRule[])[] {
  if (suppressions.length === 0) return [];
  const tables = tablesOf(suppressions);
  const lines = tables.get(rule) ?? [];
  const line = lines[countUpTo(lines.length, (index) => lines[index]?.covers.start, span.start) - 1];
  const ofFile = tables.get(`file ${rule}`)?.[0]?.allowed;
  const isCovered = line !== undefined && span.start < Math.max(line.covers.end, line.covers.start + 1);
  return [...(ofFile === undefined ? [] : [ofFile]), ...(isCovered ? [line.allowed] : [])];
}

/** The allowances of one rule for a line, from all comments about that line. */
interface AllowedLine {
  readonly covers: SourceSpan;
  readonly allowed: AllowedRule[];
}

/** Per rule, the lines that allow it, in order; under `file `, the comments that allow it in the whole file. Two lines never overlap. */
const tablesOf = memo((suppressions: readonly Suppression[]): ReadonlyMap<string, readonly AllowedLine[]> => {
  const tables = new Map<string, AllowedLine[]>();
  for (const { rules, scope, covers } of suppressions) {
    for (const rule of rules) {
      const key = scope === "file" ? `file ${rule.id}` : rule.id;
      const lines = tables.get(key) ?? [];
      tables.set(key, lines);
      const last = lines[lines.length - 1];
      if (last?.covers.start === covers.start) last.allowed.push(rule);
      else lines.push({ covers, allowed: [rule] });
    }
  }
  for (const lines of tables.values()) lines.sort((a, b) => a.covers.start - b.covers.start);
  return tables;
});

/**
 * Finds the line of code that a comment is about: its own, or the next one if the comment is alone on its line. Lines joined by `\`
 * are one line. Comments must be passed in order, so that the ends of a line with many comments are searched for only once.
 */
function lineFinder(text: string): (comment: SourceSpan) => SourceSpan {
  let own: SourceSpan = { start: 0, end: -1 };
  let next: { readonly from: number; readonly line: SourceSpan } | undefined;
  return (comment) => {
    if (comment.start > own.end) own = wholeLine(text, comment.start);
    if (!isBlank(text, comment.start - 1, own.start - 1, -1) || !isBlank(text, comment.end, own.end, 1)) return own;
    const from = endOfLine(text, comment.end) + 1;
    if (next === undefined || from < next.from || from > next.line.start) next = { from, line: nextCode(text, from) };
    return next.line;
  };
}

/** The first line, from the offset on, that is neither empty nor only a comment. */
function nextCode(text: string, from: number): SourceSpan {
  for (let next = from; ; ) {
    const line = wholeLine(text, next);
    if (next >= text.length || !/^\s*(?:$|\/\/|\/\*[\s\S]*\*\/\s*$)/.test(text.slice(line.start, line.end))) return line;
    next = line.end + 1;
  }
}

/** True if only white space and backslashes are between the two offsets, in that direction. */
function isBlank(text: string, from: number, to: number, step: 1 | -1): boolean {
  for (let at = from; step > 0 ? at < to : at > to; at += step) if (!/[\s\\]/.test(text.charAt(at))) return false;
  return true;
}

function wholeLine(text: string, offset: number): SourceSpan {
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

/** True if the line feed at `end` follows a backslash. */
function isContinued(text: string, end: number): boolean {
  return /\\\r?$/.test(text.slice(Math.max(0, end - 2), end));
}

function firstCode(text: string, { covers, comment }: Suppression): number {
  const from =
    covers.start <= comment.start && isBlank(text, comment.start - 1, covers.start - 1, -1)
      ? Math.max(covers.start, comment.end)
      : covers.start;
  return from + (/\S/.exec(text.slice(from, covers.end))?.index ?? 0);
}

/**
 * The fix that removes one id from a comment. If it is the last id, the fix removes the comment, and its line if the comment was
 * alone on it.
 */
function removal(uri: string, text: string, { rules, comment }: Suppression, index: number, isAll: boolean): Fix {
  if (isAll) {
    let { start, end } = comment;
    while (/[ \t]/.test(text.charAt(start - 1))) start -= 1;
    while (/[ \t\r]/.test(text.charAt(end))) end += 1;
    const isAlone = (start === 0 || text[start - 1] === "\n") && (end === text.length || text[end] === "\n");
    const whole = { start, end: isAlone ? Math.min(end + 1, text.length) : comment.end };
    return { title: "Remove the suppression", edits: [{ location: { uri, span: whole }, text: "" }], isPreferred: true };
  }
  const { id = "", span = comment } = rules[index] ?? {};
  const next = rules[index + 1];
  const previous = rules[index - 1];
  const part =
    next === undefined ? { start: previous?.span.end ?? span.start, end: span.end } : { start: span.start, end: next.span.start };
  return { title: `Do not allow '${id}' here`, edits: [{ location: { uri, span: part }, text: "" }], isPreferred: true };
}
