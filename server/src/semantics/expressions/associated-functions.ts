/**
 * Argument-dependent lookup (C++17 §6.4.2): functions in the namespaces of the arguments' classes. `overloads.ts` chooses among
 * all candidates.
 */
import type { Expression } from "../../syntax/ast.ts";
import { lastPart } from "../declarations/name-resolution.ts";
import type { Value } from "../facts/evaluator.ts";
import { scopeOfRecord } from "../symbols/record-scopes.ts";
import { enclosingNamespace, functionsOf, lookupIn, type Scope } from "../symbols/scope.ts";
import type { FunctionSymbol, RecordSymbol } from "../types/symbols.ts";
import type { TemplateValue, Type } from "../types/types.ts";

const deepest = 20;

/** The candidates that the arguments add to those of an unqualified name; none if the name was found as a class member. */
export function associatedFunctions(
  found: readonly FunctionSymbol[],
  callee: Expression,
  values: readonly Value[],
): readonly FunctionSymbol[] {
  if (callee.kind !== "name" || callee.name.parts.length > 1 || callee.name.isGlobal || found.some(({ record }) => record !== undefined))
    return [];
  const name = lastPart(callee.name)?.text;
  const scopes = new Set<Scope>();
  for (const { type } of values) addScopes(type, scopes, 0);
  if (name === undefined || scopes.size === 0) return [];
  const added = [...scopes].flatMap((scope) => functionsOf(lookupIn(scope, name)));
  return [...new Set(added)].filter((each) => !found.includes(each));
}

function addScopes(type: Type, scopes: Set<Scope>, depth: number): void {
  if (depth > deepest) return;
  if (type.kind === "pointer") addScopes(type.pointee, scopes, depth + 1);
  else if (type.kind === "reference") addScopes(type.referent, scopes, depth + 1);
  else if (type.kind === "array") addScopes(type.element, scopes, depth + 1);
  else if (type.kind === "record") addScopesOf(type.record, scopes, depth + 1);
}

function addScopesOf(record: RecordSymbol, scopes: Set<Scope>, depth: number): void {
  const scope = scopeOfRecord(record);
  if (scope !== undefined) scopes.add(enclosingNamespace(scope));
  for (const base of record.bases) addScopes(base, scopes, depth);
  for (const argument of record.instance?.arguments ?? []) if (isType(argument)) addScopes(argument, scopes, depth);
}

function isType(value: TemplateValue): value is Type {
  return typeof value !== "bigint";
}
