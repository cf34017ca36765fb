/**
 * One session with one client: the open documents, what is known of them, and what the client has been told. It turns
 * requests into answers and changes into diagnostics; which message leads here is `server.ts`'s business.
 */
import type {
  CancellationToken,
  CodeAction,
  CodeActionParams,
  CodeLens,
  Connection,
  DocumentDiagnosticReport,
  DocumentLink,
  Hover,
  HoverParams,
  InlayHint,
  Location,
  Diagnostic as LspDiagnostic,
  Position,
  Range,
  SemanticTokens,
  WorkspaceDiagnosticReport,
} from "vscode-languageserver";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { languageOfName } from "../dialect.ts";
import type { HostSettings } from "../host/project.ts";
import type { SyntaxParser } from "../syntax/parser.ts";
import { isSettingsFile } from "../workspace/settings.ts";
import { createBackground } from "./background.ts";
import type { ClientFeatures } from "./client-features.ts";
import { type ActionData, type ActionsContext, codeActions, resolveAction } from "./code-actions.ts";
import { runCommand } from "./commands.ts";
import { createConverter, source } from "./convert.ts";
import type { EditorSettings } from "./editor-settings.ts";
import {
  type FeatureContext,
  protocolDeclarations,
  protocolHints,
  protocolLenses,
  protocolLinks,
  protocolTokens,
} from "./language-features.ts";
import { createLateProgress } from "./late-progress.ts";
import type { InitializationOptions, Platform } from "./platform.ts";
import { createPositions } from "./positions.ts";
import { createResultIds } from "./pull.ts";
import { createScheduler } from "./scheduler.ts";
import { statusNotification, statusOf } from "./status.ts";
import { createSteady } from "./steady.ts";
import { createTurns } from "./turns.ts";
import { nameOfUri, uriOfName } from "./uris.ts";
import { createWorkspace, type FileState } from "./workspace.ts";
import { type PartsOfAnswer, workspaceDiagnostics } from "./workspace-diagnostics.ts";

export interface SessionOptions {
  readonly connection: Connection;
  readonly platform: Platform;
  readonly parser: SyntaxParser;
  readonly features: ClientFeatures;
  readonly initialization: InitializationOptions;
  /** When the settings are known. */
  readonly ready: Promise<void>;
}

export interface Session {
  /** The client has said something; `uri` is of a document that it shows. */
  heard(uri?: string): void;
  setFolders(uris: readonly string[]): void;
  /** What the editor says of each folder. */
  setHostSettings(settingsOf: (root: string) => HostSettings): void;
  setFeatures(settings: EditorSettings): void;
  opened(document: TextDocument): void;
  edited(document: TextDocument): void;
  closed(document: TextDocument): void;
  changedOnDisk(uris: readonly string[]): void;
  hover(params: HoverParams): Promise<Hover | undefined>;
  codeActions(params: CodeActionParams): Promise<readonly CodeAction[]>;
  resolve(action: CodeAction): Promise<CodeAction>;
  inlayHints(uri: string, range: Range): Promise<InlayHint[]>;
  semanticTokens(uri: string): Promise<SemanticTokens | undefined>;
  codeLenses(uri: string): Promise<CodeLens[]>;
  declarations(uri: string, position: Position): Promise<Location[]>;
  documentLinks(uri: string): Promise<DocumentLink[]>;
  command(command: string, parameters: readonly unknown[], token: CancellationToken): Promise<unknown>;
  pull(uri: string, previousId: string | undefined): Promise<DocumentDiagnosticReport>;
  /** Where the client takes parts of the answer, each comes when it is known. */
  pullWorkspace(
    previousIds: ReadonlyMap<string, string>,
    token: CancellationToken,
    partial: PartsOfAnswer | undefined,
  ): Promise<WorkspaceDiagnosticReport>;
  dispose(): void;
}

/** How long nobody types before the rest of the workspace is looked at again, in milliseconds. */
const idle = 800;

