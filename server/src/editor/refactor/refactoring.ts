/** A refactoring: a change that the user requests without a finding. It is offered only if it keeps the program valid. */
import { codeAt } from "../../preprocess/unit-row.ts";
import type { Place } from "../../semantics/types/symbols.ts";
import { type Edit, editKey, type Location, type SourceSpan } from "../../source.ts";
import { touch } from "../../spans.ts";

/** A change that is offered without a finding. */
export interface Refactoring {
  /** Unique among the refactorings at a place. */
  readonly title: string;
  /** Edits of every file that must follow. */
  readonly edits: readonly Edit[];
  /** Code that this workspace does not contain has to follow, such as the host's, so the client asks first if it can. */
  readonly needsConfirmation?: true;
}

/** True if a part of the location touches the span. */
export function isAt({ uri, span }: Location, name: string, at: SourceSpan): boolean {
  return uri === name && touch(span, at);
}

/** True if a part of the place, which the author has written, touches the span. */
export function isPlaceAt(place: Place, name: string, at: SourceSpan): boolean {
  return !place.unit.uri.startsWith("builtin:") && isAt(codeAt(place), name, at);
}

/** The extent of edits of declarations, each of another one, in a phrase: `2 declarations in 1 file`. */
export function countedDeclarations(edits: readonly Edit[]): string {
  const files = new Set(edits.map(({ location }) => location.uri)).size;
  return `${edits.length} declaration${edits.length === 1 ? "" : "s"} in ${files} file${files === 1 ? "" : "s"}`;
}

/** Removes duplicate edits. */
export function distinct(edits: readonly Edit[]): readonly Edit[] {
  return [...new Map(edits.map((edit) => [editKey(edit), edit])).values()];
}
