/**
 * Keeps equal parts of many summaries once. Files that include the same headers describe the functions in them alike, and these
 * descriptions would be most of the memory of a large workspace.
 */
import type { PrototypeSummary, Summary } from "./summary.ts";

/** The number of places after which sharing starts anew, because parts of earlier texts are never dropped otherwise. */
const mostPlaces = 100_000;
/** The number of different parts that are kept for one place, where macros or edits change what is there. */
const mostAtPlace = 4;

interface Part {
  readonly prototype: PrototypeSummary;
  /** Made when it is first compared: most parts are the only one at their place. */
  spelled?: string;
}

/** Returns summaries that are equal to the given ones and share their parts with earlier ones. */
export function createSharing(): (summary: Summary | undefined) => Summary | undefined {
  const places = new Map<string, Part[]>();
  const shared = (prototype: PrototypeSummary): PrototypeSummary => {
    const { uri, span } = prototype.location;
    const place = `${span.start} ${uri}`;
    const parts = places.get(place) ?? [];
    if (parts.length === 0) places.set(place, parts);
    else if (parts.some((part) => part.prototype === prototype)) return prototype;
    const spelled = parts.length === 0 ? undefined : JSON.stringify(prototype);
    for (const part of parts) {
      part.spelled ??= JSON.stringify(part.prototype);
      if (part.spelled === spelled) return part.prototype;
    }
    if (parts.length === mostAtPlace) parts.shift();
    parts.push(spelled === undefined ? { prototype } : { prototype, spelled });
    return prototype;
  };
  return (summary) => {
    if (summary?.prototypes === undefined) return summary;
    if (places.size > mostPlaces) places.clear();
    return { ...summary, prototypes: summary.prototypes.map(shared) };
  };
}
