/** CUDA: on which side the code of a context runs, and which side has a function or a variable. */
import { hasWord } from "../../syntax/walk.ts";
import type { FunctionSymbol, SpecifierWord, VariableSymbol } from "../types/symbols.ts";
import type { FunctionType } from "../types/types.ts";
import type { Context } from "./context.ts";

/** True for a function that only the device has. */
export function isForDeviceAlone({ declarations }: FunctionSymbol): boolean {
  return declarations.every(({ execution }) => execution.device && !execution.host && !execution.kernel);
}

/** True in a function that the host's compiler compiles, unless a lambda in it is for the device alone, and in initializers of host variables. */
export function isHostCode(context: Context): boolean {
  const { dialect, isEmitting, isUnevaluated, isTemplate, within, lambda, initializing } = context;
  if (dialect.language !== "cuda" || !isEmitting || isUnevaluated === true || isTemplate) return false;
  if (initializing !== undefined && isStatic(initializing) && !isOfHost(context, initializing)) return false;
  for (let at = lambda; at !== undefined; at = at.enclosing) if (runsOnDevice(at)) return at.declarations[0]?.execution.host === true;
  if (within === undefined) return initializing !== undefined && isOfHost(context, initializing);
  return isForHost(within);
}

/** True for a variable of static storage duration that only the host has. */
export function isOfHost({ within }: Context, { memorySpace, scope }: VariableSymbol): boolean {
  if (memorySpace !== undefined && memorySpace !== "host") return false;
  return scope === "block" ? within !== undefined && !runsOnDevice(within) : memorySpace === "host";
}

/** True for code that runs on the device, and whose facts are wanted. A template's own text has none, only its instantiations do. */
export function isDeviceCode({ dialect, isEmitting, isUnevaluated, isTemplate, within, lambda, initializing }: Context): boolean {
  // Another rule judges the initializers of objects in device memory, which the compiler evaluates.
  if (initializing !== undefined && isStatic(initializing)) return false;
  if (dialect.language !== "cuda" || !isEmitting || isUnevaluated === true || isTemplate) return false;
  if (within !== undefined && runsOnDevice(within)) return true;
  for (let at = lambda; at !== undefined; at = at.enclosing) if (runsOnDevice(at)) return true;
  return false;
}

/** True for a function that the device has. */
export function runsOnDevice({ declarations }: FunctionSymbol): boolean {
  return declarations.some(({ execution }) => execution.device || execution.kernel);
}

/** True for a function that clang compiles for both sides in HIP because it is constexpr, names no side and has no ellipsis. */
export function isImplicitlyForBoth({ declarations, type }: FunctionSymbol): boolean {
  return isConstexprForBoth(
    declarations.flatMap(({ words }) => words),
    type,
  );
}

/** True if clang compiles a function with these words for both sides in HIP: it is constexpr, names no side and has no ellipsis. */
export function isConstexprForBoth(words: readonly SpecifierWord[], { isVariadic }: FunctionType): boolean {
  return hasWord(words, "constexpr", "consteval") && !isVariadic && !hasWord(words, "__host__", "__device__");
}

/** True for a function that the host's compiler compiles. */
export function isForHost({ declarations }: FunctionSymbol): boolean {
  return !declarations.some(({ execution }) => execution.kernel) && declarations.some(({ execution }) => execution.host);
}

/** True for a variable that is no automatic one, as its own words show. */
export function isStatic({ memorySpace, words }: VariableSymbol): boolean {
  return memorySpace !== undefined || hasWord(words, "static", "extern");
}

/** True in code whose calls may go to functions of the other side. */
export function mayCross(context: Context): boolean {
  return isDeviceCode(context) || isHostCode(context);
}
