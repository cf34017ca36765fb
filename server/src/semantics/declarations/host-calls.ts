/**
 * CUDA: records that device code calls a function without `__device__`, explicitly or by creating, copying, converting or destroying
 * an object, and that host code calls one that is for the device alone. Only calls of one certain function are recorded.
 * `host-function-in-device-code` and `device-function-in-host-code` decide which of them are mistakes.
 */
import { append } from "../../lists.ts";
import { areInSameFile } from "../../preprocess/unit-row.ts";
import type { ViewSpan } from "../../source.ts";
import type { Expression } from "../../syntax/ast.ts";
import { valuesOf } from "../../syntax/walk.ts";
import {
  areExact,
  conversionFunctions,
  costInCplusplus,
  costOfObject,
  ellipsis,
  isDerived,
  mayAccept,
} from "../expressions/conversion-costs.ts";
import { type Context, emptySink, isHip, placeOf } from "../facts/context.ts";
import type { Conversion, Value } from "../facts/evaluator.ts";
import type { SideCallFact } from "../facts/facts.ts";
import { createsObject, mayBeResult } from "../facts/result-objects.ts";
import { isDeviceCode, isForDeviceAlone, isForHost, isHostCode, isOfHost, isStatic, mayCross, runsOnDevice } from "../facts/sides.ts";
import { constructorsOf, inheritedConstructors, takes } from "../symbols/candidates.ts";
import { scopeOfRecord } from "../symbols/record-scopes.ts";
import {
  assignment,
  convertingConstructors,
  copying,
  defaultConstruction,
  destruction,
  emptyList,
  isDefaulted,
  isDefaultedForOneSide,
  isOnlyBase,
  mayBeTrivialDestructor,
  mayConstructOtherwise,
  type Special,
  specialFunction,
} from "../symbols/special-functions.ts";
import { innermostElement, isDefinedClass } from "../types/predicates.ts";
import type { FunctionSymbol, RecordSymbol, VariableSymbol } from "../types/symbols.ts";
import { containsUnknown, referred, type Type } from "../types/types.ts";

/** Records the call of a function, if the code runs on a side where no declaration so far puts the function. */
export function emitHostCall(
  context: Context,
  callee: FunctionSymbol | undefined,
  { as, count }: Pick<SideCallFact, "as" | "count">,
  span: ViewSpan,
  more: Pick<SideCallFact, "whole" | "isExact" | "isOverlooked" | "isOfBase"> = {},
): void {
  if (callee === undefined) return;
  const calls = callsAcross(context, callee);
  if (calls === undefined) return emitSharedCall(context, callee);
  calls.push(sideCall(context, callee, { as, count, ...more }, span));
}

function sideCall(
  context: Context,
  callee: FunctionSymbol,
  how: Omit<SideCallFact, "callee" | "place" | "within">,
  span: ViewSpan,
): SideCallFact {
  return {
    callee,
    ...how,
    place: placeOf(context, span),
    within: context.within,
    ...(context.lambda === undefined ? {} : { lambda: context.lambda }),
    ...(context.initializing === undefined ? {} : { initializes: context.initializing }),
  };
}

/** Records that code calls a function for both sides. A call by name is a fact of its own. */
export function emitSharedCall(context: Context, callee: FunctionSymbol): void {
  const { within, program } = context;
  if (mayCross(context) && callee.declarations.some(({ execution }) => execution.host)) program.facts.sharedCalls.push({ callee, within });
}

/** The facts that record a call of the function here; undefined if it stays on one side. */
export function callsAcross(context: Context, callee: FunctionSymbol): SideCallFact[] | undefined {
  if (!runsOnDevice(callee)) return isDeviceCode(context) ? context.program.facts.hostCalls : undefined;
  return isForDeviceAlone(callee) && isHostCode(context) ? context.program.facts.deviceCalls : undefined;
}

/**
 * Records the calls that a default argument makes for a call that uses it. Compilers report them where they are written. nvcc does not
 * report those that the host makes.
 */
