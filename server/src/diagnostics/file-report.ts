/** The result of checking one file, as the host receives it. */
import type { DialectData } from "../dialect.ts";
import { withoutComments } from "../embedded/join.ts";
import type { Diagnostic } from "../finding.ts";
import type { InactiveBranch, PreprocessorNote } from "../preprocess/view/view.ts";
import { type Location, placeKey } from "../source.ts";
import { type Coverage, kernelsIn, noCoverage } from "./coverage.ts";

/** The result of checking one file. */
export interface FileReport {
  readonly uri: string;
  readonly diagnostics: readonly Diagnostic[];
  /** Notes about missing headers and limits that were reached, for the status item and `--verbose`. They are never findings. */
  readonly notes: readonly Note[];
  /** Why branches of conditionals in the file are left out under every standard, for `--verbose`. */
  readonly inactiveBranches: readonly InactiveBranch<Location>[];
  /** The standards under which the file was judged. */
  readonly dialects: readonly DialectData[];
  readonly understanding: Understanding;
  readonly coverage: Coverage;
  /** Where the file's declarations begin, in order. */
  readonly itemStarts: readonly number[];
  /** How many sources in the file's string literals were checked. */
  readonly embedded: number;
  /** Files that the host should read before it asks again; empty when the answer is final. */
  readonly unread: readonly string[];
  /** Files whose text this answer depends on. */
  readonly dependencies: readonly string[];
}

/** A remark about reading a file. `header` is the name of a missing header, with its quotes or brackets. */
export interface Note {
  readonly kind?: PreprocessorNote["kind"] | "too-complex" | "too-many-sources" | "unparsed-literal" | "template";
  readonly message: string;
  readonly location: Location;
  readonly header?: string;
}

/** How much of a file was understood; the status item and the precision harness show it. */
export interface Understanding {
  /** Topmost places that did not parse, in the author's code. */
  readonly parseErrors: readonly Location[];
  /** Expressions whose type was needed, and how many of those types were unknown. */
  readonly expressions: number;
  readonly unknownExpressions: number;
  /** The place in the project that names the OpenCL standard; set when no setting does. */
  readonly standardFrom?: Location;
}

/** The report of a file about which nothing is known (yet). */
export function emptyReport(uri: string, unread: readonly string[]): FileReport {
  return {
    uri,
    diagnostics: [],
    notes: [],
    inactiveBranches: [],
    dialects: [],
    understanding: { parseErrors: [], expressions: 0, unknownExpressions: 0 },
    coverage: noCoverage,
    itemStarts: [],
    embedded: 0,
    unread,
    dependencies: [uri],
  };
}

/** The report of a file that becomes device code when a program fills it in; `start` is the place of its first hole. */
export function templateReport(own: FileReport, text: string, start: number): FileReport {
  const location: Location = { uri: own.uri, span: { start, end: start } };
  return {
    ...own,
    notes: [{ kind: "template", message: "this is a template that a program fills in, so it is not judged", location }],
    coverage: { ...noCoverage, unparsed: kernelsIn(withoutComments(text)) },
  };
}

/** Drops notes that repeat an earlier one at the same place. */
export function withoutRepetitions(notes: FileReport["notes"]): FileReport["notes"] {
  const first = new Map<string, FileReport["notes"][number]>();
  for (const note of notes) {
    const { uri, span } = note.location;
    const key = `${span.start} ${uri} ${note.message}`;
    if (!first.has(key)) first.set(key, note);
  }
  return [...first.values()];
}

/** The branches that are left out in all of these readings of one file. */
export function inactiveInAll(readings: readonly FileReport["inactiveBranches"][]): FileReport["inactiveBranches"] {
  const [first = [], ...others] = readings;
  const places = others.map((inactiveBranches) => new Set(inactiveBranches.map(({ location }) => placeKey(location))));
  return first.filter(({ location }) => places.every((known) => known.has(placeKey(location))));
}
