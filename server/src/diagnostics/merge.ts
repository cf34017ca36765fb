/**
 * Joins the findings of several dialects in one file. A finding under every dialect keeps the rule's severity. An error in OpenCL C 1.2
 * becomes a warning, because a build without `-cl-std` compiles 1.x (OpenCL API 3.0 §5.8.6.5). Any other finding under some of them becomes an
 * info, because the author may compile for another one. Both name the dialects.
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
  const merged = new Map<string, { finding: Finding<At>; under: Dialect[] }>();
  for (const [index, dialect] of dialects.entries()) {
    for (const finding of found[index] ?? []) {
      const entry = merged.get(keyOf(finding));
      if (entry === undefined) merged.set(keyOf(finding), { finding, under: [dialect] });
      else entry.under.push(dialect);
    }
  }
  return [...merged.values()].map(({ finding, under }) => {
    if (under.length === dialects.length) return finding;
    const severity = severityOf(finding);
    const isMild = severity === "info" || severity === "hint";
    const milder = severity === "error" && under.some(isOfPlainBuild) ? "warning" : "info";
    const labels = under.map(({ label }) => label);
    return { ...finding, severity: isMild ? severity : milder, message: `${finding.message} (${severity} in ${joined(labels)})` };
  });
}

/** True for the standard of a build that names none. */
function isOfPlainBuild(dialect: Dialect): boolean {
  return dialect.language === "opencl" && dialect.standard === "CL1.2";
}

/** Joins labels: `OpenCL C 1.2 and 3.0 without generic address space`. */
function joined(labels: readonly string[]): string {
  const short = labels.map((label, index) => (index === 0 ? label : label.replace(/^OpenCL C /, "")));
  return short.length < 2 ? (short[0] ?? "") : `${short.slice(0, -1).join(", ")} and ${short[short.length - 1]}`;
}

/** Drops the standards that lack a feature which the file uses, because the file is not written for them. If all lack it, all stay. */
export function plausibleReadings<Reading extends { readonly dialect: Dialect; readonly analysis: { readonly facts: Facts } }>(
  readings: readonly Reading[],
): readonly Reading[] {
  const complete = readings.filter(({ analysis, dialect }) => isWrittenFor(analysis.facts, dialect));
  return complete.length === 0 ? readings : complete;
}

/** True if a text uses only features that the dialect has. One is a variable at program scope that is declared `global`. */
export function isWrittenFor({ features, spaces, variables }: Facts, dialect: Dialect): boolean {
  if (features.length > 0 || spaces.some(({ kind }) => kind === "unsupported-generic")) return false;
  if (dialect.language !== "opencl" || dialect.programScopeGlobalVariables) return true;
  return !variables.some(
    ({ variable: { scope, type, isSpaceExplicit } }) => scope === "program" && isSpaceExplicit && type.qualifiers.space === "global",
  );
}
