/**
 * Answers questions about a file that is read either as one unit or as a row of pieces, each a unit of its own. The caller need not
 * know which: a single unit is a row with one element.
 */
import { memo } from "../memo.ts";
import type { Location, UnitLocation, ViewSpan } from "../source.ts";
import { fileOf } from "./row.ts";
import type { IncludeSite, Unit, UnitRow } from "./view/view.ts";

/** A place in the View of a unit. */
interface PlaceInUnit {
  readonly unit: Unit;
  readonly span: ViewSpan;
}

/** The units that a file is read as, in order. */
export function unitsOfFile(unit: Unit): readonly Unit[] {
  return unit.row?.units ?? [unit];
}

/** True if the Views of the unit's file contain the text. */
export function fileContains(text: string, unit: Unit): boolean {
  return unitsOfFile(unit).some(({ view }) => view.text.includes(text));
}

/** True if both units are read from the text of one file. */
export function areInSameFile(a: Unit, b: Unit): boolean {
  return a === b || (a.row !== undefined && a.row === b.row);
}

/** Converts a place in a unit to the place in its file. `unit` belongs to the same row, if the place is in a piece. */
export function locationInFile(unit: Unit, { uri, span }: UnitLocation): Location {
  const start = unit.row?.startOf(uri) ?? 0;
  return { uri: fileOf(uri), span: { start: start + span.start, end: start + span.end } };
}

/** The author's code at a place in the View of a unit, as a place in its file. */
export function codeAt({ unit, span }: PlaceInUnit): Location {
  return locationInFile(unit, unit.view.origin(span).location);
}

/** True if a place is after another in the same file. */
export function isAfter(later: PlaceInUnit, earlier: PlaceInUnit): boolean {
  if (later.unit === earlier.unit) return later.span.start > earlier.span.end;
  return areInSameFile(later.unit, earlier.unit) && orderOf(later.unit) > orderOf(earlier.unit);
}

/** The includes of the file before a place, and those after it, each in order. */
export function includesAround({ unit, span }: PlaceInUnit): {
  readonly before: readonly IncludeSite[];
  readonly after: readonly IncludeSite[];
} {
  const own = orderOf(unit);
  const sites = unit.row === undefined ? unit.includes.map((site) => ({ site, index: 0 })) : headsOf(unit.row).sites;
  const isBefore = (site: IncludeSite, index: number) => index < own || (index === own && site.at <= span.start);
  const isAfterPlace = (site: IncludeSite, index: number) => index > own || (index === own && site.at > span.end);
  return {
    before: sites.filter(({ site, index }) => isBefore(site, index)).map(({ site }) => site),
    after: sites.filter(({ site, index }) => isAfterPlace(site, index)).map(({ site }) => site),
  };
}

/** True if some declaration of the file may have C linkage (C++17 §10.5). */
export function hasCLinkage(unit: Unit): boolean {
  return unit.row === undefined ? unit.view.text.includes('extern "C"') : headsOf(unit.row).hasCLinkage;
}

function orderOf(unit: Unit): number {
  return unit.row === undefined ? 0 : (headsOf(unit.row).order.get(unit) ?? 0);
}

/** The heads of a row's pieces, which an edit of a body does not change. */
interface Heads {
  readonly order: ReadonlyMap<Unit, number>;
  readonly sites: readonly { readonly site: IncludeSite; readonly index: number }[];
  readonly hasCLinkage: boolean;
}

const headsOf = memo(
  ({ units }: UnitRow): Heads => ({
    order: new Map(units.map((unit, index) => [unit, index])),
    sites: units.flatMap(({ includes }, index) => includes.map((site) => ({ site, index }))),
    hasCLinkage: units.some(({ view }) => view.text.includes('extern "C"')),
  }),
);
