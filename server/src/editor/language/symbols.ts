/**
 * Finds the symbol that a name in a file refers to, with its declarations. A place is a word of the author's text, so macros' bodies and
 * inactive branches count; `names/meaning.ts` tells what each word means, `occurrences.ts` finds the other places of the symbol.
 */
import type { AnalyzedUnit, ReadFile } from "../../diagnostics/analyzed-files.ts";
import { definitionsIn } from "../../preprocess/macros/definitions-in.ts";
import { locationInFile } from "../../preprocess/unit-row.ts";
import { unitsIn } from "../../preprocess/units.ts";
import type { Unit } from "../../preprocess/view/view.ts";
import type { Place, TypedefSymbol, VariableSymbol } from "../../semantics/types/symbols.ts";
import { printType, type Type, unqualifiedType } from "../../semantics/types/types.ts";
import { type Files, type Location, placeKey, type SourceSpan, textOf } from "../../source.ts";
import { type DeclaredSymbol, type MacroInFile, type Meaning, meaningOf, nameOf, placesOf } from "../names/meaning.ts";
import { neighborDeclarations } from "../names/neighbor-names.ts";
import { scopeSpanOf } from "../names/scopes.ts";
import { plainTypes } from "../names/spelled-types.ts";
import { codeTokens, followsMemberAccess, wordAt } from "../names/tokens.ts";
import { isWrittenHere, located } from "../names/written-places.ts";

/** The symbol of a name at a place, with its declarations. */
export interface NamedSymbol {
  readonly kind: "function" | "variable" | "macro" | "macro-parameter" | "member" | "type" | "enumerator" | "label";
  readonly name: string;
  /** The word at the requested place. */
  readonly span: SourceSpan;
  /** Its declarations, definitions first. */
  readonly declarations: readonly Location[];
  /** The part of the file that may name it; undefined if other files may as well. */
  readonly scope?: SourceSpan;
  /** For a variable or member: its type, if that is declared in the program. */
  readonly typeDeclaration?: Location;
  /** The name of a type of the language that the variable has, or points to. */
  readonly typeName?: string;
  /** A function that is launched from the host. */
  readonly isKernel?: true;
  /** It may be components of a vector instead of the member, because the type of the object is unknown. */
  readonly isUncertain?: true;
}

/** The access of these features to other files. */
export interface LanguageContext {
  readonly files: Files;
  read(uri: string): ReadFile;
  /** Every file that may see what one of these files declares. */
  filesSeeing(uris: Iterable<string>): ReadonlySet<string>;
}

/** The declared name at an offset; undefined for anything else. */
export function symbolAt({ uri, readings: [reading] }: ReadFile, offset: number, { files }: LanguageContext): NamedSymbol | undefined {
  const text = textOf(files, uri);
  const word = wordAt(text, offset);
  if (word === undefined || reading === undefined) return undefined;
  const span = { start: word.start, end: word.end } as SourceSpan;
  return namedBy(meaningOf(reading, uri, text, span, files), word.text, span, reading, text);
}

/** Where other files declare a name that nothing in the program of this file does: the host may build a program from both. */
export function declarationsNearby({ uri, readings: [reading] }: ReadFile, offset: number, files: Files): readonly Location[] {
  const text = textOf(files, uri);
  const word = wordAt(text, offset);
  if (word === undefined || reading?.dialect.language !== "opencl") return [];
  const { kind } = meaningOf(reading, uri, text, { start: word.start, end: word.end }, files);
  return kind === "undeclared" && !followsMemberAccess(text, word.start) ? neighborDeclarations(word.text, uri, files) : [];
}

