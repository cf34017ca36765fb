/**
 * CUDA: the variables that a translation unit puts into constant memory, as ptxas lays them out, and their total size. The rules
 * decide which total is too large, and where to report it.
 */
import type { Facts } from "../semantics/facts/facts.ts";
import { alignOf, sizeOf } from "../semantics/types/layout.ts";
import { type FunctionSymbol, isDeclaredWith, type VariableSymbol } from "../semantics/types/symbols.ts";
import { containsUnknown } from "../semantics/types/types.ts";
import { hasWord } from "../syntax/walk.ts";
import { executionOf, withCallees } from "./device-code.ts";
import { firstOf } from "./memory-spaces.ts";
import { type MemoryEntry, type MemoryTable, memoryTableOf } from "./memory-table.ts";

/** The constant memory of every device is 64 KB (CUDA C++ Programming Guide, technical specifications: constant memory size). */
export const constantMemoryLimit = 65_536;

/** A variable in constant memory, with its size and alignment in bytes. */
export interface ConstantEntry extends MemoryEntry {
  readonly place: VariableSymbol["place"];
}

/** The `__constant__` variables of a translation unit, as ptxas lays them out, without those of unknown size. */
export function constantMemoryTable(facts: Facts, isRelocatable: boolean): MemoryTable<ConstantEntry> {
  return memoryTableOf(constantsOf(facts, isRelocatable));
}

/**
 * The constant variables of a translation unit, each once, where it is defined. An extern declaration counts as a variable in
 * whole-program mode, if its size is known. Variables in functions come last, and only if the functions are compiled.
 */
export function constantsOf(facts: Facts, isRelocatable: boolean): readonly ConstantEntry[] {
  const last = new Map<VariableSymbol, VariableSymbol>();
  for (const variable of facts.constants) {
    const first = firstOf(variable);
    if (last.has(first) && !variable.isDefinition) continue;
    last.delete(first);
    last.set(first, variable);
  }
  const all = [...last.values()];
  const compiled = all.some(isInFunction) ? deviceFunctions(facts, isRelocatable) : new Set<FunctionSymbol>();
  const used = new Set(facts.references.map(({ symbol }) => symbol));
  const inFunctions = all.filter(
    (variable) => isInFunction(variable) && variable.owner !== undefined && compiled.has(variable.owner) && used.has(variable),
  );
  return [...all.filter((variable) => !isInFunction(variable)), ...inFunctions].flatMap((variable): readonly ConstantEntry[] => {
    const size = sizeOf(variable.type);
    const alignment = Math.max(alignOf(variable.type) ?? 1, variable.alignment ?? 1);
    if (
      size === undefined ||
      Number.isNaN(alignment) ||
      containsUnknown(variable.type) ||
      variable.isTemplated === true ||
      variable.type.kind === "reference" ||
      (isRelocatable && !variable.isDefinition)
    )
      return [];
    if (isInFunction(variable) && !hasWord(variable.words, "static")) return [];
    return [{ name: variable.name, size, alignment, place: variable.place }];
  });
}

function isInFunction({ scope }: VariableSymbol): boolean {
  return scope === "block";
}

/** The functions that become device code: kernels, their callees, and with -rdc functions that other files can call. */
function deviceFunctions(facts: Facts, isRelocatable: boolean): ReadonlySet<FunctionSymbol> {
  const isForOthers = (symbol: FunctionSymbol) =>
    isRelocatable &&
    executionOf(symbol).device &&
    !symbol.isInternal &&
    !symbol.isTemplate &&
    symbol.record === undefined &&
    !isDeclaredWith(symbol, "inline", "constexpr", "__forceinline__");
  return withCallees(
    facts.functions.filter((symbol) => executionOf(symbol).kernel || isForOthers(symbol)),
    facts,
  );
}
