/**
 * The type of every expression, which object it names, and the facts about what it does. `evaluate` records what happens
 * inside an expression; what is done with its result (read, written, address taken) is recorded by whoever uses it.
 * Longer than other files: the kinds call one another, and one file with a function for each is easier to follow.
 */
import type { Span } from "../source.ts";
import type { Expression, TypeId } from "../syntax/ast.ts";
import { asCast, castNameOf } from "../syntax/readings.ts";
import { emitTypeWords, emitWords } from "./binder.ts";
import { evaluateCall, evaluateConstruct } from "./calls.ts";
import { constantInteger } from "./constant-expressions.ts";
import { checkClassAssignment, checkClassOperator } from "./class-objects.ts";
import { isSameType } from "./compatible.ts";
import { type Context, enterBlock, isOpenCL, placeOf } from "./context.ts";
import { commonPointer } from "./conversions.ts";
import { convert, convertInto, memberType } from "./convert.ts";
import type { AccessStep } from "./facts.ts";
import { emitFunctionPointer, typeOfTypeId } from "./declarators.ts";
import { accessHalf, isHalf, useHalf } from "./halves.ts";
import { checkBranch, checkCapture, checkCondition, checkOperator, isConstCopy, missFeature } from "./handles.ts";
import { emitInstantiation, instantiateFunction } from "./function-templates.ts";
import { emitRuntimeArguments } from "./runtime-arguments.ts";
import { runtimePart } from "./runtime-parts.ts";
import { isConstInLambda, walkLambda } from "./lambdas.ts";
import { builtinFunctions } from "./builtin-functions.ts";
import { objectSpace } from "./methods.ts";
import { lastPart, resolveName, typeOfName } from "./names.ts";
import { scopeOfRecord } from "./records.ts";
import { functionsOf, lookupIn } from "./scope.ts";
import { walkStatement } from "./statements.ts";
import type { RecordSymbol, Symbol, VariableSymbol } from "./symbols.ts";
import { addQualifiers, type AddressSpace, arithmetic, type ArrayType, isInteger, isOpaqueToUs, pointerTo, type Qualifiers, referred, spell, type Type, unknownType, unqualified, unqualifiedType } from "./types.ts";
import { access, arithmeticResult, comparisonResult, decayed, extendPath, isZero, lvalue, pointeePath, promoted, read, rvalue, typeOfNumber, unknownValue, type Value } from "./values.ts";

/** The type of an expression that is not evaluated: no facts. */
export function typeOfExpression(context: Context, expression: Expression): Type {
  return evaluate({ ...context, isEmitting: false }, expression).type;
}

/** The value of an expression, with facts about what happens inside of it; unknown parts make it unknown. */
export function evaluate(context: Context, expression: Expression): Value {
  return counted(context, evaluateKind(context, expression));
}

function counted(context: Context, value: Value): Value {
  if (context.isEmitting) {
    context.program.counts.expressions += 1;
    // The name of an overloaded function has no type before the call chooses one.
    if (value.type.kind === "unknown" && value.functions === undefined) context.program.counts.unknown += 1;
  }
  return value;
}

/** Evaluates an expression for its value. */
function evaluateRead(context: Context, expression: Expression): Value {
  return read(context, evaluate(context, expression), expression);
}

function evaluateKind(context: Context, e: Expression): Value {
  switch (e.kind) {
    case "name":
      return evaluateName(context, e);
    case "number":
      if (isHalf(typeOfNumber(e.text, context.dialect.language))) useHalf(context, "literal", e.span);
      return { type: typeOfNumber(e.text, context.dialect.language), isLvalue: false, isNull: isZero(e.text) };
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
      access(context, operand, "read-write", e.operand);
      return e.isPrefix && context.dialect.cplusplus ? operand : rvalue(operand.type);
    }
    case "binary":
      return evaluateBinaryOrCast(context, e);
    case "assignment":
      return evaluateAssignment(context, e);
    case "conditional":
      return evaluateConditional(context, e);
    case "comma": {
      const left = evaluate(context, e.left);
      discard(context, left, e.left);
      const right = context.dialect.cplusplus ? evaluate(context, e.right) : evaluateRead(context, e.right);
      checkOperator(context, ",", [left, right], placeOf(context, operatorSpan(context, ",", { start: e.left.span.end, end: e.right.span.start })));
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
      for (const { value } of e.elements) evaluateListPart(context, value);
      return unknownValue;
    case "sizeof":
    case "alignof":
    case "typeid":
      measure(context, e.operand);
      return rvalue(e.kind === "typeid" ? unknownType : arithmetic("unsigned long"));
    case "new":
      for (const part of [...e.placement, ...e.arguments]) evaluateListPart(context, part);
      emitTypeWords(context, e.type, "new");
      emitWords(context, e.words.map(({ text, span }) => ({ text, place: placeOf(context, span) })), { on: "new" });
      return evaluateNew(context, e);
    case "delete":
      missOperator(context, "delete", evaluateRead(context, e.operand).type, e.span);
      return rvalue({ kind: "void", qualifiers: unqualified });
    case "lambda":
      walkLambda(context, e);
      return unknownValue;
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
    case "unknown": {
      // The parser has no word for `noexcept(…)`, whose operand is not evaluated (C++17 §8.3.7p1).
      const isUnevaluated = context.unit.view.text.startsWith("noexcept", e.span.start);
      const inner = isUnevaluated ? { ...context, isEmitting: false } : context;
      // A function's name may be called in a way that could not be read.
      for (const operand of e.operands) {
        if (operand.kind === "name") read(inner, evaluateCalledName(inner, operand), operand);
        else evaluateListPart(inner, operand);
      }
      return unknownValue;
    }
    case "throw":
    case "await":
      if (e.operand !== undefined) evaluateRead(context, e.operand);
      return unknownValue;
  }
}

