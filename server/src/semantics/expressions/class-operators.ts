/**
 * C++: operators on an object of class type. Which functions an operator may call, whether one of them accepts the object's const
 * and volatile, and what it returns (C++17 §16.3.1.2). Also which member a pointer to member selects. `class-objects.ts` checks address
 * spaces.
 */
import { least } from "../../lists.ts";
import type { ViewSpan } from "../../source.ts";
import type { Expression } from "../../syntax/ast.ts";
import { hasWord } from "../../syntax/walk.ts";
import { callsAcross, emitHostCall, emitSharedCall, emitWrittenCall } from "../declarations/host-calls.ts";
import { resolveName } from "../declarations/name-resolution.ts";
import { type Context, isHip, placeOf } from "../facts/context.ts";
import type { Value } from "../facts/evaluator.ts";
import { isForHost, isImplicitlyForBoth, runsOnDevice } from "../facts/sides.ts";
import { isExplicit, parameterTypes, takes } from "../symbols/candidates.ts";
import { scopeOfRecord } from "../symbols/record-scopes.ts";
import { functionsOf, lookupIn, seesUnread } from "../symbols/scope.ts";
import { instantiateMember } from "../templates/instance-members.ts";
import { bestOf, isViable, rankFunction } from "../templates/ranked-functions.ts";
import { isSameType } from "../types/compatible.ts";
import { isDefinedClass } from "../types/predicates.ts";
import { type FunctionSymbol, isDeclaredWith, type RecordSymbol } from "../types/symbols.ts";
import {
  addQualifiers,
  containsUnknown,
  isOpaqueToUs,
  type MemberPointerType,
  referred,
  type Type,
  unqualified,
  unqualifiedType,
} from "../types/types.ts";
import { associatedFunctions } from "./associated-functions.ts";
import { areExact, checkConversionOfConst, conversionFunctions, costInCplusplus, costOfObject, mayAccept } from "./conversion-costs.ts";
import { resultOf, rvalue, unknownValue } from "./values.ts";

type RecordType = Extract<Type, { kind: "record" }>;

/** An operator as it is applied: its spelling, its operands, and where it is written. */
export interface Applied {
  readonly operator: string;
  readonly object: Value;
  /** The operands after the object; undefined for a value that does not matter. */
  readonly operands: readonly (Value | undefined)[];
  readonly span: ViewSpan;
}

/**
 * True if the class has this operator, or for `=` the implicit one, but none that may be called on the object: it is const, and the
 * operators are not.
 */
export function refusesConst(context: Context, applied: Applied): boolean {
  const { object, operator } = applied;
  const { type } = object;
  if (!context.dialect.cplusplus || type.kind !== "record" || !type.qualifiers.const || !isKnown(type.record)) return false;
  const members = membersOf(type.record, operator, operator === "=");
  if (members === undefined || members.some((each) => each.isTemplate || costOfObject(type, each) !== undefined)) return false;
  if (operator === "=") return type.record.bases.every((base) => base.kind === "record" && !mayAssignConst(base.record, 0));
  return othersOf(context, applied).length === 0 && !mayConvert(type);
}

/**
 * True if an operator that changes a value of a builtin type calls a function that promises not to change this object: all functions
 * for it are declared for const objects.
 */
export function keepsObject(context: Context, applied: Applied): boolean {
  const { type } = applied.object;
  if (!context.dialect.cplusplus || type.kind !== "record" || !isKnown(type.record)) return false;
  const members = membersOf(type.record, applied.operator, applied.operator === "=");
  const others = othersOf(context, applied);
  if (members === undefined || members.length + others.length === 0) return false;
  const isKept = (first: Type | undefined) => first !== undefined && (first.kind !== "reference" || first.referent.qualifiers.const);
  return (
    members.every((each) => !each.isTemplate && isConstMember(each)) &&
    others.every((each) => !each.isTemplate && isKept(each.type.parameters[0]))
  );
}

