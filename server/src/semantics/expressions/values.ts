/**
 * The values of expressions: a type, whether it designates an object, and which object. This file contains the conversions that are
 * always valid (decay, loss of qualifiers, arithmetic promotion); `implicit-conversion.ts` contains those that may be wrong.
 */
import { type Dialect, singlePrecision } from "../../dialect.ts";
import type { Expression } from "../../syntax/ast.ts";
import { isConstCopy } from "../facts/captures.ts";
import { type Context, isInstantiatedOnly, placeOf } from "../facts/context.ts";
import type { Value } from "../facts/evaluator.ts";
import type { AccessFact, AccessPath, AccessStep } from "../facts/facts.ts";
import { commonName, promotedName } from "../types/arithmetic.ts";
import {
  type ArithmeticName,
  arithmetic,
  pointerTo,
  type Type,
  unknownType,
  unqualified,
  unqualifiedType,
  withQualifiers,
} from "../types/types.ts";
import { accessHalf } from "./floating-point.ts";

/** A value about which nothing may be concluded. */
export const unknownValue: Value = { type: unknownType, isLvalue: false };

/** A value that designates no object. */
export function rvalue(type: Type): Value {
  return { type: withQualifiers(type, unqualified), isLvalue: false };
}

/** A value that designates an object, with its path if that is known. */
export function lvalue(type: Type, path: AccessPath | undefined): Value {
  return { type, isLvalue: true, path };
}

/** The object that a reference without a name refers to: the result of a call or a cast. */
export function referredValue({ referent, isRvalue }: Extract<Type, { kind: "reference" }>, path: Value["path"]): Value {
  return { ...lvalue(referent, path), ...(isRvalue ? { isExpiring: true } : {}) };
}

/** The value of a call that returns this type. */
export function resultOf(type: Type): Value {
  return type.kind === "reference" ? referredValue(type, undefined) : rvalue(type);
}

/** The path with further steps; undefined if the path is. */
export function extendPath(path: AccessPath | undefined, ...steps: readonly AccessStep[]): AccessPath | undefined {
  return path === undefined ? undefined : { root: path.root, steps: [...path.steps, ...steps] };
}

/** The path of the target of a pointer with this path. */
export function pointeePath(path: AccessPath | undefined): AccessPath | undefined {
  const last = path?.steps[path.steps.length - 1];
  if (path === undefined || last?.kind !== "address") return extendPath(path, { kind: "dereference" });
  return { root: path.root, steps: path.steps.slice(0, -1) };
}

/** The path of an object that no variable leads to: the target of a function's result, or a string literal. */
const elsewhere: AccessPath = { root: undefined, steps: [{ kind: "dereference" }] };

/** The value of an object: arrays and functions decay to pointers, the object's qualifiers are dropped (C11 §6.3.2.1p2–4). */
export function decayed(value: Value): Value {
  const { type } = value;
  if (type.kind === "array") {
    const alternatives = value.branches?.map(({ value: branch }) => ({ path: undefined, ...decayed(branch) }));
    const path = extendPath(value.path, { kind: "address" });
    return { type: pointerTo(type.element), isLvalue: false, path, ...(alternatives === undefined ? {} : { alternatives }) };
  }
  if (type.kind === "function") return { ...value, type: pointerTo(type), isLvalue: false };
  if (type.kind === "pointer") return { ...value, type: unqualifiedType(type), isLvalue: false };
  return {
    type: type.kind === "unknown" ? type : unqualifiedType(type),
    isLvalue: false,
    path: value.path,
    ...(value.isNull === undefined ? {} : { isNull: value.isNull }),
  };
}

/** Records the use of an object. With `isUncertain`, it may be read or bound. `assignment` is the assigned value. */
export function access(
  context: Context,
  value: Value,
  mode: AccessFact["mode"],
  expression: Expression,
  isUncertain = false,
  assignment?: AccessFact["assignment"],
): void {
  for (const branch of value.branches ?? []) access(context, branch.value, mode, branch.expression, isUncertain);
  // Even if the object itself is unknown, its type shows that it is const, or in constant memory.
  const isTelling = context.dialect.language === "opencl" || (value.type.qualifiers.const && (mode === "write" || mode === "read-write"));
  const path = value.path ?? (isTelling && value.branches === undefined ? elsewhere : undefined);
  if (!context.isEmitting || context.isUnevaluated === true || !value.isLvalue || path === undefined) return;
  if (mode === "read") accessHalf(context, value.type, path, "load", expression.span);
  context.program.facts.accesses.push({
    mode,
    type: value.type,
    path,
    place: placeOf(context, expression.span),
    within: context.within,
    ...(context.lambda === undefined ? {} : { lambda: context.lambda }),
    ...(isUncertain ? { isUncertain } : {}),
    ...(isPartOfCopy(context, path) ? { isCopy: true } : {}),
    ...(value.isOverlooked === true || isInstantiatedOnly(context) ? { isOverlooked: true } : {}),
    ...(value.isRefused === true ? { isRefused: true } : {}),
    ...(context.initializing === undefined ? {} : { initializes: context.initializing }),
    ...(context.isMember === true ? { isMember: true as const } : {}),
    ...(assignment?.operator === "=" ? { assigned: placeOf(context, assignment.value.span) } : {}),
    ...(assignment === undefined ? {} : { assignment }),
  });
}

