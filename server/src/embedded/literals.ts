/**
 * The string literals of a host language, taken apart: what they mean, and where each part of that stands. The words and
 * signs between them are kept as far as they say how literals hang together. Comments are skipped.
 */

/** A stretch of a literal's value. Where both lengths are equal, offsets map one to one; an escape maps as a whole. */
export interface Piece {
  /** Where it starts in the value, and how long it is there. */
  readonly at: number;
  readonly length: number;
  /** The same in the host's text. */
  readonly host: number;
  readonly hostLength: number;
}

/** How text has to be written inside of a literal. */
export type Spelling =
  /** Between quotes, with escapes; `isOneLine` where a line break has to be one. */
  | { readonly kind: "quoted"; readonly quote: string; readonly isOneLine: boolean }
  /** As it is, up to the closing signs. */
  | { readonly kind: "raw"; readonly close: string };

/** A string literal of a host language; offsets are those of the host's text. */
export interface Literal {
  readonly kind: "literal";
  readonly start: number;
  readonly end: number;
  readonly value: string;
  readonly pieces: readonly Piece[];
  readonly spelling: Spelling;
  /** It has parts that only the running program knows: Python's `f"…"`. */
  readonly hasHoles: boolean;
}

/** A name or number, or a single sign. The end of a preprocessor directive is the sign of a line feed. */
export interface Word {
  readonly kind: "word" | "sign";
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** What is read of a host's text: literals and words. */
export type HostToken = Literal | Word;

/** Escapes with one letter that C and Python share; the others differ. */
const shortEscapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  "0": "\0",
  a: "\x07",
  b: "\b",
  f: "\f",
  v: "\v",
  "\\": "\\",
  '"': '"',
  "'": "'",
  "?": "?",
};

/** The value of what stands between the quotes of an ordinary literal. `start` and `end` enclose the contents. */
export function unescape(text: string, start: number, end: number): Pick<Literal, "value" | "pieces"> {
  const pieces: Piece[] = [];
  let value = "";
  const add = (part: string, host: number, hostLength: number) => {
    if (part.length > 0) pieces.push({ at: value.length, length: part.length, host, hostLength });
    value += part;
  };
  for (let at = start; at < end; ) {
    const next = text.indexOf("\\", at);
    const plain = next < 0 || next >= end ? end : next;
    add(text.slice(at, plain), at, plain - at);
    if (plain >= end) break;
    const [part, length] = escapeAt(text, plain);
    add(part, plain, length);
    at = plain + length;
  }
  return { value, pieces };
}

/** What an escape means, and how long it is. One that we do not know stands for itself. */
function escapeAt(text: string, at: number): readonly [string, number] {
  // A line that goes on gives nothing.
  const continued = /^\\(\r\n|\n|\r)/.exec(text.slice(at, at + 3));
  if (continued !== null) return ["", continued[0].length];
  const code = /^\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{1,3}))/.exec(text.slice(at, at + 10));
  if (code !== null) {
    const number = code[4] === undefined ? Number.parseInt(code[1] ?? code[2] ?? code[3] ?? "0", 16) : Number.parseInt(code[4], 8);
    return [number <= 0x10ffff ? String.fromCodePoint(number) : "\ufffd", code[0].length];
  }
  const letter = text[at + 1] ?? "";
  return [shortEscapes[letter] ?? `\\${letter}`, 1 + letter.length];
}

/** The value of what stands between the quotes of a raw literal. */
export function verbatim(text: string, start: number, end: number): Pick<Literal, "value" | "pieces"> {
  return {
    value: text.slice(start, end),
    pieces: end > start ? [{ at: 0, length: end - start, host: start, hostLength: end - start }] : [],
  };
}

/** A text as it has to be written in a literal; undefined where it cannot be. */
export function spellIn(spelling: Spelling, text: string): string | undefined {
  if (spelling.kind === "raw") return text.includes(spelling.close) || (spelling.close === ")" && /["'#]/.test(text)) ? undefined : text;
  const escaped = text.replaceAll("\\", "\\\\").replaceAll(spelling.quote[0] ?? '"', (quote) => `\\${quote}`);
  return spelling.isOneLine ? escaped.replaceAll("\r", "\\r").replaceAll("\n", "\\n") : escaped;
}
