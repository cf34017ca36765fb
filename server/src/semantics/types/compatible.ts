/**
 * Decides whether two types are the same except for their outermost qualifiers, and gives the levels of a chain of pointers.
 * `conversion-rules.ts` asks these questions about pointees. `undefined` means that a type is not known well enough to answer.
 */
import { isSameSpace } from "./address-spaces.ts";
import { innermostElement } from "./predicates.ts";
import type { RecordSymbol } from "./symbols.ts";
import { containsUnknown, isOpaqueToUs, printType, type Qualifiers, type Type, unqualified, unqualifiedType } from "./types.ts";

/** Compatible types as in C11 §6.2.7p1, 6.7.2–6.7.6: the same after dropping the outermost qualifiers. */
export function isSameType(a: Type, b: Type): boolean | undefined {
  if (isOpaqueToUs(a) || isOpaqueToUs(b)) return undefined;
  if (a.kind !== b.kind) return false;
  switch (a.kind) {
    case "pointer":
      // An unknown name may include qualifiers.
      if (b.kind === "pointer" && (isOpaqueToUs(a.pointee) || isOpaqueToUs(b.pointee))) return undefined;
      return b.kind === "pointer"
        ? and(hasSameQualifiers(pointeeQualifiers(a.pointee), pointeeQualifiers(b.pointee)), isSameType(a.pointee, b.pointee))
        : false;
    case "reference":
      return b.kind === "reference" && a.isRvalue === b.isRvalue ? isSameType(a.referent, b.referent) : false;
    case "array":
      // An array of unknown size is compatible with one of any size (C11 §6.7.6.2p6).
      return b.kind === "array"
        ? and(a.length === undefined || b.length === undefined || a.length === b.length, isSameType(a.element, b.element))
        : false;
    case "record":
      return b.kind === "record" && a.record === b.record;
    case "enum":
      return b.kind === "enum" && a.enumeration === b.enumeration;
    case "atomic":
      return b.kind === "atomic" ? isSameType(a.value, b.value) : false;
    default:
      return containsUnknown(a) || containsUnknown(b) ? undefined : printType(unqualifiedType(a)) === printType(unqualifiedType(b));
  }
}

function and(left: boolean, right: boolean | undefined): boolean | undefined {
  return left ? right : false;
}

function hasSameQualifiers(a: Qualifiers, b: Qualifiers): boolean {
  return isSameSpace(a, b) && hasSameCv(a, b);
}

/** True if `const`, `volatile` and `restrict` agree; address spaces may differ. */
export function hasSameCv(a: Qualifiers, b: Qualifiers): boolean {
  return a.const === b.const && a.volatile === b.volatile && a.restrict === b.restrict;
}

/** The qualifiers of the target of a pointer; an array has those of its elements (C11 §6.7.3p9). */
export function pointeeQualifiers(pointee: Type): Qualifiers {
  return pointee.kind === "array" ? pointeeQualifiers(pointee.element) : pointee.qualifiers;
}

/** One level of a chain of pointers: the target of the outer pointer. */
export interface Level {
  readonly type: Type;
  readonly qualifiers: Qualifiers;
}

/**
 * The targets of a pointer, level by level; the last one is not a pointer. With `through`, the elements of arrays take the place of
 * the arrays.
 */
export function levelsOf(pointer: Extract<Type, { kind: "pointer" }>, through?: "arrays"): readonly Level[] {
  const levels: Level[] = [];
  for (let current: Type = pointer; current.kind === "pointer"; ) {
    levels.push({ type: current.pointee, qualifiers: pointeeQualifiers(current.pointee) });
    current = through === "arrays" ? innermostElement(current.pointee) : current.pointee;
  }
  return levels;
}

/** Rebuilds a chain of pointers, whose last level is the innermost type. */
export function pointerThrough(levels: readonly Level[]): Type | undefined {
  const innermost = levels[levels.length - 1];
  if (innermost === undefined) return undefined;
  let type = withPointeeQualifiers(innermost);
  for (let index = levels.length - 2; index >= 0; index -= 1) {
    type = { kind: "pointer", pointee: type, qualifiers: levels[index]?.qualifiers ?? unqualified };
  }
  return { kind: "pointer", pointee: type, qualifiers: unqualified };
}

function withPointeeQualifiers({ type, qualifiers }: Level): Type {
  if (type.kind === "array") return { ...type, element: withPointeeQualifiers({ type: type.element, qualifiers }), qualifiers };
  return { ...type, qualifiers };
}

/** Whether `base` is a base class of `derived`; undefined if a base is unknown. */
export function isBaseOf(base: RecordSymbol, derived: RecordSymbol): boolean | undefined {
  let answer: boolean | undefined = derived.isIncomplete || derived.members === undefined ? undefined : false;
  for (const parent of derived.bases) {
    const through = parent.kind !== "record" ? undefined : parent.record === base ? true : isBaseOf(base, parent.record);
    if (through === true) return true;
    if (through === undefined) answer = undefined;
  }
  return answer;
}
