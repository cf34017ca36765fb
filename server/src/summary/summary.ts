/**
 * What one translation unit tells the others: plain data without nodes or offsets into trees, so that a run can be split
 * and linked afterwards. Locations are in the author's code.
 */
import type { AnnotationMacro } from "../analyses/annotation-macros.ts";
import type { AnnotationSlots, AnnotationStyle } from "../analyses/grid-constants.ts";
import type { AddressSpace, MemorySpace } from "../qualifiers.ts";
import type { Location } from "../source.ts";

/** A declaration of a kernel. */
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
  /** Where its translation unit declares it first, or the template that it is a specialization or an instantiation of. */
  readonly entity: Location;
  /** The values of `__launch_bounds__`, where it has them and all are known. */
  readonly launchBounds?: { readonly values: readonly number[]; readonly location: Location };
  readonly parameters: readonly KernelParameterSummary[];
}

/** A parameter of a kernel's declaration. */
export interface KernelParameterSummary {
  readonly name: string;
  readonly isConst: boolean;
  readonly isGridConstant: boolean;
  /** The parameter; undefined inside macro expansions. */
  readonly location: Location | undefined;
  /** Its type is a class, or depends on a template's arguments. */
  readonly isClass?: true;
  /** Where it can be annotated; absent where it cannot (an array, a reference, a macro's expansion). */
  readonly slots?: AnnotationSlots<Location>;
  /** The project's macros for the annotation that may be used there; absent where there are none. */
  readonly macros?: readonly AnnotationMacro[];
  /** The body writes it, or needs it to be modifiable: it cannot become const. */
  readonly isModified?: true;
  readonly annotation?: AnnotationSummary;
}

/** A `__grid_constant__` on a parameter, as it is written there. */
export interface AnnotationSummary {
  readonly location: Location;
  readonly style: AnnotationStyle;
  /** What goes with the annotation, blanks included; absent where the author did not write it there. */
  readonly removal?: Location;
  /** Of the macro. */
  readonly definition?: Location;
}

/** A function as a call knows it. Without a key and a definition nobody can say which one it is. */
export interface CalleeSummary {
  /** Its name and parameters, equal in every file that can link to it; undefined where it is not visible to others. */
  readonly key?: string;
  /** The name of its definition, where the calling file includes that. */
  readonly definition?: Location;
}

/** What happens to an object that a function is given by a pointer or a reference. */
export type EffectSummary =
  /** `member`: by a mutable member of this name. */
  | { readonly kind: "write"; readonly location: Location; readonly member?: string }
  /** Its address is put where it is found after the function has returned. */
  | { readonly kind: "store"; readonly location: Location };

/** An object is handed on to a parameter of another function. */
export interface PassSummary {
  readonly callee: CalleeSummary;
  /** The callee's parameter; -1 for the object of a member function. */
  readonly index: number;
}

/** A function's definition and what its own body does with what it is given. */
export interface FunctionSummary {
  readonly key?: string;
  readonly definition: Location;
  readonly parameters: readonly {
    readonly index: number;
    readonly effects: readonly EffectSummary[];
    readonly passes: readonly PassSummary[];
  }[];
}

/** An object that a rule is about goes to a function that this file does not show in full. */
export interface QuestionSummary extends PassSummary {
  /** Who asks. */
  readonly rule: string;
  readonly object: string;
  readonly declaration: Location;
  /** The function, as called. */
  readonly name: string;
  readonly argument: Location;
}

/** What the functions of all files together do. */
export interface LinkedEffects {
  /** What happens to an object that this parameter gets, in the function and in those that it hands it on to. */
  of(pass: PassSummary): readonly EffectSummary[];
}

/** A declaration of a `__device__` or `__global__` function that other translation units can name. */
export interface DeviceFunctionSummary {
  readonly name: string;
  readonly signature: string;
  /** As spelled in messages. */
  readonly execution: string;
  /** It runs on the host only. */
  readonly isHost: boolean;
  readonly isDefinition: boolean;
  readonly location: Location;
}

/** A declaration of a variable with linkage that other translation units can name. */
export interface VariableSummary {
  readonly name: string;
  readonly qualifiedName: string;
  readonly space: MemorySpace;
  readonly type: string;
  readonly isDefinition: boolean;
  readonly location: Location;
}

/** OpenCL C: a declaration of a function that takes pointers and that other translation units can name. */
export interface PrototypeSummary {
  readonly name: string;
  readonly isDefinition: boolean;
  readonly location: Location;
  /** Null for a parameter that is not a pointer, or not known. */
  readonly parameters: readonly (PointerSummary | null)[];
}

/** Where a parameter points, level by level, and where the words of its only level stand. */
export interface PointerSummary {
  /** As spelled in messages. */
  readonly type: string;
  readonly levels: readonly { readonly space?: AddressSpace; readonly isConst: boolean; readonly isVolatile: boolean }[];
  readonly location: Location;
  /** In front of the declaration; absent where it cannot be edited. */
  readonly before?: Location;
  /** The word of its space; `isShort` without underscores. */
  readonly space?: { readonly location: Location; readonly isShort: boolean };
  /** `const` with the blank behind it. */
  readonly const?: Location;
}

/** What the device code of a translation unit puts into constant memory, and what ties it to others when it is linked. */
export interface ConstantMemorySummary {
  readonly entries: readonly { readonly name: string; readonly size: number; readonly location: Location }[];
  /** Variables and functions in device code that it has for others, and that it needs from others. */
  readonly defines: readonly string[];
  readonly needs: readonly string[];
}

/** What one file tells the others. */
export interface Summary {
  readonly uri: string;
  /** Every file of the translation unit. */
  readonly files: readonly string[];
  readonly kernels: readonly KernelSummary[];
  readonly functions: readonly FunctionSummary[];
  readonly questions: readonly QuestionSummary[];
  /** OpenCL C only. */
  readonly prototypes?: readonly PrototypeSummary[];
  /** CUDA only, as is what follows: declarations that other translation units can name. */
  readonly deviceFunctions?: readonly DeviceFunctionSummary[];
  readonly variables?: readonly VariableSummary[];
  /** With `-rdc=true` only. */
  readonly constantMemory?: ConstantMemorySummary;
}
