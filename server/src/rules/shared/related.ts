/** What findings inside templates share: which instantiation makes them so, and where it is asked for. */
import type { ConversionFact, InstantiationFact } from "../../semantics/facts.ts";
import type { RuleFinding } from "../rule.ts";
import { variableOf } from "./spaces.ts";

/** Related places of a fact that holds in one instantiation of a template. */
export function instantiationRelated({
  instantiation,
}: {
  readonly instantiation?: InstantiationFact | undefined;
}): NonNullable<RuleFinding["related"]> {
  return instantiation === undefined
    ? []
    : [{ message: `in '${instantiation.name}', which is instantiated here`, place: instantiation.place }];
}

/** Where the variable is declared that a conversion goes to; what is initialised has its declaration around it. */
export function declaredTarget({ target, context }: ConversionFact): NonNullable<RuleFinding["related"]> {
  const variable = variableOf(target);
  if (variable === undefined || variable.name === "" || context === "initialize") return [];
  return [{ message: `'${variable.name}' is declared here`, place: variable.declaration }];
}
