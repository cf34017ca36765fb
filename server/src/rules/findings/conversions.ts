/** How messages describe a conversion of pointers or references. */
import type { ConversionFact } from "../../semantics/facts/facts.ts";
import { spell } from "../../semantics/types/types.ts";
import { spellPointer } from "../fixes/spaces.ts";

/** One wording for the implicit conversions of every rule: `passing 'A' to a parameter of type 'B'`. */
export function describeConversion(fact: ConversionFact): string {
  // What a reference binds to keeps its own qualifiers.
  const from = fact.to.kind === "reference" && fact.from.qualifiers.space === undefined ? spell(fact.from) : spellPointer(fact.from);
  const to = spellPointer(fact.to);
  switch (fact.context) {
    case "initialize":
      return `initializing '${to}' with '${from}'`;
    case "assign":
      return `assigning '${from}' to '${to}'`;
    case "pass":
      return `passing '${from}' to '${to}'`;
    case "return":
      return `returning '${from}' as '${to}'`;
    case "cast":
      return `casting '${from}' to '${to}'`;
  }
}
