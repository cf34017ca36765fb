/**
 * The types of variables that a device lambda cannot capture. nvcc names the types of all captures in code that it generates outside of
 * functions and classes, which knows no local type and may not name a private one, and copies arrays with a function that has seven
 * dimensions at most.
 */
import { isUndecided } from "../../analyses/device-code.ts";
import { accessesInLambda, localNamed } from "../../analyses/fact-index.ts";
import { groupBy } from "../../analyses/group-by.ts";
import { memo } from "../../memo.ts";
import type { AccessFact, Facts } from "../../semantics/facts/facts.ts";
import { contains } from "../../semantics/types/places.ts";
import { callOperatorOf } from "../../semantics/types/predicates.ts";
import type { FunctionSymbol, Place, VariableSymbol } from "../../semantics/types/symbols.ts";
import { referred, type Type } from "../../semantics/types/types.ts";
import { hasWord } from "../../syntax/walk.ts";
import type { RuleFinding } from "../rule.ts";
import { unnamableIn } from "./unnamable-types.ts";

/** The most dimensions of an array that a device lambda can capture. */
const mostDimensions = 7;

/** The first capture of each variable whose type a device lambda cannot have. Templates are left out: their types depend on arguments. */
export function wronglyTypedCaptures(facts: Facts, lambda: FunctionSymbol): readonly RuleFinding[] {
  const { around, enclosing } = lambda;
  if (around === undefined || enclosing !== undefined || around.isTemplate || around.record?.isDependent === true) return [];
  const seen = new Set<VariableSymbol>();
  const captured = [...namedCaptures(facts, lambda), ...accessesInLambda(facts, lambda).flatMap((access) => useIn(access, lambda, facts))];
  return captured.flatMap(({ root, place }) => {
    if (seen.has(root)) return [];
    seen.add(root);
    const why = problemOf(root, around);
    if (why === undefined) return [];
    return [
      {
        place,
        message: `a device lambda cannot capture '${root.name}': ${why}`,
        related: [{ message: `'${root.name}' is declared here`, place: root.place }],
      },
    ];
  });
}

/** A variable whose type a capture has, and where. */
interface Captured {
  readonly root: VariableSymbol;
  readonly place: Place;
}

/** The variables that captures name, or copy: `[a, b = a]`. */
function namedCaptures(facts: Facts, { lambda, around, declarations: [declaration] }: FunctionSymbol): readonly Captured[] {
  if (lambda === undefined || around === undefined || declaration === undefined) return [];
  const { unit } = declaration.place;
  return lambda.captures.flatMap(({ name, initializer, span }) => {
    const named = (localsOf(facts).get(around) ?? []).filter((each) => each.name === name && each.place.span.start < span.start);
    const [root] = initializer === undefined ? named : [localNamed(facts, initializer, declaration.place)];
    return root !== undefined && (initializer !== undefined || named.length === 1) ? [{ root, place: { unit, span } }] : [];
  });
}

/** The parameters and local variables of each function. */
const localsOf = memo(({ variables }: Facts) =>
  groupBy(
    variables.map(({ variable }) => variable),
    ({ owner }) => owner,
  ),
);

function useIn(access: AccessFact, lambda: FunctionSymbol, facts: Facts): readonly Captured[] {
  const { root } = access.path;
  return root !== undefined && isCaptured(access, root, lambda, facts) ? [{ root, place: access.place }] : [];
}

/** True for a use of a local variable of the function around a lambda, which makes the lambda copy it. */
function isCaptured({ place }: AccessFact, root: VariableSymbol, { around, lambda }: FunctionSymbol, facts: Facts): boolean {
  if (lambda === undefined || root.owner !== around || contains({ unit: place.unit, span: lambda.span }, root.place)) return false;
  if (root.scope !== "parameter" && (root.scope !== "block" || hasWord(root.words, "static", "extern"))) return false;
  return !isUndecided(place, facts);
}

function problemOf({ type, words }: VariableSymbol, around: FunctionSymbol): string | undefined {
  if (dimensionsOf(type) > mostDimensions && !hasWord(words, "constexpr")) return `it has more than ${mostDimensions} dimensions`;
  const held = callOperatorOf(type)?.lambda;
  if (held !== undefined) return hasWord(held.words, "__device__") ? undefined : `its type, that of a lambda, is local to '${around.name}'`;
  const unnamed = unnamableIn(referred(type), ({ place }) => isLocal(place, around));
  if (unnamed === undefined) return undefined;
  const name = unnamed.tag === undefined || unnamed.tag === "" ? "" : `'${unnamed.tag}' `;
  return `its type ${name}is ${isLocal(unnamed.place, around) ? `local to '${around.name}'` : unnamed.access}`;
}

function dimensionsOf(type: Type): number {
  return type.kind === "array" ? 1 + dimensionsOf(type.element) : 0;
}

function isLocal(place: Place | undefined, { declarations }: FunctionSymbol): boolean {
  return place !== undefined && declarations.some(({ isDefinition, place: whole }) => isDefinition && contains(whole, place));
}
