/** A comparison, subtraction or `?:` of pointers into disjoint address spaces. */
import { isCuda } from "../../analyses/memory-spaces.ts";
import { commonPointer } from "../../semantics/types/conversion-rules.ts";
import { printPointer } from "../fixes/spaces.ts";
import type { Rule } from "../rule.ts";

/** Reports comparisons, subtractions and `?:` of pointers into disjoint address spaces. */
export const addressSpaceOperands: Rule = {
  id: "address-space-operands",
  title: "pointers into disjoint address spaces are compared, subtracted or operands of `?:`",
  severity: "error",
  languages: ["opencl", "cuda"],
  clause: "OpenCL C 3.0 §6.7.9, 2.0 §6.5.5; C11 §6.5.8, §6.5.9, §6.5.6, §6.5.15",
  documentation: `
Pointers into different address spaces never point into the same object, so comparing or subtracting them is meaningless, and \`c
? a : b\` would have no type: a pointer has one address space. With the generic address space, one of two pointers may be generic;
\`__constant\` is compatible only with itself.

In CUDA this concerns pointers with clang's \`__attribute__((address_space(3)))\`. nvcc ignores the attribute, so there it is a warning.

**What to do**: choose before taking the address (\`c ? *a : *b\`), or copy the data into one space first.`,
  limits: "In C++ for OpenCL, operands of class type with an operator function are not judged.",
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
      const severity = verdict.isError && !isCuda(dialect) ? {} : ({ severity: "warning" } as const);
      report({
        place: fact.operatorPlace,
        message: `'${fact.operator}' needs one address space, but gets '${printPointer(fact.left)}' and '${printPointer(fact.right)}'`,
        ...severity,
      });
    }
  },
};