/** The value of an operator that only member functions can define; records that the object is const and they are not. */
export function applyMemberOperator(context: Context, applied: Applied): Value | undefined {
  const { object, operator, operands } = applied;
  const { type } = object;
  if (!context.dialect.cplusplus || type.kind !== "record" || !isKnown(type.record)) return undefined;
  const members = membersOf(type.record, operator, false)?.filter((each) => takes(each, operands.length));
  const [first] = members ?? [];
  if (members === undefined || first === undefined || members.some(({ isTemplate }) => isTemplate)) return undefined;
  if (!onlyMembers.has(operator) && othersOf(context, applied).length > 0) return undefined;
  if (!onlyMembers.has(operator) && mayConvert(type) && !members.every((each) => takesExactly(each, operands))) return undefined;
  if (!onlyMembers.has(operator) && operands.some((operand) => operand !== undefined && isOpaqueToUs(operand.type))) return undefined;
  // Since C++20 `a == b` may be `b == a`.
  const isReversible = context.dialect.language === "cuda" && context.dialect.standard >= 20 && comparisons.has(operator);
  if (isReversible && operands.some((operand) => operand?.type.kind === "record")) return undefined;
  const costs = members.map((each) => costOfObject(type, each));
  if (costs.every((cost) => cost === undefined)) {
    // The object may be converted to something that has the operator: a pointer, or an integer in `offset[pointer]`.
    const isRefused = (onlyMembers.has(operator) && operator !== "[]") || !mayConvert(type);
    if (isRefused && context.isEmitting)
      context.program.facts.constObjects.push({ callee: first, object: type, place: placeOf(context, applied.span) });
    return undefined;
  }
  if (costs.includes("open")) return undefined;
  const parameters = new Set(members.map((each) => parameterTypes(each)));
  const best = least(costs.filter((cost) => typeof cost === "number"));
  const chosen = members.filter((_, index) => costs[index] === best);
  const [only] = chosen;
  if (only === undefined || chosen.length > 1 || parameters.size > 1 || containsUnknown(only.type.result)) return undefined;
  emitHostCall(context, only, { as: "operator", count: operands.length }, applied.span);
  instantiateMember(context, only, applied.span);
  return resultOf(only.type.result);
}

/** The value of an operator that a function of the program defines, as far as that is certain; records the call. */
export function applyOperator(context: Context, applied: Applied): Value | undefined {
  return applyMemberOperator(context, applied) ?? applyFreeOperator(context, applied);
}

/**
 * The value of an operator that a function outside of classes defines, for an object or an enumerator; records the call. Undefined if it
 * is uncertain which function is meant.
 */
function applyFreeOperator(context: Context, applied: Applied): Value | undefined {
  const { object, operator, span } = applied;
  const values = [object, ...applied.operands.filter((value) => value !== undefined)];
  if (context.dialect.language !== "cuda" || onlyMembers.has(operator) || values.length !== 1 + applied.operands.length) return undefined;
  if (!values.some(({ type }) => type.kind === "record" || type.kind === "enum") || values.some(isUnclear)) return undefined;
  const isReversible = context.dialect.standard >= 20 && comparisons.has(operator);
  if ((isReversible ? values : [object]).some((value) => mayCallMember(context, value, applied))) return undefined;
  const ranked = allOthersOf(context, applied)
    .filter((each) => takes(each, values.length))
    .map((each) => rankFunction(context, each, values))
    .filter(isViable);
  // Clang does not see functions of the other side if one of this side, or a builtin operator, accepts the operands.
  const here = isHip(context) ? ranked.filter(({ candidate }) => isCallableIn(context, candidate)) : ranked;
  const mayBeBuiltin = values.every(({ type }) =>
    type.kind === "record" ? mayConvert(type) : type.kind !== "enum" || !type.enumeration.isScoped,
  );
  if (here.length < ranked.length && (here.length > 0 ? isForBothSides(context) : mayBeBuiltin)) return undefined;
  const best = bestOf(here.length > 0 ? here : ranked);
  const isExact = best !== undefined && areExact(best.costs);
  const needsExact = isReversible || context.program.reading.isPartial || seesUnread(context.scope);
  const mayConvertAny = mayBeBuiltin || values.some(({ type }) => type.kind === "record" && mayConvert(type));
  if (best === undefined || (!isExact && (needsExact || mayConvertAny)) || containsUnknown(best.type.result)) return undefined;
  if (callsAcross(context, best.candidate) === undefined) emitSharedCall(context, best.candidate);
  emitWrittenCall(context, best.candidate, values, span, false, () => true);
  return resultOf(best.type.result);
}

function isUnclear({ type, functions }: Value): boolean {
  return functions !== undefined || isOpaqueToUs(type) || containsUnknown(type) || (type.kind === "record" && !isKnown(type.record));
}

