/**
 * Finds the builtin function of OpenCL C whose parameters have exactly the types of the arguments. Unrolled kernels call builtins
 * with dozens of overloads thousands of times, and comparing types is much cheaper than ranking all overloads.
 */
import { spend } from "../../budget.ts";
import type { Value } from "../facts/evaluator.ts";
import type { FunctionSymbol } from "../types/symbols.ts";
import type { Type } from "../types/types.ts";
import { decayed } from "./values.ts";

/** The only builtin function with exactly these types; undefined if other functions must be ranked. */
export function exactBuiltin(named: readonly FunctionSymbol[], values: readonly Value[]): FunctionSymbol | undefined {
  if (named.length < 2 || values.length === 0 || !spend(1 + (named.length >> 3))) return undefined;
  const types = values.map((value) => decayed(value).type);
  if (!types.every(({ kind }) => kind === "arithmetic" || kind === "vector")) return undefined;
  let found: FunctionSymbol | undefined;
  for (const candidate of named) {
    const { parameters, isVariadic } = candidate.type;
    if (!candidate.isBuiltin || candidate.isTemplate || isVariadic) return undefined;
    if (parameters.length !== types.length || !parameters.every((parameter, index) => isSame(parameter, types[index]))) continue;
    if (found !== undefined) return undefined;
    found = candidate;
  }
  return found;
}

/** True for the same number or vector, whatever its qualifiers. */
function isSame(one: Type, other: Type | undefined): boolean {
  if (one.kind === "arithmetic") return other?.kind === "arithmetic" && one.name === other.name && one.alias === other.alias;
  return one.kind === "vector" && other?.kind === "vector" && one.element === other.element && one.length === other.length;
}
