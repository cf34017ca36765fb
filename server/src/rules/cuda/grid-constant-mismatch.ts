/**
 * Declarations of one kernel that disagree about `__grid_constant__`: redeclarations, template redeclarations, explicit
 * specializations and instantiations in one translation unit, and declarations across translation units.
 */
import { gridConstantWord, isSpelledAlone, spellingOf } from "../../analyses/grid-constants.ts";
import { dropWord } from "../../analyses/placed-edits.ts";
import type { Fix } from "../../finding.ts";
import type { FunctionDeclaration, FunctionSymbol } from "../../semantics/types/symbols.ts";
import type { Location } from "../../source.ts";
import { addedAnnotations, removedAnnotations } from "../../summary/linked-annotations.ts";
import { type LinkedKernel, linkedKernels } from "../../summary/linked-kernels.ts";
import { annotateAll } from "../fixes/grid-constants.ts";
import type { CheckedFile, LinkFinding, Rule, RuleFinding, RuleFix } from "../rule.ts";

/** Reports declarations of a kernel that disagree about `__grid_constant__`. */
export const gridConstantMismatch: Rule = {
  id: "grid-constant-mismatch",
  title: "declarations of a kernel disagree about `__grid_constant__`",
  severity: "error",
  languages: ["cuda"],
  judgesHostSide: true,
  clause:
    "CUDA C++ Programming Guide, __grid_constant__: all function declarations, specializations and instantiation directives must match with respect to __grid_constant__ parameters",
  documentation: `
Whether a parameter is \`__grid_constant__\` decides how the kernel receives it, so all declarations of the kernel must agree:
redeclarations, the definition, explicit specializations and explicit instantiations of a template. nvcc checks this within one
translation unit; between two files no tool does, and the program links silently.

**What to do**: make all declarations match. One fix annotates them all (and adds \`const\` where it is missing), the other
removes the annotation everywhere. A project's own macro for the annotation is kept.`,
  limits:
    "Across files a kernel is compared only with the one definition that it can refer to; a name with several definitions may belong to several programs. Template specializations in other files are not compared.",
  fixSafety:
    "Adding the annotation to every declaration is safe: the parameters must be const, and a file that writes them is reported. Removing it everywhere is a suggestion, because every thread may then copy the object.",
  examples: [
    {
      language: "cuda",
      bad: `struct Params { float scale; };
__global__ void run(const __grid_constant__ Params params, float *out);
__global__ void run(const Params params, float *out) { // <-
  out[threadIdx.x] = params.scale;
}`,
      good: `struct Params { float scale; };
__global__ void run(const __grid_constant__ Params params, float *out);
__global__ void run(const __grid_constant__ Params params, float *out) {
  out[threadIdx.x] = params.scale;
}`,
      fixed: `struct Params { float scale; };
__global__ void run(const __grid_constant__ Params params, float *out);
__global__ void run(const __grid_constant__ Params params, float *out) {
  out[threadIdx.x] = params.scale;
}`,
    },
  ],
  checkFile({ facts, file }, report) {
    for (const owner of facts.functions)
      for (const [first, other] of pairsOf(owner)) comparePair(first, other, familyOf(owner), file, report);
  },
  link(summaries, report) {
    for (const { definition, all } of linkedKernels(summaries)) compareGroup(definition, all, report);
  },
};

// ---------------------------------------------------------------- within a translation unit

/**
 * Pairs the first declaration with each later one; for a specialization, the first declaration of the primary template with each
 * of its own.
 */
function pairsOf(owner: FunctionSymbol): readonly (readonly [FunctionDeclaration, FunctionDeclaration])[] {
  const own = owner.declarations;
  const first = owner.primary?.declarations[0] ?? own[0];
  if (first === undefined || !own.some(({ execution }) => execution.kernel)) return [];
  return own.filter((declaration) => declaration !== first).map((declaration) => [first, declaration] as const);
}

/** Every declaration that must agree with this function's. */
function familyOf(owner: FunctionSymbol): readonly FunctionDeclaration[] {
  const root = owner.primary ?? owner;
  return [...root.declarations, ...root.specializations.flatMap(({ declarations }) => declarations)];
}

