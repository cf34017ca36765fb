/**
 * Converts values in context: initialization, assignment, argument passing, return, cast. Each conversion becomes a fact, whose
 * verdict `conversion-rules.ts` decides. `initializers.ts` splits initializer lists into their elements.
 */
import type { Expression } from "../../syntax/ast.ts";
import { hasWord } from "../../syntax/walk.ts";
import { emitBoundObject, emitConversionCall, emitTemporary } from "../declarations/host-calls.ts";
import { callableOn } from "../declarations/methods.ts";
import { resolveName } from "../declarations/name-resolution.ts";
import { type Context, isInstantiatedOnly, placeOf } from "../facts/context.ts";
import type { Conversion, Value } from "../facts/evaluator.ts";
import type { ConversionContext } from "../facts/facts.ts";
import { isExplicit } from "../symbols/candidates.ts";
import { functionsOf } from "../symbols/scope.ts";
import { convertingConstructors } from "../symbols/special-functions.ts";
import { containsSpace, overlaps } from "../types/address-spaces.ts";
import { isSameType } from "../types/compatible.ts";
import { type CastKind, compare, type Verdict } from "../types/conversion-rules.ts";
import { innermostElement, isDefinedClass, isScalar } from "../types/predicates.ts";
import type { VariableSymbol } from "../types/symbols.ts";
import { addQualifiers, isInteger, isOpaqueToUs, referred, type Type } from "../types/types.ts";
import { checkCopy } from "./class-objects.ts";
import { convertedPointers } from "./class-operators.ts";
import { checkConversionOfConst, conversionFunctions } from "./conversion-costs.ts";
import { checkOpaqueConversion } from "./opaque-conversions.ts";
import { checkOperator } from "./opaque-types.ts";
import { access, decayed, read } from "./values.ts";

/** Converts a value to a type: reads or binds it, and records the effect on pointers. */
export function convert(context: Context, value: Value, to: Type, conversion: Conversion): void {
  if (to.kind === "reference") {
    // A cast to a reference designates the same object, whose use depends on the context of the cast (C++17 §8.2.9p2).
    const isRenamed = conversion.context === "cast" && value.path !== undefined && isSameType(value.type, to.referent) !== false;
    const mode = conversion.cast !== "reinterpret_cast" && isCopied(value.type, to.referent) ? "read" : "bind";
    // A reference of unknown type may bind to a copy.
    if (!isRenamed) access(context, value, mode, conversion.operand, mode === "bind" && isOpaqueToUs(to.referent));
    if (isScalar(to.referent)) checkConversionOfConst(context, value, conversion.operand.span, to);
    emit(context, value, value.type, to, conversion);
    emitConstruction(context, value, to.referent, conversion);
    if (to.isRvalue || to.referent.qualifiers.const) emitBoundObject(context, value, to.referent, conversion);
    emitTemporary(context, value, conversion.operand);
    return;
  }
  if (conversion.context !== "cast") checkCopy(context, value, to, conversion.operand);
  emitConversionCall(context, value, to, conversion);
  // An object of another class is converted, and then ends.
  if (value.type.kind === "record" && to.kind === "record" && value.type.record !== to.record)
    emitTemporary(context, value, conversion.operand);
  // A conversion function converts an object of a class. It is called on the object.
  const isCalled = value.type.kind === "record" && isScalar(to);
  const pointer = isCalled && conversion.context !== "cast" ? pointerFor(context, value, to) : undefined;
  if (isCalled) {
    access(context, value, "bind", conversion.operand);
    emitTemporary(context, value, conversion.operand);
    checkConverted(context, value, conversion.operand);
    if (pointer === undefined) checkConversionOfConst(context, value, conversion.operand.span, to);
  }
  const source = isCalled ? decayed(value) : read(context, value, conversion.operand);
  emit(context, pointer ?? source, (pointer ?? source).type, to, conversion);
  emitConstruction(context, source, to, conversion);
  const operandPlace = placeOf(context, conversion.operand.span);
  if (conversion.context === "assign") checkOperator(context, "=", [{ type: to, isLvalue: true }, source], operandPlace);
  checkOpaqueConversion(context, source, to, conversion.context, conversion.operand);
}

/** Checks in C++ for OpenCL that some conversion function can be called on objects in the value's address space. */
function checkConverted(context: Context, { type, path }: Value, operand: Expression): void {
  const functions = type.kind === "record" && context.dialect.language === "opencl" ? conversionFunctions(type.record) : undefined;
  const name = functions?.[0]?.name;
  if (functions === undefined || name === undefined) return;
  callableOn(context, functions, { type, path, place: placeOf(context, operand.span) }, name);
}

