/** A `__grid_constant__` parameter whose type is not const. */
import type { Rule } from "./rule.ts";
import { addConst } from "./grid-constants.ts";

export const gridConstantNonConst: Rule = {
  id: "grid-constant-non-const",
  title: "a `__grid_constant__` parameter is not const",
  severity: "error",
  languages: ["cuda"],
  clause: "CUDA C++ Programming Guide, __grid_constant__: annotated parameters must have const-qualified non-reference types",
  documentation: `
\`__grid_constant__\` says that all threads of a grid share one read-only object instead of each having its own copy. So the
parameter's type must be const at its outermost level. \`const S *p\` is not: what it points to is const, the pointer is not
(\`const S *const p\` is). An array parameter \`const T a[4]\` is a pointer too. nvcc reports it only when it compiles for the
device, says nothing about arrays, and nothing in templates that are never instantiated.

**What to do**: add \`const\`.`,
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
    for (const fact of facts.words) {
      const { word, parameter } = fact;
      if (word.text !== "__grid_constant__" || fact.on !== "parameter" || parameter === undefined || fact.function?.execution.kernel !== true) continue;
      const { type } = parameter.symbol;
      const isOpen = type.kind === "unknown" || type.kind === "dependent" || type.kind === "auto" || type.kind === "reference" || type.kind === "member-pointer";
      if (isOpen || type.qualifiers.const) continue;
      const edit = addConst(parameter);
      report({
        place: word.place,
        message: `'__grid_constant__' parameter '${parameter.symbol.name}' is not const${reasonFor(type.kind, parameter.writtenType.kind)}`,
        fixes: edit === undefined ? [] : [{ title: "Add 'const'", edits: [edit], isPreferred: true }],
      });
    }
  },
};

function reasonFor(kind: string, written: string): string {
  if (written === "array") return ": an array parameter is a pointer, and the pointer is not const";
  return kind === "pointer" ? ": the pointer itself must be, not what it points to" : "";
}
