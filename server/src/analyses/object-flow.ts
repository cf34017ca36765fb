/**
 * Finds the object that an lvalue is part of, and the object that a pointer points to, through the local pointers and references of
 * one file. A pointer's target is known only if all of its sources are.
 */
import { demand } from "../budget.ts";
import { memo } from "../memo.ts";
import type { AccessPath, CallFact, Facts } from "../semantics/facts/facts.ts";
import type { FunctionSymbol, VariableSymbol } from "../semantics/types/symbols.ts";
import { accessesTo } from "./fact-index.ts";

/** How many levels of pointers are followed. */
const stepsFollowed = 8;

/** Finds the object that a path refers to, or that a pointer points to; undefined if that is uncertain. */
export interface ObjectFlow {
  /** The object that an lvalue is part of, through known pointers and references. */
  resolve(path: AccessPath): AccessPath;
  /** The object that a pointer points to, if that is known. */
  pointee(path: AccessPath | undefined): AccessPath | undefined;
  /** The object that an argument passes by reference or by address; undefined if it is passed by value. */
  passed(call: CallFact, index: number): AccessPath | undefined;
}

/** Follows the pointers of one file's functions. */
export const objectFlow = memo(createFlow);

function createFlow(facts: Facts): ObjectFlow {
  const sources = sourcesOf(facts);
  /** By the number of levels that may still be followed. Variables that are assigned to each other are met again at every level. */
  const known = new Map<VariableSymbol, Map<number, AccessPath | undefined>>();
  const targetOf = (variable: VariableSymbol, depth: number): AccessPath | undefined => {
    const from = sources.get(variable);
    if (from === undefined || from === "unknown") return undefined;
    let first: AccessPath | undefined;
    for (const source of from) {
      const target = pointee(source, depth - 1) ?? argumentOf(source);
      if (target === undefined || (first !== undefined && target.root !== first.root)) return undefined;
      first ??= target;
    }
    return first;
  };
  /** The object of the caller to which a parameter points, if the function gives the parameter no other pointer. */
  const argumentOf = ({ root, steps }: AccessPath): AccessPath | undefined =>
    root?.scope === "parameter" && root.type.kind === "pointer" && steps.length === 0 && !sources.has(root) && !isReplaced(root, facts)
      ? { root, steps: [{ kind: "dereference" }] }
      : undefined;
  const pointee = (path: AccessPath | undefined, depth = stepsFollowed): AccessPath | undefined => {
    if (path === undefined || depth === 0) return undefined;
    demand();
    const last = path.steps[path.steps.length - 1];
    if (last?.kind === "address") return resolve({ root: path.root, steps: path.steps.slice(0, -1) }, depth - 1);
    if (path.steps.length > 0 || path.root === undefined) return undefined;
    const byDepth = known.get(path.root) ?? new Map<number, AccessPath | undefined>();
    known.set(path.root, byDepth);
    if (!byDepth.has(depth)) byDepth.set(depth, targetOf(path.root, depth));
    return byDepth.get(depth);
  };
  const resolve = (path: AccessPath, depth = stepsFollowed): AccessPath => {
    const at = path.steps.findIndex(({ kind }) => kind === "dereference");
    if (at < 0 || depth === 0) return path;
    const isBound = at === 0 && path.root?.type.kind === "reference";
    const target = isBound ? boundTo(path.root, depth) : pointee({ root: path.root, steps: path.steps.slice(0, at) }, depth);
    return target === undefined ? path : resolve({ root: target.root, steps: [...target.steps, ...path.steps.slice(at + 1)] }, depth - 1);
  };
  const boundTo = (variable: VariableSymbol | undefined, depth: number): AccessPath | undefined => {
    const from = variable === undefined ? undefined : sources.get(variable);
    const only = from === undefined || from === "unknown" || from.length !== 1 ? undefined : from[0];
    return only === undefined ? undefined : resolve(only, depth - 1);
  };
  return {
    resolve: (path) => resolve(path),
    pointee: (path) => pointee(path),
    passed: ({ callee, arguments: values }, index) => {
      const argument = values[index];
      if (argument?.path === undefined) return undefined;
      if (isReference(callee, index)) return resolve(argument.path);
      return pointee(pointerPath(argument)) ?? { root: argument.path.root, steps: [...argument.path.steps, { kind: "dereference" }] };
    },
  };
}

/** True if the function assigns another pointer to its parameter. */
export function isReplaced(parameter: VariableSymbol, facts: Facts): boolean {
  return (
    parameter.type.kind === "pointer" &&
    accessesTo(facts, parameter).some(({ mode, path }) => path.steps.length === 0 && mode !== "read" && mode !== "read-write")
  );
}

/** A pointer with more sources than this may point to anything. */
const mostSources = 32;

/** The sources of each local pointer, and of each reference; "unknown" if one of them is not visible. */
function sourcesOf({ conversions, accesses }: Facts): ReadonlyMap<VariableSymbol, readonly AccessPath[] | "unknown"> {
  const sources = new Map<VariableSymbol, AccessPath[] | "unknown">();
  const add = (variable: VariableSymbol, path: AccessPath | undefined) => {
    const known = sources.get(variable);
    if (known === "unknown") return;
    if (path === undefined || (known?.length ?? 0) >= mostSources) sources.set(variable, "unknown");
    else if (known === undefined) sources.set(variable, [path]);
    else known.push(path);
  };
  for (const { context, target, path, isNullConstant } of conversions) {
    if ((context !== "initialize" && context !== "assign") || target === undefined || !("kind" in target) || isNullConstant) continue;
    // Callers determine the value of a parameter. `p = p + 1` does not lead to another object.
    if (target.scope === "block" && !(path?.root === target && path.steps.length === 0)) add(target, path);
  }
  // A pointer whose own address is taken may be changed through that address.
  for (const { mode, path } of accesses) {
    if ((mode === "address" || mode === "bind") && path.steps.length === 0 && path.root?.type.kind === "pointer")
      sources.set(path.root, "unknown");
  }
  return sources;
}

function isReference(callee: FunctionSymbol | undefined, index: number): boolean {
  return callee?.declarations[0]?.parameters[index]?.symbol.type.kind === "reference";
}

/** The path of the pointer that an argument is; an array is passed as a pointer to its elements. */
export function pointerPath({ path, type }: CallFact["arguments"][number]): AccessPath | undefined {
  return path !== undefined && type.kind === "array" ? { root: path.root, steps: [...path.steps, { kind: "address" }] } : path;
}
