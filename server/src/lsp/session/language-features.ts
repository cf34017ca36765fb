/** Inlay hints, semantic tokens, code lenses, links and declarations of an open document, as the protocol's types. */
import {
  type CodeLens,
  type DocumentLink,
  type InlayHint,
  type Location,
  type Range,
  type SemanticTokens,
  SemanticTokensBuilder,
} from "vscode-languageserver";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { suppressionsIn } from "../../diagnostics/suppressions.ts";
import { languageOfName } from "../../dialect.ts";
import { inlayHints } from "../../editor/inlay-hints.ts";
import { lenses } from "../../editor/lenses.ts";
import { semanticTokens, tokenModifiers, tokenTypes } from "../../editor/semantic-tokens.ts";
import { printable } from "../../printable.ts";
import { rules } from "../../rules/index.ts";
import type { Service } from "../../service.ts";
import type { EditorSettings } from "../projects/editor-settings.ts";
import { pageAddress } from "../protocol/pages.ts";
import type { Positions } from "../protocol/positions.ts";

/** The legend that explains the semantic tokens to the client. */
export const tokensLegend = { tokenTypes: [...tokenTypes], tokenModifiers: [...tokenModifiers] };

/** The editor's command for a click; editors without it show only the title. */
const showLocationsCommand = "gpuQualifiers.showLocations";

/** A document, with what is needed to answer requests about it. */
export interface FeatureContext {
  readonly name: string;
  readonly document: TextDocument;
  readonly service: Service;
  readonly positions: Positions;
  uriOf(name: string): string;
  readonly settings: EditorSettings;
  /** The client has `showLocationsCommand`. */
  readonly hasCommands: boolean;
  /** It can fill in the places of a completion. */
  readonly hasSnippets: boolean;
  /** The folder of the pages with the languages' own declarations. */
  readonly builtinPages: string | undefined;
}

/** The hints of a range; none if the settings disable them. */
export function protocolHints({ name, document, service, settings }: FeatureContext, { start, end }: Range): InlayHint[] {
  if (settings.inlayHints === false) return [];
  const from = document.offsetAt(start);
  const to = document.offsetAt(end);
  return service
    .partFacts(name)
    .flatMap(({ file, inFile }) =>
      inlayHints(file).map((hint) => ({ ...hint, offset: inFile({ start: hint.offset, end: hint.offset })?.start ?? -1 })),
    )
    .filter(({ offset }) => from <= offset && offset <= to)
    .map(({ offset, label, tooltip }) => ({
      position: document.positionAt(offset),
      label,
      tooltip: printable(tooltip),
      paddingRight: true,
    }));
}

/** The semantic tokens of a document; undefined if another tool should provide them, as in a host file with embedded sources. */
export function protocolTokens({ name, document, service, settings }: FeatureContext): SemanticTokens | undefined {
  const which = settings.semanticTokens ?? "opencl";
  if (
    which === "off" ||
    (which === "opencl" && (languageOfName(name) ?? service.partFacts(name)[0]?.file.readings[0]?.dialect.language) !== "opencl")
  )
    return undefined;
  const builder = new SemanticTokensBuilder();
  const tokens = service.partFacts(name).flatMap(({ file, inFile }) =>
    semanticTokens(file).flatMap((token) => {
      const span = inFile(token.span);
      return span === undefined ? [] : [{ ...token, span }];
    }),
  );
  for (const { span, type, modifiers } of tokens.sort((a, b) => a.span.start - b.span.start)) {
    const { line, character } = document.positionAt(span.start);
    const bits = modifiers.reduce((sum, modifier) => sum | (1 << tokenModifiers.indexOf(modifier)), 0);
    builder.push(line, character, span.end - span.start, tokenTypes.indexOf(type), bits);
  }
  return builder.build();
}

/** The lenses of a file; none if the settings disable them. */
export function protocolLenses(context: FeatureContext): CodeLens[] {
  const { name, document, service, settings, hasCommands } = context;
  if (settings.codeLens === false) return [];
  const all = service
    .partFacts(name)
    .flatMap(({ file, inFile, isEmbedded }) =>
      lenses(file, isEmbedded ? "string" : "file").map((lens) => ({ ...lens, span: inFile(lens.span) })),
    );
  return all.flatMap(({ span, title, above }) => {
    if (span === undefined) return [];
    const range = { start: document.positionAt(span.start), end: document.positionAt(span.end) };
    const declarations = above === "constants" || !hasCommands ? [] : protocolDeclarations(context, span.start);
    const showing = (text: string, locations: readonly Location[]): CodeLens => ({
      range,
      command: { title: text, command: showLocationsCommand, arguments: [document.uri, range.start, locations] },
    });
    // An empty command makes the text unclickable.
    const lens: CodeLens = { range, command: { title, command: "" } };
    if (above === "launch") return declarations.length === 0 ? [lens] : [showing(title, declarations.slice(0, 1))];
    if (declarations.length < 2) return [lens];
    return [lens, showing(`${declarations.length - 1} other declaration${declarations.length === 2 ? "" : "s"}`, declarations)];
  });
}

/** Links from the ids in suppressions to the rules' pages. */
export function protocolLinks({ name, document, service }: FeatureContext, documentation: string): DocumentLink[] {
  const allowed = service
    .parts(name)
    .flatMap(({ text, inFile }) =>
      suppressionsIn(text).flatMap((suppression) => suppression.rules.map(({ id, span }) => ({ id, span: inFile(span) }))),
    );
  return allowed.flatMap(({ id, span }) => {
    const rule = rules.find((candidate) => candidate.id === id);
    if (rule === undefined || span === undefined) return [];
    return [
      {
        range: { start: document.positionAt(span.start), end: document.positionAt(span.end) },
        target: pageAddress(documentation, id),
        tooltip: rule.title,
      },
    ];
  });
}

/** Every declaration of the kernel at an offset, in the known files. */
export function protocolDeclarations({ name, service, positions, uriOf }: FeatureContext, offset: number): Location[] {
  return service.declarations(name, offset).flatMap(({ uri, span }) => {
    const range = positions.rangeOf(uri, span);
    return range === undefined ? [] : [{ uri: uriOf(uri), range }];
  });
}
