/**
 * `__grid_constant__` on parameters: its word, the places where it can stand, and how an author spells and orders it. Other files
 * decide which parameters should have it.
 */
import type { Facts } from "../semantics/facts/facts.ts";
import type { ParameterDeclaration, Place, SpecifierWord } from "../semantics/types/symbols.ts";
import type { Type } from "../semantics/types/types.ts";
import type { AnnotationMacro } from "./annotation-macros.ts";
import { isSpelledOut } from "./placed-edits.ts";

const annotation = "__grid_constant__";

/** How a parameter is annotated: `const GC T p`, `GC const T p` or `const T GC p`. */
export interface AnnotationStyle extends AnnotationMacro {
  readonly order: "after-const" | "before-const" | "before-name";
}

/** The places in a parameter where an annotation can stand; `At` is a Place, or a Location in a Summary. */
export interface AnnotationSlots<At> {
  /** The whole parameter; only the start of a Location is used. */
  readonly whole: At;
  /** A `const` among its specifiers that the author wrote there. */
  readonly written?: At;
  readonly name?: At;
  /** Its own type is not const yet. */
  readonly needsConst: boolean;
  /** Its specifiers describe its pointee, so qualifiers of the parameter itself stand before the name. */
  readonly isPointer: boolean;
}

/** An edit next to a parameter's specifiers. */
export interface SlotEdit<At> {
  readonly place: At;
  readonly how: "before" | "after" | "replace";
  readonly text: string;
}

/** Kernel parameters with the annotation, as written in each declaration. */
export function* annotatedParameters({
  words,
}: Facts): Generator<{ readonly word: SpecifierWord; readonly parameter: ParameterDeclaration }> {
  for (const { word, on, parameter, function: declaration } of words) {
    if (word.text === annotation && on === "parameter" && parameter !== undefined && declaration?.execution.kernel === true)
      yield { word, parameter };
  }
}

/** The annotation on a parameter, if it has one. */
export function gridConstantWord({ words }: ParameterDeclaration): SpecifierWord | undefined {
  return words.find(({ text }) => text === annotation);
}

/**
 * True if the author wrote the word, or a macro that stands for it and at most for `const`. A macro that also spells the type cannot
 * be added or removed with the annotation.
 */
export function isSpelledAlone(word: SpecifierWord): boolean {
  if (isSpelledOut(word)) return true;
  const { unit, span } = word.place;
  const { text } = unit.view;
  const own = unit.view.origin(span).location;
  const isOfMacro = ({ start, end }: { readonly start: number; readonly end: number }): boolean => {
    const { location, macro } = unit.view.origin({ start, end });
    return macro !== undefined && location.uri === own.uri && location.span.start === own.span.start;
  };
  const before = /(\w+|[^\s\w])\s*$/.exec(text.slice(Math.max(0, span.start - longestWord), span.start));
  const after = /^\s*(\w+|[^\s\w])/.exec(text.slice(span.end, span.end + longestWord));
  const neighbors = [
    ...(before === null ? [] : [{ word: before[1], start: span.start - before[0].length }]),
    ...(after === null ? [] : [{ word: after[1], start: span.end + after[0].length - (after[1]?.length ?? 0) }]),
  ];
  return neighbors.every((each) => each.word === "const" || !isOfMacro({ start: each.start, end: each.start + (each.word?.length ?? 0) }));
}

/** How much text around a word is searched for its neighbors. */
const longestWord = 200;

/** True for a tensor map, which is recognized by its name, because its header may be missing. */
export function isTensorMap(type: Type): boolean {
  return type.kind === "record" && /^CUtensorMap(_st)?$/.test(type.record.tag ?? "");
}

/** Where a parameter can be annotated; undefined if it cannot, because it is not passed by value. */
export function annotationSlots(parameter: ParameterDeclaration): AnnotationSlots<Place> | undefined {
  const { symbol, writtenType, place, words } = parameter;
  if (writtenType.kind === "array" || writtenType.kind === "reference" || writtenType.kind === "function") return undefined;
  const isPointer = describesPointee(writtenType);
  // `T *...ps` has no place before the name, and clang rejects qualifiers of pointers to functions there.
  if (isPointer && (symbol.isPack === true || (writtenType.kind === "pointer" && writtenType.pointee.kind === "function")))
    return undefined;
  const written = isPointer ? undefined : words.find((word) => word.text === "const" && isSpelledOut(word));
  return {
    whole: place,
    ...(written === undefined ? {} : { written: written.place }),
    ...(symbol.name === "" ? {} : { name: symbol.place }),
    needsConst: !writtenType.qualifiers.const,
    isPointer,
  };
}

