/**
 * Decides whether a value of one pointer type may become another. Spelling and position are irrelevant here: both types
 * come resolved from `declarators.ts`, the operand decayed. What neither language says about pointers, and what a type that
 * we cannot see would say, is `ok` or `unknown`.
 */
import type { Dialect } from "../dialect.ts";
import { type AddressSpace, containsUnknown, isOpaqueToUs, type PointerType, type Qualifiers, spell, type Type, unqualified, unqualifiedType, withQualifiers } from "./types.ts";

/** What is wrong with a conversion, the most serious first; `ok` and `unknown` yield no finding. */
export type Verdict =
  | { readonly kind: "ok" }
  | { readonly kind: "unknown" }
  /** Pointers to disjoint address spaces. `isNested`: below the first level. */
  | { readonly kind: "changes-address-space"; readonly isNested: boolean; readonly isError: boolean }
  /** const, volatile or restrict of the pointee is dropped; `lost` names them. */
  | { readonly kind: "discards-qualifiers"; readonly lost: readonly ("const" | "volatile" | "restrict")[]; readonly isNested: boolean; readonly isError: boolean }
  /** Pointee types differ otherwise, or a pointer becomes an integer: not our subject, but other checks are off. */
  | { readonly kind: "incompatible" };

const ok: Verdict = { kind: "ok" };
const unknown: Verdict = { kind: "unknown" };
const incompatible: Verdict = { kind: "incompatible" };

/** The verdict on converting `from` to `to`, implicitly or by a cast. Null pointer constants are the caller's to except. */
export function compare(from: Type, to: Type, dialect: Dialect, isExplicit: boolean): Verdict {
  if (to.kind === "reference") return compareReferents(from, to.referent, dialect, isExplicit);
  const source = from.kind === "array" ? pointerToElement(from.element) : from;
  const target = to.kind === "array" ? pointerToElement(to.element) : to;
  if (isOpaqueToUs(source) || isOpaqueToUs(target)) return unknown;
  if (source.kind !== "pointer" || target.kind !== "pointer") return incompatible;
  const spaces = compareSpaces(source.pointee.qualifiers.space, target.pointee.qualifiers.space, isExplicit);
  if (spaces !== undefined) return { kind: "changes-address-space", isNested: false, isError: true };
  const nested = compareNestedSpaces(source, target);
  // C11 §6.5.16.1p1: below the first level the types must be compatible, so that even generic does not take a named space.
  if (nested) return { kind: "changes-address-space", isNested: true, isError: !isExplicit };
  return isExplicit ? ok : compareQualifiers(source, target, dialect);
}

function pointerToElement(element: Type): PointerType {
  return { kind: "pointer", pointee: element, qualifiers: unqualified };
}

/**
 * True for address space `inner` being contained in `outer`: the same one, or a named one other than constant in generic
 * (OpenCL C 3.0 §6.7.9; 2.0 §6.5.5).
 */
export function contains(outer: AddressSpace, inner: AddressSpace): boolean {
  return outer === inner || (outer === "generic" && inner !== "constant");
}

/** Undefined where the spaces agree or one is not stated. A cast needs one to contain the other, a conversion the target. */
function compareSpaces(from: AddressSpace | undefined, to: AddressSpace | undefined, isExplicit: boolean): "disjoint" | undefined {
  if (from === undefined || to === undefined || contains(to, from)) return undefined;
  return isExplicit && contains(from, to) ? undefined : "disjoint";
}

function compareNestedSpaces(from: PointerType, to: PointerType): boolean {
  let source: Type = from.pointee;
  let target: Type = to.pointee;
  while (source.kind === "pointer" && target.kind === "pointer") {
    source = source.pointee;
    target = target.pointee;
    const a = source.qualifiers.space;
    const b = target.qualifiers.space;
    if (a !== undefined && b !== undefined && a !== b) return true;
  }
  return false;
}

/** A reference binds to an object in a space that its own contains (C++ for OpenCL 1.0 §2.3). */
function compareReferents(from: Type, referent: Type, dialect: Dialect, isExplicit: boolean): Verdict {
  if (isOpaqueToUs(from) || isOpaqueToUs(referent)) return unknown;
  const space = from.qualifiers.space;
  if (compareSpaces(space, referent.qualifiers.space, isExplicit) !== undefined) return { kind: "changes-address-space", isNested: false, isError: true };
  const isSame = !containsUnknown(from) && !containsUnknown(referent) && spell(unqualifiedType(from)) === spell(unqualifiedType(referent));
  if (!isSame || isExplicit) return ok;
  const lost = lostBetween(from.qualifiers, referent.qualifiers).filter((word) => word !== "restrict");
  return lost.length === 0 ? ok : { kind: "discards-qualifiers", lost, isNested: false, isError: dialect.cplusplus };
}

