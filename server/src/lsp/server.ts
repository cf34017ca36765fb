/**
 * Connects the language server: each message of the client goes to a part of the session. A request that fails is logged with its
 * uri and gets an empty answer, so that the next one may succeed.
 */
import {
  type CancellationToken,
  CodeActionKind,
  type Connection,
  type Diagnostic,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  type Disposable,
  DocumentDiagnosticReportKind,
  DocumentFormattingRequest,
  ErrorCodes,
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
import type { InitializationOptions, ParserBytes, Platform } from "./projects/platform.ts";
import { type ClientFeatures, featuresOf } from "./protocol/client-features.ts";
import type { Lifecycle } from "./protocol/lifecycle.ts";
import { abandoned } from "./scheduling/task-queue.ts";
import { fixAllKind } from "./session/code-actions.ts";
import { serverCommands } from "./session/commands.ts";
import { createConfiguration } from "./session/configuration.ts";
import { tokensLegend } from "./session/language-features.ts";
import { createSession, type Requests, type Session } from "./session/session.ts";

/** The user has declared that they trust the workspace. Only a new session can revoke that. */
const trustedNotification = "gpu-qualifiers/trusted";

// Each pattern has only one pair of braces, because not every client reads nested ones.
const watchedFiles = [
  "**/*.{cu,cuh,hip,cl,clh,clcpp,clpp,opencl,ocl,h,hh,hpp,hxx,inc,inl,def,c,cc,cpp,cxx,py}",
  "**/gpu-qualifiers.json",
  "**/compile_commands.json",
  "**/CMakePresets.json",
  "**/CMakeUserPresets.json",
  "**/*.rsp",
  "**/compile_flags.txt",
  "**/.clangd",
  "**/.gitignore",
];

/** Operations of the user on any file or folder. */
const anyFile = { filters: [{ pattern: { glob: "**" } }] };

/** Answers a connection until it ends. The parser is loaded in the background; requests wait for it. */
export function startServer(connection: Connection, platform: Platform, version: string, lifecycle: Lifecycle): void {
  lifecycle.answerOn(connection);
  const documents = new TextDocuments(TextDocument);
  let session: Session | undefined;
  const canFormat = platform.format !== undefined;
  let features: ClientFeatures | undefined;
  let initialization: InitializationOptions = {};
  let folders: string[] = [];
  // Nothing is published before the settings are known, because it might have to be withdrawn.
  let isReady: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => {
    isReady = resolve;
  });

  /** Wraps every request: before the start, and after an error, the answer is `fallback`. */
  const answer = async <Result>(
    uri: string,
    token: CancellationToken,
    fallback: Result,
    work: (requests: Requests) => Promise<Result>,
  ): Promise<Result | ResponseError<never>> => {
    // `initialize` has arrived but has not been answered yet.
    if (session === undefined) return new ResponseError<never>(ErrorCodes.ServerNotInitialized, "the server is starting");
    session.noteMessage();
    await ready;
    const current = session.until(token);
    const working = async (): Promise<Result> => {
      try {
        return await work(current);
      } catch (error) {
        if (error === abandoned) return fallback;
        connection.console.error(`while working on ${uri}: ${error instanceof Error ? error.stack : String(error)}`);
        return fallback;
      }
    };
    return unlessCancelled(token, working);
  };

  /** Answers a request about a document as the user sees it. If the document changes meanwhile, the answer would no longer fit it. */
  const look = async <Result>(
    uri: string,
    token: CancellationToken,
    fallback: Result,
    work: (requests: Requests) => Promise<Result>,
  ): Promise<Result | ResponseError<never>> => {
    session?.noteMessage(uri);
    const version = documents.get(uri)?.version;
    const found = await answer(uri, token, fallback, work);
    return documents.get(uri)?.version === version
      ? found
      : new ResponseError<never>(LSPErrorCodes.ContentModified, "the document has changed");
  };

  /** Sends a request that a client may refuse without consequences for others. */
  const attempt = (what: string, promise: Promise<unknown>): void => {
    promise.catch((error: unknown) => connection.console.warn(`${what} failed: ${String(error)}`));
  };

  const configuration = createConfiguration(connection);
  const applyConfiguration = (pushed?: unknown) =>
    configuration.apply({ folders, initialization, canAsk: features?.configuration === true, target: session }, pushed);

  connection.onInitialize(async (params) => {
    features = featuresOf(params.capabilities);
    // The parser's five megabytes must be neither kept nor compared at every change of the settings.
    const { runtimeWasm, grammarWasm, ...options } = (params.initializationOptions ?? {}) as InitializationOptions & ParserBytes;
    initialization = { ...options, ...configuration.read(options) };
    folders = foldersOf(params);
    const parser = await platform.loadParser({ ...(runtimeWasm && { runtimeWasm }), ...(grammarWasm && { grammarWasm }) });
    session = createSession({ connection, platform, parser, features, initialization, ready });
    // A client that never sends `initialized` is served too.
    setTimeout(isReady, 10_000);
    return { capabilities: capabilitiesFor(features, canFormat), serverInfo: { name: "gpu-qualifiers", version } };
  });

  connection.onInitialized(async () => {
    connection.console.info(`gpu-qualifiers ${version}; ${folders.length === 0 ? "no folder" : folders.join(", ")}`);
    session?.setFolders(folders);
    if (features?.watchedFiles) {
      // Folders that are deleted, created or moved are reported without their files.
      const everything = { globPattern: "**", kind: WatchKind.Create | WatchKind.Delete };
      const watchers = [...watchedFiles.map((globPattern) => ({ globPattern })), everything];
      attempt("watching files", connection.client.register(DidChangeWatchedFilesNotification.type, { watchers }));
    }
    if (features?.configurationRegistration) {
      attempt(
        "following the configuration",
        connection.client.register(DidChangeConfigurationNotification.type, { section: "gpuQualifiers" }),
      );
    }
    // Other languages have formatters of their own.
    if (canFormat && features?.formattingRegistration)
      attempt("formatting", connection.client.register(DocumentFormattingRequest.type, { documentSelector: [{ language: "opencl" }] }));
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
    // A client that never answers is served too.
    void Promise.race([configured.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, 2_000))]).then(isReady);
  });
  connection.onDidChangeConfiguration(({ settings }) => attempt("reading the configuration", applyConfiguration(settings)));
  connection.onNotification(trustedNotification, () => {
    initialization = { ...initialization, isTrusted: true };
    attempt("reading the configuration", applyConfiguration());
  });
  connection.onDidChangeWatchedFiles(({ changes }) => session?.changedOnDisk(changes.map(({ uri }) => uri)));
  // An editor that watches nothing still tells what the user does in it.
  const { workspace } = connection;
  workspace.onDidCreateFiles(({ files }) => session?.changedOnDisk(files.map(({ uri }) => uri)));
  workspace.onDidDeleteFiles(({ files }) => session?.changedOnDisk(files.map(({ uri }) => uri)));
  workspace.onDidRenameFiles(({ files }) => session?.changedOnDisk(files.flatMap(({ oldUri, newUri }) => [oldUri, newUri])));
  connection.onShutdown(() => session?.dispose());

  // The opening of a document is also reported as a change of it.
  let opened: { readonly document: TextDocument; readonly version: number } | undefined;
  documents.onDidOpen(({ document }) => {
    opened = { document, version: document.version };
    session?.opened(document);
  });
  documents.onDidChangeContent(({ document }) => {
    const isOpening = opened?.document === document && opened.version === document.version;
    opened = undefined;
    if (!isOpening) session?.edited(document);
  });
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
  connection.onCompletion(({ textDocument: { uri }, position, context }, token) =>
    look(uri, token, [], (current) => current.completions(uri, position, context?.triggerCharacter)),
  );
  connection.onCompletionResolve((item, token) => answer(item.label, token, item, (current) => current.resolveCompletion(item)));
  connection.onSignatureHelp(({ textDocument: { uri }, position }, token) =>
    look(uri, token, undefined, (current) => current.signatures(uri, position)),
  );
  connection.onDocumentSymbol(({ textDocument: { uri } }, token) => look(uri, token, [], (current) => current.outline(uri)));
  connection.onDocumentHighlight(({ textDocument: { uri }, position }, token) =>
    look(uri, token, [], (current) => current.highlights(uri, position)),
  );
  connection.onWorkspaceSymbol(({ query }, token) => answer("the workspace", token, [], (current) => current.symbols(query)));
  connection.onDefinition(({ textDocument: { uri }, position }, token) =>
    look(uri, token, [], (current) => current.definitions(uri, position)),
  );
  connection.onTypeDefinition(({ textDocument: { uri }, position }, token) =>
    look(uri, token, [], (current) => current.typeDefinitions(uri, position)),
  );
  connection.onSelectionRanges(({ textDocument: { uri }, positions }, token) =>
    look(uri, token, [], (current) => current.selections(uri, positions)),
  );
  connection.languages.callHierarchy.onPrepare(({ textDocument: { uri }, position }, token) =>
    look(uri, token, [], (current) => current.preparedCalls(uri, position)),
  );
  connection.languages.callHierarchy.onIncomingCalls(({ item }, token) =>
    answer(item.uri, token, [], (current) => current.incomingCalls(item)),
  );
  connection.languages.callHierarchy.onOutgoingCalls(({ item }, token) =>
    answer(item.uri, token, [], (current) => current.outgoingCalls(item)),
  );
  connection.onReferences(({ textDocument: { uri }, position, context }, token) =>
    look(uri, token, [], (current) => current.references(uri, position, context.includeDeclaration)),
  );
  connection.onPrepareRename(({ textDocument: { uri }, position }, token) =>
    look(uri, token, undefined, async (current) => refused(await current.renamed(uri, position))),
  );
  connection.onRenameRequest(({ textDocument: { uri }, position, newName }, token) =>
    look(uri, token, undefined, async (current) => refused(await current.rename(uri, position, newName))),
  );
  connection.onDocumentFormatting(({ textDocument: { uri } }, token) => look(uri, token, [], (current) => current.formatted(uri)));
  connection.onFoldingRanges(({ textDocument: { uri } }, token) => look(uri, token, [], (current) => current.folds(uri)));
  connection.onExecuteCommand(({ command, arguments: parameters }, token) =>
    answer(command, token, undefined, (current) => current.command(command, parameters ?? [])),
  );
  connection.languages.inlayHint.on(({ textDocument: { uri }, range }, token) =>
    look(uri, token, [], (current) => current.inlayHints(uri, range)),
  );
  // The answer null leaves the document to other tools.
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
      current.pullWorkspace(new Map(previousResultIds.map(({ uri, value }) => [uri, value])), partial),
    ),
  );

  documents.listen(connection);
  connection.listen();
}

