/**
 * CUDA: which local variable is the object that a function returns. nvcc creates it in the caller's object if every `return` names it (C++17
 * §15.8.3p1.1). Then it calls neither the constructor that copies it nor its destructor. clang judges both calls all the same.
 */
import { stepsLeft } from "../../budget.ts";
import { append } from "../../lists.ts";
import type { Expression } from "../../syntax/ast.ts";
import { hasWord } from "../../syntax/walk.ts";
import type { VariableSymbol } from "../types/symbols.ts";
import type { Context } from "./context.ts";
import type { Value } from "./evaluator.ts";
import type { SideCallFact } from "./facts.ts";

/** What a `return` hands over: a variable that may be the function's result, or something else; "unknown" if that is open. */
export type Returned = VariableSymbol | "other" | "unknown";

/** The variable or parameter of the present function that the operand of `return` names, and that may be moved (C++17 §15.8.3p3). */
export function returnedVariable(context: Context, e: Expression, value: Value): VariableSymbol | undefined {
  if (e.kind === "parenthesized") return returnedVariable(context, e.inner, value);
  const { root, steps = [] } = value.path ?? {};
  if (e.kind !== "name" || root === undefined || !isOwn(context, root)) return undefined;
  // A reference `T &&` is moved since C++20, and by clang in every standard.
  const isObject = root.type.kind !== "reference" ? steps.length === 0 : root.type.isRvalue && steps.length === 1;
  return isObject ? root : undefined;
}

/**
 * True if nvcc may create the variable in the caller's object: one outside of inner blocks, of the class that is written as the result. An
 * unknown type may be that class.
 */
export function mayBeResult(context: Context, variable: VariableSymbol): boolean {
  const { resultType, lambda } = context;
  const { type, scope, depth } = variable;
  const isSame =
    resultType?.kind === "unknown" || (resultType?.kind === "record" && type.kind === "record" && type.record === resultType.record);
  if (!isSame || type.qualifiers.volatile) return false;
  if (lambda?.lambda !== undefined && lambda.lambda.trailingReturn === undefined) return false;
  return scope === "block" && depth === 0 && isOwn(context, variable);
}

/** True for an automatic variable or a parameter of the innermost function or lambda. */
function isOwn({ within, lambda }: Context, { scope, owner, lambda: home, memorySpace, words }: VariableSymbol): boolean {
  if (scope === "parameter") return owner === (lambda ?? within);
  return scope === "block" && owner === within && home === lambda && memorySpace === undefined && !hasWord(words, ...notAutomatic);
}

const notAutomatic = ["static", "extern", "thread_local"] as const;

/** Records what a `return` hands over. */
export function emitReturned(context: Context, returned: VariableSymbol | "other" | "unknown"): void {
  if (!context.isEmitting || context.dialect.language !== "cuda") return;
  const isResult = typeof returned === "string" || mayBeResult(context, returned);
  context.program.facts.returns.push(isResult ? returned : "other");
}

/** Where the records of a body begin. */
export interface BodyStart {
  readonly returns: number;
  readonly hostCalls: number;
  readonly deviceCalls: number;
}

/** Remembers where the records of a body begin. */
export function startBody({ program: { facts } }: Context): BodyStart {
  return { returns: facts.returns.length, hostCalls: facts.hostCalls.length, deviceCalls: facts.deviceCalls.length };
}

/**
 * Forgets the calls of a body that nvcc does not make because it creates the variable in the caller's object. Host code destroys that object
 * if an exception is thrown.
 */
export function endBody({ program: { facts }, dialect }: Context, start: BodyStart): void {
  const [first, ...others] = new Set(facts.returns.splice(start.returns));
  if (dialect.language !== "cuda" || dialect.hip) return;
  // Nothing is said of a body whose returns are not all known.
  const isOpen = first === undefined || first === "unknown" || others.includes("unknown") || stepsLeft() < 0;
  const isMade = ({ result }: SideCallFact) => result === undefined || (!isOpen && (others.length > 0 || result !== first));
  const hostCalls = facts.hostCalls.splice(start.hostCalls);
  append(facts.hostCalls, hostCalls.filter(isMade));
  const deviceCalls = facts.deviceCalls.splice(start.deviceCalls);
  append(
    facts.deviceCalls,
    deviceCalls.filter((call) => call.as === "destructor" || isMade(call)),
  );
}

/** True if the expression creates an object, if its value is one. */
export function createsObject(e: Expression): boolean {
  if (e.kind === "parenthesized") return createsObject(e.inner);
  if (e.kind === "conditional") return e.then !== undefined && createsObject(e.then) && createsObject(e.otherwise);
  if (e.kind === "comma") return createsObject(e.right);
  if (e.kind === "binary") return e.operator !== ".*" && e.operator !== "->*";
  return ["call", "construct", "compound-literal", "cast", "named-cast", "unary", "subscript"].includes(e.kind);
}
