/**
 * Decides which operators OpenCL's images, samplers, events, queues, pipes, atomic objects and blocks have. `opaque-conversions.ts`
 * decides what they convert to; rules decide where such objects may be declared. Conditions of every type are checked here too.
 */
import type { Expression } from "../../syntax/ast.ts";
import { type Context, placeOf } from "../facts/context.ts";
import { evaluate, type Value } from "../facts/evaluator.ts";
import { isImageName } from "../types/opaque.ts";
import type { Place } from "../types/symbols.ts";
import { isOpaqueToUs, type Type } from "../types/types.ts";
import { checkConversionOfConst } from "./conversion-costs.ts";

/** True if facts about such types are needed here. */
export function concerns({ dialect, isEmitting }: Context): boolean {
  return isEmitting && dialect.language === "opencl";
}

/** True if such an object can only be passed to functions (OpenCL C 3.0 §6.11 b). */
export const hasBuiltinUsesOnly = (type: Type): boolean =>
  type.kind === "block" || (type.kind === "opaque" && (isImageName(type.name) || type.name === "sampler_t" || type.name === "pipe"));
const comparisons = new Set(["==", "!=", "<", ">", "<=", ">="]);

/** Records an operator that the operand's type does not have (OpenCL C 3.0 §6.11 b, §6.12.5, §6.15.12). */
export function checkOperator(context: Context, operator: string, operands: readonly Value[], place: Place): void {
  if (!concerns(context)) return;
  const types = operands.map(({ type }) => type);
  if (types.some(isOpaqueToUs) || (context.dialect.cplusplus && types.some(mayOverload))) return;
  const wrong = types.find((type, index) => !has(type, operator, operands[1 - index]));
  if (wrong !== undefined) context.program.facts.opaqueTypes.push({ kind: "operator", operator, type: wrong, place });
}

/** Records a condition that is neither true nor false (OpenCL C 3.0 §6.11 b). */
function checkCondition(context: Context, { type }: Value, place: Place): void {
  if (concerns(context) && type.kind === "opaque") context.program.facts.opaqueTypes.push({ kind: "condition", type, place });
}

/** Checks the value of a condition: it must be a truth value, or an object that converts to one, or to an integer for a `switch`. */
export function checkConditionOf(context: Context, value: Value, e: Expression, wanted: "condition" | "operand" = "condition"): void {
  checkCondition(context, value, placeOf(context, e.span));
  // The value itself has lost the object's const.
  if (value.type.kind === "record" && context.isEmitting)
    checkConversionOfConst(context, evaluate({ ...context, isEmitting: false }, e), e.span, wanted);
}

/** True for operands for which C++ looks for an operator function (C++17 §16.3.1.2p1). */
export function mayOverload({ kind }: Type): boolean {
  return kind === "record" || kind === "enum";
}

/** Checks a callee in a branch of `?:`, which must not be a block either (OpenCL C 3.0 §6.12.5). */
export function checkBranch(context: Context, callee: Type, place: Place): void {
  if (concerns(context) && !context.dialect.cplusplus && callee.kind === "block")
    context.program.facts.opaqueTypes.push({ kind: "operator", operator: "?:", type: callee, place });
}

function has(type: Type, operator: string, other: Value | undefined): boolean {
  // Blocks, images, samplers and pipes can only be passed to functions; of an atomic object only the address can be taken.
  if (hasBuiltinUsesOnly(type)) return operator === "?:" && type.kind !== "block";
  if (type.kind === "atomic") return (operator === "&" && other === undefined) || operator === "?:";
  if (type.kind !== "opaque") return true;
  if (other === undefined) return operator === "&";
  if (operator === "=" || operator === "," || operator === "?:") return true;
  const isComparable = type.name === "queue_t" || type.name === "clk_event_t";
  return (
    comparisons.has(operator) && isComparable && (other.isNull === true || (other.type.kind === "opaque" && other.type.name === type.name))
  );
}
