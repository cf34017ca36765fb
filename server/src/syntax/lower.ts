/**
 * Turns the parser's tree into the plain data of `ast.ts`. Only the `lower*` files and `raw.ts` spell node types.
 */
import type { Span } from "../source.ts";
import type { Steps } from "../steps.ts";
import type { Item, SyntaxTree } from "./ast.ts";
import { readTokens } from "./atoms.ts";
import { orderOldStyle } from "./function-heads.ts";
import { lowerChild } from "./lower-items.ts";
import type { RawNode } from "./raw.ts";

/** The whole tree as plain data, in steps; nothing of it refers to the parser afterwards. */
export function* lowerTree(root: RawNode, text: string, errors: readonly Span[], unknownWords: readonly Span[]): Steps<SyntaxTree> {
  // A file that is unreadable from its first character on has an ERROR as its root; that lists its children alike.
  const items = (yield* lowerInSteps(root)).map((item) => (item.kind === "function" ? orderOldStyle(item, text) : item));
  yield;
  return { items: errors.length === 0 ? items : withoutDisplaced(items, text), errors, unknownWords };
}

/** Characters whose nodes are lowered in one step, some ten milliseconds' work. */
const charactersInStep = 16_384;

/** The items of a file. */
function* lowerInSteps(root: RawNode): Steps<readonly Item[]> {
  const result: Item[] = [];
  let from = root.start;
  for (const [at, { end }] of root.children.entries()) {
    lowerChild(root, at, result);
    if (end - from < charactersInStep) continue;
    from = end;
    yield;
  }
  return result;
}

/**
 * Behind something unreadable the parser may take the rest of a function for declarations of the program. The brackets
 * still tell: what stands inside of some does not belong to the file's own scope, and its owner is not known.
 */
function withoutDisplaced(items: readonly Item[], text: string): readonly Item[] {
  const tokens = readTokens(text);
  let at = 0;
  return items.map((item) => {
    while (at < tokens.count && tokens.start(at) < item.span.start) at++;
    const isDisplaced = item.kind !== "unknown" && tokens.start(at) === item.span.start && tokens.opening(at) >= 0;
    return isDisplaced ? { kind: "unknown", span: item.span, items: [item] } : item;
  });
}
