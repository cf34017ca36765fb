/** A `__grid_constant__` parameter whose type is not const. */
import type { Facts, InstantiationFact } from "../semantics/facts.ts";
import type { ParameterDeclaration } from "../semantics/symbols.ts";
import { spell, type Type } from "../semantics/types.ts";
import { addConst, gridConstantWord } from "./grid-constants.ts";
import type { Rule, RuleFinding } from "./rule.ts";

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
      const isOpen = (type.kind === "unknown" && type.isClass !== true) || type.kind === "dependent" || type.kind === "auto" || type.kind === "reference" || type.kind === "member-pointer";
      if (isOpen || type.qualifiers.const) continue;
      const edit = addConst(parameter);
      report({
        place: word.place,
        message: `'__grid_constant__' parameter '${parameter.symbol.name}' is not const${reasonFor(type.kind, parameter.writtenType.kind)}`,
        fixes: edit === undefined ? [] : [{ title: "Add 'const'", edits: [edit], isPreferred: true }],
      });
    }
    for (const finding of instantiatedFindings(facts)) report(finding);
  },
};

/** Parameters of type `T` whose template is instantiated with something that is not const; each is reported once. */
function* instantiatedFindings({ instantiations }: Facts): Generator<RuleFinding> {
  const seen = new Set<ParameterDeclaration>();
  for (const instantiation of instantiations) {
    for (const declaration of instantiation.template.declarations) {
      if (!declaration.execution.kernel) continue;
      for (const [index, parameter] of declaration.parameters.entries()) {
        const word = gridConstantWord(parameter);
        const type = word === undefined || seen.has(parameter) ? undefined : mutableArgument(instantiation, parameter, index);
        if (word === undefined || type === undefined) continue;
        seen.add(parameter);
        const edit = addConst(parameter);
        const what = `'__grid_constant__' parameter '${parameter.symbol.name}' is not const`;
        const isHere = word.place.unit === instantiation.place.unit;
        yield {
          place: isHere ? word.place : instantiation.place,
          message: type === "deduced" ? `${what}: a deduced '${spell(parameter.writtenType)}' never is` : `${what} in the instantiation for '${spell(type)}'`,
          related: [isHere ? { message: "instantiated here", place: instantiation.place } : { message: "the parameter is declared here", place: word.place }],
          fixes: edit === undefined ? [] : [{ title: "Add 'const'", edits: [edit], isPreferred: true }],
        };
      }
    }
  }
}

/**
 * The argument of a parameter `T p` or `T... p` that leaves it without const; undefined where there is none for sure. What is
 * deduced from an argument that is passed by value has no const of its own (C++17 §17.8.2.1p2).
 */
function mutableArgument({ template, arguments: written, deducedFrom }: InstantiationFact, { symbol, writtenType }: ParameterDeclaration, index: number): Type | "deduced" | undefined {
  if (writtenType.kind !== "dependent" || writtenType.name === undefined || writtenType.qualifiers.const) return undefined;
  const at = template.templateParameters?.findIndex(({ name, kind }) => kind === "type" && name === writtenType.name) ?? -1;
  if (at < 0) return undefined;
  const isPack = symbol.isPack === true;
  const given = isPack ? written.slice(at) : written.slice(at, at + 1);
  const first = given.find((type) => type !== undefined && isMutableObject(type));
  if (first !== undefined) return first;
  const isDeduced = isPack || given.length === 0;
  return isDeduced && deducedFrom > index + given.length ? "deduced" : undefined;
}

function isMutableObject(type: Type): boolean {
  return type.kind !== "reference" && type.kind !== "array" && type.kind !== "function" && !type.qualifiers.const;
}

function reasonFor(kind: string, written: string): string {
  if (written === "array") return ": an array parameter is a pointer, and the pointer is not const";
  return kind === "pointer" ? ": the pointer itself must be, not what it points to" : "";
}
