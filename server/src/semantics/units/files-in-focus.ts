/**
 * The files of a translation unit whose facts are needed. Each has facts of its own; what headers around it declare is in facts that
 * all of them share.
 */
import type { Unit } from "../../preprocess/view/view.ts";
import { newCounts, newInstantiations, type Program, sinkBeside } from "../facts/context.ts";
import type { FunctionSymbol } from "../types/symbols.ts";

/** A file in focus while its unit is walked. */
export interface FileInFocus {
  readonly uri: string;
  /** The program with the file's own facts. */
  readonly program: Program;
  /** The names that it has looked up; undefined if no other file is in focus, so that nobody asks. */
  readonly lookups: Set<string> | undefined;
  /** The steps that its own items have taken. */
  steps: number;
  /** The number of functions that had been declared at its end. */
  declaredBefore: number;
}

/** All files in focus. */
export interface FilesInFocus {
  readonly all: readonly FileInFocus[];
  /** The file in focus that a unit is, or whose text it contains. */
  of(unit: Unit): FileInFocus | undefined;
}

/** Gives each of these files facts of its own. What is declared, and which extensions are enabled, is known to all. */
export function filesInFocus(program: Program, uris: readonly string[]): FilesInFocus {
  const all = uris.map((uri): FileInFocus => {
    return {
      uri,
      program: { ...program, facts: sinkBeside(program.facts), counts: newCounts(), instantiations: newInstantiations() },
      lookups: uris.length > 1 ? new Set() : undefined,
      steps: 0,
      declaredBefore: 0,
    };
  });
  const byUri = new Map(all.map((file) => [file.uri, file]));
  return {
    all,
    of: (unit) => byUri.get(unit.uri) ?? (all.length === 1 ? all.find(({ uri }) => unit.view.segments.areIn(uri)) : undefined),
  };
}

/**
 * The functions among the facts of a file, in the order of their declarations: its own, earlier ones whose names it looks up, and
 * those that matter to every file: kernels, and device functions that are declared without a body.
 */
export function declaredFunctions(
  functions: readonly FunctionSymbol[],
  file: FileInFocus,
  { of }: FilesInFocus,
): readonly FunctionSymbol[] {
  const { lookups, declaredBefore } = file;
  if (lookups === undefined) return [...new Set(functions)];
  const isNeeded = (symbol: FunctionSymbol, index: number): boolean =>
    (index < declaredBefore && lookups.has(symbol.name)) ||
    symbol.declarations.some(
      ({ place, execution, isDefinition, isTemplate }) =>
        of(place.unit) === file || execution.kernel || (execution.device && !isDefinition && !isTemplate),
    );
  return [...new Set(functions.filter(isNeeded))];
}
