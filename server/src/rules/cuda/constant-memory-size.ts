/** `__constant__` data of a translation unit, or of a linked program, that does not fit into 64 KB. */
import { constantMemoryLimit, constantMemoryTable } from "../../analyses/constant-memory.ts";
import { formatBytes, formatCount, formatMemoryTable, memoryTableOf } from "../../analyses/memory-table.ts";
import { placeKey } from "../../source.ts";
import type { Summary } from "../../summary/summary.ts";
import type { Rule } from "../rule.ts";

/** Reports `__constant__` data of more than 64 KB. */
export const constantMemorySize: Rule = {
  id: "constant-memory-size",
  title: "`__constant__` data is larger than 64 KB",
  severity: "error",
  languages: ["cuda"],
  clause: "CUDA C++ Programming Guide, compute capabilities, technical specifications: constant memory size 64 KB",
  documentation: `
A program has 64 KB of constant memory, on every device. ptxas adds up all \`__constant__\` variables of a translation unit, used
or not, \`static\` or not, in the order of their definitions, each at its alignment, and only reports a number of bytes, after the
whole compilation. Static variables in functions count if kernels call the functions. With \`-rdc=true\` the linker adds up
everything that it links, whichever kernel needs it.

The message contains a ledger: the largest variables with their sizes, and the padding between them. Variables in inactive
branches of \`#if\` do not count, nor do those of unknown size (a macro or type from a missing header), so the true size may be
larger. Across files only those count that are certainly linked together: one uses another's \`extern __constant__\` variable or
device function.

**What to do**: move tables that threads index differently to \`__device__ const\` (global memory, cached), and pass small values as kernel parameters. Sorting by descending alignment avoids padding.`,
  limits: "Variables of unknown size do not count, so the true size may be larger.",
  examples: [
    {
      language: "cuda",
      bad: `__constant__ float w[12288];
__constant__ float b[8192]; // <-
__global__ void apply(float *out, int i) { out[i] = w[i] + b[i]; }`,
      good: `__constant__ float w[12288];
__device__ const float b[8192] = { 1.0f };
__global__ void apply(float *out, int i) { out[i] = w[i] + b[i]; }`,
    },
  ],
  checkFile({ facts, dialect }, report) {
    if (dialect.language !== "cuda") return;
    const table = constantMemoryTable(facts, dialect.relocatableDeviceCode);
    if (table.total <= constantMemoryLimit) return;
    const crossing = table.lines.find(({ end }) => end > constantMemoryLimit);
    // The variable that exceeds the limit; if that is in a header, the next one in this file.
    const own = new Set(facts.variables.map(({ variable }) => variable.place));
    const place = table.lines.slice(crossing === undefined ? 0 : table.lines.indexOf(crossing)).find(({ entry }) => own.has(entry.place))
      ?.entry.place;
    if (place === undefined) return;
    report({
      place,
      message: `${formatBytes(table.total)} of constant memory exceed the limit of ${formatCount(constantMemoryLimit)}: ${formatMemoryTable(table)}`,
    });
  },
  link(summaries, report) {
    for (const group of linkedGroups(summaries)) {
      const entries = new Map(
        group.flatMap(({ constantMemory }) => constantMemory?.entries ?? []).map((entry) => [placeKey(entry.location), entry]),
      );
      // The linker's order of files is unknown, so alignment is ignored.
      const table = memoryTableOf([...entries.values()].map((entry) => ({ ...entry, alignment: 1 })));
      const [largest] = [...entries.values()].sort((a, b) => b.size - a.size);
      if (table.total <= constantMemoryLimit || largest === undefined || group.some(isOverAlone)) continue;
      report({
        location: largest.location,
        message: `${formatBytes(table.total)} of constant memory in linked files exceed the limit of ${formatCount(constantMemoryLimit)}: ${formatMemoryTable(table)}`,
      });
    }
  },
};

/** True if `check` has already reported the file. */
function isOverAlone({ constantMemory }: Summary): boolean {
  return (constantMemory?.entries ?? []).reduce((sum, { size }) => sum + size, 0) > constantMemoryLimit;
}

/** Groups of files that must belong to one program: each needs something that exactly one other file of its group defines. */
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
