/**
 * A const variable or a reference without an initializer, whose type does not initialize it either, and a const member or a reference
 * that a constructor does not initialize. `shared-memory-initializer` judges shared memory.
 */
import { dropWord } from "../../analyses/placed-edits.ts";
import { constructorsOf } from "../../semantics/symbols/candidates.ts";
import { innermostElement, isConst, recordOf } from "../../semantics/types/predicates.ts";
import { alongDeclarations, type FunctionDeclaration, type RecordSymbol, type VariableSymbol } from "../../semantics/types/symbols.ts";
import { containsUnknown, type Type } from "../../semantics/types/types.ts";
import { hasWord, lastPart } from "../../syntax/walk.ts";
import type { Rule } from "../rule.ts";

/** Reports const variables without an initializer, and constructors that leave a const member or a reference without one. */
export const constObjectUninitialized: Rule = {
  id: "const-object-uninitialized",
  title: "a const variable or member, or a reference, has no initializer",
  severity: "error",
  languages: ["cuda"],
  judgesHostSide: true,
  clause:
    "C++17 §15.6.2p9; §11.6p7: a const-qualified type that is default-initialized is a class type with a user-provided default constructor, or with default member initializers",
  documentation: `
A \`const\` object keeps its initial value, so C++ requires an initializer. A \`__constant__\` variable is not an exception: it is
constant only for kernels; the host fills it with \`cudaMemcpyToSymbol\`, and for that it must not be \`const\`. Arrays and
typedefs hide the \`const\`, which belongs to the elements. A reference needs an object to refer to. A constructor must initialize const members and references before its
body begins: an assignment in the body comes too late.

**What to do**: initialize it; or drop the \`const\` of a \`__constant__\` variable that the host sets; or declare it \`extern\` if another file defines it.`,
  limits: "A class with a constructor, or with a base that has one, is assumed to initialize its members.",
  fixSafety:
    "The fix drops the `const` of a `__constant__` variable that the host sets: kernels cannot write it in any case, so it is safe.",
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
      // The host can set the variable if it is not const.
      const word =
        memorySpace === "constant" && variable.type.kind !== "reference" && innermostElement(variable.type).kind !== "pointer"
          ? words.find(({ text }) => text === "const")
          : undefined;
      report({
        place,
        message:
          variable.type.kind === "reference" ? `the reference '${name}' has no initializer` : `'${name}' is const and needs an initializer`,
        fixes: () => (word === undefined ? [] : [{ title: "Remove 'const'", edits: [dropWord(word)], safety: "safe" }]),
      });
    }
    for (const { name, record, declarations } of facts.functions) {
      if (record === undefined || name !== record.tag || record.instance !== undefined) continue;
      for (const declaration of declarations) {
        const member = openMember(declaration, record);
        if (member === undefined) continue;
        const what = member.type.kind === "reference" ? "reference" : "const member";
        report({
          place: declaration.namePlace,
          message: `the constructor leaves the ${what} '${member.name}' without an initializer`,
          related: [{ message: "declared here", place: member.place }],
        });
      }
    }
  },
};

/** The first const scalar or reference among the members that this constructor does not initialize. */
function openMember(
  { body, special, isTemplate, isUncertain, memberInitializers = [] }: FunctionDeclaration,
  { tag, members, key, isDependent, isIncomplete, hasUnreadText }: RecordSymbol,
): VariableSymbol | undefined {
  if (body === undefined || special !== undefined || isTemplate || isUncertain === true) return undefined;
  if (members === undefined || isDependent || isIncomplete || hasUnreadText === true || key === "union") return undefined;
  const given = memberInitializers.map((each) => lastPart(each.name)?.text);
  if (given.includes(tag)) return undefined;
  return members.find(({ name, type, initializer }) => {
    if (name === "" || initializer !== undefined || given.includes(name) || containsUnknown(type)) return false;
    if (type.kind === "reference") return true;
    const { kind } = innermostElement(type);
    return isConst(type) && (kind === "arithmetic" || kind === "pointer" || kind === "enum");
  });
}

const hasInitializer = alongDeclarations<boolean>(({ initializer }, before) => initializer !== undefined || before === true);

function isUninitialized(variable: VariableSymbol): boolean {
  const { scope, initializer, isDefinition, isTemplated, type, name } = variable;
  if (scope === "parameter" || scope === "member" || initializer !== undefined || !isDefinition || isTemplated === true || name === "")
    return false;
  if (hasWord(variable.words, "__shared__", "extern") || containsUnknown(type)) return false;
  if (type.kind !== "reference" && !isConst(type)) return false;
  // A static member may have been initialized inside the class.
  if (variable.previous !== undefined && hasInitializer(variable.previous)) return false;
  return type.kind === "reference" ? isNamedAlone(variable) : hasNoValue(type, 0);
}

/** True if a semicolon follows the name of a reference, so that nothing else binds it, as a handler or a loop does. */
function isNamedAlone({ place: { unit, span } }: VariableSymbol): boolean {
  return /^\s*;/.test(unit.view.text.slice(span.end, span.end + 80));
}

function hasNoValue(type: Type, depth: number): boolean {
  if (type.kind === "array") return hasNoValue(type.element, depth);
  const record = recordOf(type);
  if (record !== undefined) return leavesMemberOpen(record, depth);
  return type.kind === "arithmetic" || type.kind === "pointer" || type.kind === "enum";
}

/** True if the class has no user-provided constructor and leaves a member uninitialized. */
function leavesMemberOpen(record: RecordSymbol, depth: number): boolean {
  const { members, bases, isIncomplete, isDependent, key } = record;
  if (depth > 20 || members === undefined || isIncomplete || isDependent || key === "union" || constructorsOf(record).length > 0)
    return false;
  // A class with an unknown base may inherit constructors.
  if (bases.some((base) => recordOf(base) === undefined || constructorsOf(recordOf(base) ?? record).length > 0)) return false;
  if (members.some(({ name, type }) => name === "" || containsUnknown(type))) return false;
  return (
    members.some(({ initializer, type }) => initializer === undefined && hasNoValue(type, depth + 1)) ||
    bases.some((base) => hasNoValue(base, depth + 1))
  );
}
