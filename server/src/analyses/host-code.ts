/**
 * Recognizes code that certainly runs on the host. Words like `__device__` may come from macros in headers that cannot be found.
 * Then the parser fails near the declaration, and nothing is concluded.
 */
import type { Facts } from "../semantics/facts/facts.ts";
import type { FunctionDeclaration, VariableSymbol } from "../semantics/types/symbols.ts";
import { executionOf, isHostOnly, type Site } from "./device-code.ts";
import { isCertain, testsArchitecture } from "./memory-spaces.ts";

/** How many characters before a declaration are searched for an unread word that belongs to it. */
const reach = 80;

/** True in a host function without lambdas that parsed completely, or in the initializer of a host variable. */
export function isSurelyHost(site: Site, facts: Facts): boolean {
  if (site.lambda !== undefined || !isHostOnly(site)) return false;
  if (site.within === undefined) return site.initializes !== undefined && isDeclarationClear(site.initializes, facts);
  return site.within.declarations.every((declaration) => isFunction(declaration) && isClear(declaration.place, facts));
}

/** True in a function that is compiled for both device and host, independent of its callers. */
export function isSurelyBoth({ within, lambda }: Site, facts: Facts): boolean {
  if (within === undefined || lambda !== undefined || within.isTemplate || within.record?.isDependent === true || !isCertain(within))
    return false;
  const { kernel, device, host } = executionOf(within);
  return (
    device &&
    host &&
    !kernel &&
    within.declarations.every((declaration) => isClear(declaration.place, facts) && !testsArchitecture(declaration.place.unit))
  );
}

/** True for a variable of the checked file whose surroundings parsed completely. */
export function isDeclarationClear(variable: VariableSymbol, facts: Facts): boolean {
  return isClear(variable.declaration, facts);
}

/** False for `MACRO(name) { … }`, which looks like a function without a return type. Only constructors have none. */
function isFunction({ place, namePlace, owner, words }: FunctionDeclaration): boolean {
  return owner.record !== undefined || words.length > 0 || place.span.start < namePlace.span.start;
}

/** True if the place and the text shortly before it parsed completely. */
export function isClear({ unit, span }: FunctionDeclaration["place"], { unread }: Facts): boolean {
  return !unread.some((hole) => hole.unit === unit && hole.span.start <= span.end && hole.span.end >= span.start - reach);
}