export function emitDefaultCalls(context: Context, calls: readonly SideCallFact[], span: ViewSpan): void {
  for (const { callee, place: written, ...more } of calls) {
    const place = areInSameFile(written.unit, context.unit) ? { place: written } : { place: placeOf(context, span), written };
    const { within, lambda } = context;
    callsAcross(context, callee)?.push({ ...more, callee, isOverlooked: true, ...place, within, ...(lambda && { lambda }) });
  }
}

/** Records the constructor and the destructor that an object calls. Those of objects in device memory are judged by another rule. */
export function emitLifetime(outer: Context, variable: VariableSymbol): void {
  const { scope, type, initializer, place, isDefinition } = variable;
  const element = innermostElement(type);
  if (element.kind !== "record" || (scope !== "block" && scope !== "program" && scope !== "static-member")) return;
  const isAutomatic = scope === "block" && !isStatic(variable);
  const context = isAutomatic ? outer : { ...outer, initializing: variable };
  if (!isAutomatic && (!isOfHost(outer, variable) || !isDefinition)) return;
  const isOverlooked = type.kind === "array" || scope !== "block";
  if (initializer === undefined)
    emitDefaultConstruction(context, element.record, place.span, overlooked(isOverlooked), defaultConstruction);
  if (scope === "block")
    emitSpecial(context, element.record, destruction, place.span, {
      ...overlooked(isOverlooked),
      ...(mayBeResult(context, variable) ? { result: variable } : {}),
    });
}

/** Records the destructor of an object that is created for a parameter, or for a reference. */
export function emitCreatedObject(context: Context, type: Type, span: ViewSpan): void {
  if (type.kind === "record") emitSpecial(context, type.record, destruction, span, overlooked(true));
}

/** Records the destructor of the object that an expression creates, and that becomes no other object. */
export function emitTemporary(context: Context, { type, isLvalue }: Value, expression: Expression): void {
  if (!isLvalue && type.kind === "record" && createsObject(expression)) emitCreatedObject(context, type, expression.span);
}

/** Records the destructor that `delete` calls. */
export function emitDestruction(context: Context, pointee: Type, span: ViewSpan): void {
  // A virtual destructor may be another class's.
  if (pointee.kind === "record" && !pointee.record.isPolymorphic) emitSpecial(context, pointee.record, destruction, span);
}

/** Records the default constructor that initializes an object, or those of its parts. Parentheses or a list without values may need none. */
export function emitDefaultConstruction(
  context: Context,
  record: RecordSymbol,
  span: ViewSpan,
  more: Pick<SideCallFact, "isOverlooked" | "isOfBase"> = {},
  how = emptyList,
): void {
  // Clang finds the inherited one if the class defaults its own for the other side. Without any that takes no arguments, there is none.
  const isAcross = (own: FunctionSymbol) => isDefaultedForOneSide(own) && callsAcross(context, own) !== undefined;
  if (isHip(context) && record.inherits !== undefined && constructorsOf(record).some(isAcross)) return;
  if (constructorsOf(record).length === 0 || defaultConstruction.candidates(record, false).length > 0)
    emitSpecial(context, record, how, span, more);
  const inherited = inheritedConstructors(record).find((each) => takes(each, 0));
  emitHostCall(context, inherited, defaultConstruction, span, { isOverlooked: true, isOfBase: true });
  if (mayCross(context)) emitMemberDefaults(context, record, span, 0);
}

/**
 * Records what the default member initializers of a class without constructors read and call outside of the object. The implicit
 * constructor evaluates them where the object is created (C++17 §15.6.2p9).
 */
