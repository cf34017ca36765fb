/** Prints the memory of a kernel for people: a line for each kind of memory, with its limit, and for each launch. */
import type { KernelReport } from "../../editor/memory/report.ts";
import { amountText, extentsText, limitedText, localText, namesText } from "../../editor/memory/words.ts";
import { printable } from "../../printable.ts";
import type { Location } from "../../source.ts";

/** A place as the output shows it; line and column count from 1. */
export interface PrintedPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Finds the line and the column of a place. */
export type PlaceOf = (location: Location) => PrintedPlace;

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

function placeText({ file, line, column }: PrintedPlace): string {
  return `${printable(file)}:${line}:${column}`;
}
