/**
 * The words that a file's author writes elsewhere in it. A name that only the build declares, or one that the author is about to
 * declare because the code below uses it, can be completed from them.
 */
import { codeTokens, withoutPlainDirectives } from "../names/tokens.ts";

/**
 * The words of a text, without the one at an offset, each with the distance in tokens of the nearest one: what is near is meant again
 * more often. Those after a `.` or `->` are members.
 */
export interface WrittenNames {
  readonly names: ReadonlyMap<string, number>;
  readonly members: ReadonlyMap<string, number>;
}

/** The words behind the `#` of the directives that define and test macros, as far as they are not keywords, too. */
const directiveWords = ["define", "undef", "ifdef", "ifndef", "elif", "endif", "defined"];

/** The words that a text contains besides the one that ends at an offset. */
export function writtenNames(text: string, offset: number): WrittenNames {
  const names = new Map<string, number>();
  const members = new Map<string, number>();
  // The words of `#include` and `#pragma` are no names.
  const tokens = withoutPlainDirectives(codeTokens(text), text);
  const behind = tokens.findIndex(({ end }) => end >= offset);
  const here = behind === -1 ? tokens.length : behind;
  let before = "";
  for (const [index, { kind, text: word, start, end }] of tokens.entries()) {
    if (kind === "comment") continue;
    const isTyped = start <= offset && offset <= end;
    const of = before === "." || before === "->" ? members : names;
    const distance = Math.abs(index - here);
    if (kind === "word" && !isTyped && word.length > 1) of.set(word, Math.min(of.get(word) ?? distance, distance));
    before = word;
  }
  for (const directive of directiveWords) names.delete(directive);
  return { names, members };
}