/** One for a client, from its first message to `dispose`. */
export function createSession({ connection, platform, parser, features, initialization, ready }: SessionOptions): Session {
  const documents = new Map<string, TextDocument>();
  const turns = createTurns();
  const progress = createLateProgress(connection, features.progress);
  const workspace = createWorkspace({
    platform,
    parser,
    turns,
    documentOf: (name) => documents.get(name),
    documentNames: () => [...documents.keys()],
  });
  const positions = createPositions((name) => workspace.textOf(name));
  const uriOf = (name: string) => documents.get(name)?.uri ?? uriOfName(name);
  const documentation = initialization.documentation ?? platform.documentation;
  const converter = createConverter({
    positions,
    uriOf,
    versionOf: (name) => documents.get(name)?.version ?? null,
    documentation,
    hasRelatedInformation: features.relatedInformation,
    hasDocumentChanges: features.documentChanges,
    hasAnnotations: features.changeAnnotations,
    createsFiles: features.createsFiles,
  });
  const resultIds = createResultIds();
  const published = new Map<string, string>();

  const log = (name: string, error: unknown) => {
    const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
    connection.console.error(`while working on ${uriOf(name)}: ${trace}`);
  };
  const check = (name: string): Promise<FileState> => workspace.projectOf(name).check(name, "now");
  const actionsContext = async (name: string): Promise<ActionsContext> => {
    const { project, states } = workspace.projectOf(name);
    const state = await check(name);
    return {
      name,
      state,
      states,
      root: project.root,
      textOf: (other) => workspace.textOf(other),
      complete: (fix) => project.service().complete(name, fix),
      converter,
    };
  };
  const steady = createSteady();
  const laterTimers = new Map<string, ReturnType<typeof setTimeout>>();
  /** What half-typed code hides is shown when nobody goes on typing. */
  const showLater = (name: string, milliseconds: number) => {
    clearTimeout(laterTimers.get(name));
    laterTimers.set(
      name,
      setTimeout(() => {
        laterTimers.delete(name);
        areOthersStale ||= features.pull;
        if (documents.has(name)) scheduler.plan(name);
      }, milliseconds + 10),
    );
  };
  const shown = (name: string, state: FileState) => {
    const text = documents.get(name)?.getText();
    const diagnostics = text === undefined ? state.diagnostics : steady.show(name, text, state);
    const due = text === undefined ? undefined : steady.dueIn(name);
    if (due !== undefined) showLater(name, due);
    return diagnostics.map((diagnostic) => converter.diagnostic(diagnostic)).filter((diagnostic) => diagnostic !== undefined);
  };
  /** What `work` says about an open document that is up to date. */
  const withDocument = async <Result>(uri: string, work: (context: FeatureContext) => Result): Promise<Result | undefined> => {
    const name = nameOfUri(uri);
    if (!documents.has(name)) return undefined;
    const service = await workspace.projectOf(name).understand(name);
    const document = documents.get(name);
    if (document === undefined) return undefined;
    return work({ name, document, service, positions, uriOf, settings: featureSettings, hasCommands: initialization.commands === true });
  };
  let featureSettings: EditorSettings = initialization;
  // What the client shows of other documents is old since an edit; it is told when the edited one has been checked.
  let areOthersStale = false;
  const changedFor = (name: string) => {
    const touched = workspace.edited(name).filter((other) => other !== name);
    if (touched.some((other) => documents.has(other))) areOthersStale = true;
    // Files that nobody looks at have their say about those that are open.
    const unopened = touched.find((other) => !documents.has(other));
    if (unopened !== undefined) background.start(workspace.projectOf(unopened), idle);
  };
  let isWholeWorkspace = false;

  const publish = (name: string, diagnostics: LspDiagnostic[]) => {
    const content = JSON.stringify([documents.get(name)?.version, diagnostics]);
    if (published.get(name) === content) return;
    published.set(name, content);
    const version = documents.get(name)?.version;
    void connection.sendDiagnostics({ uri: uriOf(name), diagnostics, ...(version === undefined ? {} : { version }) });
  };

  const publishSettingsProblems = () => {
    const byName = new Map<string, LspDiagnostic[]>([...published.keys()].filter(isSettingsFile).map((name) => [name, []]));
    for (const { project } of workspace.projects()) {
      for (const { message, location } of project.settings.problems()) {
        const range = positions.rangeOf(location.uri, location.span);
        if (range !== undefined)
          byName.set(location.uri, [...(byName.get(location.uri) ?? []), { range, message, source, severity: 1, code: "settings" }]);
      }
    }
    for (const [name, diagnostics] of byName) publish(name, diagnostics);
  };

  /** Brings one open document up to date, and others where the link now says something else about them. */
  const refresh = async (name: string): Promise<void> => {
    try {
      await ready;
      if (!documents.has(name)) return;
      const { project } = workspace.projectOf(name);
      const state = await check(name);
      publishSettingsProblems();
      if (initialization.status === true) {
        void connection.sendNotification(statusNotification, statusOf(uriOf(name), state.report, project.settings.of(name).origin));
      }
      if (areOthersStale) askAgain();
      if (features.pull || !documents.has(name)) return;
      publish(name, shown(name, state));
      for (const other of [...published.keys()]) {
        if (other !== name && !isSettingsFile(other) && (documents.has(other) || isWholeWorkspace))
          publish(other, shown(other, await check(other)));
      }
    } catch (error) {
      log(name, error);
    }
  };
  const scheduler = createScheduler(refresh);

  const askAgain = () => {
    areOthersStale = false;
    if (features.pull && features.pullRefresh)
      connection.languages.diagnostics.refresh().catch((error: unknown) => log("the workspace", error));
    refreshFeatures();
  };
  const answersChanged = () => {
    askAgain();
    for (const name of documents.keys()) scheduler.plan(name);
  };
  const refreshFeatures = () => {
    const { inlayHint, semanticTokens } = connection.languages;
    const refreshers = {
      inlayHint: () => inlayHint.refresh(),
      semanticTokens: () => semanticTokens.refresh(),
      codeLens: () => connection.sendRequest("workspace/codeLens/refresh"),
    };
    for (const what of features.refreshes) Promise.resolve(refreshers[what]()).catch((error: unknown) => log("the workspace", error));
  };
  const background = createBackground(platform.backgroundLimit, turns, progress, answersChanged, log);
  const recheckAll = () => {
    steady.forgetAll();
    answersChanged();
    for (const project of workspace.projects()) background.start(project);
  };

  /** Everything that was found is shown from now on, of files that nobody opened too. */
  const showWorkspace = () => {
    isWholeWorkspace = true;
    answersChanged();
    if (features.pull) return;
    for (const { states } of workspace.projects())
      for (const state of states()) if (state.diagnostics.length > 0) publish(state.report.uri, shown(state.report.uri, state));
  };

  return {
    heard: (uri) => turns.heard(uri === undefined ? undefined : nameOfUri(uri)),
    setFolders(uris) {
      workspace.setFolders(uris.map((uri) => nameOfUri(uri).replace(/\/+$/, "")));
      recheckAll();
    },
    setHostSettings(settingsOf) {
      workspace.setHostSettings(settingsOf);
      recheckAll();
    },
    setFeatures(settings) {
      if (JSON.stringify(settings) === JSON.stringify(featureSettings)) return;
      featureSettings = settings;
      refreshFeatures();
    },
    opened(document) {
      const name = nameOfUri(document.uri);
      turns.heard(name);
      const before = workspace.textOf(name);
      documents.set(name, document);
      // Most files are opened as they are on the disk, where nothing changes but what the editor takes them for.
      if (before !== document.getText() || languageOfName(name) === undefined) changedFor(name);
    },
    edited(document) {
      const name = nameOfUri(document.uri);
      turns.heard(name);
      changedFor(name);
      scheduler.plan(name);
    },
    closed(document) {
      const name = nameOfUri(document.uri);
      scheduler.forget(name);
      steady.forget(name);
      documents.delete(name);
      // What is on the disk holds again.
      workspace.changedOnDisk([name]);
      if (workspace.textOf(name) !== document.getText()) recheckAll();
      if (!features.pull && !isWholeWorkspace) publish(name, []);
      if (!isWholeWorkspace) published.delete(name);
    },
    changedOnDisk(uris) {
      const names = uris.map(nameOfUri);
      if (workspace.changedOnDisk(names)) recheckAll();
    },
    async hover({ textDocument, position }) {
      const name = nameOfUri(textDocument.uri);
      const document = documents.get(name);
      if (document === undefined) return undefined;
      const service = await workspace.projectOf(name).understand(name);
      const content = service.hover(name, document.offsetAt(position));
      if (content === undefined) return undefined;
      const range = positions.rangeOf(name, content.span);
      // VS Code knows CUDA by another name than the rest of the world.
      const markdown = document.languageId === "cuda-cpp" ? content.markdown.replaceAll("```cuda\n", "```cuda-cpp\n") : content.markdown;
      return { contents: { kind: "markdown", value: markdown }, ...(range === undefined ? {} : { range }) };
    },
    async codeActions({ textDocument, range, context }) {
      const name = nameOfUri(textDocument.uri);
      const known = await actionsContext(name);
      const document = documents.get(name);
      if (document === undefined) return [];
      const span = { start: document.offsetAt(range.start), end: document.offsetAt(range.end) };
      return codeActions({ span, only: context.only, isLazy: features.lazyEdits }, known);
    },
    async resolve(action) {
      const data: unknown = action.data;
      if (!isActionData(data)) return action;
      return resolveAction(action, data, await actionsContext(data.name));
    },
    inlayHints: async (uri, range) => (await withDocument(uri, (context) => protocolHints(context, range))) ?? [],
    semanticTokens: (uri) => withDocument(uri, protocolTokens),
    codeLenses: async (uri) => (await withDocument(uri, protocolLenses)) ?? [],
    declarations: async (uri, position) =>
      (await withDocument(uri, (context) => protocolDeclarations(context, context.document.offsetAt(position)))) ?? [],
    documentLinks: async (uri) =>
      (await withDocument(uri, (context) => (documentation === undefined ? [] : protocolLinks(context, documentation)))) ?? [],
    command: (command, parameters, token) =>
      runCommand(command, parameters, {
        connection,
        token,
        workspace,
        converter,
        hasProgress: features.progress,
        workspaceChecked: showWorkspace,
        log,
      }),
    async pull(uri, previousId) {
      const name = nameOfUri(uri);
      return resultIds.report(name, shown(name, await check(name)), previousId);
    },
    pullWorkspace: (previousIds, token, partial) =>
      workspaceDiagnostics(
        { previousIds: new Map([...previousIds].map(([uri, id]) => [nameOfUri(uri), id])), token, partial },
        {
          workspace,
          turns,
          progress,
          report: (name, state, previousId) => ({
            ...resultIds.report(name, shown(name, state), previousId),
            uri: uriOf(name),
            version: documents.get(name)?.version ?? null,
          }),
          limit: isWholeWorkspace ? undefined : platform.backgroundLimit,
          log,
        },
      ),
    dispose() {
      background.stop();
      turns.dispose();
      scheduler.dispose();
      for (const timer of laterTimers.values()) clearTimeout(timer);
      workspace.dispose();
    },
  };
}

function isActionData(data: unknown): data is ActionData {
  return typeof data === "object" && data !== null && "name" in data && typeof data.name === "string" && "kind" in data;
}
