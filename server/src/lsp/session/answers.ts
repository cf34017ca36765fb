/**
 * Answers a client's requests about one document: hovers, actions, hints, tokens and lenses. Each answer waits until the current
 * text has been analyzed. A request about a document that has been closed meanwhile gets an empty answer.
 */
import type {
  CallHierarchyIncomingCall,
  CallHierarchyItem,
  CallHierarchyOutgoingCall,
  CodeAction,
  CodeActionParams,
  CodeLens,
  CompletionItem,
  DocumentHighlight,
  DocumentLink,
  DocumentSymbol,
  FoldingRange,
  Hover,
  HoverParams,
  InlayHint,
  Location,
  Position,
  Range,
  SelectionRange,
  SemanticTokens,
  SignatureHelp,
  SymbolInformation,
  TextEdit,
  WorkspaceEdit,
} from "vscode-languageserver";
import { TextDocument } from "vscode-languageserver-textdocument";
import type { Service } from "../../service.ts";
import { changeOf } from "../../text-change.ts";
import type { EditorSettings } from "../projects/editor-settings.ts";
import type { InitializationOptions, Platform } from "../projects/platform.ts";
import type { Workspace } from "../projects/workspace.ts";
import type { ClientFeatures } from "../protocol/client-features.ts";
import type { Converter } from "../protocol/convert.ts";
import { fencedFor } from "../protocol/fences.ts";
import { withPages } from "../protocol/pages.ts";
import type { Positions } from "../protocol/positions.ts";
import { type ActionData, type ActionsContext, codeActions, concernsOthers, folderOfBuild, resolveAction } from "./code-actions.ts";
import {
  type CompletionData,
  includeLinks,
  isOpenCLFile,
  protocolCompletions,
  protocolDefinitions,
  protocolFolds,
  protocolHighlights,
  protocolOutline,
  protocolReferences,
  protocolRename,
  protocolSignatures,
  renamedRange,
  resolvedCompletion,
} from "./code-features.ts";
import {
  type FeatureContext,
  protocolDeclarations,
  protocolHints,
  protocolLenses,
  protocolLinks,
  protocolTokens,
} from "./language-features.ts";
import { incomingCalls, outgoingCalls, preparedCalls, protocolSelections, protocolTypeDefinitions } from "./structure-features.ts";
import { workspaceSymbols } from "./workspace-symbols.ts";

/** Answers to requests about one document. */
export interface Answers {
  hover(params: HoverParams): Promise<Hover | undefined>;
  codeActions(params: CodeActionParams): Promise<readonly CodeAction[]>;
  resolve(action: CodeAction): Promise<CodeAction>;
  inlayHints(uri: string, range: Range): Promise<InlayHint[]>;
  semanticTokens(uri: string): Promise<SemanticTokens | undefined>;
  codeLenses(uri: string): Promise<CodeLens[]>;
  declarations(uri: string, position: Position): Promise<Location[]>;
  documentLinks(uri: string): Promise<DocumentLink[]>;
  completions(uri: string, position: Position, trigger: string | undefined): Promise<CompletionItem[]>;
  resolveCompletion(item: CompletionItem): Promise<CompletionItem>;
  signatures(uri: string, position: Position): Promise<SignatureHelp | undefined>;
  outline(uri: string): Promise<DocumentSymbol[]>;
  definitions(uri: string, position: Position): Promise<Location[]>;
  references(uri: string, position: Position, withDeclarations: boolean): Promise<Location[]>;
  /** The word, or a sentence that says why it cannot be renamed. */
  renamed(uri: string, position: Position): Promise<Range | string | undefined>;
  /** The edits, or a sentence that says why the name cannot be used. */
  rename(uri: string, position: Position, newName: string): Promise<WorkspaceEdit | string | undefined>;
  folds(uri: string): Promise<FoldingRange[]>;
  highlights(uri: string, position: Position): Promise<DocumentHighlight[]>;
  formatted(uri: string): Promise<TextEdit[]>;
  typeDefinitions(uri: string, position: Position): Promise<Location[]>;
  selections(uri: string, positions: readonly Position[]): Promise<SelectionRange[]>;
  preparedCalls(uri: string, position: Position): Promise<CallHierarchyItem[]>;
  incomingCalls(item: CallHierarchyItem): Promise<CallHierarchyIncomingCall[]>;
  outgoingCalls(item: CallHierarchyItem): Promise<CallHierarchyOutgoingCall[]>;
  symbols(query: string): Promise<SymbolInformation[]>;
}

