/** A conversion of pointers that agree in the address space of their pointees but not in that of the pointers inside of these. */
import type { ConversionFact } from "../../semantics/facts/facts.ts";
import { describeConversion, levelOf } from "../findings/conversions.ts";
import type { Rule } from "../rule.ts";

/** Reports pointer conversions whose address spaces differ below the first level. */
export const addressSpaceNestedPointer: Rule = {
  id: "address-space-nested-pointer",
  title: "the address spaces of two pointers differ below the first level",
  severity: "error",
  languages: ["opencl"],
  clause: "OpenCL C 3.0 §6.7.9; C11 §6.5.16.1p1: the pointed-to types must be compatible",
  documentation: `
\`global int *local *\` and \`local int *local *\` both point to local memory, which contains pointers to different spaces. A
store through one would put a pointer to global memory where the other reads a pointer to local memory. The compiler rejects the
implicit conversion; an explicit cast is accepted with a warning, and is wrong all the same. The generic address space does not
help here: only the outermost level converts.

**What to do**: declare both with the same spaces on every level.`,
  limits: "Levels below an unknown type are not compared.",
  examples: [
    {
      language: "opencl",
      bad: `kernel void pick(global int *a) {
  global int *slot = a;
  local int **table = &slot; // <-
}`,
      good: `kernel void pick(global int *a) {
  global int *slot = a;
  global int **table = &slot;
}`,
    },
  ],
  check({ facts }, report) {
    for (const fact of facts.conversions) {
      const { verdict } = fact;
      if (verdict.kind !== "changes-address-space" || !verdict.isNested) continue;
      report({
        place: fact.context === "cast" ? fact.place : fact.operandPlace,
        message: `${describeConversion(fact)} ${changeOf(fact)}`,
        severity: verdict.isError ? "error" : "warning",
      });
    }
  },
};

function changeOf(fact: ConversionFact): string {
  const level = levelOf(fact, (a, b) => a.space !== undefined && b.space !== undefined && a.space !== b.space);
  return level === undefined ? "changes the address space of an inner pointer" : `changes the address space ${level}`;
}
