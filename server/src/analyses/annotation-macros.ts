/**
 * Finds a project's own names for `__grid_constant__`: macros that expand to the annotation, with or without `const`, and can be
 * used at a place because a file defines them before it. The preprocessor knows what such a macro expands to elsewhere.
 */
import { fileOf } from "../preprocess/row.ts";
import { includesAround, locationInFile, unitsOfFile } from "../preprocess/unit-row.ts";
import type { Unit } from "../preprocess/view/view.ts";
import type { Place } from "../semantics/types/symbols.ts";
import type { FileUri } from "../source.ts";

/** A project's own name for the annotation. */
export interface AnnotationMacro {
  readonly spelling: string;
  /** It expands to `const __grid_constant__`. */
  readonly includesConst: boolean;
}

interface Definition extends AnnotationMacro {
  readonly offset: number;
}

const definitionLine =
  /^[ \t]*#[ \t]*define[ \t]+(?<name>\w+)[ \t]+(?<before>const[ \t]+)?__grid_constant__(?<after>[ \t]+const)?[ \t]*(?:\/[/*].*)?\r?$/gm;

/** The definitions in headers. A unit of a header is made again when its text changes. */
const inHeaders = new WeakMap<Unit, readonly Definition[]>();

// The results of one check. A check asks about every parameter of every kernel, always with the same `textOf`. Another check passes
// another function, because texts may have changed.
const checks = new WeakMap<(uri: string) => string, OneCheck>();

/** What is kept for the parameters that one check asks about. */
interface OneCheck {
  readonly definitions: Map<string, { readonly text: string; readonly found: readonly Definition[] }>;
  /** By the first unit of a file: the files whose text the preprocessor has spliced into its units. */
  readonly spliced: Map<Unit, readonly string[]>;
}

/** How many definitions are considered. A project has one or two such names, and each is compared with all conditions before it. */
const mostDefinitions = 64;

/** The macros that are defined at a place, the nearest definition first. `textOf` must be one function per check. */
export function annotationMacrosAt({ unit, span }: Place, textOf: (uri: FileUri) => string): readonly AnnotationMacro[] {
  const written = unit.view.origin({ start: span.start, end: Math.min(span.start + 1, span.end) }).location;
  const { uri, span: here } = locationInFile(unit, written);
  const check = checks.get(textOf) ?? { definitions: new Map(), spliced: new Map() };
  checks.set(textOf, check);
  const definitionsOf = (file: string): readonly Definition[] => {
    const text = textOf(file);
    const definitions = check.definitions.get(file);
    if (definitions?.text === text) return definitions.found;
    const found = definitionsIn(text);
    check.definitions.set(file, { text, found });
    return found;
  };
  const definitionsOfHeader = (header: Unit): readonly Definition[] => {
    const known = inHeaders.get(header) ?? definitionsIn(textOf(fileOf(header.uri)));
    inHeaders.set(header, known);
    return known;
  };
  const own = definitionsOf(uri).filter(({ offset }) => offset < here.start);
  const included = includedBefore({ unit, span }, uri, check).flatMap((file) =>
    typeof file === "string" ? definitionsOf(file) : definitionsOfHeader(file),
  );
  return [...[...own].reverse(), ...included].map(({ spelling, includesConst }) => ({ spelling, includesConst }));
}

/**
 * Every file whose text the preprocessor has read before an offset of the unit, as far as the unit's own includes show: its unit, or
 * its name if it has none.
 */
function includedBefore(place: Pick<Place, "unit" | "span">, own: string, check: OneCheck): readonly (Unit | string)[] {
  const found = new Map<string, Unit | undefined>();
  const visited = new Set<Unit>();
  const visit = (each: Unit): void => {
    if (visited.has(each)) return;
    visited.add(each);
    // The pieces of an open header are in its unit.
    if (!found.has(fileOf(each.uri))) found.set(fileOf(each.uri), each);
    for (const spliced of each.spliced ?? []) if (!found.has(spliced)) found.set(spliced, undefined);
    for (const { unit: inner } of each.includes) if (inner !== undefined) visit(inner);
  };
  for (const { unit: header } of includesAround(place).before) if (header !== undefined) visit(header);
  for (const uri of splicedIn(place.unit, check)) if (!found.has(uri)) found.set(uri, undefined);
  found.delete(own);
  return [...found].flatMap(([uri, unit]) => (uri.startsWith("builtin:") ? [] : [unit ?? uri]));
}

function splicedIn(unit: Unit, { spliced }: OneCheck): readonly string[] {
  const units = unitsOfFile(unit);
  const first = units[0] ?? unit;
  const known = spliced.get(first) ?? units.flatMap((each) => each.spliced ?? []);
  spliced.set(first, known);
  return known;
}

/** The definitions of a text that hold regardless of the conditions around them. */
function definitionsIn(text: string): readonly Definition[] {
  if (!text.includes("__grid_constant__")) return [];
  return [...text.matchAll(definitionLine)].slice(0, mostDefinitions).flatMap((match) => {
    const { name = "", before, after } = match.groups ?? {};
    return isDefinedAnyway(text, match.index, name)
      ? [{ spelling: name, includesConst: before !== undefined || after !== undefined, offset: match.index }]
      : [];
  });
}

/**
 * True if the definition holds regardless of the conditions around it. They are only include guards and tests for CUDA itself, or
 * another branch defines the name as well.
 */
function isDefinedAnyway(text: string, offset: number, name: string): boolean {
  const conditions: string[] = [];
  for (const { groups } of text
    .slice(0, offset)
    .matchAll(/^[ \t]*#[ \t]*(?<word>if|ifdef|ifndef|elif|else|endif)\b[ \t]*(?<condition>.*)$/gm)) {
    const { word = "", condition = "" } = groups ?? {};
    if (word === "endif") conditions.pop();
    else if (word.startsWith("el")) conditions[conditions.length - 1] = "otherwise";
    else conditions.push(`${word} ${condition}`.trim());
  }
  const isHarmless = (condition: string) =>
    /^ifdef __CUDACC__$|^if defined ?\(?__CUDACC__\)?$/.test(condition) ||
    condition === `ifndef ${name}` ||
    isGuard(text, /^ifndef (\w+)$/.exec(condition)?.[1]);
  const count = [...text.matchAll(/^[ \t]*#[ \t]*define[ \t]+(\w+)/gm)].filter(([, defined]) => defined === name).length;
  return count > 1 || conditions.every(isHarmless);
}

/** True if the first directives of the file are `#ifndef X` and `#define X`. */
function isGuard(text: string, name: string | undefined): boolean {
  const [first, second] = [...text.matchAll(/^[ \t]*#[ \t]*(\w+)[ \t]+(\w+)/gm)];
  return name !== undefined && first?.[1] === "ifndef" && first[2] === name && second?.[1] === "define" && second[2] === name;
}
