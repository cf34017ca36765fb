/** Walks lambdas and OpenCL blocks, which are functions within functions. The enclosing names are visible in their bodies. */
import type { ViewSpan } from "../../source.ts";
import type { BlockStatement, Expression, FunctionDeclarator, LambdaExpression, Parameter } from "../../syntax/ast.ts";
import { hasWord } from "../../syntax/walk.ts";
import { emitWords } from "../declarations/binder.ts";
import { bindParameters, typeOfTypeId } from "../declarations/declarators.ts";
import { emitCopy } from "../declarations/host-calls.ts";
import { emptyRecord } from "../declarations/records.ts";
import { walkBody } from "../declarations/statements.ts";
import { type Context, type FunctionInstance, isOpenCL, placeOf } from "../facts/context.ts";
import type { Value } from "../facts/evaluator.ts";
import { request } from "../facts/recorded-walks.ts";
import { createScope, declare, lookup, type Scope } from "../symbols/scope.ts";
import { boundedType } from "../types/bounded-type.ts";
import { deducedType, isDeduced } from "../types/deduced-type.ts";
import { innermostElement } from "../types/predicates.ts";
import type { FunctionDeclaration, FunctionSymbol, RecordSymbol, VariableSymbol } from "../types/symbols.ts";
import {
  addQualifiers,
  containsUnknown,
  type FunctionType,
  isOpaqueToUs,
  printType,
  referred,
  type Type,
  unknownType,
  unqualified,
  unqualifiedType,
} from "../types/types.ts";
import { evaluate } from "./expressions.ts";
import { access, decayed, rvalue, unknownValue } from "./values.ts";

/** The body of a lambda with `auto` parameters, and its instantiations by their types. */
interface GenericBody {
  readonly context: Context;
  readonly instances: Map<string, FunctionInstance>;
}

const genericBodies = new WeakMap<FunctionSymbol, GenericBody>();

/** The classes of the lambdas that were evaluated in a scope. Each instance of a template gives a lambda in it a class of its own. */
const closures = new WeakMap<Scope, Map<LambdaExpression, RecordSymbol>>();

/** The object that a lambda expression creates; walks the lambda (C++17 §8.1.5.1). */
export function evaluateLambda(context: Context, e: LambdaExpression): Value {
  const callOperator = walkLambda(context, e);
  const inScope = closures.get(context.scope) ?? new Map<LambdaExpression, RecordSymbol>();
  closures.set(context.scope, inScope);
  const closure = inScope.get(e) ?? newClosure(context, e);
  inScope.set(e, closure);
  closure.closure = callOperator;
  // In the text of a template its type depends on the arguments (C++17 §17.7.2.1).
  if (context.isTemplate) return rvalue({ kind: "dependent", name: undefined, closure, qualifiers: unqualified });
  return rvalue({ kind: "record", record: closure, qualifiers: unqualified });
}

/** A class whose members are not known: its layout is unspecified (C++17 §8.1.5.1p2), and its captures are named like their variables. */
function newClosure(context: Context, { span }: LambdaExpression): RecordSymbol {
  return { ...emptyRecord(context), tag: undefined, qualifiedName: "(lambda)", key: "class", place: placeOf(context, span) };
}

/** Walks a lambda's captures, parameters and body, and returns its function. */
export function walkLambda(context: Context, e: LambdaExpression | Extract<Expression, { kind: "block-literal" }>): FunctionSymbol {
  const scope = createScope("function", context.scope);
  const inner: Context = { ...context, scope, isTemplate: context.isTemplate || (e.kind === "lambda" && e.templateParameters.length > 0) };
  if (e.kind === "lambda") {
    for (const { name } of e.templateParameters)
      if (name !== undefined) declare(scope, name, { kind: "template-parameter", name, type: undefined });
    for (const capture of e.captures) bindCapture(context, inner, capture);
  }
  const symbol = functionOfLambda(inner, e);
  const declaration = symbol.declarations[0];
  for (const parameter of declaration?.parameters ?? []) {
    if (parameter.symbol.name !== "") declare(scope, parameter.symbol.name, parameter.symbol);
    if (!context.isEmitting) continue;
    context.program.facts.variables.push({ variable: parameter.symbol });
    emitWords(context, parameter.words, {
      on: "parameter",
      parameter,
      ...(declaration === undefined ? {} : { function: declaration }),
    });
  }
  const result = e.kind === "lambda" ? deducedResult({ ...inner, lambda: symbol, isEmitting: false }, e) : undefined;
  if (result !== undefined && declaration !== undefined)
    for (const each of [symbol, declaration]) Object.assign(each, { type: { ...each.type, result } });
  const body: Context = {
    ...inner,
    within: context.within,
    lambda: symbol,
    initializing: undefined,
    isMember: false,
    depth: 0,
    resultType: declaration?.type.result,
  };
  // The call operator of a generic lambda is a template (C++17 §8.1.5.1p3).
  const isGeneric = declaration?.parameters.some((each) => isDeduced(each.symbol.type)) === true;
  if (!inner.isTemplate && isGeneric) {
    const { deducing: _, ...whole } = body;
    genericBodies.set(symbol, { context: { ...whole, scope: snapshotOf(scope) }, instances: new Map() });
  }
  // Without this, each level of nested lambdas would double the number of walks.
  if (context.deducing !== undefined) return symbol;
  if (context.isEmitting && declaration !== undefined) {
    const count = declaration.words.length - (e.kind === "lambda" ? e.trailingWords.length : 0);
    emitWords(context, declaration.words.slice(0, count), { on: "lambda", function: declaration });
    emitWords(context, declaration.words.slice(count), { on: "lambda", function: declaration, isTrailing: true });
  }
  walkBody(isGeneric ? { ...body, isGeneric } : body, e.body);
  return symbol;
}

