/**
 * Resolves overloads, as far as that is certain, by the number of arguments and their costs (C++17 §16.3; for the builtin functions
 * of OpenCL C as in clang). `conversion-costs.ts` computes the costs in C++, `calls.ts` passes the arguments.
 */
import { spend } from "../../budget.ts";
import type { CallExpression, Expression, TemplateArgument } from "../../syntax/ast.ts";
import { builtinFunctions, overloadedBuiltins } from "../declarations/builtin-functions.ts";
import { type Context, type FunctionInstance, isOpenCL, placeOf } from "../facts/context.ts";
import type { Value } from "../facts/evaluator.ts";
import type { NoMatchFact } from "../facts/facts.ts";
import { addToLibrary, isInStd, isOverloadable, takes } from "../symbols/candidates.ts";
import { seesUnread } from "../symbols/scope.ts";
import { constContradiction, disagreesAboutSpaces, instantiateFunction } from "../templates/function-templates.ts";
import { bestOf, isViable, rankFunction } from "../templates/ranked-functions.ts";
import { containsSpace, leavesSpace } from "../types/address-spaces.ts";
import { compare } from "../types/conversion-rules.ts";
import { isSameOpaque } from "../types/opaque.ts";
import type { FunctionSymbol } from "../types/symbols.ts";
import {
  containsUnknown,
  isFloating,
  isInteger,
  isOpaqueToUs,
  type OpaqueType,
  printType,
  type Type,
  unqualifiedType,
} from "../types/types.ts";
import { candidatesHere } from "./associated-functions.ts";
import { ambiguousParameters, emitAmbiguity, exactBuiltin } from "./builtin-overloads.ts";
import { hasTemplateArguments, unwrap, writtenArguments } from "./calls.ts";
import { areExact, costInCplusplus, costOfObject } from "./conversion-costs.ts";
import { variableOf } from "./opaque-conversions.ts";
import { decayed, unknownValue } from "./values.ts";

/** A call, or the construction of an object. The construction names no function. */
export type Call = Pick<CallExpression, "arguments" | "span"> & { readonly function?: Expression };

/** The function that a call with these values selects; undefined if that is uncertain. `object` is the object of a member function call. */
export function choose(
  context: Context,
  all: readonly FunctionSymbol[],
  values: readonly Value[],
  e: Call,
  name: string,
  object?: Type,
): FunctionSymbol | undefined {
  const exact = isOpenCLC(context) && object === undefined ? exactBuiltin(all, values) : undefined;
  if (exact !== undefined) return exact;
  const named = candidatesHere(context, all, values);
  if (!named || !spend(named.length * (1 + values.length)) || (isInStd(e.function) && addToLibrary(named))) return undefined;
  const builtins = overloadedBuiltins(context, named);
  const fits = (own: FunctionSymbol) => takes(own, values.length) && (costOf(context, own, values) ?? misfit) < misfit;
  const functions = builtins.length === 0 || named.some(fits) ? named : [...named, ...builtins];
  const candidates = functions.filter((candidate) => takes(candidate, values.length, context.scope));
  const only = candidates.length === 1 ? candidates[0] : undefined;
  const types = values.map((value) => decayed(value));
  if (only?.declarations.some(isOverloadable) === true && !areAllKnown(context, candidates)) return undefined;
  // A template beside functions that take other numbers of arguments is the one that is meant.
  const isAlone = functions.length === 1 || (only?.isTemplate === true && !functions.some(({ isBuiltin }) => isBuiltin));
  if (only !== undefined && isAlone && !only.isBuiltin) {
    if (only.isTemplate) rejectDisjoint(context, candidates, types, values, e, name);
    return mayHaveUnreadOverload(context, only, values) || mayMeanLibrary(only, values, e) ? undefined : only;
  }
  const isUnclear = types.some(({ type }) => isOpaqueToUs(type) || containsUnknown(type));
  if (isUnclear || candidates.some(({ isTemplate }) => isTemplate)) {
    const best = isUnclear ? undefined : chooseWithTemplates(context, candidates, values, e, object);
    if (best !== undefined) return best;
    rejectDisjoint(context, candidates, types, values, e, name);
    return only?.isBuiltin === true ? only : undefined;
  }
  if (ranksAsInCplusplus(context, candidates)) return chooseInCplusplus(context, candidates, values, e, name, object);
  const ranked = candidates
    .map((candidate) => ({ candidate, cost: sumOf(costOf(context, candidate, values), object, candidate) }))
    .filter((entry): entry is { candidate: FunctionSymbol; cost: number } => entry.cost !== undefined)
    .sort((a, b) => a.cost - b.cost);
  const best = ranked[0];
  const isMisfit = best !== undefined && best.cost >= misfit && candidates.every(({ isBuiltin }) => isBuiltin);
  if (best === undefined || isMisfit) {
    if (context.isEmitting && areAllKnown(context, candidates)) {
      // The object keeps its address space, because a reference may be bound to it.
      const typed = values.map((value, index) => ({
        type: isObject(value) ? value.type : decayed(value).type,
        place: placeOf(context, e.arguments[index]?.span ?? e.span),
      }));
      emitImageAccess(context, candidates, types, typed, name);
      context.program.facts.noMatches.push({
        name,
        candidates: functions,
        arguments: typed,
        place: placeOf(context, e.span),
        ...(isMisfit ? { isMisfit } : {}),
      });
    }
    return undefined;
  }
  if (best.cost >= misfit) return undefined;
  const lost = best.candidate.isBuiltin && isOpenCLC(context) ? ambiguousParameters(context, best.candidate, candidates, values) : [];
  if (lost.length > 0) {
    if (context.isEmitting) emitAmbiguity(context, best.candidate, lost, values, e, name);
    return undefined;
  }
  const tied = ranked.filter(({ cost }) => cost === best.cost);
  return tied.length === 1 ? best.candidate : undefined;
}