function emitMemberDefaults(context: Context, record: RecordSymbol, span: ViewSpan, depth: number): void {
  const scope = scopeOfRecord(record);
  const isImplicit = isDefinedClass(record) && constructorsOf(record).every(isDefaulted) && !record.isDependent;
  if (depth > deepest || scope === undefined || !isImplicit || record.key === "union") return;
  const { program } = context;
  for (const {
    initializer,
    type,
    place: { unit },
  } of record.members ?? []) {
    const element = innermostElement(type);
    if (initializer === undefined && element.kind === "record") emitMemberDefaults(context, element.record, span, depth + 1);
    for (const value of valuesOf(initializer).filter((each) => !isPlain(each))) {
      const sink = emptySink();
      const facts = { ...program.facts, ...sink };
      program.evaluator.convertInto({ ...context, unit, scope, program: { ...program, facts } }, value, type, undefined, "initialize");
      for (const call of sink.hostCalls) program.facts.hostCalls.push({ ...call, place: placeOf(context, span), written: call.place });
      for (const call of sink.deviceCalls)
        program.facts.deviceCalls.push({ ...call, place: placeOf(context, span), written: call.place, isOverlooked: true });
      for (const access of isDeviceCode(context) ? sink.accesses : []) {
        const root = access.path.root?.scope;
        if (root === "program" || root === "static-member")
          program.facts.accesses.push({ ...access, place: placeOf(context, span), written: access.written ?? access.place });
      }
    }
  }
  for (const base of record.bases) if (base.kind === "record") emitMemberDefaults(context, base.record, span, depth + 1);
}

/** True for a literal, which reads nothing. */
function isPlain({ kind }: Expression): boolean {
  return kind === "number" || kind === "boolean" || kind === "nullptr" || kind === "character" || kind === "string";
}

function emitSpecial(
  context: Context,
  record: RecordSymbol,
  special: Special,
  span: ViewSpan,
  more: Pick<SideCallFact, "isOverlooked" | "isOfBase" | "result"> = {},
  isMove = false,
): void {
  if (!mayCross(context)) return;
  const found = specialOf(context, record, special, isMove);
  if (found === undefined) return;
  emitHostCall(
    context,
    found,
    special,
    span,
    found.record === record
      ? more
      : { ...more, whole: record, isOverlooked: true, ...(isOnlyBase(found, record) ? { isOfBase: true } : {}) },
  );
}

const deepest = 20;

function overlooked(isOverlooked: boolean): Pick<SideCallFact, "isOverlooked"> {
  return isOverlooked ? { isOverlooked } : {};
}

/**
 * The function of a class that does this; for an implicit one, the first that it calls for a part and that is on the other side. clang does not
 * find a function that moves on the other side if another one copies here.
 */
function specialOf(context: Context, record: RecordSymbol, special: Special, isMove: boolean): FunctionSymbol | undefined {
  const isAcross = (part: FunctionSymbol) => callsAcross(context, part) !== undefined;
  // Clang obeys the side of a defaulted function, if it calls the function.
  const isSkipped = (own: FunctionSymbol) => special === emptyList || (special === destruction && mayBeTrivialDestructor(own));
  const isOther = (own: FunctionSymbol) => isHip(context) && isDefaultedForOneSide(own) && !isSkipped(own) && isAcross(own);
  const isImplicit = (own: FunctionSymbol) => isDefaulted(own) && !isOther(own);
  const find = (moves: boolean) =>
    specialFunction(record, special, moves, isImplicit, (part) => {
      if (!isAcross(part)) emitSharedCall(context, part);
      return isAcross(part);
    });
  const found = find(isMove);
  if (found === undefined || !isMove || !isHip(context) || !isAcross(found)) return found;
  const copying = find(false);
  const canOnlyMove = found.record === record && special.candidates(record, false).length === 0;
  return canOnlyMove || (copying !== undefined && isAcross(copying)) ? found : copying;
}

