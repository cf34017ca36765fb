/** Finds the literals of host languages other than C and C++, by the table of their syntax. */
import { withNamedHoles } from "./holes.ts";
import type { LiteralForm, LiteralSyntax } from "./literal-syntax.ts";
import { type HostToken, type Literal, type LiteralPart, type Spelling, unescape, verbatim } from "./literals.ts";

const blank = /\s+/y;
const anyWord = /[A-Za-z_$][\w$]*|\.?\d[\w.]*/y;
/** A regular expression of JavaScript, and the text after which one may stand rather than a quotient. */
const regularExpression = /\/(?![*/])(?:\\[^\n]|\[(?:\\[^\n]|[^\]\\\n]){0,200}\]|[^/\\[\n]){1,500}\/\w*/y;
const beforeOperand = /^(?:[(,=:[!&|?{};+\-*%<>~^]|return|typeof|case|of|in|delete|void|throw|new)$/;

/** An operator after which an expression continues on the next line. */
const continuing = /^[+*,=&|.]$/;

/** The tokens of a source. Where the end of a line ends an expression, it is a token. */
export function hostTokens(text: string, syntax: LiteralSyntax): readonly HostToken[] {
  const tokens: HostToken[] = [];
  let depth = 0;
  const match = (pattern: RegExp, at: number): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  for (let at = 0; at < text.length; ) {
    const end = afterBlanks(text, at, syntax, match);
    if (end > at) {
      const last = tokens[tokens.length - 1];
      const isEnd = syntax.endsWithLine === true && depth === 0 && !(last?.kind === "sign" && continuing.test(last.text));
      if (isEnd && /(?<!\\)\n/.test(text.slice(at, end))) tokens.push({ kind: "sign", text: ";", start: at, end });
      at = end;
      continue;
    }
    const literal = literalAt(text, at, syntax, match);
    if (literal !== undefined) {
      tokens.push(literal);
      at = Math.max(at + 1, literal.end);
      continue;
    }
    const word = match(syntax.words ?? anyWord, at) ?? (syntax.characters === undefined ? undefined : match(syntax.characters, at));
    const previous = tokens[tokens.length - 1];
    const isOperand = previous === undefined || (previous.kind !== "literal" && beforeOperand.test(previous.text));
    const skipped = word ?? (syntax.hasRegularExpressions === true && isOperand ? match(regularExpression, at) : undefined);
    if (skipped !== undefined) tokens.push({ kind: "word", text: skipped, start: at, end: at + skipped.length });
    else {
      const sign = text[at] ?? "";
      if ("([{".includes(sign)) depth += 1;
      if (")]}".includes(sign)) depth = Math.max(0, depth - 1);
      tokens.push({ kind: "sign", text: sign, start: at, end: at + 1 });
    }
    at += skipped?.length ?? 1;
  }
  return tokens;
}

type Match = (pattern: RegExp, at: number) => string | undefined;

/** The offset after white space, comments and continued lines. */
function afterBlanks(text: string, start: number, { lineComment, blockComment }: LiteralSyntax, match: Match): number {
  let at = start;
  for (;;) {
    const space = match(blank, at);
    if (space !== undefined) at += space.length;
    else if (blockComment !== undefined && text.startsWith(blockComment.open, at)) at = afterComment(text, at, blockComment);
    else if (text.startsWith(lineComment, at)) at = endOfLine(text, at);
    else if (text[at] === "\\" && /^\\\r?\n/.test(text.slice(at, at + 3))) at += 2;
    else return Math.min(at, text.length);
  }
}

function afterComment(text: string, start: number, { open, close, nests }: NonNullable<LiteralSyntax["blockComment"]>): number {
  let depth = 1;
  let at = start + open.length;
  while (depth > 0) {
    const end = text.indexOf(close, at);
    if (end < 0) return text.length;
    const inner = nests === true ? text.slice(at, end).split(open).length - 1 : 0;
    depth += inner - 1;
    at = end + close.length;
  }
  return at;
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

// ---------------------------------------------------------------- literals

function literalAt(text: string, at: number, syntax: LiteralSyntax, match: Match): Literal | undefined {
  for (const form of syntax.forms) {
    const open = match(form.open, at);
    if (open === undefined) continue;
    const start = at + open.length;
    const close = form.close?.(open) ?? open.replace(/^[^"'`]+/, "");
    const end = endOf(text, start, close, form);
    const isClosed = text.startsWith(close, end);
    const literal: Literal = {
      kind: "literal",
      start: at,
      end: isClosed ? end + close.length : end,
      ...contentsOf(text, start, end, close, form, syntax),
      spelling: spellingOf(close, form),
      hasHoles: !isClosed,
      ...(isClosed ? {} : { isBroken: true }),
    };
    return form.holes === undefined ? literal : withNamedHoles(literal, form.holes);
  }
  return undefined;
}

function contentsOf(text: string, start: number, end: number, close: string, form: LiteralForm, syntax: LiteralSyntax) {
  if (form.escapes === "backslash") return unescape(text, start, end, syntax);
  return form.escapes === "doubled-quote" ? withoutDoubled(text, start, end, close) : verbatim(text, start, end);
}

/** The value of a literal in which a quote twice stands for one. */
function withoutDoubled(text: string, start: number, end: number, quote: string): Pick<Literal, "value" | "pieces"> {
  const pieces: LiteralPart[] = [];
  let value = "";
  const add = (part: string, host: number, hostLength: number) => {
    if (part !== "") pieces.push({ at: value.length, length: part.length, host, hostLength });
    value += part;
  };
  let at = start;
  for (let next = text.indexOf(quote + quote, at); next >= 0 && next < end; next = text.indexOf(quote + quote, at)) {
    add(text.slice(at, next), at, next - at);
    add(quote, next, 2 * quote.length);
    at = next + 2 * quote.length;
  }
  add(text.slice(at, end), at, end - at);
  return { value, pieces };
}

function spellingOf(close: string, { escapes, isOneLine }: LiteralForm): Spelling {
  return escapes === "backslash" ? { kind: "quoted", quote: close, isOneLine: isOneLine === true } : { kind: "raw", close };
}

/** The offset of the closing quote, or where a literal without one ends. */
function endOf(text: string, start: number, close: string, { escapes, isOneLine, holes }: LiteralForm): number {
  const hasBackslash = escapes === "backslash" || escapes === "kept-backslash";
  const line = isOneLine === true ? endOfContinuedLine(text, start) : text.length;
  for (let at = start; at < line; at += 1) {
    if (hasBackslash && text[at] === "\\") at += 1;
    else if (escapes === "doubled-quote" && text.startsWith(close + close, at)) at += 2 * close.length - 1;
    else if (text.startsWith(close, at)) return at;
    else if (holes === "dollar" && text[at] === "$" && /[{(]/.test(text[at + 1] ?? "")) at = endOfHole(text, at + 1, line);
  }
  return line;
}

/** The end of a line that no backslash continues. */
function endOfContinuedLine(text: string, start: number): number {
  let end = text.indexOf("\n", start);
  while (end > 0 && /\\\r?$/.test(text.slice(Math.max(0, end - 2), end))) end = text.indexOf("\n", end + 1);
  return end < 0 ? text.length : end;
}

const partOfHole = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`[^`]*`|[{(})]/gs;

/** The offset of the bracket that closes the one at `open`; the limit if there is none. */
function endOfHole(text: string, open: number, limit: number): number {
  let depth = 0;
  partOfHole.lastIndex = open;
  for (let part = partOfHole.exec(text); part !== null && part.index < limit; part = partOfHole.exec(text)) {
    if (/[{(]/.test(part[0][0] ?? "")) depth += 1;
    else if (/[})]/.test(part[0][0] ?? "")) depth -= 1;
    if (depth === 0) return part.index;
  }
  return limit;
}

/** True for this very sign. */
export function isSign(token: HostToken | undefined, text: string): boolean {
  return token?.kind === "sign" && token.text === text;
}

/** True for this very word. */
export function isWord(token: HostToken | undefined, text: string): boolean {
  return token?.kind === "word" && token.text === text;
}
