/**
 * Decides whether the head of a function's declaration may have specifiers that this configuration does not show: a macro that is
 * empty here, or that another branch or another project setting defines as another execution space. A macro that is empty for other
 * compilers alone hides nothing.
 */
import { definitionsIn } from "../../preprocess/macros/definitions-in.ts";
import { fileOf } from "../../preprocess/row.ts";
import { codeAt, locationInFile } from "../../preprocess/unit-row.ts";
import { isVectorType } from "../../semantics/builtins/cuda-prelude.ts";
import type { FunctionDeclaration, Place, SpecifierWord } from "../../semantics/types/symbols.ts";
import type { FileUri, UnitLocation, ViewSpan } from "../../source.ts";

/** Words that may stand in a macro for specifiers without changing where a function runs. */
const harmless = new Set(
  "inline static constexpr extern explicit virtual friend const volatile typename template noexcept unsigned signed void bool char short int long float double auto C __inline__ __inline __forceinline __forceinline__ __noinline__ __attribute__ always_inline noinline __always_inline__ __noinline__ nodiscard maybe_unused unused gnu flatten hot __declspec dllexport dllimport visibility default".split(
    " ",
  ),
);

function isHarmless(word: string): boolean {
  return harmless.has(word) || isVectorType(word);
}

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

function hasUnknownWord(declaration: FunctionDeclaration, textOf: TextOf): boolean {
  const { place, namePlace, words } = declaration;
  const { uri, span } = codeAt(namePlace);
  const text = textOf(uri);
  if (isForcedOnBothSides(text, span.start)) return true;
  const before = codeBetween(text, endOfMacroBefore(place, uri), span.start);
  const from = Math.max(before.lastIndexOf(";"), before.lastIndexOf("{"), before.lastIndexOf("}"));
  const head = before.slice(from + 1);
  const { view } = place.unit;
  const known = view.text.slice(Math.max(0, namePlace.span.start - head.length - longest), namePlace.span.start);
  const unknown = [...new Set(head.match(/[A-Za-z_]\w*/g) ?? [])].filter((name) => !isHarmless(name) && !hasToken(known, name));
  if (unknown.length === 0) return false;
  const macros = expandedIn(declaration);
  return unknown.some((name) => {
    const macro = macros.get(name);
    if (macro?.definition === undefined) return true;
    const given = words.filter((each) => each.place.unit.view.origin(each.place.span).macro?.name === name);
    const spaces = spelled(given.map(({ text: word }) => word).filter((word) => executionSpaces.has(word)));
    const possible = spacesIn(name, textOf(fileOf(macro.definition.uri)), macro.words);
    return possible?.every((each) => each === spaces) !== true;
  });
}

/** What a macro has become in the head of a declaration. */
interface Expanded {
  /** Absent for predefined and command-line macros. */
  readonly definition: UnitLocation | undefined;
  readonly words: Set<string>;
}

/** The macros in the head of a declaration that stand for at least one word, by their names. */
function expandedIn({ place, namePlace }: FunctionDeclaration): ReadonlyMap<string, Expanded> {
  const { view } = namePlace.unit;
  const found = new Map<string, Expanded>();
  for (const { 0: word, index } of view.text.slice(place.span.start, namePlace.span.start).matchAll(/[A-Za-z_]\w*/g)) {
    const start = place.span.start + index;
    const { macro } = view.origin({ start, end: start + word.length } as ViewSpan);
    if (macro === undefined) continue;
    const known = found.get(macro.name);
    if (known === undefined) found.set(macro.name, { definition: macro.definition, words: new Set([word]) });
    else known.words.add(word);
  }
  return found;
}

/**
 * The author's text between two offsets, without comments and directives. Of a text that is longer than any head only the end counts, and
 * the comment or the line that is cut there is left out.
 */
function codeBetween(text: string, from: number, end: number): string {
  const start = Math.max(from, end - longest);
  const part = text.slice(start, end);
  const close = part.indexOf("*/");
  const isInComment = close >= 0 && !part.slice(0, close).includes("/*");
  const whole = isInComment ? part.slice(close + 2) : start > from ? part.replace(/^(?:\\\r?\n|[^\n])*/, "") : part;
  return withoutComments(whole).replace(/^[ \t]*#(?:\\\r?\n|[^\n])*/gm, "");
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
 * definition, or one with a word that could hide a specifier, which the words that are left after all expansion cannot.
 */
function spacesIn(
  name: string,
  text: string,
  expanded: ReadonlySet<string>,
  enclosing: readonly string[] = [],
): readonly string[] | undefined {
  if (enclosing.includes(name)) return undefined;
  const own = definitionsIn(text).filter((macro) => macro.name === name);
  const possible = own.map(({ parameters = [], body }) => {
    const words = wordsOf(withoutComments(text.slice(body.start, body.end)));
    const open = words.filter(
      (word) => !isHarmless(word) && !parameters.includes(word) && (executionSpaces.has(word) || !expanded.has(word)),
    );
    const inner = open.map((word) => (executionSpaces.has(word) ? [word] : spacesIn(word, text, expanded, [...enclosing, name])));
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