/** A cancelled request is answered at once; others that wait for the same work still get its result. */
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

function capabilitiesFor(features: ClientFeatures, canFormat: boolean): ServerCapabilities {
  return {
    positionEncoding: "utf-16",
    textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
    hoverProvider: true,
    declarationProvider: true,
    completionProvider: { resolveProvider: true, triggerCharacters: [".", ">", "#", '"', "<", "/"] },
    signatureHelpProvider: { triggerCharacters: ["(", ","] },
    documentSymbolProvider: true,
    documentHighlightProvider: true,
    workspaceSymbolProvider: true,
    definitionProvider: true,
    typeDefinitionProvider: true,
    selectionRangeProvider: true,
    callHierarchyProvider: true,
    ...(canFormat && !features.formattingRegistration ? { documentFormattingProvider: true } : {}),
    referencesProvider: true,
    renameProvider: { prepareProvider: true },
    foldingRangeProvider: true,
    inlayHintProvider: true,
    codeLensProvider: {},
    documentLinkProvider: {},
    semanticTokensProvider: { legend: tokensLegend, full: true },
    executeCommandProvider: { commands: [...serverCommands] },
    codeActionProvider: {
      codeActionKinds: [CodeActionKind.QuickFix, CodeActionKind.RefactorRewrite, fixAllKind],
      resolveProvider: features.lazyEdits,
    },
    ...(features.pull
      ? { diagnosticProvider: { identifier: "gpu-qualifiers", interFileDependencies: true, workspaceDiagnostics: true } }
      : {}),
    workspace: {
      fileOperations: { didCreate: anyFile, didDelete: anyFile, didRename: anyFile },
      ...(features.workspaceFolders ? { workspaceFolders: { supported: true, changeNotifications: true } } : {}),
    },
  };
}

/** An answer, or an error with the sentence that stands for it: editors show that. */
function refused<Answer>(answer: Answer | string): Answer | ResponseError<never> {
  return typeof answer === "string" ? new ResponseError<never>(LSPErrorCodes.RequestFailed, answer) : answer;
}

function foldersOf({ workspaceFolders, rootUri }: InitializeParams & { workspaceFolders?: readonly { uri: string }[] | null }): string[] {
  if (workspaceFolders !== undefined && workspaceFolders !== null) return workspaceFolders.map(({ uri }) => uri);
  return rootUri === null || rootUri === undefined ? [] : [rootUri];
}
