/**
 * Removes long runs of white space before parsing. They replace comments, for inactive branches and for everything that is parsed
 * later, and the parser reads them one character after the other.
 */
import { countUpTo } from "../../lists.ts";
import type { ViewSpan } from "../../source.ts";

/** A text in which each long run of white space is a single character. */
export interface Shortened {
  readonly text: string;
  /** The offset in the original text; for the end of a node as well as for its start. */
  originalOf(offset: number): number;
}

/** So many characters are a long run. */
const long = 32;

/** The long runs of white space. Each contains the 32nd character after the one before it, so that most characters are not looked at. */
function* longRuns(text: string): Generator<ViewSpan> {
  for (let at = long - 1, end = 0; at < text.length; at = end + long) {
    let start = at;
    while (start >= end && isBlank(text.charCodeAt(start))) start -= 1;
    start += 1;
    end = at;
    while (end < text.length && isBlank(text.charCodeAt(end))) end += 1;
    if (end - start >= long) yield { start, end };
  }
}

function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d) || (code > 0x7f && /\s/.test(String.fromCharCode(code)));
}

/** Shortens the text. Line breaks end line comments, so a run with a line break becomes one. */
export function withoutBlankRuns(text: string): Shortened {
  const parts: string[] = [];
  /** For each run, the offset after it in the short text, and the number of characters removed up to there. */
  const ends: number[] = [];
  const removed: number[] = [];
  let from = 0;
  let length = 0;
  for (const { start, end } of longRuns(text)) {
    parts.push(text.slice(from, start), text.slice(start, end).includes("\n") ? "\n" : " ");
    length += start - from + 1;
    from = end;
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
