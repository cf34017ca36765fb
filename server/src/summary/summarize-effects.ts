/**
 * Summarizes the effects of functions on their arguments, and this file's questions about functions of others. A call that may
 * reach several functions (virtual ones, specialized templates) is not resolved to any of them.
 */
import { definitionParameter, type Effects, isSpecialized, ownObject, type StoreEffect, type WriteEffect } from "../analyses/effects.ts";
import { mutableOf } from "../analyses/object-writes.ts";
import type { NarrowedParameter } from "../analyses/pointers/narrowed-parameters.ts";
import { memo } from "../memo.ts";
import { fileOf } from "../preprocess/row.ts";
import { signatureOf } from "../semantics/declarations/function-signatures.ts";
import type { FunctionSymbol, Place, VariableSymbol } from "../semantics/types/symbols.ts";
import { containsUnknown } from "../semantics/types/types.ts";
import type { InUnits, UnitLocation } from "../source.ts";
import type { Question } from "./passed-objects.ts";
import type { CalleeSummary, EffectSummary, FunctionSummary, NarrowedSummary, QuestionSummary } from "./summary.ts";

/** The greatest number of effects per parameter; one is enough for a finding. */
const mostEffects = 4;

/** Summarizes a function that is defined in the file `uri`; undefined if it has no effects that other files need to know. */
export function summarizeFunction(
  uri: string,
  callee: FunctionSymbol,
  effects: Effects,
  narrowed: ReadonlyMap<VariableSymbol, NarrowedParameter>,
  cplusplus: boolean,
): InUnits<FunctionSummary> | undefined {
  // Kernels are launched rather than called.
  if (callee.declarations.some(({ execution }) => execution.kernel)) return undefined;
  const who = calleeSummary(callee, cplusplus);
  if (who?.definition === undefined || fileOf(who.definition.uri) !== uri) return undefined;
  const count = callee.type.parameters.length;
  const parameters = [ownObject, ...Array.from({ length: count }, (_, index) => index)].flatMap((index) => {
    const own = effects.own(callee, index);
    const cast = narrowedSummary(callee, index, narrowed);
    const passes = own.passes.flatMap((pass) => {
      const to = calleeSummary(pass.callee, cplusplus);
      // A source may specialize the other template.
      return to === undefined || (callee.isTemplate && pass.callee.isTemplate) ? [] : [{ callee: to, index: pass.index }];
    });
    if (own.effects.length === 0 && passes.length === 0 && cast === undefined) return [];
    return [
      { index, effects: own.effects.slice(0, mostEffects).map(effectSummary), passes, ...(cast === undefined ? {} : { narrowed: cast }) },
    ];
  });
  // A definition without effects still counts, because another definition of that name may exist.
  return { ...(who.key === undefined ? {} : { key: who.key }), definition: who.definition, parameters };
}

/** A question as plain data, without symbols of this translation unit. */
export function summarizeQuestion(
  rule: string,
  { object, declaration, callee, index, name, argument, spaces }: Question,
  cplusplus: boolean,
): readonly InUnits<QuestionSummary>[] {
  const to = calleeSummary(callee, cplusplus);
  if (to === undefined) return [];
  return [
    {
      rule,
      object,
      declaration: locationOf(declaration),
      callee: to,
      index,
      name,
      argument: locationOf(argument),
      ...(spaces === undefined ? {} : { spaces }),
    },
  ];
}

function narrowedSummary(
  callee: FunctionSymbol,
  index: number,
  narrowed: ReadonlyMap<VariableSymbol, NarrowedParameter>,
): InUnits<NarrowedSummary> | undefined {
  const symbol = definitionParameter(callee, index);
  const found = symbol === undefined ? undefined : narrowed.get(symbol);
  return found === undefined ? undefined : { name: symbol?.name ?? "", space: found.space, location: locationOf(found.cast.place) };
}

function effectSummary(effect: WriteEffect | StoreEffect): InUnits<EffectSummary> {
  const location = locationOf(effect.place);
  if (effect.kind === "store") return { kind: "store", location };
  const member = mutableOf(effect.steps);
  return { kind: "write", location, ...(member === undefined ? {} : { member }) };
}

/** The called function; undefined if it is ambiguous or internal to this file. All declarations must have been bound. */
const calleeSummary = memo((callee: FunctionSymbol, cplusplus: boolean): InUnits<CalleeSummary> | undefined => {
  const { declarations, record } = callee;
  if (
    callee.isBuiltin ||
    isSpecialized(callee) ||
    callee.primary !== undefined ||
    callee.lambda !== undefined ||
    record?.isDependent === true ||
    record?.isPolymorphic === true
  )
    return undefined;
  const first = declarations[0];
  if (first === undefined) return undefined;
  const definitions = declarations.filter(({ isDefinition }) => isDefinition);
  if (definitions.length > 1) return undefined;
  const definition = definitions[0] === undefined ? undefined : locationOf(definitions[0].namePlace);
  // A template is found through its definition, which each file that uses it includes.
  const key = callee.isInternal || callee.isTemplate ? undefined : keyOf(callee, cplusplus);
  if (key === undefined && definition === undefined) return undefined;
  return { ...(key === undefined ? {} : { key }), ...(definition === undefined ? {} : { definition }) };
});

/** The key by which files find a function. In C a name stands for one function, unless it is overloadable. */
function keyOf({ qualifiedName, declarations }: FunctionSymbol, cplusplus: boolean): string | undefined {
  const first = declarations[0];
  if (first === undefined || first.parameters.some(({ symbol }) => containsUnknown(symbol.type))) return undefined;
  const isOverloadable = cplusplus || declarations.some(({ attributes }) => attributes.some(({ name }) => /^_*overloadable_*$/.test(name)));
  return isOverloadable ? `${qualifiedName}(${signatureOf(first.parameters)})` : `${qualifiedName}/${first.parameters.length}`;
}

function locationOf({ unit, span }: Place): UnitLocation {
  return unit.view.origin(span).location;
}
