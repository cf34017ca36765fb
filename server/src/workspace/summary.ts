/**
 * What one translation unit tells the others: plain data without nodes or offsets into trees, so that a run can be split
 * and linked afterwards. Locations are in the author's code.
 */
import type { Location } from "../source.ts";

export interface KernelSummary {
  readonly qualifiedName: string;
  /** The parameters' types with top-level qualifiers dropped, spelled; undefined when any is unknown. */
  readonly signature: string | undefined;
  /** Not visible to other translation units. */
  readonly isInternal: boolean;
  readonly isDefinition: boolean;
  readonly isTemplate: boolean;
  readonly role: "primary" | "specialization" | "instantiation";
  readonly location: Location;
  readonly parameters: readonly KernelParameterSummary[];
}

export interface KernelParameterSummary {
  readonly name: string;
  readonly isConst: boolean;
  readonly isGridConstant: boolean;
  /** The parameter; undefined inside macro expansions. */
  readonly location: Location | undefined;
  /** Its name, where words may be inserted before; undefined where that would not annotate it (unnamed, array, expansion). */
  readonly nameLocation: Location | undefined;
  /** The annotation's own place and spelling (a project's macro keeps its name). */
  readonly annotation?: { readonly location: Location; readonly spelling: string; readonly isExact: boolean };
}

export interface Summary {
  readonly uri: string;
  readonly kernels: readonly KernelSummary[];
}
