/**
 * Numbers for identifiers and punctuators, so that tokens are small and names compare and look up fast. Punctuators that the
 * preprocessor itself looks at have fixed numbers. It also remembers which names were ever defined as macros: for all
 * others a lookup can only fail.
 */

const fixed = ["", "(", ")", "{", "}", "[", "]", ";", ",", "#", "##", "...", ":", "*", "&", ">", "<", "="] as const;

/** The numbers of fixed punctuators; 0 is what has no number. */
export const Sign = {
  none: 0,
  openParenthesis: 1,
  closeParenthesis: 2,
  openBrace: 3,
  closeBrace: 4,
  openBracket: 5,
  closeBracket: 6,
  semicolon: 7,
  comma: 8,
  hash: 9,
  paste: 10,
  ellipsis: 11,
  colon: 12,
  star: 13,
  ampersand: 14,
  greater: 15,
  less: 16,
  equals: 17,
} as const;

/** Numbers spellings, so that equal ones are compared as numbers. */
export interface Interner {
  /** The number of a text, a new one at its first sight. */
  idOf(text: string): number;
  textOf(id: number): string;
  /** How many spellings have a number. */
  count(): number;
  /** Said of each name that is defined as a macro anywhere. */
  markDefined(id: number): void;
  wasEverDefined(id: number): boolean;
  /** Written in capitals, as macros are: `[A-Z_][A-Z0-9_]*` with a letter. */
  isCapital(id: number): boolean;
}

const everDefined = 1;
const capital = 2;

/** Ids of two interners mean nothing to each other. */
export function createInterner(): Interner {
  const ids = new Map<string, number>();
  const texts: string[] = [];
  const flags: number[] = [];
  const idOf = (text: string): number => {
    const known = ids.get(text);
    if (known !== undefined) return known;
    const id = texts.length;
    // A slice of a source keeps the whole source alive; this is a copy where it matters.
    const own = texts.length < fixed.length ? text : unsliced(text);
    texts.push(own);
    ids.set(own, id);
    flags.push(/^[A-Z_][A-Z0-9_]*$/.test(own) && /[A-Z]/.test(own) ? capital : 0);
    return id;
  };
  for (const text of fixed) idOf(text);
  return {
    idOf,
    textOf: (id) => texts[id] ?? "",
    count: () => texts.length,
    markDefined: (id) => {
      flags[id] = (flags[id] ?? 0) | everDefined;
    },
    wasEverDefined: (id) => ((flags[id] ?? 0) & everDefined) !== 0,
    isCapital: (id) => ((flags[id] ?? 0) & capital) !== 0,
  };
}

/** The same text in memory of its own: a slice of a text keeps the whole text alive. */
export function unsliced(text: string): string {
  return text.length < 13 ? text : JSON.parse(JSON.stringify(text));
}
