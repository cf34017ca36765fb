/**
 * Cuts a source into preprocessing tokens (C11 §6.4, C++17 §5.4): comments and line continuations are white space, raw
 * strings keep their lines. Every token knows where the author wrote it. Total and linear for any text.
 */

export type TokenKind = "identifier" | "number" | "string" | "character" | "punctuator" | "other";

export interface Token {
  readonly kind: TokenKind;
  /** Without line continuations inside. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** White space or a comment stands before it. */
  readonly spaced: boolean;
  /** First on its (logical) line. */
  readonly startsLine: boolean;
}

const punctuators = ["<<=", ">>=", "...", "->*", "<=>", "%:%:", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=", "^=", "|=", "##", "::", ".*", "<:", ":>", "<%", "%>", "%:"];
const byFirst = new Map<string, string[]>();
for (const text of punctuators) byFirst.set(text[0] ?? "", [...(byFirst.get(text[0] ?? "") ?? []), text]);

const space = /[ \t\f\v]/;
const identifierStart = /[A-Za-z_$\u0080-\uffff]/;
const identifierPart = /[A-Za-z0-9_$\u0080-\uffff]/;

/** The tokens of a text. `hasRawStrings`: C++, where `R"x(…)x"` is one token. */
export function tokenize(text: string, hasRawStrings: boolean): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let spaced = false;
  let startsLine = true;
  const push = (kind: TokenKind, start: number, end: number) => {
    tokens.push({ kind, text: unspliced(text, start, end), start, end, spaced, startsLine });
    spaced = false;
    startsLine = false;
    at = end;
  };
  while (at < text.length) {
    const c = text[at] ?? "";
    if (c === "\n" || c === "\r") {
      at += 1;
      startsLine = true;
      spaced = true;
    } else if (space.test(c)) {
      at += 1;
      spaced = true;
    } else if (c === "\\" && continuation(text, at) > 0) {
      at += continuation(text, at);
      spaced = true;
    } else if (c === "/" && text[at + 1] === "/") {
      at = endOfLine(text, at);
      spaced = true;
    } else if (c === "/" && text[at + 1] === "*") {
      const close = text.indexOf("*/", at + 2);
      at = close < 0 ? text.length : close + 2;
      spaced = true;
    } else if (identifierStart.test(c)) {
      const end = scan(text, at, identifierPart);
      const prefix = unspliced(text, at, end);
      const quote = text[end];
      if (hasRawStrings && quote === '"' && /^(u8|u|U|L)?R$/.test(prefix)) push("string", at, endOfRawString(text, end));
      else if ((quote === '"' || quote === "'") && /^(u8|u|U|L)$/.test(prefix)) push(quote === '"' ? "string" : "character", at, endOfQuoted(text, end));
      else push("identifier", at, end);
    } else if (/[0-9]/.test(c) || (c === "." && /[0-9]/.test(text[at + 1] ?? ""))) push("number", at, endOfNumber(text, at));
    else if (c === '"' || c === "'") push(c === '"' ? "string" : "character", at, endOfQuoted(text, at));
    else {
      const long = (byFirst.get(c) ?? []).find((candidate) => text.startsWith(candidate, at));
      if (long !== undefined) push("punctuator", at, at + long.length);
      else push(/[!-/:-@[-`{-~]/.test(c) ? "punctuator" : "other", at, at + 1);
    }
  }
  return tokens;
}

/** The length of a backslash-newline at `at`, or 0. Blanks between the two are forgiven, as compilers do. */
function continuation(text: string, at: number): number {
  let end = at + 1;
  while (end < text.length && space.test(text[end] ?? "") && end - at < 64) end += 1;
  if (text[end] === "\r") end += text[end + 1] === "\n" ? 2 : 1;
  else if (text[end] === "\n") end += 1;
  else return 0;
  return end - at;
}

function unspliced(text: string, start: number, end: number): string {
  const slice = text.slice(start, end);
  return slice.includes("\\") && !slice.startsWith('R"') ? slice.replace(/\\[ \t]*\r?\n/g, "") : slice;
}

function scan(text: string, start: number, part: RegExp): number {
  let at = start;
  while (at < text.length) {
    if (part.test(text[at] ?? "")) at += 1;
    else if (text[at] === "\\" && continuation(text, at) > 0 && part.test(text[at + continuation(text, at)] ?? "")) at += continuation(text, at);
    else break;
  }
  return at;
}

/** A pp-number (C11 §6.4.8), with C++14's digit separators. */
function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length) {
    const c = text[at] ?? "";
    if (/[+-]/.test(c) && /[eEpP]/.test(text[at - 1] ?? "")) at += 1;
    else if (/[A-Za-z0-9_.]/.test(c)) at += 1;
    else if (c === "'" && /[A-Za-z0-9_]/.test(text[at + 1] ?? "")) at += 2;
    else break;
  }
  return at;
}

/** A literal ends at its quote, or at the end of the line when that is missing. */
function endOfQuoted(text: string, start: number): number {
  const quote = text[start];
  let at = start + 1;
  while (at < text.length) {
    const c = text[at];
    if (c === "\\") at += Math.max(2, continuation(text, at));
    else if (c === quote) return at + 1;
    else if (c === "\n" || c === "\r") return at;
    else at += 1;
  }
  return text.length;
}

function endOfRawString(text: string, quote: number): number {
  const open = text.indexOf("(", quote);
  if (open < 0 || open - quote > 17) return endOfQuoted(text, quote);
  const closing = `)${text.slice(quote + 1, open)}"`;
  const close = text.indexOf(closing, open);
  return close < 0 ? text.length : close + closing.length;
}

function endOfLine(text: string, start: number): number {
  let at = start;
  while (at < text.length && text[at] !== "\n") {
    if (text[at] === "\\" && continuation(text, at) > 0) at += continuation(text, at);
    else at += 1;
  }
  return at;
}
