/**
 * Expansions of packs among template arguments: `P<Ts...>` and `P<Q<Ts>...>`. A pack that is bound gives one value for each element;
 * an open one gives a pattern that stands for any number of them.
 */
import type { Expression, TemplateArgument } from "../../syntax/ast.ts";
import { unqualifiedName } from "../../syntax/walk.ts";
import { type Context, placeOf, textOf } from "../facts/context.ts";
import { createScope, declare, lookup, lookupIn, type Scope } from "../symbols/scope.ts";
import type { TemplateParameterSymbol } from "../types/symbols.ts";
import { type TemplateValue, type Type, unknownType } from "../types/types.ts";

/** What is repeated in an argument like `Q<Ts>...`; undefined if the argument is no expansion. */
export function patternOf(argument: TemplateArgument): TemplateArgument | undefined {
  if (argument.kind === "pack-expansion") return argument.pattern;
  if (argument.kind !== "type-id" || argument.declarator.kind !== "pack") return undefined;
  return { ...argument, declarator: argument.declarator.inner };
}

/** True for the value of an expansion whose packs are open. */
export function isExpansion(value: TemplateValue): boolean {
  return typeof value !== "bigint" && value.kind === "dependent" && value.isExpansion === true;
}

/** The values of an expansion. `valueIn` evaluates its pattern for the element at an index. */
export function expand(
  context: Context,
  pattern: TemplateArgument,
  valueIn: (context: Context, pattern: TemplateArgument, index: number) => TemplateValue | undefined,
): readonly (TemplateValue | undefined)[] {
  const packs = boundPacks(context, pattern);
  const [first] = packs;
  if (first === undefined) return [asExpansion(valueIn(context, pattern, 0))];
  // Two packs of different lengths cannot be expanded together.
  if (packs.some(({ pack }) => pack.length !== first.pack.length)) return [unknownType];
  return first.pack.map((_, index) => {
    const scope = createScope("template", context.scope);
    let isOpen = false;
    for (const { name, type, pack } of packs) {
      const element = pack[index] ?? unknownType;
      isOpen ||= isExpansion(element);
      if (typeof element === "bigint") declare(scope, name, { kind: "template-parameter", name, type, value: element });
      else declare(scope, name, { kind: "typedef", name, type: single(element), place: placeOf(context, pattern.span), isBuiltin: false });
    }
    const value = valueIn({ ...context, scope }, pattern, index);
    return isOpen ? asExpansion(value) : value;
  });
}

/** The number of elements of the pack that `sizeof...(Ts)` names; undefined if it is open. */
export function packLength({ scope }: Context, name: Expression): number | undefined {
  const word = name.kind === "name" ? unqualifiedName(name.name) : "";
  for (let current: Scope | undefined = scope; current !== undefined; current = current.parent) {
    const symbol = lookupIn(current, word).find((each) => each.kind === "template-parameter");
    if (symbol?.pack !== undefined) return symbol.pack.some(isExpansion) ? undefined : symbol.pack.length;
    // In an expansion the name stands for one of the elements.
    if (symbol !== undefined && symbol.value === undefined) return undefined;
  }
  return undefined;
}

type BoundPack = TemplateParameterSymbol & { readonly pack: readonly TemplateValue[] };

/** The packs that a pattern names, if they are bound. */
function boundPacks(context: Context, pattern: TemplateArgument): readonly BoundPack[] {
  const words = textOf(placeOf(context, pattern.span)).match(/[A-Za-z_]\w*/g) ?? [];
  return [...new Set(words)].flatMap((word) => {
    const symbol = lookup(context.scope, word).find((each) => each.kind === "template-parameter");
    return symbol?.pack === undefined ? [] : [{ ...symbol, pack: symbol.pack }];
  });
}

function asExpansion(value: TemplateValue | undefined): TemplateValue | undefined {
  if (value === undefined) return undefined;
  return typeof value !== "bigint" && value.kind === "dependent" ? { ...value, isExpansion: true } : unknownType;
}

/** The pattern of one element. */
function single(type: Type): Type {
  return type.kind === "dependent" ? { ...type, isExpansion: false } : type;
}
