/**
 * Splits a source into preprocessing tokens (C11 §6.4, C++17 §5.4). Comments and line continuations are white space, digraphs are
 * replaced, and raw strings keep their lines. Every token has its place in the author's text. Any text can be split, in linear
 * time. Tokens are stored in columns of numbers, because a file has tens of thousands and is read once per dialect. OpenCL C has no
 * raw strings, but projects wrap kernels in `R"(` … `)"` to include them in C++; there the wrapper is treated as white space and
 * its contents as code.
 */
import { countUpTo } from "../../lists.ts";
import { type Interner, Sign } from "./interner.ts";

/** The kinds of preprocessing tokens (C11 §6.4). */
export const Kind = { identifier: 0, number: 1, string: 2, character: 3, punctuator: 4, other: 5 } as const;

/** Further properties of a token, as bits. */
export const Flag = {
  /** White space or a comment precedes the token. */
  spaced: 1,
  /** First on its logical line. */
  startsLine: 2,
  /** The gap before it is more than plain white space: a comment, a line continuation, a control character. */
  dirtyGap: 4,
  /** Its text differs from the source: it contains a line continuation, or is a digraph. */
  dirtyText: 8,
} as const;

/** The tokens of a text, in arrays. */
export interface TokenList {
  readonly text: string;
  readonly count: number;
  readonly kinds: Uint8Array;
  readonly flags: Uint8Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** Numbers of identifiers and punctuators; 0 for the others. */
  readonly ids: Int32Array;
  /** Indices of the `#` that begin directives. */
  readonly directives: readonly number[];
  /** Where a comment or raw string without an end begins. */
  readonly unclosed: number | undefined;
}

const punctuators = [
  "<<=",
  ">>=",
  "...",
  "->*",
  "<=>",
  "%:%:",
  "->",
  "++",
  "--",
  "<<",
  ">>",
  "<=",
  ">=",
  "==",
  "!=",
  "&&",
  "||",
  "+=",
  "-=",
  "*=",
  "/=",
  "%=",
  "&=",
  "^=",
  "|=",
  "##",
  "::",
  ".*",
  "<:",
  ":>",
  "<%",
  "%>",
  "%:",
];
const digraphs: Readonly<Record<string, string>> = { "<:": "[", ":>": "]", "<%": "{", "%>": "}", "%:": "#", "%:%:": "##" };
const longPunctuators: readonly (readonly string[] | undefined)[] = Array.from({ length: 128 }, (_, code) => {
  const list = punctuators.filter((text) => text.charCodeAt(0) === code).sort((a, b) => b.length - a.length);
  return list.length === 0 ? undefined : list;
});
const singles = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

