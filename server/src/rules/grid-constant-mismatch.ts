/**
 * Declarations of one kernel that disagree about `__grid_constant__`: redeclarations, template redeclarations, explicit
 * specialisations and instantiations in one translation unit, and declarations across translation units.
 */

import type { FunctionDeclaration, FunctionSymbol, ParameterDeclaration, PlacedWord } from "../semantics/symbols.ts";
import type { Edit, Location } from "../source.ts";
import type { KernelParameterSummary } from "../workspace/summary.ts";
import type { LinkFinding, PlacedEdit, Rule, RuleFinding } from "./rule.ts";
import { addGridConstant, dropWord, gridConstantWord, spellingOf } from "./shared/grid-constants.ts";
import { type LinkedKernel, linkedKernels } from "./shared/linked-kernels.ts";

export const gridConstantMismatch: Rule = {
  id: "grid-constant-mismatch",
  title: "declarations of a kernel disagree about `__grid_constant__`",
  severity: "error",
  languages: ["cuda"],
  clause:
    "CUDA C++ Programming Guide, __grid_constant__: all function declarations, specialisations and instantiation directives must match with respect to __grid_constant__ parameters",
  documentation: `
Whether a parameter is \`__grid_constant__\` decides how the kernel receives it, so every declaration of the kernel must say
the same: redeclarations, the definition, explicit specialisations and explicit instantiations of a template. nvcc checks
this within one translation unit; between two files nobody does, and the program links silently.

**What to do**: make all declarations match. One fix annotates them all (and adds \`const\` where it is missing), the other
removes the annotation everywhere. A project's own macro for the annotation is kept.`,
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
  check({ facts }, report) {
    for (const owner of facts.functions) for (const [first, other] of pairsOf(owner)) comparePair(first, other, familyOf(owner), report);
  },
  link(summaries, report) {
    for (const { definition, all } of linkedKernels(summaries)) compareGroup(definition, all, report);
  },
};

// ---------------------------------------------------------------- within a translation unit

/** The first declaration with each later one; of a specialisation the primary template's first with each of its own. */
function pairsOf(owner: FunctionSymbol): readonly (readonly [FunctionDeclaration, FunctionDeclaration])[] {
  const own = owner.declarations;
  const first = owner.primary?.declarations[0] ?? own[0];
  if (first === undefined || !own.some(({ execution }) => execution.kernel)) return [];
  return own.filter((declaration) => declaration !== first).map((declaration) => [first, declaration] as const);
}

/** Every declaration that has to agree with this function's. */
function familyOf(owner: FunctionSymbol): readonly FunctionDeclaration[] {
  const root = owner.primary ?? owner;
  return [...root.declarations, ...root.specializations.flatMap(({ declarations }) => declarations)];
}

function comparePair(
  first: FunctionDeclaration,
  other: FunctionDeclaration,
  family: readonly FunctionDeclaration[],
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
    const spelling = spellingOf(annotated.place);
    const parameters = family.map(({ parameters: all }) => all[index]).filter((each) => each !== undefined);
    const additions = parameters
      .filter((each) => gridConstantWord(each) === undefined)
      .map((each) => addGridConstant(each, isMacroKnown(annotated, each) ? spelling : "__grid_constant__"));
    const removals = parameters
      .map(gridConstantWord)
      .filter((word) => word !== undefined)
      .map(dropWord);
    report({
      place: is?.place ?? parameter.place,
      message: `this ${roleOf(other)} ${is === undefined ? "drops" : "adds"} '__grid_constant__' ${is === undefined ? "from" : "to"} ${nameOf(parameter.symbol.name, index)}`,
      related: [{ message: "declared here", place: before.place }],
      fixes: [
        ...(additions.every(isPlacedEdit)
          ? [{ title: `Add '${spelling}' to every declaration`, edits: additions.filter(isPlacedEdit), isPreferred: true }]
          : []),
        { title: `Remove '${spelling}' from every declaration`, edits: removals },
      ],
    });
  }
}

