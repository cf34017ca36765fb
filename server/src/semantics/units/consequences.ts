/**
 * OpenCL: suppresses findings about an expression that are only consequences of an error in a part of it, or of a misplaced
 * variable in it. When the author corrects the part, the types around it change.
 */
import type { OpenCLDialect } from "../../dialect.ts";
import { countUpTo } from "../../lists.ts";
import type { ViewSpan } from "../../source.ts";
import { storageProblem } from "../declarations/storage.ts";
import type { ConversionFact, Facts, OperandsFact } from "../facts/facts.ts";
import type { Verdict } from "../types/conversion-rules.ts";
import type { FunctionDeclaration, Place, VariableSymbol } from "../types/symbols.ts";
import type { Type } from "../types/types.ts";

/** The place of a finding. With `isWhole`, an operand of the same extent is a part of it. */
interface Mistake {
  readonly place: Place;
  readonly isWhole: boolean;
}

/** Removes the calls, and the verdicts from conversions, that already contain an error, and marks the operands that do. */
export function withoutConsequences(facts: Facts, dialect: OpenCLDialect): Pick<Facts, "conversions" | "operands" | "noMatches"> {
  const noMatches = withoutUnplaced(facts);
  const isMisplaced = misplacement(dialect);
  const names = facts.references.filter(({ symbol }) => symbol.kind === "variable" && isMisplaced(symbol));
  const wrong = facts.conversions.filter(({ verdict }) => isError(verdict));
  const mistakes = byUnit([
    ...[...names, ...facts.noMatches].map(({ place }) => ({ place, isWhole: true })),
    ...wrong.map(({ place, context }) => ({ place, isWhole: context === "cast" })),
  ]);
  if (mistakes.size === 0) return { ...facts, noMatches };
  const holdsMistake = (outer: Place) => mistakes.get(outer.unit)?.(outer.span) === true;
  const conversion = (fact: ConversionFact): ConversionFact => {
    if (fact.verdict.kind === "ok" || fact.verdict.kind === "unknown") return fact;
    const { target } = fact;
    const isTaken = target !== undefined && "kind" in target && isMisplaced(target);
    return isTaken || holdsMistake(fact.operandPlace) ? { ...fact, verdict: { kind: "unknown" } } : fact;
  };
  return {
    noMatches,
    conversions: facts.conversions.map(conversion),
    operands: facts.operands.map((fact): OperandsFact => (holdsMistake(fact.place) ? { ...fact, isConsequence: true } : fact)),
  };
}

/**
 * The calls without those that have as an argument a kernel's parameter without its address space. With an address space they may
 * match.
 */
function withoutUnplaced({ functions, references, noMatches }: Facts): Facts["noMatches"] {
  if (noMatches.length === 0) return noMatches;
  const unplaced = new Set<unknown>(functions.flatMap(({ declarations }) => declarations.flatMap(parametersWithoutSpace)));
  if (unplaced.size === 0) return noMatches;
  const mistakes = byUnit(references.filter(({ symbol }) => unplaced.has(symbol)).map(({ place }) => ({ place, isWhole: true })));
  const isUnplaced = ({ place, type }: { readonly place: Place; readonly type: Type }) =>
    type.kind === "pointer" && mistakes.get(place.unit)?.(place.span) === true;
  return noMatches.filter((fact) => !fact.arguments.some(isUnplaced));
}

/** OpenCL C 3.0 §6.11 a: pointers that are parameters of kernels point to global, local or constant memory. */
function parametersWithoutSpace({ execution, parameters }: FunctionDeclaration): readonly VariableSymbol[] {
  if (!execution.kernel) return [];
  return parameters.flatMap(({ symbol }) => {
    if (symbol.type.kind !== "pointer") return [];
    const { qualifiers } = symbol.type.pointee;
    const isUnplaced = qualifiers.implicitSpace !== undefined || qualifiers.space === "private" || qualifiers.space === "generic";
    return isUnplaced ? [symbol] : [];
  });
}

function isError(verdict: Verdict): boolean {
  return (
    verdict.kind === "changes-type" ||
    ((verdict.kind === "changes-address-space" || verdict.kind === "discards-qualifiers") && verdict.isError)
  );
}

/** Tests whether a variable is allowed where it is declared. */
function misplacement(dialect: OpenCLDialect): (variable: VariableSymbol) => boolean {
  const known = new Map<VariableSymbol, boolean>();
  return (variable) => {
    const answer = known.get(variable) ?? storageProblem(variable, dialect) !== undefined;
    known.set(variable, answer);
    return answer;
  };
}

/** For each unit with mistakes, whether one of them lies in a span. */
function byUnit(mistakes: readonly Mistake[]): ReadonlyMap<Place["unit"], (outer: ViewSpan) => boolean> {
  const found = new Map<Place["unit"], Mistake[]>();
  for (const mistake of mistakes) {
    const list = found.get(mistake.place.unit);
    if (list === undefined) found.set(mistake.place.unit, [mistake]);
    else list.push(mistake);
  }
  return new Map([...found].map(([unit, list]) => [unit, searchIn(list)]));
}

/**
 * Whether one of these mistakes lies in a span. A generated file has as many mistakes as expressions, so they are searched by their
 * starts.
 */
function searchIn(mistakes: readonly Mistake[]): (outer: ViewSpan) => boolean {
  const sorted = mistakes.map(({ place, isWhole }) => ({ ...place.span, isWhole })).sort((a, b) => a.start - b.start);
  /** The nearest end of the mistakes from each index on. */
  const nearestEnds: number[] = [];
  let nearest = Number.POSITIVE_INFINITY;
  for (const { end } of sorted.toReversed()) {
    nearest = Math.min(nearest, end);
    nearestEnds.push(nearest);
  }
  nearestEnds.reverse();
  const startOf = (index: number) => sorted[index]?.start ?? Number.POSITIVE_INFINITY;
  const wholes = new Set(sorted.filter(({ isWhole }) => isWhole).map(keyOf));
  const partEnds = new Map<number, number>();
  for (const { start, end } of sorted) partEnds.set(start, Math.min(partEnds.get(start) ?? end, end));
  return (outer) => {
    if ((partEnds.get(outer.start) ?? outer.end) < outer.end || wholes.has(keyOf(outer))) return true;
    const behind = nearestEnds[countUpTo(sorted.length, startOf, outer.start)];
    return behind !== undefined && behind <= outer.end;
  };
}

function keyOf({ start, end }: Pick<ViewSpan, "start" | "end">): string {
  return `${start} ${end}`;
}
