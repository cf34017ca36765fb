/** A const variable without an initialiser, whose type does not give it a value either. Shared memory is another rule's. */
import { constructorsOf } from "../semantics/calls.ts";
import { recordOf } from "../semantics/initialization.ts";
import type { RecordSymbol, VariableSymbol } from "../semantics/symbols.ts";
import { containsUnknown, type Type } from "../semantics/types.ts";
import type { Rule } from "./rule.ts";
import { hasWord } from "./shared/memory-spaces.ts";
import { dropWord } from "./shared/spaces.ts";

export const constObjectUninitialized: Rule = {
  id: "const-object-uninitialized",
  title: "a const variable has no initialiser",
  severity: "error",
  languages: ["cuda"],
  clause:
    "C++17 §11.6p7: a const-qualified type that is default-initialised is a class type with a constructor that somebody wrote, or with values for all its members",
  documentation: `
What is \`const\` never gets another value than its first, so C++ wants that one to be written. A \`__constant__\` variable is
no exception: it is constant for kernels only, the host fills it with \`cudaMemcpyToSymbol\`, and it must not be \`const\` for
that. Arrays and typedefs hide the \`const\`, which belongs to the elements.

**What to do**: initialise it; or drop the \`const\` of a \`__constant__\` variable that the host sets; or declare it \`extern\`
where another file defines it.`,
  examples: [
    {
      language: "cuda",
      bad: `__constant__ const float weights[16]; // <-
__global__ void apply(float *out) { out[threadIdx.x] *= weights[3]; }
void upload(const float *values) { cudaMemcpyToSymbol(weights, values, sizeof(weights)); }`,
      good: `__constant__ float weights[16];
__global__ void apply(float *out) { out[threadIdx.x] *= weights[3]; }
void upload(const float *values) { cudaMemcpyToSymbol(weights, values, sizeof(weights)); }`,
      fixed: `__constant__ float weights[16];
__global__ void apply(float *out) { out[threadIdx.x] *= weights[3]; }
void upload(const float *values) { cudaMemcpyToSymbol(weights, values, sizeof(weights)); }`,
    },
    {
      language: "cuda",
      bad: `struct Range { int low, high; };
__global__ void clear(int *data) {
  const Range range; // <-
  data[range.low] = 0;
}`,
      good: `struct Range { int low, high; };
__global__ void clear(int *data) {
  const Range range = {0, 1};
  data[range.low] = 0;
}`,
    },
  ],
  check({ facts }, report) {
    for (const { variable } of facts.variables) {
      const { name, place, memorySpace, words } = variable;
      if (!isUninitialized(variable)) continue;
      // The host can set it, if only it is not const.
      const word = memorySpace === "constant" && !isPointer(variable.type) ? words.find(({ text }) => text === "const") : undefined;
      const fixes = word === undefined ? [] : [{ title: "Drop 'const'", edits: [dropWord(word)], isPreferred: true }];
      report({ place, message: `'${name}' is const and has no initialiser`, fixes });
    }
  },
};

function isUninitialized(variable: VariableSymbol): boolean {
  const { scope, initializer, isDefinition, isTemplated, type, name } = variable;
  if (
    scope === "parameter" ||
    scope === "member" ||
    initializer !== undefined ||
    !isDefinition ||
    isTemplated === true ||
    variable.isLinked === true ||
    name === ""
  )
    return false;
  if (hasWord(variable, "__shared__") || hasWord(variable, "extern") || containsUnknown(type) || !isConst(type)) return false;
  // A static member may have got its value inside the class.
  for (let current = variable.previous; current !== undefined; current = current.previous)
    if (current.initializer !== undefined) return false;
  return hasNoValue(type, 0);
}

function isConst(type: Type): boolean {
  return type.kind === "array" ? isConst(type.element) : type.kind !== "reference" && type.kind !== "function" && type.qualifiers.const;
}

function isPointer(type: Type): boolean {
  return type.kind === "array" ? isPointer(type.element) : type.kind === "pointer";
}

function hasNoValue(type: Type, depth: number): boolean {
  if (type.kind === "array") return hasNoValue(type.element, depth);
  const record = recordOf(type);
  if (record !== undefined) return leavesMemberOpen(record, depth);
  return type.kind === "arithmetic" || type.kind === "pointer" || type.kind === "enum";
}

/** Nobody wrote a constructor, and some member gets no value. */
function leavesMemberOpen(record: RecordSymbol, depth: number): boolean {
  const { members, bases, isIncomplete, isDependent, key } = record;
  if (depth > 20 || members === undefined || isIncomplete || isDependent || key === "union" || constructorsOf(record).length > 0)
    return false;
  // A class whose base is not known may get its constructors from there.
  if (bases.some((base) => recordOf(base) === undefined || constructorsOf(recordOf(base) ?? record).length > 0)) return false;
  if (members.some(({ name, type }) => name === "" || containsUnknown(type))) return false;
  return (
    members.some(({ initializer, type }) => initializer === undefined && hasNoValue(type, depth + 1)) ||
    bases.some((base) => hasNoValue(base, depth + 1))
  );
}
