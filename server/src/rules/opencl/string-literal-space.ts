/** A string literal is converted to a pointer into an address space other than constant. */
import type { ConversionFact } from "../../semantics/facts/facts.ts";
import { declaredTarget } from "../findings/related.ts";
import { qualifyTarget } from "../fixes/pointer-qualification.ts";
import { isStringLiteral } from "../predicates.ts";
import type { Rule, RuleFinding } from "../rule.ts";

/** Reports string literals that are converted to a pointer into an address space other than constant. */
export const stringLiteralSpace: Rule = {
  id: "string-literal-space",
  title: "a string literal is converted to a pointer that does not point to constant memory",
  severity: "error",
  languages: ["opencl"],
  clause: "OpenCL C 3.0 §6.7.3, 1.2 §6.5.3, §6.9: string literals are in the __constant address space",
  documentation: `
The characters of a string literal are in constant memory. A \`char *\` points to private memory (or, with OpenCL C 2.0, to the
generic address space, which does not contain constant memory), so a string literal cannot be assigned to one, passed as one or
cast to one; a \`const\` does not change that. An *array* that is initialized with a literal gets a copy of the characters, and
can be in any address space that allows initializers.

**What to do**: declare the pointer, or the parameter, as \`constant char *\`.`,
  limits: "Literals in a conditional expression are detected only if both branches are literals.",
  fixSafety:
    "Safe if a local pointer gets the constant space; a suggestion if a parameter gets it. A cast has no fix, because no other cast would be right.",
  examples: [
    {
      language: "opencl",
      bad: `kernel void report(int n) {
  const char *name = "report"; // <-
  if (n < 0) printf("%c", name[0]);
}`,
      good: `kernel void report(int n) {
  const constant char *name = "report";
  if (n < 0) printf("%c", name[0]);
}`,
      fixed: `kernel void report(int n) {
  constant const char *name = "report";
  if (n < 0) printf("%c", name[0]);
}`,
    },
    {
      language: "opencl",
      bad: `void show(char *text);
kernel void report(int n) {
  show("start"); // <-
}`,
      good: `void show(constant char *text);
kernel void report(int n) {
  show("start");
}`,
    },
  ],
  check({ facts }, report) {
    for (const fact of facts.conversions) {
      if (fact.verdict.kind === "changes-address-space" && isStringLiteral(fact.operand)) report(findingOf(fact));
    }
  },
};

function findingOf(fact: ConversionFact): RuleFinding {
  const space = fact.to.kind === "pointer" ? fact.to.pointee.qualifiers.space : undefined;
  return {
    place: fact.place,
    message: `a string literal is in constant memory, not in ${space ?? "private"} memory`,
    related: declaredTarget(fact),
    fixes: (facts) => (fact.context === "cast" ? [] : qualifyTarget(fact, facts)),
  };
}
