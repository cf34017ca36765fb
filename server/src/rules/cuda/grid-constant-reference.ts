/** A `__grid_constant__` parameter of reference type. */
import { annotatedParameters } from "../../analyses/grid-constants.ts";
import type { Rule } from "../rule.ts";

/** Reports `__grid_constant__` parameters of reference type. */
export const gridConstantReference: Rule = {
  id: "grid-constant-reference",
  title: "a `__grid_constant__` parameter is a reference",
  severity: "error",
  languages: ["cuda"],
  clause: "CUDA C++ Programming Guide, __grid_constant__: annotated parameters must have const-qualified non-reference types",
  documentation: `
\`__grid_constant__\` gives a kernel parameter one address for the whole grid. A reference is not an object of its own: the kernel
would receive the address of something on the host. The purpose of the annotation, avoiding a copy per thread, is achieved by
passing the object by value.

**What to do**: drop the \`&\`.`,
  limits: "References that depend on a template argument are judged in each instantiation.",
  fixSafety: "Safe: the object is passed by value, as every kernel argument is. Its type must be copyable.",
  examples: [
    {
      language: "cuda",
      bad: `struct Params { float scale; };
__global__ void run(const __grid_constant__ Params &params, float *out) { // <-
  out[threadIdx.x] = params.scale;
}`,
      good: `struct Params { float scale; };
__global__ void run(const __grid_constant__ Params params, float *out) {
  out[threadIdx.x] = params.scale;
}`,
      fixed: `struct Params { float scale; };
__global__ void run(const __grid_constant__ Params params, float *out) {
  out[threadIdx.x] = params.scale;
}`,
    },
  ],
  check({ facts }, report) {
    for (const { word, parameter } of annotatedParameters(facts)) {
      if (parameter.symbol.type.kind !== "reference") continue;
      report({
        place: word.place,
        message: `'__grid_constant__' parameter '${parameter.symbol.name}' is a reference; pass it by value`,
        fixes: () =>
          parameter.referencePlace === undefined
            ? []
            : [{ title: "Pass by value", edits: [{ place: parameter.referencePlace, text: "" }], safety: "safe" }],
      });
    }
  },
};
