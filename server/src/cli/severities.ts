/** The severities of findings in their order, for `--level` and `--fail-on`. */
import type { Severity } from "../finding.ts";

/** The severities, the most severe first. */
export const severities: readonly Severity[] = ["error", "warning", "info", "hint"];

/** True if a diagnostic of that severity is shown. */
export function isShown(severity: Severity, level: Severity): boolean {
  return severities.indexOf(severity) <= severities.indexOf(level);
}
