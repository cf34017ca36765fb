/** The units of a translation unit. */
import { memo } from "../memo.ts";
import type { Unit } from "./view/view.ts";

/**
 * The unit itself and all headers below it, each once, in the order of their first includes. Kept, because checking a file takes several
 * passes over its headers, and each header that is read in a unit asks for them.
 */
export const unitsIn = memo((root: Unit): readonly Unit[] => {
  const found = new Set<Unit>();
  const stack = [root];
  for (let unit = stack.pop(); unit !== undefined; unit = stack.pop()) {
    if (found.has(unit)) continue;
    found.add(unit);
    for (const { unit: header } of unit.includes.toReversed()) if (header !== undefined && !found.has(header)) stack.push(header);
  }
  return [...found];
});

/** The units that contain this file's text, its own first. */
export function unitsWith(root: Unit, uri: string): readonly Unit[] {
  const units = unitsIn(root);
  const own = units.filter((unit) => unit.uri === uri);
  return [...own, ...units.filter((unit) => unit.uri !== uri && unit.view.segments.areIn(uri))];
}
