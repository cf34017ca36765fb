/**
 * What is known of `__grid_constant__` on a parameter: its word, the places where it could stand, and how an author spells and
 * orders it. Which parameters should have it is decided elsewhere.
 */
import type { Facts } from "../semantics/facts/facts.ts";
import type { ParameterDeclaration, Place, PlacedWord } from "../semantics/types/symbols.ts";
import type { Type } from "../semantics/types/types.ts";
import type { AnnotationMacro } from "./annotation-macros.ts";
import { isSpelledOut } from "./placed-edits.ts";

const annotation = "__grid_constant__";

/** How a parameter is annotated: `const GC T p`, `GC const T p` or `const T GC p`. */
export interface AnnotationStyle extends AnnotationMacro {
  readonly order: "behind-const" | "before-const" | "before-name";
}

/** The places of a parameter that an annotation may be put at; `At` is a Place, or a Location in a Summary. */
export interface AnnotationSlots<At> {
  /** The whole parameter; of a Location only the start counts. */
  readonly whole: At;
  /** A `const` among its specifiers that the author wrote there. */
  readonly written?: At;
  readonly name?: At;
  /** Its own type is not const yet. */
  readonly needsConst: boolean;
  /** Its specifiers say what it points to, so that words about itself stand before the name. */
  readonly isPointer: boolean;
}

/** An edit beside a parameter's words. */
export interface SlotEdit<At> {
  readonly place: At;
  readonly how: "before" | "after" | "replace";
  readonly text: string;
}

/** Kernel parameters with the annotation, as each declaration writes them. */
export function* annotatedParameters({ words }: Facts): Generator<{ readonly word: PlacedWord; readonly parameter: ParameterDeclaration }> {
  for (const { word, on, parameter, function: declaration } of words) {
    if (word.text === annotation && on === "parameter" && parameter !== undefined && declaration?.execution.kernel === true)
      yield { word, parameter };
  }
}

/** The annotation on a parameter, if it has one. */
export function gridConstantWord({ words }: ParameterDeclaration): PlacedWord | undefined {
  return words.find(({ text }) => text === annotation);
}

/** Where a parameter can be annotated; undefined where it cannot, because it is not passed by value. */
export function annotationSlots(parameter: ParameterDeclaration): AnnotationSlots<Place> | undefined {
  const { symbol, writtenType, place, words } = parameter;
  if (writtenType.kind === "array" || writtenType.kind === "reference" || writtenType.kind === "function") return undefined;
  const isPointer = pointsElsewhere(writtenType);
  const written = isPointer ? undefined : words.find((word) => word.text === "const" && isSpelledOut(word));
  return {
    whole: place,
    ...(written === undefined ? {} : { written: written.place }),
    ...(symbol.name === "" ? {} : { name: symbol.place }),
    needsConst: !writtenType.qualifiers.const,
    isPointer,
  };
}

/** The one edit that annotates a parameter, and makes it const where it is not; undefined where there is no room for it. */
export function annotationEdit<At>(slots: AnnotationSlots<At>, style: AnnotationStyle): SlotEdit<At> | undefined {
  const { whole, written, name, needsConst, isPointer } = slots;
  const { order } = style;
  if (style.saysConst && written !== undefined) return { place: written, how: "replace", text: style.spelling };
  // A const that a typedef brings along must not be said again.
  const isPlain = style.saysConst && !needsConst;
  const spelling = isPlain ? annotation : style.spelling;
  const addsConst = needsConst && !style.saysConst;
  if (!isPointer && order !== "before-name") {
    if (written !== undefined)
      return order === "behind-const"
        ? { place: written, how: "after", text: ` ${spelling}` }
        : { place: written, how: "before", text: `${spelling} ` };
    const both = order === "behind-const" ? `const ${spelling}` : `${spelling} const`;
    return { place: whole, how: "before", text: `${addsConst ? both : spelling} ` };
  }
  if (name !== undefined) return { place: name, how: "before", text: `${addsConst ? "const " : ""}${spelling} ` };
  if (isPointer) return undefined;
  return annotationEdit(slots, { ...style, order: "behind-const" });
}

/** The style of an annotated parameter; undefined of another. */
export function annotationStyleOf(parameter: ParameterDeclaration): AnnotationStyle | undefined {
  const word = gridConstantWord(parameter);
  if (word === undefined) return undefined;
  const written = parameter.words.find(({ text }) => text === "const");
  const { macro, location } = word.place.unit.view.origin(word.place.span);
  const fromSame = written?.place.unit.view.origin(written.place.span).location;
  const saysConst =
    macro !== undefined && fromSame?.uri === location.uri && fromSame.span.start === location.span.start && written !== undefined;
  return { spelling: spellingOf(word.place), saysConst, order: orderOf(parameter, word, written) };
}

/** A pointer leaves no choice, and says nothing about how its author writes other parameters. */
function orderOf(
  { writtenType, place }: ParameterDeclaration,
  word: PlacedWord,
  written: PlacedWord | undefined,
): AnnotationStyle["order"] {
  if (pointsElsewhere(writtenType)) return "behind-const";
  const { start, end } = word.place.span;
  const isBehindType = /[\w>]/.test(withoutWords(place.unit.view.text.slice(place.span.start, start)));
  if (isBehindType && (written === undefined || start - written.place.span.end > 1)) return "before-name";
  return written !== undefined && written.place.span.start >= end ? "before-const" : "behind-const";
}

function withoutWords(text: string): string {
  return text.replace(/\b(const|volatile|struct|class|union|typename)\b/g, "");
}

/**
 * How a declaration should write the annotation: in the order of the others, with the project's macro where it is known at the
 * place. `others` are annotated already, the most alike first.
 */
export function styleFor(
  macros: readonly AnnotationMacro[],
  others: readonly AnnotationStyle[],
  isKnown: (style: AnnotationStyle) => boolean = () => false,
): AnnotationStyle {
  const order = others[0]?.order ?? "behind-const";
  const known = others.find((style) => isKnown(style) || macros.some(({ spelling }) => spelling === style.spelling));
  const macro = known ?? macros[0];
  return macro === undefined
    ? { spelling: annotation, saysConst: false, order }
    : { spelling: macro.spelling, saysConst: macro.saysConst, order };
}

/** How the author writes the annotation here: the macro's name where it comes out of one. */
export function spellingOf(place: Place): string {
  return place.unit.view.origin(place.span).macro?.name ?? annotation;
}

/** Its specifiers say what it points to. */
export function pointsElsewhere({ kind }: Type): boolean {
  return kind === "pointer" || kind === "member-pointer";
}
