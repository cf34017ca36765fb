/**
 * Indexes facts by their subject. A rule that needs the accesses to each variable looks them up here, because a pass over all facts
 * for each variable would be quadratic in the length of the file. Each index is built on its first use.
 */
import { countUpTo } from "../lists.ts";
import { memo } from "../memo.ts";
import type { Unit } from "../preprocess/view/view.ts";
import type {
  AccessFact,
  CallFact,
  ConversionFact,
  Facts,
  InstantiationFact,
  OperandsFact,
  ReferenceFact,
  VariableFact,
} from "../semantics/facts/facts.ts";
import type { FunctionDeclaration, FunctionSymbol, Place, VariableSymbol } from "../semantics/types/symbols.ts";
import type { ViewSpan } from "../source.ts";
import type { Expression } from "../syntax/ast.ts";
import { groupBy } from "./group-by.ts";

/** The variable or parameter behind a conversion's target; undefined if a function returns the value. */
export function variableOf(target: ConversionFact["target"]): VariableSymbol | undefined {
  if (target === undefined) return undefined;
  if ("kind" in target) return target;
  return "symbol" in target ? target.symbol : undefined;
}

/** The accesses to a variable or its parts, in source order. */
export const accessesTo: (facts: Facts, variable: VariableSymbol) => readonly AccessFact[] = indexed(
  ({ accesses }) => accesses,
  ({ path }) => path.root,
);

/** The accesses whose place contains another. */
export const accessesAround: (facts: Facts, place: Place) => readonly AccessFact[] = nested(
  ({ accesses }) => accesses,
  ({ place }) => place,
);

/** The accesses in a lambda, including the lambdas inside it, in source order. */
export const accessesInLambda: (facts: Facts, lambda: FunctionSymbol) => readonly AccessFact[] = indexedByAll(
  ({ accesses }) => accesses,
  ({ lambda }) => enclosingLambdas(lambda),
);

/** The calls in a lambda, including the lambdas inside it, in source order. */
export const callsInLambda: (facts: Facts, lambda: FunctionSymbol) => readonly CallFact[] = indexedByAll(
  ({ calls }) => calls,
  ({ lambda }) => enclosingLambdas(lambda),
);

/** A lambda and the lambdas around it. */
export function enclosingLambdas(lambda: FunctionSymbol | undefined): readonly FunctionSymbol[] {
  const all: FunctionSymbol[] = [];
  for (let current = lambda; current !== undefined; current = current.enclosing) all.push(current);
  return all;
}

/** The calls that receive a variable or a part of it as an argument, in source order. */
export const callsWith: (facts: Facts, variable: VariableSymbol) => readonly CallFact[] = indexedByAll(
  ({ calls }) => calls,
  (call) => new Set(call.arguments.flatMap(({ path }) => path?.root ?? [])),
);

/** The calls of member functions on a variable or a part of it, in source order. */
export const callsOn: (facts: Facts, variable: VariableSymbol) => readonly CallFact[] = indexed(
  ({ calls }) => calls,
  ({ object }) => object?.path?.root,
);

/** The implicit conversions whose operand points to a variable, to what it points to, or to a part of either, in source order. */
export const conversionsFrom: (facts: Facts, variable: VariableSymbol) => readonly ConversionFact[] = indexedByAll(
  ({ conversions }) => conversions,
  ({ context, path, alternatives }) =>
    context === "cast" ? [] : new Set([path, ...(alternatives ?? []).map((each) => each.path)].flatMap((each) => each?.root ?? [])),
);

/** The implicit conversions whose value initializes or is assigned to a variable or parameter, in source order. */
export const conversionsTo: (facts: Facts, target: VariableSymbol) => readonly ConversionFact[] = indexed(
  ({ conversions }) => conversions,
  ({ context, target }) => (context === "cast" ? undefined : variableOf(target)),
);

/** The conversions of exactly this operand, in source order. */
export const conversionsOf: (facts: Facts, operand: Place) => readonly ConversionFact[] = placed(
  ({ conversions }) => conversions,
  ({ operandPlace }) => operandPlace,
);

/** The accesses that assign the value of exactly this expression, in source order. */
export const assignmentsOf: (facts: Facts, value: Place) => readonly AccessFact[] = placed(
  ({ accesses }) => accesses,
  ({ assigned }) => assigned,
);

/** The calls at exactly this place. */
export const callsAt: (facts: Facts, place: Place) => readonly CallFact[] = placed(
  ({ calls }) => calls,
  ({ place }) => place,
);

/** The conversions whose operand contains the place. */
export const conversionsAround: (facts: Facts, place: Place) => readonly ConversionFact[] = nested(
  ({ conversions }) => conversions,
  ({ operandPlace }) => operandPlace,
);

