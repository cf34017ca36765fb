/**
 * The types of files that were read, under one dialect or all of them, and of the mapping back to the author's code. Editor
 * features work on them.
 */
import type { CompileSettings, Dialect } from "../dialect.ts";
import { locationInFile } from "../preprocess/unit-row.ts";
import type { Unit } from "../preprocess/view/view.ts";
import type { Facts } from "../semantics/facts/facts.ts";
import type { ProgramNames } from "../semantics/symbols/program-names.ts";
import type { Place } from "../semantics/types/symbols.ts";
import type { Edit, FileUri, Location, SourceSpan, UnitUri } from "../source.ts";

/** A file analyzed under one dialect. */
export interface AnalyzedUnit {
  readonly dialect: Dialect;
  readonly unit: Unit;
  readonly facts: Facts;
  /** Absent for a piece of a file. */
  readonly names?: ProgramNames;
}

/** A file under one dialect, however it was read. */
export type DialectFacts = Pick<AnalyzedUnit, "dialect" | "facts">;

/** The facts of a file under every dialect that it is judged by, however the file was read. */
export interface FileFacts {
  readonly uri: FileUri;
  readonly settings: CompileSettings;
  readonly readings: readonly DialectFacts[];
}

/** A file read as one unit under every dialect that it is judged by. */
export interface ReadFile extends FileFacts {
  readonly readings: readonly AnalyzedUnit[];
}

/** A file read as one unit, or a piece of an open file. Offsets count from the start of its text. */
export interface ReadUnit {
  readonly uri: FileUri | UnitUri;
  readonly settings: CompileSettings;
  readonly readings: readonly AnalyzedUnit[];
}

/** A source that is read by itself: a file, or a source embedded in one of its literals. */
export interface FilePart {
  readonly file: ReadFile;
  readonly text: string;
  readonly isEmbedded: boolean;
  /** The place in the file; undefined unless the author wrote it there verbatim and in one piece. */
  inFile(span: SourceSpan): SourceSpan | undefined;
  /** The place in the author's file that a place in any source corresponds to. */
  locate(location: Location): Location;
  /** Maps an edit in any source to the author's file; undefined if it cannot be made there. */
  edit(edit: Edit): Edit | undefined;
}

/** A source with its facts: a `FilePart` without the units, so that an open file need not be read again as one unit. */
export interface PartFacts extends Omit<FilePart, "file"> {
  readonly file: FileFacts;
}

/** The span of a place in a file, if the author wrote it there verbatim. */
export function spanIn(uri: FileUri, { unit, span }: Place): SourceSpan | undefined {
  const { location, exact } = unit.view.origin(span);
  const inFile = exact ? locationInFile(unit, location) : undefined;
  return inFile !== undefined && inFile.uri === uri ? inFile.span : undefined;
}
