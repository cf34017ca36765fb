/**
 * Prints findings as Reviewdog Diagnostic Format, which reviewdog posts as review comments with suggested changes. Its columns count
 * bytes of UTF-8 from one.
 */
import type { Diagnostic, Severity } from "../../finding.ts";
import { greatest } from "../../lists.ts";
import type { Location } from "../../source.ts";
import { home } from "../home.ts";
import type { Places, ShownFinding } from "../shown-finding.ts";

const severities: Readonly<Record<Severity, "ERROR" | "WARNING" | "INFO">> = {
  error: "ERROR",
  warning: "WARNING",
  info: "INFO",
  hint: "INFO",
};

/** The document's value. A fix is suggested if it is the preferred one and edits only the finding's own file. */
export function rdjsonOf(findings: readonly ShownFinding[]) {
  return {
    source: { name: "gpu-qualifiers", ...(home.repository === undefined ? {} : { url: home.repository }) },
    diagnostics: findings.map(({ diagnostic, places }) => {
      const { rule, severity, message, location, related } = diagnostic;
      const suggestion = suggestionOf(diagnostic, places);
      return {
        message,
        severity: severities[severity],
        location: { path: places.inRepository(location.uri), range: rangeOf(location, places) },
        code: { value: rule },
        ...(suggestion === undefined ? {} : { suggestions: [suggestion] }),
        ...(related.length === 0
          ? {}
          : {
              relatedLocations: related.map((place) => ({
                message: place.message,
                location: { path: places.inRepository(place.location.uri), range: rangeOf(place.location, places) },
              })),
            }),
      };
    }),
  };
}

/** A longer change is not shown beside a line. */
const mostLines = 40;

/** The edits of the preferred fix as one change, because each suggestion is offered by itself. */
function suggestionOf({ location: { uri }, fixes }: Diagnostic, places: Places) {
  const edits = fixes.find(({ isPreferred }) => isPreferred)?.edits ?? [];
  const ordered = [...edits].sort((a, b) => a.location.span.start - b.location.span.start || a.location.span.end - b.location.span.end);
  const [first] = ordered;
  const last = ordered.at(-1);
  if (first === undefined || last === undefined || edits.some((edit) => edit.location.uri !== uri)) return undefined;
  const lines = places.lines(uri);
  const from = lines.placeOf(first.location.span.start);
  const to = lines.placeOf(greatest(ordered.map((edit) => edit.location.span.end)));
  if (to.line - from.line >= mostLines) return undefined;
  let text = "";
  let at = from;
  for (const { location, text: replacement } of ordered) {
    text += between(at, lines.placeOf(location.span.start), lines) + replacement;
    at = lines.placeOf(location.span.end);
  }
  return { range: rangeOf({ uri, span: { start: first.location.span.start, end: last.location.span.end } }, places), text };
}

type Place = ReturnType<ReturnType<Places["lines"]>["placeOf"]>;

/** The text between two places, with line feeds. */
function between(from: Place, to: Place, lines: ReturnType<Places["lines"]>): string {
  const texts = Array.from({ length: to.line - from.line + 1 }, (_, index) => lines.textOf(from.line + index));
  const last = texts.length - 1;
  return texts.map((text, index) => text.slice(index === 0 ? from.column : 0, index === last ? to.column : undefined)).join("\n");
}

function rangeOf({ uri, span }: Location, places: Places) {
  const lines = places.lines(uri);
  const positionOf = (offset: number) => {
    const { line, column } = lines.placeOf(offset);
    return { line: line + 1, column: Buffer.byteLength(lines.textOf(line).slice(0, column)) + 1 };
  };
  return { start: positionOf(span.start), end: positionOf(span.end) };
}
