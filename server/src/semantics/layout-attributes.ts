/** What `alignas`, `aligned` and `packed` say where they stand on a declaration (C++17 §10.6.2; GCC's type and variable attributes). */
import type { Attribute, Declarator, Specifiers } from "../syntax/ast.ts";
import { constantInteger } from "./constant-expressions.ts";
import type { Context } from "./context.ts";
import { alignOf } from "./layout.ts";
import { typeOfName } from "./names.ts";
import type { VariableSymbol } from "./symbols.ts";

/** Without an argument the target's largest alignment is meant, which for gcc and clang on x86-64 is 16. */
const largestAlignment = 16;

/** The bytes that an `aligned` attribute asks for; NaN where that is not known. */
export function alignmentOf(context: Context, { arguments: [argument] }: Attribute): number {
  if (argument === undefined) return largestAlignment;
  // `alignas(T)` is `alignas(alignof(T))`.
  const type = argument.kind === "name" ? typeOfName(context, argument.name) : undefined;
  if (type !== undefined) return alignOf(type) ?? Number.NaN;
  return Number(constantInteger(context, argument) ?? Number.NaN);
}

/** The layout attributes of one declarator, those of its specifiers included. */
export function layoutOfDeclaration(
  context: Context,
  specifiers: Specifiers,
  declarator: Declarator,
): Pick<VariableSymbol, "alignment" | "isPacked"> {
  const attributes = [...specifiers.attributes];
  for (let current = declarator; ; current = current.inner) {
    if ("attributes" in current) attributes.push(...current.attributes);
    if (!("inner" in current)) break;
  }
  const alignments = attributes.filter(({ name }) => name === "aligned").map((attribute) => alignmentOf(context, attribute));
  return {
    ...(alignments.length === 0 ? {} : { alignment: Math.max(...alignments) }),
    ...(attributes.some(({ name }) => name === "packed") ? { isPacked: true } : {}),
  };
}
