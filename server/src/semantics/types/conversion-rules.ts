/**
 * Decides whether a value of one type can be converted to another, and what two pointers in one operation have in common. The
 * verdicts are clang's; each branch cites the clause that it implements. Spelling and position are irrelevant here: both types come
 * resolved from `declarators.ts`, and callers handle null pointer constants (C11 §6.3.2.3p3).
 */
import type { Dialect } from "../../dialect.ts";
import { containsSpace, haveDifferentSpaces, haveDisjointSpaces, leavesImplicitSpace, leavesSpace, withoutCv } from "./address-spaces.ts";
import { hasSameCv, isBaseOf, isSameType, type Level, levelsOf, pointeeQualifiers, pointerThrough } from "./compatible.ts";
import { isSameUndeclared } from "./predicates.ts";
import {
  isOpaqueToUs,
  type PointerType,
  pointerTo,
  type Qualifiers,
  type ReferenceType,
  type Type,
  unqualified,
  voidType,
} from "./types.ts";

/** A qualifier that a conversion may add or discard. */
export type CvQualifier = "const" | "volatile" | "restrict";

/** What is wrong with a conversion, the most serious first; `ok` and `unknown` yield no finding. */
export type Verdict =
  | { readonly kind: "ok" }
  | { readonly kind: "unknown" }
  /** Pointers to disjoint address spaces. `isNested`: below the first level. */
  | { readonly kind: "changes-address-space"; readonly isNested: boolean; readonly isError: boolean }
  /**
   * const, volatile or restrict of the pointee is dropped; `lost` names them. It is empty if a nested pointee gains a qualifier
   * that it must not gain (`int **` to `const int **`).
   */
  | { readonly kind: "discards-qualifiers"; readonly lost: readonly CvQualifier[]; readonly isNested: boolean; readonly isError: boolean }
  /** `addrspace_cast` to a type that differs in more than the pointee's address space. */
  | { readonly kind: "changes-type" }
  /** Pointee types differ otherwise, or a pointer becomes an integer: not this tool's subject, but other checks are skipped. */
  | { readonly kind: "incompatible" };

const ok: Verdict = { kind: "ok" };
const unknown: Verdict = { kind: "unknown" };
const incompatible: Verdict = { kind: "incompatible" };
const changesType = { kind: "changes-type" } as const satisfies Verdict;
const changesSpace = { kind: "changes-address-space", isNested: false, isError: true } as const satisfies Verdict;

/** The explicit conversions of C++; C has only the first. */
export type CastKind = "c-style" | "functional" | "static_cast" | "reinterpret_cast" | "const_cast" | "dynamic_cast" | "addrspace_cast";

/**
 * Whether a value (for a reference: an object) of type `from` can become a `to`. An array stands for the pointer that it decays
 * to. `cast` is the kind of an explicit conversion; the default is C-style.
 */
export function compare(from: Type, to: Type, dialect: Dialect, isExplicit: boolean, cast: CastKind = "c-style"): Verdict {
  // C++ for OpenCL §2.4.1: `addrspace_cast` is for pointers.
  if (to.kind === "reference" && cast === "addrspace_cast") return changesType;
  // `reinterpret_cast<T &>(x)` is `*reinterpret_cast<T *>(&x)` (C++17 §8.2.10p11), likewise `const_cast` (§8.2.11p4).
  const isAsPointer = cast === "reinterpret_cast" || cast === "const_cast";
  if (to.kind === "reference" && isExplicit && isAsPointer && from.kind !== "reference") {
    const verdict = isOpaqueToUs(from) ? unknown : compareNamedCast(pointerTo(from), pointerTo(to.referent), cast, dialect);
    if (verdict.kind === "changes-address-space" && !verdict.isNested) return verdict;
  }
  if (to.kind === "reference") return isExplicit && isFreeCast(cast) ? ok : compareReference(from, to, isExplicit, dialect);
  const source = from.kind === "array" ? pointerTo(from.element) : from;
  if (isOpaqueToUs(source) || isOpaqueToUs(to)) return unknown;
  if (source.kind === "nullptr") return ok;
  if (source.kind !== "pointer" || to.kind !== "pointer") return cast === "addrspace_cast" ? changesType : compareOther(source, to);
  return isExplicit ? compareCast(source, to, cast, dialect) : compareImplicit(source, to, dialect);
}

