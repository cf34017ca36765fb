/** `alignas`, `aligned`, `packed` and `__launch_bounds__` on a declaration (C++17 §10.6.2; GCC's type and variable attributes). */
import { append, greatest } from "../../lists.ts";
import type { Attribute, Declarator, Specifiers } from "../../syntax/ast.ts";
import { constantInteger } from "../expressions/constant-expressions.ts";
import { type Context, placeOf } from "../facts/context.ts";
import { alignOf } from "../types/layout.ts";
import type { FunctionDeclaration, VariableSymbol } from "../types/symbols.ts";
import { typeOfName } from "./name-resolution.ts";

/** The alignment of `aligned` without an argument: the target's largest, which for gcc and clang on x86-64 is 16. */
const largestAlignment = 16;

/** The alignment in bytes of an `aligned` attribute; NaN if that is unknown. */
export function alignmentOf(context: Context, { arguments: [argument] }: Attribute): number {
  if (argument === undefined) return largestAlignment;
  // `alignas(T)` is `alignas(alignof(T))`.
  const type = argument.kind === "name" ? typeOfName(context, argument.name) : undefined;
  if (type !== undefined) return alignOf(type) ?? Number.NaN;
  return Number(constantInteger(context, argument) ?? Number.NaN);
}

/** The layout attributes of one declarator, including those of its specifiers. */
export function layoutOfDeclaration(
  context: Context,
  specifiers: Specifiers,
  declarator: Declarator,
): Pick<VariableSymbol, "alignment" | "isPacked"> {
  const attributes = [...specifiers.attributes];
  for (let current = declarator; ; current = current.inner) {
    if ("attributes" in current) append(attributes, current.attributes);
    if (!("inner" in current)) break;
  }
  const alignments = attributes.filter(({ name }) => name === "aligned").map((attribute) => alignmentOf(context, attribute));
  return {
    ...(alignments.length === 0 ? {} : { alignment: greatest(alignments) }),
    ...(attributes.some(({ name }) => name === "packed") ? { isPacked: true } : {}),
  };
}

/** `__launch_bounds__` among the attributes, with those values that are known. */
export function launchBoundsOf(context: Context, attributes: readonly Attribute[]): Pick<FunctionDeclaration, "launchBounds"> {
  const bounds = attributes.find(({ name }) => /^launch_bounds$/.test(name));
  if (bounds === undefined) return {};
  const values = bounds.arguments
    .map((argument) => constantInteger(context, argument))
    .map((value) => (value === undefined ? undefined : Number(value)));
  return { launchBounds: { place: placeOf(context, bounds.span), values } };
}