function isOpenCLC(context: Context): boolean {
  return isOpenCL(context) && !context.dialect.cplusplus;
}

/** True if the only function cannot take the values, but CUDA has others, or a namespace that a using directive names may have them. */
function mayHaveUnreadOverload(context: Context, only: FunctionSymbol, values: readonly Value[]): boolean {
  if (only.record !== undefined || only.isTemplate || !ranksAsInCplusplus(context, [only])) return false;
  if (!seesUnread(context.scope) && builtinFunctions(context, only.name).length === 0) return false;
  return !isViable(rankFunction(context, only, values));
}

/**
 * True if `std::exp(1.0f)` finds only a function that a program adds to namespace std for its own class. The library, whose headers are
 * not read, has one that needs no conversion to that class.
 */
function mayMeanLibrary({ isTemplate, type }: FunctionSymbol, values: readonly Value[], e: Call): boolean {
  if (isTemplate || !isInStd(e.function)) return false;
  const isOfClass = (each: Type | undefined): boolean =>
    each?.kind === "record" || (each?.kind === "reference" && isOfClass(each.referent));
  return values.some((value, index) => isOfClass(type.parameters[index]) && !isOfClass(value.type));
}

/** True if candidates are ranked by the rules of C++ alone. In OpenCL, address spaces and vectors have costs of their own. */
function ranksAsInCplusplus({ dialect }: Context, candidates: readonly FunctionSymbol[]): boolean {
  return dialect.language === "cuda" && candidates.length > 0;
}

/**
 * The best of several functions with templates among them; undefined if that is uncertain. What is not read may declare a better one,
 * unless each argument is passed as it is.
 */
function chooseWithTemplates(
  context: Context,
  candidates: readonly FunctionSymbol[],
  values: readonly Value[],
  e: Call,
  object: Type | undefined,
): FunctionSymbol | undefined {
  if (!ranksAsInCplusplus(context, candidates)) return undefined;
  const written = e.function === undefined ? undefined : writtenArguments(unwrap(e.function));
  const ranked = candidates.map((each) => rankFunction(context, each, values, { written, object })).filter(isViable);
  const best = bestOf(ranked);
  const isExact = best !== undefined && areExact(best.costs);
  return isExact || !(seesUnread(context.scope) || context.program.reading.isPartial) ? best?.candidate : undefined;
}

/** The candidate that is at least as good for every argument, and better for one (C++17 §16.3.3p1–2). */
function chooseInCplusplus(
  context: Context,
  candidates: readonly FunctionSymbol[],
  values: readonly Value[],
  e: Call,
  name: string,
  object: Type | undefined,
): FunctionSymbol | undefined {
  const rank = (given: readonly Value[]) => candidates.map((candidate) => rankFunction(context, candidate, given, { object }));
  const ranked = rank(values);
  const viable = ranked.filter(isViable);
  if (viable.length > 0) return bestOf(viable)?.candidate;
  // If only the object's qualifiers do not match, this function is meant, and the call is an error.
  const called = ranked.map((each) => ({ ...each, costs: [0, ...each.costs.slice(1)] })).filter(isViable);
  if (called.length > 0) return bestOf(called)?.candidate;
  if (!context.isEmitting || !areAllKnown(context, candidates)) return undefined;
  const relaxed = rank(values.map(withoutQualifiers)).find(isViable);
  context.program.facts.noMatches.push({
    name,
    candidates,
    arguments: values.map((value, index) => ({
      type: value.isLvalue && value.type.kind !== "array" ? value.type : decayed(value).type,
      place: placeOf(context, e.arguments[index]?.span ?? e.span),
      ...qualifiersLost(context, value, relaxed?.candidate.type.parameters[index]),
    })),
    place: placeOf(context, e.span),
  });
  return undefined;
}

