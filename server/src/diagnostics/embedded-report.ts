/** Joins the findings of a host file with those of its embedded sources, located in the host file. */
import { mostSources } from "../embedded/embedded.ts";
import type { EmbeddedHosts } from "../embedded/hosts.ts";
import type { Diagnostic, Fix } from "../finding.ts";
import { hostOf } from "../names.ts";
import type { Location } from "../source.ts";
import { type Coverage, joinedCoverage } from "./coverage.ts";
import type { FileReport, Understanding } from "./file-report.ts";
import { applySuppressions, type Suppression } from "./suppressions.ts";

/** A host file's own report, joined with those of its embedded sources, located in the host file. */
export function reportInHost(
  own: FileReport,
  embedded: readonly FileReport[],
  hosts: EmbeddedHosts,
  suppressionsOf: (uri: string) => readonly Suppression[],
  unparsed: readonly UnparsedSource[],
): FileReport {
  if (embedded.length === 0) return withUnparsed(own, unparsed, hosts);
  const leftOut = hosts.leftOut(own.uri);
  const holed = new Set(hosts.of(own.uri).flatMap(({ uri, hasHoles }) => (hasHoles ? [uri] : [])));
  const judged = embedded.map((report) => (holed.has(report.uri) ? withoutAdvice(report) : report));
  const read = withUnparsed(own, unparsed, hosts);
  const reports = [leftOut === undefined ? read : withLimit(read, leftOut), ...judged];
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
    inactiveBranches: merged(({ inactiveBranches }) => inactiveBranches.map(located)),
    dialects: merged(({ dialects }) => dialects).filter(({ label }) => !labels.has(label) && labels.add(label)),
    understanding: {
      parseErrors: merged(({ understanding }) => understanding.parseErrors.map(hosts.locate)),
      expressions: total(({ expressions }) => expressions),
      unknownExpressions: total(({ unknownExpressions }) => unknownExpressions),
      ...(standardFrom === undefined ? {} : { standardFrom }),
    },
    coverage: coverageInHost(reports, hosts),
    itemStarts: own.itemStarts,
    embedded: embedded.length,
    unread: [...new Set(merged(({ unread }) => unread))],
    dependencies: [...new Set(merged(({ dependencies }) => dependencies.map(hostOf)))],
  };
}

/** Advice rests on what a text does not contain, and the program may fill that in. */
function withoutAdvice(report: FileReport): FileReport {
  return { ...report, diagnostics: report.diagnostics.filter(({ severity }) => severity === "error" || severity === "warning") };
}

/** A source that looks like device code and cannot be judged, and where it cannot be read. */
export interface UnparsedSource {
  readonly kernels: number;
  readonly at: Location;
}

/** The host's report with the sources that cannot be judged. */
function withUnparsed(own: FileReport, unparsed: readonly UnparsedSource[], hosts: EmbeddedHosts): FileReport {
  if (unparsed.length === 0) return own;
  const notes = unparsed.map(({ at }) => ({
    kind: "unparsed-literal" as const,
    message: "this text in a string literal has a kernel and does not parse, so it is not judged",
    location: hosts.locate(at),
  }));
  return {
    ...own,
    notes: [...own.notes, ...notes],
    coverage: { ...own.coverage, unparsed: unparsed.reduce((sum, { kernels }) => sum + kernels, own.coverage.unparsed) },
  };
}

/** The host's report with a note about the sources beyond the limit. */
function withLimit(own: FileReport, { count, offset }: { readonly count: number; readonly offset: number }): FileReport {
  const message = `not fully checked: ${mostSources} of ${mostSources + count} sources in string literals`;
  const location: Location = { uri: own.uri, span: { start: offset, end: offset } };
  return {
    ...own,
    notes: [...own.notes, { kind: "too-many-sources", message, location }],
    coverage: { ...own.coverage, limits: [...own.coverage.limits, message] },
  };
}

function coverageInHost(reports: readonly FileReport[], hosts: EmbeddedHosts): Coverage {
  const joined = joinedCoverage(reports.map(({ coverage }) => coverage));
  const unknownTypes = joined.unknownTypes.map((type) => ({ ...type, location: hosts.locate(type.location) }));
  return { ...joined, unknownTypes };
}
