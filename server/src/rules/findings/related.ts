/** Related places of findings inside of templates: the instantiation in which the finding holds, and where it is requested. */
import { variableOf } from "../../analyses/fact-index.ts";
import type { ConversionFact, Facts, InstantiationRequest, VariableFact } from "../../semantics/facts/facts.ts";
import type { Place } from "../../semantics/types/symbols.ts";
import { placeKey } from "../../source.ts";
import type { RuleFinding } from "../rule.ts";

/** Related places of a fact that holds in one instantiation of a template. */
export function instantiationRelated({
  instantiation,
}: {
  readonly instantiation?: InstantiationRequest | undefined;
}): NonNullable<RuleFinding["related"]> {
  return instantiation === undefined
    ? []
    : [{ message: `in '${instantiation.name}', which is instantiated here`, place: instantiation.place }];
}

/** The default in which a call is written that is made elsewhere. */
export function writtenRelated({ written }: { readonly written?: Place }): NonNullable<RuleFinding["related"]> {
  return written === undefined ? [] : [{ message: "it is called by this default, which is evaluated there", place: written }];
}

/** Findings about variables in instantiated bodies: one per variable, with the first instantiation in which it is wrong. */
export function* findingsOfInstances(
  instantiated: readonly VariableFact[],
  findingOf: (fact: VariableFact) => RuleFinding | undefined,
  seen = new Set<string>(),
): Generator<RuleFinding> {
  for (const fact of instantiated) {
    const key = placeKey(fact.variable.place);
    const finding = seen.has(key) ? undefined : findingOf(fact);
    if (finding === undefined) continue;
    seen.add(key);
    yield { ...finding, related: [...(finding.related ?? []), ...instantiationRelated(fact)] };
  }
}

/** Findings about variables, including those in templates that are wrong only with some arguments. */
export function* findingsOfVariables(
  { variables, instantiatedVariables }: Pick<Facts, "variables" | "instantiatedVariables">,
  findingOf: (fact: VariableFact) => RuleFinding | undefined,
): Generator<RuleFinding> {
  const seen = new Set<string>();
  for (const fact of variables) {
    const finding = findingOf(fact);
    if (finding === undefined) continue;
    seen.add(placeKey(fact.variable.place));
    yield finding;
  }
  // Other template arguments may need the declaration as it is, so no fix is offered.
  for (const finding of findingsOfInstances(instantiatedVariables, findingOf, seen)) yield { ...finding, fixes: () => [] };
}

/** The declaration of the variable that a conversion initializes or assigns to. */
export function declaredTarget({ target, context }: ConversionFact): NonNullable<RuleFinding["related"]> {
  const variable = variableOf(target);
  if (variable === undefined || variable.name === "" || context === "initialize") return [];
  return [{ message: `'${variable.name}' is declared here`, place: variable.declaration }];
}
