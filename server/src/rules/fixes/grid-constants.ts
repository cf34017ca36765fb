/** The edits that annotate a parameter with `__grid_constant__` or make it const, in every declaration that must agree. */
import { annotationMacrosAt } from "../../analyses/annotation-macros.ts";
import {
  type AnnotationStyle,
  annotationEdit,
  annotationSlots,
  annotationStyleOf,
  describesPointee,
  gridConstantWord,
  isSpelledAlone,
  spellingOf,
  styleFor,
} from "../../analyses/grid-constants.ts";
import { locationInFile } from "../../preprocess/unit-row.ts";
import type { Unit } from "../../preprocess/view/view.ts";
import type { FunctionDeclaration, ParameterDeclaration, SpecifierWord } from "../../semantics/types/symbols.ts";
import type { FileUri } from "../../source.ts";
import type { PlacedEdit } from "../rule.ts";

/** The edits that annotate the parameter in these declarations; undefined if one of them has no place for the annotation. */
export function annotateAll(
  declarations: readonly FunctionDeclaration[],
  index: number,
  textOf: (uri: FileUri) => string,
): readonly PlacedEdit[] | undefined {
  const parameters = declarations.map(({ parameters: all }) => all[index]).filter((each) => each !== undefined);
  const styles = parameters.map(annotationStyleOf).filter((style) => style !== undefined);
  const beside = declarations.flatMap(({ parameters: all }) => all.map(annotationStyleOf)).filter((style) => style !== undefined);
  const edits = parameters
    .filter((each) => gridConstantWord(each) === undefined)
    .map((each) => {
      const slots = annotationSlots(each);
      const annotated = parameters.map(gridConstantWord).find((word) => word !== undefined);
      const isKnown = ({ spelling }: AnnotationStyle) =>
        spelling === "__grid_constant__" ||
        (annotated !== undefined && isSpelledAlone(annotated) && spelling === spellingOf(annotated.place) && isMacroKnown(annotated, each));
      return slots === undefined
        ? undefined
        : annotationEdit(slots, styleFor(annotationMacrosAt(each.place, textOf), [...styles, ...beside], isKnown));
    });
  return edits.every((edit) => edit !== undefined) ? edits : undefined;
}

/**
 * True if the macro that spells the word, if any, is defined before the declaration. A macro from a header was included before at
 * least one of the declarations.
 */
function isMacroKnown({ place }: SpecifierWord, { place: { unit, span } }: ParameterDeclaration): boolean {
  const definition = place.unit.view.origin(place.span).macro?.definition;
  if (definition === undefined) return true;
  const there = locationInFile(unit, unit.view.origin(span).location);
  const defined = locationInFile(unit, definition);
  return defined.uri !== there.uri || defined.span.start < there.span.start;
}

/**
 * The edit that makes a parameter's own type const. It precedes the whole parameter; for a pointer, whose specifiers describe its
 * pointee, it precedes the name.
 */
export function addConst(parameter: ParameterDeclaration): PlacedEdit | undefined {
  const { symbol, writtenType } = parameter;
  if (writtenType.kind === "array" || writtenType.kind === "reference" || writtenType.kind === "function") return undefined;
  if (!describesPointee(writtenType)) return { place: parameter.place, how: "before", text: "const " };
  if (symbol.name === "") return undefined;
  // nvcc accepts `*const __grid_constant__ p`, and not the other order.
  const word = gridConstantWord(parameter);
  const isBehind = word?.place.unit === symbol.place.unit && isBlank(symbol.place.unit, word.place.span.end, symbol.place.span.start);
  return { place: isBehind && word !== undefined ? word.place : symbol.place, how: "before", text: "const " };
}

function isBlank({ view }: Unit, start: number, end: number): boolean {
  return start <= end && /^\s*$/.test(view.text.slice(start, end));
}
