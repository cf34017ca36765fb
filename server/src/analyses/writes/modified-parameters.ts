/**
 * Finds parameters of kernels that cannot be const because their bodies modify them: they are written, bound to a non-const
 * reference or pointer, or a non-const member function is called on them.
 */
import { memo } from "../../memo.ts";
import type { AccessPath, Facts } from "../../semantics/facts/facts.ts";
import { innermostElement, isConst } from "../../semantics/types/predicates.ts";
import type { VariableSymbol } from "../../semantics/types/symbols.ts";
import { isOpaqueToUs, type Type } from "../../semantics/types/types.ts";
import { hasWord } from "../../syntax/walk.ts";
import { leavesObject } from "../access-paths.ts";
import { writesTo } from "../object-writes.ts";

/** The modified parameters of this translation unit's kernels. Callees that are unknown do not count. */
export const modifiedParameters = memo((facts: Facts): ReadonlySet<VariableSymbol> => {
  const isOfKernel = (variable: VariableSymbol) =>
    variable.scope === "parameter" && variable.owner?.declarations.some(({ execution }) => execution.kernel) === true;
  const modified = new Set<VariableSymbol>();
  const add = (path: AccessPath | undefined) => {
    if (path?.root !== undefined && isOfKernel(path.root) && !leavesObject(path)) modified.add(path.root);
  };
  for (const { object } of writesTo(facts, isOfKernel)) modified.add(object);
  for (const { path, to, isNullConstant, context } of facts.conversions)
    if (!isNullConstant && context !== "cast" && mayWrite(to)) add(isObject(path, to) ? path : undefined);
  for (const { object, callee } of facts.calls)
    if (
      callee !== undefined &&
      !callee.isBuiltin &&
      callee.declarations.every(({ declarator, words }) => !isConstMember([...declarator.words, ...words]))
    )
      add(object?.path);
  return modified;
});

/** True if the result refers to the parameter or a part of it. The value of a pointer leads to another object instead. */
function isObject(path: AccessPath | undefined, to: Type): boolean {
  return to.kind === "reference" || path?.steps[path.steps.length - 1]?.kind === "address";
}

function mayWrite(to: Type): boolean {
  if (to.kind === "pointer") return mayBeModified(to.pointee);
  return to.kind === "reference" && !to.isRvalue && mayBeModified(to.referent);
}

function isConstMember(words: readonly { readonly text: string }[]): boolean {
  return hasWord(words, "const", "static");
}

/** True if the type is known to be non-const; false if it is unknown. */
function mayBeModified(type: Type): boolean {
  return !isConst(type) && !isOpaqueToUs(innermostElement(type));
}
