/** Findings about `__grid_constant__` parameters that are wrong only with some template arguments. */
import { gridConstantWord } from "../../analyses/grid-constants.ts";
import { fileOf } from "../../preprocess/row.ts";
import type { Facts, InstantiatedParameter } from "../../semantics/facts/facts.ts";
import type { ParameterDeclaration } from "../../semantics/types/symbols.ts";
import type { RuleFinding } from "../rule.ts";

/** Annotated parameters of instantiated kernels that are wrong, each once: at its declaration if that is in this file. */
export function* findingsOfGridConstants(
  { instantiations }: Facts,
  what: string,
  isWrong: (parameter: InstantiatedParameter) => boolean,
): Generator<RuleFinding & { readonly parameter: ParameterDeclaration }> {
  const seen = new Set<ParameterDeclaration>();
  for (const { template, name, parameters, place } of instantiations) {
    if (!template.declarations.some(({ execution }) => execution.kernel)) continue;
    for (const instantiated of parameters) {
      const { of: parameter } = instantiated;
      const word = gridConstantWord(parameter);
      if (word === undefined || seen.has(parameter) || !isWrong(instantiated)) continue;
      seen.add(parameter);
      const isHere = fileOf(word.place.unit.uri) === fileOf(place.unit.uri);
      yield {
        parameter,
        place: isHere ? word.place : place,
        message: `'__grid_constant__' parameter '${parameter.symbol.name}' ${what} in '${name}'`,
        related: [isHere ? { message: "instantiated here", place } : { message: "the parameter is declared here", place: word.place }],
      };
    }
  }
}
