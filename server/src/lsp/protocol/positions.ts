/** Offsets of the core as the protocol's lines and characters. With `cli/report.ts`, the only place that knows them. */
import type { Range } from "vscode-languageserver";
import { type LineIndex, lineIndex } from "../../project/lines.ts";
import type { Span } from "../../source.ts";

/** Turns spans of a file into the protocol's ranges. */
export interface Positions {
  /** Where a span of a file lies; undefined where the file is gone. */
  rangeOf(name: string, span: Span): Range | undefined;
}

const indexesKept = 64;

/** Keeps the line index of the texts that were asked for last. */
export function createPositions(textOf: (name: string) => string | undefined): Positions {
  const indexes = new Map<string, { readonly text: string; readonly index: LineIndex }>();
  const indexOf = (name: string): LineIndex | undefined => {
    const text = textOf(name);
    if (text === undefined) return undefined;
    const known = indexes.get(name);
    const index = known?.text === text ? known.index : lineIndex(text);
    indexes.delete(name);
    indexes.set(name, { text, index });
    const [oldest] = indexes.keys();
    if (indexes.size > indexesKept && oldest !== undefined) indexes.delete(oldest);
    return index;
  };
  return {
    rangeOf(name, span) {
      const index = indexOf(name);
      if (index === undefined) return undefined;
      const start = index.placeOf(span.start);
      const end = index.placeOf(span.end);
      return { start: { line: start.line, character: start.column }, end: { line: end.line, character: end.column } };
    },
  };
}
