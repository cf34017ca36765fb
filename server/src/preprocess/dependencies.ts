/** The files that a unit depends on. */
import { memo } from "../memo.ts";
import { unitsIn } from "./units.ts";
import type { Unit } from "./view/view.ts";

/** Every file that a unit depends on, itself first. Kept, because each header that is read in a unit asks for those of the unit. */
export const dependenciesOf = memo((unit: Unit): readonly string[] => {
  const uris = new Set<string>();
  for (const { uri, spliced = [] } of unitsIn(unit)) {
    uris.add(uri);
    for (const other of spliced) uris.add(other);
  }
  return [...uris].filter((uri) => !uri.startsWith("builtin:"));
});

/** Headers that the host should read to make the unit complete. */
export function unreadOf(unit: Unit): readonly string[] {
  return [...new Set(unitsIn(unit).flatMap(({ unread = [] }) => unread))];
}
