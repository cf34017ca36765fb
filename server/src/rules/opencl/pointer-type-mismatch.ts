/** A pointer to one type becomes a pointer to another without a cast. */
import { variableOf } from "../../analyses/fact-index.ts";
import type { ConversionFact } from "../../semantics/facts/facts.ts";
import type { Type } from "../../semantics/types/types.ts";
import { describeConversion } from "../findings/conversions.ts";
import { declaredTarget, instantiationRelated } from "../findings/related.ts";
import type { Rule } from "../rule.ts";

/** Reports implicit conversions between pointers to different types in OpenCL C. */
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
clang rejects it, so that programs stop building when a driver is updated.

**What to do**: declare the pointer with the type of the object, take the element's address (\`p[0]\` of a pointer to an array), or cast
where the other type is meant: \`(global const uchar *)data\`.`,
  limits:
    "Types that differ only in sign are not reported, as clang accepts them with a warning. Enumerations, and types such as `size_t` whose size depends on the device, are not judged, nor are arguments of builtin functions. In C++ for OpenCL every compiler reports such conversions.",
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
    if (dialect.language !== "opencl" || dialect.cplusplus) return;
    for (const fact of facts.conversions)
      if (isMismatch(fact))
        report({
          place: fact.operandPlace,
          message: `${describeConversion(fact)} needs a cast: the types differ`,
          related: [...declaredTarget(fact), ...instantiationRelated(fact)],
        });
  },
};

function isMismatch({ verdict, context, from, to, target, isNullConstant }: ConversionFact): boolean {
  if (verdict.kind !== "incompatible" || context === "cast" || isNullConstant || variableOf(target)?.owner?.isBuiltin === true)
    return false;
  const source = from.kind === "array" ? from.element : from.kind === "pointer" ? from.pointee : undefined;
  if (source === undefined || to.kind !== "pointer") return false;
  return !isUndecided(source) && !isUndecided(to.pointee) && !differInSign(source, to.pointee);
}

/** True if clang's answer depends on the device or on the enumeration's values, and for functions. */
function isUndecided(type: Type): boolean {
  if (type.kind === "pointer") return isUndecided(type.pointee);
  if (type.kind === "array") return isUndecided(type.element);
  return (
    type.kind === "enum" || type.kind === "function" || type.kind === "opaque" || (type.kind === "arithmetic" && type.alias !== undefined)
  );
}

/** Integer types that differ in their sign only, which clang accepts with a warning. */
function differInSign(a: Type, b: Type): boolean {
  return a.kind === "arithmetic" && b.kind === "arithmetic" && withoutSign(a.name) === withoutSign(b.name);
}

function withoutSign(name: string): string {
  return name.replace(/^(?:un)?signed /, "");
}
