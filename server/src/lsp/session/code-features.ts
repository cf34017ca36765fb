/**
 * Provides completion, signatures, outline, definitions, references, highlights, headers and folds of an open document, as
 * the protocol's types. They cover OpenCL, also in string literals, and CUDA only if the settings enable it, because clangd provides
 * these features there.
 */
import {
  type CompletionItem,
  CompletionItemKind,
  type DocumentHighlight,
  DocumentHighlightKind,
  type DocumentLink,
  type DocumentSymbol,
  type FoldingRange,
  FoldingRangeKind,
  InsertTextFormat,
  type Location,
  type Position,
  type Range,
  type SignatureHelp,
  SymbolKind,
  type TextEdit,
  type WorkspaceEdit,
} from "vscode-languageserver";
import type { FilePart } from "../../diagnostics/analyzed-files.ts";
import { languageOfName } from "../../dialect.ts";
import { builtinDefinitionAt, builtinTypeDefinition, isExplainedBuiltinAt } from "../../editor/language/builtin-definitions.ts";
import { type CompletionEntry, completionsAt } from "../../editor/language/completion.ts";
import { namesInHosts } from "../../editor/language/host-names.ts";
import { includesOf } from "../../editor/language/includes.ts";
import { obstacleOf, refusalOf } from "../../editor/language/new-names.ts";
import { occurrencesIn, occurrencesOf } from "../../editor/language/occurrences.ts";
import { foldsOf, type OutlineEntry, outlineOf } from "../../editor/language/outline.ts";
import { signatureHelpAt } from "../../editor/language/signatures.ts";
import { declarationsNearby, type LanguageContext, type NamedSymbol, symbolAt, writesIn } from "../../editor/language/symbols.ts";
import { describeBuiltin } from "../../editor/language/words-of-language.ts";
import { baseNameOf } from "../../names.ts";
import { lineIndex } from "../../project/lines.ts";
import type { Service } from "../../service.ts";
import { type Location as Place, placeKey, type SourceSpan } from "../../source.ts";
import type { EditorSettings } from "../projects/editor-settings.ts";
import { fencedFor } from "../protocol/fences.ts";
import type { FeatureContext } from "./language-features.ts";

const completionKinds: Readonly<Record<CompletionEntry["kind"], CompletionItemKind>> = {
  keyword: CompletionItemKind.Keyword,
  word: CompletionItemKind.Keyword,
  type: CompletionItemKind.Struct,
  member: CompletionItemKind.Field,
  function: CompletionItemKind.Function,
  builtin: CompletionItemKind.Function,
  "builtin-constant": CompletionItemKind.Constant,
  variable: CompletionItemKind.Variable,
  constant: CompletionItemKind.Constant,
  macro: CompletionItemKind.Constant,
  text: CompletionItemKind.Text,
  file: CompletionItemKind.File,
  attribute: CompletionItemKind.Property,
  snippet: CompletionItemKind.Snippet,
};

/** The protocol's kinds of the declarations in an outline. */
export const symbolKinds: Readonly<Record<OutlineEntry["kind"], SymbolKind>> = {
  kernel: SymbolKind.Function,
  function: SymbolKind.Function,
  constant: SymbolKind.Constant,
  variable: SymbolKind.Variable,
  struct: SymbolKind.Struct,
  enum: SymbolKind.Enum,
  member: SymbolKind.Field,
  enumerator: SymbolKind.EnumMember,
  type: SymbolKind.Class,
  macro: SymbolKind.String,
};

/** The data of a completion until it is resolved. */
export interface CompletionData {
  readonly uri: string;
  /** The source that it belongs to: the document, or one in a literal of it. */
  readonly source: string;
  readonly name: string;
}

/** The source at a position of the document, if the settings enable these features for its language. */
export function partAt({ name, document, service, settings }: FeatureContext, position: Position): PartAt | undefined {
  const found = service.partAt(name, document.offsetAt(position));
  return isWanted(found.part, settings) ? found : undefined;
}

/** A source at a position, and the offset in it. */
export type PartAt = ReturnType<Service["partAt"]>;

/** True if the settings enable these features for the language of a source. */
export function isWanted({ file }: FilePart, { languageFeatures: which = "opencl" }: EditorSettings): boolean {
  const language = file.readings[0]?.dialect.language;
  return language !== undefined && (which === "all" || which === language);
}

