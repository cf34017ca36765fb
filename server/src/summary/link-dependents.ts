/**
 * Finds the files whose linked findings may change when some files change: those that pass objects to functions of the changed
 * files, directly or through functions of other files, and those that declare the same kernels, device functions or variables.
 */
import type { CalleeSummary, Summary } from "./summary.ts";

/** A changed file: its previous summary, and its current text. */
export interface ChangedFile {
  readonly summary: Summary | undefined;
  readonly text: string;
}

/**
 * The uris of files whose linked findings may differ, without the changed files and those in `affected`, which are checked again
 * anyway.
 */
export function linkDependents(
  summaries: readonly Summary[],
  changed: readonly ChangedFile[],
  affected: ReadonlySet<string>,
): readonly string[] {
  if (summaries.every(({ uri }) => affected.has(uri))) return [];
  const names = new Set(changed.flatMap(({ summary }) => (summary === undefined ? [] : definedNames(summary))));
  const isTouched = (name: string) => names.has(name) || changed.some(({ text }) => mentions(text, name));
  const found = new Set<string>();
  const before = new Set(changed.map(({ summary }) => summary?.uri));
  for (let grows = true; grows; ) {
    grows = false;
    for (const summary of summaries) {
      if (found.has(summary.uri) || before.has(summary.uri)) continue;
      const { questions, functions } = summary;
      const passes = functions.flatMap(({ parameters }) => parameters.flatMap((parameter) => parameter.passes));
      if (![...questions, ...passes].some(({ callee }) => isTouched(nameOf(callee))) && !declaredNames(summary).some(isTouched)) continue;
      found.add(summary.uri);
      for (const name of definedNames(summary)) names.add(name);
      grows = true;
    }
  }
  return [...found].filter((uri) => !affected.has(uri));
}

function definedNames(summary: Summary): readonly string[] {
  return [...summary.functions.map(nameOf), ...declaredNames(summary)];
}

/** The names of entities that several files may declare differently. */
function declaredNames({ kernels, deviceFunctions = [], variables = [], prototypes = [] }: Summary): readonly string[] {
  return [...kernels, ...variables]
    .map(({ qualifiedName }) => lastPart(qualifiedName))
    .concat([...deviceFunctions, ...prototypes].map(({ name }) => lastPart(name)));
}

function nameOf({ key = "" }: Pick<CalleeSummary, "key">): string {
  return lastPart(/^[^(/]*/.exec(key)?.[0] ?? "");
}

function lastPart(qualifiedName: string): string {
  return qualifiedName.slice(qualifiedName.lastIndexOf(":") + 1);
}

/** Whether the text contains the name as a word. */
function mentions(text: string, name: string): boolean {
  const isWord = (at: number) => /\w/.test(text.charAt(at));
  for (let at = name === "" ? -1 : text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (!isWord(at - 1) && !isWord(at + name.length)) return true;
  return false;
}
