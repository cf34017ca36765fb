/** Relations between two places in Views. */
import { encloses } from "../../spans.ts";
import type { Place } from "./symbols.ts";

/** True if the first place contains the whole second one. */
export function contains(outer: Place, inner: Place): boolean {
  return outer.unit === inner.unit && encloses(outer.span, inner.span);
}
