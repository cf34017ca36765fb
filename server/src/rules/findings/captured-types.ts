/**
 * The types of variables that a device lambda cannot capture. nvcc names the types of all captures in code that it generates outside of
 * functions, which knows no local type, and copies arrays with a function that has seven dimensions at most.
 */
import { accessesInLambda } from "../../analyses/fact-index.ts";
import type { AccessFact, Facts } from "../../semantics/facts/facts.ts";
import type { FunctionSymbol, Place, VariableSymbol } from "../../semantics/types/symbols.ts";
import type { Type } from "../../semantics/types/types.ts";
import { encloses } from "../../spans.ts";
import { hasWord } from "../../syntax/walk.ts";
import type { RuleFinding } from "../rule.ts";

/** The most dimensions of an array that a device lambda can capture. */
const mostDimensions = 7;

/** The first capture of each variable whose type a device lambda cannot have. Templates are left out: their types depend on arguments. */
export function wronglyTypedCaptures(facts: Facts, lambda: FunctionSymbol): readonly RuleFinding[] {
  const { around, enclosing } = lambda;
  if (around === undefined || enclosing !== undefined || around.isTemplate || around.record?.isDependent === true) return [];
  const seen = new Set<VariableSymbol>();
  return accessesInLambda(facts, lambda).flatMap((access) => {
    const { root } = access.path;
    if (root === undefined || seen.has(root) || !isCaptured(access, root, lambda, facts)) return [];
    seen.add(root);
    const why = problemOf(root, around);
    if (why === undefined) return [];
    return [
      {
        place: access.place,
        message: `a device lambda cannot capture '${root.name}': ${why}`,
        related: [{ message: `'${root.name}' is declared here`, place: root.place }],
      },
    ];
  });
}

/** True for a use of a local variable of the function around a lambda, which makes the lambda copy it. */
function isCaptured({ place }: AccessFact, root: VariableSymbol, { around, lambda }: FunctionSymbol, { undecided }: Facts): boolean {
  if (lambda === undefined || root.owner !== around || isWithin(root.place, { unit: place.unit, span: lambda.span })) return false;
  if (root.scope !== "parameter" && (root.scope !== "block" || hasWord(root.words, "static", "extern"))) return false;
  return root.type.kind !== "reference" && !undecided.some((branch) => isWithin(place, branch));
}

function isWithin({ unit, span }: Place, outer: Place): boolean {
  return unit === outer.unit && encloses(outer.span, span);
}

function problemOf({ type, words }: VariableSymbol, around: FunctionSymbol): string | undefined {
  if (dimensionsOf(type) > mostDimensions && !hasWord(words, "constexpr")) return `it has more than ${mostDimensions} dimensions`;
  const name = localTypeIn(type, around);
  return name === undefined ? undefined : `its type ${name === "" ? "" : `'${name}' `}is local to '${around.name}'`;
}

function dimensionsOf(type: Type): number {
  return type.kind === "array" ? 1 + dimensionsOf(type.element) : 0;
}

/** The name of a class or an enumeration in the type that the function declares; empty if it has none. */
function localTypeIn(type: Type, around: FunctionSymbol): string | undefined {
  switch (type.kind) {
    case "pointer":
      return localTypeIn(type.pointee, around);
    case "array":
      return localTypeIn(type.element, around);
    case "record":
      return isLocal(type.record.place, around) ? (type.record.tag ?? "") : undefined;
    case "enum":
      return isLocal(type.enumeration.place, around) ? (type.enumeration.tag ?? "") : undefined;
    default:
      return undefined;
  }
}

function isLocal(place: Place | undefined, { declarations }: FunctionSymbol): boolean {
  return place !== undefined && declarations.some(({ isDefinition, place: whole }) => isDefinition && isWithin(place, whole));
}
