/** Prints the memory of a kernel for people: a line for each kind of memory, with its limit, and for each launch. */
import type { Amount, KernelReport, LaunchExtents, LimitedAmount, NamedAmount } from "../../editor/memory/report.ts";
import { enumerated } from "../../lists.ts";
import { printable } from "../../printable.ts";
import type { Location } from "../../source.ts";

/** A place as the output shows it; line and column count from 1. */
export interface ShownPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Finds the line and the column of a place. */
export type PlaceOf = (location: Location) => ShownPlace;

/** The paragraph about a kernel. */
export function memoryText(kernel: KernelReport, placeOf: PlaceOf): string {
  const { parameters, constant, shared, local, stackCopies, instances, launches } = kernel;
  const at = (location: Location) => placeText(placeOf(location));
  const isOpenCL = kernel.language === "opencl";
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ["parameters", [limitedText(parameters)]],
    [
      "constant",
      [`${limitedText(constant)}${namesText(constant.variables)}; the translation unit takes ${amountText(constant.translationUnit)}`],
    ],
    [
      isOpenCL ? "local" : "shared",
      [
        `${limitedText(shared)}${namesText(shared.variables)}${shared.isDynamic ? `, and what the ${isOpenCL ? "host passes to clSetKernelArg" : "launch passes"}` : ""}`,
      ],
    ],
    [isOpenCL ? "private" : "local", [localText(local, isOpenCL ? "work-item" : "thread")]],
    [
      "stack copies",
      stackCopies.map(
        (copy) => `${amountText(copy)} of ${printable(copy.name)}: ${printable(copy.callee)} gets its address at ${at(copy.call)}`,
      ),
    ],
    [
      "instances",
      instances.map(
        ({ name, location, parameters: passed, shared: own }) =>
          `${printable(name)}: ${amountText(passed)} of parameters, ${amountText(own)} of shared memory (${at(location)})`,
      ),
    ],
    [
      "launched",
      launches === undefined
        ? ["unknown: the host finds the kernel by its name"]
        : launches.length === 0
          ? ["nowhere in these files"]
          : launches.map(
              ({ location, within, grid, block, dynamicShared }) =>
                `${at(location)}${within === undefined ? "" : ` in ${printable(within)}`}, grid ${extentsText(grid)}, block ${extentsText(block)}, ${amountText({ bytes: dynamicShared })} of dynamic shared memory`,
            ),
    ],
  ];
  const lines = rows.flatMap(([title, texts]) => texts.map((text, index) => `  ${(index === 0 ? title : "").padEnd(14)}${text}`));
  return `${at(kernel.location)}: ${printable(kernel.name)}${kernel.isTemplate ? " (template)" : ""}\n${lines.join("\n")}\n`;
}

function placeText({ file, line, column }: ShownPlace): string {
  return `${printable(file)}:${line}:${column}`;
}

function amountText({ bytes, atLeast }: Amount): string {
  if (bytes !== "unknown") return bytesText(bytes);
  return atLeast === undefined ? "unknown" : `unknown (at least ${bytesText(atLeast)})`;
}

function limitedText(amount: LimitedAmount): string {
  const { limit, largestLimit } = amount;
  if (limit === undefined) return amountText(amount);
  const known = typeof amount.bytes === "number" ? number(amount.bytes) : amountText(amount);
  return `${known} of ${number(limit)} bytes${largestLimit === undefined ? "" : ` (${number(largestLimit)} from compute capability 7.0 and CUDA 12.1 on)`}`;
}

/** How many objects are named. */
const namesShown = 4;

function namesText(objects: readonly NamedAmount[]): string {
  if (objects.length === 0) return "";
  const shown = objects
    .slice(0, namesShown)
    .map((object) => `${printable(object.name)} ${object.bytes === "unknown" ? "unknown" : number(object.bytes)}`);
  const rest = objects.length - shown.length;
  return `: ${enumerated(rest > 0 ? [...shown, `${rest} more`] : shown, "and")}`;
}

function localText(local: KernelReport["local"], each: string): string {
  if (local.arrays.length === 0) return "no array";
  return `${amountText(local)} of arrays for each ${each}${namesText(local.arrays)}; the compiler decides which are in registers`;
}

function extentsText(extents: LaunchExtents): string {
  if (extents === "unknown") return extents;
  return extents.map((extent) => (extent === "unknown" ? "?" : number(extent))).join(" x ");
}

function number(value: number): string {
  return value.toLocaleString("en-US");
}

function bytesText(count: number): string {
  return `${number(count)} byte${count === 1 ? "" : "s"}`;
}
