/** `extern` declarations of variables in device memory in whole-program mode, in which device code of several files is not linked. */
import { firstOf, isCuda, memoryWordsOf } from "../../analyses/memory-spaces.ts";
import { memo } from "../../memo.ts";
import type { Facts } from "../../semantics/facts/facts.ts";
import type { VariableSymbol } from "../../semantics/types/symbols.ts";
import { hasWord } from "../../syntax/walk.ts";
import type { Rule } from "../rule.ts";

/** Reports `extern` variables in device memory when device code of several files is not linked. */
export const wholeProgramExtern: Rule = {
  id: "whole-program-extern",
  title: "an `extern` variable in device memory, although device code of several files is not linked",
  severity: "warning",
  languages: ["cuda"],
  clause:
    "CUDA Compiler Driver NVCC, using separate compilation in CUDA: without -rdc=true all device functions and variables must be located inside a single file",
  documentation: `
Without \`-rdc=true\` (or \`-dc\`) the device code of each file is a program of its own. An \`extern __constant__\` or \`extern
__device__\` variable that the same file does not define then does not refer to another file's variable: nvcc gives each file a
variable of its own, with a warning at most. Data that the host copies to the other file's variable never arrives here, and the kernel reads zeros.

Without build settings this is only an *info*.

**What to do**: compile with \`-rdc=true\`, or keep the variable, the kernels that use it and the \`cudaMemcpyToSymbol\` in one file.`,
  limits: "Nothing is reported with `-rdc=true`. Without build settings the finding is an info.",
  examples: [
    {
      language: "cuda",
      standard: "sm_80",
      bad: `extern __constant__ float weights[16]; // <-
__global__ void apply(float *out) { *out = weights[0]; }`,
      good: `__constant__ float weights[16];
__global__ void apply(float *out) { *out = weights[0]; }`,
    },
  ],
  checkFile({ facts, dialect }, report) {
    if (!isCuda(dialect) || dialect.relocatableDeviceCode) return;
    for (const { variable } of facts.variables) {
      const memory = memoryWordsOf(variable).find(({ text }) => text !== "__shared__");
      if (
        memory === undefined ||
        !hasWord(variable.words, "extern") ||
        variable.isDefinition ||
        variable.isTemplated === true ||
        hasWord(variable.words, "__shared__")
      )
        continue;
      const isOpen = variable.type.kind === "array" && variable.type.extent !== "fixed";
      if (
        (variable.scope !== "program" && variable.scope !== "block") ||
        isOpen ||
        variable.type.kind === "unknown" ||
        definedIn(facts).has(firstOf(variable))
      )
        continue;
      report({
        place: variable.place,
        severity: dialect.isRelocatableKnown === true ? "warning" : "info",
        message: `without -rdc=true, extern '${variable.name}' is this file's own variable, not another file's`,
      });
    }
  },
};

/** The first declarations of the variables that this translation unit defines. */
const definedIn = memo(
  ({ variables }: Facts): ReadonlySet<VariableSymbol> =>
    new Set(variables.filter(({ variable }) => variable.isDefinition).map(({ variable }) => firstOf(variable))),
);
