/**
 * Evaluates calls and launches: which function is called, and how each argument is converted. One of several
 * candidates is chosen only if every argument's type is known; otherwise nothing is concluded.
 */
import type { CallExpression, Expression, TemplateArgument } from "../../syntax/ast.ts";
import { hasWord, unqualifiedName } from "../../syntax/walk.ts";
import { useDefaults } from "../declarations/default-arguments.ts";
import { emitWrittenCall } from "../declarations/host-calls.ts";
import { callableOn, checkLambdaObject } from "../declarations/methods.ts";
import { printName, resolveName, typeOfName } from "../declarations/name-resolution.ts";
import { type Context, isOpenCL, placeOf, textOf } from "../facts/context.ts";
import type { Value } from "../facts/evaluator.ts";
import type { CallFact } from "../facts/facts.ts";
import { takes } from "../symbols/candidates.ts";
import { declarationsNow, functionsOf } from "../symbols/scope.ts";
import { isCertainCallee } from "../templates/certain-callees.ts";
import { deducedClass } from "../templates/deduced-classes.ts";
import { emitInstantiation, instantiateFunction } from "../templates/function-templates.ts";
import { instantiateMember } from "../templates/instance-members.ts";
import { callOperatorOf } from "../types/predicates.ts";
import type { FunctionDeclaration, FunctionSymbol, VariableSymbol } from "../types/symbols.ts";
import { containsUnknown, type FunctionType, printType, type Type, unknownType } from "../types/types.ts";
import { associatedFunctions } from "./associated-functions.ts";
import { calledObject, callOperatorsOf, isFunctor } from "./call-operators.ts";
import { checkClassOperator } from "./class-objects.ts";
import { constantInteger, operandType as typeOfOperand } from "./constant-expressions.ts";
import { evaluateConstruct, hasExpansion } from "./constructions.ts";
import { evaluate } from "./expressions.ts";
import { convert } from "./implicit-conversion.ts";
import { passList } from "./initializers.ts";
import { instantiateLambda } from "./lambdas.ts";
import { launchFacts, markLaunched } from "./launches.ts";
import { choose, rejectsArguments } from "./overloads.ts";
import { evaluateCalledName } from "./primary-expressions.ts";
import { access, read, resultOf, unknownValue } from "./values.ts";

/** The value of a call, unknown if the callee is. Overloads are chosen among the preceding declarations (C++17 §16.3). */
export function evaluateCall(context: Context, e: CallExpression): Value {
  const launch = e.launch?.map((part) => read(context, evaluate(context, part), part));
  const callee = unwrap(e.function);
  if (callee.kind === "name") {
    const constructed = constructedType(context, callee);
    const deduced =
      constructed === undefined
        ? undefined
        : deducedClass(context, callee.name, constructed, () =>
            e.arguments.map((value) => evaluate({ ...context, isEmitting: false }, value)),
          );
    if (constructed !== undefined) return evaluateConstruct(context, deduced ?? constructed, e.arguments, e);
  }
  const target = evaluateCallee(context, callee);
  const lambda = callOperatorOf(target.objectType ?? unknownType);
  if (lambda !== undefined) return callLambda(context, e, target, lambda);
  const object = calledObject(context, callee, target);
  const name = isFunctor(callee, target) ? "operator()" : nameOf(context, callee);
  if (target.functions === undefined) checkClassOperator(context, "()", callee);
  const values = e.arguments.map((argument) => evaluateArgument(context, argument));
  const found =
    target.functions === undefined ? undefined : [...target.functions, ...associatedFunctions(target.functions, e.function, values)];
  const functions = found === undefined ? undefined : callableOn(context, found, object, name);
  const isOpen = functions === undefined || functions.length === 0 || (functions.length > 1 && hasExpansion(e.arguments));
  const chosen = isOpen ? undefined : choose(context, functions, values, e, name, object?.type);
  for (const [index, value] of values.entries()) markLaunched(e, chosen, index, value);
  emitCall(context, e, chosen, name, values, object, launch, target.functions === undefined ? calledType(target.type) : undefined);
  if (chosen !== undefined) {
    useDefaults(context, e, chosen);
    instantiateMember(context, chosen, callee.span);
  }
  const written = writtenArguments(callee);
  if (functions !== undefined && written !== undefined && rejectsArguments(context, functions, written, values, e, name)) {
    for (const argument of e.arguments) if (argument.kind === "list") passList(context, argument, undefined, undefined);
    return unknownValue;
  }
  const instance = chosen?.isTemplate === true ? instantiateFunction(context, chosen, written, values) : undefined;
  if (chosen?.isTemplate === true) emitInstantiation(context, chosen, instance, written, values, callee.span);
  const type =
    instance !== undefined
      ? instance.type
      : chosen !== undefined && !chosen.isTemplate
        ? chosen.type
        : target.functions === undefined
          ? calledType(target.type)
          : undefined;
  passArguments(context, e, values, type, chosen, hasTemplateArguments(callee));
  if (isHeap(context, chosen, callee)) return { ...resultOf(type?.result ?? unknownType), heap: nameOf(context, callee) };
  if (type !== undefined) return resultOf(type.result);
  if (chosen?.isTemplate === true || target.functions === undefined) return unknownValue;
  return commonResult(target.functions, hasExpansion(e.arguments) ? undefined : values.length);
}

