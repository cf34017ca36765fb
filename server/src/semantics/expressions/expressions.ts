/**
 * Evaluates every expression: its type, the object that it designates, and facts about its effects. `evaluate` records what happens
 * inside of an expression; its caller records the use of the result (read, written, address taken). Each kind has a file of its
 * own: `primary-expressions.ts`, `operators.ts`, `postfix-expressions.ts`, `cast-expressions.ts`, `calls.ts`.
 */
import { spend } from "../../budget.ts";
import type { Expression, TypeId } from "../../syntax/ast.ts";
import { isStore } from "../../syntax/walk.ts";
import { excludeFeature, missFeature } from "../declarations/access-qualifiers.ts";
import { emitTypeWords, emitWords } from "../declarations/binder.ts";
import { typeOfTypeId } from "../declarations/declarators.ts";
import { emitTemporary } from "../declarations/host-calls.ts";
import { walkStatement } from "../declarations/statements.ts";
import { type Context, enterBlock, isOpenCL, placeOf } from "../facts/context.ts";
import type { Value } from "../facts/evaluator.ts";
import { arithmetic, unknownType, unqualified, unqualifiedType } from "../types/types.ts";
import { evaluateCall } from "./calls.ts";
import { evaluateCast, evaluateCompoundLiteral, evaluateNamedCast } from "./cast-expressions.ts";
import { checkClassOperator } from "./class-objects.ts";
import { applyOperator, keepsObject, refusesConst } from "./class-operators.ts";
import { checkDelete, evaluateConstruct, evaluateNew } from "./constructions.ts";
import { checkDoubleLiterals, isHalf, useHalf } from "./floating-point.ts";
import { evaluateLambda, walkLambda } from "./lambdas.ts";
import { checkOperator } from "./opaque-types.ts";
import { evaluateAssignment, evaluateBinaryOrCast, evaluateConditional, evaluateUnary, operatorSpan } from "./operators.ts";
import { evaluateMember, evaluateSubscript } from "./postfix-expressions.ts";
import { evaluateCalledName, evaluateName, evaluateThis, typeOfString } from "./primary-expressions.ts";
import { access, isZero, lvalue, read, rvalue, typeOfNumber, unknownValue } from "./values.ts";

/** The value of an expression; records facts about what happens inside of it. Unknown parts make the value unknown. */
export function evaluate(context: Context, expression: Expression): Value {
  if (!spend()) return unknownValue;
  return counted(context, evaluateKind(context, expression));
}

/** Counts the value for the statistics, and returns it. */
export function counted(context: Context, value: Value): Value {
  if (context.isEmitting) {
    context.program.counts.expressions += 1;
    // The name of an overloaded function has no type until the call chooses one.
    if (value.type.kind === "unknown" && value.functions === undefined) context.program.counts.unknown += 1;
  }
  return value;
}

/** Evaluates an expression for its value. */
export function evaluateRead(context: Context, expression: Expression): Value {
  return read(context, evaluate(context, expression), expression);
}

