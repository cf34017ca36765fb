/**
 * Removes what the parser has wrongly put into a function's body. After unreadable code it may take the following functions for
 * statements of that body. The brackets show where the body really ends; statements after that brace are dropped, because their
 * function is unknown.
 */
import { countUpTo } from "../../lists.ts";
import type { ViewSpan } from "../../source.ts";
import type { TokenText } from "../text/atoms.ts";
import type { RawNode } from "./raw.ts";

/** The tree without the statements that the parser has put into a body although they follow its closing brace. `errors` are in order. */
export function withoutSwallowed(root: RawNode, tokens: TokenText, errors: readonly ViewSpan[]): RawNode {
  const isBroken = ({ start, end }: RawNode): boolean => {
    const error = errors[countUpTo(errors.length, (at) => errors[at]?.start, start - 1)];
    return error !== undefined && error.start < end;
  };
  const visited = (node: RawNode): RawNode => {
    if (node.children.length === 0 || !isBroken(node)) return node;
    const body = node.type === "function_definition" ? node.children.find(({ type }) => type === "compound_statement") : undefined;
    const end = body === undefined ? undefined : endOfBody(body, tokens);
    const children = node.children.map((child) => visited(child === body && end !== undefined ? cut(body, end) : child));
    return { ...node, children };
  };
  return visited(root);
}

/** The offset after the closing brace of the body; undefined if it has none. */
function endOfBody(body: RawNode, tokens: TokenText): number | undefined {
  const opening = countUpTo(tokens.count, tokens.start, body.start - 1);
  const closing = tokens.text(opening) === "{" ? tokens.closing(opening) : -1;
  return closing < 0 ? undefined : tokens.end(closing);
}

function cut(body: RawNode, end: number): RawNode {
  return body.end <= end ? body : { ...body, children: body.children.filter((child) => child.end <= end) };
}
