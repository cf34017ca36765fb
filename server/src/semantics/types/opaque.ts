/** What OpenCL's images, samplers, events, queues and pipes are by their names and access qualifiers alone. */
import type { OpaqueType } from "./types.ts";

/** An image type by its name. */
export function isImageName(name: string): boolean {
  return name.startsWith("image");
}

/** Two images or pipes may stand for each other: same type, and the same access where both say one. */
export function isSameOpaque(a: OpaqueType, b: OpaqueType): boolean {
  return a.name === b.name && (a.access === undefined || b.access === undefined || a.access === b.access);
}