function isPartOfCopy(context: Context, { root, steps }: AccessPath): boolean {
  return (
    root !== undefined &&
    !root.type.qualifiers.const &&
    isConstCopy(context, root) &&
    steps.every(({ kind }) => kind === "member" || kind === "index")
  );
}

/** Reads an object, or takes the address of an array that decays. */
export function read(context: Context, value: Value, expression: Expression): Value {
  access(context, value, value.type.kind === "array" ? "address" : "read", expression);
  return decayed(value);
}

/** The common type of two arithmetic operands (C11 §6.3.1.8; OpenCL C 3.0 §6.4.6 for vectors). */
export function arithmeticResult(left: Type, right: Type): Type {
  if (left.kind === "vector") return unqualifiedType(left);
  if (right.kind === "vector") return unqualifiedType(right);
  const a = promoted(left);
  const b = promoted(right);
  if (a.kind !== "arithmetic" || b.kind !== "arithmetic") return unknownType;
  return commonName(a.name, b.name) === a.name ? a : b;
}

/** Integer promotion (C11 §6.3.1.1p2). */
export function promoted(type: Type): Type {
  if (type.kind === "enum") return arithmetic("int");
  if (type.kind === "atomic") return promoted(type.value);
  if (type.kind !== "arithmetic") return unqualifiedType(type);
  const name = promotedName(type.name);
  return name === type.name ? unqualifiedType(type) : arithmetic(name);
}

/** The type of a comparison: int in C, bool in C++, and for vectors signed integers of the same width (OpenCL C 3.0 §6.3.4). */
export function comparisonResult(left: Type, right: Type, cplusplus: boolean): Type {
  const vector = left.kind === "vector" ? left : right.kind === "vector" ? right : undefined;
  if (vector === undefined) return arithmetic(cplusplus ? "bool" : "int");
  return { kind: "vector", element: signedOfWidth(vector.element), length: vector.length, qualifiers: unqualified };
}

function signedOfWidth(name: ArithmeticName): ArithmeticName {
  switch (name) {
    case "unsigned char":
    case "signed char":
    case "char":
      return "char";
    case "unsigned short":
    case "short":
    case "half":
      return "short";
    case "long":
    case "unsigned long":
    case "double":
      return "long";
    default:
      return "int";
  }
}

/** The type of a number literal (C11 §6.4.4.1p5, §6.4.4.2p4). */
export function typeOfNumber(text: string, dialect: Dialect): Type {
  // Most literals are small integers.
  if (smallInteger.test(text)) return /u$/i.test(text) ? unsignedInt : int;
  const literal = text.toLowerCase().replaceAll("'", "");
  const isHex = literal.startsWith("0x");
  if (isHex ? /[p.]/.test(literal) : /[.e]/.test(literal) || /^\d+f$/.test(literal)) {
    if (literal.endsWith("h")) return arithmetic("half");
    const isSingle = literal.endsWith("f") || (dialect.language === "opencl" && dialect.has(singlePrecision));
    return arithmetic(isSingle ? "float" : literal.endsWith("l") ? "long double" : "double");
  }
  const suffix = /[ul]*$/.exec(literal)?.[0] ?? "";
  const isUnsigned = suffix.includes("u");
  if (suffix.includes("ll") && dialect.language === "cuda") return arithmetic(isUnsigned ? "unsigned long long" : "long long");
  if (suffix.includes("l")) return arithmetic(isUnsigned ? "unsigned long" : "long");
  return arithmetic(isUnsigned ? "unsigned int" : fitsInt(literal, isHex) ? "int" : "long");
}

const smallInteger = /^(?:\d{1,9}|0[xX][\da-fA-F]{1,8})[uU]?$/;
const int = arithmetic("int");
const unsignedInt = arithmetic("unsigned int");

function fitsInt(literal: string, isHex: boolean): boolean {
  const digits = literal.replace(/[ul]+$/, "");
  return isHex ? digits.replace(/^0x0*/, "").length <= 8 : Number(digits) <= 2147483647;
}

/** True for zero spelled as an integer. */
export function isZero(text: string): boolean {
  return /^0([xX]0+|[bB]0+|0*)[uUlL]*$/.test(text);
}
