/**
 * The one answer to what a word of the author's text means: a declaration of the program, a macro or its parameter, something of the
 * language, or nothing that the program declares. Facts answer first; a word in a macro's body means what it means in the first
 * expansion; any other word is looked up by its name among what is visible at its place.
 */
import { groupBy } from "../../analyses/group-by.ts";
import type { AnalyzedUnit } from "../../diagnostics/analyzed-files.ts";
import { memo } from "../../memo.ts";
import { definitionsIn, type WrittenMacro } from "../../preprocess/macros/definitions-in.ts";
import { fileOf } from "../../preprocess/row.ts";
import { unitsIn, unitsWith } from "../../preprocess/units.ts";
import type { Unit, View } from "../../preprocess/view/view.ts";
import { qualifiers } from "../../qualifiers.ts";
import { builtinFunction, prelude } from "../../semantics/builtins/index.ts";
import type { Facts } from "../../semantics/facts/facts.ts";
import type {
  EnumeratorSymbol,
  EnumSymbol,
  FunctionSymbol,
  Place,
  RecordSymbol,
  TypedefSymbol,
  VariableSymbol,
} from "../../semantics/types/symbols.ts";
import { fixedWidth, openclTypeOfName } from "../../semantics/types/type-names.ts";
import type { Type } from "../../semantics/types/types.ts";
import { type Files, type FileUri, type Location, type SourceSpan, textOf, type ViewSpan } from "../../source.ts";
import { encloses } from "../../spans.ts";
import { isComponentName } from "./components.ts";
import { writtenDeclarations } from "./neighbor-names.ts";
import { localsAt } from "./scopes.ts";
import { codeTokens, followsMemberAccess, itemAround } from "./tokens.ts";
import { type WrittenLocal, writtenLocalAt } from "./written-locals.ts";

/** A declaration that names a place in the program. */
export type DeclaredSymbol = VariableSymbol | FunctionSymbol | TypedefSymbol | RecordSymbol | EnumSymbol | EnumeratorSymbol;

/** A macro's definition in a file. */
export interface MacroInFile extends WrittenMacro {
  readonly uri: FileUri;
}

/** The type of a vector. */
export type VectorType = Extract<Type, { kind: "vector" }>;

/** What a word means. */
export type Meaning =
  | { readonly kind: "symbol"; readonly symbol: DeclaredSymbol }
  /** The first is the one at the place, or in the file; the others are in other branches or headers. */
  | { readonly kind: "macro"; readonly definitions: readonly MacroInFile[] }
  | { readonly kind: "macro-parameter"; readonly macro: MacroInFile }
  /** A member of an object of unknown type, with the members of that name in the program. The object may be a vector, too. */
  | { readonly kind: "some-member"; readonly members: readonly VariableSymbol[]; readonly mayBeComponent: boolean }
  /** A local name in a text that no compiler reads. */
  | { readonly kind: "written-local"; readonly local: WrittenLocal; readonly uri: FileUri }
  /** A name that the program's files declare outside of functions, but only in text that no compiler reads. */
  | { readonly kind: "written"; readonly declarations: readonly Location[] }
  /** A label of `goto`, with its place in front of a statement, and the function around it. */
  | { readonly kind: "label"; readonly span: SourceSpan; readonly scope: SourceSpan; readonly uri: FileUri }
  /** Components of a vector, with its type if that is known. */
  | { readonly kind: "component"; readonly vector?: VectorType }
  | { readonly kind: "builtin" }
  | { readonly kind: "type"; readonly type: Type }
  | { readonly kind: "word" }
  | { readonly kind: "undeclared" };

