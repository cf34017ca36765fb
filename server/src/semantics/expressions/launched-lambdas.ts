/** Finds the lambdas that run in a kernel: those that are passed to a launch, directly or by functions that pass on their parameter. */
import type { Expression, Statement } from "../../syntax/ast.ts";
import { walkExpressions } from "../../syntax/walk.ts";
import { lastPart, resolveName } from "../declarations/name-resolution.ts";
import type { Context } from "../facts/context.ts";
import type { Value } from "../facts/evaluator.ts";
import { functionsOf } from "../symbols/scope.ts";
import { templateTextOf } from "../templates/function-templates.ts";
import type { FunctionSymbol } from "../types/symbols.ts";
import { callOperatorOf } from "./lambdas.ts";

/** Marks a lambda that is passed to a kernel, directly or through a variable. */
export function markLaunched(argument: Expression, value: Value | undefined): void {
  const variable = value?.path?.steps.length === 0 ? value.path.root : undefined;
  const given = variable?.initializer?.kind === "value" ? variable.initializer.value : argument;
  const lambda = given.kind === "lambda" ? callOperatorOf(given) : undefined;
  if (lambda !== undefined) lambda.isLaunched = true;
}

/** How many functions may pass a lambda on before it reaches the launch. */
const longest = 4;

/** True if a function template passes its parameter to a kernel. */
export function passesToKernel(callee: FunctionSymbol | undefined, index: number, depth = 0): boolean {
  const context = callee?.isTemplate === true ? templateTextOf(callee)?.context : undefined;
  const definition = callee?.declarations.find(({ isDefinition }) => isDefinition);
  const name = definition?.parameters[index]?.symbol.name;
  if (context === undefined || definition?.body === undefined || name === undefined || name === "" || depth > longest) return false;
  return calls(definition.body).some((call) => {
    const at = call.arguments.findIndex((argument) => standsFor(argument, name));
    return at >= 0 && (call.launch !== undefined || passesToKernel(calleeOf(context, call), at, depth + 1));
  });
}

type Call = Extract<Expression, { readonly kind: "call" }>;

function calleeOf(context: Context, call: Call): FunctionSymbol | undefined {
  const functions = call.function.kind === "name" ? functionsOf(resolveName(context, call.function.name)) : [];
  return functions.length === 1 ? functions[0] : undefined;
}

/** True for the name itself, `std::forward<F>(name)` and `std::move(name)`. */
function standsFor(e: Expression, name: string): boolean {
  if (e.kind === "name") return e.name.parts.length === 1 && lastPart(e.name)?.text === name;
  if (e.kind !== "call" || e.function.kind !== "name") return false;
  const [only, ...more] = e.arguments;
  const isPassing = /^(?:forward|move)$/.test(lastPart(e.function.name)?.text ?? "");
  return isPassing && only !== undefined && more.length === 0 && standsFor(only, name);
}

/** The calls in a statement, without those in lambdas and in branches that may be discarded. */
function calls(statement: Statement): readonly Call[] {
  switch (statement.kind) {
    case "block":
      return statement.statements.flatMap(calls);
    case "expression":
      return callsIn(statement.expression);
    case "return":
      return statement.value === undefined ? [] : callsIn(statement.value);
    case "if":
      return statement.isConstexpr
        ? []
        : [...calls(statement.then), ...(statement.otherwise === undefined ? [] : calls(statement.otherwise))];
    case "for":
    case "while":
    case "do":
      return calls(statement.body);
    default:
      return [];
  }
}

function callsIn(expression: Expression): readonly Call[] {
  const found: Call[] = [];
  walkExpressions(expression, (inner) => {
    if (inner.kind === "call") found.push(inner);
  });
  return found;
}