/** True if an operand's class may have a member for the operator that accepts the other operand. */
function mayCallMember(context: Context, { type }: Value, { operator, object, operands }: Applied): boolean {
  if (type.kind !== "record") return false;
  // What is compared with the object may be either operand.
  const given = operands.map((operand) => (object.type === type ? operand : object) ?? unknownValue);
  const isRejecting = (each: FunctionSymbol) => !each.isTemplate && (!takes(each, given.length) || !mayAccept(context, each, given));
  return membersOf(type.record, operator, false)?.every(isRejecting) !== true;
}

/** True if clang finds the function in HIP code here: it is for this side, or constexpr and so for both. */
function isCallableIn({ within, lambda }: Context, callee: FunctionSymbol): boolean {
  const caller = lambda ?? within;
  if (caller === undefined || isImplicitlyForBoth(callee)) return true;
  return (!runsOnDevice(caller) || runsOnDevice(callee)) && (!isForHost(caller) || isForHost(callee));
}

function isForBothSides({ within, lambda }: Context): boolean {
  return lambda !== undefined || within === undefined || (runsOnDevice(within) && isForHost(within));
}

/** Like `checkConversionOfConst`, for the operand of an operator that no function overloads, so that only numbers and pointers have it. */
export function checkOperandOfConst(context: Context, applied: Applied): void {
  const { object, operator, operands } = applied;
  const { type } = object;
  if (!context.isEmitting || !context.dialect.cplusplus || type.kind !== "record" || !type.qualifiers.const || !isKnown(type.record))
    return;
  // A member is selected in the object itself.
  if (operator === ".*" || operator === "->*") return;
  if (operands.some((operand) => operand !== undefined && (operand.type.kind === "record" || isOpaqueToUs(operand.type)))) return;
  if (membersOf(type.record, operator, false)?.length !== 0 || othersOf(context, applied).length > 0) return;
  checkConversionOfConst(context, object, applied.span, contextual.has(operator) ? "condition" : "operand");
}

/** The pointers that conversion functions of the object's class return; none if it is uncertain which of them may be called. */
export function convertedPointers(context: Context, { type }: Value): readonly Value[] {
  if (!context.dialect.cplusplus || type.kind !== "record" || !isKnown(type.record)) return [];
  const functions = (conversionFunctions(type.record) ?? []).filter((each) => costOfObject(type, each) !== undefined && !isExplicit(each));
  const results = functions.map(({ type: { result } }) => (result.kind === "reference" ? result.referent : result));
  if (functions.some(({ isTemplate }) => isTemplate) || results.some(containsUnknown)) return [];
  return results.filter(({ kind }) => kind === "pointer").map(rvalue);
}

/** The pointer that an object becomes where only a pointer is possible; any other value as it is. */
export function asPointer(context: Context, value: Value): Value {
  const [only, ...more] = convertedPointers(context, value);
  return only !== undefined && more.length === 0 ? only : value;
}

/**
 * True if no operand has to be converted for a parameter. Then the function is better than a builtin operator, for which the object is
 * converted (C++17 §16.3.3p1).
 */
function takesExactly({ type: { parameters } }: FunctionSymbol, operands: Applied["operands"]): boolean {
  return operands.every((operand, index) => {
    const parameter = parameters[index];
    if (operand === undefined || parameter === undefined) return false;
    return isSameType(unqualifiedType(operand.type), unqualifiedType(referred(parameter))) === true;
  });
}

/** True if the class has an operator `&` of its own, or may have one. */
export function mayOverloadAddress(record: RecordSymbol): boolean {
  return record.isIncomplete || record.functions.some(({ name }) => name === "operator&");
}

/** Operators that must be member functions (C++17 §16.5.4 to §16.5.6). */
const onlyMembers = new Set(["[]", "()", "->", "="]);

/** Operators whose operands are truth values, to which explicit conversion functions convert (C++17 §7p4). */
const contextual = new Set(["!", "&&", "||"]);

const comparisons = new Set(["==", "!=", "<", ">", "<=", ">=", "<=>"]);

/** The class's own functions for an operator, or those that it inherits; undefined if some may be unknown. */
function membersOf(record: RecordSymbol, operator: string, isOwn: boolean): readonly FunctionSymbol[] | undefined {
  const name = `operator${operator}`;
  if (isOwn) return record.functions.filter((each) => each.name === name);
  const scope = scopeOfRecord(record);
  const symbols = scope === undefined ? undefined : lookupIn(scope, name);
  const functions = symbols === undefined ? [] : functionsOf(symbols);
  return symbols === undefined || functions.length < symbols.length ? undefined : functions;
}

