/** A parameter that is written as an array in global, local or constant memory, which some compilers reject. */
import type { FunctionDeclaration, ParameterDeclaration } from "../../semantics/types/symbols.ts";
import type { Type } from "../../semantics/types/types.ts";
import { pointerInstead } from "../fixes/array-parameters.ts";
import type { Rule, RuleFinding } from "../rule.ts";

/** Reports parameters that are written as arrays in an address space. */
export const arrayParameterSpace: Rule = {
  id: "array-parameter-space",
  title: "a parameter is written as an array in global, local or constant memory, which some compilers reject",
  severity: "info",
  profile: "strict",
  languages: ["opencl"],
  clause: "C11 §6.7.6.3p7: an array parameter is adjusted to a pointer; ISO/IEC TR 18037 §5.1.2: a parameter itself has no address space",
  documentation: `
A parameter that is written as an array is a pointer, and \`local float tile[16]\` means \`local float *tile\`. clang and the compilers that
are built on it adjust the type first. Apple's compiler applies the address space to the parameter instead, which cannot have one, and rejects the
program: *parameter may not be qualified with an address space*.

**What to do**: write the pointer, \`local float *tile\`, and \`local float (*rows)[8]\` for an array of arrays.`,
  limits: "Array parameters without an address space point to private memory, and every compiler accepts them.",
  fixSafety: "Declaring the pointer is safe: it is the same type.",
  examples: [
    {
      language: "opencl",
      bad: `float sum(local const float tile[16]) { return tile[0] + tile[15]; } // <-`,
      good: `float sum(local const float *tile) { return tile[0] + tile[15]; }`,
      fixed: `float sum(local const float *tile) { return tile[0] + tile[15]; }`,
    },
  ],
  check({ facts, dialect }, report) {
    if (dialect.language !== "opencl" || dialect.cplusplus) return;
    for (const { declarations } of facts.functions)
      for (const declaration of declarations)
        for (const parameter of declaration.parameters) {
          const finding = findingOf(parameter, declaration);
          if (finding !== undefined) report(finding);
        }
  },
};

function findingOf(parameter: ParameterDeclaration, { owner }: FunctionDeclaration): RuleFinding | undefined {
  const { symbol, writtenType, place } = parameter;
  const space = writtenType.kind === "array" ? spaceOfElements(writtenType) : undefined;
  if (owner.isBuiltin || (space !== "global" && space !== "local" && space !== "constant")) return undefined;
  return {
    place: symbol.name === "" ? place : symbol.place,
    message: `some compilers reject an array parameter in ${space} memory: write a pointer`,
    fixes: () => {
      const edit = pointerInstead(parameter);
      return edit === undefined ? [] : [{ title: `Declare '${symbol.name}' as a pointer`, edits: [edit], safety: "safe" }];
    },
  };
}

function spaceOfElements(type: Type): string | undefined {
  return type.kind === "array" ? spaceOfElements(type.element) : type.qualifiers.space;
}
