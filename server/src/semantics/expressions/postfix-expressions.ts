/**
 * Evaluates subscripts, member accesses and vector components: the object that they belong to, and the qualifiers that they inherit
 * (C11 §6.5.2.1, §6.5.2.3).
 */
import type { Expression, Name, TemplateArgument } from "../../syntax/ast.ts";
import { lastPart } from "../../syntax/walk.ts";
import { emitTemporary } from "../declarations/host-calls.ts";
import { resolveName } from "../declarations/name-resolution.ts";
import { type Context, placeOf } from "../facts/context.ts";
import { typeOfExpression, type Value } from "../facts/evaluator.ts";
import type { AccessStep } from "../facts/facts.ts";
import { scopeOfRecord } from "../symbols/record-scopes.ts";
import { functionsOf, lookupIn } from "../symbols/scope.ts";
import { emitRuntimeArguments } from "../templates/non-constant-arguments.ts";
import type { RecordSymbol, VariableSymbol } from "../types/symbols.ts";
import { isInteger, referred, type Type, unknownType, withQualifiers } from "../types/types.ts";
import { checkClassOperator } from "./class-objects.ts";
import { applyMemberOperator, asPointer, checkOperandOfConst } from "./class-operators.ts";
import { constantInteger } from "./constant-expressions.ts";
import { checkConversionOfConst, isDerived } from "./conversion-costs.ts";
import { evaluate } from "./expressions.ts";
import { memberType } from "./implicit-conversion.ts";
import { addressee } from "./operators.ts";
import { refer, variableValue } from "./primary-expressions.ts";
import { extendPath, lvalue, pointeePath, read, unknownValue } from "./values.ts";

/** The value of `a[i]` (C11 §6.5.2.1). */
export function evaluateSubscript(context: Context, e: Extract<Expression, { kind: "subscript" }>): Value {
  const object = evaluate(context, e.object);
  emitTemporary(context, object, e.object);
  const index = e.indices[0];
  if (isInteger(object.type) && index !== undefined && e.indices.length === 1) {
    // `1[a]` is `a[1]` (C11 §6.5.2.1p2).
    read(context, object, e.object);
    return elementOf(context, evaluate(context, index), index, indexStep(context, e.object)) ?? unknownValue;
  }
  const isBuiltin = object.type.kind === "pointer" || object.type.kind === "array";
  const [position] = e.indices.map((each) => {
    const value = evaluate(context, each);
    if (isBuiltin) checkConversionOfConst(context, value, each.span, "operand");
    return read(context, value, each);
  });
  if (index === undefined || e.indices.length !== 1) return unknownValue;
  checkClassOperator(context, "[]", e.object);
  const applied = { operator: "[]", object, operands: [position], span: e.object.span };
  checkOperandOfConst(context, applied);
  return (
    applyMemberOperator(context, applied) ??
    elementOf(context, asPointer(context, object), e.object, indexStep(context, index)) ??
    (object.type.kind === "vector" ? vectorPart(object, 1) : unknownValue)
  );
}

function elementOf(context: Context, object: Value, expression: Expression, step: AccessStep): Value | undefined {
  const base = object.type.kind === "array" ? object : read(context, object, expression);
  if (base.type.kind === "array") return lvalue(base.type.element, extendPath(base.path, step));
  return base.type.kind === "pointer" ? lvalue(base.type.pointee, extendPath(pointeePath(base.path), step)) : undefined;
}

/** The subscript expression that `*(a + i)` means: `a[i]` (C11 §6.5.2.1p2). In both forms a pointer that is not an array is read. */
export function asSubscript(context: Context, e: Extract<Expression, { kind: "unary" }>): Expression | undefined {
  const sum = e.operator === "*" && e.operand.kind === "parenthesized" ? e.operand.inner : undefined;
  if (sum?.kind !== "binary" || sum.operator !== "+" || sum.left.kind !== "name") return undefined;
  return typeOfExpression(context, sum.left).kind === "array"
    ? { kind: "subscript", span: e.span, object: sum.left, indices: [sum.right] }
    : undefined;
}

function indexStep(context: Context, index: Expression): Extract<AccessStep, { kind: "index" }> {
  return { kind: "index", index, isConstant: constantInteger(context, index) !== undefined || isTemplateValue(context, index) };
}

/** True for a non-type template parameter, or an expression computed from one. */
function isTemplateValue(context: Context, e: Expression): boolean {
  if (e.kind === "parenthesized") return isTemplateValue(context, e.inner);
  if (e.kind === "unary") return isTemplateValue(context, e.operand);
  if (e.kind === "binary")
    return [e.left, e.right].every((each) => isTemplateValue(context, each) || constantInteger(context, each) !== undefined);
  return e.kind === "name" && resolveName(context, e.name).some(({ kind }) => kind === "template-parameter");
}