/** What a meaning names, with its declarations; undefined for words of the language. */
export function namedBy(meaning: Meaning, name: string, span: SourceSpan, reading: AnalyzedUnit, text: string): NamedSymbol | undefined {
  switch (meaning.kind) {
    case "macro": {
      const declarations = meaning.definitions
        .filter(({ uri }) => !uri.startsWith("builtin:"))
        .map(({ uri, span: at }) => ({ uri, span: at }));
      return declarations.length === 0 ? undefined : { kind: "macro", name, span, declarations };
    }
    case "macro-parameter":
      return {
        kind: "macro-parameter",
        name,
        span,
        declarations: [{ uri: meaning.macro.uri, span: parameterSpan(meaning.macro, name, text) }],
        scope: meaning.macro.line,
      };
    case "written-local":
      return {
        kind: "variable",
        name,
        span,
        declarations: [{ uri: meaning.uri, span: meaning.local.span }],
        scope: meaning.local.scope,
      };
    case "written":
      return { kind: "function", name, span, declarations: meaning.declarations };
    case "label":
      return { kind: "label", name, span, declarations: [{ uri: meaning.uri, span: meaning.span }], scope: meaning.scope };
    case "some-member": {
      const [only, ...others] = meaning.members;
      const found = only === undefined || others.length > 0 ? undefined : symbolOf(only, name, span, reading);
      return found === undefined || !meaning.mayBeComponent ? found : { ...found, isUncertain: true };
    }
    case "symbol":
      return symbolOf(meaning.symbol, name, span, reading);
    default:
      return undefined;
  }
}

/** The place of a parameter in the head of a macro of this text. */
function parameterSpan({ span, line }: MacroInFile, name: string, text: string): SourceSpan {
  const found = codeTokens(text).find((token) => token.start >= span.end && token.end <= line.end && token.text === name);
  return found === undefined ? span : { start: found.start, end: found.end };
}

/** A declared symbol with its declarations; undefined if its author wrote none of them. */
export function symbolOf(symbol: DeclaredSymbol, name: string, span: SourceSpan, reading: AnalyzedUnit): NamedSymbol | undefined {
  const declarations = [
    ...new Map(
      declarationsOf(symbol, reading)
        .flatMap(located)
        .map((at) => [placeKey(at), at]),
    ).values(),
  ];
  if (declarations.length === 0) return undefined;
  const scope = symbol.kind === "variable" && isWrittenHere(symbol.place) ? scopeOf(symbol) : undefined;
  const object = symbol.kind === "variable" || symbol.kind === "typedef" ? objectType(symbol.type) : undefined;
  const type = object === undefined ? undefined : declaredType(object, reading);
  const isOfLanguage = object?.kind === "vector" || object?.kind === "arithmetic" || object?.kind === "opaque";
  const typeName = isOfLanguage ? plainTypes(printType(unqualifiedType(object))) : undefined;
  return {
    kind: kindOf(symbol),
    name,
    span,
    declarations,
    ...(scope === undefined ? {} : { scope }),
    ...(type === undefined ? {} : { typeDeclaration: type }),
    ...(typeName === undefined ? {} : { typeName }),
    ...(symbol.kind === "function" && symbol.declarations.some(({ execution }) => execution.kernel) ? { isKernel: true as const } : {}),
  };
}

function kindOf(symbol: DeclaredSymbol): NamedSymbol["kind"] {
  if (symbol.kind === "variable") return symbol.scope === "member" || symbol.scope === "static-member" ? "member" : "variable";
  return symbol.kind === "function" || symbol.kind === "enumerator" ? symbol.kind : "type";
}

/** The type of the object that a variable is, points to, or has as elements. */
function objectType(type: Type): Type {
  switch (type.kind) {
    case "pointer":
      return objectType(type.pointee);
    case "reference":
      return objectType(type.referent);
    case "array":
      return objectType(type.element);
    default:
      return type;
  }
}

/** Where a record or enumeration is declared; one without a tag, where a typedef names it. */
function declaredType(type: Type, { facts, names }: AnalyzedUnit): Location | undefined {
  if (type.kind !== "record" && type.kind !== "enum") return undefined;
  const { tag, place } = type.kind === "record" ? type.record : type.enumeration;
  if (place !== undefined && isNamedAt(tag, place)) return located(place)[0];
  const isNamed = ({ type: named }: TypedefSymbol) =>
    type.kind === "record"
      ? named.kind === "record" && named.record === type.record
      : named.kind === "enum" && named.enumeration === type.enumeration;
  const alias = facts.typedefs.find(isNamed) ?? typedefsOf(names).find(isNamed);
  return alias === undefined ? undefined : located(alias.place)[0];
}