/** Records the function that an implicit conversion of a value calls: a conversion function, a converting or a copying constructor. */
export function emitConversionCall(
  context: Context,
  value: Value,
  to: Type,
  { context: how, operand: { span }, returned }: Pick<Conversion, "context" | "operand" | "returned">,
): void {
  if ((value.type.kind !== "record" && to.kind !== "record") || !mayCross(context)) return;
  if (how === "pass") emitCreatedObject(context, to, span);
  if (to.kind === "record" && value.type.kind === "record" && value.type.record === to.record) {
    const source = returned === undefined ? value : { ...value, isExpiring: true as const };
    emitCopy(context, source, span, {
      ...overlooked(how === "pass" || how === "return"),
      ...(returned !== undefined && mayBeResult(context, returned) ? { result: returned } : {}),
    });
  } else if (to.kind === "record" && value.type.kind === "record" && isSliced(context, value, to.record)) {
    // Since C++20, what 'return' names is moved, too.
    const isOpen = returned !== undefined && copying.candidates(to.record, true).length > 0;
    const isMove = (!value.isLvalue || value.isExpiring === true) && !value.type.qualifiers.const;
    if (!isOpen) emitSpecial(context, to.record, copying, span, overlooked(how === "pass" || how === "return"), isMove);
  } else if (to.kind === "record") {
    const constructor = context.program.evaluator.convertingConstructor(context, value, to.record, span);
    const isOfBase = constructor?.record !== to.record;
    const more = { ...overlooked(how === "pass" || how === "return"), ...(isOfBase ? { isOfBase } : {}) };
    emitHostCall(context, constructor, { as: "constructor", count: 1 }, span, more);
    const conversion = isDefinedClass(to.record) && convertingConstructors(to.record).length === 0 ? conversionFor(value) : undefined;
    const result = conversion === undefined ? undefined : referred(conversion.type.result);
    if (conversion !== undefined && result?.kind === "record" && result.record === to.record)
      emitHostCall(context, conversion, { as: "conversion", count: 0 }, span);
  } else if (to.kind === "arithmetic" || to.kind === "pointer") {
    const conversion = conversionFor(value);
    if (conversion !== undefined) emitHostCall(context, conversion, { as: "conversion", count: 0 }, span);
  }
}

/** Records what creates the object to which a reference is bound, if the value is converted to its class, and what destroys the object. */
export function emitBoundObject(context: Context, value: Value, to: Type, conversion: Pick<Conversion, "context" | "operand">): void {
  if (to.kind !== "record" || conversion.context === "cast" || !mayCross(context)) return;
  const { type } = value;
  const { convertingConstructor } = context.program.evaluator;
  if (
    type.kind === "record"
      ? isDerived(type.record, to.record) !== false
      : convertingConstructor(context, value, to.record, undefined) === undefined
  )
    return;
  const result = type.kind === "record" && convertingConstructors(to.record).length === 0 ? conversionFor(value)?.type.result : to;
  if (result?.kind === "record" && result.record === to.record)
    emitConversionCall(context, value, to, { context: "pass", operand: conversion.operand });
}

/** True if the object of a derived class is copied into one of this class: no other constructor takes it. */
function isSliced(context: Context, value: Value, record: RecordSymbol): boolean {
  const { type } = value;
  if (type.kind !== "record" || type.record === record || isDerived(type.record, record) !== true) return false;
  return convertingConstructors(record).every((each) => !each.isTemplate && !mayAccept(context, each, [value]));
}

/** Records the constructor that copies an object. */
export function emitCopy(
  context: Context,
  { type, isLvalue, isExpiring }: Value,
  span: ViewSpan,
  more: Pick<SideCallFact, "isOverlooked" | "result"> = {},
): void {
  if (type.kind !== "record" || !isLvalue || mayConstructOtherwise(type.record)) return;
  emitSpecial(context, type.record, copying, span, more, isExpiring === true && !type.qualifiers.const);
}

/** The only conversion function of an object's class, if it can be called on the object. */
function conversionFor({ type }: Value): FunctionSymbol | undefined {
  if (type.kind !== "record") return undefined;
  const [only, ...others] = conversionFunctions(type.record) ?? [];
  if (only === undefined || others.length > 0 || only.isTemplate) return undefined;
  return typeof costOfObject(type, only) === "number" ? only : undefined;
}

