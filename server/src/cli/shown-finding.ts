/** Findings as reports show them, and the names of their places. Each format prints them in its own way. */
import type { Diagnostic } from "../finding.ts";
import { relativeName } from "../names.ts";
import { type LineIndex, lineIndex } from "../project/lines.ts";
import type { CheckResult } from "./check.ts";
import { shownPath } from "./targets.ts";

/** A finding to show, with further information about it. */
export interface ShownFinding {
  readonly diagnostic: Diagnostic;
  readonly places: Places;
  /** `--fix` would write a fix of it. */
  readonly isFixable: boolean;
}

/** How the places of a project's files are shown. */
export interface Places {
  /** The name that was given on the command line, or the path relative to the current folder. */
  shown(name: string): string;
  /** The path in its repository, by which services identify it; without a repository the path relative to the current folder. */
  inRepository(name: string): string;
  lines(name: string): LineIndex;
}

/** The places in one project's files. */
export function placesOf(result: CheckResult): Places {
  const shown = new Map(result.files.map((file) => [file.name, file.shown]));
  const indexes = new Map<string, LineIndex>();
  return {
    shown: (name) => shown.get(name) ?? shownPath(name),
    inRepository: (name) => (result.isRepository ? relativeName(name, result.root) : undefined) ?? shownPath(name),
    lines(name) {
      const index = indexes.get(name) ?? lineIndex(result.textOf(name));
      indexes.set(name, index);
      return index;
    },
  };
}
