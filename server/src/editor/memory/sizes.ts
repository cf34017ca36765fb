/**
 * Computes the numbers of an object: its size and alignment, the layout of its record, and the total size of a kernel's parameters.
 * Values that cannot be computed are left out, never estimated.
 */
import { constantMemoryTable } from "../../analyses/constant-memory.ts";
import { parameterEntries } from "../../analyses/kernel-parameters.ts";
import { formatBytes as bytes, memoryTableOf, formatCount as number, type Total } from "../../analyses/memory-table.ts";
import type { CudaDialect } from "../../dialect.ts";
import type { Facts } from "../../semantics/facts/facts.ts";
import { alignOf, layoutOf, sizeOf } from "../../semantics/types/layout.ts";
import type { FunctionDeclaration, VariableSymbol } from "../../semantics/types/symbols.ts";
import type { Type } from "../../semantics/types/types.ts";

/**
 * The total as `1,024` or `more than 1,024`, with the unit if there is one. `at least` is for sums that may be whole although something
 * is unknown.
 */
export function totalText(
  { total, isComplete }: Total,
  unit: "bytes" | "none" = "bytes",
  bound: "more than" | "at least" = "more than",
): string {
  if (!isComplete && total === 0) return unit === "bytes" ? "an unknown number of bytes" : "an unknown number";
  return `${isComplete ? "" : `${bound} `}${unit === "bytes" ? bytes(total) : number(total)}`;
}

/** The total as `16 bytes` or `at least 8 bytes`, followed by its limit if there is one. */
export function atLeastText({ total, isComplete }: Total, limit?: string): string {
  if (!isComplete && total === 0) return `unknown${limit === undefined ? "" : `, at most ${limit}`}`;
  return `${isComplete ? "" : "at least "}${bytes(total)}${limit === undefined ? "" : ` of ${limit}`}`;
}

/** The total size of the variables, without padding. `isComplete` is false if a variable has an unknown size, which counts as zero. */
export function totalOf(variables: readonly VariableSymbol[]): Total {
  const sizes = variables.map(({ type }) => sizeOf(type));
  const known = sizes.filter((size) => size !== undefined);
  return { total: known.reduce((sum, size) => sum + size, 0), isComplete: known.length === sizes.length };
}

/** How much constant memory a translation unit uses in CUDA, including its headers. */
export function constantMemoryOf(facts: Facts, { relocatableDeviceCode }: CudaDialect): Total {
  return { total: constantMemoryTable(facts, relocatableDeviceCode).total, isComplete: totalOf(facts.constants).isComplete };
}

/** The size as `404 bytes, aligned to 4`; undefined if it is unknown. */
function sizeText(type: Type): string | undefined {
  const size = sizeOf(type);
  const alignment = alignOf(type);
  if (size === undefined || alignment === undefined) return undefined;
  return size === alignment ? bytes(size) : `${bytes(size)}, aligned to ${number(alignment)}`;
}

/** The size of an object, as `48 bytes, aligned to 16, 27 of them padding`. `where` follows the bytes. */
export function costText(type: Type, where = ""): string {
  const known = sizeText(type);
  if (known === undefined) return "an unknown number of bytes";
  const size = known.replace(/ bytes?/, (unit) => `${unit}${where}`);
  const layout = type.kind === "record" ? layoutOf(type.record) : undefined;
  const lost = layout?.fields.reduce((sum, { padding }) => sum + padding, layout.tailPadding) ?? 0;
  return lost > 0 ? `${size}, ${number(lost)} of them padding` : size;
}

/** A kernel's parameter in the table of a launch's arguments; offsets and sizes in bytes. */
export interface ParameterRow {
  readonly symbol: VariableSymbol;
  readonly offset: number | undefined;
  readonly size: number | undefined;
}

/** The total includes the padding. */
export interface ParameterTable extends Total {
  readonly rows: readonly ParameterRow[];
}

/** The offset of each parameter in the block that a launch copies, as far as sizes are known. */
export function parameterTable(declaration: FunctionDeclaration): ParameterTable {
  const { lines, total } = memoryTableOf(parameterEntries(declaration));
  let isComplete = true;
  const rows = declaration.parameters.map(({ symbol }): ParameterRow => {
    const line = lines.find(({ entry }) => entry.symbol === symbol);
    isComplete &&= line !== undefined;
    // After a parameter of unknown size, offsets are unknown.
    if (line === undefined || !isComplete) return { symbol, offset: undefined, size: line?.entry.size };
    return { symbol, offset: line.start, size: line.entry.size };
  });
  return { rows, total, isComplete };
}
