/** Finds the headers that a file includes: where it names them, and which files they are. */
import type { ReadFile } from "../../diagnostics/analyzed-files.ts";
import { fileOf } from "../../preprocess/row.ts";
import type { SourceSpan } from "../../source.ts";

/** A header's name in a file, with its quotes or brackets, and the header. */
export interface IncludedFile {
  readonly span: SourceSpan;
  readonly uri: string;
}

/** The included headers in source order, without those that are missing or not read yet. */
export function includesOf({ uri, readings: [reading] }: ReadFile): readonly IncludedFile[] {
  const sites = reading?.unit.includes ?? [];
  return sites.flatMap(({ location, unit }) =>
    unit === undefined || unit.uri.startsWith("builtin:") || fileOf(location.uri) !== uri
      ? []
      : [{ span: location.span, uri: fileOf(unit.uri) }],
  );
}
