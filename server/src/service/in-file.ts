/**
 * Converts results from places in units to places in files. A piece of an open file moves with each edit before it, so its results keep
 * places in the piece until they are shown.
 */
import type { Diagnostic, Finding, Fix } from "../finding.ts";
import { fileOf } from "../preprocess/row.ts";
import type { InUnits, Locate, UnitLocation } from "../source.ts";
import type { Summary } from "../summary/summary.ts";

/** The place in a file that is read as one unit. */
export const inWholeFile: Locate = ({ uri, span }) => ({ uri: fileOf(uri), span });

/** Converts a finding to places in files, and its fixes when they are requested. */
export function located(finding: Finding<UnitLocation>, locate: Locate): Finding {
  const { location, related, spelledIn, fixes, ...others } = finding;
  return {
    ...others,
    location: locate(location),
    ...(related === undefined ? {} : { related: related.map((each) => ({ ...each, location: locate(each.location) })) }),
    ...(spelledIn === undefined ? {} : { spelledIn: spelledIn.map(locate) }),
    ...(fixes === undefined ? {} : { fixes: () => fixes().map((fix) => locatedFix(fix, locate)) }),
  };
}

function locatedFix(fix: Fix<UnitLocation>, locate: Locate): Fix {
  return { ...fix, edits: fix.edits.map((edit) => ({ ...edit, location: locate(edit.location) })) };
}

/** Converts a diagnostic to places in files. */
export function locatedDiagnostic(diagnostic: Diagnostic<UnitLocation>, locate: Locate): Diagnostic {
  const { location, related, spelledIn, fixes, ...others } = diagnostic;
  return {
    ...others,
    location: locate(location),
    related: related.map((each) => ({ ...each, location: locate(each.location) })),
    ...(spelledIn === undefined ? {} : { spelledIn: spelledIn.map(locate) }),
    fixes: fixes.map((fix) => locatedFix(fix, locate)),
  };
}

/** Converts a summary to places in files. A summary is plain data, in which every object with a uri and a span is a location. */
export function locatedSummary(summary: InUnits<Summary>, locate: Locate): Summary {
  const inFile = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inFile);
    if (typeof value !== "object" || value === null) return value;
    if (isLocation(value)) return locate(value);
    const moved: Record<string, unknown> = { ...value };
    for (const name in moved) moved[name] = inFile(moved[name]);
    return moved;
  };
  return inFile(summary) as Summary;
}

function isLocation(value: object): value is UnitLocation {
  return "uri" in value && "span" in value;
}
