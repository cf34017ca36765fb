/**
 * Decides which object an lvalue belongs to, from its path alone: members, elements and nested members are parts of the object that
 * contains them, and everything behind a dereference (a pointer's target, a member pointer's, a reference's) is another object.
 * `object-flow.ts` follows pointers to the objects that they point to.
 */
import type { AccessPath, AccessStep } from "../semantics/facts/facts.ts";

/** True if a dereference leads from the root to another object. */
export function leavesObject({ steps }: Pick<AccessPath, "steps">): boolean {
  return steps.some(isDereference);
}

/** How many dereferences lead from the root to the object that the path ends in. */
export function dereferences({ steps }: Pick<AccessPath, "steps">): number {
  return steps.reduce((count, step) => count + (isDereference(step) ? 1 : 0), 0);
}

/** True if the path is the object that its root, a pointer or reference, directly refers to, or a part of that object. */
export function isInPointee(path: Pick<AccessPath, "steps">): boolean {
  return path.steps[0]?.kind === "dereference" && dereferences(path) === 1;
}

/** The steps from the object that the root directly refers to, to its part; undefined if the path leads to any other object. */
export function partOfPointee(path: Pick<AccessPath, "steps">): readonly AccessStep[] | undefined {
  return isInPointee(path) ? path.steps.slice(1) : undefined;
}

/** True if the path is an address: that of an object, or of the first element of an array. */
export function isAddress({ steps }: Pick<AccessPath, "steps">): boolean {
  return steps[steps.length - 1]?.kind === "address";
}

/**
 * How many tables of pointers the path passes from the root to the object that it ends in: `t[i][j]` of a `float **` passes two.
 * Undefined if a pointer on the way is a member, because the type of a record says nothing about the targets of its members, and if a
 * member is unknown, because it may be a reference.
 */
export function levelsOf({ steps }: Pick<AccessPath, "steps">): number | undefined {
  if (steps.some((step) => step.kind === "member" && step.member === undefined)) return undefined;
  const last = steps.map(isDereference).lastIndexOf(true);
  return steps.slice(0, last + 1).some(({ kind }) => kind === "member") ? undefined : dereferences({ steps });
}

function isDereference({ kind }: AccessStep): boolean {
  return kind === "dereference";
}
