/**
 * OpenCL: which functions cast a generic pointer that they receive to one address space, whatever they are given. A function that
 * asks for the space first, or that casts to several, handles all of them.
 */
import { memo } from "../../memo.ts";
import type { AddressSpace } from "../../qualifiers.ts";
import type { CallFact, ConversionFact, Facts } from "../../semantics/facts/facts.ts";
import { pointeeQualifiers } from "../../semantics/types/compatible.ts";
import type { VariableSymbol } from "../../semantics/types/symbols.ts";
import { containsUnknown } from "../../semantics/types/types.ts";
import { groupBy } from "../group-by.ts";
import { pointedSpace } from "./pointer-flow.ts";

/** The only address space to which a function casts a generic parameter. */
export interface NarrowedParameter {
  readonly space: AddressSpace;
  readonly cast: ConversionFact;
}

/** The narrowed parameters of the functions in a file. */
export const narrowedParameters = memo((facts: Facts): ReadonlyMap<VariableSymbol, NarrowedParameter> => {
  const asked = new Set(facts.calls.filter(isSpaceQuery).map(({ arguments: [argument] }) => argument?.path?.root));
  const byParameter = groupBy(narrowingsOf(facts), ({ path }) =>
    path?.steps.length === 0 && path.root?.scope === "parameter" && !asked.has(path.root) ? path.root : undefined,
  );
  const found = new Map<VariableSymbol, NarrowedParameter>();
  for (const [parameter, casts] of byParameter) {
    const [space, ...others] = new Set(casts.map(({ to }) => pointedSpace(to)));
    const [cast] = casts;
    if (space !== undefined && others.length === 0 && cast !== undefined && !casts.some(isUnclearNarrowing))
      found.set(parameter, { space, cast });
  }
  return found;
});

/** The casts of generic pointers to a named address space. */
export const narrowingsOf = memo((facts: Facts): readonly ConversionFact[] => facts.conversions.filter(isNarrowing));

function isNarrowing(fact: ConversionFact): boolean {
  // Below the first level the cast is always wrong, and another rule reports it.
  if (fact.context !== "cast" || fact.verdict.kind !== "ok" || fact.to.kind !== "pointer") return false;
  // Without a written space the target is generic where the operand can be.
  if (pointeeQualifiers(fact.to.pointee).implicitSpace !== undefined) return false;
  const to = pointedSpace(fact.to);
  return pointedSpace(fact.from) === "generic" && to !== undefined && to !== "generic" && to !== "constant";
}

/** True if it is unknown whether a level below the first is wrong, which would be another rule's finding. */
export function isUnclearNarrowing({ from, to }: ConversionFact): boolean {
  return containsUnknown(from) || containsUnknown(to);
}

/** The address spaces for which functions of the language test a generic pointer. */
export const spaceQueries: Readonly<Record<string, AddressSpace>> = { to_global: "global", to_local: "local", to_private: "private" };

/** True for a call that asks for the address space of a generic pointer. */
export function isSpaceQuery({ name }: CallFact): boolean {
  return Object.hasOwn(spaceQueries, name) || name === "get_fence";
}
