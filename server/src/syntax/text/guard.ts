/**
 * Limits what the parser has to read. Very deeply nested brackets, chains of `<` that could each open template arguments, and
 * long rows of attributes cost the parser time and memory out of all proportion. Their contents are replaced by a character that
 * no grammar accepts, so that the code around them is marked as unreadable. The result depends only on the text.
 */

/** Brackets nested deeper than this are emptied. */
const maximumNesting = 200;

/** More `<` than this within a statement are emptied. */
const maximumAngles = 200;

/** More attributes than this within a statement are emptied, because the parser tries two readings of each. */
const maximumAttributes = 100;

/** A text with more tokens than this is generated; the rest of it is emptied. */
const maximumTokens = 400_000;

/** What the parser reads: of the same length, and the text itself if nothing had to be replaced. */
export interface Guarded {
  readonly text: string;
  /** Where reading stops because the text has too many tokens. */
  readonly endsAt?: number;
}

/** Empties the parts that the parser should not see, among them all behind the first `mostTokens`; deterministic. */
export function guard(text: string, mostTokens = maximumTokens): Guarded {
  const { cuts, endsAt } = findCuts(text, mostTokens);
  return { text: withoutCuts(text, cuts), ...(endsAt === undefined ? {} : { endsAt }) };
}

function withoutCuts(text: string, cuts: readonly Cut[]): string {
  if (cuts.length === 0) return text;
  let result = "";
  let from = 0;
  for (const { start, end, isBlank } of cuts) {
    result += `${text.slice(from, start)}${isBlank === true ? " " : "@"}${text.slice(start + 1, end).replace(/[^\n]/g, " ")}`;
    from = end;
  }
  return result + text.slice(from);
}

interface Cut {
  readonly start: number;
  readonly end: number;
  /** Leaves blanks instead of an unreadable place, because the text around it is complete without it. */
  readonly isBlank?: true;
}

function findCuts(text: string, mostTokens: number): { readonly cuts: readonly Cut[]; readonly endsAt?: number } {
  const cuts: Cut[] = [];
  let tokens = 0;
  // The offset after the last statement or body, and after the last item of the file.
  let boundary = 0;
  let item = 0;
  let depth = 0;
  let angles = 0;
  let attributes = 0;
  let start = -1;
  const close = (end: number): void => {
    if (start >= 0 && end > start) cuts.push({ start, end });
    start = -1;
  };
  for (let at = 0; at < text.length; at++) {
    if (startsToken(text, at)) tokens++;
    if (tokens > mostTokens) {
      const last = cuts[cuts.length - 1]?.end ?? 0;
      const endsAt = Math.max(boundary, last, start);
      const isBlank = start < 0 && endsAt === item;
      cuts.push({ start: start >= 0 ? start : endsAt, end: text.length, ...(isBlank && { isBlank }) });
      return { cuts, endsAt };
    }
    switch (text.charCodeAt(at)) {
      case 0x28: // (
      case 0x5b: // [
      case 0x7b: // {
        if (text.charCodeAt(at) === 0x7b) angles = attributes = 0;
        else if (isAttribute(text, at)) {
          attributes++;
          if (attributes > maximumAttributes && start < 0) start = at;
        }
        depth++;
        if (depth === maximumNesting + 1 && start < 0) start = at + 1;
        break;
      case 0x29: // )
      case 0x5d: // ]
      case 0x7d: // }
        if (depth === maximumNesting + 1) close(at);
        if (depth > 0) depth--;
        if (text.charCodeAt(at) === 0x7d) {
          angles = attributes = 0;
          boundary = at + 1;
          if (depth === 0) item = boundary;
        }
        break;
      case 0x3b: // ;
        if (depth <= maximumNesting) close(at);
        angles = attributes = 0;
        boundary = at + 1;
        if (depth === 0) item = boundary;
        break;
      case 0x3c: // <
        angles++;
        if (angles > maximumAngles && start < 0) start = at;
        break;
      case 0x22: // "
      case 0x27: // '
        at = endOfLiteral(text, at);
        break;
      case 0x2f: // /
        // This comment end has no beginning. The parser would take it for operators, and the following text for their operand.
        if (text.charCodeAt(at - 1) === 0x2a && !/[*/]/.test(text.charAt(at + 1)) && start < 0)
          cuts.push({ start: at - 1, end: at + 1, isBlank: true });
        at = endOfComment(text, at);
        break;
    }
  }
  close(text.length);
  return { cuts };
}

/** The offset after the literal or comment that starts here, or else after the character. */
export function afterToken(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === 0x22 || code === 0x27) return endOfLiteral(text, at) + 1;
  return (code === 0x2f ? endOfComment(text, at) : at) + 1;
}

/** True at the start of a word or number, and at operator characters; approximate: `+=` counts twice. */
function startsToken(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code <= 0x20) return false;
  const before = at === 0 ? 0 : text.charCodeAt(at - 1);
  if (code === 0x2e) return !isDigit(before);
  return !isWordCode(code) || !(isWordCode(before) || (before === 0x2e && isDigit(code)));
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isWordCode(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39) || code === 0x5f || code > 0x7f;
}

/** `((` after `__attribute__`, or `[[`. */
function isAttribute(text: string, open: number): boolean {
  const bracket = text.charCodeAt(open);
  if (text.charCodeAt(open + 1) !== bracket) return false;
  return bracket === 0x5b || /__attribute__\s*$/.test(text.slice(Math.max(0, open - 20), open));
}

/** The offset of the closing quote, or of the opening one if the line has no other (a digit separator, a typo). */
function endOfLiteral(text: string, open: number): number {
  const quote = text.charCodeAt(open);
  if (quote === 0x22 && text.charCodeAt(open - 1) === 0x52) return endOfRawString(text, open);
  for (let at = open + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) return at;
    if (code === 0x0a) return open;
    if (code === 0x5c) at++;
  }
  return open;
}

function endOfRawString(text: string, open: number): number {
  const head = /^"([^()\\\s]{0,16})\(/.exec(text.slice(open, open + 20));
  if (head === null) return open;
  const terminator = `)${head[1] ?? ""}"`;
  const end = text.indexOf(terminator, open);
  return end < 0 ? text.length : end + terminator.length - 1;
}

/** The offset of the last character of the comment that starts here, or `at` if there is none. */
function endOfComment(text: string, at: number): number {
  const next = text.charCodeAt(at + 1);
  if (next === 0x2f) {
    const end = text.indexOf("\n", at);
    return end < 0 ? text.length : end;
  }
  if (next === 0x2a) {
    const end = text.indexOf("*/", at + 2);
    return end < 0 ? text.length : end + 1;
  }
  return at;
}
