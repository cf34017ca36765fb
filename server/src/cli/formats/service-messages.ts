/**
 * Prints findings as commands of build servers: logging commands of Azure Pipelines and service messages of TeamCity. A server runs
 * every such command in the output, so text from files is escaped as each of them demands.
 */
import type { Severity } from "../../finding.ts";
import { printable } from "../../printable.ts";
import { rules } from "../../rules/index.ts";
import type { ShownFinding } from "../shown-finding.ts";

/** A line for each finding, which Azure Pipelines lists in the run's summary. It knows errors and warnings only. */
export function azureLines(findings: readonly ShownFinding[]): readonly string[] {
  return findings.map(({ diagnostic: { rule, severity, message, location }, places }) => {
    const { line, column } = places.lines(location.uri).placeOf(location.span.start);
    const properties = [
      `type=${severity === "error" ? "error" : "warning"}`,
      `sourcepath=${azureText(places.inRepository(location.uri))}`,
      `linenumber=${line + 1}`,
      `columnnumber=${column + 1}`,
      `code=${azureText(rule)}`,
    ];
    return `##vso[task.logissue ${properties.join(";")}]${azureText(message)}`;
  });
}

/** Escapes a property or a message as Azure's agent reads it. */
function azureText(text: string): string {
  return printable(text)
    .replaceAll("%", "%AZP25")
    .replaceAll(";", "%3B")
    .replaceAll("]", "%5D")
    .replaceAll("\r", "%0D")
    .replaceAll("\n", "%0A");
}

const severities: Readonly<Record<Severity, string>> = { error: "ERROR", warning: "WARNING", info: "WEAK WARNING", hint: "INFO" };

/** Each rule with a finding as an inspection of TeamCity, and each finding as a result of it. */
export function teamcityLines(findings: readonly ShownFinding[]): readonly string[] {
  const found = new Set(findings.map(({ diagnostic }) => diagnostic.rule));
  const types = rules
    .filter(({ id }) => found.has(id))
    .map(({ id, title }) => {
      const text = teamcityText(title);
      return `##teamcity[inspectionType id='${teamcityText(id)}' name='${text}' description='${text}' category='gpu-qualifiers']`;
    });
  const results = findings.map(({ diagnostic: { rule, severity, message, location }, places }) => {
    const { line } = places.lines(location.uri).placeOf(location.span.start);
    const place = `file='${teamcityText(places.inRepository(location.uri))}' line='${line + 1}'`;
    return `##teamcity[inspection typeId='${teamcityText(rule)}' message='${teamcityText(message)}' ${place} SEVERITY='${severities[severity]}']`;
  });
  return [...types, ...results];
}

/** Escapes a value as TeamCity's service messages demand. */
function teamcityText(text: string): string {
  return printable(text)
    .replace(/[|'[\]]/g, (sign) => `|${sign}`)
    .replaceAll("\n", "|n")
    .replaceAll("\r", "|r")
    .replace(/[\u0080-\uffff]/g, (unit) => `|0x${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
