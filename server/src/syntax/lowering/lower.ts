/** Converts the parser's tree to the plain data of `ast.ts`. Only the `lower*` files and `raw.ts` contain the names of node types. */
import type { ViewSpan } from "../../source.ts";
import type { Steps } from "../../steps.ts";
import type { Item, SyntaxTree } from "../ast.ts";
import { readTokens, type TokenText } from "../text/atoms.ts";
import { orderOldStyle } from "../text/function-heads.ts";
import { lowerChild } from "./lower-items.ts";
import type { RawNode } from "./raw.ts";
import { withoutSwallowed } from "./swallowed.ts";

/** The whole tree as plain data, in steps; it keeps no reference to the parser. */
export function* lowerTree(root: RawNode, text: string, errors: readonly ViewSpan[], unknownWords: readonly ViewSpan[]): Steps<SyntaxTree> {
  const tokens = errors.length === 0 ? undefined : readTokens(text);
  // The root of a completely unreadable file is an ERROR node, which has the same children.
  const readable = tokens === undefined ? root : withoutSwallowed(root, tokens, errors);
  const items = (yield* lowerInSteps(readable)).map((item) => (item.kind === "function" ? orderOldStyle(item, text) : item));
  yield;
  return { items: tokens === undefined ? items : withoutDisplaced(items, tokens), errors, unknownWords };
}

/** The number of characters that are lowered in one step, which takes some ten milliseconds. */
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
 * Leaves out items whose scope is unknown. After unreadable code the parser may take the rest of a function for declarations of the
 * file. The brackets reveal this: an item inside of brackets does not belong to file scope.
 */
function withoutDisplaced(items: readonly Item[], tokens: TokenText): readonly Item[] {
  let at = 0;
  return items.map((item) => {
    while (at < tokens.count && tokens.start(at) < item.span.start) at++;
    const isDisplaced = item.kind !== "unknown" && tokens.start(at) === item.span.start && tokens.opening(at) >= 0;
    return isDisplaced ? { kind: "unknown", span: item.span, items: [item] } : item;
  });
}
