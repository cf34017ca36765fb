/**
 * Code that runs on the host for certain. Words like `__device__` may hide in macros whose header nobody sees; then the
 * parser could not read something around the declaration, and nothing is concluded.
 */
import type { Facts } from "../semantics/facts/facts.ts";
import type { FunctionDeclaration, VariableSymbol } from "../semantics/types/symbols.ts";
import { executionOf, isHostOnly, type Site } from "./device-code.ts";
import { asksArchitecture, isCertain } from "./memory-spaces.ts";

/** How far in front of a declaration an unread word may still belong to it, in characters. */
const reach = 80;

/** In a host function without lambdas around it, all of which could be read; or in the initializer of a host variable. */
export function isSurelyHost(site: Site, facts: Facts): boolean {
  if (site.lambda !== undefined || !isHostOnly(site)) return false;
  if (site.within === undefined) return site.initializes !== undefined && isReadable(site.initializes, facts);
  return site.within.declarations.every((declaration) => isFunction(declaration) && isClear(declaration.place, facts));
}

/** In a function that is compiled for the device and for the host, whatever calls it. */
export function isSurelyBoth({ within, lambda }: Site, facts: Facts): boolean {
  if (within === undefined || lambda !== undefined || within.isTemplate || within.record?.isDependent === true || !isCertain(within))
    return false;
  const { kernel, device, host } = executionOf(within);
  return (
    device &&
    host &&
    !kernel &&
    within.declarations.every((declaration) => isClear(declaration.place, facts) && !asksArchitecture(declaration.place.unit))
  );
}

/** A variable of the file that is judged, around whose declaration everything could be read. */
export function isReadable(variable: VariableSymbol, facts: Facts): boolean {
  return isClear(variable.declaration, facts);
}

/** `MACRO(name) { … }` reads like a function without a type; only constructors have none. */
function isFunction({ place, namePlace, owner, words }: FunctionDeclaration): boolean {
  return owner.record !== undefined || words.length > 0 || place.span.start < namePlace.span.start;
}

/** Everything at a place and closely in front of it could be read. */
export function isClear({ unit, span }: FunctionDeclaration["place"], { unread }: Facts): boolean {
  return !unread.some((hole) => hole.unit === unit && hole.span.start <= span.end && hole.span.end >= span.start - reach);
}
