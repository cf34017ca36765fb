/**
 * CUDA: what a launch means besides its call. The lambdas that run in a kernel are those that are passed to a launch, directly or by
 * functions that pass on their parameter (`templates/lambda-uses.ts`). Of the values between `<<<` and `>>>`, the compile-time constants are known; whether a
 * named variable still has its first value at the launch is left to those who know all accesses to it.
 */
import type { CallExpression, Expression, TemplateArgument } from "../../syntax/ast.ts";
import { unqualifiedName } from "../../syntax/walk.ts";
import { resolveName } from "../declarations/name-resolution.ts";
import { type Context, placeOf } from "../facts/context.ts";
import type { Value } from "../facts/evaluator.ts";
import type { CallFact } from "../facts/facts.ts";
import type { LaunchValue } from "../facts/launch-facts.ts";
import { isCertainCallee } from "../templates/certain-callees.ts";
import { instanceName, instantiateFunction } from "../templates/function-templates.ts";
import { passesToKernel } from "../templates/lambda-uses.ts";
import { callOperatorOf } from "../types/predicates.ts";
import type { FunctionSymbol, VariableSymbol } from "../types/symbols.ts";
import { type FunctionType, unknownType } from "../types/types.ts";
import { constantNumber } from "./constant-expressions.ts";

/** Marks a lambda that a call passes to a kernel, directly or through a variable or a function template. */
export function markLaunched(e: CallExpression, callee: FunctionSymbol | undefined, index: number, value: Value | undefined): void {
  const lambda = value === undefined ? undefined : callOperatorOf(value.type);
  if (lambda !== undefined && (e.launch !== undefined || passesToKernel(callee, index))) lambda.isLaunched = true;
}

/**
 * What the fact of a call has for a launch, and for a kernel that is called without one. `type` is that of the function behind a
 * pointer or reference.
 */
export function launchFacts(
  context: Context,
  e: CallExpression,
  { chosen, type }: { readonly chosen: FunctionSymbol | undefined; readonly type: FunctionType | undefined },
  values: readonly Value[],
  launch: readonly Value[],
  written: () => readonly TemplateArgument[] | undefined,
): Pick<CallFact, "launchValues" | "named" | "isCertain" | "instance" | "result"> {
  const isOfKernel = chosen?.declarations.some(({ execution }) => execution.kernel) === true;
  if (e.launch === undefined && !isOfKernel) return {};
  const isMismatched = chosen !== undefined && isOfKernel === (e.launch === undefined);
  return {
    named: placeOf(context, e.function.span),
    ...(isMismatched && isCertainCallee(context, chosen, e, values) ? { isCertain: true } : {}),
    ...(e.launch === undefined
      ? {}
      : {
          launchValues: launchValues(context, e.launch, launch),
          ...(type === undefined ? launchedInstance(context, chosen, written(), values) : { result: type.result }),
        }),
  };
}

/** The values of a launch in order: the grid, the block, the bytes of dynamic shared memory, the stream. */
function launchValues(context: Context, launch: readonly Expression[], values: readonly Value[]): readonly LaunchValue[] {
  return launch.map((expression, index) => {
    const { type = unknownType, isNull } = values[index] ?? {};
    const value = { place: placeOf(context, expression.span), type, ...(isNull === true ? { isNull } : {}) };
    const own = extentsOf(context, expression);
    if (own !== undefined) return { ...value, extents: own };
    const variable = variableNamed(context, expression);
    const extents = variable === undefined ? undefined : initialExtents(context, variable);
    return variable === undefined || extents === undefined ? value : { ...value, extents, variable };
  });
}

/** An integer constant, or the arguments of a `dim3` with the default 1 for those that are missing. */
function extentsOf(context: Context, expression: Expression): LaunchValue["extents"] | undefined {
  if (expression.kind === "parenthesized") return extentsOf(context, expression.inner);
  if (expression.kind === "call" && expression.function.kind === "name" && unqualifiedName(expression.function.name) === "dim3")
    return threeOf(context, expression.arguments);
  if (expression.kind === "list")
    return threeOf(
      context,
      expression.elements.map(({ value }) => value),
    );
  const value = constantNumber(context, expression);
  return value === undefined ? undefined : [value];
}

function threeOf(context: Context, values: readonly Expression[]): LaunchValue["extents"] | undefined {
  if (values.length > 3) return undefined;
  const known = values.map((value) => constantNumber(context, value));
  // A single value may be a `uint3` or another `dim3`.
  if (known.length === 1 && known[0] === undefined) return undefined;
  return [...known, 1, 1, 1].slice(0, 3);
}

function variableNamed(context: Context, expression: Expression): VariableSymbol | undefined {
  if (expression.kind !== "name") return undefined;
  const [symbol, another] = resolveName(context, expression.name);
  return symbol?.kind === "variable" && another === undefined ? symbol : undefined;
}

function initialExtents(context: Context, { initializer, type, scope }: VariableSymbol): LaunchValue["extents"] | undefined {
  const isDim3 = type.kind === "record" && type.record.tag === "dim3";
  if (scope === "parameter" || scope === "member" || initializer === undefined) return undefined;
  if (initializer.kind === "direct") {
    const [only] = initializer.arguments;
    if (isDim3) return threeOf(context, initializer.arguments);
    return only === undefined || type.kind !== "arithmetic" ? undefined : extentsOf(context, only);
  }
  if (initializer.kind !== "value") return undefined;
  const extents = isDim3 || type.kind === "arithmetic" ? extentsOf(context, initializer.value) : undefined;
  return isDim3 && extents?.length === 1 ? [...extents, 1, 1] : extents;
}

/** The instantiation that a launch of a template starts, for the fact about it. */
function launchedInstance(
  context: Context,
  chosen: FunctionSymbol | undefined,
  written: readonly TemplateArgument[] | undefined,
  values: readonly Value[],
): Pick<CallFact, "instance" | "result"> {
  if (chosen?.isTemplate !== true || context.isTemplate) return {};
  const instance = instantiateFunction(context, chosen, written, values);
  if (instance === undefined) return {};
  return { instance: { name: instanceName(chosen, instance), parameters: instance.parameters }, result: instance.type.result };
}