/** The qualifiers of `from` that the target lacks. */
function lostQualifiers(from: Qualifiers, to: Qualifiers): readonly CvQualifier[] {
  return (["const", "volatile", "restrict"] as const).filter((qualifier) => from[qualifier] && !to[qualifier]);
}

/** Compares types of which one is not a pointer. A cast between pointers and integers is legal in any space (C11 §6.3.2.3p5–6). */
function compareOther(from: Type, to: Type): Verdict {
  if (from.kind === "pointer" && to.kind === "arithmetic" && to.name === "bool") return ok;
  return from.kind === "pointer" || to.kind === "pointer" ? incompatible : ok;
}

// ---------------------------------------------------------------- casts

/** True for C-style casts, which can do what any other cast can, except change to a disjoint address space. */
function isFreeCast(cast: CastKind): boolean {
  return cast === "c-style" || cast === "functional";
}

function compareCast(from: PointerType, to: PointerType, cast: CastKind, dialect: Dialect): Verdict {
  if (cast === "static_cast" || cast === "const_cast" || cast === "reinterpret_cast") return compareNamedCast(from, to, cast, dialect);
  if (leavesImplicitSpace(from.pointee, to.pointee, dialect)) return changesSpace;
  const target = levelsOf(to);
  for (const [depth, level] of levelsOf(from).entries()) {
    const other = target[depth]?.qualifiers ?? unqualified;
    // OpenCL C 2.0 §6.5.5, 3.0 §6.7.9: a cast goes between overlapping spaces only.
    if (depth === 0) {
      if (haveDisjointSpaces(level.qualifiers, other)) return changesSpace;
      // Below the first level no space contains another: the pointer in memory does not change.
    } else if (haveDifferentSpaces(level.qualifiers, other))
      return { kind: "changes-address-space", isNested: true, isError: cast === "addrspace_cast" };
  }
  return cast === "addrspace_cast" ? compareAddressSpaceCast(from, to) : ok;
}

/** Judges an `addrspace_cast`, which changes the address space of the pointee and nothing else (C++ for OpenCL §2.4.1). */
function compareAddressSpaceCast(from: PointerType, to: PointerType): Verdict {
  const isSame = isSameType(from.pointee, to.pointee);
  if (isSame === undefined) return unknown;
  return isSame && hasSameCv(pointeeQualifiers(from.pointee), pointeeQualifiers(to.pointee)) ? ok : changesType;
}

/**
 * Judges the other named casts. Only C-style casts and `addrspace_cast` leave the generic address space, and `const_cast` changes
 * no address space (C++ for OpenCL §2.4). In CUDA clang treats pointers without an address space as generic.
 */
function compareNamedCast(from: PointerType, to: PointerType, cast: CastKind, dialect: Dialect): Verdict {
  // `reinterpret_cast` to a differently nested type only causes a warning, whatever it drops.
  if (cast === "reinterpret_cast" && nestDifferently(from, to)) return unknown;
  const a = pointeeQualifiers(from.pointee);
  const b = pointeeQualifiers(to.pointee);
  const isNumbered = dialect.language === "cuda" && (cast === "const_cast" || b.space !== undefined);
  if (isNumbered && a.space !== b.space) return changesSpace;
  if (a.space !== undefined && b.space !== undefined && (cast === "const_cast" ? a.space !== b.space : !containsSpace(b.space, a.space)))
    return changesSpace;
  const lost = lostQualifiers(a, b).filter((qualifier) => qualifier !== "restrict");
  // C++17 §8.2.11: every named cast except const_cast keeps constness.
  if (cast !== "const_cast" && lost.length > 0 && !isOpaqueToUs(to.pointee))
    return { kind: "discards-qualifiers", lost, isNested: false, isError: true };
  // Only reinterpret_cast converts between pointers to different pointers.
  return haveNestedSpaces(from, to) ? { kind: "changes-address-space", isNested: true, isError: cast !== "reinterpret_cast" } : ok;
}

