/** Walks statements: opens scopes, binds local declarations, evaluates expressions, and checks the operand of `return`. */
import { spend } from "../../budget.ts";
import type { Steps } from "../../steps.ts";
import type { BlockStatement, DeclarationItem, Expression, Statement } from "../../syntax/ast.ts";
import { asDeclaration } from "../../syntax/lowering/array-pointers.ts";
import { isStore } from "../../syntax/walk.ts";
import { constantInteger } from "../expressions/constant-expressions.ts";
import { checkConditionOf } from "../expressions/opaque-types.ts";
import { access, read, unknownValue } from "../expressions/values.ts";
import { type Context, enterBlock, placeOf, textOf } from "../facts/context.ts";
import { evaluate, type Value } from "../facts/evaluator.ts";
import { walkOnce } from "../facts/recorded-walks.ts";
import { emitReturned, endBody, returnedVariable, startBody } from "../facts/result-objects.ts";
import { createScope } from "../symbols/scope.ts";
import { type Type, unqualifiedType } from "../types/types.ts";
import { excludeFeature } from "./access-qualifiers.ts";
import { bindItem } from "./binder.ts";
import { emitCallsIn, emitConversionCall, emitTemporary } from "./host-calls.ts";
import { namesType, resolveName, typeOfName } from "./name-resolution.ts";

/** Walks a function's body, whose outermost block has depth 0. */
export function walkBody(context: Context, body: BlockStatement): void {
  const inner = { ...context, scope: createScope("block", context.scope) };
  const start = startBody(inner);
  for (const statement of body.statements) walkStatement(inner, statement);
  endBody(inner, start);
}

/** How many statements are walked in one step. */
const statementsInStep = 16;

/** Like `walkBody`, in steps. */
export function* walkBodyInSteps(context: Context, body: BlockStatement): Steps<void> {
  const start = startBody(context);
  yield* walkInSteps({ ...context, scope: createScope("block", context.scope) }, body.statements);
  endBody(context, start);
}

function* walkInSteps(context: Context, statements: readonly Statement[]): Steps<void> {
  for (const [index, statement] of statements.entries()) {
    if (statement.kind !== "block") walkStatement(context, statement);
    else if (spend()) yield* walkInSteps(enterBlock(context), statement.statements);
    if (index % statementsInStep === 0) yield;
  }
}

/** Binds, evaluates and records a statement and its parts, in order. */
export function walkStatement(context: Context, statement: Statement): void {
  if (!spend()) return;
  if (isSimple(statement)) walkOnce(context, statement, () => walkParts(context, statement));
  else walkParts(context, statement);
}

/** True for a statement that contains no other statements, except in bodies inside of its expressions. */
function isSimple({ kind }: Statement): boolean {
  return kind === "item" || kind === "expression" || kind === "return" || kind === "asm";
}

function walkParts(context: Context, statement: Statement): void {
  switch (statement.kind) {
    case "block":
      return walkAll(enterBlock(context), statement.statements);
    case "item":
      if (!isReallyExpression(context, statement.item)) bindItem(context, statement.item, "primary");
      return;
    case "expression": {
      const declaration = asDeclaration(statement.expression);
      if (declaration !== undefined && namesType(context, declaration.specifiers)) return bindItem(context, declaration, "primary");
      emitTemporary(context, evaluateStatement(context, statement.expression), statement.expression);
      return;
    }
    case "if":
      return walkIf(enterBlock(context), statement);
    case "for": {
      const inner = enterBlock(context);
      if (statement.initializer !== undefined) walkStatement(inner, statement.initializer);
      if (statement.condition !== undefined) walkCondition(inner, statement.condition);
      const { update } = statement;
      if (update !== undefined) walkOnce(inner, update, () => emitTemporary(inner, evaluate(inner, update), update));
      return walkStatement(inner, statement.body);
    }
    case "range-for": {
      const inner = enterBlock(context);
      bindItem(inner, elementOf(inner, statement), "primary");
      return walkStatement(inner, statement.body);
    }
    case "while":
    case "do":
    case "switch": {
      const inner = enterBlock(context);
      walkCondition(inner, statement.condition, statement.kind === "switch" ? "operand" : "condition");
      return walkStatement(inner, statement.body);
    }
    case "labeled": {
      const { value } = statement;
      if (value !== undefined) walkOnce(context, value, () => void evaluate(context, value));
      return walkAll(context, statement.body);
    }
    case "return":
      return walkReturn(context, statement.value);
    case "try":
      excludeFeature(context, "try", statement.span);
      walkStatement(context, statement.body);
      return walkAll(context, statement.handlers);
    case "asm":
      return walkAssembly(context, statement);
    case "unknown":
      emitReturned(context, "unknown");
      return walkAll(context, statement.statements);
    case "jump":
    case "empty":
      return;
  }
}

