/** Declarations of one variable that put it into different memory spaces, in one translation unit or across files. */
import { memoryWordsOf, wordOfSpace } from "../../analyses/memory-spaces.ts";
import type { VariableSymbol } from "../../semantics/types/symbols.ts";
import { placeKey } from "../../source.ts";
import type { Summary, VariableSummary } from "../../summary/summary.ts";
import { hasWord } from "../../syntax/walk.ts";
import type { Rule } from "../rule.ts";

/** Reports declarations of a variable that disagree about its memory space. */
export const memorySpaceRedeclared: Rule = {
  id: "memory-space-redeclared",
  title: "declarations of a variable disagree about its memory space",
  severity: "warning",
  languages: ["cuda"],
  clause:
    "CUDA C++ Programming Guide, device memory space specifiers: the specifiers denote the memory location of a variable on the device",
  documentation: `
Every declaration of a variable must name the same memory. nvcc warns in one translation unit and chooses one of them; between two
files no tool compares them: with \`-rdc=true\` the linker reports an undefined symbol at best, and a host declaration (\`extern
float table[4];\`) of a \`__constant__\` table reads the host's shadow of it.

**What to do**: put one declaration with its specifiers into a header that all files include.`,
  limits: "Across files a declaration is compared only with the one definition that it can refer to.",
  examples: [
    {
      language: "cuda",
      bad: `extern __constant__ float table[4];
__device__ float table[4]; // <-`,
      good: `extern __constant__ float table[4];
__constant__ float table[4];`,
    },
  ],
  check({ facts }, report) {
    for (const { variable } of facts.variables) {
      const { previous, scope } = variable;
      if (
        previous === undefined ||
        scope === "parameter" ||
        scope === "member" ||
        scope === "static-member" ||
        variable.isTemplated === true
      )
        continue;
      const was = spaceOf(previous);
      const is = spaceOf(variable);
      if (was === is || isMisspelled(previous) || isMisspelled(variable)) continue;
      report({
        place: variable.place,
        message: messageOf(variable.name, is, was),
        related: [{ message: `declared ${placeOf(was)} here`, place: previous.place }],
      });
    }
  },
  link(summaries, report) {
    for (const [definition, other] of pairsOf(summaries)) {
      report({
        location: other.location,
        message: `'${other.name}' is declared ${placeOf(other.space)}, but defined ${placeOf(definition.space)}`,
        related: [{ message: "defined here", location: definition.location }],
      });
    }
  },
};

/** `__device__ __constant__` is constant memory; no specifier means host memory. */
function spaceOf({ memorySpace }: VariableSymbol): VariableSummary["space"] {
  return memorySpace ?? "host";
}

/** True for specifiers that exclude each other: `memory-space-combination` reports those. */
function isMisspelled(variable: VariableSymbol): boolean {
  return new Set(memoryWordsOf(variable).map(({ text }) => text)).size > (hasWord(variable.words, "__device__") ? 2 : 1);
}

function placeOf(space: VariableSummary["space"]): string {
  const word = wordOfSpace(space);
  return word === undefined ? "without a memory space" : `'${word}'`;
}

function messageOf(name: string, is: VariableSummary["space"], was: VariableSummary["space"]): string {
  return `'${name}' is declared ${placeOf(is)} here, and ${placeOf(was)} before`;
}

/**
 * Pairs each declaration with the only definition that it can refer to. A name with several definitions is skipped, because they
 * may belong to several programs.
 */
function pairsOf(summaries: readonly Summary[]): readonly (readonly [VariableSummary, VariableSummary])[] {
  const groups = new Map<string, Map<string, { readonly uri: string; readonly variable: VariableSummary }>>();
  for (const { uri, variables } of summaries) {
    for (const variable of variables ?? []) {
      const places = groups.get(variable.qualifiedName) ?? new Map<string, { readonly uri: string; readonly variable: VariableSummary }>();
      groups.set(variable.qualifiedName, places);
      const place = placeKey(variable.location);
      if (!places.has(place)) places.set(place, { uri, variable });
    }
  }
  return [...groups.values()].flatMap((places) => {
    const group = [...places.values()];
    const [definition, second] = group.filter(({ variable }) => variable.isDefinition);
    if (definition === undefined || second !== undefined) return [];
    return group
      .filter(
        ({ uri, variable }) =>
          uri !== definition.uri && variable.space !== definition.variable.space && variable.type === definition.variable.type,
      )
      .map(({ variable }) => [definition.variable, variable] as const);
  });
}
