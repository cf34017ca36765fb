/**
 * CUDA: whether a call uses a lambda that it is given. The body of a device lambda is compiled only where something calls its call
 * operator or takes its address: nvcc accepts anything in one whose callee merely copies, measures or stores it. What does not show,
 * because a callee or its body is unknown, counts as a use.
 */
import type { CallExpression, Expression, LambdaExpression, Name, Statement } from "../../syntax/ast.ts";
import { childExpressions, childStatements, declaratorName, lastPart, ownExpressions } from "../../syntax/walk.ts";
import { resolveName } from "../declarations/name-resolution.ts";
import { calleeOf, standsFor } from "../expressions/launches.ts";
import type { Context } from "../facts/context.ts";
import { consultedBody } from "../types/bodies.ts";
import type { FunctionSymbol } from "../types/symbols.ts";
import type { Type } from "../types/types.ts";
import { templateTextOf } from "./function-templates.ts";

/** How many functions may pass a lambda on before it counts as used. */
const longest = 4;

/** False if the callee's text shows that it does nothing with the call operator of a lambda, its argument at this index. */
export function usesLambda(callee: FunctionSymbol | undefined, index: number, depth = 0): boolean {
  if (callee === undefined || callee.isBuiltin || depth > longest) return true;
  const definition = callee.declarations.find(({ isDefinition }) => isDefinition);
  const { parameters = [] } = definition ?? callee.declarations[0] ?? {};
  const parameter = parameters[index] ?? parameters.find(({ symbol }) => symbol.isPack === true);
  if (parameter === undefined) return !callee.type.isVariadic;
  const { name, type } = parameter.symbol;
  // The constructor of the class decides what becomes of the lambda.
  if (isClass(type)) return false;
  const text = callee.isTemplate ? templateTextOf(callee) : undefined;
  const body = definition === undefined ? undefined : consultedBody(definition);
  if (text === undefined || body === undefined || body.isSkipped === true) return true;
  if (name === "") return false;
  const types = new Set(text.item.parameters.flatMap((each) => each.name ?? []));
  return usesIn({ context: text.context, names: new Set([name]), types, depth }, body);
}

function isClass(type: Type): boolean {
  return type.kind === "reference" ? isClass(type.referent) : type.kind === "record" && !type.record.isDependent;
}

/** The variables of a function's body that are, or contain, the lambda, and the template parameters that may be its type. */
interface Holders {
  readonly context: Context;
  readonly names: Set<string>;
  readonly types: ReadonlySet<string>;
  readonly depth: number;
}

/** True for a statement that uses the lambda whatever `if constexpr` discards. Adds the variables that it declares to the holders. */
function usesIn(holders: Holders, statement: Statement): boolean {
  if (statement.kind === "unknown") return true;
  if (statement.kind === "if" && statement.isConstexpr)
    return statement.otherwise !== undefined && usesIn(holders, statement.then) && usesIn(holders, statement.otherwise);
  if (statement.kind === "item" && statement.item.kind === "declaration") {
    for (const { declarator, initializer } of statement.item.declarators) {
      const name = declaratorName(declarator);
      const values =
        initializer?.kind === "value" ? [initializer.value] : initializer?.kind === "direct" ? initializer.arguments : undefined;
      if (name !== undefined && values?.some((value) => holds(holders, value) || isUser(holders, value))) holders.names.add(lastPart(name));
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
    e.arguments.some((each, index) => isPassed(each) && usesLambda(called, index, holders.depth + 1)) ||
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
  const mentions = name.parts.some(
    ({ text, templateArguments = [] }) =>
      types.has(text) || templateArguments.some((each) => each.kind === "type-id" && isNamed(types, each.specifiers.type)),
  );
  const symbols = mentions && name.parts.length === 1 ? resolveName(context, name) : [];
  return mentions && (lastPart(name) === "operator()" || symbols.some(({ kind }) => kind === "function"));
}

function isNamed(types: ReadonlySet<string>, type: { readonly kind: string; readonly name?: unknown } | undefined): boolean {
  return type?.kind === "named" && types.has(lastPart(type.name as Name));
}
