/**
 * A language client for tests, which speaks the protocol with a server as an editor does: with one in this process, or with the
 * real program.
 */
import type { ChildProcess } from "node:child_process";
import { rename, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import {
  type ClientCapabilities,
  createProtocolConnection,
  type Diagnostic,
  DidChangeTextDocumentNotification,
  DidChangeWatchedFilesNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  ExitNotification,
  FileChangeType,
  InitializedNotification,
  InitializeRequest,
  type InitializeResult,
  MessageType,
  type ProtocolConnection,
  PublishDiagnosticsNotification,
  type PublishDiagnosticsParams,
  type Range,
  type Registration,
  type RegistrationParams,
  ShutdownRequest,
  type TextEdit,
  type WorkspaceEdit,
} from "vscode-languageserver/node";
import { type Server, startHere, startProcess } from "./servers.ts";

export { root } from "./servers.ts";

/**
 * Writes a file that a running server may be reading: it finds all of the text or no file. A server that finds an empty file
 * keeps that text until it is told about the change.
 */
export async function writeWhole(path: string, text: string): Promise<void> {
  await writeFile(`${path}~`, text);
  await rename(`${path}~`, path);
}

export interface ClientOptions {
  readonly folder?: string;
  /** More workspace folders. */
  readonly folders?: readonly string[];
  readonly capabilities?: ClientCapabilities;
  readonly initializationOptions?: unknown;
  /** The settings below `gpuQualifiers`; a function of the folder's uri gives each folder its own. */
  readonly configuration?: unknown;
  /** Where the server stores results from one session to the next; nowhere if absent. */
  readonly cache?: string;
  /** True if the client refuses every request of the server. */
  readonly refuses?: true;
}

export interface TestClient {
  readonly connection: ProtocolConnection;
  readonly initialized: InitializeResult;
  /** What the server has registered after its start. */
  readonly registered: readonly Registration[];
  /** The errors and warnings that the server logged with `window/logMessage`. */
  readonly log: readonly string[];
  /** The messages that the server showed to the user. */
  readonly shown: readonly string[];
  open(uri: string, text: string, languageId?: string): Promise<void>;
  /** Replaces the first occurrence of `before`, as one incremental change. */
  replace(uri: string, before: string, after: string): Promise<void>;
  close(uri: string): Promise<void>;
  textOf(uri: string): string;
  /** The next diagnostics of the document's present version for which `accepts` is true. */
  diagnostics(uri: string, accepts?: (diagnostics: readonly Diagnostic[]) => boolean): Promise<readonly Diagnostic[]>;
  /** All diagnostics that were published so far. */
  readonly published: readonly PublishDiagnosticsParams[];
  /** The edits that the server asked the client to apply, and its progress. */
  readonly edits: readonly WorkspaceEdit[];
  readonly progress: readonly { readonly token: unknown; readonly kind: string; readonly message: string | undefined }[];
  /** The partial results, in the order of arrival. */
  readonly parts: readonly { readonly token: unknown; readonly value: unknown }[];
  /** The refresh requests of the server: `diagnostic`, `inlayHint` … */
  readonly refreshes: readonly string[];
  /** Tells the server that files changed on the disk. */
  changedOnDisk(...paths: readonly string[]): Promise<void>;
  apply(edit: WorkspaceEdit): Promise<void>;
  stop(): Promise<number | null>;
}

/** A client of the real program. */
export interface RealClient extends TestClient {
  readonly process: ChildProcess;
}

export function uriOf(path: string): string {
  return pathToFileURL(path).href;
}

const patience = 45_000;

/** A client of a server in this process. */
export function startClient(options: ClientOptions = {}): Promise<TestClient> {
  return connectTo(startHere(options.cache), options);
}

/** A client of the real program, which `npm run build` makes. */
export async function startRealClient(options: ClientOptions = {}): Promise<RealClient> {
  const server = startProcess(options.cache);
  return { ...(await connectTo(server, options)), process: server.process };
}

async function connectTo(server: Server, options: ClientOptions): Promise<TestClient> {
  const connection = createProtocolConnection(server.reader, server.writer);
  const documents = new Map<string, { text: string; version: number }>();
  const published: PublishDiagnosticsParams[] = [];
  const log: string[] = [];
  const listeners = new Set<() => void>();

  connection.onNotification(PublishDiagnosticsNotification.type, (params) => {
    published.push(params);
    for (const listener of listeners) listener();
  });
  const shown: string[] = [];
  connection.onNotification("window/showMessage", ({ message }: { message: string }) => void shown.push(message));
  connection.onNotification("window/logMessage", ({ type, message }: { type: MessageType; message: string }) => {
    if (type === MessageType.Error || type === MessageType.Warning) log.push(message);
  });
  const answer = (value: unknown) => {
    if (options.refuses) throw new Error("this client refuses everything");
    return value;
  };
  const registered: Registration[] = [];
  connection.onRequest("client/registerCapability", ({ registrations }: RegistrationParams) => {
    registered.push(...registrations);
    return answer(null);
  });
  connection.onRequest("workspace/configuration", ({ items }: { items: { scopeUri?: string }[] }) =>
    answer(
      items.map(({ scopeUri }) =>
        typeof options.configuration === "function"
          ? (options.configuration as (uri: string | undefined) => unknown)(scopeUri)
          : (options.configuration ?? null),
      ),
    ),
  );
  const refreshes: string[] = [];
  for (const what of ["diagnostic", "inlayHint", "semanticTokens", "codeLens"])
    connection.onRequest(`workspace/${what}/refresh`, () => {
      refreshes.push(what);
      return answer(null);
    });
  const edits: WorkspaceEdit[] = [];
  connection.onRequest("workspace/applyEdit", ({ edit }: { edit: WorkspaceEdit }) => {
    edits.push(edit);
    return answer({ applied: true });
  });
  const progress: { readonly token: unknown; readonly kind: string; readonly message: string | undefined }[] = [];
  connection.onRequest("window/workDoneProgress/create", () => answer(null));
  const parts: { readonly token: unknown; readonly value: unknown }[] = [];
  connection.onNotification("$/progress", ({ token, value }: { token: unknown; value: { kind?: string; message?: string } }) => {
    if (value.kind === undefined) parts.push({ token, value });
    else progress.push({ token, kind: value.kind, message: value.message });
  });
  connection.listen();

  const folders =
    options.folder === undefined
      ? null
      : [options.folder, ...(options.folders ?? [])].map((path) => ({ uri: uriOf(path), name: path.slice(path.lastIndexOf("/") + 1) }));
  const initialized = await connection.sendRequest(InitializeRequest.type, {
    processId: server.clientId,
    rootUri: folders?.[0]?.uri ?? null,
    workspaceFolders: folders,
    capabilities: options.capabilities ?? {},
    initializationOptions: options.initializationOptions,
  });
  await connection.sendNotification(InitializedNotification.type, {});

  const documentOf = (uri: string) => {
    const document = documents.get(uri);
    if (document === undefined) throw new Error(`${uri} is not open`);
    return document;
  };
  const change = async (uri: string, range: Range, newText: string) => {
    const document = documentOf(uri);
    document.text = applied(document.text, { range, newText });
    document.version++;
    await connection.sendNotification(DidChangeTextDocumentNotification.type, {
      textDocument: { uri, version: document.version },
      contentChanges: [{ range, text: newText }],
    });
  };

  return {
    connection,
    initialized,
    registered,
    log,
    shown,
    published,
    edits,
    progress,
    parts,
    refreshes,
    async changedOnDisk(...paths) {
      await connection.sendNotification(DidChangeWatchedFilesNotification.type, {
        changes: paths.map((path) => ({ uri: uriOf(path), type: FileChangeType.Changed as FileChangeType })),
      });
    },
    async open(uri, text, languageId = uri.endsWith(".cl") ? "opencl" : "cuda-cpp") {
      documents.set(uri, { text, version: 1 });
      await connection.sendNotification(DidOpenTextDocumentNotification.type, { textDocument: { uri, languageId, version: 1, text } });
    },
    async replace(uri, before, after) {
      const { text } = documentOf(uri);
      const start = text.indexOf(before);
      if (start < 0) throw new Error(`'${before}' is not in ${uri}`);
      await change(uri, { start: positionAt(text, start), end: positionAt(text, start + before.length) }, after);
    },
    async close(uri) {
      documents.delete(uri);
      await connection.sendNotification(DidCloseTextDocumentNotification.type, { textDocument: { uri } });
    },
    textOf: (uri) => documentOf(uri).text,
    diagnostics: (uri, accepts = () => true) =>
      new Promise((resolve, reject) => {
        const stop = (finish: () => void) => {
          clearTimeout(timer);
          listeners.delete(look);
          finish();
        };
        const look = () => {
          const version = documents.get(uri)?.version;
          const found = published.findLast((params) => params.uri === uri && (version === undefined || params.version === version));
          if (found !== undefined && accepts(found.diagnostics)) stop(() => resolve(found.diagnostics));
        };
        const timer = setTimeout(
          () =>
            stop(() => reject(new Error(`no such diagnostics of ${uri}; published: ${JSON.stringify(published)}; log: ${log.join("\n")}`))),
          patience,
        );
        listeners.add(look);
        look();
      }),
    async apply({ changes, documentChanges }) {
      const byUri = new Map<string, readonly TextEdit[]>(Object.entries(changes ?? {}));
      for (const part of documentChanges ?? []) if ("textDocument" in part) byUri.set(part.textDocument.uri, part.edits as TextEdit[]);
      for (const [uri, edits] of byUri) {
        const last = (a: TextEdit, b: TextEdit) =>
          b.range.start.line - a.range.start.line || b.range.start.character - a.range.start.character;
        for (const { range, newText } of [...edits].sort(last)) await change(uri, range, newText);
      }
    },
    async stop() {
      await connection.sendRequest(ShutdownRequest.type);
      const code = await server.end(() => connection.sendNotification(ExitNotification.type));
      connection.dispose();
      return code;
    },
  };
}

function positionAt(text: string, offset: number): { line: number; character: number } {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
}

/** The position of the first occurrence of `word`. */
export function positionOf(text: string, word: string): { line: number; character: number } {
  return positionAt(text, text.indexOf(word));
}

function applied(text: string, { range, newText }: TextEdit): string {
  const offset = ({ line, character }: { line: number; character: number }) =>
    text
      .split("\n")
      .slice(0, line)
      .reduce((sum, part) => sum + part.length + 1, 0) + character;
  return text.slice(0, offset(range.start)) + newText + text.slice(offset(range.end));
}
