/** The effects of parameters' default arguments. They occur again in every call that uses the default argument. */
import type { AccessFact } from "../facts/facts.ts";
import type { VariableSymbol } from "../types/symbols.ts";

const accesses = new WeakMap<VariableSymbol, readonly AccessFact[]>();

/** Stores what evaluating the default argument of a parameter reads and writes. */
export function rememberDefaultAccesses(parameter: VariableSymbol, facts: readonly AccessFact[]): void {
  accesses.set(parameter, facts);
}

/** What evaluating the default argument of a parameter reads and writes; empty if there is none. */
export function defaultAccessesOf(parameter: VariableSymbol): readonly AccessFact[] {
  return accesses.get(parameter) ?? [];
}
