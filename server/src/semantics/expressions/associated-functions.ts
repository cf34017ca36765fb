/**
 * The candidates of a call besides those that its name finds, and which of them count: argument-dependent lookup (C++17 §6.4.2) adds functions in
 * the namespaces of the arguments' classes, and in HIP those of the other side do not count. `overloads.ts` chooses among all candidates.
 */
import type { Expression } from "../../syntax/ast.ts";
import { lastPart } from "../../syntax/walk.ts";
import { type Context, isHip } from "../facts/context.ts";
import type { Value } from "../facts/evaluator.ts";
import { isForDeviceAlone, isImplicitlyForBoth, runsOnDevice } from "../facts/sides.ts";
import { takes } from "../symbols/candidates.ts";
import { scopeOfRecord } from "../symbols/record-scopes.ts";
import { enclosingNamespace, functionsOf, lookupIn, type Scope } from "../symbols/scope.ts";
import type { FunctionSymbol, RecordSymbol } from "../types/symbols.ts";
import type { TemplateValue, Type } from "../types/types.ts";
import { mayAccept } from "./conversion-costs.ts";

/** How many pointers, references and arrays around a class count, and how many classes. */
const deepest = 20;
const mostClasses = 1_000;

/** The candidates that the arguments add to those of an unqualified name; none if the name was found as a class member. */
export function associatedFunctions(
  found: readonly FunctionSymbol[],
  callee: Expression,
  values: readonly Value[],
): readonly FunctionSymbol[] {
  if (callee.kind !== "name" || callee.name.parts.length > 1 || callee.name.isGlobal || found.some(({ record }) => record !== undefined))
    return [];
  const name = lastPart(callee.name)?.text;
  if (name === undefined) return [];
  const scopes = associatedScopes(values.map(({ type }) => type));
  const added = [...scopes].flatMap((scope) => functionsOf(lookupIn(scope, name)));
  return [...new Set(added)].filter((each) => !found.includes(each));
}

/** The namespaces of the classes that the types consist of: their own, and those of their bases and template arguments. */
function associatedScopes(types: readonly Type[]): ReadonlySet<Scope> {
  const scopes = new Set<Scope>();
  // A class is visited once: bases and arguments may lead to it in many ways. The set grows while it is walked.
  const records = new Set<RecordSymbol>();
  const add = (type: Type): void => {
    const target = targetOf(type, 0);
    if (target?.kind === "record" && records.size < mostClasses) records.add(target.record);
  };
  for (const type of types) add(type);
  for (const record of records) {
    const scope = scopeOfRecord(record);
    if (scope !== undefined) scopes.add(enclosingNamespace(scope));
    for (const base of record.bases) add(base);
    for (const argument of record.instance?.arguments ?? []) if (isType(argument)) add(argument);
  }
  return scopes;
}

/** What a pointer, a reference or an array leads to. */
function targetOf(type: Type, depth: number): Type | undefined {
  if (depth > deepest) return undefined;
  if (type.kind === "pointer") return targetOf(type.pointee, depth + 1);
  if (type.kind === "reference") return targetOf(type.referent, depth + 1);
  return type.kind === "array" ? targetOf(type.element, depth + 1) : type;
}

function isType(value: TemplateValue): value is Type {
  return typeof value !== "bigint";
}

/**
 * The functions among which clang chooses in HIP code: not those for the other side, if another one accepts the arguments. Undefined if both
 * sides compile the code and may choose differently. nvcc chooses among all.
 */
export function candidatesHere(
  context: Context,
  all: readonly FunctionSymbol[],
  values: readonly Value[],
): readonly FunctionSymbol[] | undefined {
  const { within, lambda } = context;
  if (!isHip(context) || all.length < 2 || within === undefined) return all;
  const viable = all.filter((each) => takes(each, values.length) && mayAccept(context, each, values));
  const [forDevice, forHost] = [
    viable.filter(isForDeviceAlone),
    viable.filter((each) => !runsOnDevice(each) && !isImplicitlyForBoth(each)),
  ];
  const isHost = (lambda ?? within).declarations.some(({ execution }) => execution.host && !execution.kernel);
  const isDevice = runsOnDevice(lambda ?? within);
  if (isHost && (isDevice || lambda !== undefined)) return forDevice.length === 0 || forHost.length === 0 ? all : undefined;
  const others = isDevice ? forHost : forDevice;
  return others.length < viable.length ? all.filter((each) => !others.includes(each)) : all;
}
