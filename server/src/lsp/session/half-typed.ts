/**
 * Judges whether changed lines look half-typed, before they are parsed: by their brackets, conditionals and comments, and by their
 * last token. Brackets that come from macros are not seen.
 */
import type { SourceSpan } from "../../source.ts";

/** The lines that differ between two texts, as a span in each; the text around them is equal. */
export interface TypedChanges {
  readonly before: SourceSpan;
  readonly after: SourceSpan;
}

/** `open`: something was opened and not closed, or the reverse. `unfinished`: the last statement has no end. */
export type Typing = "open" | "unfinished" | "finished";

/** Longer changes were not typed, and examining them would take longer than a keystroke may take. */
const mostTyped = 50_000;

/** Compares the changed lines before and after the edit. Only what has become open or unfinished counts. */
export function typingIn(before: string, after: string, changes: TypedChanges): Typing {
  if (changes.before.end - changes.before.start > mostTyped || changes.after.end - changes.after.start > mostTyped) return "finished";
  const old = scan(before, changes.before);
  const now = scan(after, changes.after);
  const isBalanced =
    now.net.every((count, at) => count === old.net[at]) &&
    now.lowest.every((count, at) => count >= Math.min(0, old.lowest[at] ?? 0)) &&
    (!now.isInside || old.isInside);
  if (!isBalanced) return "open";
  return now.last === "" || /[;{},:]/.test(now.last) || now.last === old.last ? "finished" : "unfinished";
}

/** The word at an offset: letters, digits and underscores around it; undefined if there are none. */
export function wordAt(text: string, offset: number): SourceSpan | undefined {
  let start = offset;
  let end = offset;
  while (start > 0 && isWordCharacter(text[start - 1])) start -= 1;
  while (end < text.length && isWordCharacter(text[end])) end += 1;
  return start === end ? undefined : { start, end };
}

/** True for a character of a name, keyword or number; false for the end of the text. */
export function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /[\w$]/.test(character);
}

/** How many characters before the cursor a statement is searched for. */
const longestStatement = 1_000;

/**
 * The beginning of a statement or declaration that ends at the cursor without a semicolon or brace. Undefined if it is complete, or
 * if more code than closing brackets follows the cursor. A directive is complete after every word.
 */
export function unfinishedAt(text: string, cursor: number): SourceSpan | undefined {
  const lineEnd = text.indexOf("\n", cursor);
  const rest = text.slice(cursor, lineEnd < 0 ? text.length : lineEnd);
  const before = text.slice(Math.max(0, cursor - longestStatement), cursor);
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const statement = before.slice(1 + Math.max(before.lastIndexOf(";"), before.lastIndexOf("{"), before.lastIndexOf("}")));
  if (/[^\s)\]}]/.test(rest) || /^\s*#/.test(line) || statement.trim() === "") return undefined;
  return { start: cursor - statement.trimStart().length, end: cursor };
}

interface Scan {
  /** How many more are opened than closed, for each of parentheses, brackets, braces and conditionals. */
  readonly net: readonly number[];
  /** The lowest value of each of these counts within the text. */
  readonly lowest: readonly number[];
  /** The text ends within a comment or a literal. */
  readonly isInside: boolean;
  /** The last token of code; `a` for any word or number. */
  readonly last: string;
}

const openings = "([{";
const closings = ")]}";
const conditionals = 3;
const tokens =
  /^[ \t]*#[ \t]*(\w*)(?:\\\r?\n|\/\*[\s\S]*?\*\/|[^\n\\/]|\\|\/)*|\/\/(?:\\\r?\n|[^\n])*|\/\*[\s\S]*?(\*\/|$(?![\s\S]))|\d(?:'?[\w.])*|"(?:\\[\s\S]|[^"\\\n])*("?)|'(?:\\[\s\S]|[^'\\\n])*('?)|\S/gm;

function scan(text: string, { start, end }: SourceSpan): Scan {
  const net = [0, 0, 0, 0];
  const lowest = [0, 0, 0, 0];
  let isInside = false;
  let last = "";
  const count = (which: number, difference: number) => {
    net[which] = (net[which] ?? 0) + difference;
    lowest[which] = Math.min(lowest[which] ?? 0, net[which] ?? 0);
  };
  for (const [token, directive, commentEnd, quote, apostrophe] of text.slice(start, end).matchAll(tokens)) {
    if (directive !== undefined) {
      if (/^(if|ifdef|ifndef)$/.test(directive)) count(conditionals, 1);
      else if (directive === "endif") count(conditionals, -1);
      continue;
    }
    if (token.startsWith("//")) continue;
    if (commentEnd !== undefined) {
      isInside ||= commentEnd === "";
      continue;
    }
    isInside ||= quote === "" || apostrophe === "";
    last = isWordCharacter(token[0]) ? "a" : token;
    const opened = openings.indexOf(token);
    const closed = closings.indexOf(token);
    if (opened >= 0) count(opened, 1);
    else if (closed >= 0) count(closed, -1);
  }
  return { net, lowest, isInside, last };
}
