/** Relations between two places in Views. */
import { encloses } from "../../spans.ts";
import type { BlockStatement } from "../../syntax/ast.ts";
import type { FunctionSymbol, Place } from "./symbols.ts";

/** True if the first place contains the whole second one. */
export function contains(outer: Place, inner: Place): boolean {
  return outer.unit === inner.unit && encloses(outer.span, inner.span);
}

/** The body of the function that the place is in; undefined if it is in another function, in its head, or in another file. */
export function bodyAt(within: FunctionSymbol | undefined, place: Place): BlockStatement | undefined {
  return within?.declarations.find(({ body, place: { unit } }) => body !== undefined && contains({ unit, span: body.span }, place))?.body;
}
