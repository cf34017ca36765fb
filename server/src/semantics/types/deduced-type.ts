/** Deduces the type of a variable or a parameter declared with `auto` from the value that it gets (C++17 §10.1.7.4). */
import type { Dialect } from "../../dialect.ts";
import { addQualifiers, isOpaqueToUs, pointerTo, type Type, unknownType } from "./types.ts";

/** A value's type, and whether it is an object with a place in memory. */
interface Source {
  readonly type: Type;
  readonly isLvalue: boolean;
}

/** True for `auto`, `auto *` and `auto &`, with any qualifiers, and for `decltype(auto)`. */
export function isDeduced(type: Type): boolean {
  return (
    type.kind === "auto" ||
    (type.kind === "pointer" && type.pointee.kind === "auto") ||
    (type.kind === "reference" && type.referent.kind === "auto")
  );
}

/** The type of `auto x = e;`, `auto *p = e;` or `auto &r = e;`; unknown if the value's is. */
export function deducedType(dialect: Dialect, type: Type, source: Source): Type {
  if (type.kind !== "auto") return deducedThrough(dialect, type, source);
  const deduced = source.type.kind === "reference" ? source.type.referent : source.type;
  if (deduced.kind === "function") return unknownType;
  const { qualifiers } = type;
  return deduced.kind === "array" ? { ...pointerTo(deduced.element), qualifiers } : { ...deduced, qualifiers };
}

/** The address space is part of the deduced type, and no other can be written. */
function deducedThrough(dialect: Dialect, type: Type, source: Source): Type {
  if (isOpaqueToUs(source.type)) return unknownType;
  // `const auto &` and `auto &&` also bind to a value, in an object of its own.
  if (type.kind === "reference" && !source.isLvalue && (type.isRvalue || type.referent.qualifiers.const)) {
    const space = dialect.language !== "opencl" ? undefined : dialect.genericAddressSpace ? "generic" : "private";
    return { ...type, referent: deducedFrom(addQualifiers(source.type, { space }), type.referent) };
  }
  if (type.kind === "reference" && source.isLvalue) {
    return { ...type, isRvalue: false, referent: deducedFrom(source.type, type.referent) };
  }
  if (type.kind !== "pointer") return unknownType;
  const from = source.type.kind === "array" ? source.type.element : source.type.kind === "pointer" ? source.type.pointee : undefined;
  return from === undefined || isOpaqueToUs(from) ? unknownType : { ...type, pointee: deducedFrom(from, type.pointee) };
}

/** The initializer's type with the qualifiers that are written. Another address space than the initializer's is a wrong conversion. */
function deducedFrom(type: Type, { qualifiers }: Type): Type {
  const { space = type.qualifiers.space } = qualifiers;
  const deduced = addQualifiers(type, { const: qualifiers.const, volatile: qualifiers.volatile });
  return { ...deduced, qualifiers: { ...deduced.qualifiers, space } };
}
