/**
 * Finds the symbol that a name in a file refers to (a function, a variable or a macro), and every place with that name. A place is
 * a word of the author's text, so macros' bodies and inactive branches count. The facts tell which words mean something else.
 */
import type { ReadFile, Reading } from "../../diagnostics/readings.ts";
import { fileOf } from "../../preprocess/row.ts";
import { locationInFile } from "../../preprocess/unit-row.ts";
import { unitsIn } from "../../preprocess/units.ts";
import type { Unit } from "../../preprocess/view/view.ts";
import type { FunctionSymbol, Place, VariableSymbol } from "../../semantics/types/symbols.ts";
import type { Files, FileUri, Location, SourceSpan } from "../../source.ts";
import { wordPattern } from "../../words.ts";
import { codeTokens, wordAt } from "./tokens.ts";

/** The symbol of a name at a place, with its declarations. */
export interface NamedSymbol {
  /** A member is found only where a fact names it, so it cannot be renamed. */
  readonly kind: "function" | "variable" | "macro" | "member";
  readonly name: string;
  /** The word at the requested place. */
  readonly span: SourceSpan;
  /** Its declarations, definitions first. */
  readonly declarations: readonly Location[];
  /** The part of the file that may name it; undefined if other files may as well. */
  readonly scope?: SourceSpan;
}

/** The access of these features to other files. */
export interface LanguageContext {
  readonly files: Files;
  read(uri: string): ReadFile;
}

/** The function, variable or macro at an offset; undefined for anything else. */
export function symbolAt({ uri, readings: [reading] }: ReadFile, offset: number, { files }: LanguageContext): NamedSymbol | undefined {
  const text = textOf(files, uri);
  const word = wordAt(text, offset);
  if (word === undefined || reading === undefined) return undefined;
  const { start, end, text: name } = word;
  const span = { start, end };
  const macro = macroDefinitions(reading.unit, name, files);
  if (macro.length > 0) return { kind: "macro", name, span, declarations: macro };
  const symbol = meaningOf(reading, uri, span, name);
  if (symbol === undefined || isBuiltin(symbol)) return undefined;
  const declarations = declarationsOf(symbol, reading).flatMap(located);
  if (declarations.length === 0) return undefined;
  const scope = symbol.kind === "variable" ? scopeOf(symbol) : undefined;
  const kind = symbol.kind === "variable" && symbol.scope === "member" ? "member" : symbol.kind;
  return { kind, name, span, declarations, ...(scope === undefined ? {} : { scope }) };
}

/** Every place with the name, including declarations, in the files that may refer to the symbol. */
export function occurrencesOf(symbol: NamedSymbol, uri: string, context: LanguageContext): readonly Location[] {
  if (symbol.scope !== undefined) return occurrencesIn(symbol, uri, context);
  const declaring = new Set(symbol.declarations.map((location) => location.uri));
  const word = wordPattern(symbol.name);
  const others = context.files.list().filter((other) => other !== uri && !declaring.has(other) && word.test(textOf(context.files, other)));
  const connected = others.filter((other) => {
    const unit = context.read(other).readings[0]?.unit;
    return (
      unit !== undefined &&
      unitsOf(unit).some((each) => declaring.has(fileOf(each.uri)) || each.spliced?.some((file) => declaring.has(file)) === true)
    );
  });
  return [...new Set([uri, ...declaring, ...connected])].flatMap((file) => occurrencesIn(symbol, file, context));
}

/** The places with the name in one file. */
export function occurrencesIn(symbol: NamedSymbol, uri: string, { files, read }: LanguageContext): readonly Location[] {
  const tokens = codeTokens(textOf(files, uri));
  const reading = read(uri).readings[0];
  if (symbol.kind === "member") return reading === undefined ? [] : namedPlaces(reading, uri, symbol);
  const others = reading === undefined ? new Set<number>() : otherMeanings(reading, uri, symbol);
  return tokens.flatMap(({ kind, text, start, end }, index) => {
    if (kind !== "word" || text !== symbol.name || others.has(start)) return [];
    if (symbol.scope !== undefined && (start < symbol.scope.start || end > symbol.scope.end)) return [];
    // A member is named only after its object.
    const before = tokens[index - 1]?.text;
    return symbol.kind !== "macro" && (before === "." || before === "->") ? [] : [{ uri, span: { start, end } }];
  });
}

/** Declarations and uses according to the facts. */
function namedPlaces({ facts }: Reading, uri: string, { name, declarations }: NamedSymbol): readonly Location[] {
  const own = new Set(declarations.map((location) => `${location.uri} ${location.span.start}`));
  const uses = facts.references.flatMap(({ symbol, place }) =>
    symbol.name === name &&
    placesOf(symbol).some((each) => located(each).some((location) => own.has(`${location.uri} ${location.span.start}`)))
      ? located(place)
      : [],
  );
  return [...declarations, ...uses].filter((location) => location.uri === uri);
}

