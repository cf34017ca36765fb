/**
 * Finds writes through a pointer that got the address of one of two objects, one of them in constant memory: `int *p = c ? table :
 * buffer; *p = 1;`. Only writes on every path from the declaration are findings, because a condition may know which of the two
 * objects it is.
 */
import type { AccessFact, ConversionFact, Facts } from "../../semantics/facts/facts.ts";
import type { Place, VariableSymbol } from "../../semantics/types/symbols.ts";
import { dereferences, leavesObject } from "../access-paths.ts";
import { groupBy } from "../group-by.ts";
import { conditionsAround } from "../lane-guards.ts";
import { isConstantMemory } from "../memory-spaces.ts";

/** A write to what may be in constant memory. */
export interface PerhapsConstantWrite {
  readonly pointer: VariableSymbol;
  readonly object: VariableSymbol;
  readonly access: AccessFact;
  /** Where the pointer gets its value. */
  readonly source: Place;
}

/** The first certain write through each such pointer. */
export function perhapsConstantWrites(facts: Facts): readonly PerhapsConstantWrite[] {
  const chosen = facts.conversions.filter(({ context, alternatives }) => context === "initialize" && alternatives !== undefined);
  if (chosen.length === 0) return [];
  const accesses = groupBy(facts.accesses, ({ path }) => path.root);
  return chosen.flatMap((conversion) => {
    const { target, operandPlace } = conversion;
    const pointer = target !== undefined && "kind" in target ? target : undefined;
    const object = constantAlternative(conversion);
    if (pointer?.scope !== "block" || pointer.type.kind !== "pointer" || object === undefined) return [];
    const uses = accesses.get(pointer) ?? [];
    if (uses.some(({ mode, path }) => mode !== "read" && path.steps.length === 0)) return [];
    const write = uses.find((access) => isWrite(access) && isCertain(pointer, access));
    return write === undefined ? [] : [{ pointer, object, access: write, source: operandPlace }];
  });
}

/** The variable in constant memory whose address is one of the alternatives. */
function constantAlternative({ alternatives = [] }: ConversionFact): VariableSymbol | undefined {
  const roots = alternatives.map(({ path }) => {
    const last = path?.steps[path.steps.length - 1];
    const isOwn = path !== undefined && !leavesObject(path);
    return isOwn && (last?.kind === "address" || path.root?.type.kind === "array") ? path.root : undefined;
  });
  return roots.find((root) => root !== undefined && isConstantMemory(root));
}

function isWrite({ mode, path: { steps } }: AccessFact): boolean {
  return (mode === "write" || mode === "read-write") && dereferences({ steps }) === 1;
}

/** True if every path from the declaration leads to the write. */
function isCertain(pointer: VariableSymbol, { within, lambda, place }: AccessFact): boolean {
  if (within === undefined || pointer.owner !== within || lambda !== undefined || place.unit !== pointer.place.unit) return false;
  const [before, at] = [conditionsAround(within, pointer.place), conditionsAround(within, place)];
  return before !== undefined && at !== undefined && before.length === at.length && before.every((each, index) => each === at[index]);
}
