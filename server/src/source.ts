/**
 * What the author wrote, and how places in it are named. Everything below `lsp/` counts in UTF-16 offsets; lines and characters
 * exist only in the hosts. A uri is an opaque name whose segments are separated by `/`.
 */

/** Exists only in types. It keeps the compiler from accepting the name of a unit where the name of a file is expected. */
declare const named: unique symbol;

/** The name of a file. */
export type FileUri = string & { readonly [named]?: "file" };

/** The name of a text that is read as one unit: a file, or a piece of an open file. `fileOf` gives the file. */
export type UnitUri = string & { readonly [named]?: "unit" };

/** A file's text as the author wrote it. */
export interface Source {
  readonly uri: FileUri;
  readonly text: string;
}

/** A half-open pair of UTF-16 offsets into any text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Exists only in types. It keeps the compiler from accepting a span of a View where a span of the author's text is expected, and
 * vice versa.
 */
declare const text: unique symbol;

/** A span of a text that an author wrote. */
export interface SourceSpan extends Span {
  readonly [text]?: "source";
}

/** A span of a View's text, as in trees and facts. `origin` of that View gives the author's code for it. */
export interface ViewSpan extends Span {
  readonly [text]?: "view";
}

/** A place in a file, as the author wrote it. */
export interface Location {
  readonly uri: FileUri;
  readonly span: SourceSpan;
}

/**
 * A place in a text that is read as one unit; its offsets count from the start of that text. For a piece of an open file it moves with
 * the piece, so it is converted to a Location as late as possible.
 */
export interface UnitLocation {
  readonly uri: UnitUri;
  readonly span: SourceSpan;
}

/** Data of which all places are still those of units. */
export type InUnits<Data> = Data extends Location
  ? UnitLocation
  : Data extends () => infer Result
    ? () => InUnits<Result>
    : Data extends readonly (infer Element)[]
      ? readonly InUnits<Element>[]
      : Data extends object
        ? { readonly [Key in keyof Data]: InUnits<Data[Key]> }
        : Data;

/** Converts a place in a unit to the place in its file. */
export type Locate = (location: UnitLocation) => Location;

/** A place in a file, or in the View of a unit. */
type AnyPlace = { readonly span: Pick<SourceSpan | ViewSpan, "start" | "end"> } & (
  | { readonly uri: string }
  | { readonly unit: { readonly uri: string } }
);

/** A key that is equal for places with the same file or unit and the same start. */
export function placeKey(place: AnyPlace): string {
  return `${"unit" in place ? place.unit.uri : place.uri} ${place.span.start}`;
}

/** A key that is equal for places with the same file or unit and the same span. */
export function spanKey(place: AnyPlace): string {
  return `${placeKey(place)} ${place.span.end}`;
}

/** Replaces `location` by `text`; an insertion has an empty span. */
export interface Edit<At = Location> {
  readonly location: At;
  readonly text: string;
}

/** A key that is equal for equal edits. */
export function editKey({ location, text }: Edit): string {
  return `${spanKey(location)} ${text}`;
}

/**
 * The files that the core may see. A Host implements it; the core never waits. `"absent"` means that the file is known not to
 * exist; `"unread"` means that the host does not have it yet, should fetch it and ask again.
 */
export interface Files {
  read(uri: FileUri): string | "absent" | "unread";
  /** Every file of the workspace that could be a source or a header; empty if the host cannot list files. */
  list(): readonly string[];
  /** The scripts of the workspace, such as Python sources, that may run its kernels. Absent if the host does not look for them. */
  scripts?(): readonly string[];
}

/** The text of a file; empty if there is none. */
export function textOf(files: Pick<Files, "read">, uri: FileUri): string {
  const text = files.read(uri);
  return text === "absent" || text === "unread" ? "" : text;
}