/**
 * C++ for OpenCL §2.2: the `new` and `delete` that every program has are not there; those of a class are, and a placement new
 * that the program declares.
 */
function missOperator(context: Context, name: "new" | "placement new" | "delete", type: Type, span: Span): void {
  const { dialect, program } = context;
  const object = type.kind === "pointer" ? type.pointee : type;
  if (dialect.language !== "opencl" || !context.isEmitting || isOpaqueToUs(object) || object.kind === "record") return;
  const isDeclared = name === "placement new" && (program.reading.isPartial || program.facts.functions.some((each) => each.name === "operator new"));
  const start = span.start;
  if (!isDeclared) program.facts.features.push({ name, place: placeOf(context, { start, end: start + (name === "delete" ? name : "new").length }) });
}

/** A class may have an `operator new` of its own, and a placement new uses the memory that it gets. */
function evaluateNew(context: Context, e: Extract<Expression, { kind: "new" }>): Value {
  const type = typeOfTypeId(context, { ...e.type, specifiers: { ...e.type.specifiers, words: [...e.words, ...e.type.specifiers.words] } });
  const isPlain = type.kind === "arithmetic" || type.kind === "pointer" || type.kind === "enum" || (type.kind === "array" && type.element.kind === "arithmetic");
  const value = rvalue(pointerTo(type.kind === "array" ? type.element : type));
  missOperator(context, e.placement.length > 0 ? "placement new" : "new", value.type, e.span);
  return isPlain && e.placement.length === 0 ? { ...value, heap: "new" } : value;
}

/** A value that nobody uses: an array stays what it is. */
function discard(context: Context, value: Value, expression: Expression): void {
  if (value.type.kind === "array") access(context, value, "read", expression);
  else read(context, value, expression);
}

/** OpenCL's conversions are checked in unevaluated operands as well; for CUDA nothing there counts. */
function measure(context: Context, operand: Expression | TypeId): void {
  const inner = isOpenCL(context) ? { ...context, isUnevaluated: true } : { ...context, isEmitting: false };
  if (operand.kind === "type-id") emitTypeWords(context, operand, "type");
  if (operand.kind === "type-id") typeOfTypeId(inner, operand);
  else evaluate(inner, operand);
}

function evaluateListPart(context: Context, expression: Expression): void {
  if (expression.kind === "list") for (const { value } of expression.elements) evaluateListPart(context, value);
  else evaluateRead(context, expression);
}

// ---------------------------------------------------------------- names and literals

/** The function that a call names; which instantiation of a template that is, the call decides. */
export function evaluateCalledName(context: Context, e: Extract<Expression, { kind: "name" }>): Value {
  return counted(context, evaluateName(context, e, true));
}

function evaluateName(context: Context, e: Extract<Expression, { kind: "name" }>, isCalled = false): Value {
  const part = lastPart(e.name);
  if (part === undefined || part.templateArguments !== undefined) {
    const functions = functionsOf(resolveName(context, e.name));
    if (part !== undefined) refer(context, functions, part.span);
    emitRuntimeArguments(context, functions, part?.templateArguments ?? []);
    const only = functions.length === 1 && !isCalled ? functions[0] : undefined;
    const instance = only === undefined ? undefined : instantiateFunction(context, only, part?.templateArguments, []);
    if (only !== undefined && instance !== undefined) emitInstantiation(context, only, instance, part?.templateArguments, [], e.span);
    return functions.length > 0 ? { type: unknownType, isLvalue: false, functions } : unknownValue;
  }
  const symbols = resolveName(context, e.name);
  const functions = functionsOf(symbols);
  // Another declaration of that name could not be read.
  if (functions.length > 0 && functions.length < symbols.length && symbols.some(({ kind }) => kind === "unknown")) return unknownValue;
  if (functions.length > 0) {
    refer(context, functions, part.span);
    if (!isCalled && !context.dialect.cplusplus) emitFunctionPointer(context, "address", part.span);
    return functionValue(functions);
  }
  for (const symbol of symbols) {
    const value = valueOfSymbol(context, symbol);
    if (value === undefined) continue;
    refer(context, [symbol], part.span);
    if (symbol.kind !== "variable") return value;
    checkCapture(context, symbol, false, placeOf(context, part.span));
    return isConstCopy(context, symbol) || isConstInLambda(context, symbol) ? { ...value, type: addQualifiers(value.type, { const: true }) } : value;
  }
  if (symbols.length > 0 || e.name.parts.length > 1) return unknownValue;
  if (isOpenCL(context) && functionNames.has(part.text)) return lvalue(constantCharacters(true), undefined);
  // A header that is not there may bring a function of that name.
  if (!context.program.reading.isPartial && missFeature(context, part.text, part.span)) return unknownValue;
  const builtin = builtinFunctions(context, part.text);
  return builtin.length > 0 ? functionValue(builtin) : unknownValue;
}

