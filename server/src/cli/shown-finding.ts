/** A finding as reports show it, and how its places are named. Formats differ in what they make of it. */
import type { Diagnostic } from "../finding.ts";
import { relativeName } from "../names.ts";
import { type LineIndex, lineIndex } from "../project/lines.ts";
import type { CheckResult } from "./check.ts";
import { shownPath } from "./targets.ts";

/** A finding that is shown, and what else there is to say of it. */
export interface ShownFinding {
  readonly diagnostic: Diagnostic;
  readonly places: Places;
  /** `--fix` would write a fix of it. */
  readonly isFixable: boolean;
}

/** How the places of a project's files are shown. */
export interface Places {
  /** As the file was named on the command line, or as it lies below the current folder. */
  shown(name: string): string;
  /** As it lies in its repository, by which services know it; without a repository as it lies below the current folder. */
  inRepository(name: string): string;
  lines(name: string): LineIndex;
}

/** Of the files of one project. */
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