/** The places where the same word means something else. */
function otherMeanings({ facts }: Reading, uri: string, { kind, name, declarations }: NamedSymbol): ReadonlySet<number> {
  if (kind === "macro") return new Set();
  const own = new Set(declarations.map((location) => `${location.uri} ${location.span.start}`));
  const isOwn = (symbol: VariableSymbol | FunctionSymbol) =>
    placesOf(symbol).some((place) => located(place).some((location) => own.has(`${location.uri} ${location.span.start}`)));
  const places = [
    ...facts.references.map(({ symbol, place }) => ({ symbol, place })),
    ...facts.variables.map(({ variable }) => ({ symbol: variable, place: variable.place })),
    ...facts.functions.flatMap((symbol) => symbol.declarations.map(({ namePlace }) => ({ symbol, place: namePlace }))),
  ];
  return new Set(
    places.flatMap(({ symbol, place }) => {
      if (symbol.name !== name || isOwn(symbol)) return [];
      return located(place).flatMap((location) => (location.uri === uri ? [location.span.start] : []));
    }),
  );
}

function meaningOf({ facts }: Reading, uri: string, span: SourceSpan, name: string): VariableSymbol | FunctionSymbol | undefined {
  const isHere = (place: Place) => located(place).some((location) => location.uri === uri && location.span.start === span.start);
  const symbols = [
    ...facts.references.filter(({ symbol, place }) => symbol.name === name && isHere(place)).map(({ symbol }) => symbol),
    ...facts.variables.filter(({ variable }) => variable.name === name && isHere(variable.place)).map(({ variable }) => variable),
    ...facts.functions.filter((each) => each.name === name && each.declarations.some(({ namePlace }) => isHere(namePlace))),
  ];
  if (symbols[0] !== undefined) return symbols[0];
  // This is a folded constant, or a name in a macro's body. It refers to the only symbol of that name at file scope.
  const named = [
    ...facts.functions.filter((each) => each.name === name),
    ...facts.variables.filter(({ variable }) => variable.name === name && variable.scope === "program").map(({ variable }) => variable),
  ];
  return named.length === 1 ? named[0] : undefined;
}

function isBuiltin(symbol: VariableSymbol | FunctionSymbol): boolean {
  return placesOf(symbol).every(({ unit }) => unit.uri.startsWith("builtin:"));
}

function placesOf(symbol: VariableSymbol | FunctionSymbol): readonly Place[] {
  return symbol.kind === "variable" ? [symbol.place] : symbol.declarations.map(({ namePlace }) => namePlace);
}

/** Every declaration of the same variable. */
function declarationsOf(symbol: VariableSymbol | FunctionSymbol, { facts }: Reading): readonly Place[] {
  if (symbol.kind === "function")
    return [...symbol.declarations].sort((a, b) => Number(b.isDefinition) - Number(a.isDefinition)).map(({ namePlace }) => namePlace);
  const first = (variable: VariableSymbol): VariableSymbol => (variable.previous === undefined ? variable : first(variable.previous));
  const root = first(symbol);
  const all = facts.variables.map(({ variable }) => variable).filter((variable) => first(variable) === root);
  return [...new Set([...all, root])].sort((a, b) => Number(b.isDefinition) - Number(a.isDefinition)).map(({ place }) => place);
}

/** The part of the file in which a variable is visible: its function for a local variable, its own declaration for a parameter. */
function scopeOf({ scope, owner, place }: VariableSymbol): SourceSpan | undefined {
  if (scope === "program" || owner === undefined) return undefined;
  const around = owner.declarations.find(
    ({ place: { unit, span }, body }) =>
      unit === place.unit && span.start <= place.span.start && place.span.end <= Math.max(span.end, body?.span.end ?? 0),
  );
  if (around === undefined) return undefined;
  const { unit, span } = around.place;
  return unit.view.origin({ start: span.start, end: Math.max(span.end, around.body?.span.end ?? 0) }).location.span;
}

/** The place of the name, if its author wrote it there. */
function located({ unit, span }: Place): readonly Location[] {
  if (unit.uri.startsWith("builtin:")) return [];
  const { location, exact } = unit.view.origin(span);
  return exact ? [locationInFile(unit, location)] : [];
}

/** `#define NAME` in any file of the translation unit, the last one first. */
function macroDefinitions(root: Unit, name: string, files: Files): readonly Location[] {
  return [root.uri, ...headersOf(root)].flatMap((uri) =>
    macrosIn(textOf(files, uri))
      .filter((macro) => macro.name === name)
      .map(({ span }) => ({ uri, span })),
  );
}

/** The macros that a text defines, and the places of their names. */
export function macrosIn(text: string): readonly { readonly name: string; readonly span: SourceSpan; readonly line: SourceSpan }[] {
  return [...text.matchAll(/^([ \t]*#[ \t]*define[ \t]+)([A-Za-z_]\w*)(?:\\\r?\n|[^\n])*/gm)].map(
    ({ index, 0: line, 1: head = "", 2: name = "" }) => ({
      name,
      span: { start: index + head.length, end: index + head.length + name.length },
      line: { start: index, end: index + line.trimEnd().length },
    }),
  );
}

/** The units of a translation unit that its author wrote. */
function unitsOf(root: Unit): readonly Unit[] {
  return unitsIn(root).filter(({ uri }) => !uri.startsWith("builtin:"));
}

/** The headers of a translation unit that its author wrote. */
export function headersOf(root: Unit): readonly string[] {
  return [...new Set(unitsOf(root).flatMap(({ uri, spliced }) => [uri, ...(spliced ?? [])]))].filter((uri) => uri !== root.uri);
}

/** The text of a file; empty if there is none. */
export function textOf(files: Files, uri: FileUri): string {
  const text = files.read(uri);
  return text === "absent" || text === "unread" ? "" : text;
}
