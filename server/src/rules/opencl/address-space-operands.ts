/** A comparison, subtraction or `?:` of pointers into disjoint address spaces. */
import { commonPointer } from "../../semantics/types/conversion-rules.ts";
import { spellPointer } from "../fixes/spaces.ts";
import type { Rule } from "../rule.ts";

/** Reports comparisons, subtractions and `?:` of pointers into disjoint address spaces. */
export const addressSpaceOperands: Rule = {
  id: "address-space-operands",
  title: "pointers into disjoint address spaces are compared, subtracted or chosen between",
  severity: "error",
  languages: ["opencl"],
  clause: "OpenCL C 3.0 §6.7.9, 2.0 §6.5.5; C11 §6.5.8, §6.5.9, §6.5.6, §6.5.15",
  documentation: `
Pointers into different address spaces never point into the same object, so that comparing or subtracting them has no
meaning, and \`c ? a : b\` would have no type: a pointer has one address space. With the generic address space two pointers
may meet where one of them is generic; \`__constant\` meets only itself.

**What to do**: choose before taking the address (\`c ? *a : *b\`), or copy the data into one space first.`,
  limits: "Operands with an operator function of a class are not judged in C++ for OpenCL.",
  examples: [
    {
      language: "opencl",
      bad: `kernel void pick(global int *a, local int *b, int c) {
  int x = *(c ? a : b); // <-
}`,
      good: `kernel void pick(global int *a, local int *b, int c) {
  int x = c ? *a : *b;
}`,
    },
  ],
  check({ facts, dialect }, report) {
    for (const fact of facts.operands) {
      if (fact.isConsequence === true) continue;
      const { verdict } = commonPointer(fact.left, fact.right, dialect, fact.operator);
      if (verdict.kind !== "changes-address-space") continue;
      const severity = verdict.isError ? {} : ({ severity: "warning" } as const);
      report({
        place: fact.operatorPlace,
        message: `'${fact.operator}' of '${spellPointer(fact.left)}' and '${spellPointer(fact.right)}', whose address spaces are disjoint`,
        ...severity,
      });
    }
  },
};
