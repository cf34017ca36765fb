/** The edit that declares a parameter as the pointer that an array parameter is. */
import type { ParameterDeclaration } from "../../semantics/types/symbols.ts";
import type { PlacedEdit } from "../rule.ts";

/** The edit of `data[16]` to `*data`, and of `rows[4][8]` to `(*rows)[8]`; undefined for other spellings. */
export function pointerInstead({ place: { unit, span }, symbol, writtenType }: ParameterDeclaration): PlacedEdit | undefined {
  const { place } = symbol;
  if (writtenType.kind !== "array" || place.unit !== unit) return undefined;
  const bounds = /^\s*\[[\w\s+*]*\](?<others>(?:\s*\[[^\]]*\])*)\s*$/.exec(unit.view.text.slice(place.span.end, span.end));
  if (bounds === null || /\b(?:static|const|volatile|(?:__)?restrict)\b/.test(bounds[0])) return undefined;
  const others = bounds.groups?.["others"]?.trim() ?? "";
  if ((others === "") === (writtenType.element.kind === "array")) return undefined;
  const pointer = others === "" ? `*${symbol.name}` : `(*${symbol.name})${others}`;
  return { place: { unit, span: { start: place.span.start, end: span.end } }, text: pointer };
}