/** Records the assignment operator that copies an object. */
export function emitAssignmentCall(context: Context, { type: to }: Value, from: Value, span: ViewSpan): void {
  if (to.kind !== "record" || from.type.kind !== "record" || from.type.record !== to.record || !from.isLvalue || !mayCross(context)) return;
  if (to.record.functions.some(({ name, isTemplate }) => name === "operator=" && isTemplate)) return;
  emitSpecial(context, to.record, assignment, span, {}, from.isExpiring === true && !from.type.qualifiers.const);
}

/**
 * The facts that record a call by name in the text of a template that means the same for all arguments, which compilers judge there: nvcc
 * those of functions of the device that the host's version makes, clang also those of the host's functions.
 */
function callsInText(context: Context, callee: FunctionSymbol, values: readonly Value[], isNamed: boolean): SideCallFact[] | undefined {
  const { within, lambda, isEmitting, isUnevaluated, mayBeDiscarded, program } = context;
  if (!isEmitting || isUnevaluated === true || mayBeDiscarded === true || within === undefined || lambda !== undefined) return undefined;
  const isSame = callee.record?.isDependent !== true && !(callee.isTemplate && isNamed);
  if (!isSame || values.some(({ type }) => containsUnknown(type))) return undefined;
  // Clang finds no function of the other side, but judges members only where it compiles the call.
  const isLater = isHip(context) && callee.record !== undefined && !(isForHost(within) && runsOnDevice(within));
  if (isLater) return undefined;
  if (isForDeviceAlone(callee)) return isForHost(within) ? program.facts.deviceCalls : undefined;
  return isHip(context) && !runsOnDevice(callee) && runsOnDevice(within) ? program.facts.hostCalls : undefined;
}

/** Records a call that names a function or an object, if it is certain to mean the one that was found. */
export function emitWrittenCall(
  context: Context,
  callee: FunctionSymbol | undefined,
  values: readonly Value[],
  span: ViewSpan,
  hasTemplateArguments: boolean,
  isCertain: (callee: FunctionSymbol) => boolean,
): void {
  if (callee === undefined) return;
  const calls = context.isTemplate ? callsInText(context, callee, values, hasTemplateArguments) : callsAcross(context, callee);
  if (calls === undefined || !isCertain(callee)) return;
  const costs = values.map((value, index) => {
    const parameter = callee.type.parameters[index];
    if (parameter === undefined) return callee.type.isVariadic ? ellipsis : undefined;
    return costInCplusplus(context, value, parameter);
  });
  const isExact = !callee.isTemplate && areExact(costs);
  // The only function with the name may still not be the one that is meant. A lambda has no other.
  if (callee.record === undefined && callee.lambda === undefined && !callee.isTemplate && costs.some((cost) => typeof cost !== "number"))
    return;
  calls.push(sideCall(context, callee, { as: "call", count: values.length, isExact }, span));
}

/**
 * Records the calls in a constant expression of a function, such as an array bound, that is not walked for other facts. nvcc does not
 * judge those in the body of a class, clang none of a lambda.
 */
export function emitCallsIn(context: Context, expression: Expression): void {
  if (!mayCall(expression) || context.scope.kind === "record" || !mayCross(context)) return;
  const { program } = context;
  const sink = emptySink();
  program.evaluator.evaluate({ ...context, program: { ...program, facts: sink } }, expression);
  const isJudged = ({ callee }: SideCallFact) => callee.lambda === undefined || !isHip(context);
  append(program.facts.hostCalls, sink.hostCalls.filter(isJudged));
  append(program.facts.deviceCalls, sink.deviceCalls.filter(isJudged));
}

function mayCall(e: Expression): boolean {
  if (e.kind === "parenthesized") return mayCall(e.inner);
  if (e.kind === "unary") return mayCall(e.operand);
  if (e.kind === "binary") return mayCall(e.left) || mayCall(e.right);
  if (e.kind === "conditional") return [e.condition, e.then, e.otherwise].some((each) => each !== undefined && mayCall(each));
  return e.kind === "call";
}
