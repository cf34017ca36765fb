/** `__shared__` variables with an initial value, or of a class with a nontrivial constructor or destructor. */
import { isCuda } from "../../analyses/memory-spaces.ts";
import { defaultsOf, destructorOf } from "../../semantics/declarations/initialization.ts";
import type { VariableFact } from "../../semantics/facts/facts.ts";
import { constructorsOf } from "../../semantics/symbols/candidates.ts";
import { isConst, recordOf } from "../../semantics/types/predicates.ts";
import type { VariableSymbol } from "../../semantics/types/symbols.ts";
import { containsUnknown } from "../../semantics/types/types.ts";
import { hasWord } from "../../syntax/walk.ts";
import { findingsOfInstances } from "../findings/related.ts";
import type { Rule, RuleFinding } from "../rule.ts";

/** Reports `__shared__` variables with an initializer, or with a nontrivial constructor or destructor. */
export const sharedMemoryInitializer: Rule = {
  id: "shared-memory-initializer",
  title: "a `__shared__` variable has an initializer, or a nontrivial constructor or destructor",
  severity: "error",
  languages: ["cuda"],
  judgesHostSide: true,
  clause:
    "CUDA C++ Programming Guide, C++ language support, __shared__: variables cannot have an initializer as part of their declaration; their constructor and destructor must be empty",
  documentation: `
Shared memory is allocated when a block of threads starts, with undefined contents, and is never initialized: an initializer,
including \`= {}\` and \`{}\`, is an error, and so is \`const\` on an object that would need one. In a kernel nvcc (not HIP's
compiler) only warns about a nontrivial constructor or destructor (it is not run), which at namespace scope is an error too. HIP's compiler
accepts an initializer that only calls a trivial or empty constructor, such as \`T()\`.

**What to do**: declare it without an initializer, and let one thread set it, with a \`__syncthreads()\` before the first read.`,
  limits: "Classes with a member of unknown type are not judged.",
  examples: [
    {
      language: "cuda",
      bad: `__global__ void count(int *out) {
  __shared__ int total = 0; // <-
  atomicAdd(&total, 1);
  *out = total;
}`,
      good: `__global__ void count(int *out) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  atomicAdd(&total, 1);
  *out = total;
}`,
    },
  ],
  check({ facts, dialect }, report) {
    if (dialect.language !== "cuda") return;
    for (const { variable } of facts.variables) {
      if (!hasWord(variable.words, "__shared__") || variable.scope === "parameter" || variable.scope === "member") continue;
      const finding = findingOf(variable, isCuda(dialect));
      if (finding !== undefined) report(finding);
    }
    // A mistake in the template's own text is reported for the template.
    const ofInstance = ({ variable }: VariableFact) =>
      hasWord(variable.words, "__shared__") && variable.initializer === undefined ? findingOf(variable, isCuda(dialect)) : undefined;
    for (const finding of findingsOfInstances(facts.instantiatedVariables, ofInstance)) report(finding);
  },
};

function findingOf(variable: VariableSymbol, isNvcc: boolean): RuleFinding | undefined {
  const { name, place, initializer } = variable;
  if (initializer !== undefined) {
    const { kind } = variable.type;
    // clang accepts an initializer that calls an empty constructor.
    if (!isNvcc && variable.hasEffect !== true && (kind === "dependent" || kind === "unknown" || recordOf(variable.type) !== undefined))
      return undefined;
    return { place, message: `'${name}' is in shared memory, which cannot be initialized` };
  }
  if (variable.isTemplated === true || containsUnknown(variable.type) || !variable.isDefinition) return undefined;
  const record = recordOf(variable.type);
  if (record === undefined)
    return isConst(variable.type) ? { place, message: `'${name}' in shared memory is const, so nothing can give it a value` } : undefined;
  if (record.isIncomplete || record.isDependent || record.members === undefined) return undefined;
  const isAtProgramScope = variable.scope === "program";
  const destructor = destructorOf(record);
  if (variable.initialization !== "dynamic" && destructor === undefined && defaultsOf(record).sets) {
    return {
      place,
      ...(isNvcc ? { severity: "warning" as const } : {}),
      message: `'${name}' is in shared memory: the member initializers of its class are not run`,
    };
  }
  if (variable.initialization !== "dynamic" && destructor === undefined) {
    if (isConst(variable.type) && constructorsOf(record).length === 0 && record.bases.length === 0)
      return { place, message: `'${name}' in shared memory is const, so nothing can give it a value` };
    return undefined;
  }
  const what = destructor === undefined ? "constructor" : "destructor";
  return {
    place,
    ...(isAtProgramScope || !isNvcc ? {} : { severity: "warning" as const }),
    message: `'${name}' is in shared memory: the ${what} of its class is not run`,
  };
}
