/**
 * Finds a project's own names for `__grid_constant__`: macros that expand to the annotation, with or without `const`, and can be
 * used at a place because a file defines them before it. The preprocessor knows what such a macro expands to elsewhere.
 */
import { memo, memoByPair } from "../memo.ts";
import { definitionsIn, type WrittenMacro } from "../preprocess/macros/definitions-in.ts";
import { fileOf } from "../preprocess/row.ts";
import { includesAround, locationInFile, unitsOfFile } from "../preprocess/unit-row.ts";
import { unitsIn } from "../preprocess/units.ts";
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

type TextOf = (uri: FileUri) => string;

/** The macros that are defined at a place, the nearest definition first. `textOf` must be one function per check. */
export function annotationMacrosAt({ unit, span }: Place, textOf: TextOf): readonly AnnotationMacro[] {
  const written = unit.view.origin({ start: span.start, end: Math.min(span.start + 1, span.end) }).location;
  const { uri, span: here } = locationInFile(unit, written);
  const own = definitionsOf(textOf, uri).filter(({ offset }) => offset < here.start);
  const included = includedBefore({ unit, span }, uri, textOf).flatMap((file) =>
    typeof file === "string" ? definitionsOf(textOf, file) : definitionsOfHeader(file, textOf),
  );
  return [...[...own].reverse(), ...included].map(({ spelling, includesConst }) => ({ spelling, includesConst }));
}

/** Kept by the function with which a check reads texts, because a check asks about every parameter of every kernel. */
const definitionsOf = memoByPair((textOf: TextOf, file: FileUri) => annotationsIn(textOf(file)));

/** A unit of a header is made again when its text changes. */
const definitionsOfHeader = memo((header: Unit, textOf: TextOf) => annotationsIn(textOf(fileOf(header.uri))));

/**
 * Every file with such macros whose text the preprocessor has read before an offset of the unit, as far as the unit's own includes show:
 * its unit, or its name if it has none.
 */
function includedBefore(place: Pick<Place, "unit" | "span">, own: string, textOf: TextOf): readonly (Unit | string)[] {
  const found = new Map<string, Unit | string>();
  const add = (file: Unit | string) => {
    // The pieces of an open header are in its unit.
    const uri = typeof file === "string" ? file : fileOf(file.uri);
    if (!found.has(uri)) found.set(uri, file);
  };
  for (const { unit: header } of includesAround(place).before) if (header !== undefined) annotatedBelow(header, textOf).forEach(add);
  splicedIn(textOf, unitsOfFile(place.unit)[0] ?? place.unit).forEach(add);
  found.delete(own);
  return [...found.values()];
}

/** A header and those below it, as far as their texts define such macros, and the files that are spliced into one of them. */
const annotatedBelow = memo((header: Unit, textOf: TextOf): readonly (Unit | string)[] =>
  unitsIn(header).flatMap((each) => [
    ...(each.uri.startsWith("builtin:") || definitionsOfHeader(each, textOf).length === 0 ? [] : [each]),
    ...(each.spliced ?? []),
  ]),
);

/** The files whose text the preprocessor has spliced into the units of a file, which its first unit stands for. */
const splicedIn = memoByPair((_textOf: TextOf, first: Unit): readonly string[] => unitsOfFile(first).flatMap((each) => each.spliced ?? []));

/** How many definitions are considered. A project has one or two such names, and each is compared with all conditions around it. */
const mostDefinitions = 64;

/** The macros of a text that expand to the annotation in every build for CUDA. */
function annotationsIn(text: string): readonly Definition[] {
  if (!text.includes("__grid_constant__")) return [];
  const all = definitionsIn(text);
  return all
    .flatMap((macro) => {
      const words = wordsOf(macro, text);
      const isAnnotation = macro.parameters === undefined && /^(?:const )?__grid_constant__(?: const)?$/.test(words);
      return isAnnotation ? [{ macro, includesConst: words !== "__grid_constant__" }] : [];
    })
    .slice(0, mostDefinitions)
    .filter(({ macro }) => isDefinedAnyway(macro, all))
    .map(({ macro, includesConst }) => ({ spelling: macro.name, includesConst, offset: macro.line.start }));
}

/** The replacement list with single blanks. */
function wordsOf({ body }: WrittenMacro, text: string): string {
  return text
    .slice(body.start, body.end)
    .replace(/\/\*[\s\S]*?\*\/|\\\r?\n/g, " ")
    .trim()
    .replace(/\s+/g, " ");
}

const cudaOnly = /^ifdef __CUDACC__$|^if defined ?\(?__CUDACC__\)?$/;
const notDefined = /^(?:ifndef|if ! ?defined) ?\(? ?(\w+) ?\)?$/;

/**
 * True if the conditions around the definition are only an include guard and tests for CUDA and for the name itself, or another branch
 * defines it as well.
 */
function isDefinedAnyway({ name, branch }: WrittenMacro, all: readonly WrittenMacro[]): boolean {
  if (all.filter((other) => other.name === name).length > 1) return true;
  const guard = all[0]?.name;
  for (let around = branch; around !== undefined; around = around.outer) {
    const [, tested] = notDefined.exec(around.condition) ?? [];
    if (!cudaOnly.test(around.condition) && (tested === undefined || (tested !== name && tested !== guard))) return false;
  }
  return true;
}
