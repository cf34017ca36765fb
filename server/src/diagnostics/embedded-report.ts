/** Joins the findings of a host file with those of its embedded sources, located in the host file. */
import type { EmbeddedHosts } from "../embedded/hosts.ts";
import type { Diagnostic, Fix } from "../finding.ts";
import type { Location } from "../source.ts";
import type { FileReport, Understanding } from "./file-report.ts";
import { applySuppressions, type Suppression } from "./suppressions.ts";

/** A host file's own report, joined with those of its embedded sources, located in the host file. */
export function reportInHost(
  own: FileReport,
  embedded: readonly FileReport[],
  hosts: EmbeddedHosts,
  suppressionsOf: (uri: string) => readonly Suppression[],
): FileReport {
  if (embedded.length === 0) return own;
  const reports = [own, ...embedded];
  const merged = <T>(part: (report: FileReport) => readonly T[]): readonly T[] => reports.flatMap(part);
  const located = <T extends { readonly location: Location }>(each: T): T => ({ ...each, location: hosts.locate(each.location) });
  const fixInHost = (fix: Fix): readonly Fix[] => {
    const edits = fix.edits.map(hosts.edit).filter((edit) => edit !== undefined);
    return edits.length === fix.edits.length ? [{ ...fix, edits }] : [];
  };
  const inHost = (diagnostic: Diagnostic): Diagnostic => ({
    ...located(diagnostic),
    related: diagnostic.related.map(located),
    fixes: diagnostic.fixes.flatMap(fixInHost),
  });
  const total = (count: (understanding: Understanding) => number) =>
    reports.reduce((sum, { understanding }) => sum + count(understanding), 0);
  const standardFrom = reports.find(({ understanding }) => understanding.standardFrom !== undefined)?.understanding.standardFrom;
  const labels = new Set<string>();
  return {
    uri: own.uri,
    // A comment of the host between two literals also applies to embedded findings.
    diagnostics: applySuppressions(
      merged(({ diagnostics }) => diagnostics.map(inHost)),
      suppressionsOf,
    ).kept.toSorted((a, b) => a.location.span.start - b.location.span.start),
    notes: merged(({ notes }) => notes.map(located)),
    untaken: merged(({ untaken }) => untaken.map(located)),
    dialects: merged(({ dialects }) => dialects).filter(({ label }) => !labels.has(label) && labels.add(label)),
    understanding: {
      parseErrors: merged(({ understanding }) => understanding.parseErrors.map(hosts.locate)),
      expressions: total(({ expressions }) => expressions),
      unknownExpressions: total(({ unknownExpressions }) => unknownExpressions),
      ...(standardFrom === undefined ? {} : { standardFrom }),
    },
    itemStarts: own.itemStarts,
    embedded: embedded.length,
    unread: [...new Set(merged(({ unread }) => unread))],
    dependencies: [...new Set(merged(({ dependencies }) => dependencies.map(hosts.hostOf)))],
  };
}
