/**
 * Finds calls that the compiler evaluates: calls of constexpr functions with constant objects and arguments. Objects that they take
 * by reference or by address then need no memory. A call counts as evaluated unless it certainly needs the running program.
 */
import type { CallFact, ConversionFact, Facts } from "../semantics/facts/facts.ts";
import { type FunctionSymbol, isConstexprFunction, type Place, type VariableSymbol } from "../semantics/types/symbols.ts";
import type { Expression } from "../syntax/ast.ts";
import { hasWord, lastPart } from "../syntax/walk.ts";
import { isBuiltinPlace } from "./device-code.ts";
import { accessesInLambda, callsAt, callsInLambda, conversionsOf, symbolAt } from "./fact-index.ts";

/** Answers whether the compiler evaluates a call. */
export interface FoldedCalls {
  /** Whether the call is evaluated while the code is compiled. */
  isFolded(call: CallFact): boolean;
}

/** How many constants are followed through their initializers. */
const stepsFollowed = 8;

/** Judges calls by the constants in them (C++17 §8.20p2). A call counts as folded unless it certainly needs the running program. */
export function foldedCalls(facts: Facts): FoldedCalls {
  const needsProgram = (e: Expression, unit: Place["unit"], steps: number): boolean => {
    const inner = (part: Expression) => needsProgram(part, unit, steps);
    switch (e.kind) {
      case "name": {
        const part = lastPart(e.name);
        const symbol = part === undefined ? undefined : symbolAt(facts, { unit, start: part.span.start });
        return symbol?.kind === "variable" && isRuntime(symbol, steps);
      }
      case "parenthesized":
        return inner(e.inner);
      case "unary":
        return inner(e.operand);
      case "binary":
        return inner(e.left) || (e.operator !== "&&" && e.operator !== "||" && inner(e.right));
      case "cast":
      case "named-cast":
        return inner(e.operand);
      case "member":
        return inner(e.object);
      case "subscript":
        return inner(e.object) || e.indices.some(inner);
      case "conditional":
        return inner(e.condition);
      case "update":
      case "assignment":
        return true;
      case "call": {
        const [call] = callsAt(facts, { unit, span: e.span });
        return call?.callee !== undefined && !call.callee.isBuiltin && (!isConstexprFunction(call.callee) || isUnfolded(call, steps));
      }
      default:
        return false;
    }
  };
  const isRuntime = (variable: VariableSymbol, steps: number): boolean => {
    const { scope, type, words, initializer, initialization, place } = variable;
    if (hasWord(words, "constexpr") || variable.isDependent || type.kind === "unknown") return false;
    const isConst = (type.kind === "array" ? type.element : type).qualifiers.const && !type.qualifiers.volatile;
    if (scope === "parameter" || !isConst || isBuiltinPlace(place) || initialization === "dynamic")
      return type.kind !== "reference" || scope === "parameter";
    if (initializer === undefined)
      return variable.previous?.initializer === undefined && scope !== "static-member" && type.kind !== "record";
    return scope === "block" && steps > 0 && initializer.kind === "value" && needsProgram(initializer.value, place.unit, steps - 1);
  };
  const isUnfolded = ({ object, arguments: values, place: { unit } }: CallFact, steps: number): boolean =>
    (object?.path?.root !== undefined && isRuntime(object.path.root, steps)) || needsValues({ arguments: values, place: { unit } }, steps);
  const needsValues = (
    { arguments: values, place: { unit } }: { readonly arguments: CallFact["arguments"]; readonly place: Pick<Place, "unit"> },
    steps: number,
  ): boolean => values.some(({ expression, value }) => value === undefined && needsProgram(expression, unit, steps));
  return {
    isFolded: (call) =>
      call.callee !== undefined &&
      (isConstexprFunction(call.callee)
        ? !isUnfolded(call, stepsFollowed)
        : isConstantLambda(call.callee, facts) && !needsValues(call, stepsFollowed)) &&
      !(call.callee.type.result.kind === "reference" && conversionsOf(facts, call.place).some(isKept)),
  };
}

/** True if a reference keeps the result. */
function isKept({ context, to }: ConversionFact): boolean {
  return context === "initialize" && to.kind === "reference";
}

/**
 * True for a lambda whose calls are constant expressions if their arguments are (C++17 §8.4.5.1p4): it uses no variable of the function
 * around it, and calls nothing itself.
 */
export function isConstantLambda(lambda: FunctionSymbol, facts: Facts): boolean {
  if (lambda.lambda === undefined || callsInLambda(facts, lambda).length > 0) return false;
  return !accessesInLambda(facts, lambda).some(
    ({ path: { root } }) =>
      root === undefined || ((root.scope === "block" || root.scope === "parameter") && root.lambda !== lambda && root.owner !== lambda),
  );
}