/**
 * The completions at a position. `trigger` is the typed sign that made the client ask by itself; after one that may have other meanings
 * than a member access or a path, there are none.
 */
export function protocolCompletions(context: FeatureContext, position: Position, trigger: string | undefined): CompletionItem[] {
  const at = partAt(context, position);
  if (at === undefined) return [];
  const { file, text } = at.part;
  const line = text.slice(text.lastIndexOf("\n", at.offset - 1) + 1, at.offset);
  if (trigger !== undefined && trigger !== "." && !/->$|^[ \t]*#[ \t]*(?:include[ \t]*["<].*)?$/.test(line)) return [];
  return completionsAt(file, text, at.offset, context.service.files).flatMap((entry) => protocolCompletion(entry, at, context) ?? []);
}

function protocolCompletion(entry: CompletionEntry, { part }: PartAt, context: FeatureContext): CompletionItem | undefined {
  const { kind, label, detail, documentation, snippet, typedAs, replaces } = entry;
  const isSnippet = snippet !== undefined && context.hasSnippets;
  if (kind === "snippet" && !isSnippet) return undefined;
  const place = replaces === undefined ? undefined : part.inFile(replaces);
  const { document } = context;
  return {
    label,
    kind: completionKinds[kind],
    detail,
    sortText: sortText(entry),
    ...(typedAs === undefined ? {} : { filterText: typedAs }),
    ...(isSnippet ? { insertText: snippet, insertTextFormat: InsertTextFormat.Snippet } : {}),
    ...(place === undefined
      ? {}
      : { textEdit: { range: { start: document.positionAt(place.start), end: document.positionAt(place.end) }, newText: label } }),
    ...(documentation === undefined ? {} : { documentation: { kind: "markdown" as const, value: documentation } }),
    ...(kind === "builtin" ? { data: { uri: document.uri, source: part.file.uri, name: label } satisfies CompletionData } : {}),
  };
}

/** A text by which clients sort: by the case of what is typed, then the rank, then the distance of the nearest use. */
function sortText({ label, rank = 1, distance = farthest, isTypedSo = true }: CompletionEntry): string {
  return `${isTypedSo ? 0 : 1}${rank}${String(Math.min(distance, farthest)).padStart(6, "0")}${label}`;
}

const farthest = 999_999;

/** The completion with the documentation of its builtin function. */
export function resolvedCompletion(
  item: CompletionItem,
  { name, source }: CompletionData,
  { service, document }: FeatureContext,
): CompletionItem {
  const value = describeBuiltin(name, service.read(source));
  return value === undefined ? item : { ...item, documentation: { kind: "markdown", value: fencedFor(document.languageId, value) } };
}

/** The signatures of the call around a position; undefined outside of calls. */
export function protocolSignatures(context: FeatureContext, position: Position): SignatureHelp | undefined {
  const at = partAt(context, position);
  const help = at === undefined ? undefined : signatureHelpAt(at.part.file, at.part.text, at.offset);
  if (help === undefined) return undefined;
  return {
    signatures: help.signatures.map(({ label, parameters }) => ({
      label,
      parameters: parameters.map(({ start, end }) => ({ label: [start, end] })),
    })),
    activeSignature: help.active,
    activeParameter: help.parameter,
  };
}

/** The declarations of the document. The outline of a host file in another language is left to other tools. */
export function protocolOutline(context: FeatureContext): DocumentSymbol[] {
  const { name, document, service, settings } = context;
  const rangeOf = ({ start, end }: SourceSpan): Range => ({ start: document.positionAt(start), end: document.positionAt(end) });
  const parts = languageOfName(name) === undefined && !isWantedWhole(context) ? [] : service.parts(name);
  return parts
    .filter((part) => isWanted(part, settings))
    .flatMap(({ file, text, locate }) => {
      const shown = (entry: OutlineEntry): DocumentSymbol => ({
        name: entry.name,
        detail: entry.detail,
        kind: symbolKinds[entry.kind],
        range: rangeOf(locate({ uri: file.uri, span: entry.span }).span),
        selectionRange: rangeOf(locate({ uri: file.uri, span: entry.nameSpan }).span),
        ...(entry.children.length === 0 ? {} : { children: entry.children.map(shown) }),
      });
      return outlineOf(file, text).map(shown);
    });
}

/** True for a file of OpenCL for which the settings enable these features. */
export function isOpenCLFile(context: FeatureContext): boolean {
  return languageOfName(context.name) === "opencl" && isWantedWhole(context);
}

function isWantedWhole({ name, service, settings }: FeatureContext): boolean {
  return service.parts(name).some((part) => !part.isEmbedded && isWanted(part, settings));
}

/**
 * The definition of the name at a position; for a header's name the header, and for a name of the language its place on the language's
 * page. In CUDA, where clangd finds definitions, only those of kernels, also in other files, and of functions for memory and barriers.
 */
export function protocolDefinitions(context: FeatureContext, position: Position): Location[] {
  const { name, document, service, settings } = context;
  const at = service.partAt(name, document.offsetAt(position));
  if (!isWanted(at.part, settings)) return definitionsBesideOthers(context, at, position);
  const included = includesOf(at.part.file).find(({ span }) => span.start <= at.offset && at.offset <= span.end);
  if (included !== undefined) {
    const start = { line: 0, character: 0 };
    return [{ uri: context.uriOf(included.uri), range: { start, end: start } }];
  }
  const [definition] = symbolOf(at, context)?.declarations ?? [];
  if (definition !== undefined) return located(context, at, [definition]);
  const onItsPage = onPage(context, at);
  return onItsPage.length > 0 ? onItsPage : located(context, at, declarationsNearby(at.part.file, at.offset, service.files));
}

function definitionsBesideOthers(context: FeatureContext, at: PartAt, position: Position): Location[] {
  const { name, document, service } = context;
  const { file } = at.part;
  if (file.readings[0]?.dialect.language !== "cuda" || context.settings.languageFeatures === "off") return [];
  if (isExplainedBuiltinAt(file, at.offset, service.files)) return onPage(context, at);
  if (symbolOf(at, context)?.isKernel !== true) return [];
  return located(context, at, service.declarations(name, document.offsetAt(position)).slice(0, 1));
}

/** The place of a name of the language, of the one at the offset if none is given; none if the server has no page to show. */
export function onPage({ service, builtinPages }: FeatureContext, { part: { file }, offset }: PartAt, named?: string): Location[] {
  if (builtinPages === undefined) return [];
  const found = named === undefined ? builtinDefinitionAt(file, offset, service.files) : builtinTypeDefinition(file, named);
  if (found === undefined) return [];
  const { page, span } = found;
  const lines = lineIndex(page.text);
  const start = lines.placeOf(span.start);
  const end = lines.placeOf(span.end);
  return [
    {
      uri: `${builtinPages}/${page.fileName}`,
      range: { start: { line: start.line, character: start.column }, end: { line: end.line, character: end.column } },
    },
  ];
}

/** The uses of the name at a position, in every known file. */
export function protocolReferences(context: FeatureContext, position: Position, withDeclarations: boolean): Location[] {
  const at = partAt(context, position);
  const symbol = symbolOf(at, context);
  if (at === undefined || symbol === undefined) return [];
  const isDeclared = ({ uri, span }: Place) =>
    symbol.declarations.some((declaration) => declaration.uri === uri && declaration.span.start === span.start);
  const places = occurrencesOf(symbol, at.part.file.uri, filesAround(at, context));
  return located(context, at, withDeclarations ? places : places.filter((place) => !isDeclared(place)));
}

/** The uses of the name at a position in the document, and which of them change the variable. */
export function protocolHighlights(context: FeatureContext, position: Position): DocumentHighlight[] {
  const at = partAt(context, position);
  const symbol = symbolOf(at, context);
  if (at === undefined || symbol === undefined) return [];
  const { file } = at.part;
  const written = symbol.kind === "variable" ? new Set(writesIn(symbol, file).map(placeKey)) : undefined;
  return occurrencesIn(symbol, file.uri, filesAround(at, context)).flatMap((place) =>
    located(context, at, [place]).map(({ range }) => ({
      range,
      ...(written === undefined ? {} : { kind: written.has(placeKey(place)) ? DocumentHighlightKind.Write : DocumentHighlightKind.Read }),
    })),
  );
}

/** Links from the names of headers to the files. */
export function includeLinks(context: FeatureContext): DocumentLink[] {
  const { name, document, service, settings, uriOf } = context;
  return service
    .parts(name)
    .filter((part) => isWanted(part, settings))
    .flatMap(({ file, inFile }) =>
      includesOf(file).flatMap(({ span, uri }) => {
        const place = inFile(span);
        if (place === undefined) return [];
        return [{ range: { start: document.positionAt(place.start), end: document.positionAt(place.end) }, target: uriOf(uri) }];
      }),
    );
}

function renamedAt(context: FeatureContext, position: Position) {
  const at = partAt(context, position);
  const obstacle = at === undefined ? undefined : obstacleOf(at.part.file, at.offset, filesAround(at, context));
  if (obstacle !== undefined) return obstacle;
  const symbol = symbolOf(at, context);
  return at === undefined || symbol === undefined ? undefined : { at, symbol };
}

/** The word that would be renamed, or a sentence that says why it cannot be renamed; undefined if there is none. */
export function renamedRange(context: FeatureContext, position: Position): Range | string | undefined {
  const renamed = renamedAt(context, position);
  if (renamed === undefined || typeof renamed === "string") return renamed;
  const { at, symbol } = renamed;
  return located(context, at, [{ uri: at.part.file.uri, span: symbol.span }])[0]?.range;
}

/**
 * The edits that rename the symbol at a position; a sentence if the name cannot be used there, undefined if nothing can be renamed.
 */
export function protocolRename(context: FeatureContext, position: Position, newName: string): WorkspaceEdit | string | undefined {
  const renamed = renamedAt(context, position);
  if (renamed === undefined || typeof renamed === "string") return renamed;
  const { at, symbol } = renamed;
  const places = occurrencesOf(symbol, at.part.file.uri, filesAround(at, context));
  const refusal = refusalOf(symbol, newName, at.part.file.uri, places, filesAround(at, context));
  if (refusal !== undefined) return refusal;
  const hosts = symbol.isKernel === true ? namesInHosts(symbol.name, context.service.files, context.name) : { kernelFiles: [], places: [] };
  const [host] = hosts.places;
  const others = hosts.kernelFiles.filter((uri) => !places.some((place) => at.part.locate(place).uri === uri));
  if (host !== undefined && others.length > 0)
    return `'${symbol.name}' is also a kernel in ${baseNameOf(others[0] ?? "")}, so it is not known which of them ${baseNameOf(host.uri)} means.`;
  const changes: Record<string, TextEdit[]> = {};
  for (const location of [...places, ...hosts.places]) {
    // A word that is split by literals cannot be edited. Then nothing is renamed.
    const edit = at.part.edit({ location, text: newName });
    const range = edit === undefined ? undefined : context.positions.rangeOf(edit.location.uri, edit.location.span);
    if (edit === undefined || range === undefined) return undefined;
    const uri = context.uriOf(edit.location.uri);
    changes[uri] = [...(changes[uri] ?? []), { range, newText: edit.text }];
  }
  return { changes };
}

/** The parts of the document that can be folded. */
export function protocolFolds(context: FeatureContext): FoldingRange[] {
  const { document } = context;
  if (!isWantedWhole(context)) return [];
  return foldsOf(document.getText()).flatMap(({ kind, span }) => {
    const startLine = document.positionAt(span.start).line;
    const last = document.positionAt(span.end).line;
    // The closing brace stays visible.
    const endLine = kind === "region" && document.getText()[span.end] === "}" ? last - 1 : last;
    if (endLine <= startLine) return [];
    return [{ startLine, endLine, ...(kind === "comment" ? { kind: FoldingRangeKind.Comment } : {}) }];
  });
}

/** The declared name at a place. */
export function symbolOf(at: PartAt | undefined, { service }: FeatureContext): NamedSymbol | undefined {
  return at === undefined ? undefined : symbolAt(at.part.file, at.offset, service);
}

/** The files of the service, where the one at the place is read as for the place. */
export function filesAround({ part: { file } }: PartAt, { service }: FeatureContext): LanguageContext {
  return { files: service.files, read: (uri) => (uri === file.uri ? file : service.read(uri)), filesSeeing: service.filesSeeing };
}

function located(context: FeatureContext, { part }: PartAt, places: readonly Place[]): Location[] {
  return places.map(part.locate).flatMap((place) => locationOf(context, place));
}

/** A place in a file as the protocol's location; empty if the file does not exist. */
export function locationOf({ positions, uriOf }: FeatureContext, { uri, span }: Place): Location[] {
  const range = positions.rangeOf(uri, span);
  return range === undefined ? [] : [{ uri: uriOf(uri), range }];
}