/** Records what a name stands for, where that is one thing. */
function refer(context: Context, symbols: readonly Symbol[], span: Span): void {
  const symbol = symbols[0];
  if (!context.isEmitting || symbols.length !== 1 || (symbol?.kind !== "variable" && symbol?.kind !== "function")) return;
  context.program.facts.references.push({ symbol, place: placeOf(context, span) });
}

/** The name of the function they stand in, a constant string (C11 §6.4.2.2). */
const functionNames = new Set(["__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"]);

function constantCharacters(isConst: boolean): ArrayType {
  const qualifiers = { ...unqualified, space: "constant" as const, const: isConst };
  return { kind: "array", element: { kind: "arithmetic", name: "char", qualifiers }, length: undefined, extent: "unknown", qualifiers };
}

function functionValue(functions: Value["functions"] & object): Value {
  const only = functions.length === 1 ? functions[0] : undefined;
  return { type: only === undefined || only.isTemplate ? unknownType : only.type, isLvalue: false, functions };
}

function valueOfSymbol(context: Context, symbol: Symbol): Value | undefined {
  switch (symbol.kind) {
    case "variable":
      return variableValue(context, symbol);
    case "enumerator":
      return { type: context.dialect.cplusplus ? { kind: "enum", enumeration: symbol.enumeration, qualifiers: unqualified } : arithmetic("int"), isLvalue: false, isNull: false };
    case "template-parameter":
      return { type: symbol.type ?? unknownType, isLvalue: false };
    case "unknown":
      return unknownValue;
    default:
      return undefined;
  }
}

function variableValue(context: Context, variable: VariableSymbol): Value {
  const type = variable.scope === "member" ? ownMemberType(context, variable) : variable.type;
  if (variable.isPack === true) return unknownValue;
  const steps = variable.scope === "member" ? [{ kind: "member" as const, member: variable, name: variable.name }] : [];
  const root = variable.scope === "member" ? undefined : variable;
  if (type.kind === "reference") return lvalue(type.referent, { root, steps: [...steps, { kind: "dereference" }] });
  return lvalue(type, { root, steps });
}

/** In a const member function the members are const too (C++17 §12.2.2.1p2), and they are where the object is. */
function ownMemberType(context: Context, member: VariableSymbol): Type {
  const record = context.within?.record;
  return record === undefined ? member.type : memberType({ kind: "record", record, qualifiers: qualifiersOfThis(context) }, member);
}

/** Of the object that `this` points to in a member function. */
export function qualifiersOfThis(context: Context): Qualifiers {
  return { ...unqualified, const: isConstMember(context), space: objectSpace(context.within, context) };
}

/** A lambda with a copy of the object decides by `mutable` (C++17 §8.1.5.2p14). */
function isConstMember({ within, lambda }: Context): boolean {
  for (let current = lambda; current !== undefined; current = current.enclosing) {
    const copying = current.lambda?.captures.some(({ name }) => name === "*this") === true;
    if (copying) return current.lambda?.words.some(({ text }) => text === "mutable") !== true;
  }
  const declaration = within?.declarations[within.declarations.length - 1];
  return declaration?.declarator.words.some(({ text }) => text === "const") ?? false;
}

/** A string literal is an array of char in constant memory (OpenCL C 3.0 §6.7.4), of const char in C++. */
function typeOfString(context: Context, text: string): Type {
  const prefix = /^(u8|u|U|L)?R?"/.exec(text)?.[1] ?? "";
  const element = prefix === "L" ? "wchar_t" : prefix === "u" ? "char16_t" : prefix === "U" ? "char32_t" : "char";
  const qualifiers = isOpenCL(context) ? { ...unqualified, space: "constant" as const, const: context.dialect.cplusplus } : { ...unqualified, const: true };
  const array: ArrayType = { kind: "array", element: { kind: "arithmetic", name: element, qualifiers }, length: undefined, extent: "unknown", qualifiers };
  return array;
}

function evaluateThis(context: Context): Value {
  const record = context.within?.record;
  if (record === undefined) return unknownValue;
  const pointee: Type = { kind: "record", record, qualifiers: qualifiersOfThis(context) };
  return { type: pointerTo(pointee), isLvalue: false, path: { root: undefined, steps: [{ kind: "address" }] } };
}

// ---------------------------------------------------------------- operators

