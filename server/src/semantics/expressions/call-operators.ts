/**
 * Finds the member functions that a call of an object may mean, `f(x)` with an `f` of class type (C++17 §16.3.1.1.2), and the object
 * that a member function is called on.
 */
import type { Expression } from "../../syntax/ast.ts";
import { type Context, placeOf } from "../facts/context.ts";
import type { Value } from "../facts/evaluator.ts";
import type { CallFact } from "../facts/facts.ts";
import { scopeOfRecord } from "../symbols/record-scopes.ts";
import { functionsOf, lookupIn } from "../symbols/scope.ts";
import { callOperatorOf } from "../types/predicates.ts";
import type { FunctionSymbol } from "../types/symbols.ts";
import { isOpaqueToUs, type Type, unknownType } from "../types/types.ts";
import { conversionFunctions, isDerived } from "./conversion-costs.ts";
import { qualifiersOfThis } from "./primary-expressions.ts";

/**
 * The call operators of a class that is fully known. None if the object may instead be converted to a function pointer, which is
 * then called.
 */
export function callOperatorsOf(type: Type): readonly FunctionSymbol[] {
  const lambda = callOperatorOf(type);
  if (lambda !== undefined) return [lambda];
  if (type.kind !== "record" || type.record.isIncomplete) return [];
  const scope = scopeOfRecord(type.record);
  const symbols = scope === undefined ? [] : lookupIn(scope, "operator()");
  const functions = functionsOf(symbols);
  if (functions.length === 0 || functions.length < symbols.length) return [];
  return conversionFunctions(type.record)?.some((each) => mayBeFunction(each.type.result)) === false ? functions : [];
}

function mayBeFunction(type: Type): boolean {
  if (type.kind === "pointer") return mayBeFunction(type.pointee);
  if (type.kind === "reference") return mayBeFunction(type.referent);
  return type.kind === "function" || type.kind === "auto" || isOpaqueToUs(type);
}

/** The object that a member function is called on. */
export function calledObject(context: Context, callee: Expression, target: Value): CallFact["object"] {
  if (target.functions === undefined) return undefined;
  if (isFunctor(callee, target)) return { type: target.objectType ?? unknownType, path: target.path, place: placeOf(context, callee.span) };
  if (callee.kind === "member")
    return { type: target.objectType ?? unknownType, path: target.path, place: placeOf(context, callee.object.span) };
  const record = context.within?.record;
  const isOwn =
    callee.kind === "name" &&
    record !== undefined &&
    target.functions.every((each) => each.record !== undefined && isDerived(record, each.record) === true);
  return isOwn
    ? {
        type: { kind: "record", record, qualifiers: qualifiersOfThis(context) },
        path: { root: undefined, steps: [] },
        place: placeOf(context, callee.span),
      }
    : undefined;
}

/** True if the callee is an object whose class has a call operator, rather than a function's name. */
export function isFunctor(callee: Expression, { objectType }: Value): boolean {
  return objectType !== undefined && callee.kind !== "member";
}
