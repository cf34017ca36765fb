/**
 * Finds template arguments that must be constant expressions and certainly are not, because they read a variable whose value is
 * known only at run time (C++17 §17.3.2p2, §8.20p2). Arguments that may be constant are not reported.
 */
import type { Expression, TemplateArgument } from "../../syntax/ast.ts";
import { hasWord } from "../../syntax/walk.ts";
import { resolveName } from "../declarations/name-resolution.ts";
import { runtimePart } from "../expressions/non-constant-parts.ts";
import type { Context } from "../facts/context.ts";
import { isArithmetic } from "../types/predicates.ts";
import type { FunctionSymbol, VariableSymbol } from "../types/symbols.ts";
import { templateTextOf } from "./function-templates.ts";
import { emitRuntimeArgument, objectPlacedAtRuntime, type RuntimeObject, valueArguments } from "./template-arguments.ts";

/** Records the runtime variables, and the addresses that no compiler knows, in the explicit arguments of a function template. */
export function emitRuntimeArguments(context: Context, functions: readonly FunctionSymbol[], written: readonly TemplateArgument[]): void {
  const template = functions.length === 1 ? functions[0] : undefined;
  const text = template === undefined || !context.isEmitting ? undefined : templateTextOf(template);
  if (template === undefined || text === undefined) return;
  for (const { name, type, expression } of valueArguments(text, written)) {
    // A parameter of reference or pointer type takes an object, not its value.
    const isValue = isArithmetic(type) || type.kind === "auto";
    const late = (isValue ? runtimeVariable(context, expression) : undefined) ?? objectPlacedAtRuntime(context, type, expression);
    if (late !== undefined) emitRuntimeArgument(context, template.name, name, late);
  }
}

/** The first variable that is read whatever the other values are. */
function runtimeVariable(context: Context, e: Expression): RuntimeObject | undefined {
  switch (e.kind) {
    case "name": {
      const symbols = resolveName(context, e.name);
      const variable = symbols.length === 1 ? symbols[0] : undefined;
      return variable?.kind === "variable" && hasRuntimeValue(context, variable) ? { variable, name: e } : undefined;
    }
    case "parenthesized":
      return runtimeVariable(context, e.inner);
    case "binary":
      // The right operand of `&&` and `||` may not be evaluated.
      return (
        runtimeVariable(context, e.left) ?? (e.operator === "&&" || e.operator === "||" ? undefined : runtimeVariable(context, e.right))
      );
    default:
      return undefined;
  }
}

/** True for a parameter, or a variable that may change. References, members and dependent variables are not judged. */
function hasRuntimeValue(context: Context, variable: VariableSymbol): boolean {
  const { type, words, isDependent, scope } = variable;
  if (isDependent || scope === "member" || (type.kind !== "arithmetic" && type.kind !== "enum")) return false;
  if (hasWord(words, "constexpr", "constinit")) return false;
  return scope === "parameter" || !type.qualifiers.const || isOfDevice(context, variable) || startsAtRuntime(context, variable);
}

/** True for CUDA's own variables, such as `warpSize`, which HIP declared as a constant for years. */
function isOfDevice({ dialect }: Context, { place }: VariableSymbol): boolean {
  return dialect.language === "cuda" && !dialect.hip && place.unit.uri.startsWith("builtin:");
}

/** True for a const variable whose initializer is not constant. */
function startsAtRuntime(context: Context, { initialization, initializer, place }: VariableSymbol): boolean {
  if (initialization !== undefined) return initialization === "dynamic";
  const part = runtimePart(context, initializer);
  if (part?.kind !== "name") return part?.kind === "call";
  const symbols = resolveName(context, part.name);
  const source = symbols.length === 1 ? symbols[0] : undefined;
  // A later declaration hides the name that the initializer refers to.
  return (
    source?.kind === "variable" &&
    (source.place.unit !== place.unit || source.place.span.start < place.span.start) &&
    hasRuntimeValue(context, source)
  );
}
