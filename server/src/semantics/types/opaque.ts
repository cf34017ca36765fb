/** Questions about OpenCL's images, samplers, events, queues and pipes that their names and access qualifiers answer. */
import type { OpaqueType, Type } from "./types.ts";

/** True for the name of an image type. */
export function isImageName(name: string): boolean {
  return name.startsWith("image");
}

/** True for images, pipes, samplers and blocks: no pointer points to one, and no array holds them (OpenCL C 3.0 §6.11). */
export function isHandle(type: Type): boolean {
  if (type.kind === "block") return true;
  return type.kind === "opaque" && (type.name === "sampler_t" || type.name === "pipe" || isImageName(type.name));
}

/** True if two images or pipes are interchangeable: the same type, and the same access if both have one. */
export function isSameOpaque(a: OpaqueType, b: OpaqueType): boolean {
  return a.name === b.name && (a.access === undefined || b.access === undefined || a.access === b.access);
}
