/** What a block copies from the enclosing function (OpenCL C 3.0 §6.12.5), and what cannot be done with such a copy. */
import type { Context } from "../facts/context.ts";
import type { Place, VariableSymbol } from "../types/symbols.ts";

/**
 * Records a variable that a block cannot copy (OpenCL C 3.0 §6.12.5), which is another block, or whose copy has its address
 * taken. True if the variable is captured.
 */
export function checkCapture(context: Context, variable: VariableSymbol, isAddress: boolean, place: Place): boolean {
  if (!context.isEmitting || context.dialect.language !== "opencl" || !isCaptured(context, variable)) return false;
  const what = isAddress ? "address" : variable.type.kind === "block" ? "block" : undefined;
  if (what !== undefined) context.program.facts.opaqueTypes.push({ kind: "capture", what, variable, place });
  return what !== undefined;
}

/** True for a variable that a block, rather than a lambda, has copied; the copy is const (OpenCL C 3.0 §6.12.5). */
export function isConstCopy(context: Context, variable: VariableSymbol): boolean {
  return context.dialect.language === "opencl" && context.lambda?.lambda === undefined && isCaptured(context, variable);
}

/** A variable of the function or block around this block: variables of each work-item and work-group are copied. */
function isCaptured({ lambda }: Context, { scope, words, lambda: own, owner, type }: VariableSymbol): boolean {
  if (lambda === undefined || own === lambda || owner === lambda || (scope !== "block" && scope !== "parameter")) return false;
  const { space } = type.qualifiers;
  return (space === "private" || space === "local") && !words.some(({ text }) => text === "static" || text === "extern");
}
