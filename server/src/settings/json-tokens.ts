/** Gives the sequence of tokens of a JSON text, for questions that need no tree: how deeply it is nested, and where its elements are. */
import { createScanner, type SyntaxKind } from "jsonc-parser";

/** A token of a JSON text. */
export interface JsonToken {
  readonly kind: "open" | "close" | "comma" | "other" | "mistake";
  readonly start: number;
  readonly end: number;
}

// `SyntaxKind` has no values at run time.
const unknown: SyntaxKind.Unknown = 16;
const endOfText: SyntaxKind.EOF = 17;

/** The tokens, without comments and white space. */
export function* jsonTokens(text: string): Generator<JsonToken, void, undefined> {
  const scanner = createScanner(text, true);
  for (let token = scanner.scan(); token !== endOfText; token = scanner.scan()) {
    const start = scanner.getTokenOffset();
    const isMistake = token === unknown || scanner.getTokenError() !== 0;
    yield { kind: isMistake ? "mistake" : kindOf(text.charAt(start)), start, end: start + scanner.getTokenLength() };
  }
}

function kindOf(first: string): JsonToken["kind"] {
  if (first === "{" || first === "[") return "open";
  if (first === "}" || first === "]") return "close";
  return first === "," ? "comma" : "other";
}