/** The pairs of operands that contain the place. */
export const operandsAround: (facts: Facts, place: Place) => readonly OperandsFact[] = nested(
  ({ operands }) => operands,
  ({ place }) => place,
);

/** The branches around the place that may be discarded. */
export const undecidedAround: (facts: Facts, place: Place) => readonly Place[] = nested(
  ({ undecided }) => undecided,
  (branch) => branch,
);

/** The calls that contain the place. */
export const callsAround: (facts: Facts, place: Place) => readonly CallFact[] = nested(
  ({ calls }) => calls,
  ({ place }) => place,
);

/** The calls and launches of a function, in source order. */
export const callsOf: (facts: Facts, callee: FunctionSymbol) => readonly CallFact[] = indexed(
  ({ calls }) => calls,
  ({ callee }) => callee,
);

/** The instantiations of a template that a file requests, in source order. */
export const instantiationsOf: (facts: Facts, template: FunctionSymbol) => readonly InstantiationFact[] = indexed(
  ({ instantiations }) => instantiations,
  ({ template }) => template,
);

/** The accesses in a function, in the order of the facts. */
export const accessesWithin: (facts: Facts, within: FunctionSymbol) => readonly AccessFact[] = indexed(
  ({ accesses }) => accesses,
  ({ within }) => within,
);

/** The calls in a function, in source order. */
export const callsWithin: (facts: Facts, within: FunctionSymbol) => readonly CallFact[] = indexed(
  ({ calls }) => calls,
  ({ within }) => within,
);

/** The names that refer to a symbol, in source order. */
export const referencesTo: (facts: Facts, symbol: ReferenceFact["symbol"]) => readonly ReferenceFact[] = indexed(
  ({ references }) => references,
  ({ symbol }) => symbol,
);

/** The declarations of a variable in the checked file, in source order. */
export const declarationsOf: (facts: Facts, variable: VariableSymbol) => readonly VariableFact[] = indexed(
  ({ variables }) => variables,
  ({ variable }) => variable,
);

/** The variables that are declared at exactly this place. */
export const variablesAt: (facts: Facts, place: Place) => readonly VariableFact[] = placed(
  ({ variables }) => variables,
  ({ variable }) => variable.place,
);

/** The variables of one name that the file declares, in source order. */
export const variablesNamed: (facts: Facts, name: string) => readonly VariableFact[] = indexed(
  ({ variables }) => variables,
  ({ variable }) => variable.name,
);

/** The functions of one name that the file declares, in source order. */
export const functionsNamed: (facts: Facts, name: string) => readonly FunctionSymbol[] = indexed(
  ({ functions }) => functions,
  ({ name }) => name,
);

/** The functions, also those of lambdas, whose definitions contain the place, from the outermost to the innermost. */
export function functionsAround(facts: Facts, place: Place): readonly FunctionSymbol[] {
  return definitionsAround(facts, place).map(({ owner }) => owner);
}

const definitionsAround: (facts: Facts, place: Place) => readonly FunctionDeclaration[] = nested(
  ({ functions }) => functions.flatMap(({ declarations }) => declarations.filter(({ isDefinition }) => isDefinition)),
  ({ place }) => place,
);

/** The functions with the qualified name of this one: itself, if the file declares it, and its overloads. */
export function namesakesOf(facts: Facts, { name, qualifiedName }: FunctionSymbol): readonly FunctionSymbol[] {
  return functionsNamed(facts, name).filter((each) => each.qualifiedName === qualifiedName);
}

/** The reads of exactly this place, in source order. */
export const readsAt: (facts: Facts, place: Place) => readonly AccessFact[] = placed(
  ({ accesses }) => accesses,
  ({ mode, place }) => (mode === "read" ? place : undefined),
);

/** Where a name or an expression starts. */
interface Start {
  readonly unit: Unit;
  readonly start: number;
}

/** The symbol that the name at a place refers to. */
export function symbolAt(facts: Facts, { unit, start }: Start): ReferenceFact["symbol"] | undefined {
  return referencesIn(facts, unit).get(start)?.[0]?.symbol;
}

/** The variable of a function that an expression names; undefined for any other expression. */
export function localNamed(facts: Facts, e: Expression | undefined, { unit }: Place): VariableSymbol | undefined {
  const part = e?.kind === "name" && e.name.parts.length === 1 ? e.name.parts[0] : undefined;
  const symbol = part === undefined ? undefined : symbolAt(facts, { unit, start: part.span.start });
  return symbol?.kind === "variable" && (symbol.scope === "block" || symbol.scope === "parameter") ? symbol : undefined;
}

