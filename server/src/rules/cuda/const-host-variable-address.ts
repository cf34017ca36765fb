/** The address of a const host variable, or a reference to it, in device code. */
import { type HostVariableUse, hostVariableUses } from "../../analyses/host-variables.ts";
import type { Facts } from "../../semantics/facts/facts.ts";
import { hostVariableRelated, severityOfUse } from "../findings/host-variable-findings.ts";
import { hostVariableFixes } from "../fixes/host-variable-fixes.ts";
import type { Rule, RuleFinding } from "../rule.ts";

/** Reports device code that takes the address of a const host variable, or binds a reference to it. */
export const constHostVariableAddress: Rule = {
  id: "const-host-variable-address",
  title: "device code takes the address of a const host variable, or binds a reference to it",
  severity: "error",
  languages: ["cuda"],
  clause:
    "CUDA C++ Programming Guide, const-qualified variables: device source code cannot contain a reference to V or take the address of V; CUDA C++ Guidelines for Robust and Safety-Critical Programming, address_of_host_var_in_device_code",
  documentation: `
*Checker key in NVIDIA's guidelines: \`address_of_host_var_in_device_code\`.*

A \`const\` or \`constexpr\` variable at namespace scope, or a static data member, lives in host memory. Device code may use its
*value*, because the compiler replaces the name by the value. It has no *address* there: \`&limit\`, a reference \`const int &r =
limit\`, an array that becomes a pointer, a call of a member function on a const object. References may be hidden: \`std::max(i,
limit)\`, \`fn(const T &)\`, a range-based \`for\`. nvcc only reports «identifier "limit" is undefined in device code»; clang
reports nothing; and neither checks a template before it is instantiated, so this is a *warning* in code that is not compiled yet.
A call of a \`constexpr\` function with constant arguments is evaluated by the compiler and needs no address; with one argument
that is known only at run time it does.

**What to do**: pass the value (\`std::max(i, +limit)\`, \`int(limit)\`), copy it to a local variable first, or give the
variable memory on the device: \`__constant__\` for tables, \`__device__\` if every thread reads another element. If the host needs the address of the same table, device code gets a second one. The fixes do this, the best first; a copy is offered only if the address is not kept longer than the copy lives.`,
  limits: "Whether a template takes an argument by reference is known only if its text is available.",
  fixSafety:
    "The first fix is safe; the others are suggestions. Copies are offered only if the address is not kept longer than the copy lives.",
  examples: [
    {
      language: "cuda",
      bad: `const int limit = 10;
__device__ const int &smaller(const int &a, const int &b) { return a < b ? a : b; }
__device__ int clamp(int i) { return smaller(i, limit); } // <-`,
      good: `const int limit = 10;
__device__ const int &smaller(const int &a, const int &b) { return a < b ? a : b; }
__device__ int clamp(int i) { return smaller(i, int(limit)); }`,
      fixed: `const int limit = 10;
__device__ const int &smaller(const int &a, const int &b) { return a < b ? a : b; }
__device__ int clamp(int i) { return smaller(i, int(limit)); }`,
    },
    {
      language: "cuda",
      bad: `const float weights[3] = {0.25f, 0.5f, 0.25f};
__device__ float sum(const float *w);
__device__ float blur() { return sum(weights); } // <-`,
      good: `__constant__ const float weights[3] = {0.25f, 0.5f, 0.25f};
__device__ float sum(const float *w);
__device__ float blur() { return sum(weights); }`,
      fixed: `__constant__ const float weights[3] = {0.25f, 0.5f, 0.25f};
__device__ float sum(const float *w);
__device__ float blur() { return sum(weights); }`,
    },
  ],
  checkFile({ facts, dialect }, report) {
    for (const use of hostVariableUses(facts, dialect)) if (use.problem.kind === "address") report(findingOf(use, use.problem.how, facts));
  },
};

function findingOf(use: HostVariableUse, how: "taken" | "bound" | "called", facts: Facts): RuleFinding {
  const { name } = use.variable;
  const what = how === "taken" ? "but not its address" : how === "bound" ? "but no reference to it" : "but no member function of it";
  return {
    place: use.place,
    message: `device code can use the value of host constant '${name}', ${what}`,
    ...severityOfUse(use),
    related: hostVariableRelated(use),
    fixes: () => hostVariableFixes(use, facts),
  };
}