/** The value without const and volatile; for a pointer, its pointee without them. */
function withoutQualifiers(value: Value): Value {
  const { type } = decayed(value);
  if (type.kind === "pointer") return { ...value, type: { ...type, pointee: unqualifiedType(type.pointee) } };
  return { ...value, type: unqualifiedType(value.type) };
}

/** The parameter whose missing qualifiers are the only reason to reject an argument; empty if it is accepted. */
function qualifiersLost(context: Context, value: Value, parameter: Type | undefined): { readonly rejectedBy?: Type } {
  if (parameter === undefined || costInCplusplus(context, value, parameter) !== undefined) return {};
  return { rejectedBy: parameter };
}

/** Records that some overload would accept the arguments if an image had another access. */
function emitImageAccess(
  context: Context,
  candidates: readonly FunctionSymbol[],
  values: readonly Value[],
  typed: NoMatchFact["arguments"],
  name: string,
): void {
  const index = values.findIndex(({ type }) => type.kind === "opaque" && type.access !== undefined);
  const image = typed[index];
  if (image === undefined || !candidates.every(({ isBuiltin }) => isBuiltin)) return;
  const open = values.map((value) => (value.type.kind === "opaque" ? { ...value, type: withoutAccess(value.type) } : value));
  if (candidates.some((candidate) => costOf(context, candidate, open) !== undefined))
    context.program.facts.opaqueTypes.push({
      kind: "image-access",
      name,
      type: image.type,
      place: image.place,
      ...variableOf(values[index] ?? unknownValue),
    });
}

function withoutAccess({ access: _access, ...type }: OpaqueType): OpaqueType {
  return type;
}

/**
 * True if all overloads are known. A declaration that could not be read, or a missing header, may contain another one. Builtin
 * functions are all known.
 */
function areAllKnown({ program }: Context, candidates: readonly FunctionSymbol[]): boolean {
  return !program.reading.isPartial || candidates.every(({ isBuiltin, record }) => isBuiltin || record?.isIncomplete === false);
}

/**
 * Records a call of templates that fails whatever the template arguments are: each candidate needs a pointer into another address
 * space, or the arguments disagree about const.
 */
function rejectDisjoint(
  context: Context,
  candidates: readonly FunctionSymbol[],
  values: readonly Value[],
  given: readonly Value[],
  e: Call,
  name: string,
): void {
  const hasArguments = e.function !== undefined && hasTemplateArguments(unwrap(e.function));
  if (!context.isEmitting || candidates.length === 0 || !areAllKnown(context, candidates) || hasArguments) return;
  const isRejected = ({ type }: FunctionSymbol) =>
    values.some((value, index) => value.isNull !== true && areDisjoint(value.type, type.parameters[index]));
  const isUnbound = ({ type }: FunctionSymbol) =>
    isOpenCL(context) && given.some((value, index) => isBoundInOtherSpace(value, type.parameters[index]));
  const isContradictory = (candidate: FunctionSymbol) =>
    isOpenCL(context) && candidate.isTemplate && disagreesAboutSpaces(candidate, given);
  const place = placeOf(context, e.span);
  const contradiction = constContradiction(candidates, given);
  if (contradiction !== undefined && !seesUnread(context.scope)) {
    const at = placeOf(context, e.arguments[contradiction.index]?.span ?? e.span);
    context.program.facts.noMatches.push({ name, candidates, arguments: [], place: at, contradiction });
    return;
  }
  if (!candidates.every((candidate) => isRejected(candidate) || isUnbound(candidate) || isContradictory(candidate))) return;
  const typed = values.map(({ type }, index) => ({ type, place: placeOf(context, e.arguments[index]?.span ?? e.span) }));
  context.program.facts.noMatches.push({
    name,
    candidates,
    arguments: typed,
    place,
    ...(candidates.every(isRejected) ? {} : { isDeduction: true }),
  });
}

/**
 * C++ for OpenCL: true if, with the explicit template arguments, no template of that name accepts the values because address spaces
 * contradict each other. Records that, and makes the call unknown.
 */
