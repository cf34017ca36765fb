/** A small const table in global memory that all threads of a warp read at the same index, which constant memory is made for. */
import { executionAt, isDeviceCode } from "../../analyses/device-code.ts";
import { accessesTo } from "../../analyses/fact-index.ts";
import { laneDependence } from "../../analyses/lane-dependence.ts";
import { isCuda, memoryWordsOf } from "../../analyses/memory-spaces.ts";
import type { AccessFact, Facts } from "../../semantics/facts/facts.ts";
import { sizeOf } from "../../semantics/types/layout.ts";
import { innermostElement, isScalar } from "../../semantics/types/predicates.ts";
import type { VariableSymbol } from "../../semantics/types/symbols.ts";
import { containsUnknown } from "../../semantics/types/types.ts";
import { hasWord } from "../../syntax/walk.ts";
import { usesOf } from "../fixes/launch-edits.ts";
import type { Rule, RuleFix } from "../rule.ts";

/** Reports const tables in global memory that every read finds at an index that a warp shares. */
export const globalMemoryUniformTable: Rule = {
  id: "global-memory-uniform-table",
  title: "a small const table in global memory is read at one index by all threads of a warp",
  severity: "hint",
  languages: ["cuda"],
  clause:
    "CUDA C++ Best Practices Guide, constant memory: reads of one address by all threads of a warp are as fast as registers; Programming Guide, device memory space specifiers",
  documentation: `
A \`__device__\` table is in global memory. If all threads of a warp read the same element, as in a loop over the coefficients of a filter, the
table belongs into \`__constant__\` memory: its cache gives one value to the whole warp, and instructions use it without a load.

Reported for a \`const\` array of numbers of at most 4,096 bytes with an initializer, if every use of it in the file is a read in device
code at an index that is certainly the same for a warp: constants, kernel parameters, block indices, counters of loops. At least one index is not a
constant, because the compiler itself folds the others.

**What to do**: declare the table as \`__constant__\`.`,
  limits: "Tables that a pointer names, that host code uses, and those in headers are not judged.",
  fixSafety: "A suggestion: all constants of a program share 64 KB.",
  examples: [
    {
      language: "cuda",
      bad: `__device__ const float filter[5] = { 1, 4, 6, 4, 1 }; // <-
__global__ void smooth(const float *in, float *out) {
  float sum = 0;
  for (int i = 0; i < 5; i++) sum += filter[i] * in[threadIdx.x + i];
  out[threadIdx.x] = sum;
}`,
      good: `__constant__ const float filter[5] = { 1, 4, 6, 4, 1 };
__global__ void smooth(const float *in, float *out) {
  float sum = 0;
  for (int i = 0; i < 5; i++) sum += filter[i] * in[threadIdx.x + i];
  out[threadIdx.x] = sum;
}`,
    },
  ],
  checkFile({ facts, dialect, file }, report) {
    // AMD's devices read constant memory like any other.
    if (!isCuda(dialect) || file.readers() !== "none") return;
    for (const { variable } of facts.variables) {
      if (!isSmallTable(variable) || !isReadUniformly(variable, facts)) continue;
      report({
        place: variable.place,
        message: `each warp reads one element of '${variable.name}' at a time: use '__constant__'`,
        fixes: () => asConstant(variable),
      });
    }
  },
};

/** In bytes; more would take the constant memory of other tables. */
const largest = 4_096;

function isSmallTable({
  memorySpace,
  scope,
  isDefinition,
  initializer,
  previous,
  type,
  isTemplated,
  isDependent,
  words,
}: VariableSymbol): boolean {
  if (memorySpace !== "device" || scope !== "program" || !isDefinition || initializer === undefined || previous !== undefined) return false;
  if (isTemplated === true || isDependent || type.kind !== "array" || containsUnknown(type)) return false;
  const { qualifiers } = innermostElement(type);
  const size = sizeOf(type);
  const isPlain = !hasWord(words, "extern", "inline", "constexpr", "__managed__");
  return isPlain && qualifiers.const && !qualifiers.volatile && isScalar(innermostElement(type)) && size !== undefined && size <= largest;
}

function isReadUniformly(variable: VariableSymbol, facts: Facts): boolean {
  const accesses = accessesTo(facts, variable);
  const indices = accesses.map((access) => indicesOf(access, facts));
  // Each use is one of these reads, so that none is in text that was not understood.
  if (usesOf(variable, facts).length > accesses.length) return false;
  return indices.every((each) => each !== "other") && indices.includes("uniform");
}

/** How a read finds its element: at an index that a warp shares, at a constant one, or in another way. */
function indicesOf(access: AccessFact, facts: Facts): "uniform" | "constant" | "other" {
  const { mode, within, lambda, path, place } = access;
  if (mode !== "read" || within === undefined || lambda !== undefined || !isDeviceCode(access) || executionAt(access).host) return "other";
  if (within.isTemplate || within.record?.isDependent === true || path.steps.length === 0) return "other";
  let found: "uniform" | "constant" = "constant";
  for (const step of path.steps) {
    if (step.kind !== "index") return "other";
    const value = laneDependence(facts).of(step.index, place);
    if (value.kind !== "uniform") return "other";
    if (value.value === undefined && !step.isConstant) found = "uniform";
  }
  return found;
}

function asConstant(variable: VariableSymbol): readonly RuleFix[] {
  const [word, ...others] = memoryWordsOf(variable);
  if (word === undefined || others.length > 0 || variable.sharesSpecifiers) return [];
  const edits = [{ place: word.place, text: "__constant__" }];
  return [{ title: `Put '${variable.name}' into constant memory`, edits, safety: "suggestion" }];
}
