/** `__grid_constant__` on anything other than a parameter of a `__global__` function. */
import { dropWord } from "../../analyses/placed-edits.ts";
import type { SpecifierWordFact } from "../../semantics/facts/facts.ts";
import type { Rule } from "../rule.ts";

/** Reports `__grid_constant__` on anything other than a kernel parameter. */
export const gridConstantPlacement: Rule = {
  id: "grid-constant-placement",
  title: "`__grid_constant__` is on something that is not a kernel parameter",
  severity: "error",
  languages: ["cuda"],
  judgesHostSide: true,
  clause: "CUDA C++ Programming Guide, __grid_constant__: annotates a const-qualified __global__ function parameter",
  documentation: `
Only a parameter of a \`__global__\` function can have the lifetime of the grid. On a parameter of a \`__device__\` or host
function, of a lambda, on a variable, a member or a function the annotation has no meaning and is rejected.

**What to do**: drop it; in a device function take the object by \`const &\`, which does not copy.`,
  limits: "A word that comes from a macro is reported at the use of the macro.",
  fixSafety: "The word has no effect there, so dropping it is safe.",
  examples: [
    {
      language: "cuda",
      bad: `struct Params { float scale; };
__device__ float scaled(const __grid_constant__ Params params) { return params.scale; } // <-`,
      good: `struct Params { float scale; };
__device__ float scaled(const Params params) { return params.scale; }`,
      fixed: `struct Params { float scale; };
__device__ float scaled(const Params params) { return params.scale; }`,
    },
  ],
  check({ facts }, report) {
    for (const fact of facts.words) {
      if (fact.word.text !== "__grid_constant__" || mayBelongToKernel(fact)) continue;
      report({
        place: fact.word.place,
        // nvcc and clang reject it on a parameter; elsewhere they ignore it with a warning.
        ...(fact.on === "parameter" ? {} : { severity: "warning" as const }),
        message: `'__grid_constant__' on ${describe(fact)}: only kernel parameters have it`,
        fixes: () => [{ title: "Remove '__grid_constant__'", edits: [dropWord(fact.word)], safety: "safe" }],
      });
    }
  },
};

/** True for a parameter of a kernel, or of a function whose execution spaces are unknown. */
function mayBelongToKernel({ on, function: declaration }: SpecifierWordFact): boolean {
  return on === "parameter" && (declaration?.execution.kernel === true || declaration?.isUncertain === true);
}

function describe(fact: SpecifierWordFact): string {
  if (fact.on !== "parameter") return `a ${fact.on}`;
  if (fact.function?.owner.lambda !== undefined) return "a lambda's parameter";
  return fact.function?.execution.device === true ? "a device function's parameter" : "a host function's parameter";
}
