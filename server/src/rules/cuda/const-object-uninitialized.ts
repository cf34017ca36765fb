/**
 * An object without an initializer that needs one: a const object or a reference, an object of a class with such a member, and a member
 * that a constructor leaves out. `shared-memory-initializer` judges const variables in shared memory.
 */
import { dropWord } from "../../analyses/placed-edits.ts";
import type { DefaultedObjectFact } from "../../semantics/facts/facts.ts";
import { constructorsOf, takes } from "../../semantics/symbols/candidates.ts";
import { innermostElement, isConst, isDefinedClass, recordOf } from "../../semantics/types/predicates.ts";
import { alongDeclarations, type RecordSymbol, type VariableSymbol } from "../../semantics/types/symbols.ts";
import { containsUnknown, printType, type Type } from "../../semantics/types/types.ts";
import { spanKey } from "../../source.ts";
import { hasWord } from "../../syntax/walk.ts";
import { instantiationRelated } from "../findings/related.ts";
import type { Rule, RuleFinding, RuleFix } from "../rule.ts";

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
body begins: an assignment in the body comes too late. A class that has such a member, and no constructor of its own, has no default
constructor: each of its objects needs an initializer, be it a variable, a member, or the result of \`new T\` or \`T()\`.

In the text of a template, where nvcc only warns of a const variable and says nothing about \`T()\`, these are a **warning** until
something instantiates the template.

**What to do**: initialize it; or drop the \`const\` of a \`__constant__\` variable that the host sets; or declare it \`extern\` if another file defines it.`,
  limits: "A class with a default constructor of its own is assumed to initialize its members. Members of unions are not judged.",
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
    const constructors = new Set<string>();
    for (const fact of facts.defaultedObjects) {
      const key = `${fact.place.unit.uri} ${spanKey(fact.place)}`;
      const finding = constructors.has(key) ? undefined : findingOf(fact);
      if (finding === undefined) continue;
      // Of the members that a constructor leaves out, one is enough.
      if (fact.as === "member") constructors.add(key);
      report(finding);
    }
  },
};

function findingOf(fact: DefaultedObjectFact): RuleFinding | undefined {
  const { as, type, place, variable, isOverlooked } = fact;
  if (variable !== undefined && as === "variable" && !mayBeJudged(variable)) return undefined;
  const isReference = type.kind === "reference";
  // `T()` gives an object of any other class the value zero.
  const part = isReference ? undefined : openPart(type, 0);
  const isConstant = as !== "value" && !isReference && isConst(type) && hasNoValue(type, 0);
  if (!isReference && part === undefined && !isConstant) return undefined;
  return {
    place,
    message: messageOf(fact, part),
    // nvcc warns of a const variable in the text of a template, and says nothing about `T()`.
    ...(isOverlooked === true && (as === "value" || (part === undefined && as === "variable" && !isReference))
      ? { severity: "warning" }
      : {}),
    related: [
      ...(as === "member" && variable !== undefined ? [{ message: "declared here", place: variable.place }] : []),
      ...(part === undefined ? [] : [{ message: `'${part.name}' is declared here`, place: part.place }]),
      ...instantiationRelated(fact),
    ],
    fixes: () => fixesOf(fact),
  };
}

function messageOf({ as, type, variable }: DefaultedObjectFact, part: VariableSymbol | undefined): string {
  const name = variable?.name ?? "";
  const because = part === undefined ? "" : `: its ${kindOf(part)} '${part.name}' has none`;
  switch (as) {
    case "variable":
      if (type.kind === "reference") return `the reference '${name}' has no initializer`;
      return part === undefined ? `'${name}' is const and needs an initializer` : `'${name}' needs an initializer${because}`;
    case "member":
      if (part !== undefined) return `the constructor leaves '${name}' without an initializer${because}`;
      return `the constructor leaves the ${type.kind === "reference" ? "reference" : "const member"} '${name}' without an initializer`;
    case "new":
      return part === undefined ? "the new object is const and needs an initializer" : `the new object needs an initializer${because}`;
    case "value":
      return `'${printType(type)}' cannot be created without an initializer${because}`;
  }
}

