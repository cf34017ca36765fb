/** Maps edits placed in a View to the author's text. An edit of text that the author did not write has no place there and is dropped. */
import { locationInFile } from "../preprocess/unit-row.ts";
import type { Origin, Unit } from "../preprocess/view/view.ts";
import type { Place, SpecifierWord } from "../semantics/types/symbols.ts";
import type { Edit, UnitLocation, UnitUri } from "../source.ts";

/** An edit at a place in a View. If the author did not spell the text there, the fix that contains the edit is dropped. */
export interface PlacedEdit {
  readonly place: Place;
  /** `replace` is the default; `before` and `after` insert text next to the place. */
  readonly how?: "replace" | "before" | "after";
  readonly text: string;
}

/** An edit of the author's text, placed in the unit; undefined if the author did not write the text that it changes. */
export function toEdit({ place, how, text }: PlacedEdit): Edit<UnitLocation> | undefined {
  if (isBuiltin(place)) return undefined;
  const origin = place.unit.view.origin(place.span);
  if (!origin.exact) {
    // The words of a parameter may come from a macro; text can still be inserted before the parameter.
    const first = place.unit.view.origin({ start: place.span.start, end: Math.min(place.span.start + 1, place.span.end) });
    if (how !== "before" || (first.macro !== undefined && !startsInvocation(place, first))) return toMacroEdit(place, how, text);
    return { location: at(first.location.uri, first.location.span.start), text };
  }
  const { uri, span } = origin.location;
  if (how === "before") return { location: at(uri, span.start), text };
  if (how === "after") return { location: at(uri, span.end), text };
  return { location: origin.location, text };
}

/** Like `toEdit`, with the place in the file. */
export function toFileEdit(placed: PlacedEdit): Edit | undefined {
  const edit = toEdit(placed);
  return edit === undefined ? undefined : { ...edit, location: locationInFile(placed.place.unit, edit.location) };
}

/**
 * The edit that removes a word and the space after it, or at the end the space before it. If the word comes from a macro, it
 * removes the macro's name.
 */
export function dropWord(word: SpecifierWord): PlacedEdit {
  const { unit, span } = word.place;
  if (!isSpelledOut(word)) return { place: word.place, text: "" };
  const { text } = unit.view;
  if (isBlankAt(unit, span.end)) return { place: { unit, span: { start: span.start, end: span.end + 1 } }, text: "" };
  const isLast = /[,)]/.test(text[span.end] ?? "") && isBlankAt(unit, span.start - 1) && /\S/.test(text[span.start - 2] ?? "");
  return { place: { unit, span: { start: isLast ? span.start - 1 : span.start, end: span.end } }, text: "" };
}

/**
 * The edit that removes a statement or declaration. It removes the whole line if only comments that begin and end on it remain, and
 * otherwise one of the spaces around the statement.
 */
export function dropStatement({ unit, span }: Place): PlacedEdit {
  const { text } = unit.view;
  let { start, end } = span;
  while (isInLine(text[start - 1])) start -= 1;
  while (isInLine(text[end])) end += 1;
  const isLineEnd = (offset: number) => text[offset] === "\n" && !unit.view.isComment(offset);
  const isAlone = (start === 0 || isLineEnd(start - 1)) && isLineEnd(end);
  if (isAlone) return { place: { unit, span: { start, end: end + 1 } }, text: "" };
  const isBetweenSpaces = isBlankAt(unit, span.start - 1) && isBlankAt(unit, span.end);
  return { place: { unit, span: isBetweenSpaces ? { start: span.start, end: span.end + 1 } : span }, text: "" };
}

/** True if the author wrote the word here, rather than a macro. */
export function isSpelledOut({ place }: SpecifierWord): boolean {
  return place.unit.view.origin(place.span).exact;
}

/** True for a place in this project's own declarations of builtin functions, which have no file to edit. */
export function isBuiltin(place: Place): boolean {
  return place.unit.uri.startsWith("builtin:");
}

/** True if the place begins with the first token of a macro's expansion, so that text can be inserted before the macro's name. */
function startsInvocation({ unit, span }: Place, { location, macro }: Origin): boolean {
  if (location.span.end - location.span.start !== macro?.name.length) return false;
  const before = span.start === 0 ? undefined : unit.view.origin({ start: span.start - 1, end: span.start });
  return before?.location.uri !== location.uri || before.location.span.start !== location.span.start;
}

/** The edit of text that came from a macro without parameters: it may be removed together with the macro's name. */
function toMacroEdit(place: Place, how: PlacedEdit["how"], text: string): Edit<UnitLocation> | undefined {
  const { macro, location } = place.unit.view.origin(place.span);
  const { uri, span } = location;
  if (macro === undefined || (how ?? "replace") !== "replace" || text !== "" || span.end - span.start !== macro.name.length)
    return undefined;
  return { location: { uri, span: { start: span.start, end: span.end + blankAfter(place, location) } }, text };
}

/** True for the author's white space in a line, but not for a comment's place. */
function isBlankAt({ view }: Unit, offset: number): boolean {
  return isInLine(view.text[offset]) && !view.isComment(offset);
}

function isInLine(character: string | undefined): boolean {
  return character === " " || character === "\t" || character === "\r";
}

/** The length of one space after the macro's name, so that removing the name does not leave two spaces. */
function blankAfter({ unit, span }: Place, { uri, span: name }: UnitLocation): number {
  if (!isBlankAt(unit, span.end)) return 0;
  const { location, exact } = unit.view.origin({ start: span.end, end: span.end + 1 });
  return exact && location.uri === uri && location.span.start === name.end ? 1 : 0;
}

function at(uri: UnitUri, offset: number): UnitLocation {
  return { uri, span: { start: offset, end: offset } };
}
