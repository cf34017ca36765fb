/** Computes results once for the facts of a file, because several rules ask for them. */
import type { Facts } from "../semantics/facts/facts.ts";

/** Computes a result when it is first requested, and keeps it as long as the facts exist. */
export function perFacts<Result extends object>(compute: (facts: Facts) => Result): (facts: Facts) => Result {
  const known = new WeakMap<Facts, Result>();
  return (facts) => {
    const result = known.get(facts) ?? compute(facts);
    known.set(facts, result);
    return result;
  };
}
