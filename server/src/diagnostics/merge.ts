/**
 * Joins the findings of several dialects in one file. A finding under every dialect keeps the rule's severity. A finding under some
 * of them becomes an info that names them, because the author may compile for another one.
 */
import { type Dialect, isHostSide } from "../dialect.ts";
import type { Finding } from "../finding.ts";
import type { Facts } from "../semantics/facts/facts.ts";
import type { Location, UnitLocation } from "../source.ts";
import { keyOf } from "./report.ts";

/**
 * `found[i]` are the findings under `dialects[i]`; the result keeps the first dialect's wording. Findings of the compilation for the
 * host are added: a program must be right on both sides.
 */
export function mergeDialects<At extends Location | UnitLocation>(
  dialects: readonly Dialect[],
  found: readonly (readonly Finding<At>[])[],
  severityOf: (finding: Finding<At>) => string,
): readonly Finding<At>[] {
  if (dialects.length === 1) return found[0] ?? [];
  if (dialects.some(isHostSide)) {
    const first = new Map<string, Finding<At>>();
    for (const finding of found.flat()) if (!first.has(keyOf(finding))) first.set(keyOf(finding), finding);
    return [...first.values()];
  }
  const merged = new Map<string, { finding: Finding<At>; labels: string[] }>();
  for (const [index, findings] of found.entries()) {
    const label = dialects[index]?.label ?? "";
    for (const finding of findings) {
      const entry = merged.get(keyOf(finding));
      if (entry === undefined) merged.set(keyOf(finding), { finding, labels: [label] });
      else entry.labels.push(label);
    }
  }
  return [...merged.values()].map(({ finding, labels }) => {
    if (labels.length === dialects.length) return finding;
    const severity = severityOf(finding);
    const isMild = severity === "info" || severity === "hint";
    return { ...finding, severity: isMild ? severity : "info", message: `${finding.message} (${severity} in ${joined(labels)})` };
  });
}

/** Joins labels: `OpenCL C 1.2 and 3.0 without generic address space`. */
function joined(labels: readonly string[]): string {
  const short = labels.map((label, index) => (index === 0 ? label : label.replace(/^OpenCL C /, "")));
  return short.length < 2 ? (short[0] ?? "") : `${short.slice(0, -1).join(", ")} and ${short[short.length - 1]}`;
}

/** Drops the standards that lack a feature which the file uses, because the file is not written for them. If all lack it, all stay. */
export function plausibleReadings<Reading extends { readonly analysis: { readonly facts: Facts } }>(
  readings: readonly Reading[],
): readonly Reading[] {
  const isComplete = ({ features, spaces }: Facts) => features.length === 0 && !spaces.some(({ kind }) => kind === "unsupported-generic");
  const complete = readings.filter(({ analysis }) => isComplete(analysis.facts));
  return complete.length === 0 ? readings : complete;
}
