/** Finds the declarations that are one kernel for the linker, for rules that compare declarations between files. */
import { placeKey } from "../source.ts";
import type { KernelSummary, Summary } from "./summary.ts";

/** A declaration of a kernel, and the file that contains it. */
export interface LinkedKernel {
  readonly uri: string;
  /** The files of its translation unit. */
  readonly files: readonly string[];
  readonly kernel: KernelSummary;
}

/**
 * The declarations of each kernel, each place once. A workspace may contain many programs, each with its own `run`, so a name with
 * several definitions is skipped. A declaration is compared only with the one definition that it can refer to.
 */
export function linkedKernels(
  summaries: readonly Summary[],
): readonly { readonly definition: LinkedKernel; readonly all: readonly LinkedKernel[] }[] {
  const groups = new Map<string, Map<string, LinkedKernel>>();
  for (const { uri, files, kernels } of summaries) {
    for (const kernel of kernels) {
      if (kernel.isInternal || kernel.isTemplate || kernel.role !== "primary" || kernel.signature === undefined) continue;
      const key = `${kernel.qualifiedName}(${kernel.signature})`;
      const group = groups.get(key) ?? new Map<string, LinkedKernel>();
      groups.set(key, group);
      const place = placeKey(kernel.location);
      if (!group.has(place)) group.set(place, { uri, files, kernel });
    }
  }
  return [...groups.values()].flatMap((group) => {
    const all = [...group.values()];
    const [definition, second] = all.filter(({ kernel }) => kernel.isDefinition);
    return definition === undefined || second !== undefined ? [] : [{ definition, all }];
  });
}
