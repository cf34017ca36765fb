/**
 * C++ for OpenCL: checks implicit calls of member functions. A constructor must accept the address space of the new object. The
 * parameter of a copy constructor must be able to refer to the original. Operators are called on objects like any member function
 * (C++ for OpenCL §2.3).
 */
import type { AddressSpace } from "../../qualifiers.ts";
import type { Expression } from "../../syntax/ast.ts";
import { emitAssignmentCall, emitTemporary } from "../declarations/host-calls.ts";
import { callableOn, mayCallOn } from "../declarations/methods.ts";
import { resolveName } from "../declarations/name-resolution.ts";
import { type Context, placeOf } from "../facts/context.ts";
import { evaluate, type Value } from "../facts/evaluator.ts";
import { constructorsOf, takes } from "../symbols/candidates.ts";
import { functionsOf } from "../symbols/scope.ts";
import { containsSpace } from "../types/address-spaces.ts";
import { isDefinedClass } from "../types/predicates.ts";
import type { FunctionSymbol, RecordSymbol } from "../types/symbols.ts";
import { isOpaqueToUs, type Type } from "../types/types.ts";
import { conversionFunctions } from "./conversion-costs.ts";

type RecordType = Extract<Type, { kind: "record" }>;

/** Checks the construction of an object from this many arguments in this address space. Objects in local memory are not constructed. */
export function checkConstruction(context: Context, type: Type, count: number, expression: Pick<Expression, "span">): void {
  if (!concerns(context, type)) return;
  const space = type.qualifiers.space ?? "private";
  const constructors = constructorsOf(type.record).filter((constructor) => takes(constructor, count));
  if (space === "local" || constructors.length === 0 || constructors.some(({ isTemplate }) => isTemplate)) return;
  callableOn(
    context,
    constructors,
    { type: { ...type, qualifiers: { ...type.qualifiers, space } }, path: undefined, place: placeOf(context, expression.span) },
    type.record.tag ?? "",
  );
}

/** Checks the copy of an object into another one of its class, by a constructor that takes a reference. */
export function checkCopy(context: Context, from: Value, to: Type, expression: Expression): void {
  if (!concerns(context, to) || !isObjectOf(from, to)) return;
  const copying = constructorsOf(to.record).filter((constructor) => takes(constructor, 1));
  if (copying.some(({ isTemplate }) => isTemplate)) return;
  const fits = (constructor: FunctionSymbol) => mayTake(constructor.type.parameters[0], from.type);
  // The implicit copy constructor of a class accepts the generic address space.
  const isImplicit = !copying.some(({ type }) => isReferenceTo(type.parameters[0], to.record));
  if (copying.some(fits) || (isImplicit && mayRefer(defaultSpace(context), from.type))) return;
  emitCopy(context, to.record, from.type, expression);
}

/** Checks `a = b` with objects of one class. */
export function checkClassAssignment(context: Context, to: Value, from: Value, left: Expression, right: Expression): void {
  emitAssignmentCall(context, to, from, left.span);
  if (to.type.kind === "record") emitTemporary(context, from, right);
  // Constant memory cannot be written at all.
  if (!concerns(context, to.type) || to.type.qualifiers.space === "constant") return;
  const own = to.type.record.functions.filter(({ name }) => name === "operator=");
  if (own.length === 0) {
    if (isObjectOf(from, to.type) && !mayRefer(defaultSpace(context), from.type)) emitCopy(context, to.type.record, from.type, right);
    return;
  }
  if (own.some(({ isTemplate }) => isTemplate)) return;
  const callable = callableOn(context, own, { type: to.type, path: to.path, place: placeOf(context, left.span) }, "operator=");
  const isTaken = callable.some(({ type }) => mayTake(type.parameters[0], from.type));
  if (callable.length > 0 && isObjectOf(from, to.type) && !isTaken) emitCopy(context, to.type.record, from.type, right);
}

/**
 * Checks an operator that only the class of the first operand defines: `()`, `[]`, or as spelled. `count` is that of the function's
 * parameters, where several functions have the operator's name: `p++` passes a number that nobody writes.
 */
