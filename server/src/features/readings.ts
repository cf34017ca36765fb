/** One dialect's reading of a file, from which editor features are made, and the way from it to the author's code. */
import type { CompileSettings, Dialect } from "../dialect.ts";
import type { Unit } from "../preprocess/view.ts";
import type { Facts } from "../semantics/facts.ts";
import type { Place } from "../semantics/symbols.ts";
import type { Span } from "../source.ts";

export interface Reading {
  readonly dialect: Dialect;
  readonly unit: Unit;
  readonly facts: Facts;
}

/** A file as every dialect reads it that it is judged by. */
export interface ReadFile {
  readonly uri: string;
  readonly settings: CompileSettings;
  readonly readings: readonly Reading[];
}

/** Where a place lies in a file, if the author wrote it there word by word. */
export function spanIn(uri: string, { unit, span }: Place): Span | undefined {
  const { location, exact } = unit.view.origin(span);
  return exact && location.uri === uri ? location.span : undefined;
}
