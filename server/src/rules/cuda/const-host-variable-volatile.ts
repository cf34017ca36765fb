/** A use in device code of a const host variable that is volatile. */
import { hostVariableUses } from "../../analyses/host-variables.ts";
import { hostVariableRelated, severityOfUse } from "../findings/host-variable-findings.ts";
import { hostVariableFixes } from "../fixes/host-variable-fixes.ts";
import type { Rule } from "../rule.ts";

/** Reports device code that uses a volatile const host variable. */
export const constHostVariableVolatile: Rule = {
  id: "const-host-variable-volatile",
  title: "device code uses a volatile const host variable",
  severity: "error",
  languages: ["cuda"],
  clause:
    "CUDA C++ Programming Guide, const-qualified variables: the type of V is not volatile-qualified; CUDA C++ Guidelines for Robust and Safety-Critical Programming, device_uses_volatile_const_host_var",
  documentation: `
*Checker key in NVIDIA's guidelines: \`device_uses_volatile_const_host_var\`.*

\`volatile\` forbids the compiler from assuming a value: it must read the variable from memory each time. Device code cannot read
host memory, so that a \`const volatile\` host variable has no value there.

**What to do**: drop \`volatile\`; if the value does change, it must be in device memory (\`__device__ volatile\`) or in mapped or managed memory that the kernel gets a pointer to. If the value at the launch is sufficient, pass it as a parameter.`,
  limits: "A variable whose `volatile` is hidden in an unknown type is not reported.",
  fixSafety:
    "Dropping `volatile` is safe only if nothing else changes the variable, which the rule cannot see outside of this file; the parameter is a suggestion.",
  examples: [
    {
      language: "cuda",
      bad: `const volatile int limit = 10;
__device__ int below(int i) { return i < limit; } // <-`,
      good: `const int limit = 10;
__device__ int below(int i) { return i < limit; }`,
      fixed: `const int limit = 10;
__device__ int below(int i) { return i < limit; }`,
    },
  ],
  checkFile({ facts, dialect }, report) {
    for (const use of hostVariableUses(facts, dialect)) {
      if (use.problem.kind !== "volatile") continue;
      const { variable, place } = use;
      report({
        place,
        message: `device code cannot read '${variable.name}': a volatile host variable has no value there`,
        ...severityOfUse(use),
        related: hostVariableRelated(use),
        fixes: () => hostVariableFixes(use, facts),
      });
    }
  },
};
