/**
 * CUDA: chooses the constructor that values select, templates and implicit constructors among the candidates, and instantiates a chosen
 * template.
 */
import type { ViewSpan } from "../../source.ts";
import { type Cost, costInCplusplus, costOfConversionTo, isDerived, userDefined } from "../expressions/conversion-costs.ts";
import { type Context, type FunctionInstance, isOpenCL } from "../facts/context.ts";
import type { Value } from "../facts/evaluator.ts";
import { initializingConstructors, isCopying, isExplicit, takes } from "../symbols/candidates.ts";
import { hasImplicitMove, isDefaulted } from "../symbols/special-functions.ts";
import { isDefinedClass } from "../types/predicates.ts";
import type { FunctionSymbol, RecordSymbol } from "../types/symbols.ts";
import { isOpaqueToUs, type ReferenceType, unqualified } from "../types/types.ts";
import { emitInstantiation, instantiateFunction } from "./function-templates.ts";
import { instantiateMember } from "./instance-members.ts";
import { bestOf, isViable, never, type Ranked, rankFunction } from "./ranked-functions.ts";

/**
 * The constructor that the values select among these of a class, "implicit" for one that the class does not declare; undefined if that is
 * uncertain.
 */
export function chooseConstructor(
  context: Context,
  record: RecordSymbol,
  candidates: readonly FunctionSymbol[],
  values: readonly Value[],
): FunctionSymbol | "implicit" | undefined {
  const isCopy = mayCopy(record, values);
  // Another constructor takes other values without the conversion that a copy needs first.
  const fitting = candidates.filter((each) => isCopy || !isCopying(each, record));
  const ranked = fitting.map((each) => rankFunction(context, each, values)).filter(isViable);
  const implicit = isCopy ? rankImplicit(context, record, values).filter(isViable) : [];
  const best = bestOf<Ranked>([...ranked, ...implicit]);
  if (best !== undefined) return ranked.find((each) => each === best)?.candidate ?? "implicit";
  // The only one is meant, whatever its costs are.
  return fitting.length === 1 && implicit.length === 0 ? ranked[0]?.candidate : undefined;
}

/** True if the only value is or may be an object of the class. */
function mayCopy(record: RecordSymbol, [value, ...others]: readonly Value[]): boolean {
  if (value === undefined || others.length > 0 || value.functions !== undefined) return false;
  const { type } = value;
  return isOpaqueToUs(type) || (type.kind === "record" && isDerived(type.record, record) !== false);
}

/** The implicit constructors that copy and move (C++17 §15.8.1). */
function rankImplicit(context: Context, record: RecordSymbol, values: readonly Value[]): readonly Ranked[] {
  const own = initializingConstructors(record).filter((each) => isCopying(each, record));
  const isLvalueReference = ({ type: { parameters } }: FunctionSymbol) => parameters[0]?.kind === "reference" && !parameters[0].isRvalue;
  const taken = (isRvalue: boolean): ReferenceType => ({
    kind: "reference",
    referent: { kind: "record", record, qualifiers: { ...unqualified, const: !isRvalue } },
    isRvalue,
    qualifiers: unqualified,
  });
  const parameters = [...(own.some(isLvalueReference) ? [] : [taken(false)]), ...(hasImplicitMove(record) ? [taken(true)] : [])];
  return parameters.map((parameter) => ({
    candidate: { isTemplate: false },
    costs: [0, ...values.map((value) => costInCplusplus(context, value, parameter))],
    mayBeRemoved: never,
  }));
}

/** See `Evaluator`. */
export function convertingConstructor(
  context: Context,
  value: Value,
  record: RecordSymbol,
  span: ViewSpan | undefined,
): FunctionSymbol | undefined {
  const { type, functions } = value;
  if (!isDefinedClass(record) || isOpaqueToUs(type) || functions !== undefined) return undefined;
  if (type.kind === "record" && (isDerived(type.record, record) !== false || costOfConversionTo(context, type, record) !== undefined))
    return undefined;
  const candidates = initializingConstructors(record).filter((each) => takes(each, 1) && !isExplicit(each) && !isCopying(each, record));
  const ranked = candidates.map((each) => rankFunction(context, each, [value])).filter(isViable);
  const best = bestOf(ranked);
  // No other conversion precedes that of a constructor (C++17 §15.3p4).
  const isStandard = (cost: Cost) => typeof cost === "number" && cost < userDefined;
  if (best?.costs.every(isStandard) !== true || isDefaulted(best.candidate)) return undefined;
  if (span !== undefined) instantiateConstructor(context, best.candidate, [value], span);
  return best.candidate;
}

/** The instantiation of a constructor that is a template, for these values; requests the body of any constructor that is instantiated. */
export function instantiateConstructor(
  context: Context,
  constructor: FunctionSymbol,
  values: readonly Value[],
  span: ViewSpan,
): FunctionInstance | undefined {
  instantiateMember(context, constructor, span);
  if (!constructor.isTemplate || isOpenCL(context)) return undefined;
  const instance = instantiateFunction(context, constructor, undefined, values);
  emitInstantiation(context, constructor, instance, undefined, values, span);
  return instance;
}