function nameOf(name: string, index: number): string {
  return name === "" ? `parameter ${index + 1}` : `'${name}'`;
}

/** A macro may be used behind its definition; one from a header was included before one of the declarations at least. */
function isMacroKnown({ place }: PlacedWord, { place: { unit, span } }: ParameterDeclaration): boolean {
  const definition = place.unit.view.origin(place.span).macro?.definition;
  const there = unit.view.origin(span).location;
  return definition === undefined || definition.uri !== there.uri || definition.span.start < there.span.start;
}

function isPlacedEdit(edit: PlacedEdit | undefined): edit is PlacedEdit {
  return edit !== undefined;
}

function roleOf({ role, isDefinition }: FunctionDeclaration): string {
  if (role !== "primary") return role === "specialization" ? "specialization" : "instantiation";
  return isDefinition ? "definition" : "redeclaration";
}

// ---------------------------------------------------------------- across translation units

/** Reports at the declarations that differ, and once at the definition, because either may be the mistake. */
function compareGroup(definition: LinkedKernel, group: readonly LinkedKernel[], report: (finding: LinkFinding) => void): void {
  // Within one translation unit `check` has seen both already.
  const others = group.filter(({ uri, kernel }) => kernel !== definition.kernel && uri !== definition.uri);
  for (const [index, defined] of definition.kernel.parameters.entries()) {
    const differing = others.filter(
      ({ kernel }) => kernel.parameters[index] !== undefined && kernel.parameters[index].isGridConstant !== defined.isGridConstant,
    );
    if (differing.length === 0) continue;
    const fixes = fixesFor(group, index);
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
    // Of a header that it includes, the definition's own check says so.
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

function fixesFor(group: readonly LinkedKernel[], index: number): NonNullable<LinkFinding["fixes"]> {
  const all = group.flatMap(({ files, kernel }) =>
    kernel.parameters[index] === undefined ? [] : [{ files, parameter: kernel.parameters[index] }],
  );
  const annotation = all.find(({ parameter }) => parameter.isGridConstant)?.parameter.annotation;
  const spelling = annotation?.spelling ?? "__grid_constant__";
  const additions = all
    .filter(({ parameter }) => !parameter.isGridConstant)
    .map(({ files, parameter: { nameLocation, isConst } }) =>
      insertion(nameLocation, `${isConst ? "" : "const "}${isVisible(annotation, files, nameLocation) ? spelling : "__grid_constant__"} `),
    );
  const removals = all
    .filter(({ parameter }) => parameter.isGridConstant)
    .map(({ parameter: { annotation: own } }) => (own?.isExact === true ? { location: own.location, text: "" } : undefined));
  return [
    ...(additions.every(isEdit)
      ? [{ title: `Add '${spelling}' to every declaration`, edits: additions.filter(isEdit), isPreferred: true }]
      : []),
    ...(removals.every(isEdit)
      ? [{ title: `Remove '${spelling}' from every declaration`, edits: removals.filter(isEdit), isPreferred: false }]
      : []),
  ];
}

/** A project's macro can be written where the translation unit has its definition, and behind that. */
function isVisible(annotation: KernelParameterSummary["annotation"], files: readonly string[], at: Location | undefined): boolean {
  const definition = annotation?.definition;
  if (annotation === undefined || annotation.spelling === "__grid_constant__") return true;
  // What no file defines, the command line does.
  if (definition === undefined || at === undefined) return definition === undefined;
  return definition.uri === at.uri ? definition.span.start < at.span.start : files.includes(definition.uri);
}

function insertion(location: Location | undefined, text: string): Edit | undefined {
  return location === undefined
    ? undefined
    : { location: { uri: location.uri, span: { start: location.span.start, end: location.span.start } }, text };
}

function isEdit(edit: Edit | undefined): edit is Edit {
  return edit !== undefined;
}
