/** One dialect's reading of a file, from which editor features are made, and the way from it to the author's code. */
import type { CompileSettings, Dialect } from "../dialect.ts";
import type { Unit } from "../preprocess/view.ts";
import type { Facts } from "../semantics/facts/facts.ts";
import type { Place } from "../semantics/types/symbols.ts";
import type { Edit, Location, Span } from "../source.ts";

/** A file analyzed under one dialect. */
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

/** A source that is read by itself: a file, or one that is embedded in a literal of it. */
export interface FilePart {
  readonly file: ReadFile;
  readonly text: string;
  readonly isEmbedded: boolean;
  /** The place in the file; undefined where it is not there in one piece and word by word. */
  inFile(span: Span): Span | undefined;
  /** A place in any source, as one of the author's files. */
  locate(location: Location): Location;
  /** An edit in any source, as one of the author's files; undefined where it cannot be written there. */
  edit(edit: Edit): Edit | undefined;
}

/** Where a place lies in a file, if the author wrote it there word by word. */
export function spanIn(uri: string, { unit, span }: Place): Span | undefined {
  const { location, exact } = unit.view.origin(span);
  return exact && location.uri === uri ? location.span : undefined;
}
