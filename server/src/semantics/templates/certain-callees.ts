/**
 * CUDA: whether a call certainly means the function that was found. A template that rejects the arguments is not meant, and a function
 * of the toolkit with the same name may be the better match. The headers that declare those are not read.
 */
import type { CallExpression } from "../../syntax/ast.ts";
import { builtinFunctions } from "../declarations/builtin-functions.ts";
import type { Context } from "../facts/context.ts";
import type { Value } from "../facts/evaluator.ts";
import type { FunctionSymbol } from "../types/symbols.ts";
import { mayDeduce } from "./function-templates.ts";

/** True if the call means this function, whatever the toolkit declares. */
export function isCertainCallee(
  context: Context,
  callee: FunctionSymbol,
  { function: named }: CallExpression,
  values: readonly Value[],
): boolean {
  const name = named.kind === "name" || named.kind === "member" ? named.name : undefined;
  if (callee.isTemplate && !mayDeduce(context, callee, name?.parts.at(-1)?.templateArguments, values)) return false;
  return callee.isBuiltin || name?.parts.length !== 1 || !maySelectBuiltin(context, callee, values);
}

/**
 * True if the toolkit declares a function of the same name that is visible, too, and may be the better match. A function in a namespace
 * hides it from the code of this namespace.
 */
function maySelectBuiltin(context: Context, { record, name, qualifiedName }: FunctionSymbol, values: readonly Value[]): boolean {
  if (record !== undefined || values.some(({ type }) => type.kind === "record") || builtinFunctions(context, name).length === 0)
    return false;
  const namespace = qualifiedName.slice(0, -name.length);
  return namespace === "" || context.within?.qualifiedName.startsWith(namespace) !== true;
}
