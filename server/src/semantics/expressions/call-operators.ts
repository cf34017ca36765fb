/** Finds the member functions that a call of an object may mean: `f(x)` with an `f` of class type (C++17 §16.3.1.1.2). */
import { scopeOfRecord } from "../declarations/records.ts";
import { functionsOf, lookupIn } from "../symbols/scope.ts";
import type { FunctionSymbol } from "../types/symbols.ts";
import { isOpaqueToUs, type Type } from "../types/types.ts";
import { conversionFunctions } from "./conversion-costs.ts";

/**
 * The call operators of a class that is fully known. None if the object may instead be converted to a function pointer, which is
 * then called.
 */
export function callOperatorsOf(type: Type): readonly FunctionSymbol[] {
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