/** The value of an argument. A braced list is evaluated when its parameter is known, which it initializes. */
function evaluateArgument(context: Context, argument: Expression): Value {
  return argument.kind === "list" ? unknownValue : evaluate(context, argument);
}

/** Calls a lambda. In the text of a template its type, and so the call, depends on the arguments (C++17 §17.7.2.1). */
function callLambda(context: Context, e: CallExpression, { objectType = unknownType, path }: Value, lambda: FunctionSymbol): Value {
  const place = placeOf(context, e.function.span);
  const isMutable = hasWord(lambda.lambda?.words ?? [], "mutable");
  if (context.isEmitting && !context.isTemplate && isMutable && objectType.qualifiers.const)
    context.program.facts.constObjects.push({ callee: lambda, object: objectType, place });
  checkLambdaObject(context, lambda, { type: objectType, name: path?.steps.length === 0 ? path.root?.name : undefined }, place);
  const values = e.arguments.map((argument) => evaluateArgument(context, argument));
  if (!hasExpansion(e.arguments)) instantiateLambda(context, lambda, values, e.function.span);
  emitCall(context, e, lambda, nameOf(context, e.function), values, undefined);
  passArguments(context, e, values, context.isTemplate ? undefined : lambda.type, lambda, false);
  return context.isTemplate ? unknownValue : resultOf(lambda.type.result);
}

/** Functions of the C library that allocate memory on the host's heap. */
const heapFunctions = new Set([
  "malloc",
  "calloc",
  "realloc",
  "aligned_alloc",
  "strdup",
  "std::malloc",
  "std::calloc",
  "std::realloc",
  "std::aligned_alloc",
]);

/** True if the callee is the library's function: the program defines no other function of that name. */
function isHeap(context: Context, chosen: FunctionSymbol | undefined, callee: Expression): boolean {
  return (
    !isOpenCL(context) &&
    heapFunctions.has(nameOf(context, callee)) &&
    (chosen === undefined || !declarationsNow(context.scope, chosen).some(({ isDefinition }) => isDefinition))
  );
}

/** True if the call has explicit template arguments. */
export function hasTemplateArguments(callee: Expression): boolean {
  return writtenArguments(callee) !== undefined;
}

/** The explicit template arguments of a call; undefined if it has none. */
export function writtenArguments(callee: Expression): readonly TemplateArgument[] | undefined {
  const name = callee.kind === "name" || callee.kind === "member" ? callee.name : undefined;
  return name?.parts[name.parts.length - 1]?.templateArguments;
}

function constructedType(context: Context, callee: Extract<Expression, { kind: "name" }>): Type | undefined {
  if (functionsOf(resolveName(context, callee.name)).length > 0) return undefined;
  const type = typeOfName(context, callee.name);
  return type === undefined || type.kind === "unknown" ? undefined : type;
}

function evaluateCallee(context: Context, callee: Expression): Value {
  const value = callee.kind === "name" ? evaluateCalledName(context, callee) : evaluate(context, callee);
  const operators = value.functions === undefined ? callOperatorsOf(value.type) : [];
  if (operators.length > 0 && callOperatorOf(value.type) !== undefined) read(context, value, callee);
  if (operators.length > 0) return { type: unknownType, isLvalue: false, functions: operators, path: value.path, objectType: value.type };
  return value.functions === undefined && value.isLvalue ? read(context, value, callee) : value;
}

/** The expression without its parentheses. */
export function unwrap(expression: Expression): Expression {
  return expression.kind === "parenthesized" ? unwrap(expression.inner) : expression;
}

function calledType(type: Type): FunctionType | undefined {
  if (type.kind === "function") return type;
  if (type.kind === "pointer" && type.pointee.kind === "function") return type.pointee;
  return type.kind === "block" ? type.function : undefined;
}

/** The return type of a call, if all possible candidates return the same type. */
function commonResult(functions: readonly FunctionSymbol[], count: number | undefined): Value {
  const candidates = count === undefined ? functions : functions.filter((candidate) => takes(candidate, count));
  const first = candidates[0];
  if (
    first === undefined ||
    candidates.some((candidate) => candidate.isTemplate || printType(candidate.type.result) !== printType(first.type.result))
  )
    return unknownValue;
  return resultOf(first.type.result);
}