const referencesIn = byUnit(
  ({ references }) => references,
  ({ place }) => place,
  ({ start }) => start,
);

/** Whether a call starts at a place. */
export function isCallAt(facts: Facts, { unit, start }: Start): boolean {
  return callsIn(facts, unit).has(start);
}

const callsIn = byUnit(
  ({ calls }) => calls,
  ({ place }) => place,
  ({ start }) => start,
);

/** Greater than the length of any span, so that a start and a length fit exactly into one number. */
const spanBase = 2 ** 26;

/** Finds the facts whose place is exactly another. */
function placed<Fact>(
  select: (facts: Facts) => readonly Fact[],
  placeOf: (fact: Fact) => Place | undefined,
): (facts: Facts, place: Place) => readonly Fact[] {
  const keyOf = ({ start, end }: ViewSpan) => start * spanBase + (end - start);
  const factsIn = byUnit(select, placeOf, keyOf);
  return (facts, { unit, span }) => factsIn(facts, unit).get(keyOf(span)) ?? [];
}

/**
 * Groups facts by unit, and those of a unit by a number made from their span. Numbers are cheaper as keys than strings with names
 * in them.
 */
function byUnit<Fact>(
  select: (facts: Facts) => readonly Fact[],
  placeOf: (fact: Fact) => Place | undefined,
  keyOf: (span: ViewSpan) => number,
): (facts: Facts, unit: Unit) => ReadonlyMap<number, readonly Fact[]> {
  const indexOf = memo((facts: Facts) => {
    const units = new Map<Unit, Map<number, Fact[]>>();
    for (const fact of select(facts)) {
      const place = placeOf(fact);
      if (place === undefined) continue;
      const own = units.get(place.unit) ?? new Map<number, Fact[]>();
      units.set(place.unit, own);
      const key = keyOf(place.span);
      const known = own.get(key);
      if (known === undefined) own.set(key, [fact]);
      else known.push(fact);
    }
    return units;
  });
  return (facts, unit) => indexOf(facts).get(unit) ?? new Map();
}

/** The facts about places of a unit, sorted by start; `reach` is the furthest end of the facts up to each of them. */
interface Nesting<Fact> {
  readonly facts: readonly Fact[];
  readonly places: readonly Place[];
  readonly reach: readonly number[];
}

/** Finds the facts whose place encloses another. Expressions nest, so only a few candidates have to be tested. */
function nested<Fact>(
  select: (facts: Facts) => readonly Fact[],
  placeOf: (fact: Fact) => Place,
): (facts: Facts, place: Place) => readonly Fact[] {
  const byUnit = indexed(select, (fact) => placeOf(fact).unit);
  const nestingIn = memo((all: readonly Fact[]) => nestingOf(all, placeOf));
  return (facts, { unit, span }) => {
    const { facts: sorted, places, reach } = nestingIn(byUnit(facts, unit));
    const before = countUpTo(sorted.length, (at) => places[at]?.span.start, span.start);
    const found: Fact[] = [];
    for (let at = before - 1; at >= 0 && (reach[at] ?? 0) >= span.end; at -= 1) {
      const fact = sorted[at];
      if (fact !== undefined && (places[at]?.span.end ?? 0) >= span.end) found.push(fact);
    }
    return found.reverse();
  };
}

function nestingOf<Fact>(all: readonly Fact[], placeOf: (fact: Fact) => Place): Nesting<Fact> {
  const facts = [...all].sort((a, b) => placeOf(a).span.start - placeOf(b).span.start);
  const places = facts.map(placeOf);
  const reach: number[] = [];
  for (const { span } of places) reach.push(Math.max(reach[reach.length - 1] ?? 0, span.end));
  return { facts, places, reach };
}

function indexedByAll<Fact, Key>(
  select: (facts: Facts) => readonly Fact[],
  keysOf: (fact: Fact) => Iterable<Key>,
): (facts: Facts, key: Key) => readonly Fact[] {
  const indexOf = memo((facts: Facts) => {
    const index = new Map<Key, Fact[]>();
    for (const fact of select(facts)) {
      for (const key of keysOf(fact)) {
        const known = index.get(key);
        if (known === undefined) index.set(key, [fact]);
        else known.push(fact);
      }
    }
    return index;
  });
  return (facts, key) => indexOf(facts).get(key) ?? [];
}

function indexed<Fact, Key>(
  select: (facts: Facts) => readonly Fact[],
  keyOf: (fact: Fact) => Key | undefined,
): (facts: Facts, key: Key) => readonly Fact[] {
  const indexOf = memo((facts: Facts) => groupBy(select(facts), keyOf));
  return (facts, key) => indexOf(facts).get(key) ?? [];
}