/** The value of `a.b` or `a->b`, including vector components (C11 §6.5.2.3). */
export function evaluateMember(context: Context, e: Extract<Expression, { kind: "member" }>): Value {
  const same = e.isArrow ? addressee(e.object) : undefined;
  if (same !== undefined) {
    const part = evaluateMember(context, { ...e, object: same, isArrow: false });
    return typeOfExpression(context, same).kind === "vector" ? { ...part, isOverlooked: true } : part;
  }
  const object = evaluate(context, e.object);
  if (!e.isArrow) emitTemporary(context, object, e.object);
  const part = lastPart(e.name);
  // `a->x` with an array is `a[0].x`.
  const arrow = e.isArrow ? applyMemberOperator(context, { operator: "->", object, operands: [], span: e.object.span }) : undefined;
  const target = arrow ?? (e.isArrow && object.type.kind !== "array" ? read(context, object, e.object) : object);
  const type = e.isArrow
    ? target.type.kind === "pointer"
      ? target.type.pointee
      : target.type.kind === "array"
        ? target.type.element
        : unknownType
    : referred(target.type);
  const path = e.isArrow && target.type.kind !== "array" ? pointeePath(target.path) : object.path;
  if (part === undefined) return unknownValue;
  if (e.name.parts.length > 1) return part.templateArguments === undefined ? qualifiedMember(context, type, e.name, path) : unknownValue;
  if (part.templateArguments !== undefined) return memberTemplate(context, type, part.text, part.templateArguments, path);
  if (type.kind === "vector") {
    if (context.isEmitting) context.program.facts.components.push({ vector: type, place: placeOf(context, part.span) });
    return swizzle({ ...object, type, path, ...(e.isArrow ? { isOverlooked: true } : {}) }, part.text);
  }
  // For an object whose type depends on a template argument, at least the member's name is known.
  if (type.kind === "dependent" || type.kind === "unknown")
    return path === undefined
      ? unknownValue
      : {
          type: memberOfUnknown(context, type),
          isLvalue: e.isArrow || object.isLvalue,
          path: extendPath(path, { kind: "member", member: undefined, name: part.text }),
          ...(e.isArrow && component.test(part.text) ? { isOverlooked: true } : {}),
        };
  if (type.kind !== "record") return unknownValue;
  const member = findMember(type.record, part.text);
  if (member !== undefined) {
    refer(context, [member], part.span);
    const own = memberType(type, member);
    const extended = extendPath(path, { kind: "member", member, name: part.text });
    if (own.kind === "reference") return lvalue(own.referent, extendPath(extended, { kind: "dereference" }));
    if (!e.isArrow && !object.isLvalue) return { type: own, isLvalue: false };
    return { ...lvalue(own, extended), ...(!e.isArrow && object.isExpiring === true ? { isExpiring: true } : {}) };
  }
  const scope = scopeOfRecord(type.record);
  const symbols = scope === undefined ? [] : lookupIn(scope, part.text);
  const functions = functionsOf(symbols);
  // `using Base::f;` of an unknown class makes unknown functions available.
  if (symbols.some(({ kind }) => kind === "unknown")) return unknownValue;
  if (functions.length > 0) return { type: unknownType, isLvalue: false, functions, path, objectType: type };
  const variable = symbols.find((symbol): symbol is VariableSymbol => symbol.kind === "variable");
  return variable === undefined ? unknownValue : variableValue(context, variable);
}

/** The type of a member of an unknown record. OpenCL C has no `mutable`, so the member of a const object is const. */
function memberOfUnknown({ dialect }: Context, { kind, qualifiers }: Type): Type {
  if (dialect.language !== "opencl" || dialect.cplusplus || kind !== "unknown") return unknownType;
  return withQualifiers(unknownType, { ...qualifiers, restrict: false });
}

/** A name that is a vector's component if the object is a vector after all. */
const component = /^([xyzw]+|[rgba]+|lo|hi|even|odd|[sS][0-9a-fA-F]+)$/;

/** Evaluates `a.Base::f`: the functions of a base. */
function qualifiedMember(context: Context, type: Type, name: Name, path: Value["path"]): Value {
  if (type.kind !== "record") return unknownValue;
  const functions = functionsOf(resolveName(context, name));
  const isInherited = functions.every(({ record }) => record !== undefined && isDerived(type.record, record) === true);
  return functions.length > 0 && isInherited ? { type: unknownType, isLvalue: false, functions, path, objectType: type } : unknownValue;
}

/** The member templates of that name, for `a.f<3>`. */
function memberTemplate(context: Context, type: Type, name: string, written: readonly TemplateArgument[], path: Value["path"]): Value {
  const scope = type.kind === "record" ? scopeOfRecord(type.record) : undefined;
  const functions = scope === undefined ? [] : functionsOf(lookupIn(scope, name));
  if (functions.length === 0) return unknownValue;
  emitRuntimeArguments(context, functions, written);
  return { type: unknownType, isLvalue: false, functions, path, objectType: type };
}

/** A member by name, through anonymous records and known bases. */
function findMember(record: RecordSymbol, name: string): VariableSymbol | undefined {
  for (const member of record.members ?? []) {
    if (member.name === name) return member;
    if (member.name === "" && member.type.kind === "record") {
      const inner = findMember(member.type.record, name);
      if (inner !== undefined) return inner;
    }
  }
  for (const base of record.bases) {
    const inherited = base.kind === "record" ? findMember(base.record, name) : undefined;
    if (inherited !== undefined) return inherited;
  }
  return undefined;
}

/** The components of a vector: `.xyzw`, `.rgba`, `.s0…sF`, `.lo .hi .even .odd` (OpenCL C 3.0 §6.3.7). */
function swizzle(vector: Value, name: string): Value {
  if (vector.type.kind !== "vector") return unknownValue;
  if (/^(lo|hi|even|odd)$/.test(name)) return vectorPart(vector, Math.ceil(vector.type.length / 2));
  if (/^[xyzw]+$|^[rgba]+$/.test(name)) return vectorPart(vector, name.length);
  return /^[sS][0-9a-fA-F]+$/.test(name) ? vectorPart(vector, name.length - 1) : unknownValue;
}

function vectorPart(vector: Value, length: number): Value {
  if (vector.type.kind !== "vector") return unknownValue;
  const { element, qualifiers } = vector.type;
  const type: Type =
    length === 1
      ? { kind: "arithmetic", name: element, qualifiers }
      : { kind: "vector", element, length: length === 3 ? 3 : length, qualifiers };
  return { ...vector, type };
}
