/**
 * Evaluates unary and binary operators, assignments and the conditional operator (C11 §6.5.3 to §6.5.16): the type of the result,
 * and facts about what is read, written, dereferenced and compared.
 */
import type { AddressSpace } from "../../qualifiers.ts";
import type { Expression } from "../../syntax/ast.ts";
import { asCast, asMemberCall, castNameOf } from "../../syntax/lowering/readings.ts";
import { hasWord } from "../../syntax/walk.ts";
import { typeOfTypeId } from "../declarations/declarators.ts";
import { emitCopy, emitTemporary } from "../declarations/host-calls.ts";
import { typeOfName } from "../declarations/name-resolution.ts";
import { checkCapture } from "../facts/captures.ts";
import { type Context, isOpenCL, placeOf } from "../facts/context.ts";
import { typeOfExpression, type Value } from "../facts/evaluator.ts";
import { isOpenWrite } from "../templates/type-dependence.ts";
import { isSameType } from "../types/compatible.ts";
import { commonPointer } from "../types/conversion-rules.ts";
import { isArithmetic, isMoreQualified } from "../types/predicates.ts";
import type { RecordSymbol } from "../types/symbols.ts";
import { addQualifiers, arithmetic, isInteger, isOpaqueToUs, pointerTo, printType, type Type, unqualifiedType } from "../types/types.ts";
import { checkClassAssignment, checkClassOperator } from "./class-objects.ts";
import {
  addressOfMember,
  applyOperator,
  asPointer,
  checkOperandOfConst,
  keepsObject,
  mayOverloadAddress,
  refusesConst,
  selectMember,
} from "./class-operators.ts";
import { constantInteger } from "./constant-expressions.ts";
import { evaluate, evaluateListPart, evaluateRead } from "./expressions.ts";
import { accessHalf } from "./floating-point.ts";
import { emitConstruction } from "./implicit-conversion.ts";
import { convertInto } from "./initializers.ts";
import { runtimePart } from "./non-constant-parts.ts";
import { checkBranch, checkConditionOf, checkOperator } from "./opaque-types.ts";
import { asSubscript } from "./postfix-expressions.ts";
import {
  access,
  arithmeticResult,
  comparisonResult,
  decayed,
  extendPath,
  lvalue,
  pointeePath,
  promoted,
  read,
  rvalue,
  unknownValue,
} from "./values.ts";

/** A unary operator (C11 §6.5.3). */
export function evaluateUnary(context: Context, e: Extract<Expression, { kind: "unary" }>): Value {
  if (e.operator === "&&") return unknownValue;
  const same = e.operator === "*" ? (addressee(e.operand) ?? asSubscript(context, e)) : undefined;
  if (same !== undefined) {
    const object = evaluate(context, same);
    // A block cannot even be written.
    if (object.path?.root !== undefined && object.path.steps.length === 0)
      checkCapture(context, object.path.root, true, placeOf(context, e.operand.span));
    return object;
  }
  const requalified = e.operator === "*" ? castAddressee(context, e.operand) : undefined;
  if (requalified !== undefined) return lvalue(requalified.pointee, evaluate(context, requalified.object).path);
  const operand = evaluate(context, e.operand);
  checkOperator(context, e.operator, [operand], placeOf(context, e.span));
  if (e.operator !== "&") checkClassOperator(context, e.operator, e.operand);
  const applied = e.operator === "&" ? undefined : { operator: e.operator, object: operand, operands: [], span: e.operand.span };
  const result = applied === undefined ? undefined : applyOperator(context, applied);
  if (applied !== undefined) checkOperandOfConst(context, applied);
  if (e.operator === "&") {
    const member = addressOfMember(e.operand, operand);
    if (member !== undefined) return member;
    const variable = operand.path?.steps.length === 0 ? operand.path.root : undefined;
    if (variable !== undefined && checkCapture(context, variable, true, placeOf(context, e.span))) return unknownValue;
    access(context, operand, "address", e.operand);
    if (operand.type.kind === "record" && mayOverloadAddress(operand.type.record)) return unknownValue;
    return isOpaqueToUs(operand.type) && operand.type.qualifiers.space === undefined
      ? unknownValue
      : { type: pointerTo(operand.type), isLvalue: false, path: extendPath(operand.path, { kind: "address" }) };
  }
  if (e.operator === "*") return result ?? dereference(context, asPointer(context, operand), e.operand);
  emitTemporary(context, operand, e.operand);
  if (result !== undefined) return result;
  const value = read(context, operand, e.operand).type;
  if (e.operator === "+" && value.kind === "pointer") return rvalue(value);
  if (e.operator === "!")
    return rvalue(value.kind === "vector" ? comparisonResult(value, value, false) : arithmetic(context.dialect.cplusplus ? "bool" : "int"));
  return value.kind === "arithmetic" || value.kind === "vector" || value.kind === "enum" ? rvalue(promoted(value)) : unknownValue;
}

