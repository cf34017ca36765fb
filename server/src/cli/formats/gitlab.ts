/**
 * Prints findings as a report of GitLab's Code Quality, which merge requests show. The format is the subset of Code Climate that
 * GitLab reads.
 */
import type { Severity } from "../../finding.ts";
import { createFingerprints, identityOf } from "../fingerprints.ts";
import type { ShownFinding } from "../shown-finding.ts";

const severities: Readonly<Record<Severity, "critical" | "major" | "minor" | "info">> = {
  error: "critical",
  warning: "major",
  info: "minor",
  hint: "info",
};

/** The document's value. A fingerprint stays the same when code above a finding moves, so that GitLab recognizes new findings. */
export function gitlabOf(findings: readonly ShownFinding[]) {
  const fingerprint = createFingerprints();
  return findings.map(({ diagnostic, places }) => {
    const { rule, severity, message, location } = diagnostic;
    const lines = places.lines(location.uri);
    const path = places.inRepository(location.uri);
    return {
      description: message,
      check_name: rule,
      fingerprint: fingerprint(identityOf(diagnostic, path, lines)),
      severity: severities[severity],
      location: {
        path,
        lines: { begin: lines.placeOf(location.span.start).line + 1, end: lines.placeOf(location.span.end).line + 1 },
      },
    };
  });
}
