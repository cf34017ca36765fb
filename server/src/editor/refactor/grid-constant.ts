/**
 * Adds `const __grid_constant__` to a kernel's by-value parameter, or removes it, in every known declaration: redeclarations, the
 * definition, specializations and instantiations, in this file and in others.
 */
import { codeAt } from "../../preprocess/unit-row.ts";
import type { Facts } from "../../semantics/facts/facts.ts";
import type { FunctionSymbol, Place } from "../../semantics/types/symbols.ts";
import { type Edit, type Location, placeKey, type SourceSpan } from "../../source.ts";
import { addedAnnotations, type KnownKernel, removedAnnotations } from "../../summary/linked-annotations.ts";
import type { KernelSummary, Summary } from "../../summary/summary.ts";
import { countedDeclarations, distinct, isAt, type Refactoring } from "./refactoring.ts";

/** What the user points at: a declaration of a kernel or of its parameter, or a use of one of them. */
export interface Subject {
  /** A place in the name of a declaration, which may be in another file than the use. */
  readonly declared: Location;
  /** The parameter that an argument of a launch initializes. */
  readonly index?: number;
  readonly isUse: boolean;
}

/** What is at a span: for a use its declaration, otherwise the span itself. */
export function subjectAt(uri: string, span: SourceSpan, { references, calls }: Facts): Subject {
  const isHere = (place: Place) => isAt(codeAt(place), uri, span);
  const { symbol } = references.find(({ place }) => isHere(place)) ?? {};
  if (symbol?.kind === "variable" && symbol.scope === "parameter" && symbol.owner !== undefined && isKernel(symbol.owner))
    return { declared: codeAt(symbol.place), isUse: true };
  const launch = calls.find(({ callee, place }) => callee !== undefined && isKernel(callee) && isHere(place));
  const [first] = launch?.callee?.declarations ?? [];
  if (launch !== undefined && first !== undefined) {
    const index = launch.arguments.findIndex(({ place }) => isHere(place));
    return { declared: codeAt(first.namePlace), isUse: true, ...(index < 0 ? {} : { index }) };
  }
  return { declared: { uri, span }, isUse: false };
}

function isKernel({ declarations }: FunctionSymbol): boolean {
  return declarations.some(({ execution }) => execution.kernel);
}

/**
 * The refactorings for a subject in a file. For a declared parameter there is one for that parameter, for the kernel's name one for
 * each parameter that could benefit, and for a use one for what is used if it could benefit.
 */
export function gridConstantRefactorings(uri: string, subject: Subject, summaries: readonly Summary[]): readonly Refactoring[] {
  const { declared, index: argument, isUse } = subject;
  const own = summaries.find((summary) => summary.uri === uri)?.kernels ?? [];
  return own.flatMap((kernel) => {
    const isNamed = isAt(kernel.location, declared.uri, declared.span);
    const useful = targetsOf(kernel);
    const chosen = isNamed ? useful : kernel.parameters.filter((parameter) => isParameterAt(parameter, declared));
    const targets = chosen.filter(
      (target) => (!isUse || useful.includes(target)) && (argument === undefined || kernel.parameters.indexOf(target) === argument),
    );
    const family = targets.length === 0 ? [] : familyOf(kernel, summaries);
    // The template of a specialization must have the same annotations, and it can have none if it is no kernel.
    if (family.every(({ kernel: { role } }) => role !== "primary")) return [];
    return targets.flatMap((target) => {
      const index = kernel.parameters.indexOf(target);
      const name = isNamed || isUse ? target.name : "";
      return [added(family, index, name), removed(family, index, name)].filter((each) => each !== undefined);
    });
  });
}

/** The names of the kernels that a subject is about. Other files with one of these names must be checked before anything is offered. */
export function kernelsAt({ declared: { uri, span } }: Subject, { kernels }: Summary): readonly string[] {
  const isHere = ({ location, parameters }: KernelSummary) =>
    [location, ...parameters.flatMap((parameter) => parameter.location ?? [])].some((each) => isAt(each, uri, span));
  return kernels.filter(isHere).map(({ qualifiedName }) => qualifiedName.slice(qualifiedName.lastIndexOf(":") + 1));
}

function isParameterAt({ location }: KernelSummary["parameters"][number], { uri, span }: Location): boolean {
  return location !== undefined && isAt(location, uri, span);
}

/** The kernel's parameters of class type, whose copies are expensive; if there are none, all by-value parameters. */
function targetsOf({ parameters }: KernelSummary): KernelSummary["parameters"] {
  const values = parameters.filter(({ slots, annotation }) => annotation !== undefined || slots?.isPointer === false);
  const objects = values.filter(({ isClass, annotation }) => isClass === true || annotation !== undefined);
  return objects.length > 0 ? objects : values;
}

function added(family: readonly KnownKernel[], index: number, name: string): Refactoring | undefined {
  const parameters = family.flatMap(({ kernel }) => kernel.parameters[index] ?? []);
  // A parameter that the body modifies cannot become const.
  if (parameters.some(({ isModified }) => isModified === true)) return undefined;
  const edits = distinct(addedAnnotations(family, index) ?? []);
  return edits.length === 0
    ? undefined
    : { title: `Add 'const __grid_constant__'${toName(name, "to")}${asMacro(edits)} (${countedDeclarations(edits)})`, edits };
}

function removed(family: readonly KnownKernel[], index: number, name: string): Refactoring | undefined {
  const edits = distinct(removedAnnotations(family, index) ?? []);
  return edits.length === 0
    ? undefined
    : { title: `Remove '__grid_constant__'${toName(name, "from")} (${countedDeclarations(edits)})`, edits };
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
function familyOf(kernel: KernelSummary, summaries: readonly Summary[]): readonly KnownKernel[] {
  const all = summaries.flatMap(({ files, kernels }) =>
    kernels.filter(({ qualifiedName }) => qualifiedName === kernel.qualifiedName).map((each): KnownKernel => ({ files, kernel: each })),
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
