/**
 * Writes for `--fix` the preferred fixes of the reported findings into the files. Files outside of the project are not changed.
 * Each file is replaced atomically, and a fix of several files is written to all of them or to none.
 */
import { allPreferredEdits, applyEdits, editsByFile } from "../diagnostics/fix-all.ts";
import type { Diagnostic, Severity } from "../finding.ts";
import { isWithin } from "../names.ts";
import { insideOf, maximalFileSize, readText, type SourceText } from "../node/node-files.ts";
import type { OpenLimits } from "../node/real-files.ts";
import { replaceFile, whyNotWritable } from "../node/replace-file.ts";
import type { CheckResult } from "./check.ts";
import { isShown } from "./severities.ts";

/** The files that were changed, and those that could not be written. */
export interface WrittenFixes {
  /** The names of the files that were written. */
  readonly written: readonly string[];
  /** Files that have fixes but could not be written: the reason, as the end of a sentence. */
  readonly failed: ReadonlyMap<string, string>;
}

/** Applies all fixes that do not overlap. */
export function writeFixes(results: readonly CheckResult[], level: Severity): WrittenFixes {
  const written: string[] = [];
  const failed = new Map<string, string>();
  for (const { files, root, textOf } of results) {
    const limits: OpenLimits = { maximalSize: maximalFileSize, isInside: insideOf(root) };
    const fixable = files.flatMap(({ diagnostics }) =>
      diagnostics.filter((diagnostic) => isShown(diagnostic.severity, level) && hasFixWithin(diagnostic, root)),
    );
    const present = new Map<string, SourceText>();
    for (const name of new Set(fixable.flatMap(({ fixes }) => namesIn(fixes)))) {
      const source = readText(name, limits);
      const obstacle = "text" in source ? whyNotFixed(source, textOf(name)) : `it ${source.reason ?? "is gone"}`;
      if (obstacle !== undefined) failed.set(name, obstacle);
      else if ("text" in source) present.set(name, source);
    }
    const possible = fixable.filter(({ fixes }) => namesIn(fixes).every((name) => present.has(name)));
    const places = new Set<string>();
    for (const [name, edits] of editsByFile(allPreferredEdits(possible))) {
      const source = present.get(name);
      // A file with two names is one file.
      if (source === undefined || places.has(source.file.path)) continue;
      places.add(source.file.path);
      const changed = applyEdits(source.text, edits);
      if (changed === source.text) continue;
      const obstacle = replaceFile(name, source.file, source.encode(changed), limits);
      if (obstacle === undefined) written.push(name);
      else failed.set(name, obstacle);
    }
  }
  return { written, failed };
}

/** True if `--fix` would write a fix of the diagnostic, provided that files do not change. */
export function isFixable(diagnostic: Diagnostic, { root, textOf }: CheckResult): boolean {
  if (!hasFixWithin(diagnostic, root)) return false;
  const limits: OpenLimits = { maximalSize: maximalFileSize, isInside: insideOf(root) };
  return namesIn(diagnostic.fixes).every((name) => {
    const source = readText(name, limits);
    return "text" in source && whyNotFixed(source, textOf(name)) === undefined;
  });
}

function hasFixWithin({ fixes }: Diagnostic, root: string): boolean {
  const names = namesIn(fixes);
  return names.length > 0 && names.every((name) => isWithin(name, root));
}

/** Why a file is not written; undefined if its text is still the one that was checked. */
function whyNotFixed(source: SourceText, checked: string): string | undefined {
  return source.text === checked ? whyNotWritable(source.file) : "it changed meanwhile";
}

function namesIn(fixes: Diagnostic["fixes"]): readonly string[] {
  return fixes.flatMap(({ isPreferred, edits }) => (isPreferred ? edits.map(({ location }) => location.uri) : []));
}
