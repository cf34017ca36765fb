/**
 * Questions about a file that is read as one unit or as a row of pieces, each a unit of its own. Who asks need not know which:
 * one unit is a row of itself alone.
 */
import type { Location, Span } from "../source.ts";
import { fileOf } from "./row.ts";
import type { IncludeSite, Unit } from "./view.ts";

/** A place in the View of a unit. */
interface PlaceInUnit {
  readonly unit: Unit;
  readonly span: Span;
}

/** The units that a file is read as, in order. */
export function unitsBeside(unit: Unit): readonly Unit[] {
  return unit.row?.units ?? [unit];
}

/** Whether a text stands anywhere in the file that a unit is read from. */
export function isSaid(text: string, unit: Unit): boolean {
  return unitsBeside(unit).some(({ view }) => view.text.includes(text));
}

/** Both units are read from the text of one file. */
export function areOfOneFile(a: Unit, b: Unit): boolean {
  return a === b || (a.row !== undefined && a.row === b.row);
}

/** A location in a piece as one in its file; any other location as it is. */
export function locationInFile(unit: Unit, location: Location): Location {
  const start = unit.row?.startOf(location.uri);
  if (start === undefined) return location;
  const { uri, span } = location;
  return { uri: fileOf(uri), span: { start: start + span.start, end: start + span.end } };
}

/** Whether a place stands behind another in the same file. */
export function standsBehind(later: PlaceInUnit, earlier: PlaceInUnit): boolean {
  if (later.unit === earlier.unit) return later.span.start > earlier.span.end;
  const units = areOfOneFile(later.unit, earlier.unit) ? unitsBeside(later.unit) : [];
  return units.indexOf(later.unit) > units.indexOf(earlier.unit);
}

/** The includes of the file that stand in front of a place, and those behind it, each in order. */
export function includesAround({ unit, span }: PlaceInUnit): {
  readonly before: readonly IncludeSite[];
  readonly behind: readonly IncludeSite[];
} {
  const units = unitsBeside(unit);
  const own = units.indexOf(unit);
  const includesOf = (some: readonly Unit[]) => some.flatMap(({ includes }) => includes);
  return {
    before: [...includesOf(units.slice(0, own)), ...unit.includes.filter(({ at }) => at <= span.start)],
    behind: [...unit.includes.filter(({ at }) => at > span.end), ...includesOf(units.slice(own + 1))],
  };
}
