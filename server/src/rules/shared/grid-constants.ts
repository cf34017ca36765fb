/**
 * What the `__grid_constant__` rules share: the annotation's word on a parameter, and the edits that add or drop it in the
 * author's spelling.
 */
import type { ParameterDeclaration, Place, PlacedWord } from "../../semantics/symbols.ts";
import type { Type } from "../../semantics/types.ts";
import type { PlacedEdit } from "../rule.ts";

const annotation = "__grid_constant__";

/** The annotation on a parameter, if it has one. */
export function gridConstantWord({ words }: ParameterDeclaration): PlacedWord | undefined {
  return words.find(({ text }) => text === annotation);
}

/**
 * The edit that makes a parameter's own type const: before the whole parameter, or for a pointer, whose specifiers say
 * what it points to, before its name.
 */
export function addConst(parameter: ParameterDeclaration): PlacedEdit | undefined {
  const { symbol, writtenType } = parameter;
  if (writtenType.kind === "array" || writtenType.kind === "reference" || writtenType.kind === "function") return undefined;
  if (!isPointer(writtenType)) return { place: parameter.place, how: "before", text: "const " };
  return symbol.name === "" ? undefined : { place: symbol.place, how: "before", text: "const " };
}

/** The edit that annotates a parameter, and makes it const where it is not. */
export function addGridConstant(parameter: ParameterDeclaration, spelling: string): PlacedEdit | undefined {
  const { symbol, writtenType } = parameter;
  if (writtenType.kind === "array" || writtenType.kind === "reference" || writtenType.kind === "function") return undefined;
  const needsConst = !writtenType.qualifiers.const;
  const written = isPointer(writtenType) ? undefined : parameter.words.find((word) => word.text === "const" && isSpelledOut(word));
  if (written !== undefined) return { place: written.place, how: "after", text: ` ${spelling}` };
  if (!isPointer(writtenType) && needsConst) return { place: parameter.place, how: "before", text: `const ${spelling} ` };
  if (symbol.name === "") return undefined;
  // Behind the type and before the name the words apply to the parameter itself, whatever its type is.
  return { place: symbol.place, how: "before", text: `${needsConst ? "const " : ""}${spelling} ` };
}

/** Its specifiers say what it points to. */
function isPointer({ kind }: Type): boolean {
  return kind === "pointer" || kind === "member-pointer";
}

/** The author wrote the word here, rather than a macro. */
function isSpelledOut({ place }: PlacedWord): boolean {
  return place.unit.view.origin(place.span).exact;
}

/** The edit that takes a word away, with the blank behind it; of a macro only its name. */
export function dropWord(word: PlacedWord): PlacedEdit {
  const { unit, span } = word.place;
  if (!isSpelledOut(word)) return { place: word.place, text: "" };
  const isFollowedByBlank = unit.view.text[span.end] === " ";
  return { place: { unit, span: { start: span.start, end: isFollowedByBlank ? span.end + 1 : span.end } }, text: "" };
}

/** How the author writes the annotation here: the macro's name where it comes out of one. */
export function spellingOf(place: Place): string {
  return place.unit.view.origin(place.span).macro?.name ?? annotation;
}