/** What the word at a span of a file means. `text` is the file's text. */
export function meaningOf(reading: AnalyzedUnit, uri: FileUri, text: string, span: SourceSpan, files: Files): Meaning {
  const name = text.slice(span.start, span.end);
  const macro = definitionsIn(text).find(({ line }) => line.start <= span.start && span.end <= line.end);
  if (macro !== undefined) {
    if (macro.span.start === span.start) return { kind: "macro", definitions: definitionsOf(reading.unit, name, files, { ...macro, uri }) };
    if (macro.parameters?.includes(name) === true) return { kind: "macro-parameter", macro: { ...macro, uri } };
  }
  const label = labelAt(text, span);
  if (label !== undefined) return { kind: "label", ...label, uri };
  const isMember = followsMemberAccess(text, span.start);
  const inMacro = isMember || macro === undefined ? undefined : writtenLocalAt(text, name, span.start);
  if (inMacro !== undefined) return { kind: "written-local", local: inMacro, uri };
  const used = isMember || macro !== undefined ? undefined : macroAt(reading.unit, uri, span, name, files);
  if (used !== undefined) return { kind: "macro", definitions: definitionsOf(reading.unit, name, files, used) };
  for (const unit of unitsWith(reading.unit, uri)) {
    const at = macro === undefined ? unit.view.offsetOf(uri, span.start) : expandedAt(unit.view, uri, span.start, name);
    if (at === undefined) continue;
    const found = inView(reading, unit, { start: at, end: at + name.length } as ViewSpan, name);
    if (found !== undefined) return found;
  }
  const atUse = isMember ? undefined : macro === undefined ? writtenLocalAt(text, name, span.start) : localAtUses(text, macro, name);
  return atUse === undefined ? byName(reading, name, files, isMember) : { kind: "written-local", local: atUse, uri };
}

/** The definition of the macro that a word of the author's text invokes. */
function macroAt(root: Unit, uri: FileUri, { start, end }: SourceSpan, name: string, files: Files): MacroInFile | undefined {
  for (const { view } of unitsWith(root, uri)) {
    const at = view.offsetOf(uri, start);
    const { macro } = at === undefined ? {} : view.origin({ start: at, end: at + 1 } as ViewSpan);
    const { definition, invocation } = macro ?? {};
    if (definition === undefined || macro?.name !== name || invocation?.span.start !== start || invocation.span.end < end) continue;
    const file = fileOf(definition.uri);
    const found = definitionsIn(textOf(files, file)).find(({ line, name: own }) => own === name && encloses(line, definition.span));
    if (found !== undefined) return { ...found, uri: file };
  }
  return undefined;
}

/** The label that a word is or that a `goto` names; undefined for other words, and if the function around it has no such label. */
function labelAt(text: string, { start, end }: SourceSpan): { readonly span: SourceSpan; readonly scope: SourceSpan } | undefined {
  const isNamed = /\bgoto\s+$/.test(text.slice(Math.max(0, start - 40), start));
  if (!isNamed && !/^\s*:(?!:)/.test(text.slice(end, end + 40))) return undefined;
  const scope = itemAround(text, start);
  if (scope === undefined) return undefined;
  const name = text.slice(start, end);
  const tokens = codeTokens(text).filter((token) => token.kind !== "comment" && scope.start <= token.start && token.end <= scope.end);
  const found = tokens.find(
    (token, index) =>
      token.text === name && tokens[index + 1]?.text === ":" && /^[;{}:]$/.test(tokens[index - 1]?.text ?? "") && name !== "default",
  );
  return found === undefined || (!isNamed && found.start !== start) ? undefined : { span: { start: found.start, end: found.end }, scope };
}

/** The local name that a name in a macro's body refers to where the text first uses the macro, or else one whose body uses it. */
function localAtUses(text: string, macro: WrittenMacro, name: string): WrittenLocal | undefined {
  const words = groupBy(codeTokens(text), (token) => token.text);
  const tried = new Map([[macro.name, macro]]);
  // Those that are found on the way are tried afterwards. A chain of macros may be longer than the stack.
  for (const { name: used, line } of tried.values()) {
    for (const { start, end } of words.get(used) ?? []) {
      if (line.start <= start && end <= line.end) continue;
      const found = writtenLocalAt(text, name, start);
      if (found !== undefined) return found;
      const around = definitionsIn(text).find(({ body }) => body.start <= start && end <= body.end);
      if (around !== undefined && !tried.has(around.name)) tried.set(around.name, around);
    }
  }
  return undefined;
}

/** True if compilers read the word at a span of a file, itself or in an expansion of the macro that it defines. */
export function isReadAt(reading: AnalyzedUnit, uri: FileUri, text: string, span: SourceSpan): boolean {
  const isInMacro = definitionsIn(text).some(({ line }) => line.start <= span.start && span.end <= line.end);
  return unitsWith(reading.unit, uri).some(({ view }) =>
    isInMacro
      ? expandedAt(view, uri, span.start, text.slice(span.start, span.end)) !== undefined
      : view.offsetOf(uri, span.start) !== undefined,
  );
}

/** A part of a macro's body, and its places in the View: one for each expansion. */
interface Expanded {
  readonly spelling: SourceSpan;
  readonly places: number[];
}