function kindOf({ type }: VariableSymbol): string {
  return type.kind === "reference" ? "reference" : isConst(type) ? "const member" : "member";
}

/** The host can set a variable in constant memory if it is not const. */
function fixesOf({ as, variable, type }: DefaultedObjectFact): readonly RuleFix[] {
  if (as !== "variable" || variable?.memorySpace !== "constant" || type.kind === "reference") return [];
  const word = innermostElement(type).kind === "pointer" ? undefined : variable.words.find(({ text }) => text === "const");
  return word === undefined ? [] : [{ title: "Remove 'const'", edits: [dropWord(word)], safety: "safe" }];
}

const hasInitializer = alongDeclarations<boolean>(({ initializer }, before) => initializer !== undefined || before === true);

/** False for a variable that something else initializes, or that another rule judges. */
function mayBeJudged(variable: VariableSymbol): boolean {
  const { name, words, type, previous } = variable;
  if (name === "" || hasWord(words, "extern") || containsUnknown(type)) return false;
  if (hasWord(words, "__shared__") && (type.kind === "reference" || isConst(type))) return false;
  // A static member may have been initialized inside the class.
  if (previous !== undefined && hasInitializer(previous)) return false;
  return type.kind !== "reference" || isNamedAlone(variable);
}

/** True if a semicolon follows the name of a reference, so that nothing else binds it, as a handler or a loop does. */
function isNamedAlone({ place: { unit, span } }: VariableSymbol): boolean {
  return /^\s*;/.test(unit.view.text.slice(span.end, span.end + 80));
}

const deepest = 20;

/** True if a const object of the type has no value after default-initialization (C++17 §11.6p7). */
function hasNoValue(type: Type, depth: number): boolean {
  if (type.kind === "array") return hasNoValue(type.element, depth);
  const record = recordOf(type);
  if (record !== undefined) return leavesMemberOpen(record, depth);
  return type.kind === "arithmetic" || type.kind === "pointer" || type.kind === "enum";
}

/** True if the class has no user-provided default constructor and leaves a member uninitialized. */
function leavesMemberOpen(record: RecordSymbol, depth: number): boolean {
  const { members, bases } = record;
  if (depth > deepest || members === undefined || !isImplicit(record)) return false;
  // A class with an unknown base may inherit constructors.
  if (bases.some((base) => recordOf(base) === undefined || constructorsOf(recordOf(base) ?? record).length > 0)) return false;
  if (members.some(({ name, type }) => name === "" || containsUnknown(type))) return false;
  return (
    members.some(({ initializer, type }) => initializer === undefined && hasNoValue(type, depth + 1)) ||
    bases.some((base) => hasNoValue(base, depth + 1))
  );
}

/** True if the compiler defines the default constructor: the class declares none, or defaults it. */
function isImplicit(record: RecordSymbol): boolean {
  const constructors = constructorsOf(record);
  if (!isDefinedClass(record) || record.key === "union" || record.hasUnreadText === true) return false;
  const [only, ...others] = constructors.filter((each) => each.isTemplate || takes(each, 0));
  if (only === undefined) return constructors.length === 0;
  return others.length === 0 && !only.isTemplate && only.declarations[0]?.special === "default";
}

/**
 * The member because of which an object of the class cannot be default-initialized: a const one without a value or a reference, in
 * the class or in a part of it (C++17 §15.1p5). Undefined if it can be, or if that is unknown.
 */
function openPart(type: Type, depth: number): VariableSymbol | undefined {
  const record = recordOf(type);
  if (record === undefined || depth > deepest || !isImplicit(record)) return undefined;
  for (const member of record.members ?? []) {
    if (member.name === "" || member.initializer !== undefined || containsUnknown(member.type)) continue;
    if (member.type.kind === "reference" || (isConst(member.type) && hasNoValue(member.type, depth + 1))) return member;
    const inner = openPart(member.type, depth + 1);
    if (inner !== undefined) return inner;
  }
  for (const base of record.bases) {
    const inner = openPart(base, depth + 1);
    if (inner !== undefined) return inner;
  }
  return undefined;
}