/** C11 §6.5.16.1p1: the pointee must have all the qualifiers of the source's; C++17 §7.5 is the same at this level. */
function compareQualifiers(from: PointerType, to: PointerType, dialect: Dialect): Verdict {
  if (from.pointee.kind === "function" || to.pointee.kind === "function") return ok;
  const isSameBase = sameIgnoringQualifiers(from.pointee, to.pointee);
  if (isSameBase === undefined) return unknown;
  if (!isSameBase && to.pointee.kind !== "void" && from.pointee.kind !== "void") return incompatible;
  const lost = lostBetween(from.pointee.qualifiers, to.pointee.qualifiers);
  if (lost.length > 0) return { kind: "discards-qualifiers", lost, isNested: false, isError: dialect.cplusplus };
  if (from.pointee.kind === "pointer" && to.pointee.kind === "pointer" && spell(unqualifiedType(from.pointee)) !== spell(unqualifiedType(to.pointee))) return compareNestedQualifiers(from.pointee, to.pointee, dialect);
  return ok;
}

function compareNestedQualifiers(from: PointerType, to: PointerType, dialect: Dialect): Verdict {
  const lost = lostBetween(from.pointee.qualifiers, to.pointee.qualifiers);
  if (lost.length > 0) return { kind: "discards-qualifiers", lost, isNested: true, isError: dialect.cplusplus };
  return dialect.cplusplus ? ok : incompatible;
}

/** `restrict` says nothing about the object, and no compiler reports its loss in a pointee. */
function lostBetween(from: Qualifiers, to: Qualifiers): readonly ("const" | "volatile" | "restrict")[] {
  const lost: ("const" | "volatile" | "restrict")[] = [];
  if (from.const && !to.const) lost.push("const");
  if (from.volatile && !to.volatile) lost.push("volatile");
  if (from.restrict && !to.restrict) lost.push("restrict");
  return lost;
}

/** Undefined where one of the types is not known well enough. */
function sameIgnoringQualifiers(a: Type, b: Type): boolean | undefined {
  if (containsUnknown(a) || containsUnknown(b)) return undefined;
  return spell(bare(a)) === spell(bare(b));
}

function bare(type: Type): Type {
  switch (type.kind) {
    case "pointer":
      return { ...type, pointee: bare(type.pointee), qualifiers: unqualified };
    case "array":
      return { ...type, element: bare(type.element), qualifiers: unqualified };
    default:
      return withQualifiers(type, unqualified);
  }
}

/**
 * Two pointers that meet in a comparison, a subtraction or `?:` (C11 §6.5.8, §6.5.9, §6.5.6, §6.5.15; OpenCL C 2.0 §6.5.5:
 * one space must contain the other), and the type that `?:` gives, undefined where it is not known.
 */
export function commonPointer(left: Type, right: Type, dialect: Dialect): { readonly verdict: Verdict; readonly type: Type | undefined } {
  if (left.kind !== "pointer" || right.kind !== "pointer") return { verdict: unknown, type: undefined };
  const a = left.pointee.qualifiers.space;
  const b = right.pointee.qualifiers.space;
  if (a !== undefined && b !== undefined && !contains(a, b) && !contains(b, a)) return { verdict: { kind: "changes-address-space", isNested: false, isError: true }, type: undefined };
  if (dialect.language === "opencl" && (a === undefined || b === undefined)) return { verdict: unknown, type: undefined };
  const space = a !== undefined && b !== undefined && contains(b, a) ? b : a;
  const qualifiers: Qualifiers = {
    space,
    const: left.pointee.qualifiers.const || right.pointee.qualifiers.const,
    volatile: left.pointee.qualifiers.volatile || right.pointee.qualifiers.volatile,
    restrict: false,
  };
  const isSame = sameIgnoringQualifiers(left.pointee, right.pointee);
  const base = isSame === true ? left.pointee : left.pointee.kind === "void" ? left.pointee : right.pointee.kind === "void" ? right.pointee : undefined;
  return { verdict: ok, type: base === undefined ? undefined : pointerToElement(withQualifiers(base, qualifiers)) };
}
