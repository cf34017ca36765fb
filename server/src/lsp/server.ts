/**
 * The language server's wiring: which message of the client leads to which part of the session. A request that fails is
 * logged with its uri and answered with nothing, so that the next one may succeed.
 */
import {
  type CancellationToken,
  type Connection,
  type Diagnostic,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  type Disposable,
  DocumentDiagnosticReportKind,
  type InitializeParams,
  LSPErrorCodes,
  ResponseError,
  SemanticTokensRequest,
  type ServerCapabilities,
  TextDocumentSyncKind,
  TextDocuments,
  WatchKind,
} from "vscode-languageserver";
import { TextDocument } from "vscode-languageserver-textdocument";
import { type ClientFeatures, featuresOf } from "./client-features.ts";
import { fixAllKind } from "./code-actions.ts";
import { serverCommands } from "./commands.ts";
import { createConfiguration } from "./configuration.ts";
import { tokensLegend } from "./language-features.ts";
import type { InitializationOptions, Platform } from "./platform.ts";
import { createSession, type Session } from "./session.ts";

// One pair of braces each: not every client reads nested ones.
const watchedFiles = [
  "**/*.{cu,cuh,hip,cl,clh,clcpp,clpp,opencl,ocl,h,hh,hpp,hxx,inc,inl,def,c,cc,cpp,cxx,py}",
  "**/gpu-qualifiers.json",
  "**/compile_commands.json",
  "**/compile_flags.txt",
  "**/.clangd",
  "**/.gitignore",
];

/** Answers a connection until it ends. The parser is loaded meanwhile; requests wait for it. */
export function startServer(connection: Connection, platform: Platform, version: string): void {
  const documents = new TextDocuments(TextDocument);
  let session: Session | undefined;
  let features: ClientFeatures | undefined;
  let initialization: InitializationOptions = {};
  let folders: string[] = [];
  // Nothing is said before the settings are known, which would have to be taken back.
  let isReady: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => {
    isReady = resolve;
  });

  /** What every request goes through: before the start, and when something fails, the answer is `fallback`. */
  const answer = async <Result>(
    uri: string,
    token: CancellationToken,
    fallback: Result,
    work: (session: Session) => Promise<Result>,
  ): Promise<Result | ResponseError<never>> => {
    if (session === undefined) return fallback;
    session.heard();
    await ready;
    const current = session;
    const working = async (): Promise<Result> => {
      try {
        return await work(current);
      } catch (error) {
        connection.console.error(`while working on ${uri}: ${error instanceof Error ? error.stack : String(error)}`);
        return fallback;
      }
    };
    return unlessCancelled(token, working);
  };

  /** A question about a document as somebody sees it; when that has changed meanwhile, the answer would be about something else. */
  const look = async <Result>(
    uri: string,
    token: CancellationToken,
    fallback: Result,
    work: (session: Session) => Promise<Result>,
  ): Promise<Result | ResponseError<never>> => {
    session?.heard(uri);
    const version = documents.get(uri)?.version;
    const found = await answer(uri, token, fallback, work);
    return documents.get(uri)?.version === version
      ? found
      : new ResponseError<never>(LSPErrorCodes.ContentModified, "the document has changed");
  };

  /** What a client may refuse without harm to anything else. */
  const attempt = (what: string, promise: Promise<unknown>): void => {
    promise.catch((error: unknown) => connection.console.warn(`${what} failed: ${String(error)}`));
  };

  const configuration = createConfiguration(connection);
  const applyConfiguration = (pushed?: unknown) =>
    configuration.apply({ folders, initialization, canAsk: features?.configuration === true, target: session }, pushed);

  connection.onInitialize(async (params) => {
    features = featuresOf(params.capabilities);
    initialization = {
      ...(params.initializationOptions as InitializationOptions | undefined),
      ...configuration.read(params.initializationOptions),
    };
    folders = foldersOf(params);
    const parser = await platform.loadParser(initialization);
    session = createSession({ connection, platform, parser, features, initialization, ready });
    return { capabilities: capabilitiesFor(features), serverInfo: { name: "gpu-qualifiers", version } };
  });

  connection.onInitialized(async () => {
    session?.setFolders(folders);
    if (features?.watchedFiles) {
      // A folder goes as a whole, without a word about the files in it.
      const watchers = [...watchedFiles.map((globPattern) => ({ globPattern })), { globPattern: "**", kind: WatchKind.Delete }];
      attempt("watching files", connection.client.register(DidChangeWatchedFilesNotification.type, { watchers }));
    }
    if (features?.configurationRegistration) {
      attempt(
        "following the configuration",
        connection.client.register(DidChangeConfigurationNotification.type, { section: "gpuQualifiers" }),
      );
    }
    if (features?.workspaceFolders) {
      connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
        const gone = new Set(removed.map(({ uri }) => uri));
        folders = [...folders.filter((uri) => !gone.has(uri)), ...added.map(({ uri }) => uri)];
        session?.setFolders(folders);
        attempt("reading the configuration", applyConfiguration());
      });
    }
    const configured = applyConfiguration();
    attempt("reading the configuration", configured);
    // A client that never answers is served nevertheless.
    void Promise.race([configured.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, 2_000))]).then(isReady);
  });
  connection.onDidChangeConfiguration(({ settings }) => attempt("reading the configuration", applyConfiguration(settings)));
  connection.onDidChangeWatchedFiles(({ changes }) => session?.changedOnDisk(changes.map(({ uri }) => uri)));
  connection.onShutdown(() => session?.dispose());

  documents.onDidOpen(({ document }) => session?.opened(document));
  documents.onDidChangeContent(({ document }) => session?.edited(document));
  documents.onDidClose(({ document }) => session?.closed(document));

  connection.onHover((params, token) => look(params.textDocument.uri, token, undefined, (current) => current.hover(params)));
  connection.onCodeAction((params, token) =>
    look(params.textDocument.uri, token, [], async (current) => [...(await current.codeActions(params))]),
  );
  connection.onCodeActionResolve((action, token) => answer(action.title, token, action, (current) => current.resolve(action)));
  connection.onCodeLens(({ textDocument: { uri } }, token) => look(uri, token, [], (current) => current.codeLenses(uri)));
  connection.onDocumentLinks(({ textDocument: { uri } }, token) => look(uri, token, [], (current) => current.documentLinks(uri)));
  connection.onDeclaration(({ textDocument: { uri }, position }, token) =>
    look(uri, token, [], (current) => current.declarations(uri, position)),
  );
  connection.onExecuteCommand(({ command, arguments: parameters }, token) =>
    answer(command, token, undefined, (current) => current.command(command, parameters ?? [], token)),
  );
  connection.languages.inlayHint.on(({ textDocument: { uri }, range }, token) =>
    look(uri, token, [], (current) => current.inlayHints(uri, range)),
  );
  // Null leaves the document to other tools.
  connection.onRequest(SemanticTokensRequest.type, ({ textDocument: { uri } }, token) =>
    look(uri, token, null, async (current) => (await current.semanticTokens(uri)) ?? null),
  );
  connection.languages.diagnostics.on(({ textDocument: { uri }, previousResultId }, token) =>
    answer(uri, token, { kind: DocumentDiagnosticReportKind.Full, items: [] as Diagnostic[] }, (current) =>
      current.pull(uri, previousResultId),
    ),
  );
  connection.languages.diagnostics.onWorkspace(({ previousResultIds }, token, _, partial) =>
    answer("the workspace", token, { items: [] }, (current) =>
      current.pullWorkspace(new Map(previousResultIds.map(({ uri, value }) => [uri, value])), token, partial),
    ),
  );

  documents.listen(connection);
  connection.listen();
}

