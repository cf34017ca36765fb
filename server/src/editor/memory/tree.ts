/** The memory of kernels as a tree for a side bar: kernels, below them each kind of memory with its limit, below that its objects. */
import type { Location } from "../../source.ts";
import type { Amount, KernelReport, LimitedAmount, NamedAmount } from "./report.ts";
import { amountText, extentsText, limitedText } from "./words.ts";

/** A line of the tree. */
export interface MemoryNode<At = Location> {
  /** Decides the icon. */
  readonly kind: "kernel" | "memory" | "object" | "copy" | "instance" | "launch";
  readonly label: string;
  /** Less prominent, after the label. */
  readonly description: string;
  /** Where a click goes. */
  readonly location?: At;
  readonly children: readonly MemoryNode<At>[];
}

/** The lines of a kernel. `placeOf` names a place in a few words. */
export function memoryTree(kernel: KernelReport, placeOf: (location: Location) => string): MemoryNode {
  const { name, location, parameters, constant, shared, local, stackCopies, instances, launches } = kernel;
  const isOpenCL = kernel.language === "opencl";
  const dynamic = isOpenCL ? ", and what the host sets" : ", and what the launch passes";
  const memory = (label: string, description: string, children: readonly MemoryNode[] = []): MemoryNode => ({
    kind: "memory",
    label,
    description,
    children,
  });
  const objects = (all: readonly NamedAmount[]) => all.map((object) => objectNode(object));
  return {
    kind: "kernel",
    label: name,
    description: `${kernel.isTemplate ? "template, " : ""}${placeOf(location)}`,
    location,
    children: [
      memory("parameters", limitedText(parameters)),
      memory("constant", limitedText(constant), objects(constant.variables)),
      memory(isOpenCL ? "local" : "shared", `${limitedText(shared)}${shared.isDynamic ? dynamic : ""}`, objects(shared.variables)),
      ...(local.arrays.length === 0
        ? []
        : [memory(isOpenCL ? "private" : "local", `${amountText(local)} of arrays, in registers or on the stack`, objects(local.arrays))]),
      ...(stackCopies.length === 0 ? [] : [memory("stack copies", sumText(stackCopies), stackCopies.map(copyNode))]),
      ...(instances.length === 0
        ? []
        : [
            memory(
              "instances",
              String(instances.length),
              instances.map((instance) => instanceNode(instance, placeOf)),
            ),
          ]),
      ...(launches === undefined
        ? []
        : [
            memory(
              "launched",
              launches.length === 0 ? "nowhere in these files" : launches.length === 1 ? "once" : `${launches.length} times`,
              launches.map((launch) => launchNode(launch, placeOf)),
            ),
          ]),
    ],
  };
}

/** The same tree with places in another form. */
export function withPlaces<At>(node: MemoryNode, convert: (location: Location) => At | undefined): MemoryNode<At> {
  const { location, children, ...rest } = node;
  const place = location === undefined ? undefined : convert(location);
  return { ...rest, ...(place === undefined ? {} : { location: place }), children: children.map((child) => withPlaces(child, convert)) };
}

function objectNode(object: NamedAmount): MemoryNode {
  return { kind: "object", label: object.name, description: amountText(object), location: object.location, children: [] };
}

function copyNode(copy: KernelReport["stackCopies"][number]): MemoryNode {
  const description = `${amountText(copy)} for each thread, because ${copy.callee} gets its address`;
  return { kind: "copy", label: copy.name, description, location: copy.call, children: [] };
}

function sumText(amounts: readonly Amount[]): string {
  const sizes = amounts.map(({ bytes }) => bytes);
  const known = sizes.filter((bytes) => bytes !== "unknown");
  const sum = known.reduce((total, bytes) => total + bytes, 0);
  return amountText(known.length === sizes.length ? { bytes: sum } : { bytes: "unknown", ...(sum > 0 ? { atLeast: sum } : {}) });
}

function instanceNode({ name, location, parameters, shared }: KernelReport["instances"][number], placeOf: PlaceOf): MemoryNode {
  const sharedText = (amount: LimitedAmount) => `${amountText(amount)} of shared memory`;
  return {
    kind: "instance",
    label: name,
    description: `${sharedText(shared)}, ${amountText(parameters)} of parameters, ${placeOf(location)}`,
    location,
    children: [],
  };
}

function launchNode(launch: NonNullable<KernelReport["launches"]>[number], placeOf: PlaceOf): MemoryNode {
  const { location, within, grid, block, dynamicShared } = launch;
  return {
    kind: "launch",
    label: placeOf(location),
    description: `${within === undefined ? "" : `in ${within}, `}grid ${extentsText(grid)}, block ${extentsText(block)}, dynamic shared memory ${amountText({ bytes: dynamicShared })}`,
    location,
    children: [],
  };
}

type PlaceOf = (location: Location) => string;
