/** Finds where the author wrote a name that the parser reads: at its place, or in the body of a macro that declares it. */
import { locationInFile } from "../../preprocess/unit-row.ts";
import type { Unit } from "../../preprocess/view/view.ts";
import type { Place } from "../../semantics/types/symbols.ts";
import type { Location, UnitLocation, ViewSpan } from "../../source.ts";

/** The place of the name, if its author wrote it: there, or in the body of a macro that declares it. */
export function located({ unit, span }: Place): readonly Location[] {
  if (unit.uri.startsWith("builtin:")) return [];
  const { location, exact } = unit.view.origin(span);
  const spelled = exact ? location : spelledIn(unit, span);
  return spelled === undefined ? [] : [locationInFile(unit, spelled)];
}

/** True for a name that stands in the author's text itself. */
export function isWrittenHere({ unit, span }: Place): boolean {
  return unit.view.origin(span).exact;
}

/** Where a macro's body spells a part of the View; undefined unless that is one place. */
function spelledIn({ view: { segments, text } }: Unit, { start, end }: ViewSpan): UnitLocation | undefined {
  const index = segments.indexAt(start);
  const segment = segments.at(index);
  const spelling = segment?.expansion?.spelling;
  if (segment === undefined || spelling === undefined || spelling.uri.startsWith("builtin:")) return undefined;
  const length = (segments.startOf(index + 1) ?? text.length) - segment.start;
  if (spelling.span.end - spelling.span.start !== length || end > segment.start + length) return undefined;
  const from = spelling.span.start + start - segment.start;
  return { uri: spelling.uri, span: { start: from, end: from + end - start } };
}
