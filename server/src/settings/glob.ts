/**
 * Matches paths against the patterns of a `.gitignore`. Matching takes at most the product of the pattern's and the path's length,
 * because only the latest star is ever retried. A regular expression would try all combinations. `ignored.ts` decides which of
 * several patterns counts.
 */

/** One line of a `.gitignore`. */
export interface Glob {
  /** `!`: matching files are not ignored. */
  readonly isNegative: boolean;
  /** The pattern ends with a slash, so only folders match. */
  readonly isForFolders: boolean;
  /** Each part is matched against one part of the path, starting in the patterns' folder. */
  readonly parts: readonly Part[];
}

/** `**`, or a pattern for one part of a path. */
type Part = "any-depth" | readonly Token[];

type Token =
  | { readonly kind: "letter"; readonly letter: string }
  | { readonly kind: "any-letter" }
  | { readonly kind: "any-letters" }
  | { readonly kind: "set"; readonly isNegative: boolean; readonly ranges: readonly (readonly [string, string])[] };

/** Longer patterns are skipped. */
const longestPattern = 1_000;
const mostStars = 32;

/** The pattern of a line; undefined for a line without one. Case is ignored, as on many disks. */
export function parseGlob(line: string): Glob | undefined {
  if (line.length > longestPattern || line.startsWith("#") || line.split("*").length > mostStars) return undefined;
  const isNegative = line.startsWith("!");
  const text = withoutTrailingBlanks(isNegative ? line.slice(1) : line).toLowerCase();
  const isForFolders = text.endsWith("/");
  const path = text.replace(/^\/|\/+$/g, "");
  if (path === "") return undefined;
  // A pattern without a slash matches names in any folder.
  const isAnchored = /\/./.test(text);
  const parts: Part[] = isAnchored ? [] : ["any-depth"];
  for (const part of path.split("/")) {
    if (part === "**") {
      if (parts.at(-1) !== "any-depth") parts.push("any-depth");
    } else parts.push(parsePart(part));
  }
  // `a/**` matches the contents of the folder, not the folder itself.
  if (parts.at(-1) === "any-depth") parts.push([{ kind: "any-letters" }]);
  return { isNegative, isForFolders, parts };
}

/** The line without trailing blanks, except those that follow a backslash. */
function withoutTrailingBlanks(line: string): string {
  let end = line.length;
  while (end > 0 && /[ \t\r]/.test(line.charAt(end - 1)) && line.charAt(end - 2) !== "\\") end--;
  return line.slice(0, end);
}

function parsePart(text: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at);
    if (letter === "*") {
      if (tokens.at(-1)?.kind !== "any-letters") tokens.push({ kind: "any-letters" });
    } else if (letter === "?") tokens.push({ kind: "any-letter" });
    else if (letter === "\\" && at + 1 < text.length) {
      at++;
      tokens.push({ kind: "letter", letter: text.charAt(at) });
    } else {
      const set = letter === "[" ? parseSet(text, at) : undefined;
      tokens.push(set?.token ?? { kind: "letter", letter });
      at = set?.end ?? at;
    }
  }
  return tokens;
}

/** Parses `[a-z]` or `[!abc]`; undefined if the bracket is never closed. */
function parseSet(text: string, start: number): { readonly token: Token; readonly end: number } | undefined {
  let at = start + 1;
  const isNegative = text.charAt(at) === "!" || text.charAt(at) === "^";
  if (isNegative) at++;
  const ranges: [string, string][] = [];
  for (let isFirst = true; at < text.length; isFirst = false) {
    if (text.charAt(at) === "]" && !isFirst) return { token: { kind: "set", isNegative, ranges }, end: at };
    const from = letterAt(text, at);
    at = from.next;
    if (text.charAt(at) === "-" && at + 1 < text.length && text.charAt(at + 1) !== "]") {
      const to = letterAt(text, at + 1);
      ranges.push([from.letter, to.letter]);
      at = to.next;
    } else ranges.push([from.letter, from.letter]);
  }
  return undefined;
}

function letterAt(text: string, at: number): { readonly letter: string; readonly next: number } {
  const isEscape = text.charAt(at) === "\\" && at + 1 < text.length;
  return { letter: text.charAt(isEscape ? at + 1 : at), next: at + (isEscape ? 2 : 1) };
}

/** Whether a path matches. Its parts are in lower case and count from the patterns' folder. */
export function matchesGlob({ parts }: Glob, path: readonly string[]): boolean {
  return matchesInOrder(
    parts,
    path.length,
    (part) => part === "any-depth",
    (part, at) => part !== "any-depth" && matchesPart(part, path[at] ?? ""),
  );
}

function matchesPart(tokens: readonly Token[], text: string): boolean {
  return matchesInOrder(
    tokens,
    text.length,
    ({ kind }) => kind === "any-letters",
    (token, at) => matchesLetter(token, text.charAt(at)),
  );
}

function matchesLetter(token: Token, letter: string): boolean {
  switch (token.kind) {
    case "letter":
      return token.letter === letter;
    case "set":
      return token.ranges.some(([from, to]) => from <= letter && letter <= to) !== token.isNegative;
    default:
      return true;
  }
}

/**
 * Whether a sequence of patterns matches `length` elements, where some patterns match any number of elements. Only the latest star
 * is retried with one more element: if a later pattern cannot match from here, it cannot match from further on either.
 */
function matchesInOrder<Pattern>(
  patterns: readonly Pattern[],
  length: number,
  isStar: (pattern: Pattern) => boolean,
  matchesOne: (pattern: Pattern, at: number) => boolean,
): boolean {
  let pattern = 0;
  let at = 0;
  let star = -1;
  let taken = 0;
  while (at < length) {
    const current = patterns[pattern];
    if (current !== undefined && isStar(current)) {
      star = pattern;
      taken = at;
      pattern++;
    } else if (current !== undefined && matchesOne(current, at)) {
      pattern++;
      at++;
    } else if (star >= 0) {
      taken++;
      at = taken;
      pattern = star + 1;
    } else return false;
  }
  for (let rest = patterns[pattern]; rest !== undefined && isStar(rest); rest = patterns[pattern]) pattern++;
  return pattern === patterns.length;
}
