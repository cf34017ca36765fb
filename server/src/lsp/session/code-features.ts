/**
 * Completion, signatures, outline, definitions, references, names and folds of an open document, in the protocol's words. For
 * OpenCL, which has no other language server; in CUDA only where the settings want it, because clangd does this there.
 */
import {
  type CompletionItem,
  CompletionItemKind,
  type DocumentSymbol,
  type FoldingRange,
  FoldingRangeKind,
  type Location,
  type Position,
  type Range,
  type SignatureHelp,
  SymbolKind,
  type TextEdit,
  type WorkspaceEdit,
} from "vscode-languageserver";
import { type CompletionEntry, completionsAt, describeBuiltin } from "../../editor/language/completion.ts";
import { foldsOf, type OutlineEntry, outlineOf } from "../../editor/language/outline.ts";
import { signatureHelpAt } from "../../editor/language/signatures.ts";
import { type NamedSymbol, occurrencesOf, symbolAt } from "../../editor/language/symbols.ts";
import type { Location as Place } from "../../source.ts";
import type { FeatureContext } from "./language-features.ts";

const completionKinds: Readonly<Record<CompletionEntry["kind"], CompletionItemKind>> = {
  keyword: CompletionItemKind.Keyword,
  function: CompletionItemKind.Function,
  builtin: CompletionItemKind.Function,
  variable: CompletionItemKind.Variable,
  constant: CompletionItemKind.Constant,
  macro: CompletionItemKind.Constant,
};

const symbolKinds: Readonly<Record<OutlineEntry["kind"], SymbolKind>> = {
  kernel: SymbolKind.Function,
  function: SymbolKind.Method,
  constant: SymbolKind.Constant,
  variable: SymbolKind.Variable,
  struct: SymbolKind.Struct,
  macro: SymbolKind.String,
};

/** What a completion carries until it is resolved. */
export interface CompletionData {
  readonly uri: string;
  readonly name: string;
}

/** The settings want these features in the language of the document. */
export function hasLanguageFeatures({ name, service, settings }: FeatureContext): boolean {
  const which = settings.languageFeatures ?? "opencl";
  const language = service.read(name).readings[0]?.dialect.language;
  return language !== undefined && (which === "all" || which === language);
}

/** What may be completed at a position. */
export function protocolCompletions({ name, document, service }: FeatureContext, position: Position): CompletionItem[] {
  const entries = completionsAt(service.read(name), document.getText(), document.offsetAt(position));
  return entries.map(({ kind, label, detail, documentation }) => ({
    label,
    kind: completionKinds[kind],
    detail,
    // Words of the place come before names of the file, and those before the many of the language.
    sortText: `${kind === "keyword" ? 0 : kind === "builtin" ? 2 : 1}${label}`,
    ...(documentation === undefined ? {} : { documentation: { kind: "markdown" as const, value: documentation } }),
    ...(kind === "builtin" ? { data: { uri: document.uri, name: label } satisfies CompletionData } : {}),
  }));
}

/** The same completion with the documentation of a builtin function. */
export function resolvedCompletion(item: CompletionItem, builtin: string, { name, service }: FeatureContext): CompletionItem {
  const value = describeBuiltin(builtin, service.read(name));
  return value === undefined ? item : { ...item, documentation: { kind: "markdown", value } };
}

/** The signatures of the call around a position; undefined outside of calls. */
export function protocolSignatures({ name, document, service }: FeatureContext, position: Position): SignatureHelp | undefined {
  const help = signatureHelpAt(service.read(name), document.getText(), document.offsetAt(position));
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

/** The declarations of the document. */
export function protocolOutline({ name, document, service }: FeatureContext): DocumentSymbol[] {
  const rangeOf = ({ start, end }: { readonly start: number; readonly end: number }): Range => ({
    start: document.positionAt(start),
    end: document.positionAt(end),
  });
  return outlineOf(service.read(name), document.getText()).map((entry) => ({
    name: entry.name,
    detail: entry.detail,
    kind: symbolKinds[entry.kind],
    range: rangeOf(entry.span),
    selectionRange: rangeOf(entry.nameSpan),
  }));
}

/** Where the name at a position is defined. */
export function protocolDefinitions(context: FeatureContext, position: Position): Location[] {
  const symbol = symbolOf(context, position);
  if (symbol === undefined) return [];
  const [definition] = symbol.declarations;
  return definition === undefined ? [] : located(context, [definition]);
}

/** Where the name at a position is used, in every file that is known to. */
export function protocolReferences(context: FeatureContext, position: Position, withDeclarations: boolean): Location[] {
  const symbol = symbolOf(context, position);
  if (symbol === undefined) return [];
  const isDeclared = ({ uri, span }: Place) =>
    symbol.declarations.some((declaration) => declaration.uri === uri && declaration.span.start === span.start);
  const places = occurrencesOf(symbol, context.name, context.service);
  return located(context, withDeclarations ? places : places.filter((place) => !isDeclared(place)));
}

/** The word that would be renamed; undefined where nothing can be. */
export function renamedRange(context: FeatureContext, position: Position): Range | undefined {
  const symbol = symbolOf(context, position);
  if (symbol === undefined || symbol.kind === "member") return undefined;
  return { start: context.document.positionAt(symbol.span.start), end: context.document.positionAt(symbol.span.end) };
}

/** The edits that give the name at a position another name; undefined where it cannot be renamed. */
export function protocolRename(context: FeatureContext, position: Position, newName: string): WorkspaceEdit | undefined {
  const symbol = symbolOf(context, position);
  if (symbol === undefined || symbol.kind === "member" || !/^[A-Za-z_]\w*$/.test(newName)) return undefined;
  const changes: Record<string, TextEdit[]> = {};
  for (const { uri, range } of located(context, occurrencesOf(symbol, context.name, context.service)))
    changes[uri] = [...(changes[uri] ?? []), { range, newText: newName }];
  return { changes };
}

/** The parts of the document that can be folded. */
export function protocolFolds({ document }: FeatureContext): FoldingRange[] {
  return foldsOf(document.getText()).flatMap(({ kind, span }) => {
    const startLine = document.positionAt(span.start).line;
    const last = document.positionAt(span.end).line;
    // The closing brace stays visible.
    const endLine = kind === "region" && document.getText()[span.end] === "}" ? last - 1 : last;
    if (endLine <= startLine) return [];
    return [{ startLine, endLine, ...(kind === "comment" ? { kind: FoldingRangeKind.Comment } : {}) }];
  });
}

function symbolOf({ name, document, service }: FeatureContext, position: Position): NamedSymbol | undefined {
  return symbolAt(service.read(name), document.offsetAt(position), service);
}

function located({ positions, uriOf }: FeatureContext, places: readonly Place[]): Location[] {
  return places.flatMap(({ uri, span }) => {
    const range = positions.rangeOf(uri, span);
    return range === undefined ? [] : [{ uri: uriOf(uri), range }];
  });
}
