/**
 * Keeps equal parts of many summaries once. Files that include the same headers describe the functions in them alike, and these
 * descriptions would be most of the memory of a large workspace.
 */
import type { PrototypeSummary, Summary } from "./summary.ts";

/** The number of parts after which sharing starts anew, because those of earlier texts are never dropped otherwise. */
const mostParts = 100_000;

/** Returns summaries that are equal to the given ones and share their parts with earlier ones. */
export function createSharing(): (summary: Summary | undefined) => Summary | undefined {
  const prototypes = new Map<string, PrototypeSummary>();
  const shared = (prototype: PrototypeSummary): PrototypeSummary => {
    const key = JSON.stringify(prototype);
    const known = prototypes.get(key);
    if (known === undefined) prototypes.set(key, prototype);
    return known ?? prototype;
  };
  return (summary) => {
    if (summary?.prototypes === undefined) return summary;
    if (prototypes.size > mostParts) prototypes.clear();
    return { ...summary, prototypes: summary.prototypes.map(shared) };
  };
}
