/** Prints findings as a report of Checkstyle, which Jenkins, reviewdog and many other tools read. */
import { printable } from "../../printable.ts";
import type { ShownFinding } from "../shown-finding.ts";

/** The whole document; files in the order of their first finding. */
export function checkstyleOf(findings: readonly ShownFinding[]): string {
  const files = new Map<string, ShownFinding[]>();
  for (const finding of findings) {
    const name = finding.places.inRepository(finding.diagnostic.location.uri);
    files.set(name, [...(files.get(name) ?? []), finding]);
  }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<checkstyle version="4.3">',
    ...[...files].flatMap(([name, own]) => [`  <file name="${escaped(name)}">`, ...own.map(errorOf), "  </file>"]),
    "</checkstyle>",
    "",
  ].join("\n");
}

function errorOf({ diagnostic: { rule, severity, message, location }, places }: ShownFinding): string {
  const { line, column } = places.lines(location.uri).placeOf(location.span.start);
  const place = `line="${line + 1}" column="${column + 1}" severity="${severity === "hint" ? "info" : severity}"`;
  return `    <error ${place} message="${escaped(message)}" source="gpu-qualifiers.${escaped(rule)}"/>`;
}

/** The text with characters that XML 1.0 forbids, and all other invisible ones, spelled out. */
export function escaped(text: string): string {
  return printable(text)
    .replace(/[\ufffe\uffff]/g, "?")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
