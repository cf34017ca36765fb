/** A `__grid_constant__` parameter whose type is not const. */
import { annotatedParameters } from "../../analyses/grid-constants.ts";
import type { InstantiatedParameter } from "../../semantics/facts/facts.ts";
import type { ParameterDeclaration } from "../../semantics/types/symbols.ts";
import type { Type } from "../../semantics/types/types.ts";
import { findingsOfGridConstants } from "../findings/grid-constant-instances.ts";
import { addConst } from "../fixes/grid-constants.ts";
import type { Rule, RuleFix } from "../rule.ts";

/** Reports `__grid_constant__` parameters that are not const. */
export const gridConstantNonConst: Rule = {
  id: "grid-constant-non-const",
  title: "a `__grid_constant__` parameter is not const",
  severity: "error",
  languages: ["cuda"],
  clause: "CUDA C++ Programming Guide, __grid_constant__: annotated parameters must have const-qualified non-reference types",
  documentation: `
\`__grid_constant__\` makes all threads of a grid share one read-only object instead of each having its own copy. So the
parameter's type must be const at its outermost level. \`const S *p\` is not: its pointee is const, the pointer is not (\`const S
*const p\` is). An array parameter \`const T a[4]\` is a pointer too. nvcc reports it only when it compiles for the device, and
reports neither arrays nor templates that are never instantiated.

**What to do**: add \`const\`.`,
  limits: "Arguments of templates that nothing instantiates are not known.",
  fixSafety:
    "Adding `const` to a parameter that must not be written is safe: the compiler then rejects a write in the kernel, as it should.",
  examples: [
    {
      language: "cuda",
      bad: `struct Params { float scale; int count; };
__global__ void run(__grid_constant__ Params params, float *out) { // <-
  out[threadIdx.x] = params.scale;
}`,
      good: `struct Params { float scale; int count; };
__global__ void run(const __grid_constant__ Params params, float *out) {
  out[threadIdx.x] = params.scale;
}`,
      fixed: `struct Params { float scale; int count; };
__global__ void run(const __grid_constant__ Params params, float *out) {
  out[threadIdx.x] = params.scale;
}`,
    },
  ],
  check({ facts }, report) {
    for (const { word, parameter } of annotatedParameters(facts)) {
      const { type } = parameter.symbol;
      if (!isNonConst(type)) continue;
      report({
        place: word.place,
        message: `'__grid_constant__' parameter '${parameter.symbol.name}' is not const${reasonFor(type.kind, parameter.writtenType.kind)}`,
        fixes: () => addingConst(parameter),
      });
    }
    const isWrong = (instantiated: InstantiatedParameter) => !isNonConst(instantiated.of.symbol.type) && isMutable(instantiated);
    for (const { parameter, ...finding } of findingsOfGridConstants(facts, "is not const", isWrong))
      report({ ...finding, fixes: () => addingConst(parameter) });
  },
};

function addingConst(parameter: ParameterDeclaration): readonly RuleFix[] {
  const edit = addConst(parameter);
  return edit === undefined ? [] : [{ title: "Add 'const'", edits: [edit], safety: "safe" }];
}

function isMutable({ type, isDeduced }: InstantiatedParameter): boolean {
  return isDeduced === true || isNonConst(type);
}

/**
 * True if the type is known to be non-const, like the type of a class template whatever its arguments are.
 * `grid-constant-reference` judges references.
 */
function isNonConst(type: Type): boolean {
  if (type.qualifiers.const || type.kind === "unknown" || type.kind === "auto" || type.kind === "reference") return false;
  return type.kind !== "dependent" || type.instance !== undefined;
}

function reasonFor(kind: string, written: string): string {
  if (written === "array") return ": an array parameter is a pointer";
  return kind === "pointer" || kind === "member-pointer" ? ": the pointer itself must be" : "";
}
