/** Kernels that are one entity for the linker, for rules that compare their declarations between files. */
import type { KernelSummary, Summary } from "./summary.ts";

/** A declaration of a kernel, and the file that has it. */
export interface LinkedKernel {
  readonly uri: string;
  /** Every file of its translation unit. */
  readonly files: readonly string[];
  readonly kernel: KernelSummary;
}

/**
 * The declarations of each kernel, every place once. A workspace may hold many programs, each with its own `run`; so a name
 * with several definitions says nothing, and a declaration is compared with the one definition that it can mean.
 */
export function linkedKernels(
  summaries: readonly Summary[],
): readonly { readonly definition: LinkedKernel; readonly all: readonly LinkedKernel[] }[] {
  const groups = new Map<string, LinkedKernel[]>();
  for (const { uri, files, kernels } of summaries) {
    for (const kernel of kernels) {
      if (kernel.isInternal || kernel.isTemplate || kernel.role !== "primary" || kernel.signature === undefined) continue;
      const key = `${kernel.qualifiedName}(${kernel.signature})`;
      const group = groups.get(key) ?? [];
      groups.set(key, group);
      if (!group.some((other) => isSamePlace(other.kernel, kernel))) group.push({ uri, files, kernel });
    }
  }
  return [...groups.values()].flatMap((all) => {
    const [definition, second] = all.filter(({ kernel }) => kernel.isDefinition);
    return definition === undefined || second !== undefined ? [] : [{ definition, all }];
  });
}

function isSamePlace(a: KernelSummary, b: KernelSummary): boolean {
  return a.location.uri === b.location.uri && a.location.span.start === b.location.span.start;
}
