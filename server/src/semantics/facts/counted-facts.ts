/**
 * Facts as rules get them: whoever goes through all facts of a kind pays for it from the budget in force, so that a rule that
 * does so for each of them ends with the budget and not with the patience of whoever waits. Nothing else differs from arrays.
 */
import { demand } from "../../budget.ts";
import type { Facts } from "./facts.ts";

/** So many elements are gone through in the time of one step. */
const elementsPerStep = 32;

class CountedList<T> extends Array<T> {
  // What is made of such a list is an ordinary one.
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }
}

// Each takes as long as the list is, or may; the methods themselves are those of arrays.
const passes = ["filter", "find", "findIndex", "flatMap", "forEach", "includes", "indexOf", "map", "reduce", "some", "every"] as const;

for (const name of [...passes, Symbol.iterator] as const) {
  const own = Array.prototype[name] as (this: readonly unknown[], ...given: readonly unknown[]) => unknown;
  Object.defineProperty(CountedList.prototype, name, {
    value(this: readonly unknown[], ...given: readonly unknown[]): unknown {
      demand(1 + Math.floor(this.length / elementsPerStep));
      return Reflect.apply(own, this, given);
    },
  });
}

/** The same facts in lists that count. */
export function countedFacts(facts: Facts): Facts {
  const lists = Object.entries(facts).map(([name, list]: [string, readonly unknown[]]) => [name, counted(list)] as const);
  return Object.fromEntries(lists) as unknown as Facts;
}

function counted(list: readonly unknown[]): readonly unknown[] {
  const result = new CountedList<unknown>();
  for (const element of list) result.push(element);
  return result;
}