/** The object of `*&x`, which is x. Its address is not needed (C11 §6.5.3.2p3). */
export function addressee(e: Expression): Expression | undefined {
  if (e.kind === "parenthesized") return addressee(e.inner);
  return e.kind === "unary" && e.operator === "&" ? e.operand : undefined;
}

/** The object of `*(const T *)&x`, which is also x if x is a T: only the qualifiers differ. */
function castAddressee(context: Context, e: Expression): { readonly object: Expression; readonly pointee: Type } | undefined {
  if (e.kind === "parenthesized") return castAddressee(context, e.inner);
  if ((e.kind !== "cast" && e.kind !== "named-cast") || context.dialect.language !== "cuda") return undefined;
  const object = addressee(e.operand);
  const quiet = { ...context, isEmitting: false };
  const type = object === undefined ? undefined : typeOfTypeId(quiet, e.type);
  if (object === undefined || type?.kind !== "pointer") return undefined;
  const { type: own, path } = evaluate(quiet, object);
  // An unknown pointee may be that type.
  const isSame = isOpaqueToUs(type.pointee) || (isSameType(own, type.pointee) === true && type.pointee.qualifiers.const);
  return isSame && own.kind === "arithmetic" && path?.root?.scope === "program" ? { object, pointee: type.pointee } : undefined;
}

/** The object that a pointer points to. */
export function dereference(context: Context, operand: Value, expression: Expression): Value {
  if (operand.type.kind === "array") return lvalue(operand.type.element, operand.path);
  const value = read(context, operand, expression);
  if (value.type.kind !== "pointer") return unknownValue;
  if (value.type.pointee.kind === "function") return value;
  return lvalue(value.type.pointee, pointeePath(value.path));
}

const comparisons = new Set(["==", "!=", "<", ">", "<=", ">="]);

/**
 * Evaluates a binary operator, or what it means instead: `(N) - x` is a cast if N is a type, and `a.f<3>(x)` is a call if f is a
 * template.
 */
export function evaluateBinaryOrCast(context: Context, e: Extract<Expression, { kind: "binary" }>): Value {
  const call = context.dialect.cplusplus ? asMemberCall(e) : undefined;
  if (call !== undefined && e.left.kind === "binary") {
    const { functions = [] } = evaluate({ ...context, isEmitting: false }, e.left.left);
    if (functions.some(({ isTemplate }) => isTemplate)) return evaluate(context, call);
  }
  const name = castNameOf(e);
  const cast = name === undefined || typeOfName(context, name) === undefined ? undefined : asCast(e);
  return cast === undefined ? evaluateBinary(context, e) : evaluate(context, cast);
}