/** What the class's conversion functions return, if each of them returns a pointer whose qualifiers the target does not accept. */
function pointerFor(context: Context, value: Value, to: Type): Value | undefined {
  if (to.kind !== "pointer") return undefined;
  const pointers = convertedPointers(context, value);
  const isRefused = ({ type }: Value) => {
    const { kind } = compare(type, to, context.dialect, false);
    return kind === "changes-address-space" || kind === "discards-qualifiers";
  };
  return pointers.every(isRefused) ? pointers[0] : undefined;
}

/**
 * True if a reference binds to a temporary with the converted value. This holds for a reference to another arithmetic type,
 * including one that an enumerator converts to (C++17 §11.6.3p5.4).
 */
function isCopied(from: Type, to: Type): boolean {
  if (to.kind !== "arithmetic") return false;
  return from.kind === "enum" || (from.kind === "arithmetic" && from.name !== to.name);
}

function emit(context: Context, value: Value, from: Type, to: Type, conversion: Conversion): void {
  const isClassReinterpreted = isReinterpretedClass(context, from, to, conversion);
  if (!context.isEmitting || !(isAboutPointers(from, to) || isClassReinterpreted)) return;
  const operandPlace = placeOf(context, conversion.operand.span);
  const verdict = isClassReinterpreted
    ? changesType
    : to.kind !== "reference" && isNullPointer(value, conversion.context)
      ? ok
      : isMisplacedTemporary(context, value, to, conversion) || isMisplacedFunction(context, from, to, conversion)
        ? misplaced
        : context.isTemplate && (isOfTemplate(from) || isOfTemplate(to))
          ? unknown
          : compare(from, to, context.dialect, conversion.context === "cast", castKindOf(conversion.cast));
  context.program.facts.conversions.push({
    context: conversion.context,
    from,
    to,
    verdict:
      verdict.kind === "discards-qualifiers" && conversion.context !== "cast" && isDirectLiteral(conversion.operand)
        ? { ...verdict, isError: false }
        : verdict,
    place: conversion.place ?? operandPlace,
    operand: conversion.operand,
    operandPlace,
    ...(conversion.cast === undefined ? {} : { cast: conversion.cast }),
    ...(conversion.typePlace === undefined ? {} : { typePlace: conversion.typePlace }),
    ...(conversion.typeWords === undefined ? {} : { typeWords: conversion.typeWords }),
    target: conversion.target,
    isNullConstant: value.isNull === true,
    ...(value.path === undefined ? {} : { path: value.path }),
    ...(value.heap === undefined ? {} : { heap: value.heap }),
    ...(value.alternatives === undefined ? {} : { alternatives: value.alternatives }),
    within: context.within,
    ...(context.lambda === undefined ? {} : { lambda: context.lambda }),
    ...(conversion.isOverlooked === true && isInstantiatedOnly(context) ? { isOverlooked: true } : {}),
  });
}

/** Converts a pointer to the parameter of the only constructor that converts it to the class (C++17 §15.3.1). */
export function emitConstruction(outer: Context, value: Value, to: Type, { context, operand, isOverlooked = false }: Conversion): void {
  if (to.kind !== "record" || value.type.kind !== "pointer" || !isDefinedClass(to.record)) return;
  const [only, ...others] = convertingConstructors(to.record);
  const parameter = only?.declarations[0]?.parameters[0];
  if (only === undefined || parameter === undefined || others.length > 0 || only.isTemplate || to.record.bases.length > 0) return;
  if (context !== "cast" && isExplicit(only)) return;
  if (context === "assign" && to.record.functions.some(({ name }) => name === "operator=")) return;
  emit(outer, value, value.type, parameter.symbol.type, { context: "pass", operand, target: parameter, isOverlooked });
}

/** True for a class of the template's own text, or a pointer or reference to it: the type depends on the arguments (C++17 §17.7.2.1). */
function isOfTemplate(type: Type): boolean {
  const own = innermostElement(referred(type));
  return own.kind === "pointer" ? isOfTemplate(own.pointee) : own.kind === "record" && own.record.isDependent;
}

const unknown = { kind: "unknown" } as const satisfies Verdict;
const ok = { kind: "ok" } as const satisfies Verdict;
const changesType = { kind: "changes-type" } as const satisfies Verdict;
const misplaced = { kind: "changes-address-space", isNested: false, isError: true } as const satisfies Verdict;

/**
 * True if a temporary is bound to a reference with an explicit address space: no temporary is in one (C++ for OpenCL §2.5; C++17
 * §11.6.3p5.2).
 */