/**
 * Requests a walk of a generic lambda's body with the types that its parameters have in a call. Each set of types is walked once. Does
 * nothing inside of a template that is not instantiated itself.
 */
export function instantiateLambda(context: Context, lambda: FunctionSymbol, values: readonly Value[], span: ViewSpan): void {
  const generic = genericBodies.get(lambda);
  const declaration = lambda.declarations[0];
  if (generic === undefined || declaration === undefined || !context.isEmitting || context.isTemplate) return;
  const parameters = declaration.parameters.flatMap((of, index) => {
    const own = of.symbol.isPack === true ? values.slice(index) : [values[index] ?? unknownValue];
    return own.map((value) => ({ of, type: typeOfParameter(context, of.symbol.type, value) }));
  });
  const key = parameters.map(({ type }) => printType(type)).join();
  let instance = generic.instances.get(key);
  if (instance === undefined) {
    const type = { ...declaration.type, parameters: parameters.map((each) => unqualifiedType(each.type)) };
    instance = { declaration, arguments: [], parameters, type, context: generic.context };
    generic.instances.set(key, instance);
  }
  const body = { template: lambda, instance };
  const instantiation = { template: lambda, name: "operator()", parameters, place: placeOf(context, span), within: context.within };
  request(context, ({ instantiations: { bodies } }) => {
    if (!bodies.some((other) => other.instance === body.instance)) bodies.push({ ...body, instantiation });
  });
}

function typeOfParameter({ dialect }: Context, type: Type, value: Value): Type {
  return isDeduced(type) ? boundedType(deducedType(dialect, type, value)) : type;
}

/** The local scopes as they are now. Names that are declared after the lambda are not visible in its body. */
function snapshotOf(scope: Scope): Scope {
  if ((scope.kind !== "function" && scope.kind !== "block") || scope.parent === undefined) return scope;
  return { ...scope, names: new Map(scope.names), parent: snapshotOf(scope.parent) };
}

/** Results of lambdas that are nested deeper are not deduced. Without a limit, the work would be quadratic in the depth. */
const deepest = 10;

/** The result type of a lambda whose body is a single `return` (C++17 §8.1.5p4); undefined if it is unknown. */
function deducedResult(context: Context, { body, trailingReturn }: LambdaExpression): Type | undefined {
  const [only, ...more] = body.statements;
  const deducing = (context.deducing ?? 0) + 1;
  if (trailingReturn !== undefined || only?.kind !== "return" || only.value === undefined || more.length > 0) return undefined;
  if (deducing > deepest) return undefined;
  const type = unqualifiedType(decayed(evaluate({ ...context, deducing }, only.value)).type);
  return containsUnknown(type) || isOpaqueToUs(type) ? undefined : type;
}

function bindCapture(context: Context, inner: Context, capture: LambdaExpression["captures"][number]): void {
  if (capture.initializer === undefined) return copyCaptured(context, capture);
  const value = evaluate(context, capture.initializer);
  if (!capture.isReference) emitCopy(context, value, capture.initializer.span, { isOverlooked: true });
  access(context, value, capture.isReference ? "bind" : "read", capture.initializer);
  const type = typeOfCapture(context, value, capture.isReference);
  const place = placeOf(context, capture.span);
  declare(
    inner.scope,
    capture.name,
    type === undefined
      ? { kind: "unknown", name: capture.name }
      : {
          kind: "variable",
          name: capture.name,
          qualifiedName: capture.name,
          type,
          scope: "block",
          memorySpace: undefined,
          words: [],
          place,
          declaration: place,
          initializer: { kind: "value", value: capture.initializer, span: capture.initializer.span },
          owner: context.within,
          depth: context.depth,
          isSpaceExplicit: false,
          isDependent: false,
          isDefinition: true,
          sharesSpecifiers: true,
        },
  );
}

/** Records the constructor that copies the object of a capture without an initializer. */
function copyCaptured(context: Context, { name, isReference, span }: LambdaExpression["captures"][number]): void {
  const [symbol, ...others] = isReference ? [] : lookup(context.scope, name);
  if (symbol?.kind === "variable" && others.length === 0)
    emitCopy(context, { type: referred(symbol.type), isLvalue: true }, span, { isOverlooked: true });
}

/**
 * Records the constructors that copy a variable into the lambdas which use it and capture with `[=]`, at the lambda that makes the copy (C++17
 * §8.1.5.2p7). A constant expression may be used without a copy.
 */
