/** Inlay hints, semantic tokens, code lenses, links and declarations of an open document, in the protocol's words. */
import { type CodeLens, type DocumentLink, type InlayHint, type Location, type Range, type SemanticTokens, SemanticTokensBuilder } from "vscode-languageserver";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { inlayHints } from "../features/inlay-hints.ts";
import { lenses } from "../features/lenses.ts";
import { semanticTokens, tokenModifiers, tokenTypes } from "../features/semantic-tokens.ts";
import { suppressionsIn } from "../features/suppressions.ts";
import { rules } from "../rules/index.ts";
import type { Service } from "../service.ts";
import type { Positions } from "./positions.ts";

/** What a user may switch on and off; absent members have their defaults. */
export interface FeatureSettings {
  readonly inlayHints?: boolean;
  readonly codeLens?: boolean;
  /** In CUDA other tools colour names already, and editors take one tool's colours only. */
  readonly semanticTokens?: "off" | "opencl" | "all";
}

export const tokensLegend = { tokenTypes: [...tokenTypes], tokenModifiers: [...tokenModifiers] };

/** Runs a command of the editor on its click; other editors show the title alone. */
export const showLocationsCommand = "gpuQualifiers.showLocations";

export interface FeatureContext {
  readonly name: string;
  readonly document: TextDocument;
  readonly service: Service;
  readonly positions: Positions;
  uriOf(name: string): string;
  readonly settings: FeatureSettings;
  /** The client knows `showLocationsCommand`. */
  readonly hasCommands: boolean;
}

export function protocolHints({ name, document, service, settings }: FeatureContext, { start, end }: Range): InlayHint[] {
  if (settings.inlayHints === false) return [];
  const from = document.offsetAt(start);
  const to = document.offsetAt(end);
  return inlayHints(service.read(name))
    .filter(({ offset }) => from <= offset && offset <= to)
    .map(({ offset, label, tooltip }) => ({ position: document.positionAt(offset), label, tooltip, paddingRight: true }));
}

/** Undefined where another tool's tokens should be taken. */
export function protocolTokens({ name, document, service, settings }: FeatureContext): SemanticTokens | undefined {
  const which = settings.semanticTokens ?? "opencl";
  const file = which === "off" ? undefined : service.read(name);
  if (file === undefined || (which === "opencl" && file.readings[0]?.dialect.language !== "opencl")) return undefined;
  const builder = new SemanticTokensBuilder();
  for (const { span, type, modifiers } of semanticTokens(file)) {
    const { line, character } = document.positionAt(span.start);
    const bits = modifiers.reduce((sum, modifier) => sum | (1 << tokenModifiers.indexOf(modifier)), 0);
    builder.push(line, character, span.end - span.start, tokenTypes.indexOf(type), bits);
  }
  return builder.build();
}

export function protocolLenses(context: FeatureContext): CodeLens[] {
  const { name, document, service, settings, hasCommands } = context;
  if (settings.codeLens === false) return [];
  return lenses(service.read(name)).flatMap(({ span, title, isKernel }) => {
    const range = { start: document.positionAt(span.start), end: document.positionAt(span.end) };
    // An empty command is text that nobody can click on.
    const ledger: CodeLens = { range, command: { title, command: "" } };
    const all = isKernel ? protocolDeclarations(context, span.start) : [];
    if (!hasCommands || all.length < 2) return [ledger];
    const title2 = `${all.length - 1} other declaration${all.length === 2 ? "" : "s"}`;
    return [ledger, { range, command: { title: title2, command: showLocationsCommand, arguments: [document.uri, range.start, all] } }];
  });
}

/** From the ids in suppressions to the rules' pages in `folder`. */
export function protocolLinks(document: TextDocument, folder: string): DocumentLink[] {
  return suppressionsIn(document.getText()).flatMap(({ rules: allowed }) =>
    allowed.flatMap(({ id, span }) => {
      const rule = rules.find((candidate) => candidate.id === id);
      if (rule === undefined) return [];
      return [{ range: { start: document.positionAt(span.start), end: document.positionAt(span.end) }, target: `${folder}/${id}.md`, tooltip: rule.title }];
    }),
  );
}

export function protocolDeclarations({ name, service, positions, uriOf }: FeatureContext, offset: number): Location[] {
  return service.declarations(name, offset).flatMap(({ uri, span }) => {
    const range = positions.rangeOf(uri, span);
    return range === undefined ? [] : [{ uri: uriOf(uri), range }];
  });
}
