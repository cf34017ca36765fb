/** `__launch_bounds__` differ between the declarations of a kernel, or stand on something that is not a kernel. */
import { isCuda } from "../../analyses/memory-spaces.ts";
import type { FunctionSymbol } from "../../semantics/types/symbols.ts";
import { linkedKernels } from "../../summary/linked-kernels.ts";
import type { KernelSummary, Summary } from "../../summary/summary.ts";
import type { Rule, RuleFinding } from "../rule.ts";

/** Reports `__launch_bounds__` that differ between declarations of a kernel, or stand on something that is not a kernel. */
export const launchBoundsMismatch: Rule = {
  id: "launch-bounds-mismatch",
  title: "`__launch_bounds__` differs between declarations of a kernel, or is on something that is not a kernel",
  severity: "warning",
  languages: ["cuda"],
  clause: "CUDA C++ Programming Guide, launch bounds: __launch_bounds__() in the definition of a __global__ function",
  documentation: `
The launch bounds decide how many registers the kernel's code may use. nvcc does not compare them: in one file each later value
replaces the earlier one (measured with CUDA 13), and a declaration in another file has no effect at all. So if two declarations
differ, one of them has no effect; a launch with more threads than the effective value allows fails.

On a \`__device__\` or host function nvcc rejects the specifier (an **error**): only a kernel is launched.

**What to do**: write it once, at the definition, with a named constant that the launch uses as well.`,
  limits: "Bounds whose value is not known are not compared.",
  examples: [
    {
      language: "cuda",
      bad: `__global__ void __launch_bounds__(256) fill(float *data);
__global__ void __launch_bounds__(128) fill(float *data) { data[threadIdx.x] = 0; } // <-`,
      good: `__global__ void fill(float *data);
__global__ void __launch_bounds__(128) fill(float *data) { data[threadIdx.x] = 0; }`,
    },
  ],
  check({ facts, dialect }, report) {
    if (dialect.language !== "cuda") return;
    for (const owner of facts.functions) {
      if (owner.lambda !== undefined) continue;
      for (const finding of [...mismatches(owner), ...(isCuda(dialect) ? misplaced(owner) : [])]) report(finding);
    }
  },
  link(summaries, report) {
    for (const [definition, other] of pairsOf(summaries)) {
      const [defined, declared] = [definition.launchBounds, other.launchBounds];
      if (defined === undefined || declared === undefined || !differ(defined.values, declared.values)) continue;
      report({
        location: declared.location,
        message: `'${other.qualifiedName}' is declared with launch bounds that differ from its definition's, (${defined.values.join(", ")})`,
        related: [{ message: "defined with these launch bounds", location: defined.location }],
      });
    }
  },
};

function mismatches({ declarations }: FunctionSymbol): readonly RuleFinding[] {
  const findings: RuleFinding[] = [];
  for (const [index, declaration] of declarations.entries()) {
    const own = declaration.launchBounds;
    if (own === undefined) continue;
    const before = declarations
      .slice(0, index)
      .map(({ launchBounds }) => launchBounds)
      .findLast((bounds) => bounds !== undefined);
    if (before === undefined || !differ(before.values, own.values)) continue;
    findings.push({
      place: own.place,
      message: `these launch bounds differ from those declared before, (${before.values.map((value) => value ?? "?").join(", ")})`,
      related: [{ message: "declared with these launch bounds", place: before.place }],
    });
  }
  return findings;
}

/** True if the bounds differ. An omitted value equals every other. */
function differ(a: readonly (number | undefined)[], b: readonly (number | undefined)[]): boolean {
  return a.some((value, index) => value !== undefined && b[index] !== undefined && value !== b[index]);
}

function misplaced({ declarations }: FunctionSymbol): readonly RuleFinding[] {
  return declarations.flatMap((declaration): readonly RuleFinding[] => {
    const bounds = declaration.launchBounds;
    if (bounds === undefined || declaration.execution.kernel || declaration.isUncertain === true) return [];
    return [{ place: bounds.place, severity: "error", message: "'__launch_bounds__' on a function that is not a kernel" }];
  });
}

/** Pairs each declaration with its definition in another file. */
function pairsOf(summaries: readonly Summary[]): readonly (readonly [KernelSummary, KernelSummary])[] {
  return linkedKernels(summaries).flatMap(({ definition, all }) =>
    all.filter(({ uri }) => uri !== definition.uri).map(({ kernel }) => [definition.kernel, kernel] as const),
  );
}
