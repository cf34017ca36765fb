/** A pointer to one type becomes a pointer to another without a cast. */
import { variableOf } from "../../analyses/fact-index.ts";
import type { ConversionFact, OperandsFact } from "../../semantics/facts/facts.ts";
import { haveDisjointSpaces, isSameSpace } from "../../semantics/types/address-spaces.ts";
import { isBaseOf, isSameType, type Level, levelsOf } from "../../semantics/types/compatible.ts";
import { isOpaqueToUs, printType, type Type } from "../../semantics/types/types.ts";
import { describeConversion } from "../findings/conversions.ts";
import { declaredTarget, instantiationRelated } from "../findings/related.ts";
import type { Rule } from "../rule.ts";

/** Reports implicit conversions between pointers to different types in OpenCL, and in C++ for OpenCL operations with both. */
export const pointerTypeMismatch: Rule = {
  id: "pointer-type-mismatch",
  title: "a pointer to one type becomes a pointer to another without a cast",
  severity: "error",
  languages: ["opencl"],
  clause:
    "C11 §6.5.16.1p1: both operands are pointers to compatible types, or one is a pointer to void; the same for arguments and results",
  documentation: `
Without a cast, a pointer converts only to a pointer to the same type or to \`void\`. An \`int\` is not an \`atomic_int\`, a row of an
array is not its first element, and \`float4\` is not \`float\`. Older compilers accept such a conversion with a warning. Since version 22
clang rejects it, so that programs stop building when a driver is updated. C++ for OpenCL has never had such conversions, nor comparisons
and \`?:\` of pointers to different types; no language subtracts one from the other.

**What to do**: declare the pointer with the type of the object, take the element's address (\`p[0]\` of a pointer to an array), or cast
where the other type is meant: \`(global const uchar *)data\`.`,
  limits:
    "Types that differ only in sign are not reported, as clang accepts them with a warning. Enumerations, and types such as `size_t` whose size depends on the device, are not judged, nor are arguments of builtin functions.",
  examples: [
    {
      language: "opencl",
      bad: `uint first(global const uint *words) { return words[0]; }
kernel void hash(global const float *data, global uint *out) {
  out[0] = first(data); // <-
}`,
      good: `uint first(global const uint *words) { return words[0]; }
kernel void hash(global const float *data, global uint *out) {
  out[0] = first((global const uint *)data);
}`,
    },
  ],
  check({ facts, dialect }, report) {
    if (dialect.language !== "opencl") return;
    const { cplusplus } = dialect;
    for (const fact of facts.conversions)
      if (isMismatch(fact, cplusplus))
        report({
          place: fact.operandPlace,
          message: `${describeConversion(fact)} needs a cast: the types differ`,
          related: [...declaredTarget(fact), ...instantiationRelated(fact)],
        });
    // C compares them with a warning.
    for (const fact of facts.operands)
      if (fact.isConsequence !== true && (cplusplus || fact.operator === "-") && areMismatched(fact, cplusplus))
        report({
          place: fact.operatorPlace,
          message: `the operands of '${fact.operator}' point to different types: '${printType(fact.left)}' and '${printType(fact.right)}'`,
        });
  },
};

function isMismatch({ verdict, context, from, to, target, isNullConstant }: ConversionFact, isCplusplus: boolean): boolean {
  if (verdict.kind !== "incompatible" || context === "cast" || isNullConstant || variableOf(target)?.owner?.isBuiltin === true)
    return false;
  const source = from.kind === "array" ? from.element : from.kind === "pointer" ? from.pointee : undefined;
  if (source === undefined || to.kind !== "pointer") return false;
  if (isUndecided(source, isCplusplus) || isUndecided(to.pointee, isCplusplus)) return false;
  return isCplusplus || !differInSign(source, to.pointee);
}

/** True for operands without a composite pointer type (C++17 §8p14, C11 §6.5.6p3). Other rules judge their address spaces. */
function areMismatched({ left, right }: OperandsFact, isCplusplus: boolean): boolean {
  if (left.kind !== "pointer" || right.kind !== "pointer" || isUndecided(left, isCplusplus) || isUndecided(right, isCplusplus))
    return false;
  const [own, others] = [levelsOf(left), levelsOf(right)];
  if (own.some(({ type }, depth) => isVoidOrFamily(type, others[depth]?.type)) || !haveSpacesInCommon(own, others)) return false;
  const [last, otherLast] = [own.at(-1)?.type, others.at(-1)?.type];
  if (last === undefined || otherLast === undefined) return false;
  const isSame = isSameType(last, otherLast);
  return isSame === false || (isSame === true && own.length !== others.length);
}

/** True if one of two targets is void, or the base class of the other, or may be. */
function isVoidOrFamily(a: Type, b: Type | undefined): boolean {
  if (b === undefined) return false;
  if (a.kind !== "record" || b.kind !== "record") return a.kind === "void" || b.kind === "void";
  return isBaseOf(a.record, b.record) !== false || isBaseOf(b.record, a.record) !== false;
}

function haveSpacesInCommon(own: readonly Level[], others: readonly Level[]): boolean {
  return own.every(({ qualifiers }, depth) => {
    const other = others[depth]?.qualifiers;
    return other === undefined || (depth === 0 ? !haveDisjointSpaces(qualifiers, other) : isSameSpace(qualifiers, other));
  });
}

/**
 * True for functions, and if clang's answer depends on the device, or in C on the enumeration's values.
 */
function isUndecided(type: Type, isCplusplus: boolean): boolean {
  if (type.kind === "pointer") return isUndecided(type.pointee, isCplusplus);
  if (type.kind === "array") return isUndecided(type.element, isCplusplus);
  if (type.kind === "enum") return !isCplusplus;
  return (
    type.kind === "function" || type.kind === "opaque" || isOpaqueToUs(type) || (type.kind === "arithmetic" && type.alias !== undefined)
  );
}

/** Integer types that differ in their sign only, which clang accepts with a warning. */
function differInSign(a: Type, b: Type): boolean {
  return a.kind === "arithmetic" && b.kind === "arithmetic" && withoutSign(a.name) === withoutSign(b.name);
}

function withoutSign(name: string): string {
  return name.replace(/^(?:un)?signed /, "");
}
