/** `__grid_constant__` in code that is compiled for devices without it. */
import { dropWord } from "../../analyses/placed-edits.ts";
import { least } from "../../lists.ts";
import type { Rule } from "../rule.ts";

/** The lowest compute capability that supports it, times ten. */
const firstArchitecture = 70;

/** Reports `__grid_constant__` in code that is compiled for an architecture below 7.0. */
export const gridConstantArchitecture: Rule = {
  id: "grid-constant-architecture",
  title: "`__grid_constant__` is used, but the code is compiled for an architecture below 7.0",
  severity: "error",
  languages: ["cuda"],
  clause: "CUDA C++ Programming Guide, __grid_constant__: supported for compute capability 7.0 and higher",
  documentation: `
Devices below compute capability 7.0 have no \`__grid_constant__\`; nvcc up to 12 rejects it there, nvcc 13 no longer
compiles for them at all. The finding needs to know the architectures: \`-arch\`, \`-gencode\` or \`--gpu-architecture\` in
the compile settings.

**What to do**: raise the lowest architecture, or keep the annotation behind a macro that is empty where
\`__CUDA_ARCH__ < 700\`.`,
  limits: "Nothing is reported unless the settings name the architectures that the code is compiled for.",
  fixSafety: "A suggestion: without the annotation every thread may copy the object.",
  examples: [
    {
      language: "cuda",
      standard: "sm_60",
      bad: `struct Params { float scale; };
__global__ void run(const __grid_constant__ Params params, float *out) { // <-
  *out = params.scale;
}`,
      good: `struct Params { float scale; };
__global__ void run(const Params params, float *out) {
  *out = params.scale;
}`,
    },
  ],
  check({ facts, dialect }, report) {
    if (dialect.language !== "cuda") return;
    const lowest = least(dialect.architectures);
    if (!Number.isFinite(lowest) || lowest >= firstArchitecture) return;
    for (const { word, on, function: declaration } of facts.words) {
      if (word.text !== "__grid_constant__" || on !== "parameter" || declaration?.execution.kernel !== true) continue;
      report({
        place: word.place,
        message: `'__grid_constant__' needs compute capability 7.0, but the code is compiled for ${Math.floor(lowest / 10)}.${lowest % 10}`,
        fixes: () => [{ title: "Remove '__grid_constant__'", edits: [dropWord(word)], safety: "suggestion" }],
      });
    }
  },
};
