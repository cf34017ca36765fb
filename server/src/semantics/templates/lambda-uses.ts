/**
 * CUDA: what a function does with a lambda that a call passes to it, directly or through further functions. The body of a device lambda
 * is compiled only where something calls its call operator or takes its address: nvcc accepts anything in one whose callee merely copies,
 * measures or stores it. If a callee or its body is unknown, that counts as a use, but not as a launch.
 */
import type { CallExpression, Expression, LambdaExpression, Name, Statement, TemplateArgument } from "../../syntax/ast.ts";
import {
  childExpressions,
  childStatements,
  declaratorName,
  ownExpressions,
  unqualifiedName,
  valuesOf,
  walkCertainExpressions,
} from "../../syntax/walk.ts";
import { resolveName } from "../declarations/name-resolution.ts";
import type { Context } from "../facts/context.ts";
import type { CallArgument, CallFact } from "../facts/facts.ts";
import { functionsOf } from "../symbols/scope.ts";
import { consultedBody } from "../types/bodies.ts";
import { callOperatorOf } from "../types/predicates.ts";
import type { FunctionSymbol, ParameterDeclaration } from "../types/symbols.ts";
import type { Type } from "../types/types.ts";
import { templateTextOf } from "./function-templates.ts";
import { isDefinedTemplate } from "./late-definitions.ts";

/** How many functions a lambda is followed through. */
const most = 64;

/** True if a function template passes its parameter to a kernel. `seen` are the parameters that have been followed. */
export function passesToKernel(
  callee: FunctionSymbol | undefined,
  index: number,
  seen: Set<ParameterDeclaration> = new Set<ParameterDeclaration>(),
): boolean {
  const context = callee?.isTemplate === true ? templateTextOf(callee)?.context : undefined;
  const definition = callee?.declarations.find(({ isDefinition }) => isDefinition);
  const parameter = definition?.parameters[index];
  if (context === undefined || definition === undefined || parameter === undefined || parameter.symbol.name === "") return false;
  if (seen.has(parameter) || seen.size >= most) return false;
  seen.add(parameter);
  const body = consultedBody(definition);
  const calls: CallExpression[] = [];
  if (body !== undefined)
    walkCertainExpressions(body, (inner) => {
      if (inner.kind === "call") calls.push(inner);
    });
  return calls.some((call) => {
    const at = call.arguments.findIndex((argument) => standsFor(argument, parameter.symbol.name));
    return at >= 0 && (call.launch !== undefined || passesToKernel(calleeOf(context, call), at, seen));
  });
}

/** The only function that the name in a call may mean. */
function calleeOf(context: Context, call: CallExpression): FunctionSymbol | undefined {
  const functions = call.function.kind === "name" ? functionsOf(resolveName(context, call.function.name)) : [];
  return functions.length === 1 ? functions[0] : undefined;
}

/** True for the name itself, `std::forward<F>(name)` and `std::move(name)`. */
function standsFor(e: Expression, name: string): boolean {
  if (e.kind === "name") return e.name.parts.length === 1 && unqualifiedName(e.name) === name;
  if (e.kind !== "call" || e.function.kind !== "name") return false;
  const [only, ...more] = e.arguments;
  const isPassing = /^(?:forward|move)$/.test(unqualifiedName(e.function.name));
  return isPassing && only !== undefined && more.length === 0 && standsFor(only, name);
}

/** The parameters that have been followed, each with whether its function uses it; false while that is being found out. */
type Known = Map<ParameterDeclaration, boolean>;

/** Marks the lambdas among the arguments that their callees do not use. Callees may be defined after the calls, so this comes last. */
export function markIgnoredLambdas(calls: CallFact[]): void {
  for (const [at, call] of calls.entries()) {
    const values = call.arguments.map((argument, index) => marked(argument, call.callee, index));
    if (values.some((value, index) => value !== call.arguments[index])) calls[at] = { ...call, arguments: values };
  }
}

function marked(argument: CallArgument, callee: FunctionSymbol | undefined, index: number): CallArgument {
  const { isIgnored: known, ...plain } = argument;
  const isIgnored = callOperatorOf(argument.type) !== undefined && !usesLambda(callee, index);
  return isIgnored === (known === true) ? argument : isIgnored ? { ...plain, isIgnored } : plain;
}

/** False if the callee's text shows that it does nothing with the call operator of a lambda, its argument at this index. */
function usesLambda(callee: FunctionSymbol | undefined, index: number, known: Known = new Map<ParameterDeclaration, boolean>()): boolean {
  if (callee === undefined || callee.isBuiltin) return true;
  if (callee.isTemplate && !isDefinedTemplate(callee)) return false;
  const definition = callee.declarations.find(({ isDefinition }) => isDefinition);
  const { parameters = [] } = definition ?? callee.declarations[0] ?? {};
  const parameter = parameters[index] ?? parameters.find(({ symbol }) => symbol.isPack === true);
  if (parameter === undefined) return !callee.type.isVariadic;
  const { name, type } = parameter.symbol;
  // What the constructor of the class does with the lambda is not followed.
  if (isClass(type)) return false;
  const text = callee.isTemplate ? templateTextOf(callee) : undefined;
  const body = definition === undefined ? undefined : consultedBody(definition);
  if (text === undefined || body === undefined || body.isSkipped === true) return true;
  if (name === "") return false;
  const before = known.get(parameter);
  if (before !== undefined || known.size >= most) return before ?? true;
  known.set(parameter, false);
  const types = new Set(text.item.parameters.flatMap((each) => each.name ?? []));
  const isUsed = usesIn({ context: text.context, names: new Set([name]), types, known }, body);
  known.set(parameter, isUsed);
  return isUsed;
}