export function copyImplicitly(context: Context, { name, scope, words, memorySpace, type, lambda: home, owner }: VariableSymbol): void {
  const isAutomatic = (scope === "block" && memorySpace === undefined) || scope === "parameter";
  if (context.lambda === undefined || !isAutomatic || hasWord(words, "static", "extern", "thread_local", "constexpr")) return;
  const object = innermostElement(referred(type));
  if (object.kind !== "record") return;
  for (let current = context.lambda; current?.lambda !== undefined && current !== home && current !== owner; ) {
    const { captures, captureDefault, introducerSpan } = current.lambda;
    const { enclosing } = current;
    const isListed = captures.some((each) => each.name === name);
    if (!isListed && captureDefault === undefined) return;
    if (!isListed && captureDefault === "=")
      emitCopy({ ...context, lambda: enclosing }, { type: object, isLvalue: true }, introducerSpan, { isOverlooked: true });
    if (enclosing === undefined) return;
    current = enclosing;
  }
}

/** The type of an init-capture, deduced as for `auto` (C++17 §8.1.5.2p6); undefined if the initializer does not determine it. */
function typeOfCapture(context: Context, value: Value, isReference: boolean): Type | undefined {
  if (containsUnknown(value.type) || isOpaqueToUs(value.type)) return undefined;
  if (isReference)
    return value.isLvalue ? { kind: "reference", referent: value.type, isRvalue: false, qualifiers: unqualified } : undefined;
  const type = unqualifiedType(decayed(value).type);
  return isOpenCL(context) ? addQualifiers(type, { space: "private" }) : type;
}

/**
 * True for a local variable or init-capture that this lambda has copied and may not change, or one around it, to whose copy it refers. The
 * call operator is const, and so is the copy in the lambda, unless the lambda is `mutable` (C++17 §8.1.5.1p4). Whether the lambda around it
 * may change the one that was copied does not matter.
 */
export function isConstInLambda(context: Context, { name, scope, words, memorySpace, type, lambda: home, owner }: VariableSymbol): boolean {
  const { space } = type.qualifiers;
  const isAutomatic =
    (scope === "block" && memorySpace === undefined && !hasWord(words, "static", "extern", "thread_local")) || scope === "parameter";
  if (!isAutomatic || (space !== undefined && space !== "private")) return false;
  for (let current = context.lambda; current?.lambda !== undefined && current !== home && current !== owner; current = current.enclosing) {
    const { captures, captureDefault, words: own } = current.lambda;
    const capture = captures.find((each) => each.name === name);
    if (capture === undefined && captureDefault === undefined) return false;
    const isCopy = capture === undefined ? captureDefault === "=" : !capture.isReference;
    if (isCopy) return !hasWord(own, "mutable");
  }
  return false;
}

function functionOfLambda(context: Context, e: LambdaExpression | Extract<Expression, { kind: "block-literal" }>): FunctionSymbol {
  const words = e.kind === "lambda" ? e.words.map(({ text, span }) => ({ text, place: placeOf(context, span) })) : [];
  const declarator = syntheticDeclarator(e.parameters, e.body);
  const parameters = bindParameters(context, declarator);
  const result: Type = e.kind === "lambda" && e.trailingReturn !== undefined ? typeOfTypeId(context, e.trailingReturn) : unknownType;
  const type: FunctionType = {
    kind: "function",
    result,
    parameters: parameters.map(({ symbol }) => symbol.type),
    isVariadic: false,
    qualifiers: unqualified,
  };
  const has = (word: string) => hasWord(words, word);
  const symbol: FunctionSymbol = {
    kind: "function",
    name: "operator()",
    qualifiedName: "(lambda)",
    type,
    declarations: [],
    isInternal: true,
    isTemplate: context.isTemplate,
    isBuiltin: false,
    record: undefined,
    specializations: [],
    ...(e.kind === "lambda" ? { lambda: e } : {}),
    ...(context.within === undefined ? {} : { around: context.within }),
    ...(context.lambda === undefined ? {} : { enclosing: context.lambda }),
  };
  const declaration: FunctionDeclaration = {
    place: placeOf(context, e.span),
    namePlace: placeOf(context, { start: e.span.start, end: e.span.start + 1 }),
    words,
    attributes: [],
    declarator,
    parameters: parameters.map((parameter) => ({ ...parameter, symbol: { ...parameter.symbol, owner: symbol } })),
    execution: { kernel: false, device: has("__device__"), host: has("__host__") || !has("__device__") },
    type,
    body: e.body,
    isDefinition: true,
    role: "primary",
    isTemplate: context.isTemplate,
    owner: symbol,
    since: context.scope.clock.now,
  };
  symbol.declarations.push(declaration);
  return symbol;
}

function syntheticDeclarator(parameters: readonly Parameter[], body: BlockStatement): FunctionDeclarator {
  const span = { start: body.span.start, end: body.span.start };
  return {
    kind: "function",
    parameters,
    parameterSpan: span,
    isVariadic: false,
    words: [],
    attributes: [],
    trailingReturn: undefined,
    inner: { kind: "abstract", span },
    span,
  };
}