function evaluateBinary(context: Context, e: Extract<Expression, { kind: "binary" }>): Value {
  const object = evaluate(context, e.left);
  const left = read(context, object, e.left);
  if (e.operator === "&&" || e.operator === "||") leaveUndecided(context, e.left, e.right);
  const within = isShortCircuit(context, e) ? { ...context, isEmitting: false } : context;
  const operand = evaluate(within, e.right);
  const right = read(within, operand, e.right);
  emitTemporary(context, object, e.left);
  emitTemporary(within, operand, e.right);
  const between = { start: e.left.span.end, end: e.right.span.start };
  checkOperator(context, e.operator, [left, right], placeOf(context, operatorSpan(context, e.operator, between)));
  if (left.type.kind === "record") checkClassOperator(context, e.operator, e.left, { operand: e.right });
  const applied = { operator: e.operator, object, operands: [right], span: e.left.span };
  const result = applyOperator(context, applied);
  checkOperandOfConst(context, applied);
  if (result !== undefined) return result;
  if (comparisons.has(e.operator)) {
    emitOperands(context, e.operator, left, right, e, between);
    comparePointerSizes(context, e);
    return isOverloadable(left.type) || isOverloadable(right.type)
      ? unknownValue
      : rvalue(comparisonResult(left.type, right.type, context.dialect.cplusplus));
  }
  if (e.operator === "&&" || e.operator === "||") return rvalue(comparisonResult(left.type, right.type, context.dialect.cplusplus));
  if (e.operator === ".*" || e.operator === "->*") return selectMember(context, e, object, right.type);
  if (e.operator === "<=>") return unknownValue;
  const [leftPointer, rightPointer] = [left, right].map(({ type }) => type.kind === "pointer");
  if (leftPointer && rightPointer) {
    if (e.operator !== "-") return unknownValue;
    emitOperands(context, "-", left, right, e, between);
    return rvalue(arithmetic("long"));
  }
  if (leftPointer && (e.operator === "+" || e.operator === "-"))
    return isInteger(right.type) || right.type.kind === "unknown" ? pointerSum(left) : unknownValue;
  if (rightPointer && e.operator === "+") return isInteger(left.type) || left.type.kind === "unknown" ? pointerSum(right) : unknownValue;
  if (e.operator === "<<" || e.operator === ">>") return isOverloadable(left.type) ? unknownValue : rvalue(promoted(left.type));
  return rvalue(arithmeticResult(left.type, right.type));
}

/** True if the right operand is certainly not evaluated: `false && x`. */
function isShortCircuit(context: Context, e: Extract<Expression, { kind: "binary" }>): boolean {
  if (!context.dialect.cplusplus || (e.operator !== "&&" && e.operator !== "||")) return false;
  const value = constantInteger(context, e.left);
  return value !== undefined && (value === 0n) === (e.operator === "&&");
}

/**
 * Records an operand that may be discarded, because the compiler may be able to evaluate the condition before it although this tool
 * cannot.
 */
function leaveUndecided(context: Context, condition: Expression, branch: Expression): void {
  if (!context.isEmitting || context.dialect.language !== "cuda" || !callsFunction(condition)) return;
  if (runtimePart(context, { kind: "value", value: condition, span: condition.span }) === undefined)
    context.program.facts.undecided.push(placeOf(context, branch.span));
}

function callsFunction(e: Expression): boolean {
  if (e.kind === "parenthesized") return callsFunction(e.inner);
  if (e.kind === "unary") return callsFunction(e.operand);
  if (e.kind === "binary") return callsFunction(e.left) || callsFunction(e.right);
  return e.kind === "call";
}

/** Records a comparison like `sizeof(global int *) == sizeof(local int *)`. */
function comparePointerSizes(context: Context, e: Extract<Expression, { kind: "binary" }>): void {
  if (!context.isEmitting || !isOpenCL(context)) return;
  const [left, right] = [measuredSpace(context, e.left), measuredSpace(context, e.right)];
  if (left === undefined || right === undefined || left === right) return;
  context.program.facts.spaces.push({ kind: "pointer-sizes", left, right, place: placeOf(context, e.span) });
}

function measuredSpace(context: Context, e: Expression): AddressSpace | undefined {
  if (e.kind === "parenthesized") return measuredSpace(context, e.inner);
  if (e.kind !== "sizeof") return undefined;
  const type =
    e.operand.kind === "type-id" ? typeOfTypeId({ ...context, isEmitting: false }, e.operand) : typeOfExpression(context, e.operand);
  return type.kind === "pointer" ? type.pointee.qualifiers.space : undefined;
}

function isOverloadable(type: Type): boolean {
  return type.kind === "record" || isOpaqueToUs(type);
}

/** The value of `p + i`, which points into the same object as `p`. */
function pointerSum(pointer: Value): Value {
  return { type: pointer.type, isLvalue: false, path: pointer.path };
}