/** The dependencies of the answers. */
export interface AnswersOptions {
  readonly workspace: Workspace;
  readonly positions: Positions;
  readonly converter: Converter;
  readonly features: Pick<ClientFeatures, "lazyEdits" | "snippets">;
  readonly initialization: Pick<InitializationOptions, "commands" | "builtinPages">;
  /** The folder of the rules' pages. */
  readonly documentation: string | undefined;
  readonly platform: Pick<Platform, "documentation" | "format">;
  documentOf(name: string): TextDocument | undefined;
  nameOf(uri: string): string;
  uriOf(name: string): string;
  /** The editor's current settings, and whether the user trusts the workspace. */
  settings(): EditorSettings & Pick<InitializationOptions, "isTrusted">;
}

/** Creates the answers of one session. */
export function createAnswers(options: AnswersOptions): Answers {
  const { workspace, positions, converter, documentation, platform, documentOf, nameOf, uriOf } = options;

  const contextOf = (name: string, document: TextDocument, service: Service): FeatureContext => ({
    name,
    document,
    service,
    positions,
    uriOf,
    settings: options.settings(),
    hasCommands: options.initialization.commands === true,
    hasSnippets: options.features.snippets,
    builtinPages: options.initialization.builtinPages ?? platform.documentation,
  });

  const actionsContext = async (name: string): Promise<ActionsContext> => {
    const { project, states, check } = workspace.projectOf(name);
    const state = await check(name, "now");
    return {
      name,
      state,
      states,
      placeOfSeverity: (rule) => project.settings.placeOfSeverity(name, rule),
      folderOfBuild: () => folderOfBuild(name, project.root, (other) => workspace.textOf(other)),
      textOf: (other) => workspace.textOf(other),
      complete: (fix) => project.service().complete(name, fix),
      refactorings: (span) => project.service().refactorings(name, span),
      converter,
    };
  };
  /**
   * The context of a request for actions. If an action would change files that have not been read yet, the rest of the project is
   * read first.
   */
  const withOthers = async (name: string, needsOthers: (context: ActionsContext) => boolean): Promise<ActionsContext> => {
    const context = await actionsContext(name);
    const project = workspace.projectOf(name);
    if (!project.lacksFiles() || !needsOthers(context)) return context;
    await project.readRest();
    return actionsContext(name);
  };
  /** The result of `work` on an open document whose analysis is up to date. */
  const withDocument = async <Result>(
    uri: string,
    work: (context: FeatureContext) => Result,
    needs: "units" | "facts" = "units",
  ): Promise<Result | undefined> => {
    const name = nameOf(uri);
    if (documentOf(name) === undefined) return undefined;
    const project = workspace.projectOf(name);
    const service = await (needs === "units" ? project.understand(name) : project.judge(name));
    const document = documentOf(name);
    if (document === undefined) return undefined;
    return work(contextOf(name, document, service));
  };
  const withAll = async <Result>(uri: string, work: (context: FeatureContext) => Result): Promise<Result | undefined> => {
    await workspace.projectOf(nameOf(uri)).readRest();
    return withDocument(uri, work);
  };
  /** The calls of an item, whose file need not be open. */
  const withItem = async <Result>(
    item: CallHierarchyItem,
    work: (context: FeatureContext, item: CallHierarchyItem) => Result[],
  ): Promise<Result[]> => {
    const name = nameOf(item.uri);
    const project = workspace.projectOf(name);
    await project.readRest();
    const service = await project.understand(name);
    const document = documentOf(name) ?? TextDocument.create(item.uri, "", 0, workspace.textOf(name) ?? "");
    return work(contextOf(name, document, service), item);
  };

  return {
    completions: async (uri, position, trigger) =>
      (await withDocument(uri, (context) => protocolCompletions(context, position, trigger))) ?? [],
    resolveCompletion: async (item) => {
      const data: unknown = item.data;
      if (!isCompletionData(data)) return item;
      return (await withDocument(data.uri, (context) => resolvedCompletion(item, data, context))) ?? item;
    },
    signatures: (uri, position) => withDocument(uri, (context) => protocolSignatures(context, position)),
    outline: async (uri) => (await withDocument(uri, protocolOutline)) ?? [],
    definitions: async (uri, position) => (await withDocument(uri, (context) => protocolDefinitions(context, position))) ?? [],
    references: async (uri, position, withDeclarations) =>
      (await withAll(uri, (context) => protocolReferences(context, position, withDeclarations))) ?? [],
    renamed: (uri, position) => withDocument(uri, (context) => renamedRange(context, position)),
    rename: (uri, position, newName) => withAll(uri, (context) => protocolRename(context, position, newName)),
    folds: async (uri) => (await withDocument(uri, protocolFolds)) ?? [],
    hover: ({ textDocument, position }) =>
      withDocument(
        textDocument.uri,
        ({ name, document, service }) => {
          const content = service.hover(name, document.offsetAt(position));
          if (content === undefined) return undefined;
          const range = positions.rangeOf(name, content.span);
          const value = withPages(fencedFor(document.languageId, content.markdown), documentation);
          return { contents: { kind: "markdown", value }, ...(range === undefined ? {} : { range }) };
        },
        "facts",
      ),
    async codeActions({ textDocument, range, context }) {
      const name = nameOf(textDocument.uri);
      const spanIn = (document: TextDocument) => ({ start: document.offsetAt(range.start), end: document.offsetAt(range.end) });
      const known = await withOthers(name, (first) => {
        const document = documentOf(name);
        return document !== undefined && concernsOthers({ span: spanIn(document), only: context.only }, first);
      });
      const document = documentOf(name);
      if (document === undefined) return [];
      return codeActions({ span: spanIn(document), only: context.only, isLazy: options.features.lazyEdits }, known);
    },
    async resolve(action) {
      const data: unknown = action.data;
      if (!isActionData(data)) return action;
      return resolveAction(action, data, await withOthers(data.name, () => data.kind === "refactor" || data.kind === "fix"));
    },
    inlayHints: async (uri, range) => (await withDocument(uri, (context) => protocolHints(context, range), "facts")) ?? [],
    semanticTokens: (uri) => withDocument(uri, protocolTokens, "facts"),
    codeLenses: async (uri) => (await withDocument(uri, protocolLenses, "facts")) ?? [],
    declarations: async (uri, position) =>
      (await withDocument(uri, (context) => protocolDeclarations(context, context.document.offsetAt(position)), "facts")) ?? [],
    documentLinks: async (uri) =>
      (await withDocument(uri, (context) => [
        ...includeLinks(context),
        ...(documentation === undefined ? [] : protocolLinks(context, documentation)),
      ])) ?? [],
    highlights: async (uri, position) => (await withDocument(uri, (context) => protocolHighlights(context, position))) ?? [],
    formatted: async (uri) => {
      const document = documentOf(nameOf(uri));
      // The program would read the workspace's `.clang-format`.
      const isOurs = document !== undefined && options.settings().isTrusted !== false && ((await withDocument(uri, isOpenCLFile)) ?? false);
      const text = isOurs ? document.getText() : undefined;
      const formatted = text === undefined ? undefined : await platform.format?.(nameOf(uri), text);
      if (document === undefined || text === undefined || formatted === undefined || formatted === text) return [];
      const { start, oldEnd, newEnd } = changeOf(text, formatted);
      const range = { start: document.positionAt(start), end: document.positionAt(oldEnd) };
      return [{ range, newText: formatted.slice(start, newEnd) }];
    },
    typeDefinitions: async (uri, position) => (await withDocument(uri, (context) => protocolTypeDefinitions(context, position))) ?? [],
    selections: async (uri, places) => (await withDocument(uri, (context) => protocolSelections(context, places))) ?? [],
    preparedCalls: async (uri, position) => (await withDocument(uri, (context) => preparedCalls(context, position))) ?? [],
    incomingCalls: (item) => withItem(item, incomingCalls),
    outgoingCalls: (item) => withItem(item, outgoingCalls),
    symbols: async (query) => {
      const given = { positions, uriOf, settings: options.settings() };
      const found = workspace
        .projects()
        .map(({ inSteps }) => inSteps((service, names) => workspaceSymbols(query, { ...given, service, names })));
      return (await Promise.all(found)).flat();
    },
  };
}

function isCompletionData(data: unknown): data is CompletionData {
  return (
    typeof data === "object" &&
    data !== null &&
    "uri" in data &&
    typeof data.uri === "string" &&
    "source" in data &&
    typeof data.source === "string" &&
    "name" in data &&
    typeof data.name === "string"
  );
}

function isActionData(data: unknown): data is ActionData {
  return typeof data === "object" && data !== null && "name" in data && typeof data.name === "string" && "kind" in data;
}
