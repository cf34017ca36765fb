/**
 * Relations between address spaces. An implicit one is generic where the standard has that space, otherwise private. A file
 * that uses such pointers in ways that are correct in both cases means the same under both standards, so questions about them are
 * answered for both where the answers agree. Reading `space` of such qualifiers asks the standard of the analysis.
 */
import type { Dialect } from "../../dialect.ts";
import type { AddressSpace } from "../../qualifiers.ts";
import { isSameUndeclared } from "./predicates.ts";
import { type ImplicitSpaceQualifiers, type Qualifiers, type Type, unqualified } from "./types.ts";

/**
 * True if a pointer to `outer` may point to every object of `inner` (OpenCL C 3.0 §6.7.9, 2.0 §6.5.5). Device and host memory are
 * parts of global memory (cl_intel_unified_shared_memory).
 */
export function containsSpace(outer: AddressSpace, inner: AddressSpace): boolean {
  if (outer === inner) return true;
  if (outer === "generic") return inner !== "constant";
  return outer === "global" && (inner === "global_device" || inner === "global_host");
}

/** True if a pointer may point into both: they are equal, or one contains the other (OpenCL C 2.0 §6.5.5). */
export function overlaps(a: AddressSpace, b: AddressSpace): boolean {
  return containsSpace(a, b) || containsSpace(b, a);
}

/** Qualifiers without a written address space; `ask` answers which one they have. */
export function implicitSpaceQualifiers(ask: () => AddressSpace): ImplicitSpaceQualifiers {
  const known: (Qualifiers | undefined)[] = [];
  const make: ImplicitSpaceQualifiers = (isConst, isVolatile, isRestrict) => {
    const index = (isConst ? 1 : 0) + (isVolatile ? 2 : 0) + (isRestrict ? 4 : 0);
    const made = known[index] ?? {
      get space() {
        return ask();
      },
      const: isConst,
      volatile: isVolatile,
      restrict: isRestrict,
      implicitSpace: make,
    };
    known[index] = made;
    return made;
  };
  return make;
}

/** True if both address spaces are the same one; false also if one is unspecified. */
export function isSameSpace(a: Qualifiers, b: Qualifiers): boolean {
  if (a.implicitSpace !== undefined && b.implicitSpace !== undefined) return true;
  return a.space === b.space;
}

/** True for an object in this space, which is neither private nor generic. */
export function isInSpace(qualifiers: Qualifiers, wanted: Exclude<AddressSpace, "private" | "generic">): boolean {
  return qualifiers.implicitSpace === undefined && qualifiers.space === wanted;
}

/** The address space under a standard that shares the analysis. */
export function spaceUnder(dialect: Dialect, qualifiers: Qualifiers): AddressSpace | undefined {
  if (qualifiers.implicitSpace === undefined || dialect.language !== "opencl") return qualifiers.space;
  return dialect.genericAddressSpace ? "generic" : "private";
}

/** True if both address spaces are specified and differ. */
export function haveDifferentSpaces(a: Qualifiers, b: Qualifiers): boolean {
  if (a.implicitSpace !== undefined && b.implicitSpace !== undefined) return false;
  return a.space !== undefined && b.space !== undefined && a.space !== b.space;
}

/** True if no pointer may point into both address spaces. */
export function haveDisjointSpaces(a: Qualifiers, b: Qualifiers): boolean {
  const explicit = a.implicitSpace === undefined ? a : b;
  if (a.implicitSpace !== undefined || b.implicitSpace !== undefined) {
    // Private and generic memory overlap, and neither overlaps constant memory.
    if (explicit.implicitSpace !== undefined || explicit.space === undefined || explicit.space === "private") return false;
    if (explicit.space === "constant") return true;
  }
  return a.space !== undefined && b.space !== undefined && !overlaps(a.space, b.space);
}

/** True if a pointer into one address space does not convert to a pointer into the other implicitly. */
export function leavesSpace(from: Qualifiers, to: Qualifiers): boolean {
  if (to.implicitSpace !== undefined) {
    // Private memory is in private and in generic memory; constant memory is in neither.
    if (from.implicitSpace !== undefined || from.space === undefined || from.space === "private") return false;
    if (from.space === "constant") return true;
  } else if (from.implicitSpace !== undefined && to.space === undefined) return false;
  return from.space !== undefined && to.space !== undefined && !containsSpace(to.space, from.space);
}

/**
 * OpenCL: true for pointers to one type that nothing declares, of which only one is written with an address space that the other cannot
 * have by default. Such a type has no address space of its own, or that one: a macro of the build, or a name from a missing header.
 */
export function leavesImplicitSpace(from: Type, to: Type, dialect: Dialect): boolean {
  if (dialect.language !== "opencl" || !isSameUndeclared(from, to)) return false;
  const [a, b] = [from.qualifiers.space, to.qualifiers.space];
  // An object of such a type may be one in global memory.
  if (a === undefined) return b === "local" || b === "constant";
  if (b !== undefined || a === "private" || a === "generic") return false;
  return a === "constant" || !dialect.genericAddressSpace;
}

/** The address space alone. */
export function withoutCv(qualifiers: Qualifiers): Qualifiers {
  return qualifiers.implicitSpace?.(false, false, false) ?? { ...unqualified, space: qualifiers.space };
}
