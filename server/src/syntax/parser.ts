/**
 * Owns the tree-sitter parser. The only file that imports web-tree-sitter.
 * (contract; the implementation belongs to the grammar work)
 */
import type { SyntaxTree } from "./ast.ts";

export interface SyntaxParser {
  /** Parses a View's text and lowers it. `previous` may be a parse of an older text of the same file; the result never depends on it. */
  parse(text: string, previous?: ParsedText): ParsedText;
}

/** A parse that can be continued incrementally. Whoever stores it disposes it. */
export interface ParsedText {
  readonly text: string;
  readonly tree: SyntaxTree;
  dispose(): void;
}
