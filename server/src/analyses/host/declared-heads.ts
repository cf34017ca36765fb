/**
 * Decides whether the head of a function's declaration may have specifiers that this configuration does not show: a macro that is
 * empty here, or that another branch or another project setting defines as another execution space. A macro that is empty for other
 * compilers alone hides nothing.
 */
import { definitionsIn } from "../../preprocess/macros/definitions-in.ts";
import { fileOf } from "../../preprocess/row.ts";
import { codeAt, locationInFile } from "../../preprocess/unit-row.ts";
import type { FunctionDeclaration, Place, SpecifierWord } from "../../semantics/types/symbols.ts";
import type { FileUri, ViewSpan } from "../../source.ts";

/** Words that may stand in a macro for specifiers without changing where a function runs. */
const harmless = new Set(
  "inline static constexpr extern explicit virtual friend const volatile typename template noexcept unsigned signed void bool char short int long float double auto C __inline__ __inline __forceinline __forceinline__ __noinline__ __attribute__ always_inline noinline __always_inline__ __noinline__ nodiscard maybe_unused unused gnu flatten hot __declspec dllexport dllimport visibility default".split(
    " ",
  ),
);

/** The words that say where a function runs, as macros spell them. */
const executionSpaces = new Set(["__host__", "__device__", "__global__"]);

/** The longest head that is examined. */
const longest = 2000;

/** True if some word of the author's text before the function's name in one of the declarations may stand for a specifier. */
export function mayHideSpecifier(declarations: readonly FunctionDeclaration[], textOf: TextOf): boolean {
  return declarations.some((each) => hasUnknownWord(each, textOf));
}

/**
 * True if every declaration says where the function runs by a macro that its file also defines as nothing, which is for compilers
 * without devices.
 */
export function isPlainElsewhere(declarations: readonly FunctionDeclaration[], textOf: TextOf): boolean {
  return declarations.every(({ words }) => words.some((word) => executionSpaces.has(word.text) && isNothingElsewhere(word, textOf)));
}

function isNothingElsewhere({ text, place }: SpecifierWord, textOf: TextOf): boolean {
  const { location, macro } = place.unit.view.origin(place.span);
  const source = textOf(fileOf(macro?.definition?.uri ?? location.uri));
  return definitionsIn(source).some(({ name, body }) => name === (macro?.name ?? text) && source.slice(body.start, body.end).trim() === "");
}

/** The text of a file, for the words that a View no longer has. */
export type TextOf = (uri: FileUri) => string;

function hasUnknownWord({ place, namePlace, words }: FunctionDeclaration, textOf: TextOf): boolean {
  const { uri, span } = codeAt(namePlace);
  const text = textOf(uri);
  if (isForcedOnBothSides(text, span.start)) return true;
  const start = Math.max(0, span.start - longest, endOfMacroBefore(place, uri));
  const before = withoutComments(text.slice(start, span.start));
  const from = Math.max(before.lastIndexOf(";"), before.lastIndexOf("{"), before.lastIndexOf("}"));
  const head = before.slice(from + 1).replace(/^[ \t]*#(?:\\\r?\n|[^\n])*/gm, "");
  const { view } = place.unit;
  const known = view.text.slice(Math.max(0, namePlace.span.start - head.length - longest), namePlace.span.start);
  const unknown = [...new Set(head.match(/[A-Za-z_]\w*/g) ?? [])].filter((name) => !harmless.has(name) && !hasToken(known, name));
  return unknown.some((name) => {
    const given = words.filter((each) => each.place.unit.view.origin(each.place.span).macro?.name === name);
    const definition = given[0]?.place.unit.view.origin(given[0].place.span).macro?.definition;
    if (definition === undefined) return true;
    const spaces = spelled(given.map(({ text: word }) => word).filter((word) => executionSpaces.has(word)));
    const possible = spacesIn(name, textOf(fileOf(definition.uri)));
    return possible?.every((each) => each === spaces) !== true;
  });
}

const forcePragma = /^[ \t]*#[ \t]*pragma[ \t]+clang[ \t]+force_cuda_host_device[ \t]+(begin|end)\b/gm;

/** True between clang's pragmas that make functions without execution spaces functions for both sides. They nest. */
function isForcedOnBothSides(text: string, at: number): boolean {
  if (!text.includes("force_cuda_host_device")) return false;
  let depth = 0;
  for (const [, word] of text.slice(0, at).matchAll(forcePragma)) depth = Math.max(0, depth + (word === "begin" ? 1 : -1));
  return depth > 0;
}

/** Where a macro that stands for the whole declaration before a place ends in the file, or 0. */
function endOfMacroBefore({ unit, span }: Place, uri: FileUri): number {
  const first = Math.max(0, span.start - longest);
  const end = first + unit.view.text.slice(first, span.start).trimEnd().length;
  if (!/[;}]$/.test(unit.view.text.slice(first, end))) return 0;
  const { macro } = unit.view.origin({ start: end - 1, end } as ViewSpan);
  const invocation = macro === undefined ? undefined : locationInFile(unit, macro.invocation);
  return invocation?.uri === uri ? invocation.span.end : 0;
}

function hasToken(text: string, name: string): boolean {
  return new RegExp(`(?<!\\w)${name}(?!\\w)`).test(text);
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, " ");
}

/**
 * The sets of execution spaces that the definitions of a macro in a text may stand for, each spelled in one order. Definitions without
 * any are left out: they are for other compilers. Macros in the bodies are looked up in the same text. Undefined if there is no
 * definition, or one with a word that could hide a specifier.
 */
function spacesIn(name: string, text: string, enclosing: readonly string[] = []): readonly string[] | undefined {
  if (enclosing.includes(name)) return undefined;
  const own = definitionsIn(text).filter((macro) => macro.name === name);
  const possible = own.map(({ parameters = [], body }) => {
    const words = wordsOf(withoutComments(text.slice(body.start, body.end)));
    const open = words.filter((word) => !harmless.has(word) && !parameters.includes(word));
    const inner = open.map((word) => (executionSpaces.has(word) ? [word] : spacesIn(word, text, [...enclosing, name])));
    return inner.every((sets) => sets !== undefined) ? combined(inner) : undefined;
  });
  return possible.length > 0 && possible.every((sets) => sets !== undefined) ? possible.flat() : undefined;
}

/** Every union of one set from each list that has any; none if no list has. */
function combined(lists: readonly (readonly string[])[]): readonly string[] {
  const some = lists.filter((list) => list.length > 0);
  const unions = (sets: readonly string[], list: readonly string[]) =>
    sets.flatMap((set) => list.map((each) => spelled(wordsOf(`${set} ${each}`))));
  return some.length === 0 ? [] : some.reduce(unions, [""]);
}

function spelled(spaces: readonly string[]): string {
  return [...new Set(spaces)].sort().join(" ");
}

function wordsOf(text: string): readonly string[] {
  return text.match(/[A-Za-z_]\w*/g) ?? [];
}
