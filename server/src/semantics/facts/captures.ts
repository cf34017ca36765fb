/** Decides which variables of the enclosing function a block copies (OpenCL C 3.0 §6.12.5), and what cannot be done with such a copy. */
import { hasWord } from "../../syntax/walk.ts";
import type { Place, VariableSymbol } from "../types/symbols.ts";
import type { Context } from "./context.ts";

/**
 * Records a captured variable that a block cannot copy because it is a block itself, or whose copy has its address taken (OpenCL C
 * 3.0 §6.12.5). True if it was recorded.
 */
export function checkCapture(context: Context, variable: VariableSymbol, isAddress: boolean, place: Place): boolean {
  if (!context.isEmitting || context.dialect.language !== "opencl" || !isCaptured(context, variable)) return false;
  const what = isAddress ? "address" : variable.type.kind === "block" ? "block" : undefined;
  if (what !== undefined) context.program.facts.opaqueTypes.push({ kind: "capture", what, variable, place });
  return what !== undefined;
}

/** True if a block, rather than a lambda, captures the variable: the copy is const (OpenCL C 3.0 §6.12.5). */
export function isConstCopy(context: Context, variable: VariableSymbol): boolean {
  return context.dialect.language === "opencl" && context.lambda?.lambda === undefined && isCaptured(context, variable);
}

/** True for a variable of the function or block around this block that belongs to a work-item or a work-group; the block copies it. */
function isCaptured({ lambda }: Context, { scope, words, lambda: own, owner, type }: VariableSymbol): boolean {
  if (lambda === undefined || own === lambda || owner === lambda || (scope !== "block" && scope !== "parameter")) return false;
  const { space } = type.qualifiers;
  return (space === "private" || space === "local") && !hasWord(words, "static", "extern");
}
