/**
 * The words that a file's author writes elsewhere in it. A name that only the build declares, or one that the author is about to
 * declare because the code below uses it, can be completed from them.
 */
import { codeTokens } from "../names/tokens.ts";

/** The words of a text, without the one at an offset; those after a `.` or `->` are members. */
export interface WrittenNames {
  readonly names: ReadonlySet<string>;
  readonly members: ReadonlySet<string>;
}

/** The words that a text contains besides the one that ends at an offset. */
export function writtenNames(text: string, offset: number): WrittenNames {
  const names = new Set<string>();
  const members = new Set<string>();
  let before = "";
  for (const { kind, text: word, start, end } of codeTokens(text)) {
    if (kind === "comment") continue;
    const isTyped = start <= offset && offset <= end;
    if (kind === "word" && !isTyped && word.length > 1) (before === "." || before === "->" ? members : names).add(word);
    before = word;
  }
  return { names, members };
}
