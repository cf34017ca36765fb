/** An implicit conversion of pointers drops `const`, `volatile` or `restrict` of what they point to. */
import type { ConversionFact } from "../semantics/facts.ts";
import { describeConversion } from "./address-space-conversion.ts";
import type { Rule, RuleFinding } from "./rule.ts";
import { variableOf } from "./spaces.ts";

export const qualifierDiscarded: Rule = {
  id: "qualifier-discarded",
  title: "a conversion drops const, volatile or restrict of the pointee",
  severity: "warning",
  languages: ["opencl"],
  clause: "C11 §6.5.16.1p1: the pointed-to type of the left operand must have all the qualifiers of the right one's; C++17 §7.5",
  documentation: `
A pointer to \`const\` may only become a pointer to \`const\`: otherwise data that somebody promised not to write can be
written through the new pointer. In OpenCL that promise matters twice, because devices load \`const global\` buffers through
read-only caches. A \`volatile\` that is lost lets the compiler keep a value that other work-items change. Compilers accept
the conversion in C with a warning; in C++ for OpenCL it is an error.

**What to do**: add the qualifier to the declaration that receives the pointer. A cast hides the warning, not the mistake.`,
  examples: [
    {
      language: "opencl",
      bad: `void clear(global int *p) { *p = 0; }
kernel void reset(const global int *data) {
  clear((data)); // <-
}`,
      good: `void clear(global int *p) { *p = 0; }
kernel void reset(global int *data) {
  clear(data);
}`,
    },
    {
      language: "opencl",
      bad: `kernel void first(const global int *data, global int *out) {
  global int *p = data; // <-
  out[0] = *p;
}`,
      good: `kernel void first(const global int *data, global int *out) {
  const global int *p = data;
  out[0] = *p;
}`,
      fixed: `kernel void first(const global int *data, global int *out) {
  const global int *p = data;
  out[0] = *p;
}`,
    },
  ],
  check({ facts }, report) {
    for (const fact of facts.conversions) {
      if (fact.context !== "cast" && fact.verdict.kind === "discards-qualifiers") report(findingOf(fact, fact.verdict));
    }
  },
};

function findingOf(fact: ConversionFact, verdict: Extract<ConversionFact["verdict"], { kind: "discards-qualifiers" }>): RuleFinding {
  const { lost, isNested, isError } = verdict;
  const what = lost.length === 0 ? "changes the qualifiers" : `drops ${lost.join(" and ")}`;
  const target = variableOf(fact.target);
  const related = target === undefined || target.name === "" || fact.context === "initialize" ? [] : [{ message: `'${target.name}' is declared here`, place: target.declaration }];
  return {
    place: fact.operandPlace,
    message: `${describeConversion(fact)} ${what}${isNested ? " of a nested pointer" : ""}`,
    severity: isError ? "error" : "warning",
    related,
    fixes: isNested ? [] : fixesOf(fact, lost),
  };
}

/** Adds the lost qualifiers to a pointer that is declared here and initialised by the conversion. */
function fixesOf(fact: ConversionFact, lost: readonly string[]): NonNullable<RuleFinding["fixes"]> {
  const target = variableOf(fact.target);
  const isPlain = fact.context === "initialize" || fact.context === "pass";
  if (target === undefined || !isPlain || target.sharesSpecifiers || target.type.kind !== "pointer" || target.type.pointee.kind === "pointer") return [];
  const words = lost.filter((word) => word !== "restrict");
  if (words.length === 0 || words.length !== lost.length) return [];
  return [{ title: `Declare '${target.name}' as a pointer to ${words.join(" ")}`, edits: [{ place: target.declaration, how: "before", text: `${words.join(" ")} ` }], isPreferred: fact.context === "initialize" }];
}
