/** Moves diagnostics of an earlier text to their places in the current one. The caller decides which places there are. */
import type { Diagnostic } from "../finding.ts";
import type { Location } from "../source.ts";

/**
 * The diagnostics at their current places. `move` gives the current location of an earlier one, or undefined if its text is gone: then
 * the diagnostic or related place is dropped. Fixes are dropped too, because their edits are those of the earlier text.
 */
export function movedDiagnostics(
  diagnostics: readonly Diagnostic[],
  move: (location: Location) => Location | undefined,
): readonly Diagnostic[] {
  return diagnostics.flatMap((diagnostic) => {
    const location = move(diagnostic.location);
    if (location === undefined) return [];
    const related = diagnostic.related.flatMap((place) => {
      const now = move(place.location);
      return now === undefined ? [] : [{ ...place, location: now }];
    });
    return [{ ...diagnostic, location, related, fixes: [] }];
  });
}
