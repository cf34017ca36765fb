/** What findings inside templates share: which instantiation makes them so, and where it is asked for. */

import { variableOf } from "../../analyses/fact-index.ts";
import type { Asked, ConversionFact, Facts, VariableFact } from "../../semantics/facts/facts.ts";
import type { RuleFinding } from "../rule.ts";

/** Related places of a fact that holds in one instantiation of a template. */
export function instantiationRelated({
  instantiation,
}: {
  readonly instantiation?: Asked | undefined;
}): NonNullable<RuleFinding["related"]> {
  return instantiation === undefined
    ? []
    : [{ message: `in '${instantiation.name}', which is instantiated here`, place: instantiation.place }];
}

/** What is found about the variables of instantiated bodies: each variable once, with the first instantiation that it is wrong in. */
export function* findingsOfInstances(
  instantiated: readonly VariableFact[],
  findingOf: (fact: VariableFact) => RuleFinding | undefined,
  seen = new Set<string>(),
): Generator<RuleFinding> {
  for (const fact of instantiated) {
    const key = keyOf(fact);
    const finding = seen.has(key) ? undefined : findingOf(fact);
    if (finding === undefined) continue;
    seen.add(key);
    yield { ...finding, related: [...(finding.related ?? []), ...instantiationRelated(fact)] };
  }
}

/** What is found about variables, and about those of templates that are wrong only with some arguments. */
export function* findingsOfVariables(
  { variables, instantiatedVariables }: Pick<Facts, "variables" | "instantiatedVariables">,
  findingOf: (fact: VariableFact) => RuleFinding | undefined,
): Generator<RuleFinding> {
  const seen = new Set<string>();
  for (const fact of variables) {
    const finding = findingOf(fact);
    if (finding === undefined) continue;
    seen.add(keyOf(fact));
    yield finding;
  }
  // What the template says, other arguments may need as it is: there is no fix.
  for (const finding of findingsOfInstances(instantiatedVariables, findingOf, seen)) yield { ...finding, fixes: () => [] };
}

function keyOf({ variable: { place } }: VariableFact): string {
  return `${place.unit.uri} ${place.span.start}`;
}

/** Where the variable is declared that a conversion goes to; what is initialized has its declaration around it. */
export function declaredTarget({ target, context }: ConversionFact): NonNullable<RuleFinding["related"]> {
  const variable = variableOf(target);
  if (variable === undefined || variable.name === "" || context === "initialize") return [];
  return [{ message: `'${variable.name}' is declared here`, place: variable.declaration }];
}