function emitOperands(
  context: Context,
  operator: string,
  left: Value,
  right: Value,
  whole: Expression,
  between: { start: number; end: number },
): void {
  if (!context.isEmitting || left.type.kind !== "pointer" || right.type.kind !== "pointer") return;
  if (left.isNull === true || right.isNull === true) return;
  context.program.facts.operands.push({
    operator,
    left: left.type,
    right: right.type,
    place: placeOf(context, whole.span),
    operatorPlace: placeOf(context, operatorSpan(context, operator, between)),
  });
}

/** The place of the operator between its operands. */
export function operatorSpan(context: Context, operator: string, between: { start: number; end: number }): { start: number; end: number } {
  const symbol = operator === "?:" ? "?" : operator;
  const at = context.unit.view.text.indexOf(symbol, between.start);
  return at >= 0 && at < between.end ? { start: at, end: at + symbol.length } : between;
}

/** An assignment, simple or compound (C11 §6.5.16). */
export function evaluateAssignment(context: Context, e: Extract<Expression, { kind: "assignment" }>): Value {
  const left = evaluate(context, e.left);
  accessHalf(context, left.type, left.path, "store", e.left.span);
  const applied = { operator: e.operator, object: left, operands: [undefined], span: e.left.span };
  const isRefused = refusesConst(context, applied);
  const written = isRefused ? { ...left, isRefused } : left;
  const isKept = keepsObject(context, applied);
  if ((isKept || left.type.qualifiers.space !== "constant") && e.operator !== "=")
    checkClassOperator(context, e.operator, e.left, { operand: e.right });
  const mode = isKept ? "read" : e.operator === "=" ? "write" : "read-write";
  const isOpen = isOpenWrite(context, left, [e.left, e.right]);
  access(context, written, mode, e.left, false, { operator: e.operator, value: e.right, ...(isOpen ? { isOpen } : {}) });
  if (e.operator === "=") {
    // `operator=` takes its operand by reference.
    if (left.type.kind === "record" && context.dialect.cplusplus && e.right.kind !== "list") {
      const right = evaluate(context, e.right);
      checkClassAssignment(context, left, right, e.left, e.right);
      emitConstruction(context, right, left.type, { context: "assign", operand: e.right, target: undefined });
      bindAssigned(context, right, e.right, hasAssignment(left.type.record), takesReferences(left.type.record));
    } else convertInto(context, e.right, left.type, left.path?.steps.length === 0 ? left.path.root : undefined, "assign");
  } else {
    const right = evaluateRead(context, e.right);
    const between = { start: e.left.span.end, end: e.right.span.start };
    checkOperator(context, e.operator, [left, right], placeOf(context, operatorSpan(context, e.operator, between)));
    if (!left.type.qualifiers.const) applyOperator(context, { ...applied, operands: [right] });
  }
  return context.dialect.cplusplus ? left : rvalue(left.type);
}

/** True if the class has an `operator=` with an unclear parameter. */
function hasAssignment(record: RecordSymbol): boolean {
  return record.isIncomplete || (record.functions.some(({ name }) => name === "operator=") && !takesReferences(record));
}

/** True if every `operator=` is user-provided and takes a reference to such an object. */
function takesReferences(record: RecordSymbol): boolean {
  const own = record.functions.filter(({ name }) => name === "operator=");
  return (
    !record.isIncomplete &&
    own.length > 0 &&
    own.every(({ isTemplate, type, declarations }) => {
      const [only] = type.parameters;
      return (
        !isTemplate &&
        only?.kind === "reference" &&
        only.referent.kind === "record" &&
        only.referent.record === record &&
        declarations.every(({ special }) => special === undefined)
      );
    })
  );
}

/**
 * Binds the operand of an implicit `operator=`. The operator copies the value of a constant, and takes a reference to everything
 * else.
 */
function bindAssigned(context: Context, value: Value, expression: Expression, isUncertain: boolean, isBound: boolean): void {
  for (const branch of value.branches ?? []) bindAssigned(context, branch.value, branch.expression, isUncertain, isBound);
  const { root, steps } = value.path ?? { root: undefined, steps: [] };
  // nvcc folds a member of a const variable, though not the variable itself.
  const isConstant =
    (hasWord(root?.words ?? [], "constexpr") || (root?.type.qualifiers.const === true && steps.length > 0)) &&
    steps.every(({ kind }) => kind === "member");
  access(
    context,
    value.branches === undefined ? value : { ...value, branches: [] },
    isConstant && !isUncertain && !isBound ? "read" : "bind",
    expression,
    isUncertain,
  );
}