function evaluateUnary(context: Context, e: Extract<Expression, { kind: "unary" }>): Value {
  if (e.operator === "&&") return unknownValue;
  const same = e.operator === "*" ? (addressee(e.operand) ?? asSubscript(context, e)) : undefined;
  if (same !== undefined) {
    const object = evaluate(context, same);
    // A block may not even write it.
    if (object.path?.root !== undefined && object.path.steps.length === 0) checkCapture(context, object.path.root, true, placeOf(context, e.operand.span));
    return object;
  }
  const requalified = e.operator === "*" ? castAddressee(context, e.operand) : undefined;
  if (requalified !== undefined) return lvalue(requalified.pointee, evaluate(context, requalified.object).path);
  const operand = evaluate(context, e.operand);
  checkOperator(context, e.operator, [operand], placeOf(context, e.span));
  if (e.operator !== "&") checkClassOperator(context, e.operator, e.operand);
  if (e.operator === "&") {
    const variable = operand.path?.steps.length === 0 ? operand.path.root : undefined;
    if (variable !== undefined && checkCapture(context, variable, true, placeOf(context, e.span))) return unknownValue;
    access(context, operand, "address", e.operand);
    if (operand.type.kind === "record" && mayOverloadAddress(operand.type.record)) return unknownValue;
    return isOpaqueToUs(operand.type) && operand.type.qualifiers.space === undefined ? unknownValue : { type: pointerTo(operand.type), isLvalue: false, path: extendPath(operand.path, { kind: "address" }) };
  }
  if (e.operator === "*") return dereference(context, operand, e.operand);
  const value = read(context, operand, e.operand).type;
  if (e.operator === "!") return rvalue(value.kind === "vector" ? comparisonResult(value, value, false) : arithmetic(context.dialect.cplusplus ? "bool" : "int"));
  return value.kind === "arithmetic" || value.kind === "vector" || value.kind === "enum" ? rvalue(promoted(value)) : unknownValue;
}

/** `*&x` is x: its address is not needed (C11 §6.5.3.2p3). */
function addressee(e: Expression): Expression | undefined {
  if (e.kind === "parenthesized") return addressee(e.inner);
  return e.kind === "unary" && e.operator === "&" ? e.operand : undefined;
}

/** `*(const T *)&x` is x too, where x is a T: only its qualifiers are others. */
function castAddressee(context: Context, e: Expression): { readonly object: Expression; readonly pointee: Type } | undefined {
  if (e.kind === "parenthesized") return castAddressee(context, e.inner);
  if ((e.kind !== "cast" && e.kind !== "named-cast") || context.dialect.language !== "cuda") return undefined;
  const object = addressee(e.operand);
  const quiet = { ...context, isEmitting: false };
  const type = object === undefined ? undefined : typeOfTypeId(quiet, e.type);
  if (object === undefined || type?.kind !== "pointer") return undefined;
  const { type: own, path } = evaluate(quiet, object);
  const isSame = own.kind === "arithmetic" && isSameType(own, type.pointee) === true && type.pointee.qualifiers.const;
  return isSame && path?.root?.scope === "program" ? { object, pointee: type.pointee } : undefined;
}

function mayOverloadAddress(record: RecordSymbol): boolean {
  return record.isIncomplete || record.functions.some(({ name }) => name === "operator&");
}

function dereference(context: Context, operand: Value, expression: Expression): Value {
  if (operand.type.kind === "array") return lvalue(operand.type.element, operand.path);
  const value = read(context, operand, expression);
  if (value.type.kind !== "pointer") return unknownValue;
  if (value.type.pointee.kind === "function") return value;
  return lvalue(value.type.pointee, pointeePath(value.path));
}

const comparisons = new Set(["==", "!=", "<", ">", "<=", ">="]);

/** `(N) - x` is a cast where N is a type. */
function evaluateBinaryOrCast(context: Context, e: Extract<Expression, { kind: "binary" }>): Value {
  const name = castNameOf(e);
  const cast = name === undefined || typeOfName(context, name) === undefined ? undefined : asCast(e);
  return cast === undefined ? evaluateBinary(context, e) : evaluate(context, cast);
}

function evaluateBinary(context: Context, e: Extract<Expression, { kind: "binary" }>): Value {
  const left = evaluateRead(context, e.left);
  if (e.operator === "&&" || e.operator === "||") leaveUndecided(context, e.left, e.right);
  const right = evaluateRead(isShortCircuit(context, e) ? { ...context, isEmitting: false } : context, e.right);
  const between = { start: e.left.span.end, end: e.right.span.start };
  checkOperator(context, e.operator, [left, right], placeOf(context, operatorSpan(context, e.operator, between)));
  if (left.type.kind === "record") checkClassOperator(context, e.operator, e.left, e.right);
  if (comparisons.has(e.operator)) {
    meet(context, e.operator, left, right, e, between);
    comparePointerSizes(context, e);
    return isOverloadable(left.type) || isOverloadable(right.type) ? unknownValue : rvalue(comparisonResult(left.type, right.type, context.dialect.cplusplus));
  }
  if (e.operator === "&&" || e.operator === "||") return rvalue(comparisonResult(left.type, right.type, context.dialect.cplusplus));
  if (e.operator === "<=>" || e.operator === ".*" || e.operator === "->*") return unknownValue;
  const leftPointer = left.type.kind === "pointer";
  const rightPointer = right.type.kind === "pointer";
  if (leftPointer && rightPointer) {
    if (e.operator !== "-") return unknownValue;
    meet(context, "-", left, right, e, between);
    return rvalue(arithmetic("long"));
  }
  if (leftPointer && (e.operator === "+" || e.operator === "-")) return isInteger(right.type) || right.type.kind === "unknown" ? pointerSum(left) : unknownValue;
  if (rightPointer && e.operator === "+") return isInteger(left.type) || left.type.kind === "unknown" ? pointerSum(right) : unknownValue;
  if (e.operator === "<<" || e.operator === ">>") return isOverloadable(left.type) ? unknownValue : rvalue(promoted(left.type));
  return rvalue(arithmeticResult(left.type, right.type));
}

