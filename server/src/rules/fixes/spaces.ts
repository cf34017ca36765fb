/** Spells an address space in the author's style, and makes the edits that change one. Rules decide which conversions are wrong. */
import { memo } from "../../memo.ts";
import type { Unit } from "../../preprocess/view/view.ts";
import { type AddressSpace, namedSpace, qualifierOf } from "../../qualifiers.ts";
import type { Place, SpecifierWord, VariableSymbol } from "../../semantics/types/symbols.ts";
import { printType, type Type, unqualifiedType } from "../../semantics/types/types.ts";
import type { PlacedEdit } from "../rule.ts";

/** The words in a list that name an address space. */
export function spaceWordsOf(words: readonly SpecifierWord[]): readonly SpecifierWord[] {
  return words.filter(({ text }) => qualifierOf(text)?.addressSpace !== undefined);
}

/** True if the author's spelling is shorter than the View's, that is, without underscores. */
function isShort(word: SpecifierWord): boolean {
  const { location } = word.place.unit.view.origin(word.place.span);
  return location.span.end - location.span.start < word.text.length;
}

/** Spells a space in the style of the word that it replaces. */
export function spellSpace(space: AddressSpace, like: SpecifierWord): string {
  return isShort(like) ? space : `__${space}`;
}

/**
 * The edit that makes the specifiers of a single-level pointer name this space: replaces their only address space, or inserts
 * one. Undefined if several words or levels make it ambiguous.
 */
export function qualifySpecifiers(type: Type, words: readonly SpecifierWord[], whole: Place, space: AddressSpace): PlacedEdit | undefined {
  if (type.kind !== "pointer" || type.pointee.kind === "pointer" || type.pointee.kind === "array" || type.pointee.kind === "function")
    return undefined;
  const named = namedSpace(space);
  if (named === "generic" || named !== space) return undefined;
  const present = spaceWordsOf(words);
  const only = present[0];
  if (present.length > 1) return undefined;
  if (only !== undefined) return { place: only.place, text: spellSpace(named, only) };
  return { place: whole, how: "before", text: `${spellSpaceIn(whole.unit, space)} ` };
}

/** How many words are examined to determine the style of a file. */
const wordsAsked = 64;

/** Spells a space in the style of most words of the unit: with underscores if there are none, or as many of each. */
export function spellSpaceIn(unit: Unit, space: AddressSpace): string {
  return spellWordIn(unit, `__${space}`);
}

/** Like `spellSpaceIn`, for every OpenCL word that exists with and without leading underscores. */
export function spellWordIn(unit: Unit, word: string): string {
  if (word.endsWith("__")) return word;
  const isShortHere = unit.row === undefined ? mostAreShortIn(unit) : mostAreShort(unit.row.units);
  return isShortHere ? word.replace(/^__/, "") : word;
}

const mostAreShortIn = memo((unit: Unit) => mostAreShort([unit]));

function mostAreShort(units: readonly Unit[]): boolean {
  const count = (words: RegExp) => {
    let short = 0;
    let all = 0;
    for (const { view } of units)
      for (const { index, 0: word } of view.text.matchAll(words)) {
        const { location, macro } = view.origin({ start: index, end: index + word.length });
        if (macro !== undefined) continue;
        all += 1;
        if (location.span.end - location.span.start < word.length) short += 1;
        if (all === wordsAsked) return { short, all };
      }
    return { short, all };
  };
  const spaces = count(/\b__(?:global|local|constant|private|generic)\b/g);
  const { short, all } = spaces.all > 0 ? spaces : count(/\b__kernel\b/g);
  return short * 2 > all;
}

/** Like `qualifySpecifiers`, for the declaration of a variable or parameter. */
export function qualifyDeclaration(variable: VariableSymbol, space: AddressSpace): PlacedEdit | undefined {
  return variable.sharesSpecifiers ? undefined : qualifySpecifiers(variable.type, variable.words, variable.declaration, space);
}

/** The spelling of a pointer type without the pointer's own address space: `__local int *`. */
export function printPointer(type: Type): string {
  return printType(unqualifiedType(type));
}
