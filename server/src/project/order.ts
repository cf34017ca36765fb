/** The order in which every host shows diagnostics. */
import type { Diagnostic } from "../finding.ts";

/** By position, each once: the link may find again what the check of a file has reported. */
export function inOrder(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const unique = new Map(diagnostics.map((diagnostic) => [keyOf(diagnostic), diagnostic]));
  return [...unique.values()].sort(
    (a, b) => a.location.span.start - b.location.span.start || a.location.span.end - b.location.span.end || (a.rule < b.rule ? -1 : 1),
  );
}

/** Tells diagnostics of a session apart. */
export function keyOf({ rule, message, location: { uri, span } }: Diagnostic): string {
  return [rule, uri, span.start, span.end, message].join("\n");
}
