/**
 * What the address-space rules share: how a space is spelled in the author's style, and the edits that change one.
 * Which conversions are wrong is not decided here.
 */
import type { ParameterDeclaration, Place, PlacedWord, VariableSymbol } from "../../semantics/symbols.ts";
import { type AddressSpace, spell, type Type, unqualifiedType } from "../../semantics/types.ts";
import type { PlacedEdit } from "../rule.ts";

const spaceWords: Readonly<Record<string, AddressSpace>> = {
  __global: "global",
  __local: "local",
  __constant: "constant",
  __private: "private",
  __generic: "generic",
};

/** The words among these that name an address space. */
export function spaceWordsOf(words: readonly PlacedWord[]): readonly PlacedWord[] {
  return words.filter(({ text }) => Object.hasOwn(spaceWords, text));
}

/** What the author's text at a place measures; a word that the View spells longer was written without underscores. */
function isShort(word: PlacedWord): boolean {
  const { location } = word.place.unit.view.origin(word.place.span);
  return location.span.end - location.span.start < word.text.length;
}

/** Spells a space as the author spells the word that it replaces. */
export function spellSpace(space: AddressSpace, like: PlacedWord): string {
  return isShort(like) ? space : `__${space}`;
}

/**
 * The edit that makes the specifiers of a single-level pointer name this space: replaces the one space word that they
 * have, or inserts one. Undefined where several words or levels make it unclear which is meant.
 */
export function respace(type: Type, words: readonly PlacedWord[], whole: Place, space: AddressSpace): PlacedEdit | undefined {
  if (type.kind !== "pointer" || type.pointee.kind === "pointer" || type.pointee.kind === "array" || type.pointee.kind === "function")
    return undefined;
  if (space === "generic") return undefined;
  const present = spaceWordsOf(words);
  const only = present[0];
  if (present.length > 1) return undefined;
  if (only !== undefined) return { place: only.place, text: spellSpace(space, only) };
  return { place: whole, how: "before", text: `__${space} ` };
}

/** The same for the declaration of a variable or parameter. */
export function respaceDeclaration(variable: VariableSymbol, space: AddressSpace): PlacedEdit | undefined {
  return variable.sharesSpecifiers ? undefined : respace(variable.type, variable.words, variable.declaration, space);
}

/** Removes a word together with the blank behind it. */
export function dropWord(word: PlacedWord): PlacedEdit {
  const { unit, span } = word.place;
  const isFollowedByBlank = /^[ \t]\S/.test(unit.view.text.slice(span.end, span.end + 2));
  return { place: isFollowedByBlank ? { unit, span: { start: span.start, end: span.end + 1 } } : word.place, text: "" };
}

/** The variable behind a conversion's target, if it is one. */
export function variableOf(target: unknown): VariableSymbol | undefined {
  const candidate = target as VariableSymbol | ParameterDeclaration | { kind?: undefined; symbol?: undefined } | undefined;
  if (candidate === undefined) return undefined;
  if ("kind" in candidate && candidate.kind === "variable") return candidate;
  return "symbol" in candidate ? candidate.symbol : undefined;
}

/** `__local int *`: a pointer type without the space that the pointer itself lives in. */
export function spellPointer(type: Type): string {
  return spell(unqualifiedType(type));
}
