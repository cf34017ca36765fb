/**
 * The data that one translation unit provides for the others. It is plain data without nodes or offsets into trees, so that a run
 * can be split and linked afterwards. Locations are in the author's code.
 */
import type { AnnotationMacro } from "../analyses/annotation-macros.ts";
import type { AnnotationSlots, AnnotationStyle } from "../analyses/grid-constants.ts";
import type { AddressSpace, MemorySpace } from "../qualifiers.ts";
import type { ExecutionSpaces } from "../semantics/types/symbols.ts";
import type { Location } from "../source.ts";

/** A declaration of a kernel. */
export interface KernelSummary {
  readonly qualifiedName: string;
  /** The parameters' types as spelled, without top-level qualifiers; undefined if any is unknown. */
  readonly signature: string | undefined;
  /** It has internal linkage. */
  readonly isInternal: boolean;
  readonly isDefinition: boolean;
  readonly isTemplate: boolean;
  readonly role: "primary" | "specialization" | "instantiation";
  readonly location: Location;
  /** The first declaration in its translation unit, or the template that it is a specialization or an instantiation of. */
  readonly entity: Location;
  /** The values of `__launch_bounds__`, if it is present and all values are known. */
  readonly launchBounds?: { readonly values: readonly number[]; readonly location: Location };
  readonly parameters: readonly KernelParameterSummary[];
}

/** A parameter of a kernel's declaration. */
export interface KernelParameterSummary {
  readonly name: string;
  readonly isGridConstant: boolean;
  /** The parameter; undefined inside macro expansions. */
  readonly location: Location | undefined;
  /** Its type is a class, or depends on template arguments. */
  readonly isClass?: true;
  /** Where it can be annotated; absent if it cannot (an array, a reference, a macro's expansion). */
  readonly slots?: AnnotationSlots<Location>;
  /** The project's macros for the annotation that are usable there; absent if there are none. */
  readonly macros?: readonly AnnotationMacro[];
  /** The body modifies the parameter, so the parameter cannot become const. */
  readonly isModified?: true;
  readonly annotation?: AnnotationSummary;
}

/** A `__grid_constant__` on a parameter, as written there. */
export interface AnnotationSummary {
  readonly location: Location;
  readonly style: AnnotationStyle;
  /** The text to delete with the annotation, including white space; absent if the author did not write it there. */
  readonly removal?: Location;
  /** The definition of the macro that spells it. */
  readonly definition?: Location;
}

/** A function as a call refers to it. Without a key and a definition, the function cannot be identified. */
export interface CalleeSummary {
  /** Its name and parameters, equal in every file that can link to it; undefined if it has internal linkage. */
  readonly key?: string;
  /** Its definition, if the calling file includes it. */
  readonly definition?: Location;
}

/** An effect on an object that a function receives by pointer or reference. */
export type EffectSummary =
  /** `member`: through a mutable member of this name. */
  | { readonly kind: "write"; readonly location: Location; readonly member?: string }
  /** Its address is stored where it outlives the call. */
  | { readonly kind: "store"; readonly location: Location };

/** An object is passed on to a parameter of another function. */
export interface PassSummary {
  readonly callee: CalleeSummary;
  /** The callee's parameter; -1 for the object of a member function. */
  readonly index: number;
}

/** A function's definition, and the effects of its own body on its arguments. */
export interface FunctionSummary {
  readonly key?: string;
  readonly definition: Location;
  readonly parameters: readonly {
    readonly index: number;
    readonly effects: readonly EffectSummary[];
    readonly passes: readonly PassSummary[];
    readonly narrowed?: NarrowedSummary;
  }[];
}

/** OpenCL: the only address space to which a function casts a generic parameter. */
export interface NarrowedSummary {
  readonly name: string;
  readonly space: AddressSpace;
  readonly location: Location;
}

/** A question about an object that is passed to a function whose body this file does not contain. */
export interface QuestionSummary extends PassSummary {
  /** The rule that asks. */
  readonly rule: string;
  readonly object: string;
  readonly declaration: Location;
  /** The function's name, as in the call. */
  readonly name: string;
  readonly argument: Location;
  /** OpenCL: the address spaces that the pointer may point into, if a rule asks about them. */
  readonly spaces?: readonly AddressSpace[];
}

/** The effects of functions, over all files. */
export interface LinkedEffects {
  /** The effects on the object of this argument, in the function and in those that the function passes it on to. */
  of(pass: PassSummary): readonly EffectSummary[];
  /** The address space to which the function itself casts this argument; undefined if it casts it to none, or to several. */
  narrowed(pass: PassSummary): NarrowedSummary | undefined;
}

/** A declaration of a `__device__` or `__global__` function that other translation units can name. */
export interface DeviceFunctionSummary {
  readonly name: string;
  readonly signature: string;
  readonly execution: ExecutionSpaces;
  /** A function for the host alone calls it in this file. */
  readonly isCalledByHost?: true;
  readonly isDefinition: boolean;
  readonly location: Location;
}

/** A declaration of a variable that other translation units can name. */
export interface VariableSummary {
  readonly name: string;
  readonly qualifiedName: string;
  readonly space: MemorySpace;
  readonly type: string;
  readonly isDefinition: boolean;
  readonly location: Location;
}

/** OpenCL C: a declaration of a function with pointer parameters that other translation units can name. */
export interface PrototypeSummary {
  readonly name: string;
  readonly isDefinition: boolean;
  /** The translation unit calls the function, so that its arguments suit this declaration. */
  readonly isCalled?: true;
  readonly location: Location;
  /** Null for a parameter that is not a pointer, or is unknown. */
  readonly parameters: readonly (PointerSummary | null)[];
}

/** The pointee of a parameter, level by level, and the places of its qualifiers if it has one level. */
export interface PointerSummary {
  /** As spelled in messages. */
  readonly type: string;
  readonly levels: readonly { readonly space?: AddressSpace; readonly isConst: boolean; readonly isVolatile: boolean }[];
  readonly location: Location;
  /** The place before the declaration; absent if it cannot be edited. */
  readonly before?: Location;
  /** The word for its address space; `isShort` if spelled without underscores. */
  readonly space?: { readonly location: Location; readonly isShort: boolean };
  /** `const` with the white space after it. */
  readonly const?: Location;
}

/** The constant memory of a translation unit's device code, and the names that link the code to other files. */
export interface ConstantMemorySummary {
  readonly entries: readonly { readonly name: string; readonly size: number; readonly location: Location }[];
  /** The device variables and functions that it defines for others, and those that it needs from others. */
  readonly defines: readonly string[];
  readonly needs: readonly string[];
}

/** The data that one file provides for the others. */
export interface Summary {
  readonly uri: string;
  /** The files of the translation unit. */
  readonly files: readonly string[];
  readonly kernels: readonly KernelSummary[];
  readonly functions: readonly FunctionSummary[];
  readonly questions: readonly QuestionSummary[];
  /** OpenCL C only. */
  readonly prototypes?: readonly PrototypeSummary[];
  /** CUDA only, like the members below: declarations that other translation units can name. */
  readonly deviceFunctions?: readonly DeviceFunctionSummary[];
  readonly variables?: readonly VariableSummary[];
  /** With `-rdc=true` only. */
  readonly constantMemory?: ConstantMemorySummary;
}