function isMisplacedTemporary({ dialect }: Context, value: Value, to: Type, { context, operand }: Conversion): boolean {
  if (to.kind !== "reference" || context === "cast") return false;
  // `{1, 2}` creates a temporary of the class.
  const isList = operand.kind === "list" && to.referent.kind === "record" && !to.referent.record.isIncomplete;
  if (!isList && !isTemporary(value, to.referent)) return false;
  const { space } = to.referent.qualifiers;
  // Without a generic address space the default is private.
  const isDefault = space === undefined || space === (dialect.language === "opencl" && dialect.genericAddressSpace ? "generic" : "private");
  return !isDefault;
}

/** `reinterpret_cast` converts between pointers, references and integers (C++17 §8.2.10p1). */
function isReinterpretedClass({ dialect }: Context, from: Type, to: Type, { cast }: Conversion): boolean {
  return dialect.language === "opencl" && cast === "reinterpret_cast" && to.kind === "record" && !isOpaqueToUs(from);
}

/**
 * True if the address of a function is converted to a pointer into a named address space. A function is in none of these spaces, so
 * its address converts only to a generic pointer. A variable that points to functions has the default space. If such pointers are
 * not allowed at all, that is reported instead.
 */
function isMisplacedFunction(outer: Context, from: Type, to: Type, { operand, context }: Conversion): boolean {
  const { dialect, program } = outer;
  if (dialect.language !== "opencl" || dialect.cplusplus || from.kind !== "pointer" || from.pointee.kind !== "function") return false;
  if (to.kind !== "pointer" || to.pointee.kind === "function" || to.pointee.qualifiers.space === undefined) return false;
  const name = "__cl_clang_function_pointers";
  if (!dialect.has(name) && !program.facts.enabledExtensions.includes(name)) return false;
  const own = isDesignator(outer, operand) ? undefined : dialect.genericAddressSpace ? ("generic" as const) : ("private" as const);
  const { space } = to.pointee.qualifiers;
  if (own === undefined) return space !== "generic";
  return context === "cast" ? !overlaps(space, own) : !containsSpace(space, own);
}

/** True for `f` or `&f`, but not for a variable that points to functions. */
function isDesignator(context: Context, e: Expression): boolean {
  if (e.kind === "parenthesized") return isDesignator(context, e.inner);
  if (e.kind === "conditional") return (e.then === undefined || isDesignator(context, e.then)) && isDesignator(context, e.otherwise);
  if (e.kind === "name") return functionsOf(resolveName(context, e.name)).length > 0;
  return e.kind === "unary" && e.operator === "&";
}

/** True for an rvalue, or an object of another arithmetic type, whose value is converted. */
function isTemporary({ type, isLvalue }: Value, referent: Type): boolean {
  if (isLvalue) return isCopied(type, referent);
  if (type.kind === "record") return referent.kind === "record" && type.record === referent.record;
  return isPlainValue(type) && isPlainValue(referent);
}

function isPlainValue({ kind }: Type): boolean {
  return kind === "arithmetic" || kind === "vector" || kind === "enum" || kind === "pointer";
}

/**
 * True for a string literal itself, which converts to `char *`, but not for a choice of two. C++11 removed this conversion (C++03
 * §4.2p2, §C.1.1), but compilers still accept it with a warning.
 */
function isDirectLiteral(operand: Expression): boolean {
  return operand.kind === "string" || (operand.kind === "parenthesized" && isDirectLiteral(operand.inner));
}

/**
 * True for a null pointer constant, which converts to any pointer. A cast of `(void *)0` is a cast of a pointer instead (C11
 * §6.3.2.3p3–4).
 */
function isNullPointer(value: Value, context: ConversionContext): boolean {
  return value.isNull === true && !(context === "cast" && value.type.kind === "pointer");
}

function castKindOf(cast: string | undefined): CastKind | undefined {
  return castKinds.find((kind) => kind === cast);
}

const castKinds: readonly CastKind[] = [
  "c-style",
  "functional",
  "static_cast",
  "reinterpret_cast",
  "const_cast",
  "dynamic_cast",
  "addrspace_cast",
];

function isAboutPointers(from: Type, to: Type): boolean {
  if (to.kind === "reference") return true;
  const isPointer = (type: Type) => type.kind === "pointer" || type.kind === "array";
  return (isPointer(from) && (isPointer(to) || isInteger(to))) || (isPointer(to) && isInteger(from));
}

/** A member of an object has the object's address space and cv (C11 §6.5.2.3p3); `mutable` members are never const. */
export function memberType(object: Type, member: VariableSymbol): Type {
  const isMutable = hasWord(member.words, "mutable");
  if (member.type.kind === "reference") return member.type;
  const { implicitSpace, const: isConst, volatile } = object.qualifiers;
  const isConstHere = isConst && !isMutable;
  const added = implicitSpace?.(isConstHere, volatile, false) ?? { space: object.qualifiers.space, const: isConstHere, volatile };
  return addQualifiers(member.type, added);
}