/** `false && x` never evaluates x. */
function isShortCircuit(context: Context, e: Extract<Expression, { kind: "binary" }>): boolean {
  if (!context.dialect.cplusplus || (e.operator !== "&&" && e.operator !== "||")) return false;
  const value = constantInteger(context, e.left);
  return value !== undefined && (value === 0n) === (e.operator === "&&");
}

/** What follows a condition that a compiler may know, though we do not: it may be discarded. */
function leaveUndecided(context: Context, condition: Expression, branch: Expression): void {
  if (!context.isEmitting || context.dialect.language !== "cuda" || !callsFunction(condition)) return;
  if (runtimePart(context, { kind: "value", value: condition, span: condition.span }) === undefined) context.program.facts.undecided.push(placeOf(context, branch.span));
}

function callsFunction(e: Expression): boolean {
  if (e.kind === "parenthesized") return callsFunction(e.inner);
  if (e.kind === "unary") return callsFunction(e.operand);
  if (e.kind === "binary") return callsFunction(e.left) || callsFunction(e.right);
  return e.kind === "call";
}

/** `sizeof(global int *) == sizeof(local int *)`. */
function comparePointerSizes(context: Context, e: Extract<Expression, { kind: "binary" }>): void {
  if (!context.isEmitting || !isOpenCL(context)) return;
  const [left, right] = [measuredSpace(context, e.left), measuredSpace(context, e.right)];
  if (left === undefined || right === undefined || left === right) return;
  context.program.facts.spaces.push({ kind: "pointer-sizes", left, right, place: placeOf(context, e.span) });
}

function measuredSpace(context: Context, e: Expression): AddressSpace | undefined {
  if (e.kind === "parenthesized") return measuredSpace(context, e.inner);
  if (e.kind !== "sizeof") return undefined;
  const type = e.operand.kind === "type-id" ? typeOfTypeId({ ...context, isEmitting: false }, e.operand) : typeOfExpression(context, e.operand);
  return type.kind === "pointer" ? type.pointee.qualifiers.space : undefined;
}

function isOverloadable(type: Type): boolean {
  return type.kind === "record" || isOpaqueToUs(type);
}

/** `p + i` points into the same object. */
function pointerSum(pointer: Value): Value {
  return { type: pointer.type, isLvalue: false, path: pointer.path };
}

function meet(context: Context, operator: string, left: Value, right: Value, whole: Expression, between: { start: number; end: number }): void {
  if (!context.isEmitting || left.type.kind !== "pointer" || right.type.kind !== "pointer") return;
  if (left.isNull === true || right.isNull === true) return;
  context.program.facts.operands.push({ operator, left: left.type, right: right.type, place: placeOf(context, whole.span), operatorPlace: placeOf(context, operatorSpan(context, operator, between)), within: context.within });
}

function operatorSpan(context: Context, operator: string, between: { start: number; end: number }): { start: number; end: number } {
  const symbol = operator === "?:" ? "?" : operator;
  const at = context.unit.view.text.indexOf(symbol, between.start);
  return at >= 0 && at < between.end ? { start: at, end: at + symbol.length } : between;
}

function evaluateAssignment(context: Context, e: Extract<Expression, { kind: "assignment" }>): Value {
  const left = evaluate(context, e.left);
  accessHalf(context, left.type, left.path, "store", e.left.span);
  access(context, left, e.operator === "=" ? "write" : "read-write", e.left, false, { operator: e.operator, value: e.right });
  if (e.operator === "=") {
    const target = left.path?.steps.length === 0 ? left.path.root : undefined;
    // `operator=` takes its operand by reference.
    if (left.type.kind === "record" && context.dialect.cplusplus && e.right.kind !== "list") {
      const right = evaluate(context, e.right);
      checkClassAssignment(context, left, right, e.left, e.right);
      bindAssigned(context, right, e.right, hasAssignment(left.type.record), takesReferences(left.type.record));
    }
    else convertInto(context, e.right, left.type, target, "assign");
  } else {
    const place = placeOf(context, operatorSpan(context, e.operator, { start: e.left.span.end, end: e.right.span.start }));
    checkOperator(context, e.operator, [left, evaluateRead(context, e.right)], place);
  }
  return context.dialect.cplusplus ? left : rvalue(left.type);
}

/** An `operator=` that the class has, of which it is not clear what it takes. */
function hasAssignment(record: RecordSymbol): boolean {
  return record.isIncomplete || (record.functions.some(({ name }) => name === "operator=") && !takesReferences(record));
}