export function checkClassOperator(
  context: Context,
  operator: string,
  object: Expression,
  { operand, count }: { readonly operand?: Expression; readonly count?: number } = {},
): void {
  if (!context.isEmitting || !isClassLanguage(context)) return;
  const quiet = { ...context, isEmitting: false };
  const { type, path, isLvalue } = evaluate(quiet, object);
  if (!concerns(context, type) || !isLvalue) return;
  const name = `operator${operator}`;
  const own = type.record.functions.filter((method) => method.name === name && (count === undefined || takes(method, count)));
  const called = { type, path, place: placeOf(context, object.span) };
  const isPlain = operator !== "()" && operator !== "[]";
  if (type.record.bases.length > 0 || own.some(({ isTemplate }) => isTemplate)) return;
  if (isPlain && isElsewhere(context, name, type.record, object)) return;
  const conversions = operator === "()" ? [] : conversionsFor(operator, type.record);
  if (conversions.some((each) => each.isTemplate || mayCallOn(context, each, type.qualifiers.space))) return;
  const [conversion] = conversions;
  // The operands of a comma need no operator.
  if (own.length === 0 && isPlain && operator !== "," && conversion !== undefined)
    callableOn(context, conversions, called, conversion.name);
  if (own.length === 0) return;
  const callable = callableOn(context, own, called, name);
  const given = operand === undefined ? undefined : evaluate(quiet, operand);
  if (given === undefined || operand === undefined || callable.length === 0 || !isObjectOf(given, type)) return;
  if (!callable.some((method) => mayTake(method.type.parameters[0], given.type))) emitCopy(context, type.record, given.type, operand);
}

/** True if a function outside of the class may be the operator. */
function isElsewhere(context: Context, name: string, record: RecordSymbol, { span }: Expression): boolean {
  const visible = functionsOf(resolveName(context, { parts: [{ text: name, span }], isGlobal: false, span }));
  return visible.some((each) => {
    const [first] = each.type.parameters;
    const taken = first?.kind === "reference" ? first.referent : first;
    // Without constructors, a class is made from no other object.
    const isOther =
      taken?.kind === "record" && taken.record !== record && isDefinedClass(taken.record) && constructorsOf(taken.record).length === 0;
    return each.isTemplate || each.record !== undefined || !isOther;
  });
}

/** The functions that convert an object to something that may have the operator. */
function conversionsFor(operator: string, record: RecordSymbol): readonly FunctionSymbol[] {
  const all = conversionFunctions(record) ?? [];
  return operator === "[]" ? all.filter(({ type: { result } }) => result.kind === "pointer" || isOpaqueToUs(result)) : all;
}

function isClassLanguage({ dialect }: Context): boolean {
  return dialect.language === "opencl" && dialect.cplusplus;
}

function concerns(context: Context, type: Type): type is RecordType {
  return context.isEmitting && isClassLanguage(context) && type.kind === "record" && isDefinedClass(type.record);
}

function isObjectOf(value: Value, type: RecordType): boolean {
  return value.isLvalue && value.branches === undefined && value.type.kind === "record" && value.type.record === type.record;
}

function isReferenceTo(parameter: Type | undefined, record: RecordSymbol): boolean {
  return parameter?.kind === "reference" && parameter.referent.kind === "record" && parameter.referent.record === record;
}

/** Whether a parameter can be bound to the object, as far as address spaces decide that. */
function mayTake(parameter: Type | undefined, object: Type): boolean {
  const isPlain = parameter?.kind === "arithmetic" || parameter?.kind === "vector" || parameter?.kind === "pointer";
  if (isPlain && object.kind === "record" && conversionFunctions(object.record)?.length === 0) return false;
  if (parameter?.kind !== "reference") return true;
  const { space } = parameter.referent.qualifiers;
  return space === undefined || mayRefer(space, object);
}

function mayRefer(space: AddressSpace, { qualifiers }: Type): boolean {
  return qualifiers.space === undefined || containsSpace(space, qualifiers.space);
}

function defaultSpace({ dialect }: Context): AddressSpace {
  return dialect.language === "opencl" && dialect.genericAddressSpace ? "generic" : "private";
}

function emitCopy(context: Context, record: RecordSymbol, { qualifiers: { space } }: Type, expression: Expression): void {
  if (space !== undefined)
    context.program.facts.spaces.push({ kind: "object-copy", record, space, place: placeOf(context, expression.span) });
}