function walkAssembly(context: Context, { outputs, inputs, span }: Extract<Statement, { kind: "asm" }>): void {
  const operandOf = (expression: Expression, value: Value) => {
    return { expression, type: value.type, path: value.path, place: placeOf(context, expression.span) };
  };
  const operands = [
    ...outputs.map((output) => {
      const value = evaluate(context, output);
      access(context, value, "read-write", output);
      return operandOf(output, value);
    }),
    ...inputs.map((input) => {
      const value = evaluate(context, input);
      read(context, value, input);
      return operandOf(input, value);
    }),
  ];
  if (!context.isEmitting || context.dialect.language !== "cuda" || operands.length === 0) return;
  const { within, lambda } = context;
  context.program.facts.assembly.push({
    text: instructionsIn(textOf(placeOf(context, span))),
    operands,
    within,
    ...(lambda === undefined ? {} : { lambda }),
  });
}

/** The text of the literals before the first colon of an `asm` statement. */
function instructionsIn(statement: string): string {
  const [head] = /^(?:[^":]|"(?:[^"\\]|\\.)*")*/.exec(statement) ?? [""];
  return [...head.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text = ""]) => text.replace(/\\[nt]/g, " ")).join("");
}

/**
 * What the declaration of a range-based for loop is initialized with (C++17 §9.5.4): an element of an array, or `*range.begin()` of
 * a class that has that member. Nothing is known about other ranges.
 */
function elementOf(context: Context, { declaration, range }: Extract<Statement, { kind: "range-for" }>): DeclarationItem {
  const isPlain = isRepeatable(range);
  const value = evaluate(isPlain ? { ...context, isEmitting: false } : context, range);
  const [only] = declaration.declarators;
  if (isPlain && only !== undefined && hasBegin(value.type))
    return { ...declaration, declarators: [{ ...only, initializer: { kind: "value", span: range.span, value: firstOf(range) } }] };
  if (!isPlain || value.type.kind !== "array" || only === undefined) {
    access(context, isPlain ? evaluate(context, range) : value, "bind", range);
    // The loop variable is initialized even if the range is unknown.
    const element: Expression = { kind: "unknown", span: range.span, operands: [] };
    return only === undefined
      ? declaration
      : { ...declaration, declarators: [{ ...only, initializer: { kind: "value", span: range.span, value: element } }] };
  }
  const { span } = range;
  const element: Expression = { kind: "subscript", span, object: range, indices: [{ kind: "unknown", span, operands: [] }] };
  return { ...declaration, declarators: [{ ...only, initializer: { kind: "value", span, value: element } }] };
}

/** True for an expression whose type may be determined before its effects are recorded: it contains no function body and no call. */
function isRepeatable(range: Expression): boolean {
  switch (range.kind) {
    case "name":
    case "member":
    case "this":
      return true;
    case "parenthesized":
      return isRepeatable(range.inner);
    case "unary":
    case "cast":
    case "named-cast":
      return isRepeatable(range.operand);
    case "subscript":
      return isRepeatable(range.object);
    default:
      return false;
  }
}

/** True for a class that has a member `begin`, itself or from a base, and whose members are all known. */
function hasBegin(type: Type, depth = 0): boolean {
  if (type.kind !== "record" || type.record.isIncomplete || depth > 20) return false;
  const { functions, bases } = type.record;
  return functions.some(({ name }) => name === "begin") || bases.some((base) => hasBegin(base, depth + 1));
}

/** `*range.begin()`, at the place of the range. */
function firstOf(range: Expression): Expression {
  const { span } = range;
  const name = { span, parts: [{ span, text: "begin" }], isGlobal: false };
  const begin: Expression = { kind: "member", span, object: range, isArrow: false, name };
  const call: Expression = { kind: "call", span, function: begin, arguments: [] };
  return { kind: "unary", span, operator: "*", operand: call };
}

function evaluateStatement(context: Context, expression: Expression): Value {
  const value = evaluate(context, expression);
  if (value !== unknownValue && value.isLvalue && !isStore(expression)) access(context, value, "read", expression);
  return value;
}

function walkCondition(context: Context, condition: Statement, wanted: "condition" | "operand" = "condition"): void {
  if (condition.kind === "expression") {
    const { expression } = condition;
    walkOnce(context, condition, () => checkConditionOf(context, evaluateStatement(context, expression), expression, wanted));
  } else walkStatement(context, condition);
}

function walkAll(context: Context, statements: readonly Statement[]): void {
  for (const statement of statements) walkStatement(context, statement);
}

/** A discarded branch of `if constexpr` is not compiled (C++17 §9.4.1p2). */
function walkIf(context: Context, statement: Extract<Statement, { kind: "if" }>): void {
  if (statement.initializer !== undefined) walkStatement(context, statement.initializer);
  // The condition of `if constexpr` is evaluated at compile time.
  if (statement.condition !== undefined)
    walkCondition(statement.isConstexpr ? { ...context, isEmitting: false } : context, statement.condition);
  const condition = statement.condition;
  const tested = statement.isConstexpr && condition?.kind === "expression" ? condition.expression : undefined;
  if (tested !== undefined) emitCallsIn(context, tested);
  const value = constantInteger(context, tested);
  // An instantiation may discard a branch that would be invalid, so neither is walked while it is unknown which one is discarded.
  if (statement.isConstexpr && value === undefined && context.isInstance === true) return emitReturned(context, "unknown");
  if (statement.isConstexpr && value === undefined && context.isEmitting) {
    for (const branch of [statement.then, statement.otherwise])
      if (branch !== undefined) context.program.facts.undecided.push(placeOf(context, branch.span));
  }
  const inner: Context = statement.isConstexpr && context.isTemplate ? { ...context, mayBeDiscarded: true } : context;
  if (value !== 0n) walkStatement(inner, statement.then);
  if (statement.otherwise !== undefined && (value === undefined || value === 0n)) walkStatement(inner, statement.otherwise);
}

function walkReturn(context: Context, value: Extract<Statement, { kind: "return" }>["value"]): void {
  // C cannot return a list (C11 §6.8.6.4): `return {{value}};` is a placeholder in a template that a host fills in.
  if (value === undefined || (value.kind === "list" && context.dialect.language === "opencl" && !context.dialect.cplusplus)) return;
  const { resultType } = context;
  const target = context.definition;
  if (value.kind === "list") {
    emitReturned(context, "other");
    if (resultType !== undefined && resultType.kind !== "auto")
      return context.program.evaluator.convertInto(context, value, resultType, target, "return");
  }
  const result = evaluate(context, value);
  const returned = returnedVariable(context, value, result);
  emitReturned(context, returned ?? "other");
  const conversion = { context: "return", operand: value, target, isOverlooked: true, returned } as const;
  // clang looks for the destructor of the object that becomes the result, too.
  if (context.dialect.language === "cuda" && context.dialect.hip) emitTemporary(context, result, value);
  if (isDeducedObject(context)) emitConversionCall(context, result, unqualifiedType(result.type), conversion);
  if (resultType === undefined || resultType.kind === "auto") read(context, result, value);
  else context.program.evaluator.convert(context, result, resultType, conversion);
}

/** True if the type of what `return` hands over is that of the result: a function with `auto`, or a lambda without a result type. */
function isDeducedObject({ resultType, lambda }: Context): boolean {
  if (resultType?.kind === "auto") return resultType.isDecltype !== true;
  return lambda?.lambda !== undefined && lambda.lambda.trailingReturn === undefined && resultType?.kind === "unknown";
}

/**
 * True for `a * b;` and `f(x);`, which parse as declarations, if the first name is not a type: then they are expressions (C++17
 * §9.8).
 */
function isReallyExpression(context: Context, item: Extract<Statement, { kind: "item" }>["item"]): boolean {
  if (item.kind !== "declaration" || item.specifiers.words.length > 0 || item.specifiers.type?.kind !== "named") return false;
  const { name } = item.specifiers.type;
  return typeOfName(context, name) === undefined && resolveName(context, name).length > 0;
}
