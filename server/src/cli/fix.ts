/**
 * Writes for `--fix` the preferred fixes of the reported findings into the files. Files outside of the project are not changed.
 * Each file is replaced atomically, and all files of a round are replaced or none.
 */
import { allPreferredEdits, applyEdits, editsByFile } from "../diagnostics/fix-all.ts";
import type { Diagnostic, Severity } from "../finding.ts";
import { append } from "../lists.ts";
import { folderOf, isWithin } from "../names.ts";
import { insideOf, maximalFileSize, readText, type SourceText } from "../node/node-files.ts";
import { pathOfName } from "../node/node-names.ts";
import { type OpenLimits, realNameOf } from "../node/real-files.ts";
import { type Replacement, replaceFiles, whyNotWritable } from "../node/replace-file.ts";
import { removeLeftOvers } from "../node/temporary-files.ts";
import { editKey } from "../source.ts";
import type { CheckResult, FileResult } from "./check.ts";
import { isShown } from "./severities.ts";

/** The files that were changed, and those that could not be written. */
export interface WrittenFixes {
  /** The names of the files that were written. */
  readonly written: readonly string[];
  /** How many findings their edits fix. */
  readonly count: number;
  /** Files that have fixes but could not be written: the reason, as the end of a sentence. */
  readonly failed: ReadonlyMap<string, string>;
  /** The system could not copy extended attributes to the files that were written. */
  readonly losesAttributes: boolean;
}

/** Applies all fixes that do not overlap. What one file cannot take is not written into any other. */
export function writeFixes(results: readonly CheckResult[], level: Severity): WrittenFixes {
  const written: string[] = [];
  const failed = new Map<string, string>();
  let count = 0;
  let losesAttributes = false;
  const noteLoss = () => {
    losesAttributes = true;
  };
  for (const { files, root, textOf } of results) {
    const limits: OpenLimits = { maximalSize: maximalFileSize, isInside: insideOf(root) };
    removeLeftOversIn(files, limits);
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
    // Nothing is written if one file cannot be. Then the fixes without that file are tried.
    for (let plan = planOf(fixable, present); plan.length > 0; plan = planOf(fixable, present)) {
      const obstacles = replaceFiles(plan, limits, noteLoss);
      if (obstacles.size === 0) {
        append(
          written,
          plan.map(({ name }) => name),
        );
        count += fixedBy(fixable, present);
        break;
      }
      for (const [name, obstacle] of obstacles) {
        failed.set(name, obstacle);
        present.delete(name);
      }
    }
  }
  return { written, count, failed, losesAttributes };
}

/** How many findings the edits of `planOf` fix. One edit may fix several. */
function fixedBy(fixable: readonly Diagnostic[], present: ReadonlyMap<string, SourceText>): number {
  const possible = fixable.filter(({ fixes }) => namesIn(fixes).every((name) => present.has(name)));
  const taken = new Set(allPreferredEdits(possible).map(editKey));
  return possible.filter(({ fixes }) => fixes.find(({ isPreferred }) => isPreferred)?.edits.every((edit) => taken.has(editKey(edit))))
    .length;
}

/** The new contents of the files in `present`, with every fix of which all files are there. */
function planOf(fixable: readonly Diagnostic[], present: ReadonlyMap<string, SourceText>): readonly Replacement[] {
  const possible = fixable.filter(({ fixes }) => namesIn(fixes).every((name) => present.has(name)));
  const places = new Set<string>();
  return [...editsByFile(allPreferredEdits(possible))].flatMap(([name, edits]) => {
    const source = present.get(name);
    // A file with two names is one file.
    if (source === undefined || places.has(source.file.path)) return [];
    places.add(source.file.path);
    const changed = applyEdits(source.text, edits);
    return changed === source.text ? [] : [{ name, file: source.file, bytes: source.encode(changed) }];
  });
}

/** Removes what a killed `--fix` has left in the folders of the files, as far as they are really inside of the project. */
function removeLeftOversIn(files: readonly FileResult[], { isInside }: OpenLimits): void {
  for (const folder of new Set(files.map(({ name }) => folderOf(name)))) {
    const real = realNameOf(folder);
    const path = real === undefined || isInside?.(real) === false ? undefined : pathOfName(real);
    if (path !== undefined) removeLeftOvers(path);
  }
}

/** Tells of a project's diagnostics whether `--fix` would write a fix, provided that files do not change. Each file is read once. */
export function fixability({ root, textOf }: Pick<CheckResult, "root" | "textOf">): (diagnostic: Diagnostic) => boolean {
  const limits: OpenLimits = { maximalSize: maximalFileSize, isInside: insideOf(root) };
  const known = new Map<string, boolean>();
  const isWritable = (name: string): boolean => {
    const answer = known.get(name);
    if (answer !== undefined) return answer;
    const source = readText(name, limits);
    const found = "text" in source && whyNotFixed(source, textOf(name)) === undefined;
    known.set(name, found);
    return found;
  };
  return (diagnostic) => hasFixWithin(diagnostic, root) && namesIn(diagnostic.fixes).every(isWritable);
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
