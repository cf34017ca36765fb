/** A use in device code of a const host variable whose value is unknown at compile time. */
import { type HostVariableUse, hostVariableUses } from "../../analyses/host-variables.ts";
import type { Facts } from "../../semantics/facts/facts.ts";
import { hostVariableRelated, severityOfUse } from "../findings/host-variable-findings.ts";
import { hostVariableFixes } from "../fixes/host-variable-fixes.ts";
import type { Rule, RuleFinding } from "../rule.ts";

/** Reports device code that uses a const host variable without a preceding constant initializer. */
export const constHostVariableUninitialized: Rule = {
  id: "const-host-variable-uninitialized",
  title: "device code uses a const host variable without a preceding constant initializer",
  severity: "error",
  languages: ["cuda"],
  clause:
    "CUDA C++ Programming Guide, const-qualified variables: V has been initialized with a constant expression before the point of use; CUDA C++ Guidelines for Robust and Safety-Critical Programming, const_host_var_not_initialized_before_use",
  documentation: `
*Checker key in NVIDIA's guidelines: \`const_host_var_not_initialized_before_use\`.*

Device code cannot read host memory. It may use a \`const\` host variable only because the compiler knows its value and replaces
the name by it. It does not know the value of

- an \`extern const\` variable, or a static data member, whose initializer comes later in the file or is in another one;
- a variable whose initializer runs when the program starts: a function that is not \`constexpr\`, a non-const variable, a
  constructor;
- in HIP, an object with a destructor, which runs on the host.

nvcc reports «identifier is undefined in device code», whatever the reason.

**What to do**: put the definition before the use, make the initializer a constant expression (\`constexpr\` tells you when
it is not one), or pass the value as a kernel argument: the second fix adds the parameter to every declaration of the kernel
and the argument to every launch.`,
  limits: "A function that is `constexpr` counts as one that the compiler can evaluate.",
  fixSafety: "Moving a definition before its use is safe. Passing the value as a parameter is a suggestion.",
  examples: [
    {
      language: "cuda",
      bad: `extern const int limit;
__device__ int below(int i) { return i < limit; } // <-
const int limit = 20;
__global__ void run(int *out) { *out = below(3); }`,
      good: `const int limit = 20;
__device__ int below(int i) { return i < limit; }
__global__ void run(int *out) { *out = below(3); }`,
      fixed: `extern const int limit;
const int limit = 20;
__device__ int below(int i) { return i < limit; }
__global__ void run(int *out) { *out = below(3); }`,
    },
    {
      language: "cuda",
      bad: `int cores();
const int limit = cores();
__global__ void run(int *out) { *out = limit; } // <-`,
      good: `constexpr int cores() { return 8; }
const int limit = cores();
__global__ void run(int *out) { *out = limit; }`,
    },
  ],
  checkFile({ facts, dialect }, report) {
    for (const use of hostVariableUses(facts, dialect))
      if (use.problem.kind === "uninitialized") report(findingOf(use, use.problem.why, facts));
  },
};

const reasons = {
  dynamic: "its initializer is not constant",
  elsewhere: "not initialized before this use",
  destroyed: "its destructor runs on the host",
} as const;

function findingOf(use: HostVariableUse, why: keyof typeof reasons, facts: Facts): RuleFinding {
  const { variable, place } = use;
  return {
    place,
    message: `device code cannot know the value of '${variable.name}': ${reasons[why]}`,
    ...severityOfUse(use),
    related: hostVariableRelated(use),
    fixes: () => hostVariableFixes(use, facts),
  };
}
