/** The words and signs of a text as its author wrote it, macros and inactive branches included; comments and literals are one token each. */

/** A token of the author's text. */
export interface CodeToken {
  readonly kind: "word" | "sign" | "literal" | "comment";
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

// An open comment goes to the end of the text, so that nothing is looked at twice.
const pattern =
  /(?<comment>\/\/(?:\\\r?\n|[^\n])*|\/\*.*?(?:\*\/|$))|(?<literal>"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|\.?\d[\w.]*)|(?<word>[A-Za-z_$][\w$]*)|->|<<<|>>>|[^\s\w]/gs;

const known = new Map<string, readonly CodeToken[]>();
/** So many texts are remembered: several questions about a file come together. */
const textsKept = 4;

/** In order; blanks are left out. */
export function codeTokens(text: string): readonly CodeToken[] {
  const present = known.get(text);
  if (present !== undefined) return present;
  const tokens = [...text.matchAll(pattern)].map((match): CodeToken => {
    const { comment, literal, word } = match.groups ?? {};
    const kind = comment !== undefined ? "comment" : literal !== undefined ? "literal" : word !== undefined ? "word" : "sign";
    return { kind, text: match[0], start: match.index, end: match.index + match[0].length };
  });
  for (const oldest of [...known.keys()].slice(0, Math.max(0, known.size - textsKept + 1))) known.delete(oldest);
  known.set(text, tokens);
  return tokens;
}

/** The word that an offset is in, or directly behind. */
export function wordAt(text: string, offset: number): CodeToken | undefined {
  return codeTokens(text).find(({ kind, start, end }) => kind === "word" && start <= offset && offset <= end);
}

/** Where an offset stands: how deep in braces, and in which parentheses; undefined in a comment, a literal or a directive. */
export function positionAt(text: string, offset: number): Position | undefined {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  if (/^[ \t]*#/.test(text.slice(lineStart, offset))) return undefined;
  const open: OpenBracket[] = [];
  let depth = 0;
  let before: CodeToken | undefined;
  for (const token of codeTokens(text)) {
    const { kind, start, end } = token;
    if (start >= offset) break;
    if (kind === "comment" || kind === "literal") {
      // Behind a closed literal, and behind a number that ends here, one is outside.
      const isInside =
        offset < end ||
        (offset === end && (kind === "comment" ? !token.text.endsWith("*/") : /^["']/.test(token.text) && token.text.length < 2));
      if (isInside) return undefined;
      if (kind === "literal") before = token;
      continue;
    }
    if (kind === "word" && end >= offset) break;
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
  return { depth, open, before };
}

interface OpenBracket {
  readonly sign: string;
  readonly at: number;
  /** The word directly in front. */
  readonly name: CodeToken | undefined;
  /** How many stand between it and the offset. */
  readonly commas: number;
}

/** Where a place stands among brackets. */
export interface Position {
  /** 0 at file scope. */
  readonly depth: number;
  /** The brackets around it, from the outside in. */
  readonly open: readonly OpenBracket[];
  /** What stands in front, without the word that is being typed. */
  readonly before: CodeToken | undefined;
}
