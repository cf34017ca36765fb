/** A comparison, subtraction or `?:` of pointers to pointers whose targets differ in const or volatile. */
import { isCuda } from "../../analyses/memory-spaces.ts";
import type { OperandsFact } from "../../semantics/facts/facts.ts";
import { isSameSpace } from "../../semantics/types/address-spaces.ts";
import { isSameType, type Level, levelsOf } from "../../semantics/types/compatible.ts";
import { isOpaqueToUs } from "../../semantics/types/types.ts";
import type { Rule } from "../rule.ts";

/** Reports comparisons, subtractions and `?:` of pointers that differ in `const` or `volatile` below the first level. */
export const qualifierOperands: Rule = {
  id: "qualifier-operands",
  title: "pointers to pointers that differ in `const` or `volatile` are compared, subtracted or operands of `?:`",
  severity: "warning",
  languages: ["opencl", "cuda"],
  judgesHostSide: true,
  clause:
    "C11 §6.5.8p2, §6.5.9p2, §6.5.6p3, §6.5.15p6: the operands point to qualified or unqualified versions of compatible types; C++17 §8.7p5",
  documentation: `
\`const int *\` and \`int *\` can be compared, because only the targets' own qualifiers differ. \`const int **\` and \`int **\` point to
different types: one to pointers to \`const int\`, the other to pointers to \`int\`. C compares neither of them, and no language
subtracts one from the other. C++ compares them.

**What to do**: declare both with the same \`const\`.`,
  limits: "Pointers to arrays are not judged, because compilers disagree about them.",
  examples: [
    {
      language: "opencl",
      bad: `int same(global const int **a, global int **b) {
  return a == b; // <-
}`,
      good: `int same(global const int **a, global const int **b) {
  return a == b;
}`,
    },
  ],
  check({ facts, dialect }, report) {
    for (const fact of facts.operands) {
      const isDifference = fact.operator === "-";
      const isCplusplus = dialect.language === "cuda" || dialect.cplusplus;
      const word = fact.isConsequence === true || (isCplusplus && !isDifference) ? undefined : differenceBelow(fact);
      if (word === undefined) continue;
      report({
        place: fact.operatorPlace,
        message: `the operands of '${fact.operator}' differ: only one points to pointers to ${word}`,
        ...(isDifference && !isCuda(dialect) ? { severity: "error" } : {}),
      });
    }
  },
};

/** The qualifier in which the pointers differ below their targets; undefined if there is another difference, or none. */
function differenceBelow({ left, right }: OperandsFact): "const" | "volatile" | undefined {
  if (left.kind !== "pointer" || right.kind !== "pointer") return undefined;
  const [own, others] = [levelsOf(left), levelsOf(right)];
  const isClear = ({ type }: Level) => !isOpaqueToUs(type) && type.kind !== "array" && type.kind !== "function";
  if (own.length !== others.length || ![...own, ...others].every(isClear)) return undefined;
  const [last, otherLast] = [own.at(-1), others.at(-1)];
  if (last === undefined || otherLast === undefined || isSameType(last.type, otherLast.type) !== true) return undefined;
  const pairs = own.slice(1).map(({ qualifiers }, depth) => [qualifiers, others[depth + 1]?.qualifiers ?? qualifiers] as const);
  if (!pairs.every(([a, b]) => isSameSpace(a, b))) return undefined;
  if (pairs.some(([a, b]) => a.const !== b.const)) return "const";
  return pairs.some(([a, b]) => a.volatile !== b.volatile) ? "volatile" : undefined;
}
