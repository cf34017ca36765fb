/** The execution spaces that the words of a declaration name, and their spelling in messages and summaries. */
import type { Dialect } from "../../dialect.ts";
import { hasWord } from "../../syntax/walk.ts";
import type { ExecutionSpaces, FunctionDeclaration, FunctionSymbol, SpecifierWord } from "./symbols.ts";

/** The specifiers of a function; one without any runs on the host. */
export function printSpaces({ kernel, device, host }: ExecutionSpaces): string {
  if (kernel) return "'__global__'";
  return device ? (host ? "'__host__ __device__'" : "'__device__'") : "for the host";
}

/** The execution spaces of a function whose head was understood. Without any written, it runs on the host. */
export function executionOf(words: readonly SpecifierWord[]): ExecutionSpaces {
  const written = writtenSpaces(words);
  return written.kernel || written.device ? written : { ...written, host: true };
}

/** The execution spaces that the words name. */
export function writtenSpaces(words: readonly SpecifierWord[]): ExecutionSpaces {
  const has = (text: string) => hasWord(words, text);
  return { kernel: has("__global__") || has("__kernel"), device: has("__device__"), host: has("__host__") };
}

/**
 * The execution spaces of a function whose head contains an unknown macro. One with launch bounds is a kernel, whatever the macro is
 * called: nvcc allows them on no other function (CUDA C++ Programming Guide, launch bounds). Clang ignores them elsewhere.
 */
export function certainSpaces(
  words: readonly SpecifierWord[],
  { launchAttributes }: Pick<FunctionDeclaration, "launchAttributes">,
  dialect: Dialect,
): ExecutionSpaces {
  const written = writtenSpaces(words);
  const isKernel = launchAttributes !== undefined && !written.device && !written.host && dialect.language === "cuda" && !dialect.hip;
  return isKernel ? { ...written, kernel: true } : written;
}

/** True if one function is for the host only, the other for the device only. */
export function areOpposite(a: ExecutionSpaces, b: ExecutionSpaces): boolean {
  return a.host !== b.host && a.device !== b.device && !a.kernel && !b.kernel;
}

/** True if both functions run in the same spaces. */
export function haveSameSpaces(a: ExecutionSpaces, b: ExecutionSpaces): boolean {
  return a.kernel === b.kernel && a.device === b.device && a.host === b.host;
}

/**
 * The template that clang specializes or instantiates for these execution spaces: of several, the one that has them. If none has them, any
 * of them, and undefined if more than one has.
 */
export function forSameSides(templates: readonly FunctionSymbol[], spaces: ExecutionSpaces): FunctionSymbol | undefined {
  const same = templates.filter(({ declarations }) => declarations.some(({ execution }) => haveSameSpaces(execution, spaces)));
  return same.length === 0 ? templates[0] : same.length === 1 ? same[0] : undefined;
}
