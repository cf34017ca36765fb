/** How two spans of one text lie to each other. Both must be spans of the same text; their brands are compared by the compiler. */
import type { Span } from "./source.ts";

/** True if the first span contains all of the second; equal spans enclose each other. */
export function encloses<S extends Span>(outer: S, inner: S): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

/** True if both have a character in common. */
export function overlap<S extends Span>(a: S, b: S): boolean {
  return a.start < b.end && b.start < a.end;
}

/** True if both overlap, or one begins where the other ends. */
export function touch<S extends Span>(a: S, b: S): boolean {
  return a.start <= b.end && b.start <= a.end;
}

/** True if the character after the offset belongs to the span. */
export function includes({ start, end }: Span, offset: number): boolean {
  return start <= offset && offset < end;
}
