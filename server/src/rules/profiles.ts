/**
 * The rules that are off unless the settings name a profile, and what a profile makes of them. A severity that the settings give a rule
 * overrides both.
 */
import type { Severity } from "../finding.ts";
import { rules } from "./index.ts";
import type { Profile, Rule } from "./rule.ts";

/** The names of the profiles that settings accept. */
export const profiles: readonly ["default", Profile] = ["default", "strict"];

/** The severities of a profile: its rules warn, and without one they are off. */
export function severitiesOfProfile(profile: "default" | Profile): Readonly<Record<string, Severity | "off">> {
  return Object.fromEntries(
    rules.flatMap((rule) => (rule.profile === undefined ? [] : [[rule.id, rule.profile === profile ? "warning" : "off"] as const])),
  );
}

/** The severity of a rule for which the settings name none. */
export function usualSeverity({ severity, profile }: Pick<Rule, "severity" | "profile">): Severity | "off" {
  return profile === undefined ? severity : "off";
}

/** How pages name it: `error`, or `off; warning in the profile strict`. */
export function shownSeverity(rule: Pick<Rule, "severity" | "profile">): string {
  return rule.profile === undefined ? rule.severity : `off; warning in the profile ${rule.profile}`;
}
