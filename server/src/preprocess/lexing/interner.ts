/**
 * Gives numbers to identifiers and punctuators, so that tokens are small, and names can be compared and looked up fast. Punctuators
 * that the preprocessor itself uses have fixed numbers. It also records which names were ever defined as macros, because a lookup
 * of any other name must fail.
 */

const fixed = ["", "(", ")", "{", "}", "[", "]", ";", ",", "#", "##", "...", ":", "*", "&", ">", "<", "="] as const;

/** The numbers of fixed punctuators. Tokens without a number have 0. */
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

/** Gives numbers to spellings, so that they can be compared as numbers. */
export interface Interner {
  /** The number of a text, assigned on its first use. */
  idOf(text: string): number;
  textOf(id: number): string;
  /** The number of spellings so far. */
  count(): number;
  /** Called for each name that is defined as a macro anywhere. */
  markDefined(id: number): void;
  wasEverDefined(id: number): boolean;
  /** How many names have been defined as macros. */
  definedCount(): number;
  /** True if written in capitals, as macros are: `[A-Z_][A-Z0-9_]*` with a letter. */
  isCapital(id: number): boolean;
}

const everDefined = 1;
const capital = 2;

/** The ids of different interners are unrelated. */
export function createInterner(): Interner {
  const ids = new Map<string, number>();
  const texts: string[] = [];
  const flags: number[] = [];
  let defined = 0;
  const idOf = (text: string): number => {
    const known = ids.get(text);
    if (known !== undefined) return known;
    const id = texts.length;
    // A slice of a source would keep the whole source alive, so this makes a copy.
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
      const known = flags[id] ?? 0;
      if ((known & everDefined) !== 0) return;
      flags[id] = known | everDefined;
      defined += 1;
    },
    wasEverDefined: (id) => ((flags[id] ?? 0) & everDefined) !== 0,
    definedCount: () => defined,
    isCapital: (id) => ((flags[id] ?? 0) & capital) !== 0,
  };
}

/** A copy of the text: a slice of a text would keep the whole text alive. */
export function unsliced(text: string): string {
  return text.length < 13 ? text : JSON.parse(JSON.stringify(text));
}
