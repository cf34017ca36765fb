/**
 * OpenCL C: summarizes functions with external linkage that take pointers. A summary has the address space of each parameter's
 * pointee, and the words that a fix would change.
 */
import { callsOf } from "../analyses/fact-index.ts";
import { dropWord, toEdit } from "../analyses/placed-edits.ts";
import { fileOf } from "../preprocess/row.ts";
import { qualifierOf } from "../qualifiers.ts";
import type { Facts } from "../semantics/facts/facts.ts";
import { isOverloadable } from "../semantics/symbols/candidates.ts";
import { levelsOf } from "../semantics/types/compatible.ts";
import type { FunctionDeclaration, FunctionSymbol, ParameterDeclaration } from "../semantics/types/symbols.ts";
import { containsUnknown, printType, unqualifiedType } from "../semantics/types/types.ts";
import type { InUnits } from "../source.ts";
import { hasWord } from "../syntax/walk.ts";
import type { PointerSummary, PrototypeSummary } from "./summary.ts";

/**
 * The declarations of one function in a translation unit of these files. If one is the definition, the others are left out: the
 * unit's own check compares them with it.
 */
export function summarizePrototypes(owner: FunctionSymbol, files: readonly string[], facts: Facts): readonly InUnits<PrototypeSummary>[] {
  const { declarations } = owner;
  const definitions = declarations.filter(({ isDefinition }) => isDefinition).flatMap((each) => summarizePrototype(each) ?? []);
  const isDefinedHere = definitions.some(({ location }) => files.includes(fileOf(location.uri)));
  if (isDefinedHere) return definitions;
  const isCalled = callsOf(facts, owner).length > 0;
  return declarations
    .flatMap((each) => summarizePrototype(each) ?? [])
    .map((each) => (isCalled && !each.isDefinition ? { ...each, isCalled } : each));
}

/** A declaration that another file may refer to; undefined if it has no pointers, or may be one of several functions. */
function summarizePrototype(declaration: FunctionDeclaration): InUnits<PrototypeSummary> | undefined {
  const { owner, namePlace, parameters, isDefinition } = declaration;
  const isPlain = !owner.isInternal && !owner.isTemplate && !owner.isBuiltin && owner.record === undefined && owner.lambda === undefined;
  if (!isPlain || declaration.isUncertain === true || isOverloadable(declaration)) return undefined;
  // Without `static` or `extern`, an inline definition is local to its file (C11 §6.7.4p7).
  if (hasWord(declaration.words, "inline")) return undefined;
  const pointers = parameters.map(summarizePointer);
  if (pointers.every((each) => each === undefined)) return undefined;
  return {
    name: owner.name,
    isDefinition,
    location: namePlace.unit.view.origin(namePlace.span).location,
    parameters: pointers.map((each) => each ?? null),
  };
}

function summarizePointer({ symbol, words, place, writtenType }: ParameterDeclaration): InUnits<PointerSummary> | undefined {
  const { type } = symbol;
  if (type.kind !== "pointer" || containsUnknown(type)) return undefined;
  const levels = levelsOf(type, "arrays").map(({ qualifiers: { space, const: isConst, volatile } }) => ({
    ...(space === undefined ? {} : { space }),
    isConst,
    isVolatile: volatile,
  }));
  const isSingle = writtenType.kind === "pointer" && type.pointee.kind !== "pointer" && type.pointee.kind !== "array";
  const spaces = words.filter(({ text }) => qualifierOf(text)?.addressSpace !== undefined);
  const [space] = spaces;
  const replaced = space === undefined || spaces.length > 1 ? undefined : toEdit({ place: space.place, text: "" })?.location;
  const before = toEdit({ place, how: "before", text: "" })?.location;
  const constWord = words.find(({ text }) => text === "const");
  const dropped = constWord === undefined ? undefined : toEdit(dropWord(constWord))?.location;
  return {
    type: printType(unqualifiedType(type)),
    levels,
    location: place.unit.view.origin(place.span).location,
    ...(isSingle && before !== undefined ? { before } : {}),
    ...(isSingle && replaced !== undefined && space !== undefined
      ? { space: { location: replaced, isShort: replaced.span.end - replaced.span.start < space.text.length } }
      : {}),
    ...(isSingle && dropped !== undefined ? { const: dropped } : {}),
  };
}
