/**
 * Relations between two spans of the same text. The brands of the spans let the compiler reject two spans of different kinds of
 * text.
 */
import type { Span } from "./source.ts";

/** True if the first span contains the whole second one; equal spans enclose each other. */
export function encloses<S extends Span>(outer: S, inner: S): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

/** True if the spans have a character in common. */
export function overlap<S extends Span>(a: S, b: S): boolean {
  return a.start < b.end && b.start < a.end;
}

/** True if the spans overlap, or one begins where the other ends. */
export function touch<S extends Span>(a: S, b: S): boolean {
  return a.start <= b.end && b.start <= a.end;
}

/** True if the character after the offset belongs to the span. */
export function includes({ start, end }: Span, offset: number): boolean {
  return start <= offset && offset < end;
}
