/**
 * Prints findings as workflow commands of GitHub Actions, which shows them beside the lines of a pull request. A runner executes
 * any line that begins with `::` as a command, so no line may begin with text from a file.
 */
import type { Diagnostic, Severity } from "../../finding.ts";
import { printable } from "../../printable.ts";
import type { ShownFinding } from "../shown-finding.ts";

const commands: Readonly<Record<Severity, "error" | "warning" | "notice">> = {
  error: "error",
  warning: "warning",
  info: "notice",
  hint: "notice",
};

/** A line for each finding. */
export function githubLines(findings: readonly ShownFinding[]): readonly string[] {
  return findings.map(({ diagnostic, places }) => {
    const { location, rule, severity } = diagnostic;
    const lines = places.lines(location.uri);
    const start = lines.placeOf(location.span.start);
    const end = lines.placeOf(location.span.end);
    // GitHub interprets columns only for a place within one line.
    const columns = start.line === end.line ? [`col=${start.column + 1}`, `endColumn=${end.column + 1}`] : [];
    const properties = [
      `file=${property(places.inRepository(location.uri))}`,
      `line=${start.line + 1}`,
      `endLine=${end.line + 1}`,
      ...columns,
      `title=${property(rule)}`,
    ];
    return `::${commands[severity]} ${properties.join(",")}::${data(messageOf(diagnostic, places))}`;
  });
}

function messageOf({ message, related }: Diagnostic, places: ShownFinding["places"]): string {
  const notes = related.map(({ message: note, location: { uri, span } }) => {
    const { line } = places.lines(uri).placeOf(span.start);
    return `${printable(places.inRepository(uri))}:${line + 1}: ${printable(note)}`;
  });
  return [printable(message), ...notes].join("\n");
}

/** Escapes a command's message as the toolkit of GitHub Actions does. */
function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

/** Escapes a property as the toolkit does; line ends in a path are kept. */
function property(text: string): string {
  const percented = data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
  return printable(percented);
}
