/** What a parameter's default argument does, which happens again in every call that uses it. */
import type { AccessFact } from "../facts/facts.ts";
import type { VariableSymbol } from "../types/symbols.ts";

const accesses = new WeakMap<VariableSymbol, readonly AccessFact[]>();

/** Remembers what evaluating the default argument of a parameter reads and writes. */
export function rememberDefaultAccesses(parameter: VariableSymbol, facts: readonly AccessFact[]): void {
  accesses.set(parameter, facts);
}

/** What evaluating the default argument of a parameter reads and writes; empty where it has none. */
export function defaultAccessesOf(parameter: VariableSymbol): readonly AccessFact[] {
  return accesses.get(parameter) ?? [];
}
