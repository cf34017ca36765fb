/**
 * The string literals of a host language: their values, and the place of each part of a value in the host's text. The words and
 * operators between the literals are kept if they show how literals are combined. Comments are skipped.
 */

/** A part of a literal's value. If both lengths are equal, offsets map one to one; an escape maps as a whole. */
export interface LiteralPart {
  /** The start in the value, and the length there. */
  readonly at: number;
  readonly length: number;
  /** The same in the host's text. */
  readonly host: number;
  readonly hostLength: number;
}

/** The spelling of text inside of a literal. */
export type Spelling =
  /** Between quotes, with escapes; `isOneLine` if a line break must be an escape. */
  | { readonly kind: "quoted"; readonly quote: string; readonly isOneLine: boolean; readonly hasHoles?: boolean }
  /** Verbatim, up to the closing characters. */
  | { readonly kind: "raw"; readonly close: string; readonly hasHoles?: boolean };

/** A string literal of a host language; offsets are those of the host's text. */
export interface Literal {
  readonly kind: "literal";
  readonly start: number;
  readonly end: number;
  readonly value: string;
  readonly pieces: readonly LiteralPart[];
  readonly spelling: Spelling;
  /** Parts of the value are known only when the program runs: Python's `f"…"`. Names stand for them, as `holes.ts` says. */
  readonly hasHoles: boolean;
  /** The literal does not end, or is not formed as its language demands. */
  readonly isBroken?: boolean;
}

/** A name, a number or a single character. A line feed marks the end of a preprocessor directive. */
export interface LiteralWord {
  readonly kind: "word" | "sign";
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The tokens of a host's text: literals and words. */
export type HostToken = Literal | LiteralWord;

/** One-letter escapes that C and Python share; the others differ. */
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

/** How a language treats backslashes. */
export interface BackslashRules {
  /** Before any other character it stands for that character alone. */
  readonly dropsBackslash?: boolean;
  /** At the end of a line it also hides the blanks at the beginning of the next one. */
  readonly skipsIndentation?: boolean;
}

/** The value of an ordinary literal. `start` and `end` enclose the text between the quotes. */
export function unescape(text: string, start: number, end: number, rules: BackslashRules = {}): Pick<Literal, "value" | "pieces"> {
  const pieces: LiteralPart[] = [];
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
    const [part, length] = escapeAt(text, plain, rules);
    add(part, plain, length);
    at = plain + length;
  }
  return { value, pieces };
}

/** A line break with the blanks after it. */
const lineBreak = /(\r\n|\n|\r)\s*/y;

/** The value of an escape, and its length. An unknown escape stands for itself. */
function escapeAt(text: string, at: number, { dropsBackslash, skipsIndentation }: BackslashRules): readonly [string, number] {
  // A continued line adds nothing to the value.
  lineBreak.lastIndex = at + 1;
  const continued = lineBreak.exec(text);
  if (continued !== null) return ["", 1 + (skipsIndentation === true ? continued[0] : (continued[1] ?? "")).length];
  const braced = /^\\u\{([0-9a-fA-F]{1,6})\}/.exec(text.slice(at, at + 10));
  if (braced !== null) return [characterOf(Number.parseInt(braced[1] ?? "0", 16)), braced[0].length];
  const code = /^\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{1,3}))/.exec(text.slice(at, at + 10));
  if (code !== null) {
    const number = code[4] === undefined ? Number.parseInt(code[1] ?? code[2] ?? code[3] ?? "0", 16) : Number.parseInt(code[4], 8);
    return [characterOf(number), code[0].length];
  }
  const letter = text[at + 1] ?? "";
  return [shortEscapes[letter] ?? (dropsBackslash === true ? letter : `\\${letter}`), 1 + letter.length];
}

function characterOf(number: number): string {
  return number <= 0x10ffff ? String.fromCodePoint(number) : "\ufffd";
}

/** The value of a raw literal, in which nothing is escaped. */
export function verbatim(text: string, start: number, end: number): Pick<Literal, "value" | "pieces"> {
  return {
    value: text.slice(start, end),
    pieces: end > start ? [{ at: 0, length: end - start, host: start, hostLength: end - start }] : [],
  };
}

/** The spelling of a text in a literal; undefined if there is none. */
export function spellIn(spelling: Spelling, text: string): string | undefined {
  // Such characters would begin a part that the program fills in.
  if (spelling.hasHoles === true && /[{}$%]/.test(text)) return undefined;
  if (spelling.kind === "raw") return text.includes(spelling.close) || (spelling.close === ")" && /["'#]/.test(text)) ? undefined : text;
  const escaped = text.replaceAll("\\", "\\\\").replaceAll(spelling.quote[0] ?? '"', (quote) => `\\${quote}`);
  return spelling.isOneLine ? escaped.replaceAll("\r", "\\r").replaceAll("\n", "\\n") : escaped;
}
