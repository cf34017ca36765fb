/** Questions about the objects of a type. For an array they are about its elements. */
import type { FunctionSymbol, RecordSymbol } from "./symbols.ts";
import type { Qualifiers, Type } from "./types.ts";

/** The element type of an array, through all its dimensions; any other type unchanged. */
export function innermostElement(type: Type): Type {
  let current = type;
  while (current.kind === "array") current = current.element;
  return current;
}

/** True if an object of the type, or an element of the array, cannot be assigned to. A reference is not an object. */
export function isConst(type: Type): boolean {
  const { kind, qualifiers } = innermostElement(type);
  return kind !== "reference" && kind !== "function" && qualifiers.const;
}

/** The pointer that an array is converted to (C11 §6.3.2.1p3); any other type unchanged. */
export function decayedType(type: Type): Type {
  return type.kind === "array" ? { kind: "pointer", pointee: type.element, qualifiers: type.qualifiers } : type;
}

/** What a pointer or a reference refers to; any other type unchanged. */
export function referredType(type: Type): Type {
  return type.kind === "pointer" ? type.pointee : type.kind === "reference" ? type.referent : type;
}

/** An arithmetic type or an enumeration (C11 §6.2.5p18). */
export function isArithmetic({ kind }: Type): boolean {
  return kind === "arithmetic" || kind === "enum";
}

/** An arithmetic type, an enumeration or a pointer (C11 §6.2.5p21). */
export function isScalar(type: Type): boolean {
  return isArithmetic(type) || type.kind === "pointer";
}

/** The record type of an object: the type itself, or its innermost element. */
export function recordOf(type: Type): RecordSymbol | undefined {
  const inner = innermostElement(type);
  return inner.kind === "record" ? inner.record : undefined;
}

/** True if the class is defined and none of its members depends on a template parameter. Its bases may still be unknown. */
export function isDefinedClass({ members, isIncomplete, isDependent }: RecordSymbol): boolean {
  return members !== undefined && !isIncomplete && !isDependent;
}

/** The call operator of the lambda whose object, or a reference to it, has this type; undefined for other types. */
export function callOperatorOf(type: Type): FunctionSymbol | undefined {
  if (type.kind === "reference") return callOperatorOf(type.referent);
  return type.kind === "record" ? type.record.closure : type.kind === "dependent" ? type.closure?.closure : undefined;
}

/** True if one of the qualifiers contains the other: otherwise neither operand can be bound to a reference to the other type. */
export function isMoreQualified(a: Qualifiers, b: Qualifiers): boolean {
  const contains = (outer: Qualifiers, inner: Qualifiers) => (outer.const || !inner.const) && (outer.volatile || !inner.volatile);
  return contains(a, b) || contains(b, a);
}

/** True for two types that nothing declares, of one name. */
export function isSameUndeclared(from: Type, to: Type): boolean {
  return from.kind === "unknown" && to.kind === "unknown" && from.name !== undefined && from.name === to.name;
}
