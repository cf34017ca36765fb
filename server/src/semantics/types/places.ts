/** How two places of Views lie to each other. */
import { encloses } from "../../spans.ts";
import type { Place } from "./symbols.ts";

/** True if the first place contains all of the second. */
export function contains(outer: Place, inner: Place): boolean {
  return outer.unit === inner.unit && encloses(outer.span, inner.span);
}