/** True if at some level one type has a pointer and the other an array. */
function nestDifferently(from: Type, to: Type): boolean {
  if (from.kind === "pointer" && to.kind === "pointer") return nestDifferently(from.pointee, to.pointee);
  if (from.kind === "array" && to.kind === "array") return nestDifferently(from.element, to.element);
  return (from.kind === "pointer" && to.kind === "array") || (from.kind === "array" && to.kind === "pointer");
}

// ---------------------------------------------------------------- implicit conversions

function compareImplicit(from: PointerType, to: PointerType, dialect: Dialect): Verdict {
  const a = pointeeQualifiers(from.pointee);
  const b = pointeeQualifiers(to.pointee);
  // OpenCL C 3.0 §6.7.9, 2.0 §6.5.5: into the same address space, or from a named one except constant into generic.
  if (leavesSpace(a, b) || leavesImplicitSpace(from.pointee, to.pointee, dialect)) return changesSpace;
  if (isOpaqueToUs(from.pointee) || isOpaqueToUs(to.pointee)) return compareUndeclared(from.pointee, to.pointee, dialect);
  // In CUDA a pointer without an address space is generic: a numbered space converts to it, and not back.
  if (dialect.language === "cuda" && a.space === undefined && b.space !== undefined) return changesSpace;
  return dialect.cplusplus ? compareInCplusplus(from, to, dialect) : compareInC(from, to, dialect);
}

/** Judges pointers to a type that nothing declares: one that the program writes with const is not const by itself. */
function compareUndeclared(from: Type, to: Type, dialect: Dialect): Verdict {
  const lost = isSameUndeclared(from, to) ? lostQualifiers(from.qualifiers, to.qualifiers) : [];
  return lost.length === 0 ? unknown : { kind: "discards-qualifiers", lost, isNested: false, isError: dialect.cplusplus };
}

/** Judges the simple assignment of pointers (C11 §6.5.16.1p1), in clang's order. */
function compareInC(from: PointerType, to: PointerType, dialect: Dialect): Verdict {
  const lost = lostQualifiers(pointeeQualifiers(from.pointee), pointeeQualifiers(to.pointee));
  const direct: Verdict = lost.length === 0 ? ok : { kind: "discards-qualifiers", lost, isNested: false, isError: dialect.cplusplus };
  // Any object pointer converts to a void pointer and back (C11 §6.3.2.3p1); the levels below are not compared.
  if (to.pointee.kind === "void" || from.pointee.kind === "void")
    return to.pointee.kind === "function" || from.pointee.kind === "function" ? incompatible : direct;
  const isSame = isSameType(from.pointee, to.pointee);
  if (isSame === true) return direct;
  // Every level below the first must have the same space, also in the elements of arrays (C11 §6.7.6.1p2, 6.7.6.2p6).
  if (haveNestedSpaces(from, to, "arrays") || haveDisjointTargets(from, to))
    return { kind: "changes-address-space", isNested: true, isError: true };
  return isSame === undefined ? unknown : compareNested(levelsOf(from).slice(1), levelsOf(to).slice(1), dialect);
}

/** True for pointers of different depth whose final targets are in different spaces. */
function haveDisjointTargets(from: PointerType, to: PointerType): boolean {
  const [left, right] = [levelsOf(from), levelsOf(to)];
  const [a, b] = [left[left.length - 1], right[right.length - 1]];
  if (a === undefined || b === undefined || left.length === right.length || isOpaqueToUs(a.type) || isOpaqueToUs(b.type)) return false;
  return haveDifferentSpaces(a.qualifiers, b.qualifiers);
}

/** Judges pointers with the same final target type, whose qualifiers below the first level differ (C11 §6.7.6.1p2). */
function compareNested(from: readonly Level[], to: readonly Level[], dialect: Dialect): Verdict {
  const [a, b] = [from[from.length - 1], to[to.length - 1]];
  if (a === undefined || b === undefined || from.length !== to.length || isSameType(a.type, b.type) === false) return incompatible;
  const lost = new Set(from.flatMap(({ qualifiers }, depth) => lostQualifiers(qualifiers, to[depth]?.qualifiers ?? unqualified)));
  return { kind: "discards-qualifiers", lost: [...lost], isNested: true, isError: dialect.cplusplus };
}

