/**
 * OpenCL: suppresses findings about an expression that are only consequences of an error in a part of it, or of a misplaced
 * variable in it. When the author corrects the part, the types around it change.
 */
import type { OpenCLDialect } from "../../dialect.ts";
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
  const holdsMistake = (outer: Place) => (mistakes.get(outer.unit) ?? []).some((mistake) => isInside(mistake, outer));
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
    type.kind === "pointer" && (mistakes.get(place.unit) ?? []).some((mistake) => isInside(mistake, place));
  return noMatches.filter((fact) => !fact.arguments.some(isUnplaced));
}

/** OpenCL C 3.0 §6.11 a: pointers that are parameters of kernels point to global, local or constant memory. */
function parametersWithoutSpace({ execution, parameters }: FunctionDeclaration): readonly VariableSymbol[] {
  if (!execution.kernel) return [];
  return parameters.flatMap(({ symbol }) => {
    if (symbol.type.kind !== "pointer") return [];
    const { qualifiers } = symbol.type.pointee;
    const isUnplaced = qualifiers.unwritten !== undefined || qualifiers.space === "private" || qualifiers.space === "generic";
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

function byUnit(mistakes: readonly Mistake[]): ReadonlyMap<Place["unit"], readonly Mistake[]> {
  const found = new Map<Place["unit"], Mistake[]>();
  for (const mistake of mistakes) {
    const list = found.get(mistake.place.unit);
    if (list === undefined) found.set(mistake.place.unit, [mistake]);
    else list.push(mistake);
  }
  return found;
}

function isInside({ place: { span }, isWhole }: Mistake, outer: Place): boolean {
  if (span.start < outer.span.start || span.end > outer.span.end) return false;
  return isWhole || span.start !== outer.span.start || span.end !== outer.span.end;
}