function comparePair(
  first: FunctionDeclaration,
  other: FunctionDeclaration,
  family: readonly FunctionDeclaration[],
  { textOf }: CheckedFile,
  report: (finding: RuleFinding) => void,
): void {
  for (const [index, parameter] of other.parameters.entries()) {
    const before = first.parameters[index];
    if (before === undefined) return;
    const was = gridConstantWord(before);
    const is = gridConstantWord(parameter);
    if ((was === undefined) === (is === undefined)) continue;
    const annotated = was ?? is;
    if (annotated === undefined) continue;
    const spelling = isSpelledAlone(annotated) ? spellingOf(annotated.place) : "__grid_constant__";
    const additions = annotateAll(family, index, textOf);
    const words = family
      .map(({ parameters: all }) => (all[index] === undefined ? undefined : gridConstantWord(all[index])))
      .filter((word) => word !== undefined);
    const areAlone = words.every(isSpelledAlone);
    report({
      place: is?.place ?? parameter.place,
      message: `this ${roleOf(other)} ${is === undefined ? "drops" : "adds"} '__grid_constant__' ${is === undefined ? "from" : "to"} ${nameOf(parameter.symbol.name, index)}; an earlier one ${is === undefined ? "has" : "lacks"} it`,
      related: [{ message: "declared here", place: before.place }],
      fixes: (): readonly RuleFix[] => [
        ...(additions === undefined
          ? []
          : [{ title: `Add '${spelling}' to every declaration`, edits: additions, safety: "safe" } as const]),
        ...(areAlone
          ? [{ title: `Remove '${spelling}' from every declaration`, edits: words.map(dropWord), safety: "suggestion" } as const]
          : []),
      ],
    });
  }
}

function nameOf(name: string, index: number): string {
  return name === "" ? `parameter ${index + 1}` : `'${name}'`;
}

function roleOf({ role, isDefinition }: FunctionDeclaration): string {
  if (role !== "primary") return role === "specialization" ? "specialization" : "instantiation";
  return isDefinition ? "definition" : "redeclaration";
}

// ---------------------------------------------------------------- across translation units

/** Reports the declarations that differ, and the definition once, because either may be the mistake. */
function compareGroup(definition: LinkedKernel, group: readonly LinkedKernel[], report: (finding: LinkFinding) => void): void {
  // `check` has already compared declarations within one translation unit.
  const others = group.filter(({ uri, kernel }) => kernel !== definition.kernel && uri !== definition.uri);
  for (const [index, defined] of definition.kernel.parameters.entries()) {
    const differing = others.filter(
      ({ kernel }) => kernel.parameters[index] !== undefined && kernel.parameters[index].isGridConstant !== defined.isGridConstant,
    );
    if (differing.length === 0) continue;
    const fixes = () => fixesFor(group, index);
    const name = nameOf(defined.name, index);
    const [has, hasNot] = defined.isGridConstant ? ["with", "without"] : ["without", "with"];
    const here = placeOf(definition, index);
    const related = differing.map((other) => ({ message: "declared here", location: placeOf(other, index) }));
    for (const { location } of related) {
      report({
        location,
        message: `${name} is declared ${hasNot} '__grid_constant__', but defined ${has} it`,
        related: [{ message: "defined here", location: here }],
        fixes,
      });
    }
    // If the definition's file includes the header with a declaration, the check of that file reports the difference.
    const elsewhere = related.filter(({ location }) => !definition.files.includes(location.uri));
    if (elsewhere.length > 0)
      report({
        location: here,
        message: `${name} is defined ${has} '__grid_constant__', but declared ${hasNot} it`,
        related: elsewhere,
        fixes,
      });
  }
}

function placeOf({ kernel }: LinkedKernel, index: number): Location {
  const parameter = kernel.parameters[index];
  return parameter?.annotation?.location ?? parameter?.location ?? kernel.location;
}

function fixesFor(group: readonly LinkedKernel[], index: number): readonly Fix[] {
  const spelling =
    group.map(({ kernel }) => kernel.parameters[index]?.annotation?.style.spelling).find((each) => each !== undefined) ??
    "__grid_constant__";
  const additions = addedAnnotations(group, index);
  const removals = removedAnnotations(group, index);
  return [
    ...(additions === undefined ? [] : [{ title: `Add '${spelling}' to every declaration`, edits: additions, isPreferred: true }]),
    ...(removals === undefined ? [] : [{ title: `Remove '${spelling}' from every declaration`, edits: removals, isPreferred: false }]),
  ];
}
