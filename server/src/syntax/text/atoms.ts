/**
 * Splits a View's text into tokens and into runs of adjacent words: qualifiers, types, names with their template arguments, calls.
 * This rough analysis serves texts that the grammar cannot read. Its callers draw the conclusions.
 */
import { qualifiers, wordsWithRole } from "../../qualifiers.ts";

/** A text as tokens. */
export interface TokenText {
  readonly count: number;
  /** The spelling; "" outside of the text. */
  text(at: number): string;
  start(at: number): number;
  end(at: number): number;
  /** What contains the token. */
  scope(at: number): "items" | "body" | "list" | "parentheses";
  /** The token of the enclosing bracket; -1 outside of all. */
  opening(at: number): number;
  /** The token of the matching closing bracket; -1 if there is none. */
  closing(at: number): number;
  /** The token of the matching opening bracket; -1 if there is none. */
  closed(at: number): number;
}

/** One or more words that belong together, in a run of words. */
export interface Atom {
  readonly kind: "qualifier" | "type" | "key" | "name" | "call";
  readonly first: number;
  readonly last: number;
  /** Spelled in capitals, as macros are. */
  readonly isCapital: boolean;
  /** A name that continues after the run: `S::` before `operator`. */
  readonly isOpen: boolean;
  /** Follows the captures of a lambda. */
  readonly followsCaptures: boolean;
}

/** Specifiers and qualifiers. A View has no short spellings of OpenCL's words: `global` is an ordinary name there. */
export const qualifyingWords: ReadonlySet<string> = new Set([
  ...qualifiers
    .filter(({ roles }) => !roles.includes("attribute"))
    .flatMap(({ word, spellings = [] }) => [word, ...spellings.filter((spelling) => spelling.startsWith("_"))]),
  "__extension__",
]);
/** Words with arguments; `decltype` is a type. */
export const attributeWords: ReadonlySet<string> = new Set([
  ...wordsWithRole("attribute"),
  "__attribute__",
  "alignas",
  "__declspec",
  "explicit",
]);
/** Words that make a type of the expression in their parentheses. */
export const typeOperators: ReadonlySet<string> = new Set(["decltype", "typeof"]);
/** Words of types, and `typename`. */
export const typeWords: ReadonlySet<string> = new Set([
  ...[
    "void",
    "bool",
    "char",
    "short",
    "int",
    "long",
    "float",
    "double",
    "signed",
    "unsigned",
    "auto",
    "wchar_t",
    "char8_t",
    "char16_t",
    "char32_t",
  ],
  ...["typename", "__int128", "half", "_Float16"],
  ...typeOperators,
]);
const keys = new Set(["class", "struct", "union", "enum"]);
const others = new Set([
  ...["return", "if", "else", "for", "while", "do", "switch", "case", "default", "break", "continue", "goto", "try", "catch", "throw"],
  ...["new", "delete", "sizeof", "alignof", "operator", "using", "typedef", "template", "namespace", "public", "private", "protected"],
  ...["this", "true", "false", "nullptr", "NULL", "static_assert", "asm", "requires", "concept", "noexcept", "final", "override"],
  ...["static_cast", "const_cast", "reinterpret_cast", "dynamic_cast", "typeid", "co_return", "co_yield", "co_await", "pragma", "_Pragma"],
]);

const token =
  /R"([^()\\\s]{0,16})\([\s\S]*?(?:\)\1"|$)|"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[A-Za-z_$\u00A0-\uD7FF][\w$\u00A0-\uD7FF]*|\.?\d(?:[eEpP][+-]|['.\w])*|::|->\*?|&&|\|\||<<<|\S/g;

/** Cuts a text into tokens; comments are left out. */
export function readTokens(text: string): TokenText {
  const starts: number[] = [];
  const texts: string[] = [];
  for (const match of text.matchAll(token)) {
    if (match[0].startsWith("//") || match[0].startsWith("/*")) continue;
    starts.push(match.index);
    texts.push(match[0]);
  }
  const closing = new Map<number, number>();
  const closed = new Map<number, number>();
  const enclosing: number[] = [];
  const open: number[] = [];
  for (let at = 0; at < texts.length; at++) {
    const word = texts[at] ?? "";
    if (word === ")" || word === "]" || word === "}") {
      const partner = open[open.length - 1];
      if (partner !== undefined && pairs[texts[partner] ?? ""] === word) {
        closing.set(partner, at);
        closed.set(at, partner);
        open.pop();
      }
    }
    enclosing.push(open[open.length - 1] ?? -1);
    if (word in pairs) open.push(at);
  }
  const scopes = new Map<number, "items" | "body" | "list">();
  const tokens: TokenText = {
    count: texts.length,
    text: (at) => texts[at] ?? "",
    start: (at) => starts[at] ?? text.length,
    end: (at) => (starts[at] ?? text.length) + (texts[at]?.length ?? 0),
    opening: (at) => enclosing[at] ?? -1,
    closing: (at) => closing.get(at) ?? -1,
    closed: (at) => closed.get(at) ?? -1,
    scope: (at) => {
      const outer = enclosing[at] ?? -1;
      if (outer < 0) return "items";
      if (texts[outer] !== "{") return "parentheses";
      const known = scopes.get(outer) ?? scopeOf(texts, outer);
      scopes.set(outer, known);
      return known;
    },
  };
  return tokens;
}