function evaluateKind(context: Context, e: Expression): Value {
  switch (e.kind) {
    case "name":
      return evaluateName(context, e);
    case "number":
      if (isHalf(typeOfNumber(e.text, context.dialect))) useHalf(context, "literal", e.span);
      return { type: typeOfNumber(e.text, context.dialect), isLvalue: false, isNull: isZero(e.text) };
    case "character":
      return rvalue(arithmetic(context.dialect.cplusplus ? "char" : "int"));
    case "string":
      return lvalue(typeOfString(context, e.text), undefined);
    case "boolean":
      return rvalue(arithmetic("bool"));
    case "nullptr":
      return { type: { kind: "nullptr", qualifiers: unqualified }, isLvalue: false, isNull: true };
    case "this":
      return evaluateThis(context);
    case "parenthesized":
      return evaluate(context, e.inner);
    case "unary":
      return evaluateUnary(context, e);
    case "update": {
      const operand = evaluate(context, e.operand);
      checkOperator(context, e.operator, [operand], placeOf(context, e.span));
      const applied = { operator: e.operator, object: operand, operands: [], span: e.operand.span };
      const isRefused = refusesConst(context, applied);
      const isKept = keepsObject(context, applied);
      if (isKept || operand.type.qualifiers.space !== "constant")
        checkClassOperator(context, e.operator, e.operand, { count: e.isPrefix ? 0 : 1 });
      access(context, isRefused ? { ...operand, isRefused } : operand, isKept ? "read" : "read-write", e.operand);
      const operands = e.isPrefix ? [] : [rvalue(arithmetic("int"))];
      if (!operand.type.qualifiers.const) applyOperator(context, { ...applied, operands });
      return e.isPrefix && context.dialect.cplusplus ? operand : rvalue(operand.type);
    }
    case "binary":
      checkDoubleLiterals(context, e.operator, e.left, e.right);
      return evaluateBinaryOrCast(context, e);
    case "assignment":
      checkDoubleLiterals(context, e.operator, e.left, e.right);
      return evaluateAssignment(context, e);
    case "conditional":
      return evaluateConditional(context, e);
    case "comma": {
      const left = evaluate(context, e.left);
      discard(context, left, e.left);
      const right = context.dialect.cplusplus ? evaluate(context, e.right) : evaluateRead(context, e.right);
      checkOperator(
        context,
        ",",
        [left, right],
        placeOf(context, operatorSpan(context, ",", { start: e.left.span.end, end: e.right.span.start })),
      );
      return right;
    }
    case "call":
      return evaluateCall(context, e);
    case "subscript":
      return evaluateSubscript(context, e);
    case "member":
      return evaluateMember(context, e);
    case "cast":
      return evaluateCast(context, e);
    case "named-cast":
      return evaluateNamedCast(context, e);
    case "bit-cast":
      evaluateRead(context, e.operand);
      return rvalue(unqualifiedType(typeOfTypeId(context, e.type)));
    case "compound-literal":
      return evaluateCompoundLiteral(context, e);
    case "construct":
      return evaluateConstruct(context, typeOfTypeId(context, e.type), e.arguments, e);
    case "list":
      // The object that the list initializes, such as a parameter, is not known here: it may be an aggregate.
      for (const { value } of e.elements) evaluateListPart({ ...context, isMember: true }, value);
      return unknownValue;
    case "sizeof":
    case "alignof":
    case "typeid":
      if (e.kind === "typeid") excludeFeature(context, "typeid", e.span);
      measure(context, e.operand);
      return rvalue(e.kind === "typeid" ? unknownType : arithmetic("unsigned long"));
    case "new": {
      for (const part of e.placement) evaluateListPart(context, part);
      emitTypeWords(context, e.type, "new");
      emitWords(
        context,
        e.words.map(({ text, span }) => ({ text, place: placeOf(context, span) })),
        { on: "new" },
      );
      return evaluateNew(context, e);
    }
    case "delete":
      checkDelete(context, evaluateRead(context, e.operand).type, e.span);
      return rvalue({ kind: "void", qualifiers: unqualified });
    case "lambda":
      return evaluateLambda(context, e);
    case "block-literal": {
      const { type } = walkLambda(context, e);
      if (missFeature(context, "block", { start: e.span.start, end: e.span.start + 1 })) return unknownValue;
      return rvalue({ kind: "block", function: type, qualifiers: unqualified });
    }
    case "statement-expression": {
      const inner = enterBlock(context);
      const last = e.body.statements[e.body.statements.length - 1];
      for (const statement of e.body.statements) if (statement !== last || last.kind !== "expression") walkStatement(inner, statement);
      return last?.kind === "expression" ? evaluateRead(inner, last.expression) : unknownValue;
    }
    case "pack-expansion":
      evaluate(context, e.pattern);
      return unknownValue;
    case "fold":
    case "unknown":
      // The function may be called in a way that could not be read.
      for (const operand of e.operands) {
        if (operand.kind === "name") read(context, evaluateCalledName(context, operand), operand);
        else evaluateListPart(context, operand);
      }
      return unknownValue;
    case "noexcept":
    case "requires":
      // The operands are not evaluated (C++17 §8.3.7p1, C++20 §7.5.7p2).
      for (const operand of e.operands) evaluateListPart({ ...context, isEmitting: false }, operand);
      return rvalue(arithmetic("bool"));
    case "throw":
    case "await":
      if (e.kind === "throw") excludeFeature(context, "throw", e.span);
      if (e.operand !== undefined) evaluateRead(context, e.operand);
      return unknownValue;
  }
}

/** Discards a value: an array does not decay, and the result of an assignment is not read (C++17 §8.2.11). */
export function discard(context: Context, value: Value, expression: Expression): void {
  if (isStore(expression)) return;
  emitTemporary(context, value, expression);
  if (value.type.kind === "array") access(context, value, "read", expression);
  else read(context, value, expression);
}

/**
 * Evaluates the operand of `sizeof` or the like. OpenCL's conversions are checked in unevaluated operands as well; in CUDA nothing
 * is.
 */
function measure(context: Context, operand: Expression | TypeId): void {
  const inner = isOpenCL(context) ? { ...context, isUnevaluated: true } : { ...context, isEmitting: false };
  if (operand.kind === "type-id") emitTypeWords(context, operand, "type");
  if (operand.kind === "type-id") typeOfTypeId(inner, operand);
  else evaluate(inner, operand);
}

/** Evaluates an expression, or every expression of a braced list. */
export function evaluateListPart(context: Context, expression: Expression): Value {
  if (expression.kind !== "list") return evaluateRead(context, expression);
  for (const { value } of expression.elements) evaluateListPart(context, value);
  return unknownValue;
}
