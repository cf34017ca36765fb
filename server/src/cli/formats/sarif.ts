/** Prints findings as SARIF 2.1.0 (OASIS), which code review tools read. Positions count from one, columns in UTF-16 code units. */
import type { ArtifactLocation, Log, PhysicalLocation, Region, ReportingDescriptor, Result, Location as SarifLocation } from "sarif";
import { editsByFile } from "../../diagnostics/fix-all.ts";
import type { Diagnostic, Severity } from "../../finding.ts";
import { rules } from "../../rules/index.ts";
import type { Location } from "../../source.ts";
import { createFingerprints, identityOf } from "../fingerprints.ts";
import { informationUri, pageOfRule } from "../home.ts";
import type { Places, ShownFinding } from "../shown-finding.ts";

const levels: Readonly<Record<Severity, "error" | "warning" | "note">> = { error: "error", warning: "warning", info: "note", hint: "note" };

const problemSeverities: Readonly<Record<Severity, "error" | "warning" | "recommendation">> = {
  error: "error",
  warning: "warning",
  info: "recommendation",
  hint: "recommendation",
};

/** What a report says about the run itself. */
export interface RunData {
  readonly version: string;
  /** How much of the device code was judged. */
  readonly coverage: Readonly<Record<string, unknown>>;
  /** Every file could be checked. */
  readonly isComplete: boolean;
}

/** Relative paths count from the folder in which the program was started: in continuous integration that of the checkout. */
const root = "%SRCROOT%";

/**
 * One run with every rule, even those without findings: code scanning also needs the rules of results that have disappeared. The run's
 * property `coverage` says how much of the device code was judged.
 */
export function sarifOf(findings: readonly ShownFinding[], { version, coverage, isComplete }: RunData): Log {
  const fingerprint = createFingerprints();
  return {
    $schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "gpu-qualifiers", version, informationUri: informationUri(version), rules: rules.map(descriptorOf) } },
        automationDetails: { id: "gpu-qualifiers/" },
        invocations: [{ executionSuccessful: isComplete }],
        originalUriBaseIds: { [root]: { description: { text: "The folder in which gpu-qualifiers was started." } } },
        columnKind: "utf16CodeUnits",
        properties: { coverage },
        results: findings.map(({ diagnostic, places }) => {
          const { uri } = diagnostic.location;
          const known = fingerprint(identityOf(diagnostic, places.inRepository(uri), places.lines(uri)));
          return { ...resultOf(diagnostic, places), partialFingerprints: { "gpuQualifiersFinding/v1": known } };
        }),
      },
    ],
  };
}

function descriptorOf({ id, title, severity, profile, documentation, clause, languages }: (typeof rules)[number]): ReportingDescriptor {
  const page = pageOfRule(id);
  const markdown = `${documentation.trim()}\n\nSee ${clause}.`;
  return {
    id,
    shortDescription: { text: title },
    fullDescription: { text: title },
    help: { text: markdown, markdown },
    ...(page === undefined ? {} : { helpUri: page }),
    defaultConfiguration: { level: levels[severity], ...(profile === undefined ? {} : { enabled: false }) },
    // GitHub's code scanning sorts and filters by these properties.
    properties: { tags: [...languages], precision: "very-high", "problem.severity": problemSeverities[severity] },
  };
}

function resultOf({ rule, severity, message, location, related, fixes }: Diagnostic, places: Places): Result {
  return {
    ruleId: rule,
    ruleIndex: rules.findIndex(({ id }) => id === rule),
    level: levels[severity],
    message: { text: message },
    locations: [{ physicalLocation: physical(location, places) }],
    ...(related.length === 0
      ? {}
      : {
          relatedLocations: related.map(
            (place, id): SarifLocation => ({ id, message: { text: place.message }, physicalLocation: physical(place.location, places) }),
          ),
        }),
    ...(fixes.length === 0
      ? {}
      : {
          fixes: fixes.map(({ title, edits }) => ({
            description: { text: title },
            artifactChanges: [...editsByFile(edits)].map(([name, ofFile]) => ({
              artifactLocation: artifactOf(places.shown(name)),
              replacements: ofFile.map(({ span, text }) => ({
                deletedRegion: region({ uri: name, span }, places),
                insertedContent: { text },
              })),
            })),
          })),
        }),
  };
}

function physical(location: Location, places: Places): PhysicalLocation {
  return { artifactLocation: artifactOf(places.shown(location.uri)), region: region(location, places) };
}

function region({ uri, span }: Location, places: Places): Region {
  const start = places.lines(uri).placeOf(span.start);
  const end = places.lines(uri).placeOf(span.end);
  return { startLine: start.line + 1, startColumn: start.column + 1, endLine: end.line + 1, endColumn: end.column + 1 };
}

function artifactOf(path: string): ArtifactLocation {
  const uri = uriOf(path);
  return uri.startsWith("file:") ? { uri } : { uri, uriBaseId: root };
}

/** A path as a uri reference. A relative path stays relative. */
function uriOf(path: string): string {
  const encoded = path.replaceAll("\\", "/").split("/").map(encodeURIComponent).join("/");
  if (/^[A-Za-z]%3A\//.test(encoded)) return `file:///${encoded.replace("%3A", ":")}`;
  return encoded.startsWith("/") ? `file://${encoded}` : encoded.replace(/^\.\//, "");
}
