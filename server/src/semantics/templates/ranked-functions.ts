/**
 * Ranks the functions that a call or an operator may mean in C++, function templates among them, by the costs of their arguments
 * (C++17 §16.3.3).
 */
import type { TemplateArgument, TemplateParameter } from "../../syntax/ast.ts";
import { type Cost, costInCplusplus, costOfObject, ellipsis } from "../expressions/conversion-costs.ts";
import type { Context, FunctionInstance } from "../facts/context.ts";
import type { Value } from "../facts/evaluator.ts";
import type { FunctionSymbol } from "../types/symbols.ts";
import { containsUnknown, type FunctionType, referred, type TemplateValue, type Type } from "../types/types.ts";
import { functionTemplateOf, instantiateFunction, mayDeduce, typeOfTemplateValue } from "./function-templates.ts";

/** A candidate and what it costs to call it. */
export interface Ranked {
  readonly candidate: Pick<FunctionSymbol, "isTemplate">;
  /** The cost for the object first, then one for each argument. */
  readonly costs: readonly Cost[];
  /** True for a template that a constraint, an expression in its head or an unknown type may take out of the choice. */
  mayBeRemoved(): boolean;
}

/** A function and what it costs to call it. */
export interface RankedFunction extends Ranked {
  readonly candidate: FunctionSymbol;
  /** Its type; for a template, that of the instantiation. */
  readonly type: FunctionType;
}

/** What a call gives to a function besides the values of its arguments. */
interface CalledWith {
  /** The explicit template arguments. */
  readonly written?: readonly TemplateArgument[] | undefined;
  /** The type of the object whose member is called. */
  readonly object?: Type | undefined;
}

/** What it costs to call a function that takes so many arguments with these values. */
export function rankFunction(
  context: Context,
  candidate: FunctionSymbol,
  values: readonly Value[],
  { written, object }: CalledWith = {},
): RankedFunction {
  const { isTemplate, type } = candidate;
  const isLeftOut = isTemplate
    ? isFriendOfTemplate(candidate) || !mayDeduce(context, candidate, written, values)
    : written !== undefined && written.length > 0;
  if (isLeftOut) return { candidate, type, costs: [undefined], mayBeRemoved: never };
  const instance = isTemplate ? instantiateFunction(context, candidate, written, values) : undefined;
  if (isTemplate && instance === undefined) return { candidate, type, costs: ["open"], mayBeRemoved: () => true };
  const own = instance?.type ?? type;
  return {
    candidate,
    type: own,
    costs: [
      object === undefined ? 0 : costOfObject(object, candidate),
      ...values.map((value, index): Cost => {
        const parameter = own.parameters[index];
        return parameter === undefined ? ellipsis : costInCplusplus(context, value, parameter);
      }),
    ],
    mayBeRemoved: instance === undefined ? never : () => mayBeInvalid(candidate, instance),
  };
}

/** The answer for a function that no argument makes invalid. */
export const never = (): boolean => false;

/**
 * True if a type of the instantiation, a constraint, or an expression in the template's head may be invalid for its arguments, which takes
 * the template out of the choice (C++17 §17.8.2p8, C++20 §13.5.2).
 */
function mayBeInvalid(candidate: FunctionSymbol, { type, arguments: values }: FunctionInstance): boolean {
  const template = functionTemplateOf(candidate);
  if (template === undefined) return true;
  const { text, declaration } = template;
  const isUnknownParameter = (parameter: TemplateParameter) =>
    parameter.kind === "value" && containsUnknown(typeOfTemplateValue(text, parameter));
  const { parameters, result } = type;
  const hasResult = result.kind !== "auto" && candidate.name !== candidate.record?.tag;
  const isOpen = parameters.some(containsUnknown) || (hasResult && containsUnknown(result));
  if (isOpen || values.some(isUnknown) || text.item.parameters.some(isUnknownParameter)) return true;
  const { start, end } = text.item.span;
  const head = text.context.unit.view.text.slice(start, declaration.body?.span.start ?? end);
  return /\b(?:requires|decltype|sizeof)\b|\b(?!const\b|volatile\b|__\w+)\w+\s+auto\b(?=[^()]*[,)])/.test(head);
}

function isUnknown(value: TemplateValue): boolean {
  return typeof value !== "bigint" && containsUnknown(value);
}

/** True for the friend of a class template in the template's own text. Each instance of the class declares another one. */
function isFriendOfTemplate(candidate: FunctionSymbol): boolean {
  const isDependent = (type: Type) => type.kind === "record" && type.record.isDependent;
  return functionTemplateOf(candidate) === undefined && candidate.type.parameters.map(referred).some(isDependent);
}

/** True if the function accepts the arguments, as far as they are known. */
export function isViable({ costs }: Ranked): boolean {
  return costs.every((cost) => cost !== undefined);
}

/** The function that is better than all others (C++17 §16.3.3p1–2); undefined if that is uncertain. */
export function bestOf<Each extends Ranked>(ranked: readonly Each[]): Each | undefined {
  const best = ranked.find((one) => ranked.every((other) => other === one || isBetter(one, other)));
  return best?.mayBeRemoved() === true ? undefined : best;
}

/**
 * True if one function is at least as good for every argument, and better for one, or no template while the other is one. An identity
 * is at least as good as any possible value of an open cost.
 */
function isBetter(one: Ranked, other: Ranked): boolean {
  let isBetterSomewhere = !one.candidate.isTemplate && other.candidate.isTemplate;
  for (const [index, cost] of one.costs.entries()) {
    const against = other.costs[index];
    if (typeof cost !== "number" || (typeof against !== "number" && cost > 0)) return false;
    if (typeof against !== "number") continue;
    if (cost > against) return false;
    if (cost < against) isBetterSomewhere = true;
  }
  return isBetterSomewhere;
}
