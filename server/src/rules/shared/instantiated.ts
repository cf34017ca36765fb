/** What findings inside templates share: which instantiation makes them so, and where it is asked for. */
import type { InstantiationFact } from "../../semantics/facts.ts";
import type { RuleFinding } from "../rule.ts";

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