/**
 * Judges an implicit conversion of C++, which allows only conversions to `void *` and to a base class, and adding qualifiers at any
 * level (C++17 §7.5, §7.11).
 */
function compareInCplusplus(from: PointerType, to: PointerType, dialect: Dialect): Verdict {
  const isFunction = from.pointee.kind === "function" || to.pointee.kind === "function";
  if (from.pointee.kind === "void" && to.pointee.kind !== "void") {
    const verdict = compareInC(from, to, dialect);
    return verdict.kind === "ok" ? incompatible : verdict;
  }
  if (to.pointee.kind === "void" || isFunction) return compareInC(from, to, dialect);
  const isDerived = isDerivedPointer(from, to);
  if (isDerived === undefined) return unknown;
  if (isDerived) {
    const lost = lostQualifiers(from.pointee.qualifiers, to.pointee.qualifiers);
    return lost.length === 0 ? ok : { kind: "discards-qualifiers", lost, isNested: false, isError: true };
  }
  return addsQualifiersSafely(levelsOf(from), levelsOf(to)) ? ok : compareInC(from, to, dialect);
}

function isDerivedPointer(from: PointerType, to: PointerType): boolean | undefined {
  if (from.pointee.kind !== "record" || to.pointee.kind !== "record" || from.pointee.record === to.pointee.record) return false;
  return isBaseOf(to.pointee.record, from.pointee.record);
}

/** True if const is at every level above one whose qualifiers differ, except the first level (C++17 §7.5p3). */
function addsQualifiersSafely(from: readonly Level[], to: readonly Level[]): boolean {
  const [a, b] = [from[from.length - 1], to[to.length - 1]];
  if (from.length !== to.length || a === undefined || b === undefined || isSameType(a.type, b.type) !== true) return false;
  let isConstSoFar = true;
  for (const [depth, { qualifiers }] of from.entries()) {
    const target = to[depth]?.qualifiers ?? unqualified;
    if (lostQualifiers(qualifiers, target).length > 0) return false;
    if (depth > 0 && qualifiers.space !== target.space) return false;
    if (!hasSameCv(qualifiers, target) && !isConstSoFar) return false;
    isConstSoFar &&= target.const;
  }
  return true;
}

// ---------------------------------------------------------------- references

/**
 * Judges the binding of a reference (C++17 §11.6.3p4–5; C++ for OpenCL §2.5): the referent must have the object's address space,
 * and at least its const and volatile.
 */
function compareReference(from: Type, to: ReferenceType, isExplicit: boolean, dialect: Dialect): Verdict {
  const source = from.kind === "reference" ? from.referent : from;
  const target = to.referent;
  const a = pointeeQualifiers(source);
  const b = pointeeQualifiers(target);
  const isRelated = isSameType(source, target);
  const isDerived =
    source.kind === "record" && target.kind === "record" && source.record !== target.record
      ? isBaseOf(target.record, source.record)
      : false;
  // `const int *&r = p;` with an `int *p` would allow r to store a pointer to const in p (C++17 §11.6.3p5).
  if (isRelated === false && !isExplicit && !to.isRvalue && !b.const && isSimilar(source, target))
    return { kind: "discards-qualifiers", lost: lossBelow(source, target), isNested: false, isError: true };
  if (isRelated === false && isDerived === false) return compareTemporary(source, to, isExplicit, dialect);
  // A temporary of another type could be bound instead, so the address space of an unknown type proves nothing.
  if (isRelated !== true && isDerived !== true) return unknown;
  if (a.space !== undefined && b.space !== undefined && !containsSpace(b.space, a.space)) return changesSpace;
  const lost = lostQualifiers(a, b).filter((qualifier) => qualifier !== "restrict");
  return lost.length === 0 ? ok : { kind: "discards-qualifiers", lost, isNested: false, isError: true };
}

