/**
 * Lines and columns of a text, for hosts that show places to people. Lines end as in the language server protocol: with a line
 * feed, a carriage return, or both.
 */
import { countUpTo } from "../lists.ts";

/** Lines and columns of one text, both counted from 0. */
export interface LineIndex {
  /** The place of an offset. The column counts UTF-16 code units. An offset outside of the text is moved to its nearest end. */
  placeOf(offset: number): { readonly line: number; readonly column: number };
  /** The line's text without its ending; empty for a line that does not exist. */
  textOf(line: number): string;
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  // Most texts have line feeds only, and an edited text is indexed at each keystroke.
  if (text.includes("\r")) for (const { index, 0: ending } of text.matchAll(/\r\n|\n|\r/g)) starts.push(index + ending.length);
  else for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** Indexes the lines of a text. Lines end as in editors: with a line feed, a carriage return, or both. */
export function lineIndex(text: string): LineIndex {
  const starts = lineStarts(text);
  return {
    placeOf(offset) {
      const clamped = Math.min(Math.max(offset, 0), text.length);
      const line = countUpTo(starts.length, (index) => starts[index], clamped) - 1;
      return { line, column: clamped - (starts[line] ?? 0) };
    },
    textOf(line) {
      const start = starts[line];
      return start === undefined ? "" : text.slice(start, starts[line + 1] ?? text.length).replace(/[\r\n]+$/, "");
    },
  };
}