export function rejectsArguments(
  context: Context,
  functions: readonly FunctionSymbol[],
  written: readonly TemplateArgument[],
  values: readonly Value[],
  e: Call,
  name: string,
): boolean {
  if (!isOpenCL(context) || !context.isEmitting || context.program.reading.isPartial) return false;
  const templates = functions.filter((candidate) => candidate.isTemplate && takes(candidate, values.length, context.scope));
  const types = values.map((value) => decayed(value));
  const instances = templates.map((template) => instantiateFunction(context, template, written, values));
  const isRejected = (instance: FunctionInstance | undefined) =>
    instance?.isImpossible === true ||
    (templates.length > 1 &&
      instance !== undefined &&
      types.some((value, index) => value.isNull !== true && areDisjoint(value.type, instance.type.parameters[index])));
  if (templates.length === 0 || !instances.every(isRejected)) return false;
  const typed = types.map(({ type }, index) => ({ type, place: placeOf(context, e.arguments[index]?.span ?? e.span) }));
  const place = placeOf(context, e.span);
  context.program.facts.noMatches.push({
    name,
    candidates: templates,
    arguments: typed,
    place,
    ...(instances.every((instance) => instance?.isImpossible === true) ? { isSubstitution: true } : { isDeduction: true }),
  });
  return true;
}

/**
 * C++ for OpenCL: true if a parameter is a reference into another address space than the value's. The reference's address space is
 * written in the template, whatever its arguments are.
 */
function isBoundInOtherSpace(value: Value, parameter: Type | undefined): boolean {
  return parameter?.kind === "reference" && isInOtherSpace(value, parameter.referent);
}

function areDisjoint(from: Type, to: Type | undefined): boolean {
  if (from.kind !== "pointer" || to?.kind !== "pointer") return false;
  return leavesSpace(from.pointee.qualifiers, to.pointee.qualifiers);
}

/** The distance of the arguments from the parameters, zero for an exact match; undefined if they do not match. */
function costOf(context: Context, candidate: FunctionSymbol, values: readonly Value[]): number | undefined {
  let cost = 0;
  for (const [index, value] of values.entries()) {
    const parameter = candidate.type.parameters[index];
    if (parameter === undefined) continue;
    const step = costOfArgument(context, value, parameter);
    if (step === undefined) return undefined;
    cost += step;
  }
  return cost;
}

/** The cost with that of the object added: for a non-const object, a const member function is the worse choice. */
function sumOf(cost: number | undefined, object: Type | undefined, candidate: FunctionSymbol): number | undefined {
  const own = object === undefined ? 0 : costOfObject(object, candidate);
  return cost === undefined || own === undefined ? undefined : cost + (own === "open" ? 0 : own);
}

function isObject({ type, isLvalue }: Value): boolean {
  return isLvalue && (type.kind === "record" || type.kind === "arithmetic" || type.kind === "vector");
}

/** C++ for OpenCL: true if the value is in an address space that the reference cannot refer to. */
function isInOtherSpace({ type, isLvalue }: Value, referent: Type): boolean {
  const { space } = referent.qualifiers;
  if (space === undefined || isOpaqueToUs(type)) return false;
  if (isLvalue) return type.qualifiers.space !== undefined && !containsSpace(space, type.qualifiers.space);
  return (type.kind === "arithmetic" || type.kind === "vector") && space !== "generic";
}

/**
 * The cost of a pointer to another type. In C, an overload accepts such a pointer if no other one matches; the choice then stays
 * open.
 */
const misfit = 1000;

function costOfArgument(context: Context, given: Value, parameter: Type): number | undefined {
  const to = parameter.kind === "reference" ? parameter.referent : parameter;
  const value = parameter.kind === "reference" && isObject(given) ? given : decayed(given);
  const from = unqualifiedType(value.type);
  if (parameter.kind === "reference" && isInOtherSpace(value, to)) return undefined;
  if (printType(from) === printType(unqualifiedType(to))) return 0;
  if (to.kind === "pointer") {
    if (value.isNull === true) return 1;
    if (from.kind !== "pointer") return undefined;
    const verdict = compare(from, to, context.dialect, false);
    if (verdict.kind === "ok") return to.pointee.kind === "void" ? 2 : 1;
    if (verdict.kind === "incompatible" && !context.dialect.cplusplus) return misfit;
    return verdict.kind === "discards-qualifiers" && !verdict.isError ? 4 : verdict.kind === "unknown" ? 3 : undefined;
  }
  if (to.kind === "opaque" && from.kind === "opaque") return isSameOpaque(from, to) ? 0 : undefined;
  // OpenCL C 3.0 §6.15.11: an event argument may be zero; a sampler may be an integer constant (1.2 §6.12.14.1).
  if (to.kind === "opaque" && ((value.isNull === true && to.name !== "sampler_t") || (to.name === "sampler_t" && isInteger(from))))
    return 1;
  if (from.kind === "pointer" || from.kind === "record" || to.kind === "record" || from.kind === "opaque" || to.kind === "opaque")
    return undefined;
  if (from.kind === "vector" || to.kind === "vector") return from.kind === "arithmetic" && to.kind === "vector" ? 6 : undefined;
  if (isInteger(from) && isInteger(to)) return 2;
  return isFloating(from) === isFloating(to) ? 2 : 3;
}
