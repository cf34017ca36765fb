/**
 * CUDA: kernels whose `__global__` is in a macro of a missing header, as in `MYLIB_KERNEL void f(int *p)`. They are not judged, because
 * only the macro says what they are, but a run names the macro.
 */
import { fileOf } from "../preprocess/row.ts";
import type { Facts } from "../semantics/facts/facts.ts";
import type { FunctionDeclaration, FunctionSymbol } from "../semantics/types/symbols.ts";

/** Kernels behind a macro that no header defines. */
export interface HiddenKernels {
  readonly macro: string;
  /** The flag that would make them kernels; absent if the macro also stands for the result type. */
  readonly flag?: string;
  readonly kernels: number;
}

/** The kernels of a file that macros hide: functions that a launch names, and those whose macro is called a kernel's. */
export function hiddenKernels(uri: string, { functions, calls }: Facts): readonly HiddenKernels[] {
  const found: HiddenKernels[] = [];
  let launched: ReadonlySet<FunctionSymbol | undefined> | undefined;
  for (const symbol of functions) {
    const definition = symbol.declarations.find((each) => mayBeKernel(each) && fileOf(each.place.unit.uri) === uri);
    if (definition === undefined) continue;
    launched ??= new Set(calls.flatMap(({ launch, callee }) => (launch === undefined ? [] : [callee])));
    const macro = macroOf(definition, launched.has(symbol));
    if (macro !== undefined) found.push({ ...macro, kernels: 1 });
  }
  return joinedHidden(found);
}

/** Each macro once, with the sum of its kernels. No flag is right for one that also stands for a result type. */
export function joinedHidden(all: readonly HiddenKernels[]): readonly HiddenKernels[] {
  const found = new Map<string, HiddenKernels>();
  for (const { macro, flag, kernels } of all) {
    const known = found.get(macro);
    const common = known === undefined || known.flag !== undefined ? flag : undefined;
    found.set(macro, { macro, ...(common === undefined ? {} : { flag: common }), kernels: kernels + (known?.kernels ?? 0) });
  }
  return [...found.values()].sort((a, b) => b.kernels - a.kernels);
}

function mayBeKernel({ isUncertain, isDefinition, execution: { kernel, device, host } }: FunctionDeclaration): boolean {
  return isUncertain === true && isDefinition && !kernel && !device && !host;
}

/** The longest head of a function that is looked at, in characters. */
const longestHead = 500;
const ofKernels = /kernel|global/i;
/** A macro for the functions of a library that launches kernels. */
const ofLibraries = /API|EXPORT|IMPORT|PUBLIC/i;

/** The macro in the head of a function that most likely makes it a kernel. */
function macroOf({ namePlace: { unit, span } }: FunctionDeclaration, isLaunched: boolean): Omit<HiddenKernels, "kernels"> | undefined {
  const before = unit.view.text.slice(Math.max(0, span.start - longestHead), span.start);
  const head = before.slice(before.search(/[^;{}]*$/));
  const words: readonly string[] = head.match(/\b[A-Za-z_]\w*\b/g) ?? [];
  const macros = words.filter((word) => word.length > 2 && word === word.toUpperCase() && !word.startsWith("__"));
  const named = macros.find((word) => ofKernels.test(word) && !ofLibraries.test(word));
  const macro = named ?? (isLaunched ? macros[0] : undefined);
  if (macro === undefined) return undefined;
  return { macro, ...(words.includes("void") ? { flag: `-D${macro}=__global__` } : {}) };
}
