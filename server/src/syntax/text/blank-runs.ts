/**
 * Removes long runs of white space before parsing. They replace comments, for inactive branches and for everything that is parsed
 * later, and the parser reads them one character after the other.
 */
import { countUpTo } from "../../lists.ts";

/** A text in which each long run of white space is a single character. */
export interface Shortened {
  readonly text: string;
  /** The offset in the original text; for the end of a node as well as for its start. */
  originalOf(offset: number): number;
}

// `\s{32,}` would keep a place to go back to for each character, and fail for millions of them.
const longRun = /\s{32}\s*/g;

/** Shortens the text. Line breaks end line comments, so a run with a line break becomes one. */
export function withoutBlankRuns(text: string): Shortened {
  const parts: string[] = [];
  /** For each run, the offset after it in the short text, and the number of characters removed up to there. */
  const ends: number[] = [];
  const removed: number[] = [];
  let from = 0;
  let length = 0;
  for (const { 0: run, index } of text.matchAll(longRun)) {
    parts.push(text.slice(from, index), run.includes("\n") ? "\n" : " ");
    length += index - from + 1;
    from = index + run.length;
    ends.push(length);
    removed.push(from - length);
  }
  if (ends.length === 0) return { text, originalOf: (offset) => offset };
  const originalOf = (offset: number): number => {
    const runs = countUpTo(ends.length, (index) => ends[index], offset);
    return offset + (removed[runs - 1] ?? 0);
  };
  return { text: parts.join("") + text.slice(from), originalOf };
}
