/**
 * Finds every declaration of the function that a name refers to: those in this translation unit, and those of kernels in other
 * files.
 */
import type { ReadUnit } from "../diagnostics/readings.ts";
import { codeAt } from "../preprocess/unit-row.ts";
import type { Location } from "../source.ts";
import { targetAt } from "./hover/target.ts";

/** A kernel of another translation unit. */
export interface ElsewhereKernel {
  readonly qualifiedName: string;
  readonly isInternal: boolean;
  readonly location: Location;
}

/** The places of the declarations' names, each once; empty if the name is not a function's. */
export function declarationsAt({ uri, readings }: ReadUnit, offset: number, elsewhere: readonly ElsewhereKernel[]): readonly Location[] {
  const reading = readings[0];
  const target = reading === undefined ? undefined : targetAt(reading.unit, reading.facts, uri, offset);
  const owner = target?.kind === "function" ? target.function : undefined;
  if (owner === undefined) return [];
  const own = owner.declarations
    .filter(({ namePlace }) => !namePlace.unit.uri.startsWith("builtin:"))
    .map(({ namePlace }) => codeAt(namePlace));
  const isKernel = owner.declarations.some(({ execution }) => execution.kernel);
  const others =
    isKernel && !owner.isInternal
      ? elsewhere
          .filter(({ qualifiedName, isInternal }) => qualifiedName === owner.qualifiedName && !isInternal)
          .map(({ location }) => location)
      : [];
  const byPlace = new Map([...own, ...others].map((location) => [`${location.uri} ${location.span.start}`, location]));
  return [...byPlace.values()];
}