/** The edit that annotates a parameter, and makes it const if it is not; undefined if there is no place for it. */
export function annotationEdit<At>(slots: AnnotationSlots<At>, style: AnnotationStyle): SlotEdit<At> | undefined {
  const { whole, written, name, needsConst, isPointer } = slots;
  const { order } = style;
  if (style.includesConst && written !== undefined) return { place: written, how: "replace", text: style.spelling };
  // A const from a typedef must not be repeated.
  const isPlain = style.includesConst && !needsConst;
  const spelling = isPlain ? annotation : style.spelling;
  const addsConst = needsConst && !style.includesConst;
  if (!isPointer && order !== "before-name") {
    if (written !== undefined)
      return order === "after-const"
        ? { place: written, how: "after", text: ` ${spelling}` }
        : { place: written, how: "before", text: `${spelling} ` };
    const both = order === "after-const" ? `const ${spelling}` : `${spelling} const`;
    return { place: whole, how: "before", text: `${addsConst ? both : spelling} ` };
  }
  if (name !== undefined) return { place: name, how: "before", text: `${addsConst ? "const " : ""}${spelling} ` };
  if (isPointer) return undefined;
  return annotationEdit(slots, { ...style, order: "after-const" });
}

/** The style of an annotated parameter; undefined if it has no annotation. */
export function annotationStyleOf(parameter: ParameterDeclaration): AnnotationStyle | undefined {
  const word = gridConstantWord(parameter);
  if (word === undefined) return undefined;
  if (!isSpelledAlone(word)) return { spelling: annotation, includesConst: false, order: "after-const" };
  const written = parameter.words.find(({ text }) => text === "const");
  const { macro, location } = word.place.unit.view.origin(word.place.span);
  const fromSame = written?.place.unit.view.origin(written.place.span).location;
  const includesConst =
    macro !== undefined && fromSame?.uri === location.uri && fromSame.span.start === location.span.start && written !== undefined;
  return { spelling: spellingOf(word.place), includesConst, order: orderOf(parameter, word, written) };
}

/**
 * The order in which the author writes the annotation and `const`. A pointer parameter allows one order only, so it shows nothing
 * about the author's preference.
 */
function orderOf(
  { writtenType, place }: ParameterDeclaration,
  word: SpecifierWord,
  written: SpecifierWord | undefined,
): AnnotationStyle["order"] {
  if (describesPointee(writtenType)) return "after-const";
  const { start, end } = word.place.span;
  const isAfterType = /[\w>]/.test(withoutWords(place.unit.view.text.slice(place.span.start, start)));
  if (isAfterType && (written === undefined || start - written.place.span.end > 1)) return "before-name";
  return written !== undefined && written.place.span.start >= end ? "before-const" : "after-const";
}

function withoutWords(text: string): string {
  return text.replace(/\b(const|volatile|struct|class|union|typename)\b/g, "");
}

/**
 * The style in which a declaration should write the annotation: in the order of the others, with the project's macro if that is
 * defined at the place. `others` are already annotated, the most similar first.
 */
export function styleFor(
  macros: readonly AnnotationMacro[],
  others: readonly AnnotationStyle[],
  isKnown: (style: AnnotationStyle) => boolean,
): AnnotationStyle {
  const order = others[0]?.order ?? "after-const";
  const known = others.find((style) => isKnown(style) || macros.some(({ spelling }) => spelling === style.spelling));
  const macro = known ?? macros[0];
  return macro === undefined
    ? { spelling: annotation, includesConst: false, order }
    : { spelling: macro.spelling, includesConst: macro.includesConst, order };
}

/** The author's spelling of the annotation here: the macro's name, if the annotation comes from one. */
export function spellingOf(place: Place): string {
  return place.unit.view.origin(place.span).macro?.name ?? annotation;
}

/** True if the specifiers of a parameter of this type describe its pointee. */
export function describesPointee({ kind }: Type): boolean {
  return kind === "pointer" || kind === "member-pointer";
}
