/** A use of a non-const host variable in device code: a read, a write, or taking its address. */
import { type HostVariableUse, hostVariableUses } from "../../analyses/host-variables.ts";
import type { Facts } from "../../semantics/facts/facts.ts";
import { hostVariableRelated, severityOfUse } from "../findings/host-variable-findings.ts";
import { hostVariableFixes } from "../fixes/host-variable-fixes.ts";
import type { Rule, RuleFinding } from "../rule.ts";

/** Reports device code that uses a host variable. */
export const hostVariableInDeviceCode: Rule = {
  id: "host-variable-in-device-code",
  title: "device code uses a host variable",
  severity: "error",
  languages: ["cuda"],
  clause:
    "CUDA C++ Programming Guide, device memory space specifiers: a variable without one lives in host memory and cannot be read, written or addressed by device code",
  documentation: `
A variable at namespace scope, a static data member, or a \`static\` variable of a host function lives in host memory unless it is
declared \`__device__\`, \`__constant__\` or \`__managed__\`. A kernel or a \`__device__\` function cannot use it: neither read
nor write it, nor take its address. An \`extern\` declaration in a kernel names a variable at namespace scope, so without
\`__shared__\` it is one of the host. A reference at namespace scope is such a variable too, even if its referent is not. In
\`__host__ __device__\` functions the host version works and the device version does not compile. Unevaluated operands
(\`sizeof(v)\`, \`decltype(v)\`) are fine.

**What to do**: pass the value as a kernel argument; declare the variable \`__device__\` (and copy with
\`cudaMemcpyToSymbol\`) or \`__managed__\`; make it \`const\` with a constant initializer if it never changes. In a
\`__host__ __device__\` function, keep the use under \`#ifndef __CUDA_ARCH__\`.`,
  limits:
    "Code that is compiled only for the host (`#ifndef __CUDA_ARCH__`) may use the variable, and is not reported if the condition is understood.",
  fixSafety: "All fixes are suggestions if the variable is not const, because only its author knows its purpose.",
  examples: [
    {
      language: "cuda",
      bad: `int limit = 10;
__global__ void run(int *out) { *out = limit; } // <-`,
      good: `__device__ int limit = 10;
__global__ void run(int *out) { *out = limit; }`,
    },
    {
      language: "cuda",
      bad: `struct Counter { static int value; };
__global__ void count() { Counter::value = 1; } // <-`,
      good: `__managed__ int value;
__global__ void count() { value = 1; }`,
    },
  ],
  checkFile({ facts, dialect }, report) {
    for (const use of hostVariableUses(facts, dialect)) {
      const finding = findingOf(use, facts);
      if (finding !== undefined) report(finding);
    }
  },
};

const wordsOf = { read: "read", written: "write", taken: "take the address of" } as const;

function findingOf(use: HostVariableUse, facts: Facts): RuleFinding | undefined {
  const { problem, place, variable } = use;
  const related = hostVariableRelated(use);
  if (problem.kind === "reference") {
    return {
      place,
      message: `device code cannot use the host reference '${variable.name}'`,
      ...(problem.isHarmless ? { severity: "warning" as const } : severityOfUse(use)),
      related,
    };
  }
  if (problem.kind === "host-address")
    return {
      place,
      message: `'${variable.name}' holds the address of the host variable '${problem.target.name}': the device has no copy of it`,
      ...severityOfUse(use),
      related,
    };
  if (problem.kind !== "not-const") return undefined;
  const message = `device code cannot ${wordsOf[problem.how]} the host variable '${variable.name}'`;
  return { place, message, ...severityOfUse(use), related, fixes: () => hostVariableFixes(use, facts) };
}
