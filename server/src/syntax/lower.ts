/**
 * Turns the parser's tree into the plain data of `ast.ts`. Only the `lower*` files and `raw.ts` spell node types.
 */
import type { Span } from "../source.ts";
import type { SyntaxTree } from "./ast.ts";
import { lowerItems } from "./lower-items.ts";
import type { RawNode } from "./raw.ts";

export function lowerTree(root: RawNode, errors: readonly Span[], unknownWords: readonly Span[]): SyntaxTree {
  // A file that is unreadable from its first character on has an ERROR as its root; that lists its children alike.
  return { items: lowerItems(root), errors, unknownWords };
}