/** Every `operator=` is written by somebody, and takes a reference to such an object. */
function takesReferences(record: RecordSymbol): boolean {
  const own = record.functions.filter(({ name }) => name === "operator=");
  return !record.isIncomplete && own.length > 0 && own.every(({ isTemplate, type, declarations }) => {
    const [only] = type.parameters;
    return !isTemplate && only?.kind === "reference" && only.referent.kind === "record" && only.referent.record === record && declarations.every(({ special }) => special === undefined);
  });
}

/** The compiler's own `operator=` copies the value of a constant; of everything else it takes a reference. */
function bindAssigned(context: Context, value: Value, expression: Expression, isUncertain: boolean, isBound: boolean): void {
  for (const branch of value.branches ?? []) bindAssigned(context, branch.value, branch.expression, isUncertain, isBound);
  const { root, steps } = value.path ?? { root: undefined, steps: [] };
  // Of a const variable nvcc computes a member's value, though not the whole one's.
  const isConstant = (root?.words.some(({ text }) => text === "constexpr") === true || (root?.type.qualifiers.const === true && steps.length > 0)) && steps.every(({ kind }) => kind === "member");
  access(context, value.branches === undefined ? value : { ...value, branches: [] }, isConstant && !isUncertain && !isBound ? "read" : "bind", expression, isUncertain);
}

function evaluateConditional(context: Context, e: Extract<Expression, { kind: "conditional" }>): Value {
  const condition = evaluateRead(context, e.condition);
  checkCondition(context, condition, placeOf(context, e.condition.span));
  const known = context.dialect.cplusplus ? constantInteger(context, e.condition) : undefined;
  const unused = { ...context, isEmitting: false };
  if (known === undefined) for (const branch of [e.then, e.otherwise]) if (branch !== undefined) leaveUndecided(context, e.condition, branch);
  const then = e.then === undefined ? condition : evaluateBranch(known === 0n ? unused : context, e.then);
  const otherwise = evaluateBranch(known !== undefined && known !== 0n ? unused : context, e.otherwise);
  if (context.dialect.cplusplus && e.then !== undefined && then.isLvalue && otherwise.isLvalue && then.type.kind !== "unknown" && spell(unqualifiedType(then.type)) === spell(unqualifiedType(otherwise.type))) {
    // Two objects of one type make an lvalue: which of them is used, the condition decides (C++17 §8.16p4).
    return { type: then.type, isLvalue: true, branches: [{ value: then, expression: e.then }, { value: otherwise, expression: e.otherwise }] };
  }
  if (e.then !== undefined) useBranch(known === 0n ? unused : context, then, e.then);
  useBranch(known !== undefined && known !== 0n ? unused : context, otherwise, e.otherwise);
  const left = decayed(then);
  const right = decayed(otherwise);
  const between = { start: e.condition.span.end, end: (e.then ?? e.otherwise).span.start };
  checkOperator(context, "?:", [left, right], placeOf(context, operatorSpan(context, "?:", between)));
  for (const branch of [e.then, e.otherwise]) if (branch?.kind === "call") checkBranch(context, typeOfExpression(context, branch.function), placeOf(context, branch.span));
  if (left.type.kind === "pointer" && right.type.kind === "pointer") {
    meet(context, "?:", left, right, e, between);
    if (left.isNull === true) return rvalue(right.type);
    if (right.isNull === true) return rvalue(left.type);
    const common = commonPointer(left.type, right.type, context.dialect);
    const alternatives = [then, otherwise].map(({ type, path }) => ({ type, path }));
    return common.type === undefined ? unknownValue : { ...rvalue(common.type), alternatives };
  }
  if (left.type.kind === "pointer" && right.isNull === true) return rvalue(left.type);
  if (right.type.kind === "pointer" && left.isNull === true) return rvalue(right.type);
  if (left.type.kind === "record" && right.type.kind === "record" && left.type.record === right.type.record) return rvalue(left.type);
  if (left.type.kind === "vector" || right.type.kind === "vector" || (isArithmetic(left.type) && isArithmetic(right.type))) return rvalue(arithmeticResult(left.type, right.type));
  return unknownValue;
}