const pairs: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** The kind of scope that a brace opens, judged by the words since the last statement. */
function scopeOf(texts: readonly string[], brace: number): "items" | "body" | "list" {
  let hasParentheses = false;
  let found: "items" | "list" | undefined;
  for (let at = brace - 1, depth = 0; at >= 0; at--) {
    const word = texts[at] ?? "";
    if (word === ")" || word === "]") depth++;
    else if (depth > 0) {
      if (word === "(" || word === "[") depth--;
      if (depth === 0 && word === "(") hasParentheses = true;
    } else if (word === "(" || word === "[") return hasParentheses || texts[brace - 1] === "]" ? "body" : "list";
    else if (word === ";" || word === "{" || word === "}") break;
    else if (word === "enum") return "list";
    else if (word === "namespace" || word === "extern" || (keys.has(word) && texts[at - 1] !== "<" && texts[at - 1] !== ","))
      found = "items";
    else if ((word === "=" && found === undefined) || word === "return") return hasParentheses ? "body" : "list";
  }
  const before = texts[brace - 1] ?? "";
  if (hasParentheses && found !== undefined && /^\)$|^(const|noexcept|override)$/.test(before)) return "body";
  if (found !== undefined) return found;
  return hasParentheses || ["", ";", "{", "}", ":", "else", "do", "try", "]"].includes(before) ? "body" : "list";
}

/** The run of adjacent words that begins with this token; empty if the token is not a word, or continues a name. */
export function runAt(tokens: TokenText, from: number): readonly Atom[] {
  const atoms: Atom[] = [];
  const before = tokens.text(from - 1);
  if (before === "." || before === "->" || before === "::" || before === "->*" || before === "goto" || before === "#") return atoms;
  const followsCaptures = before === "]" && endsCaptures(tokens, from - 1);
  for (let at = from; ; ) {
    const atom = atomAt(tokens, at, followsCaptures && at === from);
    if (atom === undefined) return atoms;
    atoms.push(atom);
    at = atom.last + 1;
  }
}

/** Whether the bracket at `close` ends the captures of a lambda, rather than a subscript or an attribute. */
function endsCaptures(tokens: TokenText, close: number): boolean {
  const open = tokens.closed(close);
  const before = tokens.text(open - 1);
  return open >= 0 && (before === "return" || !/[\w)\]"]$/.test(before));
}

function atomAt(tokens: TokenText, at: number, followsCaptures: boolean): Atom | undefined {
  const word = tokens.text(at);
  const make = (kind: Atom["kind"], last: number, isOpen = false): Atom => {
    const isCapital = /^[A-Z_][A-Z0-9_]+$/.test(word);
    return { kind, first: at, last, isCapital, isOpen, followsCaptures };
  };
  const call = tokens.text(at + 1) === "(" ? tokens.closing(at + 1) : -1;
  if (attributeWords.has(word) && call >= 0) return make("qualifier", call);
  if (word === "[" && tokens.text(at + 1) === "[" && tokens.closing(at) >= 0) return make("qualifier", tokens.closing(at));
  if (qualifyingWords.has(word)) return make("qualifier", tokens.text(at + 1).startsWith('"') && word === "extern" ? at + 1 : at);
  if (keys.has(word)) return make("key", at);
  if (typeWords.has(word)) {
    if (typeOperators.has(word) && call >= 0) return make("type", call);
    return make("type", word === "typename" ? (nameEnd(tokens, at + 1)?.last ?? at) : at);
  }
  const name = nameEnd(tokens, at);
  if (name === undefined) return undefined;
  if (name.last === at && call >= 0) return make("call", call);
  return make("name", name.last, name.isOpen);
}

const isWord = (word: string): boolean => /^[A-Za-z_$\u00A0-\uD7FF]/.test(word) && !word.endsWith('"') && !word.endsWith("'");

/** True for reserved words of the languages. */
export function isKeyword(word: string): boolean {
  return others.has(word) || typeWords.has(word) || keys.has(word) || qualifyingWords.has(word) || attributeWords.has(word);
}

/** The last token of `::a::b<c>::d`. */
function nameEnd(tokens: TokenText, from: number): { readonly last: number; readonly isOpen: boolean } | undefined {
  let at = tokens.text(from) === "::" ? from + 1 : from;
  for (;;) {
    const word = tokens.text(at);
    if (!isWord(word) || isKeyword(word)) {
      return at > from && tokens.text(at - 1) === "::" && (word === "operator" || word === "~")
        ? { last: at - 1, isOpen: true }
        : undefined;
    }
    let last = at;
    if (tokens.text(at + 1) === "<") last = angleEnd(tokens, at + 1) ?? at;
    if (tokens.text(last + 1) !== "::") return { last, isOpen: false };
    at = tokens.text(last + 2) === "template" ? last + 3 : last + 2;
  }
}

/** A longer run of tokens is not read as template arguments. */
const longestArguments = 200;

function angleEnd(tokens: TokenText, open: number): number | undefined {
  for (let at = open + 1, depth = 1; at < tokens.count && at < open + longestArguments; at++) {
    const word = tokens.text(at);
    if (word === "<") depth++;
    else if (word === ">") {
      depth--;
      if (depth === 0) return at;
    } else if (word === "(" || word === "[" || word === "{") {
      const close = tokens.closing(at);
      if (close < 0) return undefined;
      at = close;
    } else if (word === ";" || word === ")" || word === "]" || word === "}" || word === "||" || word === "<<<") return undefined;
  }
  return undefined;
}
