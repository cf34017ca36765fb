/** CUDA: the size of each parameter of a kernel, and how many bytes a launch can pass. */
import type { CudaDialect } from "../dialect.ts";
import { least } from "../lists.ts";
import { alignOf, sizeOf } from "../semantics/types/layout.ts";
import type { FunctionDeclaration, VariableSymbol } from "../semantics/types/symbols.ts";
import { containsUnknown, isOpaqueToUs } from "../semantics/types/types.ts";
import type { LedgerEntry } from "./ledger.ts";

/** The limit in bytes from compute capability 7.0 with CUDA 12.1 (CUDA C++ Programming Guide, __global__ function parameters). */
export const largeParameterLimit = 32_764;

/** The limit in bytes below compute capability 7.0, or before CUDA 12.1. */
export const smallParameterLimit = 4_096;

/** How many bytes a launch can pass; an unknown architecture counts as 7.0. */
export function kernelParameterLimit({ architectures }: CudaDialect): number {
  return least(architectures) < 70 ? smallParameterLimit : largeParameterLimit;
}

/** A parameter with its size in a launch. */
export interface ParameterEntry extends LedgerEntry {
  readonly symbol: VariableSymbol;
}

/** The size of each parameter in a launch, without those of unknown size. */
export function parameterEntries({ parameters }: FunctionDeclaration): readonly ParameterEntry[] {
  return parameters.flatMap(({ symbol }): readonly ParameterEntry[] => {
    const { name, type, isPack } = symbol;
    if (isPack === true) return [];
    // A reference is passed as an address. An image, a sampler or a pipe is passed as a handle of the host.
    if (type.kind === "reference" || type.kind === "pointer" || type.kind === "opaque") return [{ symbol, name, size: 8, alignment: 8 }];
    if (isOpaqueToUs(type) || containsUnknown(type)) return [];
    const size = sizeOf(type);
    const alignment = alignOf(type);
    return size === undefined || alignment === undefined ? [] : [{ symbol, name, size, alignment }];
  });
}
