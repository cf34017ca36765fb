/** Decides which values can be converted to and from an image, sampler, event, queue, pipe or atomic object (OpenCL C 3.0 §6.15). */
import type { Dialect } from "../../dialect.ts";
import type { Expression } from "../../syntax/ast.ts";
import { type Context, placeOf } from "../facts/context.ts";
import type { Value } from "../facts/evaluator.ts";
import type { ConversionContext } from "../facts/facts.ts";
import { isSameOpaque } from "../types/opaque.ts";
import type { VariableSymbol } from "../types/symbols.ts";
import { isInteger, isOpaqueToUs, type Type } from "../types/types.ts";
import { constantInteger } from "./constant-expressions.ts";
import { concerns, hasBuiltinUsesOnly, mayOverload } from "./opaque-types.ts";

/** Records a value that cannot be converted. An assignment to an object that cannot be assigned is reported for its operator instead. */
export function checkOpaqueConversion(context: Context, value: Value, to: Type, how: ConversionContext, operand: Expression): void {
  const from = value.type;
  if (!concerns(context) || (from.kind !== "opaque" && to.kind !== "opaque") || isOpaqueToUs(from) || isOpaqueToUs(to)) return;
  // A class may define a constructor or a conversion function for it.
  if (context.dialect.cplusplus && (mayOverload(from) || mayOverload(to))) return;
  if (how === "assign" && (hasBuiltinUsesOnly(from) || hasBuiltinUsesOnly(to))) return;
  const isPossible =
    to.kind === "opaque" && to.name === "sampler_t" && isInteger(from)
      ? becomesSampler(context, value, how, operand)
      : becomes(value, to, how, context.dialect);
  if (!isPossible)
    context.program.facts.opaqueTypes.push({
      kind: "conversion",
      context: how,
      from,
      to,
      place: placeOf(context, operand.span),
      ...variableOf(value),
    });
}

function becomes(value: Value, to: Type, how: ConversionContext, dialect: Dialect): boolean {
  const { cplusplus } = dialect;
  // A C++ cast initializes a value (C++17 §8.2.9p4).
  if (cplusplus && how === "cast" && to.kind === "opaque") return becomes(value, to, "initialize", dialect);
  const from = value.type;
  if (to.kind === "void") return how === "cast";
  if (to.kind !== "opaque") return false;
  // A sampler with static storage duration is created from an integer, not from another such object.
  const isFixed =
    to.name === "sampler_t" && how === "initialize" && [to, value.path?.root?.type].every((type) => type?.qualifiers.space === "constant");
  if (isFixed && !cplusplus) return false;
  if (from.kind === "opaque") return isSameOpaque(from, to) && (how !== "cast" || to.name === "ndrange_t");
  // OpenCL C 3.0 §6.15.11: an event argument may be zero.
  if (to.name === "sampler_t") return false;
  if (value.isNull !== true) return false;
  if (to.name === "event_t") return how !== "assign" || cplusplus;
  return to.name === "queue_t" && how !== "cast";
}

/**
 * Whether a value becomes a sampler. Samplers are integer constants of 32 bits (OpenCL C 3.0 §6.15.15.1); C compilers accept
 * variables too.
 */
function becomesSampler(context: Context, { type, path }: Value, how: ConversionContext, operand: Expression): boolean {
  const { cplusplus } = context.dialect;
  if (how !== "initialize" && how !== "pass" && !(cplusplus && how === "cast")) return false;
  if (cplusplus && path?.root?.type.qualifiers.const === false) return false;
  if (how === "pass" || constantInteger(context, operand) === undefined) return true;
  return type.kind !== "arithmetic" || !type.name.endsWith("long");
}

/** The variable that the value is, if it is one. */
export function variableOf({ path }: Value): { readonly variable?: VariableSymbol } {
  return path?.root === undefined || path.steps.length > 0 ? {} : { variable: path.root };
}
