/**
 * Splits a text into tokens as its author wrote it, including macros and inactive branches. Comments and literals are one token
 * each.
 */
import { definitionsIn } from "../../preprocess/macros/definitions-in.ts";
import type { SourceSpan } from "../../source.ts";

/** A token of the author's text. */
export interface CodeToken {
  readonly kind: "word" | "sign" | "literal" | "comment";
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

// An unterminated comment extends to the end of the text, so that nothing is scanned twice.
const tokenPattern =
  /(?<comment>\/\/(?:\\\r?\n|[^\n])*|\/\*.*?(?:\*\/|$))|(?<literal>"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|\.?\d(?:[eEpP][+-]|[\w.])*)|(?<word>[A-Za-z_$][\w$]*)|->|<<<|>>>|[^\s\w]/gs;

/** The tokens of a text, and those that are left without comments and directives. */
interface Tokens {
  readonly all: readonly CodeToken[];
  readonly statements: () => readonly CodeToken[];
}

const known = new Map<string, Tokens>();
/** How many texts are remembered, because several questions about a file come together. */
const textsKept = 4;

/** The tokens in source order, without white space. */
export function codeTokens(text: string): readonly CodeToken[] {
  return tokensOf(text).all;
}

/** The tokens of statements and declarations in source order: those of every branch, without comments and directives. */
export function statementTokens(text: string): readonly CodeToken[] {
  return tokensOf(text).statements();
}

function tokensOf(text: string): Tokens {
  const present = known.get(text);
  if (present !== undefined) return present;
  const tokens = [...text.matchAll(tokenPattern)].map((match): CodeToken => {
    const { comment, literal, word } = match.groups ?? {};
    const kind = comment !== undefined ? "comment" : literal !== undefined ? "literal" : word !== undefined ? "word" : "sign";
    return { kind, text: match[0], start: match.index, end: match.index + match[0].length };
  });
  for (const oldest of [...known.keys()].slice(0, Math.max(0, known.size - textsKept + 1))) known.delete(oldest);
  let statements: readonly CodeToken[] | undefined;
  const found = { all: tokens, statements: () => (statements ??= withoutDirectives(text, tokens)) };
  known.set(text, found);
  return found;
}

function withoutDirectives(text: string, tokens: readonly CodeToken[]): readonly CodeToken[] {
  const isCode = tokens.filter(({ kind }) => kind !== "comment");
  return without(isCode, /^[ \t]*#(?:\\\r?\n|[^\n])*/gm, text);
}

/** The tokens without directives that neither define macros nor test them. */
export function withoutPlainDirectives(tokens: readonly CodeToken[], text: string): readonly CodeToken[] {
  return without(tokens, /^[ \t]*#[ \t]*(?:include|pragma|error|warning|line)\b(?:\\\r?\n|[^\n])*/gm, text);
}

/** The tokens that begin outside of what a pattern matches in their text. */
export function without(tokens: readonly CodeToken[], pattern: RegExp, text: string): readonly CodeToken[] {
  const parts = [...text.matchAll(pattern)].map(({ index, 0: part }) => ({ start: index, end: index + part.length }));
  let next = 0;
  return tokens.filter(({ start }) => {
    while ((parts[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next += 1;
    return start < (parts[next]?.start ?? Number.POSITIVE_INFINITY);
  });
}

/** The tokens of a part of the text, which are found by halving because a text may define thousands of macros. */
export function tokensIn(tokens: readonly CodeToken[], { start, end }: SourceSpan): readonly CodeToken[] {
  return tokens.slice(firstFrom(tokens, start), firstFrom(tokens, end));
}

/** The index of the first token that begins at or after an offset. */
function firstFrom(tokens: readonly CodeToken[], offset: number): number {
  let low = 0;
  for (let high = tokens.length; low < high; ) {
    const middle = (low + high) >> 1;
    if ((tokens[middle]?.start ?? offset) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** True for a word that `.` or `->` makes a member. A comment between them may end with a period of its own. */
export function followsMemberAccess(text: string, offset: number): boolean {
  const tokens = codeTokens(text);
  let at = firstFrom(tokens, offset) - 1;
  while (tokens[at]?.kind === "comment") at -= 1;
  const before = tokens[at]?.text;
  return before === "." || before === "->";
}

/** The number that contains an offset, or ends there. */
export function numberAt(text: string, offset: number): CodeToken | undefined {
  return codeTokens(text).find(
    ({ kind, text: literal, start, end }) => kind === "literal" && start <= offset && offset <= end && /^[.\d]/.test(literal),
  );
}

/** The word that contains an offset, or ends there. */
export function wordAt(text: string, offset: number): CodeToken | undefined {
  return codeTokens(text).find(({ kind, start, end }) => kind === "word" && start <= offset && offset <= end);
}

/** The top-level item around an offset, from its first token to its last, or to the end of the text if it is unfinished. */
export function itemAround(text: string, offset: number): SourceSpan | undefined {
  return itemsOf(text, codeTokens(text)).find(({ start, end }) => start <= offset && offset <= end);
}

/** The top-level items that tokens of a text form, each from its first token to its last. */
export function itemsOf(text: string, tokens: readonly CodeToken[]): readonly SourceSpan[] {
  const items: SourceSpan[] = [];
  let depth = 0;
  let start: number | undefined;
  for (const token of tokens) {
    if (token.kind === "comment") continue;
    start ??= token.start;
    if (token.text === "{") depth += 1;
    else if (token.text === "}") depth = Math.max(0, depth - 1);
    if (depth === 0 && (token.text === "}" || token.text === ";")) {
      items.push({ start, end: token.end });
      start = undefined;
    }
  }
  if (start !== undefined) items.push({ start, end: text.length });
  return items;
}

/** The context of an offset: the depth of braces, and the open parentheses; undefined in a comment, a literal or a directive. */
export function positionAt(text: string, offset: number): Position | undefined {
  const directive = directiveAround(text, offset);
  const macro = directive === undefined ? undefined : macroAround(text, directive, offset);
  if (directive !== undefined && macro === undefined) return undefined;
  let open: OpenBracket[] = [];
  // A macro's definition may become part of a body.
  let depth = macro === undefined ? 0 : 1;
  let before: CodeToken | undefined;
  if (codeTokens(text).some((token) => token.kind === "comment" && isInside(token, offset))) return undefined;
  const around =
    macro === undefined
      ? statementTokens(text)
      : // The backslashes that continue a macro are not part of it.
        codeTokens(text).filter(({ kind, text: sign, start }) => kind !== "comment" && sign !== "\\" && start >= macro.from);
  const tokens: CodeToken[] = [];
  const branches = macro === undefined ? branchesBefore(text, offset) : [];
  /** What was open where the conditionals around the token begin: each of their branches continues from there. */
  const conditionals: { readonly open: readonly OpenBracket[]; readonly depth: number; readonly count: number }[] = [];
  const enter = ({ word }: { readonly word: string }) => {
    if (word.startsWith("if")) conditionals.push({ open: [...open], depth, count: tokens.length });
    else if (word === "endif") conditionals.pop();
    else {
      const start = conditionals.at(-1);
      if (start === undefined) return;
      open = [...start.open];
      depth = start.depth;
      tokens.length = start.count;
      before = tokens.at(-1);
    }
  };
  let next = 0;
  const enterUpTo = (place: number) => {
    for (let at = branches[next]; at !== undefined && at.start < place; at = branches[next]) {
      enter(at);
      next += 1;
    }
  };
  for (const token of around) {
    const { kind, start } = token;
    if (start >= offset || (kind === "word" && token.end >= offset)) continue;
    enterUpTo(start);
    tokens.push(token);
    if (kind === "literal") {
      if (isInside(token, offset)) return undefined;
      before = token;
      continue;
    }
    if (token.text === "{") depth += 1;
    else if (token.text === "}") depth = Math.max(0, depth - 1);
    if (token.text === "(" || token.text === "[" || token.text === "{")
      open.push({ sign: token.text, at: start, name: before?.kind === "word" ? before : undefined, commas: 0 });
    else if (token.text === ")" || token.text === "]" || token.text === "}") open.pop();
    else if (token.text === ",") {
      const last = open.at(-1);
      if (last !== undefined) open[open.length - 1] = { ...last, commas: last.commas + 1 };
    }
    before = token;
  }
  enterUpTo(offset);
  return { depth, open, before, tokens, ...(macro === undefined ? {} : { parameters: macro.parameters }) };
}

/** The directives of conditionals before an offset. */
function branchesBefore(text: string, offset: number): readonly { readonly start: number; readonly word: string }[] {
  const tokens = codeTokens(text);
  return tokens.flatMap(({ text: sign, start }, index) => {
    const word = tokens[index + 1]?.text ?? "";
    if (sign !== "#" || start >= offset || !/^(?:if|ifdef|ifndef|elif|else|endif)$/.test(word)) return [];
    return /^[ \t]*$/.test(text.slice(text.lastIndexOf("\n", start) + 1, start)) ? [{ start, word }] : [];
  });
}

/** True for an offset in a comment or a literal. Directly after a number or the end of one of them, the offset is outside. */
function isInside({ kind, text, start, end }: CodeToken, offset: number): boolean {
  if (offset <= start || offset > end) return false;
  return offset < end || (kind === "comment" ? !text.endsWith("*/") : /^["']/.test(text) && text.length < 2);
}

/** The start of the directive around the offset; undefined if there is none. A backslash continues it on the next line. */
function directiveAround(text: string, offset: number): number | undefined {
  let start = text.lastIndexOf("\n", offset - 1) + 1;
  while (/\\\r?\n$/.test(text.slice(Math.max(0, start - 3), start))) start = text.lastIndexOf("\n", start - 2) + 1;
  return /^[ \t]*#/.test(text.slice(start, offset)) ? start : undefined;
}

/** The parameters of the macro in whose definition the offset is, and where the definition starts. `start` is that of its line. */
function macroAround(
  text: string,
  start: number,
  offset: number,
): { readonly from: number; readonly parameters: readonly string[] } | undefined {
  const macro = definitionsIn(text).find(({ line }) => start <= line.start && line.start < offset);
  if (macro === undefined || text.slice(start, macro.line.start).trim() !== "") return undefined;
  const { span, parameters = [] } = macro;
  const from = macro.parameters === undefined ? span.end : text.indexOf(")", span.end) + 1;
  // At the end of the name, the name is being typed.
  return offset <= span.end || offset < from ? undefined : { from, parameters };
}

interface OpenBracket {
  readonly sign: string;
  readonly at: number;
  /** The word directly before the bracket. */
  readonly name: CodeToken | undefined;
  /** The number of commas between the bracket and the offset. */
  readonly commas: number;
}

/** The brackets around a place. */
export interface Position {
  /** The number of braces around the place; 0 at file scope. */
  readonly depth: number;
  /** The open brackets, outermost first. */
  readonly open: readonly OpenBracket[];
  /** The preceding token, without the word that is being typed. */
  readonly before: CodeToken | undefined;
  /** The tokens up to that one: those of the macro's body, or those of the file without directives. */
  readonly tokens: readonly CodeToken[];
  /** The parameters of the macro in whose definition the place is. */
  readonly parameters?: readonly string[];
}