function isClass(type: Type): boolean {
  return type.kind === "reference" ? isClass(type.referent) : type.kind === "record" && !type.record.isDependent;
}

/** The variables of a function's body that are, or contain, the lambda, and the template parameters that may be its type. */
interface Holders {
  readonly context: Context;
  readonly names: Set<string>;
  readonly types: ReadonlySet<string>;
  readonly known: Known;
}

/** True for a statement that uses the lambda whatever `if constexpr` discards. Adds the variables that it declares to the holders. */
function usesIn(holders: Holders, statement: Statement): boolean {
  if (statement.kind === "unknown") return true;
  if (statement.kind === "if" && statement.isConstexpr)
    return statement.otherwise !== undefined && usesIn(holders, statement.then) && usesIn(holders, statement.otherwise);
  if (statement.kind === "item" && statement.item.kind === "declaration") {
    for (const { declarator, initializer } of statement.item.declarators) {
      const name = declaratorName(declarator);
      const isHolder = valuesOf(initializer).some((value) => holds(holders, value) || isUser(holders, value));
      if (name !== undefined && isHolder) holders.names.add(unqualifiedName(name));
    }
  }
  return (
    ownExpressions(statement).some((each) => usesInExpression(holders, each)) ||
    childStatements(statement).some((each) => usesIn(holders, each))
  );
}

/** True for a lambda in the body that would use the outer one if something called it. */
function isUser(holders: Holders, e: Expression): e is LambdaExpression {
  return e.kind === "lambda" && usesIn({ ...holders, names: new Set(holders.names) }, e.body);
}

/** True for the lambda, and for an object that is made of it. */
function holds(holders: Holders, e: Expression): boolean {
  if ([...holders.names].some((name) => standsFor(e, name))) return true;
  switch (e.kind) {
    case "parenthesized":
      return holds(holders, e.inner);
    case "cast":
    case "named-cast":
      return holds(holders, e.operand);
    case "compound-literal":
      return holds(holders, e.value);
    case "list":
      return e.elements.some(({ value }) => holds(holders, value));
    case "construct":
      return e.arguments.some((each) => holds(holders, each));
    case "call":
      return isOfType(holders, e) && e.arguments.some((each) => holds(holders, each));
    default:
      return false;
  }
}

function usesInExpression(holders: Holders, e: Expression): boolean {
  switch (e.kind) {
    case "sizeof":
    case "alignof":
    case "typeid":
    case "noexcept":
    case "requires":
    case "lambda":
      return false;
    case "name":
      return namesUse(holders, e.name);
    case "statement-expression":
      return usesIn(holders, e.body);
    case "unknown":
      return e.operands.some((each) => holds(holders, each) || usesInExpression(holders, each));
    case "call":
      return usesInCall(holders, e);
    default:
      return childExpressions(e).some((each) => usesInExpression(holders, each));
  }
}

function usesInCall(holders: Holders, e: CallExpression): boolean {
  const callee = e.function.kind === "member" ? e.function.object : e.function;
  if (holds(holders, callee) || isUser(holders, callee)) return true;
  // It makes an object of the lambda, or only passes it on as `std::move` does.
  if (holds(holders, e)) return false;
  const called = calleeOf(holders.context, e);
  const isPassed = (each: Expression) => holds(holders, each) || isUser(holders, each);
  return (
    e.arguments.some((each, index) => isPassed(each) && usesLambda(called, index, holders.known)) ||
    childExpressions(e).some((each) => usesInExpression(holders, each))
  );
}

/** True if the call constructs an object. */
function isOfType({ context }: Holders, { function: named }: CallExpression): boolean {
  const symbols = named.kind === "name" ? resolveName(context, named.name) : [];
  return symbols.some(({ kind }) => kind !== "function" && kind !== "variable" && kind !== "unknown");
}

/** True for `F::operator()`, and for a function template with the lambda's type as an argument: `run<F>`. */
function namesUse({ context, types }: Holders, name: Name): boolean {
  const isType = (argument: TemplateArgument): boolean => {
    const type = argument.kind === "type-id" ? argument.specifiers.type : undefined;
    return type?.kind === "named" && types.has(unqualifiedName(type.name));
  };
  const mentions = name.parts.some(({ text, templateArguments = [] }) => types.has(text) || templateArguments.some(isType));
  const symbols = mentions && name.parts.length === 1 ? resolveName(context, name) : [];
  return mentions && (unqualifiedName(name) === "operator()" || symbols.some(({ kind }) => kind === "function"));
}