/** A client that has cancelled a request is told so at once; who else waits for the same work gets it. */
async function unlessCancelled<Result>(token: CancellationToken, work: () => Promise<Result>): Promise<Result | ResponseError<never>> {
  const cancelled = () => new ResponseError<never>(LSPErrorCodes.RequestCancelled, "cancelled");
  if (token.isCancellationRequested) return cancelled();
  let listener: Disposable | undefined;
  const cancellation = new Promise<ResponseError<never>>((resolve) => {
    listener = token.onCancellationRequested(() => resolve(cancelled()));
  });
  const found = await Promise.race([work(), cancellation]);
  listener?.dispose();
  return found;
}

function capabilitiesFor(features: ClientFeatures): ServerCapabilities {
  return {
    positionEncoding: "utf-16",
    textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
    hoverProvider: true,
    declarationProvider: true,
    inlayHintProvider: true,
    codeLensProvider: {},
    documentLinkProvider: {},
    semanticTokensProvider: { legend: tokensLegend, full: true },
    executeCommandProvider: { commands: [...serverCommands] },
    codeActionProvider: { codeActionKinds: ["quickfix", fixAllKind], resolveProvider: features.lazyEdits },
    ...(features.pull
      ? { diagnosticProvider: { identifier: "gpu-qualifiers", interFileDependencies: true, workspaceDiagnostics: true } }
      : {}),
    ...(features.workspaceFolders ? { workspace: { workspaceFolders: { supported: true, changeNotifications: true } } } : {}),
  };
}

function foldersOf({ workspaceFolders, rootUri }: InitializeParams & { workspaceFolders?: readonly { uri: string }[] | null }): string[] {
  if (workspaceFolders !== undefined && workspaceFolders !== null) return workspaceFolders.map(({ uri }) => uri);
  return rootUri === null || rootUri === undefined ? [] : [rootUri];
}
