/** Converts the core's offsets to the protocol's lines and characters. Besides this file, only `cli/report.ts` works with lines. */
import type { Range } from "vscode-languageserver";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { type LineIndex, lineIndex } from "../../project/lines.ts";
import type { SourceSpan } from "../../source.ts";

/** Converts spans of a file to the protocol's ranges. */
export interface Positions {
  /** The range of a span; undefined if the file does not exist. */
  rangeOf(name: string, span: SourceSpan): Range | undefined;
}

const indexesKept = 64;

/**
 * Creates the conversion of one session. Open documents have their lines ready, even after an edit. Of other files, the line
 * indexes of the latest texts are kept.
 */
export function createPositions(
  textOf: (name: string) => string | undefined,
  documentOf: (name: string) => TextDocument | undefined,
): Positions {
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
      const document = documentOf(name);
      if (document !== undefined) return { start: document.positionAt(span.start), end: document.positionAt(span.end) };
      const index = indexOf(name);
      if (index === undefined) return undefined;
      const start = index.placeOf(span.start);
      const end = index.placeOf(span.end);
      return { start: { line: start.line, character: start.column }, end: { line: end.line, character: end.column } };
    },
  };
}