/**
 * Judges a reference to const, or to an rvalue, which binds to the temporary that results from a pointer conversion (C++17
 * §11.6.3p5.4).
 */
function compareTemporary(source: Type, to: ReferenceType, isExplicit: boolean, dialect: Dialect): Verdict {
  const target = to.referent;
  if (isExplicit || source.kind !== "pointer" || target.kind !== "pointer") return incompatible;
  if (!(to.isRvalue || target.qualifiers.const)) {
    // Any other reference must refer to a pointer of exactly the same type.
    const [a, b] = [source.pointee.qualifiers.space, target.pointee.qualifiers.space];
    return a !== undefined && b !== undefined && a !== b ? { kind: "changes-address-space", isNested: true, isError: true } : incompatible;
  }
  const verdict = compareImplicit(source, target, dialect);
  return verdict.kind === "changes-address-space" ? verdict : incompatible;
}

/** True for pointers that differ only in the qualifiers below the first level (C++17 §7.5p1). */
function isSimilar(from: Type, to: Type): boolean {
  if (from.kind !== "pointer" || to.kind !== "pointer" || isOpaqueToUs(from.pointee) || isOpaqueToUs(to.pointee)) return false;
  const [a, b] = [from.pointee.qualifiers, to.pointee.qualifiers];
  if (a.space !== b.space || a.restrict !== b.restrict) return false;
  return isSameType(from.pointee, to.pointee) === true || isSimilar(from.pointee, to.pointee);
}

function lossBelow(from: Type, to: Type): readonly CvQualifier[] {
  return from.kind === "pointer" && to.kind === "pointer" ? lostQualifiers(from.pointee.qualifiers, to.pointee.qualifiers) : [];
}

// ---------------------------------------------------------------- two pointers

/** What two pointers that are compared, subtracted or operands of `?:` have in common. */
export interface CommonPointer {
  readonly verdict: Verdict;
  /** The result of `?:`; undefined if there is no common type, or if it is unknown. */
  readonly type: Type | undefined;
}

/**
 * The verdict on two pointers that are operands of `operator`, and the type of `?:`. clang accepts `?:` with a void pointer and a
 * pointer into a disjoint space, which no standard allows: there the verdict is not an error, and there is no type.
 */
export function commonPointer(left: Type, right: Type, dialect: Dialect, operator = "=="): CommonPointer {
  const a = left.kind === "array" ? pointerTo(left.element) : left;
  const b = right.kind === "array" ? pointerTo(right.element) : right;
  if (a.kind !== "pointer" || b.kind !== "pointer")
    return { verdict: isOpaqueToUs(a) || isOpaqueToUs(b) ? unknown : incompatible, type: undefined };
  const [x, y] = [pointeeQualifiers(a.pointee), pointeeQualifiers(b.pointee)];
  // OpenCL C 3.0 §6.7.9, 2.0 §6.5.5: operands must point into the same space, or into two of which one contains the other.
  if (haveDisjointSpaces(x, y)) {
    const isUnheard = operator === "?:" && !dialect.cplusplus && (a.pointee.kind === "void" || b.pointee.kind === "void");
    return { verdict: isUnheard ? { ...changesSpace, isError: false } : changesSpace, type: undefined };
  }
  if (isOpaqueToUs(a.pointee) || isOpaqueToUs(b.pointee)) return { verdict: unknown, type: undefined };
  const outer = mergeQualifiers(x, y);
  if (a.pointee.kind === "void" || b.pointee.kind === "void") return commonVoid(a, b, outer, operator);
  // Subtraction requires compatible pointees in C++ too (C++17 §8.7p2), and is an error otherwise.
  return dialect.cplusplus && operator !== "-" ? commonInCplusplus(a, b) : commonInC(a, b, outer, operator === "-");
}

/** The result if one operand points to void: it does too (C11 §6.5.15p6), but void pointers cannot be subtracted. */
function commonVoid(a: PointerType, b: PointerType, qualifiers: Qualifiers, operator: string): CommonPointer {
  const isObject =
    a.pointee.kind !== "function" && b.pointee.kind !== "function" && (operator !== "-" || a.pointee.kind === b.pointee.kind);
  return isObject ? { verdict: ok, type: pointerTo({ ...voidType, qualifiers }) } : { verdict: incompatible, type: undefined };
}

