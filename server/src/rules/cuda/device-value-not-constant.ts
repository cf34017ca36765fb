/** A value of the running kernel where the compiler needs a constant: the bound of an array in shared memory, a constexpr variable. */
import { hostVariableUses } from "../../analyses/host-variables.ts";
import { textOf } from "../../semantics/facts/context.ts";
import type { VariableFact } from "../../semantics/facts/facts.ts";
import { contains } from "../../semantics/types/places.ts";
import type { Place } from "../../semantics/types/symbols.ts";
import type { Type } from "../../semantics/types/types.ts";
import { hasWord } from "../../syntax/walk.ts";
import type { Rule, RuleFinding } from "../rule.ts";

/** Reports arrays in shared memory and constexpr variables that depend on a value known only at run time. */
export const deviceValueNotConstant: Rule = {
  id: "device-value-not-constant",
  title: "an array in shared memory, or a constexpr variable, depends on a value that is known only at run time",
  severity: "error",
  languages: ["cuda"],
  clause:
    "CUDA C++ Programming Guide, warpSize: a variable of type int; C++17 §11.3.4p1, §10.1.5p9: array bounds and constexpr variables need constant expressions",
  documentation: `
Static shared memory is part of the compiled kernel, so the bound of an array in it must be a constant. \`blockDim\`, \`gridDim\` and kernel
parameters are known only at the launch. \`warpSize\` is 32 on every device so far, but it is a variable too, and nvcc accepts it neither
as a bound nor in a \`constexpr\` variable. In HIP it was a constant until ROCm 7, which made programs fail that relied on it.

**What to do**: use a constant or a template parameter; or dynamic shared memory, \`extern __shared__ float tile[];\`, whose size is the
third argument of the launch.`,
  limits:
    "Of constexpr variables, those with CUDA's own variables (`warpSize`, `blockDim` …) are reported; compilers report the others. Bounds that a macro computes are not judged.",
  examples: [
    {
      language: "cuda",
      bad: `__global__ void sum(float *data) {
  __shared__ float perWarp[1024 / warpSize]; // <-
  perWarp[threadIdx.x / 32] = data[threadIdx.x];
}`,
      good: `__global__ void sum(float *data) {
  __shared__ float perWarp[1024 / 32];
  perWarp[threadIdx.x / 32] = data[threadIdx.x];
}`,
    },
  ],
  check({ facts, dialect }, report) {
    if (dialect.language !== "cuda") return;
    const found = facts.variables.flatMap((fact) => findingOf(fact, dialect.hip) ?? []);
    if (found.length === 0) return;
    // A bound that reads a variable of the host is wrong for that reason.
    const uses = hostVariableUses(facts, dialect);
    for (const { declaration, ...finding } of found) if (!uses.some(({ place }) => contains(declaration, place))) report(finding);
  },
};

/** A finding, and the declaration that it is about. */
interface Found extends RuleFinding {
  readonly declaration: Place;
}

function findingOf({ variable, runtimePart }: VariableFact, isHip: boolean): Found | undefined {
  const { name, type, memorySpace, declaration, isDependent, place } = variable;
  if (isDependent || variable.scope !== "block") return undefined;
  if (memorySpace === "shared" && hasVariableLength(type)) {
    const isRecent = isHip && /\bwarpSize\b/.test(textOf(declaration));
    const message = `the size of '${name}' in shared memory must be a constant`;
    return isRecent ? { declaration, place, ...sinceRocm7(message) } : { declaration, place, message };
  }
  if (runtimePart === undefined || !hasWord(variable.words, "constexpr")) return undefined;
  const source = /^(?:warpSize|(?:thread|block)Idx|(?:block|grid)Dim)\b/.exec(textOf(runtimePart))?.[0];
  if (source === undefined) return undefined;
  const message = `'${name}' is constexpr, but '${source}' is known only at run time`;
  return { declaration, place: runtimePart, ...(isHip && source === "warpSize" ? sinceRocm7(message) : { message }) };
}

/** What depends on HIP's `warpSize`, which its headers declared as a constant for years. */
function sinceRocm7(message: string): { readonly severity: "warning"; readonly message: string } {
  return { severity: "warning", message: `${message}; HIP's 'warpSize' is no constant since ROCm 7` };
}

function hasVariableLength(type: Type): boolean {
  return type.kind === "array" && (type.extent === "variable" || hasVariableLength(type.element));
}