/** Where the parts of macros' bodies are in the View, by file. */
const expansionsOf = memo((view: View): ReadonlyMap<string, ReadonlyMap<string, Expanded>> => {
  const found = new Map<string, Map<string, Expanded>>();
  for (let index = 0; index < view.segments.length; index += 1) {
    if (!view.segments.isExpanded(index)) continue;
    const segment = view.segments.at(index);
    const spelling = segment?.expansion?.spelling;
    if (segment === undefined || spelling === undefined) continue;
    const of = found.get(spelling.uri) ?? new Map<string, Expanded>();
    found.set(spelling.uri, of);
    const key = `${spelling.span.start}-${spelling.span.end}`;
    const part = of.get(key);
    if (part === undefined) of.set(key, { spelling: spelling.span, places: [segment.start] });
    else part.places.push(segment.start);
  }
  return found;
});

/** The first place in the View that an identifier in a macro's body expands to. */
function expandedAt(view: View, uri: string, start: number, name: string): number | undefined {
  for (const place of expandedPlaces(view, uri, start, name)) return place;
  return undefined;
}

function* expandedPlaces(view: View, uri: string, start: number, name: string): Generator<number> {
  for (const { spelling, places } of expansionsOf(view).get(uri)?.values() ?? []) {
    if (start < spelling.start || start >= spelling.end) continue;
    for (const at of places) {
      const place = at + start - spelling.start;
      if (view.text.startsWith(name, place)) yield place;
    }
  }
}

/** What an identifier in a macro's body means in each expansion, without those of the language. */
export function meaningsInExpansions(
  { facts, unit: root }: AnalyzedUnit,
  uri: string,
  start: number,
  name: string,
): readonly DeclaredSymbol[] {
  const found = unitsIn(root).flatMap((unit) =>
    [...expandedPlaces(unit.view, uri, start, name)].map((place) => placedSymbols(facts).get(unit)?.get(place)),
  );
  return [...new Set(found.filter((symbol) => symbol !== undefined))].filter((symbol) => !isOfLanguage(symbol));
}

/** The meaning of an identifier of a View; undefined if the View has another text there, or nothing is known. */
function inView({ facts }: AnalyzedUnit, unit: Unit, span: ViewSpan, name: string): Meaning | undefined {
  const { view } = unit;
  if (view.text.slice(span.start, span.end) !== name) return undefined;
  const symbol = placedSymbols(facts).get(unit)?.get(span.start);
  if (symbol !== undefined) return isOfLanguage(symbol) ? undefined : { kind: "symbol", symbol };
  if (/(?:\.|->)\s*$/.test(view.text.slice(Math.max(0, span.start - 40), span.start))) {
    const vector = placedVectors(facts).get(unit)?.get(span.start);
    return vector === undefined ? undefined : { kind: "component", vector };
  }
  const local = localsAt(facts, unit, span.start).findLast((variable) => variable.name === name);
  return local === undefined ? undefined : { kind: "symbol", symbol: local };
}

function isOfLanguage(symbol: DeclaredSymbol): boolean {
  return placesOf(symbol).every(({ unit }) => unit.uri.startsWith("builtin:"));
}

/** The places of the names in a symbol's declarations. */
export function placesOf(symbol: DeclaredSymbol): readonly Place[] {
  if (symbol.kind === "function") return symbol.declarations.map(({ namePlace }) => namePlace);
  return symbol.place === undefined ? [] : [symbol.place];
}

/** The name that a symbol is declared with. */
export function nameOf(symbol: DeclaredSymbol): string {
  return symbol.kind === "record" || symbol.kind === "enum" ? (symbol.tag ?? "") : symbol.name;
}

/** The symbols of the names in the facts, by unit and start. */
const placedSymbols = memo((facts: Facts): ReadonlyMap<Unit, ReadonlyMap<number, DeclaredSymbol>> => {
  const found = new Map<Unit, Map<number, DeclaredSymbol>>();
  const add = ({ unit, span }: Place, symbol: DeclaredSymbol) => {
    const of = found.get(unit) ?? new Map<number, DeclaredSymbol>();
    found.set(unit, of);
    of.set(span.start, symbol);
  };
  for (const { symbol, place } of facts.references) add(place, symbol);
  for (const record of facts.records) if (record.place !== undefined) add(record.place, record);
  for (const symbol of facts.typedefs) add(symbol.place, symbol);
  for (const symbol of facts.functions) for (const { namePlace } of symbol.declarations) add(namePlace, symbol);
  for (const { variable } of facts.variables) add(variable.place, variable);
  return found;
});

