/** The order in which every host shows diagnostics. */
import type { Diagnostic } from "../finding.ts";

/** Sorts by position and removes duplicates, because the link may repeat findings of a file's check. */
export function inOrder(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const unique = new Map(diagnostics.map((diagnostic) => [keyOf(diagnostic), diagnostic]));
  return [...unique.values()].sort(
    (a, b) => a.location.span.start - b.location.span.start || a.location.span.end - b.location.span.end || (a.rule < b.rule ? -1 : 1),
  );
}

/** A key that distinguishes the diagnostics of a session. */
export function keyOf({ rule, message, location: { uri, span } }: Diagnostic): string {
  return [rule, uri, span.start, span.end, message].join("\n");
}
