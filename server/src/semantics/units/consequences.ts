/**
 * OpenCL: suppresses findings about an expression that are only consequences of an error in a part of it, or of a misplaced
 * variable in it: when the part is corrected, everything around it has another type.
 */
import type { OpenCLDialect } from "../../dialect.ts";
import { storageProblem } from "../declarations/storage.ts";
import type { ConversionFact, Facts, OperandsFact } from "../facts/facts.ts";
import type { Verdict } from "../types/conversion-rules.ts";
import type { Place, VariableSymbol } from "../types/symbols.ts";

/** The place of a finding. `isWhole`: an operand of the same extent is part of it. */
interface Mistake {
  readonly place: Place;
  readonly isWhole: boolean;
}

/** Removes the verdict from conversions, and marks operands, that already contain an error. */
export function withoutConsequences(facts: Facts, dialect: OpenCLDialect): Pick<Facts, "conversions" | "operands"> {
  const isMisplaced = misplacement(dialect);
  const names = facts.references.filter(({ symbol }) => symbol.kind === "variable" && isMisplaced(symbol));
  const wrong = facts.conversions.filter(({ verdict }) => isError(verdict));
  const mistakes = byUnit([
    ...[...names, ...facts.noMatches].map(({ place }) => ({ place, isWhole: true })),
    ...wrong.map(({ place, context }) => ({ place, isWhole: context === "cast" })),
  ]);
  if (mistakes.size === 0) return facts;
  const holdsMistake = (outer: Place) => (mistakes.get(outer.unit) ?? []).some((mistake) => isInside(mistake, outer));
  const conversion = (fact: ConversionFact): ConversionFact => {
    if (fact.verdict.kind === "ok" || fact.verdict.kind === "unknown") return fact;
    const { target } = fact;
    const isTaken = target !== undefined && "kind" in target && isMisplaced(target);
    return isTaken || holdsMistake(fact.operandPlace) ? { ...fact, verdict: { kind: "unknown" } } : fact;
  };
  return {
    conversions: facts.conversions.map(conversion),
    operands: facts.operands.map((fact): OperandsFact => (holdsMistake(fact.place) ? { ...fact, isConsequence: true } : fact)),
  };
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
