/**
 * Finds every declaration of the function that a name refers to: those in this translation unit, and those of kernels in other
 * files.
 */
import type { ReadUnit } from "../diagnostics/analyzed-files.ts";
import { codeAt } from "../preprocess/unit-row.ts";
import { type Location, placeKey } from "../source.ts";
import { targetAt } from "./hover/target.ts";

/** A kernel of another translation unit. */
export interface ElsewhereKernel {
  readonly qualifiedName: string;
  readonly isInternal: boolean;
  readonly isDefinition: boolean;
  readonly location: Location;
}

/** The places of the declarations' names, each once, definitions first; empty if the name is not a function's. */
export function declarationsAt({ uri, readings }: ReadUnit, offset: number, elsewhere: readonly ElsewhereKernel[]): readonly Location[] {
  const reading = readings[0];
  const target = reading === undefined ? undefined : targetAt(reading.unit, reading.facts, uri, offset);
  const owner = target?.kind === "function" ? target.function : undefined;
  if (owner === undefined) return [];
  const own = owner.declarations
    .filter(({ namePlace }) => !namePlace.unit.uri.startsWith("builtin:"))
    .map(({ namePlace, isDefinition }) => ({ isDefinition, location: codeAt(namePlace) }));
  const isKernel = owner.declarations.some(({ execution }) => execution.kernel);
  const others =
    isKernel && !owner.isInternal
      ? elsewhere.filter(({ qualifiedName, isInternal }) => qualifiedName === owner.qualifiedName && !isInternal)
      : [];
  const ordered = [...own, ...others].sort((a, b) => Number(b.isDefinition) - Number(a.isDefinition));
  const byPlace = new Map(ordered.map(({ location }) => [placeKey(location), location]));
  return [...byPlace.values()];
}
