/** `__constant__` data that does not fit into the 64 KB of a translation unit, or of what is linked with it. */

import type { Facts } from "../semantics/facts.ts";
import { alignOf, sizeOf } from "../semantics/layout.ts";
import type { FunctionSymbol, VariableSymbol } from "../semantics/symbols.ts";
import { containsUnknown } from "../semantics/types.ts";
import type { Summary } from "../workspace/summary.ts";
import type { Rule } from "./rule.ts";
import { executionOf, withCallees } from "./shared/device-code.ts";
import { type Ledger, type LedgerEntry, ledgerOf, spellBytes, spellCount, spellLedger } from "./shared/ledger.ts";
import { firstOf, hasWord } from "./shared/memory-spaces.ts";

/** Every device has 64 KB (CUDA C++ Programming Guide, technical specifications: constant memory size). */
export const constantMemoryLimit = 65_536;

export const constantMemorySize: Rule = {
  id: "constant-memory-size",
  title: "`__constant__` data is larger than 64 KB",
  severity: "error",
  languages: ["cuda"],
  clause: "CUDA C++ Programming Guide, compute capabilities, technical specifications: constant memory size 64 KB",
  documentation: `
A program has 64 KB of constant memory, on every device. ptxas adds up all \`__constant__\` variables of a translation unit,
used or not, \`static\` or not, in the order of their definitions, each at its alignment; and says no more than a number of
bytes, after the whole compilation. Static ones in functions count where kernels call these. With \`-rdc=true\` the linker adds
up what it links, whichever kernel needs it.

The message has the ledger: the largest variables with their bytes, and what is lost to alignment between them. Variables of
branches of \`#if\` that are not compiled do not count, nor do those whose size is not known (a macro or type of a header that
is missing), so the true size may be larger. Across files only those count that certainly are linked together: one uses
another's \`extern __constant__\` variable or device function.

**What to do**: move tables that threads index differently to \`__device__ const\` (global memory, cached), and pass small
things as kernel parameters. Sorting by falling alignment saves the padding.`,
  examples: [
    {
      language: "cuda",
      bad: `__constant__ float weights[12288];
__constant__ float biases[8192]; // <-
__global__ void apply(float *out, int i) { out[i] = weights[i] + biases[i]; }`,
      good: `__constant__ float weights[12288];
__device__ const float biases[8192] = { 1.0f };
__global__ void apply(float *out, int i) { out[i] = weights[i] + biases[i]; }`,
    },
  ],
  check({ facts, dialect }, report) {
    if (dialect.language !== "cuda") return;
    const ledger = constantLedger(facts, dialect.relocatableDeviceCode);
    if (ledger.total <= constantMemoryLimit) return;
    const crossing = ledger.lines.find(({ end }) => end > constantMemoryLimit);
    // The one that crosses the limit, or, where that stands in a header, the next one of this file.
    const own = new Set(facts.variables.map(({ variable }) => variable.place));
    const place = ledger.lines.slice(crossing === undefined ? 0 : ledger.lines.indexOf(crossing)).find(({ entry }) => own.has(entry.place))
      ?.entry.place;
    if (place === undefined) return;
    report({
      place,
      message: `${spellBytes(ledger.total)} of constant memory, over ${spellCount(constantMemoryLimit)}: ${spellLedger(ledger)}`,
    });
  },
  link(summaries, report) {
    for (const group of linkedGroups(summaries)) {
      const entries = new Map(
        group
          .flatMap(({ constantMemory }) => constantMemory?.entries ?? [])
          .map((entry) => [`${entry.location.uri} ${entry.location.span.start}`, entry]),
      );
      // How the linker orders the files is not known, so that nothing counts for alignment.
      const ledger = ledgerOf([...entries.values()].map((entry) => ({ ...entry, alignment: 1 })));
      const [largest] = [...entries.values()].sort((a, b) => b.size - a.size);
      if (ledger.total <= constantMemoryLimit || largest === undefined || group.some(isOverAlone)) continue;
      report({
        location: largest.location,
        message: `${spellBytes(ledger.total)} of constant memory in linked files, over ${spellCount(constantMemoryLimit)}: ${spellLedger(ledger)}`,
      });
    }
  },
};

/** The `__constant__` variables of a translation unit, as ptxas lays them out; those of unknown size are left out. */
export function constantLedger(facts: Facts, isRelocatable: boolean): Ledger<ConstantEntry> {
  return ledgerOf(constantsOf(facts, isRelocatable));
}

/** What `check` has reported. */
function isOverAlone({ constantMemory }: Summary): boolean {
  return (constantMemory?.entries ?? []).reduce((sum, { size }) => sum + size, 0) > constantMemoryLimit;
}

/** Files that must be in one program: each needs something that exactly one other defines. */
function linkedGroups(summaries: readonly Summary[]): readonly (readonly Summary[])[] {
  const definers = new Map<string, Summary[]>();
  for (const summary of summaries)
    for (const name of summary.constantMemory?.defines ?? []) definers.set(name, [...(definers.get(name) ?? []), summary]);
  const groupOf = new Map<Summary, Set<Summary>>();
  for (const summary of summaries) if (summary.constantMemory !== undefined) groupOf.set(summary, new Set([summary]));
  for (const summary of summaries) {
    for (const name of summary.constantMemory?.needs ?? []) {
      const [other, second] = definers.get(name) ?? [];
      const [own, its] = [groupOf.get(summary), other === undefined ? undefined : groupOf.get(other)];
      if (own === undefined || its === undefined || second !== undefined || own === its) continue;
      for (const each of its) {
        own.add(each);
        groupOf.set(each, own);
      }
    }
  }
  return [...new Set(groupOf.values())].filter(({ size }) => size > 1).map((group) => [...group]);
}

export interface ConstantEntry extends LedgerEntry {
  readonly place: VariableSymbol["place"];
}

/**
 * What a translation unit puts into constant memory: every variable once, where it is defined. An extern declaration is a
 * variable of its own in whole program mode, where it has a size. Those in functions come last, and only if these are compiled.
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
    if (isInFunction(variable) && !hasWord(variable, "static")) return [];
    return [{ name: variable.name, size, alignment, place: variable.place }];
  });
}

function isInFunction({ scope }: VariableSymbol): boolean {
  return scope === "block";
}

/** The functions that end up in device code: kernels, what they call, and with -rdc what other files can call. */
function deviceFunctions(facts: Facts, isRelocatable: boolean): ReadonlySet<FunctionSymbol> {
  const isForOthers = (symbol: FunctionSymbol) =>
    isRelocatable &&
    executionOf(symbol).device &&
    !symbol.isInternal &&
    !symbol.isTemplate &&
    symbol.record === undefined &&
    !symbol.declarations.some((each) => ["inline", "constexpr", "__forceinline__"].some((word) => hasWord(each, word)));
  return withCallees(
    facts.functions.filter((symbol) => executionOf(symbol).kernel || isForOthers(symbol)),
    facts,
  );
}
