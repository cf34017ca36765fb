/** `__constant__` data that does not fit into the 64 KB of a translation unit, or of what is linked with it. */
import { alignOf, sizeOf } from "../semantics/layout.ts";
import type { VariableSymbol } from "../semantics/symbols.ts";
import { containsUnknown } from "../semantics/types.ts";
import { type Ledger, ledgerOf, type LedgerEntry, spellBytes, spellLedger } from "./ledger.ts";
import { firstOf } from "./memory-spaces.ts";
import type { Rule } from "./rule.ts";

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
used or not, \`static\` or not, in the order of their declarations, each at its alignment; and says no more than a number of
bytes, after the whole compilation. With \`-rdc=true\` the linker adds up what it links.

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
    const ledger = constantLedger(facts.constants, dialect.relocatableDeviceCode);
    if (ledger.total <= constantMemoryLimit) return;
    const crossing = ledger.lines.find(({ end }) => end > constantMemoryLimit);
    // The one that crosses the limit, or, where that stands in a header, the next one of this file.
    const own = new Set(facts.variables.map(({ variable }) => variable.place));
    const place = ledger.lines.slice(crossing === undefined ? 0 : ledger.lines.indexOf(crossing)).find(({ entry }) => own.has(entry.place))?.entry.place;
    if (place === undefined) return;
    report({ place, message: `constant memory of ${spellBytes(ledger.total)} is over ${spellBytes(constantMemoryLimit)}: ${spellLedger(ledger)}` });
  },
};

/** The `__constant__` variables of a translation unit, as ptxas lays them out; those of unknown size are left out. */
export function constantLedger(constants: readonly VariableSymbol[], isRelocatable: boolean): Ledger<ConstantEntry> {
  return ledgerOf(entriesOf(constants, isRelocatable));
}

interface ConstantEntry extends LedgerEntry {
  readonly place: VariableSymbol["place"];
}

/** What counts: every variable once. An extern declaration is a variable of its own in whole program mode, where it has a size. */
function entriesOf(constants: readonly VariableSymbol[], isRelocatable: boolean): readonly ConstantEntry[] {
  const last = new Map<VariableSymbol, VariableSymbol>();
  for (const variable of constants) last.set(firstOf(variable), variable.isDefinition || last.get(firstOf(variable)) === undefined ? variable : (last.get(firstOf(variable)) ?? variable));
  return [...last.values()].flatMap((variable): readonly ConstantEntry[] => {
    const size = sizeOf(variable.type);
    const alignment = Math.max(alignOf(variable.type) ?? 1, variable.alignment ?? 1);
    if (size === undefined || Number.isNaN(alignment) || containsUnknown(variable.type) || variable.isTemplated === true || variable.type.kind === "reference" || (isRelocatable && !variable.isDefinition)) return [];
    if (variable.scope === "block" && !variable.words.some(({ text }) => text === "static")) return [];
    return [{ name: variable.name, size, alignment, place: variable.place }];
  });
}
