/**
 * The syntax of string literals in the languages of host programs, one row for each: comments, quotes, escapes, and the parts that
 * the running program fills in. `host-tokens.ts` reads texts by this table. C and C++ have a reader of their own (`c-literals.ts`),
 * because their macros make literals, too.
 */

/** How a text marks the parts that the running program fills in. */
export type HoleForm = "braces" | "double-braces" | "dollar" | "percent";

/** One kind of literal. */
export interface LiteralForm {
  /** Matches the prefix and the opening quote; sticky. */
  readonly open: RegExp;
  /** The closing quote; by default it equals the opening one without letters in front of it. */
  readonly close?: (open: string) => string;
  /**
   * How a character is written that cannot stand for itself: after a backslash, or as the closing quote twice. `kept-backslash`: the
   * backslash only keeps a quote from closing the literal, and stays. By default there is no way.
   */
  readonly escapes?: "backslash" | "kept-backslash" | "doubled-quote";
  /** A line break ends the literal. */
  readonly isOneLine?: true;
  /** Parts that the running program fills in: in braces, which are doubled to stand for themselves, in two braces, or after a dollar sign. */
  readonly holes?: HoleForm;
}

/** The literals of one language. */
export interface LiteralSyntax {
  /** Matches the names of its sources. */
  readonly names: RegExp;
  readonly lineComment: "//" | "#";
  readonly blockComment?: { readonly open: string; readonly close: string; readonly nests?: true };
  readonly forms: readonly LiteralForm[];
  /** Matches a character, or another literal that is not a text; sticky. */
  readonly characters?: RegExp;
  /** Matches a name or a number; sticky. */
  readonly words?: RegExp;
  /** The end of a line ends an expression outside of brackets. */
  readonly endsWithLine?: true;
  /** A slash begins a regular expression where an operand may stand. */
  readonly hasRegularExpressions?: true;
  /** A backslash before any other character stands for that character alone. */
  readonly dropsBackslash?: true;
  /** A backslash at the end of a line also hides the blanks at the beginning of the next one. */
  readonly skipsIndentation?: true;
}

const cComments = { lineComment: "//", blockComment: { open: "/*", close: "*/" } } as const;
const nestedComments = { lineComment: "//", blockComment: { open: "/*", close: "*/", nests: true } } as const;
const character = /'(?:\\[^\n'][^\n']{0,10}|\\'|[^\\'\n]{1,2})'/y;
const quoted: LiteralForm = { open: /"/y, escapes: "backslash", isOneLine: true };

const python: LiteralSyntax = {
  names: /\.pyw?$/i,
  lineComment: "#",
  forms: [
    { open: /(?:[fFtT][rR]|[rR][fFtT])(?:"""|''')/y, escapes: "kept-backslash", holes: "braces" },
    { open: /(?:[fFtT][rR]|[rR][fFtT])["']/y, escapes: "kept-backslash", holes: "braces", isOneLine: true },
    { open: /[fFtT](?:"""|''')/y, escapes: "backslash", holes: "braces" },
    { open: /[fFtT]["']/y, escapes: "backslash", holes: "braces", isOneLine: true },
    { open: /(?:[bB]?[rR]|[rR][bB])(?:"""|''')/y, escapes: "kept-backslash" },
    { open: /(?:[bB]?[rR]|[rR][bB])["']/y, escapes: "kept-backslash", isOneLine: true },
    { open: /[bBuU]?(?:"""|''')/y, escapes: "backslash" },
    { open: /[bBuU]?["']/y, escapes: "backslash", isOneLine: true },
  ],
  endsWithLine: true,
};

const syntaxes: readonly LiteralSyntax[] = [
  python,
  {
    // Rust
    names: /\.rs$/i,
    ...nestedComments,
    forms: [
      { open: /[bc]?r#{0,255}"/y, close: (open) => `"${"#".repeat(open.split("#").length - 1)}` },
      { open: /[bc]?"/y, escapes: "backslash" },
    ],
    characters: character,
    // A macro's name includes the mark, so that `format!` is told from other names.
    words: /[A-Za-z_]\w*(?:!(?=\s*[([{]))?|\d[\w.]*/y,
    skipsIndentation: true,
  },
  {
    // Julia
    names: /\.jl$/i,
    lineComment: "#",
    blockComment: { open: "#=", close: "=#", nests: true },
    forms: [
      { open: /[A-Za-z_]\w*"""/y, escapes: "kept-backslash" },
      { open: /[A-Za-z_]\w*"/y, escapes: "kept-backslash" },
      { open: /"""/y, escapes: "backslash", holes: "dollar" },
      { open: /"/y, escapes: "backslash", holes: "dollar" },
    ],
    characters: character,
    endsWithLine: true,
    dropsBackslash: true,
  },
  // Go
  { names: /\.go$/i, ...cComments, forms: [{ open: /`/y }, quoted], characters: character, endsWithLine: true },
  {
    // JavaScript and TypeScript
    names: /\.[mc]?[jt]sx?$/i,
    ...cComments,
    forms: [
      { open: /(?<=String\.raw)`/y, holes: "dollar" },
      { open: /`/y, escapes: "backslash", holes: "dollar" },
      quoted,
      { open: /'/y, escapes: "backslash", isOneLine: true },
    ],
    hasRegularExpressions: true,
    dropsBackslash: true,
  },
  // Java
  { names: /\.java$/i, ...cComments, forms: [{ open: /"""/y, escapes: "backslash" }, quoted], characters: character },
  {
    // C#
    names: /\.csx?$/i,
    ...cComments,
    forms: [
      { open: /\$\$"""+/y, holes: "double-braces" },
      { open: /"""+/y },
      { open: /(?:\$@|@\$)"/y, escapes: "doubled-quote", holes: "braces" },
      { open: /@"/y, escapes: "doubled-quote" },
      { open: /\$"(?!"")/y, escapes: "backslash", holes: "braces", isOneLine: true },
      quoted,
    ],
    characters: character,
  },
  {
    // Kotlin
    names: /\.kts?$/i,
    ...nestedComments,
    forms: [
      { open: /"""/y, holes: "dollar" },
      { open: /"/y, escapes: "backslash", holes: "dollar", isOneLine: true },
    ],
    characters: character,
    endsWithLine: true,
    dropsBackslash: true,
  },
  {
    // Scala
    names: /\.(?:scala|sc)$/i,
    ...nestedComments,
    forms: [
      { open: /[sf]"""/y, holes: "dollar" },
      { open: /[sf]"/y, escapes: "backslash", holes: "dollar", isOneLine: true },
      { open: /(?:raw)?"""/y },
      quoted,
    ],
    characters: character,
    endsWithLine: true,
  },
];

/** The syntax of the language that a file's name implies; undefined for C, C++ and files that are no hosts. */
export function literalSyntaxOf(name: string): LiteralSyntax | undefined {
  return syntaxes.find(({ names }) => names.test(name));
}

/** True for files in whose language `//` begins a comment. */
export function hasSlashComments(name: string): boolean {
  return literalSyntaxOf(name)?.lineComment !== "#";
}
