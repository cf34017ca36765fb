/** A write to an object that is const and not in constant memory. */
import type { AccessFact } from "../../semantics/facts/facts.ts";
import { isInSpace } from "../../semantics/types/address-spaces.ts";
import { innermostElement, isConst } from "../../semantics/types/predicates.ts";
import type { FunctionSymbol, Place, RecordSymbol, VariableSymbol } from "../../semantics/types/symbols.ts";
import { isOpaqueToUs } from "../../semantics/types/types.ts";
import { instantiationRelated } from "../findings/related.ts";
import { declaringPlace, nameObject } from "../findings/written-objects.ts";
import { writesOf } from "../predicates.ts";
import type { Rule } from "../rule.ts";

/** Reports where a const object, or one with a const member, is written. */
export const constWrite: Rule = {
  id: "const-write",
  title: "a const object, or one with a const member, is written",
  severity: "error",
  languages: ["opencl", "cuda"],
  judgesHostSide: true,
  clause: "C11 §6.5.16p2, §6.3.2.1p1: the left operand of an assignment must be a modifiable lvalue",
  documentation: `
An object that is \`const\`, an element or a member of one, and the target of a pointer to \`const\` cannot be assigned to. The
position of the \`const\` matters: \`const global int *p\` protects what \`p\` points to, \`global int *const p\` protects \`p\`
itself. A struct with a \`const\` member cannot be assigned as a whole either; in C++ it has no implicit assignment operator, nor has
a class with a reference as a member.

In the text of a template, a write that depends on no argument is a **warning** in CUDA: clang rejects it, nvcc says nothing until
something instantiates the template, and then it is an error.

**What to do**: write to a copy, or drop the \`const\` if it promises too much; do not cast it away, because the compiler
may have relied on it.`,
  limits: "A write through a pointer whose type lost its `const` in a cast is reported by [qualifier-discarded](qualifier-discarded.md).",
  examples: [
    {
      language: "opencl",
      bad: `kernel void shift(const global int *data, const int by) {
  data[0] += by; // <-
}`,
      good: `kernel void shift(global int *data, const int by) {
  data[0] += by;
}`,
    },
    {
      language: "opencl",
      bad: `kernel void walk(global int *const first, global int *out) {
  first = out; // <-
}`,
      good: `kernel void walk(const global int *first, global int *out) {
  first = out;
}`,
    },
  ],
  check({ facts, dialect }, report) {
    for (const access of writesOf(facts)) {
      if (isInSpace(access.type.qualifiers, "constant") || access.isCopy === true || access.assignment?.isOpen === true) continue;
      const message = messageOf(access, dialect.cplusplus);
      if (message === undefined) continue;
      const declared = declaringPlace(access);
      report({
        place: access.place,
        message,
        ...(access.isOverlooked === true ? { severity: "warning" } : {}),
        related: [...(declared === undefined ? [] : [{ message: "declared here", place: declared }]), ...instantiationRelated(access)],
      });
    }
  },
};

function messageOf(access: AccessFact, cplusplus: boolean): string | undefined {
  const { type, place } = access;
  // A class may have an assignment operator for const objects.
  if (cplusplus && (isOpaqueToUs(type) || (type.kind === "record" && access.isRefused !== true)))
    return access.assignment?.operator === "=" && type.kind === "record" ? deletedMessage(place, type.record) : undefined;
  if (isConst(type) && isPartOfCopy(access))
    return `${nameObject(place)} is the lambda's copy, which is const: the lambda is not 'mutable'`;
  if (isConst(type)) return `${nameObject(place)} is const and cannot be written`;
  // In C++ the assignment operator decides.
  const member = cplusplus || type.kind !== "record" ? undefined : constMember(type.record, new Set());
  return member === undefined ? undefined : `${nameObject(place)} has the const member '${member.name}' and cannot be assigned`;
}

/** C++: what deletes the implicit assignment operator of a class (C++17 §15.8.2p7). */
function deletedMessage(place: Place, record: RecordSymbol): string | undefined {
  const member = fixedMember(record, 0);
  if (member === undefined) return undefined;
  return `${nameObject(place)} has the ${member.type.kind === "reference" ? "reference" : "const"} member '${member.name}' and cannot be assigned`;
}

/** The first member that an implicit assignment operator could not assign; undefined if the class may have an operator of its own. */
function fixedMember(record: RecordSymbol, depth: number): VariableSymbol | undefined {
  if (record.isIncomplete || record.isDependent || record.key === "union" || !hasImplicitAssignment(record, depth)) return undefined;
  for (const member of record.members ?? []) {
    const inner = innermostElement(member.type);
    if (inner.kind === "reference" || (isConst(inner) && inner.kind !== "record" && !isOpaqueToUs(inner))) return member;
  }
  const parts = [...record.bases, ...(record.members ?? []).map(({ type }) => innermostElement(type))];
  for (const part of parts) {
    const found = part.kind === "record" ? fixedMember(part.record, depth + 1) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * True if neither the class nor a base, whose operator a using-declaration may import, declares `operator=`. What looks like a
 * function without a type is a macro, which may declare one.
 */
function hasImplicitAssignment({ functions, bases, hasUnreadText, tag = "" }: RecordSymbol, depth: number): boolean {
  const mayDeclareIt = ({ name, type: { result } }: FunctionSymbol) =>
    name === "operator=" || (name !== tag && /^\w+$/.test(name) && isOpaqueToUs(result));
  return (
    depth <= 20 &&
    !functions.some(mayDeclareIt) &&
    hasUnreadText !== true &&
    bases.every((base) => base.kind === "record" && !base.record.isIncomplete && hasImplicitAssignment(base.record, depth + 1))
  );
}

/** True for a part of a variable that is not const itself, if the lambda that writes the part has a copy of the variable. */
function isPartOfCopy({ lambda, path: { root, steps } }: AccessFact): boolean {
  if (
    lambda?.lambda === undefined ||
    root === undefined ||
    root.lambda === lambda ||
    root.owner === lambda ||
    (root.scope !== "block" && root.scope !== "parameter")
  )
    return false;
  const own = root.type.kind === "reference" ? steps.slice(1) : steps;
  return (
    !isConst(root.type.kind === "reference" ? root.type.referent : root.type) &&
    own.every((step) => step.kind === "index" || (step.kind === "member" && step.member !== undefined && !isConst(step.member.type)))
  );
}

function constMember(record: RecordSymbol, seen: Set<RecordSymbol>): VariableSymbol | undefined {
  if (seen.has(record)) return undefined;
  seen.add(record);
  for (const member of record.members ?? []) {
    if (isConst(member.type)) return member;
    const inner = member.type.kind === "array" ? member.type.element : member.type;
    const found = inner.kind === "record" ? constMember(inner.record, seen) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
