/** The words for amounts of memory, which the command line and views of editors share. */
import { formatBytes, formatCount } from "../../analyses/memory-table.ts";
import { enumerated } from "../../lists.ts";
import { printable } from "../../printable.ts";
import type { Amount, KernelReport, LaunchExtents, LimitedAmount, NamedAmount } from "./report.ts";

/** A number of bytes with the unit: `1,024 bytes`, `unknown (at least 64 bytes)`. */
export function amountText({ bytes, atLeast }: Amount): string {
  if (bytes !== "unknown") return formatBytes(bytes);
  return atLeast === undefined ? "unknown" : `unknown (at least ${formatBytes(atLeast)})`;
}

/** A number of bytes and its limit: `416 of 4,096 bytes`. */
export function limitedText(amount: LimitedAmount): string {
  const { limit, largestLimit } = amount;
  if (limit === undefined) return amountText(amount);
  const known = typeof amount.bytes === "number" ? formatCount(amount.bytes) : amountText(amount);
  return `${known} of ${formatCount(limit)} bytes${largestLimit === undefined ? "" : ` (${formatCount(largestLimit)} from compute capability 7.0 and CUDA 12.1 on)`}`;
}

/** How many objects are named. */
const namesShown = 4;

/** The first objects of a sum, after a colon: `: tile 1,024 and row 64`; empty without objects. */
export function namesText(objects: readonly NamedAmount[]): string {
  if (objects.length === 0) return "";
  const shown = objects
    .slice(0, namesShown)
    .map((object) => `${printable(object.name)} ${object.bytes === "unknown" ? "unknown" : formatCount(object.bytes)}`);
  const rest = objects.length - shown.length;
  return `: ${enumerated(rest > 0 ? [...shown, `${rest} more`] : shown, "and")}`;
}

/** The arrays of each thread or work-item. */
export function localText(local: KernelReport["local"], each: string): string {
  if (local.arrays.length === 0) return "no array";
  return `${amountText(local)} of arrays for each ${each}${namesText(local.arrays)}; the compiler decides which are in registers`;
}

/** The extents of a grid or a block: `16 x 16 x 1`. */
export function extentsText(extents: LaunchExtents): string {
  if (extents === "unknown") return extents;
  return extents.map((extent) => (extent === "unknown" ? "?" : formatCount(extent))).join(" x ");
}