/**
 * Functions outside of the class that overload the operator and may accept the object: those in scope, and those of the operands'
 * namespaces.
 */
function othersOf(context: Context, applied: Applied): readonly FunctionSymbol[] {
  return allOthersOf(context, applied).filter(({ isTemplate, type }) => {
    const [first] = type.parameters;
    return isTemplate || first === undefined || costInCplusplus(context, applied.object, first) !== undefined;
  });
}

function allOthersOf(context: Context, { operator, object, operands, span }: Applied): readonly FunctionSymbol[] {
  const name = { parts: [{ text: `operator${operator}`, span }], isGlobal: false, span };
  const visible = functionsOf(resolveName(context, name)).filter(({ record }) => record === undefined);
  const values = [object, ...operands].filter((value) => value !== undefined);
  return [...visible, ...associatedFunctions(visible, { kind: "name", name, span }, values)];
}

function isKnown(record: RecordSymbol, depth = 0): boolean {
  if (!isDefinedClass(record) || depth > deepest) return false;
  return record.bases.every((base) => base.kind === "record" && isKnown(base.record, depth + 1));
}

const deepest = 20;

/** True if the object may be converted to something that has the operator itself. */
function mayConvert(type: RecordType): boolean {
  return conversionFunctions(type.record)?.every((each) => costOfObject(type, each) === undefined) !== true;
}

/** A using-declaration may make a base's assignment operator visible. */
function mayAssignConst(record: RecordSymbol, depth: number): boolean {
  if (depth > deepest || !isKnown(record)) return true;
  const own = record.functions.filter(({ name }) => name === "operator=");
  if (own.some((each) => each.isTemplate || isConstMember(each))) return true;
  return record.bases.some((base) => base.kind !== "record" || mayAssignConst(base.record, depth + 1));
}

function isConstMember({ declarations }: FunctionSymbol): boolean {
  return declarations.some(({ declarator }) => hasWord(declarator.words, "const"));
}

// ---------------------------------------------------------------- pointers to members

/** The value of `&C::f` for a member function; undefined for any other operand, or if several functions have that name. */
export function addressOfMember(operand: Expression, { functions = [] }: Value): Value | undefined {
  const [only, ...others] = functions;
  if (operand.kind !== "name" || operand.name.parts.length < 2 || only?.record === undefined || others.length > 0) return undefined;
  const { record, declarations, isTemplate, type } = only;
  if (isTemplate || record.isDependent || isDeclaredWith({ declarations }, "static")) return undefined;
  const has = (word: string): boolean => declarations.some(({ declarator }) => hasWord(declarator.words, word));
  return rvalue({
    kind: "member-pointer",
    of: { kind: "record", record, qualifiers: unqualified },
    member: addQualifiers(type, { const: has("const"), volatile: has("volatile") }),
    qualifiers: unqualified,
  });
}

/**
 * The member that `o.*pointer` or `p->*pointer` selects. An object is const if the object that contains it is, even if it is `mutable`
 * (C++17 §8.5p5). A function must have the object's const and volatile (§8.5p6), which is recorded if it lacks them.
 */
export function selectMember(
  context: Context,
  { operator, span }: Extract<Expression, { kind: "binary" }>,
  { type, isLvalue }: Value,
  pointer: Type,
): Value {
  const object = operator === ".*" ? type : type.kind === "pointer" ? type.pointee : undefined;
  if (pointer.kind !== "member-pointer" || object?.kind !== "record" || isOpaqueToUs(pointer.member)) return unknownValue;
  const { space, const: isConst, volatile } = object.qualifiers;
  if (pointer.member.kind !== "function")
    return { type: addQualifiers(pointer.member, { space, const: isConst, volatile }), isLvalue: isLvalue || operator === "->*" };
  checkObject(context, pointer, object, span);
  return rvalue(pointer.member);
}

function checkObject(context: Context, callee: MemberPointerType, object: Type, span: ViewSpan): void {
  const { const: isConst, volatile } = object.qualifiers;
  if (context.isEmitting && (isConst || volatile))
    context.program.facts.constObjects.push({ callee, object, place: placeOf(context, span) });
}