/** The typedefs of a program, also those in headers. */
function typedefsOf(names: AnalyzedUnit["names"]): readonly TypedefSymbol[] {
  return [...(names?.all() ?? [])]
    .flatMap((name) => names?.of(name) ?? [])
    .filter((symbol): symbol is TypedefSymbol => symbol.kind === "typedef");
}

/** True if the tag of a type stands at its place. A type without one is called by the name of a typedef. */
export function isNamedAt(tag: string | undefined, { unit, span }: Place): boolean {
  return tag !== undefined && unit.view.text.startsWith(tag, span.start);
}

/** Every declaration of the same entity. */
export function declarationsOf(symbol: DeclaredSymbol, { facts, names }: AnalyzedUnit): readonly Place[] {
  if (symbol.kind === "function")
    return [...symbol.declarations].sort((a, b) => Number(b.isDefinition) - Number(a.isDefinition)).map(({ namePlace }) => namePlace);
  if (symbol.kind === "typedef" || symbol.kind === "record" || symbol.kind === "enum") {
    // `typedef struct S { … } S;` is renamed as one name.
    const alike = (names?.of(nameOf(symbol)) ?? []).filter(
      (each): each is DeclaredSymbol => each.kind === "typedef" || each.kind === "record" || each.kind === "enum",
    );
    return [symbol, ...alike].flatMap(placesOf).filter(({ unit, span }) => unit.view.text.slice(span.start, span.end) === nameOf(symbol));
  }
  if (symbol.kind === "enumerator") return [symbol.place];
  const first = (variable: VariableSymbol): VariableSymbol => (variable.previous === undefined ? variable : first(variable.previous));
  const root = first(symbol);
  if (symbol.scope !== "program") return [symbol.place];
  const all = facts.variables.map(({ variable }) => variable).filter((variable) => first(variable) === root);
  return [...new Set([...all, root])].sort((a, b) => Number(b.isDefinition) - Number(a.isDefinition)).map(({ place }) => place);
}

/** The part of the file in which a variable is visible. */
function scopeOf(variable: VariableSymbol): SourceSpan | undefined {
  const span = scopeSpanOf(variable);
  if (span === undefined) return undefined;
  const { unit } = variable.place;
  return locationInFile(unit, unit.view.origin(span).location).span;
}

/** The places in a file at which a variable gets a value: its declarations, and what assigns to all of it. */
export function writesIn(symbol: NamedSymbol, { readings: [reading] }: ReadFile): readonly Location[] {
  const written = (reading?.facts.accesses ?? []).filter(
    ({ mode, path, place: { span } }) =>
      (mode === "write" || mode === "read-write") &&
      path.steps.length === 0 &&
      path.root?.name === symbol.name &&
      span.end - span.start === symbol.name.length,
  );
  return [...symbol.declarations, ...written.flatMap(({ place }) => located(place))];
}

/** The macros that a text defines, and the places of their names. */
export function macrosIn(text: string): readonly { readonly name: string; readonly span: SourceSpan; readonly line: SourceSpan }[] {
  return definitionsIn(text);
}

/** The units of a translation unit that its author wrote. */
export function unitsOf(root: Unit | undefined): readonly Unit[] {
  return root === undefined ? [] : unitsIn(root).filter(({ uri }) => !uri.startsWith("builtin:"));
}

/** The headers of a translation unit that its author wrote. */
export function headersOf(root: Unit): readonly string[] {
  return [...new Set(unitsOf(root).flatMap(({ uri, spliced }) => [uri, ...(spliced ?? [])]))].filter((uri) => uri !== root.uri);
}
