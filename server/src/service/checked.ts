/** What a service keeps of each file that it has checked, and which changes affect it. */
import { baseNameOf } from "../names.ts";
import type { ChangedDefinitions } from "../preprocess/definitions.ts";
import { asksFor } from "../preprocess/resolve.ts";
import type { Summary } from "../summary/summary.ts";
import type { FileCheck } from "./file-result.ts";
import type { Questions } from "./read-set.ts";

/** A change of the workspace. */
export interface Change {
  readonly uris: ReadonlySet<string>;
  /** The files among them that were or may have been created or deleted. */
  readonly moved: readonly string[];
  /** The names whose definitions in the workspace have changed, and whether files enable other extensions. */
  readonly definitions: ChangedDefinitions;
  /** Whether other files may include a header now. */
  readonly mayBeIncluded: boolean;
}

/** Tests for each checked file whether a change affects its result. */
export function affectedBy(
  { uris, moved, definitions, mayBeIncluded }: Change,
  questions: Questions,
): (
  uri: string,
  entry: Pick<FileCheck, "readSet"> & { readonly report?: Pick<FileCheck["report"], "dependencies" | "unread"> },
) => boolean {
  const lastNames = new Set(moved.map(baseNameOf));
  // Files share most of what they ask.
  const known = new Map<string, boolean>();
  const asksForMoved = (group: string): boolean => {
    const answer = known.get(group) ?? asksFor(group, lastNames);
    known.set(group, answer);
    return answer;
  };
  return (uri, { report, readSet }) => {
    const { files, includes, candidates, readers, names, asksExtensions } = readSet;
    const named = [files, report?.dependencies ?? [], report?.unread ?? []];
    if (uris.has(uri) || named.some((names) => names.some((name) => uris.has(name)))) return true;
    // A new file may take the place of an included one with the same name.
    if (moved.length > 0 && includes.some(({ questions }) => questions.some(asksForMoved))) return true;
    // The set of files that include this header may have changed.
    if (mayBeIncluded && questions.candidatesOf(uri).join("\n") !== candidates.join("\n")) return true;
    if (mayBeIncluded && readers !== undefined && questions.readersOf(uri) !== readers) return true;
    return (asksExtensions && definitions.enabled) || (definitions.names.size > 0 && names.some((name) => definitions.names.has(name)));
  };
}

/** The summaries of all files, in the order of their latest requests. */
export function summariesOf(checked: ReadonlyMap<string, FileCheck>): readonly Summary[] {
  return [...checked.values()].map(({ summary }) => summary).filter((summary) => summary !== undefined);
}
