/**
 * Adds `const __grid_constant__` to a kernel's by-value parameter, or removes it, in every known declaration: redeclarations, the
 * definition, specializations and instantiations, in this file and in others.
 */
import type { Edit, SourceSpan } from "../../source.ts";
import { addedAnnotations, type KnownKernel, removedAnnotations } from "../../summary/linked-annotations.ts";
import type { KernelSummary, Summary } from "../../summary/summary.ts";
import { counted, distinct, isAt, type Refactoring } from "./refactoring.ts";

interface Known extends KnownKernel {
  readonly uri: string;
}

/**
 * The refactorings at a span of a file. On a parameter there is one for that parameter, on the kernel's name one for each parameter
 * that could benefit.
 */
export function gridConstantRefactorings(uri: string, span: SourceSpan, summaries: readonly Summary[]): readonly Refactoring[] {
  const own = summaries.find((summary) => summary.uri === uri)?.kernels ?? [];
  return own.flatMap((kernel) => {
    const isNamed = isAt(kernel.location, uri, span);
    const targets = isNamed
      ? targetsOf(kernel)
      : kernel.parameters.filter(({ location }) => location !== undefined && isAt(location, uri, span));
    if (targets.length === 0) return [];
    const family = familyOf(kernel, summaries);
    return targets.flatMap((target) => {
      const index = kernel.parameters.indexOf(target);
      return [added(family, index, isNamed ? target.name : ""), removed(family, index, isNamed ? target.name : "")].filter(
        (each) => each !== undefined,
      );
    });
  });
}

/** The names of the kernels at a span. Other files with one of these names must be checked before anything is offered. */
export function kernelsAt(uri: string, span: SourceSpan, { kernels }: Summary): readonly string[] {
  const isHere = ({ location, parameters }: KernelSummary) =>
    [location, ...parameters.flatMap((parameter) => parameter.location ?? [])].some((each) => isAt(each, uri, span));
  return kernels.filter(isHere).map(({ qualifiedName }) => qualifiedName.slice(qualifiedName.lastIndexOf(":") + 1));
}

/** The kernel's parameters of class type, whose copies are expensive; if there are none, all by-value parameters. */
function targetsOf({ parameters }: KernelSummary): KernelSummary["parameters"] {
  const values = parameters.filter(({ slots, annotation }) => annotation !== undefined || slots?.isPointer === false);
  const objects = values.filter(({ isClass, annotation }) => isClass === true || annotation !== undefined);
  return objects.length > 0 ? objects : values;
}

function added(family: readonly Known[], index: number, name: string): Refactoring | undefined {
  const parameters = family.flatMap(({ kernel }) => kernel.parameters[index] ?? []);
  // A parameter that the body modifies cannot become const.
  if (parameters.some(({ isModified }) => isModified === true)) return undefined;
  const edits = distinct(addedAnnotations(family, index) ?? []);
  return edits.length === 0
    ? undefined
    : { title: `Add 'const __grid_constant__'${toName(name, "to")}${asMacro(edits)} (${counted(edits, "declaration")})`, edits };
}

function removed(family: readonly Known[], index: number, name: string): Refactoring | undefined {
  const edits = distinct(removedAnnotations(family, index) ?? []);
  return edits.length === 0
    ? undefined
    : { title: `Remove '__grid_constant__'${toName(name, "from")} (${counted(edits, "declaration")})`, edits };
}

function toName(name: string, how: "to" | "from"): string {
  return name === "" ? "" : ` ${how} '${name}'`;
}

/** The phrase with the name of the project's macro, if the edits use it. */
function asMacro(edits: readonly Edit[]): string {
  const words = new Set(edits.flatMap(({ text }) => text.trim().split(/\s+/)).filter((word) => word !== "const"));
  const macros = [...words].filter((word) => word !== "__grid_constant__");
  return macros.length === 0 ? "" : ` as '${macros.join("' and '")}'`;
}

/**
 * Every declaration of the kernel. Declarations in other files belong to it if they share a declaration, or if the names and types
 * match and the workspace defines only one such kernel: two definitions belong to two programs.
 */
function familyOf(kernel: KernelSummary, summaries: readonly Summary[]): readonly Known[] {
  const all = summaries.flatMap(({ uri, files, kernels }) =>
    kernels.filter(({ qualifiedName }) => qualifiedName === kernel.qualifiedName).map((each): Known => ({ uri, files, kernel: each })),
  );
  const linked = all.filter(({ kernel: other }) => isLinkable(kernel) && isLinkable(other) && other.signature === kernel.signature);
  const definitions = new Set(
    linked.filter(({ kernel: other }) => other.isDefinition).map(({ kernel: other }) => placeKey(other.location)),
  );
  const joined = new Set(definitions.size > 1 ? [] : linked);
  for (const each of all) if (each.kernel === kernel) joined.add(each);
  const places = new Set([...joined].flatMap(({ kernel: { location, entity } }) => [placeKey(location), placeKey(entity)]));
  for (let size = -1; size !== joined.size; ) {
    size = joined.size;
    for (const each of all) {
      const keys = [placeKey(each.kernel.location), placeKey(each.kernel.entity)];
      if (!keys.some((key) => places.has(key))) continue;
      joined.add(each);
      for (const key of keys) places.add(key);
    }
  }
  return [...joined];
}

function isLinkable({ isInternal, isTemplate, role, signature }: KernelSummary): boolean {
  return !isInternal && !isTemplate && role === "primary" && signature !== undefined;
}

function placeKey({ uri, span }: KernelSummary["location"]): string {
  return `${uri} ${span.start}`;
}
