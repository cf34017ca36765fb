/** A `__grid_constant__` parameter of reference type, which it may have only with some template arguments. */
import { annotatedParameters } from "../../analyses/grid-constants.ts";
import type { InstantiatedParameter } from "../../semantics/facts/facts.ts";
import type { ParameterDeclaration } from "../../semantics/types/symbols.ts";
import { findingsOfGridConstants } from "../findings/grid-constant-instances.ts";
import type { PlacedEdit, Rule, RuleFix } from "../rule.ts";

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
        fixes: () => passedByValue(parameter),
      });
    }
    const isWrong = ({ of, type }: InstantiatedParameter) => of.symbol.type.kind !== "reference" && type.kind === "reference";
    for (const { parameter: _, ...finding } of findingsOfGridConstants(facts, "is a reference", isWrong)) report(finding);
  },
};

/** The fix that removes the `&`, and makes the object const, as the annotation demands. */
function passedByValue({ referencePlace, place, symbol: { type } }: ParameterDeclaration): readonly RuleFix[] {
  if (referencePlace === undefined || type.kind !== "reference") return [];
  const { kind, qualifiers } = type.referent;
  if (!qualifiers.const && (kind === "pointer" || kind === "array")) return [];
  const added: readonly PlacedEdit[] = qualifiers.const ? [] : [{ place, how: "before", text: "const " }];
  return [{ title: "Pass by value", edits: [...added, { place: referencePlace, text: "" }], safety: "safe" }];
}
