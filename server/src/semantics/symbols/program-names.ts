/**
 * Answers what a name means at the end of a translation unit, outside of functions. Declarations of headers that nothing has needed so
 * far are bound when they are asked for. What is declared in functions is in the facts.
 */
import type { Symbol } from "../types/symbols.ts";
import { registeredNames } from "./lazy-declarations.ts";
import { lookup, type Scope, tagKey } from "./scope.ts";

/** The names at namespace scope of a translation unit. */
export interface ProgramNames {
  /** The meanings of a name: an object or a type, then a tag; empty if nothing declares it. */
  of(name: string): readonly Symbol[];
  /** Every name that some declaration introduces, in no particular order. */
  all(): Iterable<string>;
}

/** The names of a program scope. */
export function programNames(scope: Scope): ProgramNames {
  return {
    of: (name) => {
      const known = [...lookup(scope, name), ...lookup(scope, tagKey(name))];
      return [...new Set(known)].filter(({ kind }) => kind !== "unknown");
    },
    all: () => {
      const names = [...scope.names.keys(), ...(scope.lazy?.keys() ?? []), ...registeredNames(scope.clock.list)];
      return new Set(names.map((name) => name.replace(/^tag /, "")));
    },
  };
}