function passArguments(
  context: Context,
  e: CallExpression,
  values: readonly Value[],
  type: FunctionType | undefined,
  chosen: FunctionSymbol | undefined,
  isExplicit: boolean,
): void {
  const declaration = chosen === undefined ? undefined : informativeDeclaration(context, chosen);
  for (const [index, argument] of e.arguments.entries()) {
    const value = values[index] ?? unknownValue;
    const parameter = type === undefined ? independentParameter(context, chosen, index) : type.parameters[index];
    if (argument.kind === "list") passList(context, argument, parameter, declaration?.parameters[index]);
    else if (parameter !== undefined)
      convert(context, value, parameter, { context: "pass", operand: argument, target: declaration?.parameters[index] });
    else if (type === undefined && context.dialect.cplusplus)
      passOpen(context, value, argument, isExplicit ? undefined : declaration?.parameters[index]?.symbol);
    else read(context, value, argument);
  }
}

/**
 * The type of a template's parameter if it is the same for all arguments. Undefined if argument-dependent lookup within another
 * template may find functions that are declared later. That cannot happen for a member function.
 */
function independentParameter(context: Context, chosen: FunctionSymbol | undefined, index: number): Type | undefined {
  if (isOpenCL(context) || chosen?.isTemplate !== true || (context.isTemplate && chosen.record === undefined)) return undefined;
  const parameter = chosen.type.parameters[index];
  return parameter === undefined || containsUnknown(parameter) || isPack(chosen, index) ? undefined : parameter;
}

function isPack({ declarations }: FunctionSymbol, index: number): boolean {
  return declarations.some(({ parameters }) => parameters[index]?.symbol.isPack === true);
}

/**
 * Passes an argument to a parameter of unknown type. For a template's parameter it is known whether it is a reference; for an
 * unknown function not even that.
 */
function passOpen(context: Context, value: Value, argument: Expression, parameter: VariableSymbol | undefined): void {
  const isKnown = parameter !== undefined && parameter.type.kind !== "unknown";
  if (isKnown && parameter.type.kind !== "reference") read(context, value, argument);
  else access(context, value, "bind", argument, !isKnown);
}

/** The declaration whose parameters a message should point at: the definition, if it is in this file. */
function informativeDeclaration({ scope }: Context, symbol: FunctionSymbol): FunctionDeclaration | undefined {
  return declarationsNow(scope, symbol).find(({ isDefinition }) => isDefinition) ?? symbol.declarations[0];
}

function emitCall(
  context: Context,
  e: CallExpression,
  chosen: FunctionSymbol | undefined,
  name: string,
  values: readonly Value[],
  object: CallFact["object"],
  launch: readonly Value[] = [],
  type: FunctionType | undefined = undefined,
): void {
  if (!context.isEmitting) return;
  const isNamed = hasTemplateArguments(unwrap(e.function));
  if (e.launch === undefined)
    emitWrittenCall(context, chosen, values, e.span, isNamed, (callee) => isCertainCallee(context, callee, e, values));
  context.program.facts.calls.push({
    callee: chosen,
    name,
    arguments: e.arguments.map((expression, index) => argumentOf(context, expression, values[index] ?? unknownValue)),
    launch: e.launch,
    ...launchFacts(context, e, { chosen, type }, values, launch, () => writtenArguments(unwrap(e.function))),
    ...(object === undefined ? {} : { object }),
    ...(isNamed ? { hasTemplateArguments: true } : {}),
    place: placeOf(context, e.span),
    within: context.within,
    ...(context.lambda === undefined ? {} : { lambda: context.lambda }),
  });
}

function argumentOf(context: Context, expression: Expression, { type, path, heap }: Value): CallFact["arguments"][number] {
  const plain = { expression, type, path, place: placeOf(context, expression.span), ...(heap === undefined ? {} : { heap }) };
  if (isOpenCL(context)) return plain;
  const value = constantInteger(context, expression);
  const measured = measuredTypes(context, expression);
  return { ...plain, ...(value === undefined ? {} : { value }), ...(measured.length === 0 ? {} : { measured }) };
}

/** The types of the `sizeof` operands in a sum or product. */
function measuredTypes(context: Context, e: Expression): readonly Type[] {
  switch (e.kind) {
    case "parenthesized":
      return measuredTypes(context, e.inner);
    case "cast":
    case "named-cast":
    case "unary":
      return measuredTypes(context, e.operand);
    case "binary":
      return [...measuredTypes(context, e.left), ...measuredTypes(context, e.right)];
    case "sizeof":
      return [typeOfOperand({ ...context, isEmitting: false }, e.operand)];
    default:
      return [];
  }
}

function nameOf(context: Context, callee: Expression): string {
  if (callee.kind === "name") return printName(callee.name);
  return callee.kind === "member" ? unqualifiedName(callee.name) : textOf(placeOf(context, callee.span));
}
