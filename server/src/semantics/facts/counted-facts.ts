/**
 * The lists of facts that rules get. A pass over all facts of a kind takes steps from the current budget, so that a rule with a
 * quadratic number of passes stops when the budget ends. Otherwise the lists are ordinary arrays.
 */
import { demand } from "../../budget.ts";
import { emptySink } from "./context.ts";
import type { Facts } from "./facts.ts";

/** How many elements a pass visits per step. */
const elementsPerStep = 32;

class CountedList<T> extends Array<T> {
  /** The same elements in an ordinary array, whose passes V8 compiles well. */
  declare readonly plain: readonly T[];

  // Lists derived from this one are ordinary arrays.
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }
}

// Methods that may visit the whole list. They behave like those of arrays.
const passes = ["filter", "find", "findIndex", "flatMap", "forEach", "includes", "indexOf", "map", "reduce", "some", "every"] as const;

for (const name of [...passes, Symbol.iterator] as const) {
  const own = Array.prototype[name] as (this: readonly unknown[], ...given: readonly unknown[]) => unknown;
  Object.defineProperty(CountedList.prototype, name, {
    value(this: CountedList<unknown>, ...given: readonly unknown[]): unknown {
      demand(1 + Math.floor(this.length / elementsPerStep));
      return Reflect.apply(own, this.plain, given);
    },
  });
}

const kinds = Object.keys(emptySink()) as (keyof Facts)[];

/** Facts in lists that count passes. `listOf` returns all facts of a kind; it is called when a rule first asks for that kind. */
export function countedFacts(listOf: (kind: keyof Facts) => readonly unknown[]): Facts {
  const facts = {};
  for (const kind of kinds) {
    let known: readonly unknown[] | undefined;
    Object.defineProperty(facts, kind, {
      enumerable: true,
      get: () => {
        known ??= counted(listOf(kind));
        return known;
      },
    });
  }
  return facts as Facts;
}

function counted(list: readonly unknown[]): readonly unknown[] {
  const result = new CountedList<unknown>(list.length);
  for (let index = 0; index < list.length; index += 1) result[index] = list[index];
  Object.defineProperty(result, "plain", { value: list });
  return result;
}