/** `c ? a : b` (C11 §6.5.15). */
export function evaluateConditional(context: Context, e: Extract<Expression, { kind: "conditional" }>): Value {
  const condition = evaluateRead(context, e.condition);
  checkConditionOf(context, condition, e.condition);
  const known = context.dialect.cplusplus ? constantInteger(context, e.condition) : undefined;
  const unused = { ...context, isEmitting: false };
  if (known === undefined)
    for (const branch of [e.then, e.otherwise]) if (branch !== undefined) leaveUndecided(context, e.condition, branch);
  const then = e.then === undefined ? condition : evaluateBranch(known === 0n ? unused : context, e.then);
  const otherwise = evaluateBranch(known !== undefined && known !== 0n ? unused : context, e.otherwise);
  if (
    context.dialect.cplusplus &&
    e.then !== undefined &&
    then.isLvalue &&
    otherwise.isLvalue &&
    then.type.kind !== "unknown" &&
    printType(unqualifiedType(then.type)) === printType(unqualifiedType(otherwise.type)) &&
    isMoreQualified(then.type.qualifiers, otherwise.type.qualifiers)
  ) {
    // Two objects of one type make an lvalue, between which the condition chooses (C++17 §8.16p4).
    return {
      type: addQualifiers(then.type, { const: otherwise.type.qualifiers.const, volatile: otherwise.type.qualifiers.volatile }),
      isLvalue: true,
      ...(then.isExpiring === true ? { isExpiring: true } : {}),
      branches: [
        { value: then, expression: e.then },
        { value: otherwise, expression: e.otherwise },
      ],
    };
  }
  if (e.then !== undefined) useBranch(known === 0n ? unused : context, then, e.then);
  useBranch(known !== undefined && known !== 0n ? unused : context, otherwise, e.otherwise);
  const left = decayed(then);
  const right = decayed(otherwise);
  const between = { start: e.condition.span.end, end: (e.then ?? e.otherwise).span.start };
  checkOperator(context, "?:", [left, right], placeOf(context, operatorSpan(context, "?:", between)));
  for (const branch of [e.then, e.otherwise])
    if (branch?.kind === "call") checkBranch(context, typeOfExpression(context, branch.function), placeOf(context, branch.span));
  if (left.type.kind === "pointer" && right.type.kind === "pointer") {
    emitOperands(context, "?:", left, right, e, between);
    if (left.isNull === true) return rvalue(right.type);
    if (right.isNull === true) return rvalue(left.type);
    const common = commonPointer(left.type, right.type, context.dialect);
    const alternatives = [then, otherwise].map(({ type, path }) => ({ type, path }));
    return common.type === undefined ? unknownValue : { ...rvalue(common.type), alternatives };
  }
  if (left.type.kind === "pointer" && right.isNull === true) return rvalue(left.type);
  if (right.type.kind === "pointer" && left.isNull === true) return rvalue(right.type);
  if (left.type.kind === "record" && right.type.kind === "record" && left.type.record === right.type.record) {
    // An object is copied into the result (C++17 §8.16p6).
    if (e.then !== undefined && known !== 0n) emitCopy(context, then, e.then.span, { isOverlooked: true });
    if (known === undefined || known === 0n) emitCopy(context, otherwise, e.otherwise.span, { isOverlooked: true });
    return rvalue(left.type);
  }
  if (left.type.kind === "vector" || right.type.kind === "vector" || (isArithmetic(left.type) && isArithmetic(right.type)))
    return rvalue(arithmeticResult(left.type, right.type));
  return unknownValue;
}

function evaluateBranch(context: Context, expression: Expression): Value {
  if (expression.kind === "list") {
    evaluateListPart(context, expression);
    return unknownValue;
  }
  return evaluate(context, expression);
}

function useBranch(context: Context, value: Value, expression: Expression): void {
  access(context, value, value.type.kind === "array" ? "address" : "read", expression);
}