/** The vectors' types of the components in the facts, by unit and start. */
const placedVectors = memo((facts: Facts): ReadonlyMap<Unit, ReadonlyMap<number, VectorType>> => {
  const found = new Map<Unit, Map<number, VectorType>>();
  for (const { vector, place } of facts.components) {
    const of = found.get(place.unit) ?? new Map<number, VectorType>();
    found.set(place.unit, of);
    of.set(place.span.start, vector);
  }
  return found;
});

/** The meaning of a name by itself: a macro, a declaration of the program, something of the language, or nothing. */
function byName(reading: AnalyzedUnit, name: string, files: Files, isMember: boolean): Meaning {
  const { facts, names, dialect, unit } = reading;
  if (isMember) {
    const members = [...new Set([...facts.records, ...recordsOf(names?.all() ?? [], reading)])].flatMap((record) =>
      (record.members ?? []).filter((member) => member.name === name),
    );
    const mayBeComponent = dialect.language === "opencl" && isComponentName(name);
    if (members.length > 0) return { kind: "some-member", members, mayBeComponent };
    return mayBeComponent ? { kind: "component" } : { kind: "undeclared" };
  }
  const definitions = definitionsOf(unit, name, files, undefined);
  if (definitions.length > 0) return { kind: "macro", definitions };
  const symbols = (names?.of(name) ?? []).filter(isDeclared);
  const own = symbols.find((symbol) => !isOfLanguage(symbol));
  if (own !== undefined) return { kind: "symbol", symbol: own };
  if (qualifiers.some(({ word, spellings = [] }) => word === name || spellings.includes(name))) return { kind: "word" };
  const type = dialect.language === "opencl" ? (openclTypeOfName(name) ?? primitiveOf(name)) : (fixedWidth(name) ?? primitiveOf(name));
  if (type !== undefined) return { kind: "type", type };
  if (builtinFunction(name, dialect) !== undefined) return { kind: "builtin" };
  const [symbol] = symbols;
  if (symbol !== undefined) return { kind: "symbol", symbol };
  const macro = preludeMacro(reading, name);
  if (macro !== undefined) return macro;
  const declarations = writtenDeclarations(name, filesOf(unit), files);
  return declarations.length > 0 ? { kind: "written", declarations } : { kind: "undeclared" };
}

function isDeclared(symbol: { readonly kind: string }): symbol is DeclaredSymbol {
  return /^(?:variable|function|typedef|record|enum|enumerator)$/.test(symbol.kind);
}

function recordsOf(all: Iterable<string>, { names }: AnalyzedUnit): readonly RecordSymbol[] {
  return [...all].flatMap((name) => (names?.of(name) ?? []).filter((symbol): symbol is RecordSymbol => symbol.kind === "record"));
}

function primitiveOf(name: string): Type | undefined {
  return /^(?:void|bool|char|short|int|long|float|double|half|_Bool)$/.test(name) ? openclTypeOfName(name) : undefined;
}

/** The author's files of a program. */
function filesOf(root: Unit): readonly FileUri[] {
  const uris = new Set(unitsIn(root).flatMap(({ uri, spliced }) => [fileOf(uri), ...(spliced ?? [])]));
  return [...uris].filter((uri) => !uri.startsWith("builtin:"));
}

/** The definitions of a macro in the author's files, the one in force first. */
export function definitionsOf(root: Unit, name: string, files: Files, first: MacroInFile | undefined): readonly MacroInFile[] {
  const found = filesOf(root).flatMap((uri) =>
    definitionsIn(textOf(files, uri))
      .filter((macro) => macro.name === name)
      .map((macro) => ({ ...macro, uri })),
  );
  if (first === undefined) return found;
  return [first, ...found.filter(({ uri, span }) => uri !== first.uri || span.start !== first.span.start)];
}

/** A macro that the language defines without a header. */
function preludeMacro({ dialect }: AnalyzedUnit, name: string): Meaning | undefined {
  const source = prelude(dialect);
  const macro = definitionsIn(source.text).find((each) => each.name === name);
  return macro === undefined ? undefined : { kind: "macro", definitions: [{ ...macro, uri: source.uri }] };
}