/**
 * The result in C. Compatible pointees keep their type, with the qualifiers of both (C11 §6.5.15p6). Others cause a warning and
 * give `void`.
 */
function commonInC(a: PointerType, b: PointerType, qualifiers: Qualifiers, isError: boolean): CommonPointer {
  const isSame = isSameType(a.pointee, b.pointee);
  if (isSame === true) return { verdict: ok, type: withOutermost(a, qualifiers) };
  const type = pointerTo({ ...voidType, qualifiers: withoutCv(qualifiers) });
  if (haveNestedSpaces(a, b)) return { verdict: { kind: "changes-address-space", isNested: true, isError }, type };
  return isSame === undefined ? { verdict: unknown, type: undefined } : { verdict: incompatible, type };
}

/** The composite pointer type in C++ (C++17 §8p8): const is added above every level in which the operands differ. */
function commonInCplusplus(a: PointerType, b: PointerType): CommonPointer {
  const isDerived = isDerivedPointer(a, b);
  const isBase = isDerivedPointer(b, a);
  if (isDerived === undefined || isBase === undefined) return { verdict: unknown, type: undefined };
  if (isDerived || isBase) {
    const general = isDerived ? b : a;
    return { verdict: ok, type: withOutermost(general, mergeQualifiers(a.pointee.qualifiers, b.pointee.qualifiers)) };
  }
  if (haveNestedSpaces(a, b)) return { verdict: { kind: "changes-address-space", isNested: true, isError: true }, type: undefined };
  const [left, right] = [levelsOf(a), levelsOf(b)];
  const [x, y] = [left[left.length - 1], right[right.length - 1]];
  const isSame = x === undefined || y === undefined || left.length !== right.length ? false : isSameType(x.type, y.type);
  if (isSame !== true) return { verdict: isSame === undefined ? unknown : incompatible, type: undefined };
  const merged = left.map((level, depth) => ({
    type: level.type,
    qualifiers: mergeQualifiers(level.qualifiers, right[depth]?.qualifiers ?? unqualified),
  }));
  const deepest = merged.reduce((found, { qualifiers }, depth) => {
    const isShared = [left[depth], right[depth]].every((level) => level !== undefined && hasSameCv(qualifiers, level.qualifiers));
    return isShared ? found : depth;
  }, 0);
  return {
    verdict: ok,
    type: pointerThrough(
      merged.map((level, depth) => (depth < deepest ? { ...level, qualifiers: { ...level.qualifiers, const: true } } : level)),
    ),
  };
}

function withOutermost(pointer: PointerType, qualifiers: Qualifiers): Type | undefined {
  const [outermost, ...rest] = levelsOf(pointer);
  return outermost === undefined ? undefined : pointerThrough([{ ...outermost, qualifiers }, ...rest]);
}

function haveNestedSpaces(a: PointerType, b: PointerType, through?: "arrays"): boolean {
  const other = levelsOf(b, through);
  return levelsOf(a, through).some(
    ({ qualifiers }, depth) => depth > 0 && haveDifferentSpaces(qualifiers, other[depth]?.qualifiers ?? unqualified),
  );
}

/** The qualifiers of both; of two overlapping spaces, the one that contains the other. */
function mergeQualifiers(a: Qualifiers, b: Qualifiers): Qualifiers {
  const implicitSpace = a.implicitSpace ?? b.implicitSpace;
  const explicit = a.implicitSpace === undefined ? a : b;
  // Generic memory contains private memory.
  if (implicitSpace !== undefined && (explicit.implicitSpace !== undefined || explicit.space === "private"))
    return implicitSpace(a.const || b.const, a.volatile || b.volatile, a.restrict || b.restrict);
  const isInside = a.space !== undefined && b.space !== undefined && containsSpace(b.space, a.space);
  return {
    space: isInside ? b.space : (a.space ?? b.space),
    const: a.const || b.const,
    volatile: a.volatile || b.volatile,
    restrict: a.restrict || b.restrict,
  };
}
