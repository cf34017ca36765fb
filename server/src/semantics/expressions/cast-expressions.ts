/** Casts in every spelling, and compound literals: their types, and the conversions that they perform (C11 §6.5.4). */
import type { AddressSpace } from "../../qualifiers.ts";
import type { Expression, TypeId } from "../../syntax/ast.ts";
import { commaParts } from "../../syntax/walk.ts";
import { excludeFeature } from "../declarations/access-qualifiers.ts";
import { emitTypeWords } from "../declarations/binder.ts";
import { typeOfTypeId } from "../declarations/declarators.ts";
import { resolveName, typeOfName } from "../declarations/name-resolution.ts";
import { type Context, isOpenCL, placeOf } from "../facts/context.ts";
import type { Value } from "../facts/evaluator.ts";
import { addQualifiers, isInteger, isOpaqueToUs, type Type, unqualifiedType } from "../types/types.ts";
import { discard, evaluate, evaluateRead } from "./expressions.ts";
import { checkCastDoubles, isHalf, useHalf } from "./floating-point.ts";
import { convert } from "./implicit-conversion.ts";
import { convertInto } from "./initializers.ts";
import { decayed, lvalue, referredValue, rvalue } from "./values.ts";

/** `(T)e` (C11 §6.5.4). */
export function evaluateCast(context: Context, e: Extract<Expression, { kind: "cast" }>): Value {
  const reread = rereadCast(context, e);
  if (reread !== undefined) return evaluate(context, reread);
  const type = typeOfTypeId(context, e.type);
  const operand = e.operand.kind === "parenthesized" ? e.operand.inner : e.operand;
  checkCastDoubles(context, type, type.kind === "vector" ? commaParts(operand) : [operand]);
  if (type.kind === "vector" && operand.kind === "comma") {
    for (const part of commaParts(operand)) evaluateRead(context, part);
    checkLiteralSpace(context, type.qualifiers.space, e.type);
    return rvalue(type);
  }
  return castValue(context, evaluate(context, e.operand), type, e, "c-style", e.type);
}

function castValue(
  context: Context,
  value: Value,
  type: Type,
  e: Extract<Expression, { kind: "cast" | "named-cast" }>,
  cast: string,
  written: TypeId,
): Value {
  if (type.kind === "void") {
    discard(context, value, e.operand);
    return rvalue(type);
  }
  if (isHalf(type) && !context.dialect.cplusplus) useHalf(context, "cast", e.operand.span);
  emitTypeWords(context, written, "cast");
  const typeWords = written.specifiers.words.map(({ text, span }) => ({ text, place: placeOf(context, span) }));
  convert(context, value, type, {
    context: "cast",
    operand: e.operand,
    place: placeOf(context, e.span),
    target: undefined,
    cast,
    typePlace: placeOf(context, written.span),
    typeWords,
  });
  if (type.kind === "reference") return referredValue(type, value.path);
  const isNull =
    value.isNull === true &&
    value.type.kind !== "pointer" &&
    ((isPlainVoidPointer(context, type) && !context.dialect.cplusplus) || isInteger(type));
  const isPointer = type.kind === "pointer";
  return {
    type: unqualifiedType(type),
    isLvalue: false,
    ...(isPointer ? { path: value.type.kind === "array" ? decayed(value).path : value.path } : {}),
    ...(isPointer && value.heap !== undefined ? { heap: value.heap } : {}),
    ...(isNull ? { isNull } : {}),
  };
}

/** `void *` without qualifiers: the only type of pointer that a null pointer constant may have (C11 §6.3.2.3p3). */
function isPlainVoidPointer({ dialect }: Context, type: Type): boolean {
  if (type.kind !== "pointer" || type.pointee.kind !== "void") return false;
  const { implicitSpace, const: isConst, volatile } = type.pointee.qualifiers;
  if (isConst || volatile || implicitSpace !== undefined || dialect.language !== "opencl") return !isConst && !volatile;
  const { space } = type.pointee.qualifiers;
  return space === undefined || space === (dialect.genericAddressSpace ? "generic" : "private");
}

/** The value of `static_cast<T>(e)` or another named cast (C++17 §8.2). */
export function evaluateNamedCast(context: Context, e: Extract<Expression, { kind: "named-cast" }>): Value {
  if (e.cast === "dynamic_cast") excludeFeature(context, "dynamic_cast", e.span);
  return castValue(context, evaluate(context, e.operand), typeOfTypeId(context, e.type), e, e.cast, e.type);
}

/** The operator or call that `(a) - b` or `(f)(x)` means if the name is not a type; both parse as casts (C++17 §9.8). */
function rereadCast(context: Context, e: Extract<Expression, { kind: "cast" }>): Expression | undefined {
  const { specifiers, declarator } = e.type;
  if (declarator.kind !== "abstract" || specifiers.words.length > 0 || specifiers.type?.kind !== "named") return undefined;
  const { name } = specifiers.type;
  if (typeOfName(context, name) !== undefined || resolveName(context, name).length === 0) return undefined;
  const left: Expression = { kind: "name", name, span: e.type.span };
  const { operand } = e;
  if (operand.kind === "unary" && ["-", "+", "*", "&"].includes(operand.operator))
    return { kind: "binary", operator: operand.operator, left, right: operand.operand, span: e.span };
  if (operand.kind === "parenthesized") return { kind: "call", function: left, arguments: commaParts(operand.inner), span: e.span };
  return { kind: "unknown", operands: [operand], span: e.span };
}

/** Records a compound literal in a function whose address space is written: it cannot choose one (OpenCL C 3.0 §6.7.8). */
function checkLiteralSpace(context: Context, space: AddressSpace | undefined, type: TypeId): void {
  if (context.isEmitting && isOpenCL(context) && context.within !== undefined && space !== undefined)
    context.program.facts.spaces.push({ kind: "compound-literal", space, place: placeOf(context, type.span) });
}

/** `(T){ … }` (C11 §6.5.2.5). */
export function evaluateCompoundLiteral(context: Context, e: Extract<Expression, { kind: "compound-literal" }>): Value {
  const type = typeOfTypeId(context, e.type);
  const written = type.qualifiers.space;
  checkLiteralSpace(context, written, e.type);
  const space =
    isOpenCL(context) && type.qualifiers.space === undefined && !isOpaqueToUs(type)
      ? context.within === undefined
        ? undefined
        : ("private" as const)
      : undefined;
  const placed = addQualifiers(type, { space });
  convertInto(context, e.value, placed, undefined, "initialize");
  return context.dialect.cplusplus ? { type: placed, isLvalue: false } : lvalue(placed, undefined);
}