/** Classes of characters. */
const Char = { other: 0, blank: 1, control: 2, newline: 3, letter: 4, digit: 5, quote: 6, sign: 7 } as const;
const classes = new Uint8Array(128);
for (let code = 0; code < 128; code += 1) {
  const c = String.fromCharCode(code);
  if (c === " " || c === "\t") classes[code] = Char.blank;
  else if (c === "\n" || c === "\r") classes[code] = Char.newline;
  else if (code < 32 || code === 127) classes[code] = Char.control;
  else if (/[A-Za-z_$]/.test(c)) classes[code] = Char.letter;
  else if (/[0-9]/.test(c)) classes[code] = Char.digit;
  else if (c === '"' || c === "'") classes[code] = Char.quote;
  else if (!/[@`\\]/.test(c)) classes[code] = Char.sign;
}

const slash = 0x2f;
const star = 0x2a;
const backslash = 0x5c;
const newline = 0x0a;
const carriageReturn = 0x0d;
const dot = 0x2e;
const apostrophe = 0x27;
const doubleQuote = 0x22;

function classOf(code: number): number {
  // After the text's end the code is NaN.
  if (!(code >= 128)) return classes[code] ?? Char.other;
  // White space of Unicode, and byte order marks in the middle of a text.
  return code === 0xa0 || code === 0xfeff || code === 0x2028 || code === 0x2029 || code === 0x3000 ? Char.control : Char.letter;
}

/** The tokens of a text. C++ has raw strings and digit separators. */
export function tokenize(text: string, interner: Interner, cplusplus: boolean): TokenList {
  let capacity = Math.max(16, text.length >> 2);
  let kinds = new Uint8Array(capacity);
  let flags = new Uint8Array(capacity);
  let starts = new Int32Array(capacity);
  let ends = new Int32Array(capacity);
  let ids = new Int32Array(capacity);
  const directives: number[] = [];
  let unclosed: number | undefined;
  let count = 0;
  let at = 0;
  let pending: number = Flag.startsLine;
  /** The end of the raw string whose contents are being read as code; -1 outside, -2 if there are no more. */
  let wrapperEnd = -1;
  const push = (kind: number, start: number, end: number, id: number, dirty: number) => {
    if (count === capacity) {
      capacity *= 2;
      kinds = grown(kinds, new Uint8Array(capacity));
      flags = grown(flags, new Uint8Array(capacity));
      starts = grown(starts, new Int32Array(capacity));
      ends = grown(ends, new Int32Array(capacity));
      ids = grown(ids, new Int32Array(capacity));
    }
    if (id === Sign.hash && (pending & Flag.startsLine) !== 0) directives.push(count);
    kinds[count] = kind;
    flags[count] = pending | dirty;
    starts[count] = start;
    ends[count] = end;
    ids[count] = id;
    count += 1;
    pending = 0;
    at = end;
  };
  const pushText = (kind: number, start: number, end: number) =>
    push(kind, start, end, Sign.none, hasContinuation(text, start, end) ? Flag.dirtyText : 0);
  const pushLiteral = (start: number, quote: number) => {
    const { end, isClosed } = endOfQuoted(text, quote);
    pushText(isClosed ? (text.charCodeAt(quote) === doubleQuote ? Kind.string : Kind.character) : Kind.other, start, end);
  };
  while (at < text.length) {
    const code = text.charCodeAt(at);
    switch (classOf(code)) {
      case Char.blank:
        at += 1;
        pending |= Flag.spaced;
        continue;
      case Char.newline:
        at += 1;
        pending |= Flag.startsLine | Flag.spaced;
        continue;
      case Char.control:
        at += 1;
        pending |= Flag.spaced | Flag.dirtyGap;
        continue;
      case Char.letter: {
        const end = endOfWord(text, at);
        const quote = text.charCodeAt(end);
        if (quote === doubleQuote && (cplusplus || wrapperEnd === -1) && /^(?:u8|u|U|L)?R$/.test(text.slice(at, end))) {
          const raw = rawString(text, end);
          if (raw !== undefined && cplusplus) {
            if (raw.close < 0) unclosed ??= at;
            push(Kind.string, at, raw.close < 0 ? text.length : raw.end, Sign.none, 0);
            continue;
          }
          if (raw !== undefined && raw.close < 0) wrapperEnd = -2;
          else if (raw !== undefined) {
            wrapperEnd = raw.close;
            at = raw.open;
            pending |= Flag.spaced | Flag.dirtyGap;
            continue;
          }
        }
        if ((quote === doubleQuote || quote === apostrophe) && /^(?:u8|u|U|L)$/.test(text.slice(at, end))) pushLiteral(at, end);
        else {
          const isDirty = hasContinuation(text, at, end);
          push(
            Kind.identifier,
            at,
            end,
            interner.idOf(isDirty ? withoutContinuations(text.slice(at, end)) : text.slice(at, end)),
            isDirty ? Flag.dirtyText : 0,
          );
        }
        continue;
      }
      case Char.digit:
        pushText(Kind.number, at, endOfNumber(text, at, cplusplus));
        continue;
      case Char.quote:
        pushLiteral(at, at);
        continue;
      case Char.sign: {
        if (code === slash) {
          const next = text.charCodeAt(at + 1);
          if (next === slash || next === star) {
            const close = next === slash ? endOfLine(text, at) : text.indexOf("*/", at + 2);
            if (close < 0) unclosed ??= at;
            at = close < 0 ? text.length : next === slash ? close : close + 2;
            pending |= Flag.spaced | Flag.dirtyGap;
            continue;
          }
        }
        if (code === dot && classOf(text.charCodeAt(at + 1)) === Char.digit) {
          pushText(Kind.number, at, endOfNumber(text, at, cplusplus));
          continue;
        }
        if (wrapperEnd >= 0 && at >= wrapperEnd) {
          const isWrapper = at === wrapperEnd;
          wrapperEnd = -1;
          if (isWrapper) {
            at = text.indexOf('"', at) + 1;
            pending |= Flag.spaced | Flag.dirtyGap;
            continue;
          }
        }
        const long = longestPunctuator(text, at, code);
        if (long === undefined) push(Kind.punctuator, at, at + 1, interner.idOf(singles[code] ?? ""), 0);
        else {
          const meant = digraphs[long];
          push(Kind.punctuator, at, at + long.length, interner.idOf(meant ?? long), meant === undefined ? 0 : Flag.dirtyText);
        }
        continue;
      }
      default: {
        const length = code === backslash ? continuation(text, at) : 0;
        if (length > 0) {
          at += length;
          pending |= Flag.spaced | Flag.dirtyGap;
        } else push(Kind.other, at, at + 1, Sign.none, 0);
      }
    }
  }
  return {
    text,
    count,
    kinds: kinds.slice(0, count),
    flags: flags.slice(0, count),
    starts: starts.slice(0, count),
    ends: ends.slice(0, count),
    ids: ids.slice(0, count),
    directives,
    unclosed,
  };
}

/** Splitting a part with fewer characters again is faster than copying its tokens. */
const shortPart = 1_024;

/** The tokens of a part of a text that starts at `from`, at the start of a line and outside of tokens and comments. */
export function tokensOfPart(list: TokenList, from: number, part: string, interner: Interner, cplusplus: boolean): TokenList {
  if (part.length < shortPart) return tokenize(part, interner, cplusplus);
  const firstFrom = (offset: number) => countUpTo(list.count, (at) => list.starts[at], offset - 1);
  const directivesBefore = (token: number) => countUpTo(list.directives.length, (at) => list.directives[at], token - 1);
  const [first, last] = [firstFrom(from), firstFrom(from + part.length)];
  // The gap before the first token may begin before the part.
  const head = tokenize(part.slice(0, Math.max(0, (list.ends[first] ?? 0) - from)), interner, cplusplus);
  if (first >= last || head.count !== 1) return tokenize(part, interner, cplusplus);
  const flags = list.flags.slice(first, last);
  flags[0] = head.flags[0] ?? 0;
  const unclosed = (list.unclosed ?? -1) - from;
  return {
    text: part,
    count: last - first,
    kinds: list.kinds.slice(first, last),
    flags,
    starts: list.starts.slice(first, last).map((start) => start - from),
    ends: list.ends.slice(first, last).map((end) => end - from),
    ids: list.ids.slice(first, last),
    directives: list.directives.slice(directivesBefore(first), directivesBefore(last)).map((at) => at - first),
    unclosed: unclosed >= 0 && unclosed < part.length ? unclosed : undefined,
  };
}

/** A token's text: without line continuations, digraphs replaced. */
export function textOf(list: TokenList, index: number, interner: Interner): string {
  const id = list.ids[index] ?? Sign.none;
  if (id !== Sign.none) return interner.textOf(id);
  const slice = list.text.slice(list.starts[index], list.ends[index]);
  return ((list.flags[index] ?? 0) & Flag.dirtyText) === 0 ? slice : withoutContinuations(slice);
}

function grown<T extends Uint8Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

function longestPunctuator(text: string, at: number, code: number): string | undefined {
  const candidates = longPunctuators[code];
  if (candidates === undefined) return undefined;
  const found = candidates.find((candidate) => text.startsWith(candidate, at));
  // C++11 §2.5p3: `<::` is `<` and `::`, unless `:` or `>` follows.
  if (found === "<:" && text[at + 2] === ":" && text[at + 3] !== ":" && text[at + 3] !== ">") return undefined;
  return found;
}

/** The length of a backslash-newline at `at`, or 0. Blanks between the two are accepted, as in compilers. */
function continuation(text: string, at: number): number {
  let end = at + 1;
  while (classOf(text.charCodeAt(end)) === Char.blank) end += 1;
  const code = text.charCodeAt(end);
  if (code === newline) return end + 1 - at;
  if (code !== carriageReturn) return 0;
  return end + (text.charCodeAt(end + 1) === newline ? 2 : 1) - at;
}

/** Only backslashes before a line's end are continuations; others, as in escapes, belong to the text. */
function hasContinuation(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (text.charCodeAt(at) === backslash && continuation(text, at) > 0) return true;
  return false;
}

function withoutContinuations(slice: string): string {
  return slice.replace(/\\[ \t]*(?:\r\n?|\n)/g, "");
}

function endOfWord(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    const code = text.charCodeAt(at);
    const kind = classOf(code);
    if (kind === Char.letter || kind === Char.digit) at += 1;
    else if (code === backslash) {
      const length = continuation(text, at);
      const next = length === 0 ? Char.other : classOf(text.charCodeAt(at + length));
      if (next !== Char.letter && next !== Char.digit) return at;
      at += length;
    } else return at;
  }
}

/** A pp-number (C11 §6.4.8), with C++14's digit separators. */
function endOfNumber(text: string, start: number, cplusplus: boolean): number {
  let at = start + 1;
  for (;;) {
    const code = text.charCodeAt(at);
    const kind = classOf(code);
    if (kind === Char.digit || kind === Char.letter || code === dot) at += 1;
    else if ((code === 0x2b || code === 0x2d) && /[eEpP]/.test(text[at - 1] ?? "")) at += 1;
    else if (code === apostrophe && cplusplus && /[A-Za-z0-9_]/.test(text[at + 1] ?? "")) at += 2;
    else if (code === backslash && continuation(text, at) > 0 && /[A-Za-z0-9_.]/.test(text[at + continuation(text, at)] ?? ""))
      at += continuation(text, at);
    else return at;
  }
}

/** A literal ends at its quote, or at the end of the line when that is missing. */
function endOfQuoted(text: string, open: number): { readonly end: number; readonly isClosed: boolean } {
  const quote = text.charCodeAt(open);
  let at = open + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) return { end: at + 1, isClosed: true };
    if (code === newline || code === carriageReturn) return { end: at, isClosed: false };
    at += code === backslash ? Math.max(2, continuation(text, at)) : 1;
  }
  return { end: text.length, isClosed: false };
}

/** Where a raw string's contents begin, where its `)` is (-1 if missing) and where it ends; undefined if it is not a raw string. */
function rawString(text: string, quote: number): { readonly open: number; readonly close: number; readonly end: number } | undefined {
  const head = /^"([^()\\\s]{0,16})\(/.exec(text.slice(quote, quote + 19));
  if (head === null) return undefined;
  const closing = `)${head[1] ?? ""}"`;
  const open = quote + head[0].length;
  const close = text.indexOf(closing, open);
  return { open, close, end: close + closing.length };
}

function endOfLine(text: string, start: number): number {
  let at = start;
  for (;;) {
    const end = text.indexOf("\n", at);
    if (end < 0) return text.length;
    let last = end - 1;
    while (last > start && (text.charCodeAt(last) === carriageReturn || classOf(text.charCodeAt(last)) === Char.blank)) last -= 1;
    if (text.charCodeAt(last) !== backslash || last <= start) return end;
    at = end + 1;
  }
}
