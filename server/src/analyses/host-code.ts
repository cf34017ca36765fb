/**
 * Recognizes code that certainly runs on the host. Words like `__device__` may come from macros in headers that cannot be found.
 * Then the parser fails near the declaration, and nothing is concluded.
 */
import type { Facts } from "../semantics/facts/facts.ts";
import type { FunctionDeclaration, FunctionSymbol, VariableSymbol } from "../semantics/types/symbols.ts";
import { executionAt, isHostOnly, type Site } from "./device-code.ts";
import { enclosingLambdas } from "./fact-index.ts";
import { isCertain, testsArchitecture } from "./memory-spaces.ts";

/** How many characters before a declaration are searched for an unread word that belongs to it. */
const reach = 80;

/** True in a host function without lambdas that parsed completely, or in the initializer of a host variable. */
export function isSurelyHost(site: Site, facts: Facts): boolean {
  if (site.lambda !== undefined || !isHostOnly(site)) return false;
  if (site.within === undefined) return site.initializes !== undefined && isDeclarationClear(site.initializes, facts);
  return site.within.declarations.every((declaration) => isFunction(declaration) && isClear(declaration.place, facts));
}

/**
 * Like `isSurelyHost`, and also true in a lambda of such a function or at namespace scope, as nvcc compiles it: without `__device__` a
 * lambda belongs to the code around it. Clang lets the device call it as well.
 */
export function isSurelyHostForNvcc(site: Site, facts: Facts): boolean {
  const { lambda, within } = site;
  if (lambda === undefined) return isSurelyHost(site, facts);
  const isWritten = enclosingLambdas(lambda).every((each) => each.isLaunched !== true && areClear(each, facts));
  return isWritten && isHostOnly(site) && (within === undefined || areClear(within, facts));
}

/**
 * True in a function that is compiled for both device and host, independent of its callers, and in a lambda with both words. Where
 * `__CUDA_ARCH__` is tested, the host's compiler may read other code, unless `isSame` says that it does not.
 */
export function isSurelyBoth(site: Site, facts: Facts, isSame = false): boolean {
  const { within, lambda } = site;
  if (within?.isTemplate === true || within?.record?.isDependent === true || (within !== undefined && !isCertain(within))) return false;
  const around = [...enclosingLambdas(lambda), ...(within === undefined ? [] : [within])];
  const { kernel, device, host } = executionAt(site);
  return (
    device &&
    host &&
    !kernel &&
    around.every((each) => areClear(each, facts) && (isSame || each.declarations.every(({ place }) => !testsArchitecture(place.unit))))
  );
}

function areClear({ declarations, lambda }: FunctionSymbol, facts: Facts): boolean {
  return declarations.every((declaration) => (lambda !== undefined || isFunction(declaration)) && isClear(declaration.place, facts));
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