function isArithmetic(type: Type): boolean {
  return type.kind === "arithmetic" || type.kind === "enum";
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

// ---------------------------------------------------------------- parts of objects

function evaluateSubscript(context: Context, e: Extract<Expression, { kind: "subscript" }>): Value {
  const object = evaluate(context, e.object);
  const index = e.indices[0];
  if (isInteger(object.type) && index !== undefined && e.indices.length === 1) {
    // `1[a]` is `a[1]` (C11 §6.5.2.1p2).
    read(context, object, e.object);
    return elementOf(context, evaluate(context, index), index, indexStep(context, e.object)) ?? unknownValue;
  }
  for (const each of e.indices) evaluateRead(context, each);
  if (index === undefined || e.indices.length !== 1) return unknownValue;
  checkClassOperator(context, "[]", e.object);
  return elementOf(context, object, e.object, indexStep(context, index)) ?? (object.type.kind === "vector" ? vectorPart(object, 1) : unknownValue);
}

function elementOf(context: Context, object: Value, expression: Expression, step: AccessStep): Value | undefined {
  const base = object.type.kind === "array" ? object : read(context, object, expression);
  if (base.type.kind === "array") return lvalue(base.type.element, extendPath(base.path, step));
  return base.type.kind === "pointer" ? lvalue(base.type.pointee, extendPath(pointeePath(base.path), step)) : undefined;
}

/** `*(a + i)` is `a[i]` (C11 §6.5.2.1p2); pointers that are no arrays are read in either. */
function asSubscript(context: Context, e: Extract<Expression, { kind: "unary" }>): Expression | undefined {
  const sum = e.operator === "*" && e.operand.kind === "parenthesized" ? e.operand.inner : undefined;
  if (sum?.kind !== "binary" || sum.operator !== "+" || sum.left.kind !== "name") return undefined;
  return typeOfExpression(context, sum.left).kind === "array" ? { kind: "subscript", span: e.span, object: sum.left, indices: [sum.right] } : undefined;
}

function indexStep(context: Context, index: Expression): Extract<AccessStep, { kind: "index" }> {
  return { kind: "index", index, isConstant: constantInteger(context, index) !== undefined || isTemplateValue(context, index) };
}

/** A template's value parameter, or something computed from one. */
function isTemplateValue(context: Context, e: Expression): boolean {
  if (e.kind === "parenthesized") return isTemplateValue(context, e.inner);
  if (e.kind === "unary") return isTemplateValue(context, e.operand);
  if (e.kind === "binary") return [e.left, e.right].every((each) => isTemplateValue(context, each) || constantInteger(context, each) !== undefined);
  return e.kind === "name" && resolveName(context, e.name).some(({ kind }) => kind === "template-parameter");
}

function evaluateMember(context: Context, e: Extract<Expression, { kind: "member" }>): Value {
  const same = e.isArrow ? addressee(e.object) : undefined;
  if (same !== undefined) {
    const part = evaluateMember(context, { ...e, object: same, isArrow: false });
    return typeOfExpression(context, same).kind === "vector" ? { ...part, isOverlooked: true } : part;
  }
  const object = evaluate(context, e.object);
  const part = lastPart(e.name);
  // `a->x` of an array is `a[0].x`.
  const target = e.isArrow && object.type.kind !== "array" ? read(context, object, e.object) : object;
  const type = e.isArrow ? (target.type.kind === "pointer" ? target.type.pointee : target.type.kind === "array" ? target.type.element : unknownType) : referred(target.type);
  const path = e.isArrow && target.type.kind !== "array" ? pointeePath(target.path) : object.path;
  if (part === undefined || part.templateArguments !== undefined || e.name.parts.length > 1) return unknownValue;
  if (type.kind === "vector") return swizzle({ ...object, type, path, ...(e.isArrow ? { isOverlooked: true } : {}) }, part.text);
  // Of an object whose type a template argument decides, the member has at least a name.
  if (type.kind === "dependent" || type.kind === "unknown") return path === undefined ? unknownValue : { type: unknownType, isLvalue: e.isArrow || object.isLvalue, path: extendPath(path, { kind: "member", member: undefined, name: part.text }) };
  if (type.kind !== "record") return unknownValue;
  const member = findMember(type.record, part.text);
  if (member !== undefined) {
    refer(context, [member], part.span);
    const own = memberType(type, member);
    const extended = extendPath(path, { kind: "member", member, name: part.text });
    if (own.kind === "reference") return lvalue(own.referent, extendPath(extended, { kind: "dereference" }));
    return e.isArrow || object.isLvalue ? lvalue(own, extended) : { type: own, isLvalue: false };
  }
  const scope = scopeOfRecord(type.record);
  const symbols = scope === undefined ? [] : lookupIn(scope, part.text);
  const functions = functionsOf(symbols);
  if (functions.length > 0) return { type: unknownType, isLvalue: false, functions, path };
  const variable = symbols.find((symbol): symbol is VariableSymbol => symbol.kind === "variable");
  return variable === undefined ? unknownValue : variableValue(context, variable);
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

/** OpenCL C 3.0 §6.3.7: `.xyzw`, `.rgba`, `.s0…sF`, `.lo .hi .even .odd`. */
function swizzle(vector: Value, name: string): Value {
  if (vector.type.kind !== "vector") return unknownValue;
  if (/^(lo|hi|even|odd)$/.test(name)) return vectorPart(vector, Math.ceil(vector.type.length / 2));
  if (/^[xyzw]+$|^[rgba]+$/.test(name)) return vectorPart(vector, name.length);
  return /^[sS][0-9a-fA-F]+$/.test(name) ? vectorPart(vector, name.length - 1) : unknownValue;
}

function vectorPart(vector: Value, length: number): Value {
  if (vector.type.kind !== "vector") return unknownValue;
  const { element, qualifiers } = vector.type;
  const type: Type = length === 1 ? { kind: "arithmetic", name: element, qualifiers } : { kind: "vector", element, length: length === 3 ? 3 : length, qualifiers };
  return { ...vector, type };
}

// ---------------------------------------------------------------- casts

function evaluateCast(context: Context, e: Extract<Expression, { kind: "cast" }>): Value {
  const reread = rereadCast(context, e);
  if (reread !== undefined) return evaluate(context, reread);
  const type = typeOfTypeId(context, e.type);
  const operand = e.operand.kind === "parenthesized" ? e.operand.inner : e.operand;
  if (type.kind === "vector" && operand.kind === "comma") {
    for (const part of commaParts(operand)) evaluateRead(context, part);
    checkLiteralSpace(context, type.qualifiers.space, e.type);
    return rvalue(type);
  }
  return castValue(context, evaluate(context, e.operand), type, e, "c-style", e.type);
}

function castValue(context: Context, value: Value, type: Type, e: Extract<Expression, { kind: "cast" | "named-cast" }>, cast: string, written: TypeId): Value {
  if (type.kind === "void") {
    discard(context, value, e.operand);
    return rvalue(type);
  }
  if (isHalf(type) && !context.dialect.cplusplus) useHalf(context, "cast", e.operand.span);
  emitTypeWords(context, written, "cast");
  const typeWords = written.specifiers.words.map(({ text, span }) => ({ text, place: placeOf(context, span) }));
  convert(context, value, type, { context: "cast", operand: e.operand, place: placeOf(context, e.span), target: undefined, cast, typePlace: placeOf(context, written.span), typeWords });
  if (type.kind === "reference") return lvalue(type.referent, value.path);
  const isNull = value.isNull === true && value.type.kind !== "pointer" && ((isPlainVoidPointer(context, type) && !context.dialect.cplusplus) || isInteger(type));
  const isPointer = type.kind === "pointer";
  return { type: unqualifiedType(type), isLvalue: false, ...(isPointer ? { path: value.type.kind === "array" ? decayed(value).path : value.path } : {}), ...(isPointer && value.heap !== undefined ? { heap: value.heap } : {}), ...(isNull ? { isNull } : {}) };
}

/** `void *` without qualifiers: the only pointer that a null pointer constant may be (C11 §6.3.2.3p3). */
function isPlainVoidPointer({ dialect }: Context, type: Type): boolean {
  if (type.kind !== "pointer" || type.pointee.kind !== "void") return false;
  const { space, const: isConst, volatile } = type.pointee.qualifiers;
  const isDefault = dialect.language !== "opencl" || space === undefined || space === (dialect.genericAddressSpace ? "generic" : "private");
  return isDefault && !isConst && !volatile;
}

function evaluateNamedCast(context: Context, e: Extract<Expression, { kind: "named-cast" }>): Value {
  return castValue(context, evaluate(context, e.operand), typeOfTypeId(context, e.type), e, e.cast, e.type);
}

/** `(a) - b` and `(f)(x)` parse as casts; where the name is no type they are operators and calls (C++17 §9.8). */
function rereadCast(context: Context, e: Extract<Expression, { kind: "cast" }>): Expression | undefined {
  const { specifiers, declarator } = e.type;
  if (declarator.kind !== "abstract" || specifiers.words.length > 0 || specifiers.type?.kind !== "named") return undefined;
  const { name } = specifiers.type;
  if (typeOfName(context, name) !== undefined || resolveName(context, name).length === 0) return undefined;
  const left: Expression = { kind: "name", name, span: e.type.span };
  const { operand } = e;
  if (operand.kind === "unary" && ["-", "+", "*", "&"].includes(operand.operator)) return { kind: "binary", operator: operand.operator, left, right: operand.operand, span: e.span };
  if (operand.kind === "parenthesized") return { kind: "call", function: left, arguments: commaParts(operand.inner), argumentSpan: operand.span, span: e.span };
  return { kind: "unknown", operands: [operand], span: e.span };
}

function commaParts(e: Expression): readonly Expression[] {
  const parts: Expression[] = [];
  let current = e;
  for (; current.kind === "comma"; current = current.left) parts.push(current.right);
  return [current, ...parts.reverse()];
}

/** An object that a function makes of parts has no space to choose (OpenCL C 3.0 §6.7.8). */
function checkLiteralSpace(context: Context, space: AddressSpace | undefined, type: TypeId): void {
  if (context.isEmitting && isOpenCL(context) && context.within !== undefined && space !== undefined) context.program.facts.spaces.push({ kind: "compound-literal", space, place: placeOf(context, type.span) });
}

function evaluateCompoundLiteral(context: Context, e: Extract<Expression, { kind: "compound-literal" }>): Value {
  const type = typeOfTypeId(context, e.type);
  const written = type.qualifiers.space;
  checkLiteralSpace(context, written, e.type);
  const space = isOpenCL(context) && type.qualifiers.space === undefined && !isOpaqueToUs(type) ? (context.within === undefined ? undefined : ("private" as const)) : undefined;
  const placed = addQualifiers(type, { space });
  convertInto(context, e.value, placed, undefined, "initialize");
  return context.dialect.cplusplus ? { type: placed, isLvalue: false } : lvalue(placed, undefined);
}

