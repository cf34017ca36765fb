/** The language server in a worker of the page, which contains the script and the parser. */
import { InitializeRequest, LSPErrorCodes, ResponseError } from "vscode-languageserver-protocol";
import {
  BrowserMessageReader,
  BrowserMessageWriter,
  createProtocolConnection,
  type ProtocolConnection,
} from "vscode-languageserver-protocol/browser";
import { part } from "./parts.ts";

export interface PlaygroundServer {
  readonly connection: ProtocolConnection;
  open(uri: string, text: string, version: number): void;
  change(uri: string, text: string, version: number): void;
  close(uri: string): void;
  configure(flags: readonly string[]): void;
}

/** Starts the server; the open documents are its only files. `rules` are the severities of rules, as in the settings. */
export async function connect(rules: Readonly<Record<string, string>>): Promise<PlaygroundServer> {
  const [script, runtimeWasm, grammarWasm] = await Promise.all(["server", "runtime", "grammar"].map(part));
  const worker = new Worker(URL.createObjectURL(new Blob(script === undefined ? [] : [script], { type: "text/javascript" })));
  const connection = createProtocolConnection(new BrowserMessageReader(worker), new BrowserMessageWriter(worker));
  connection.onRequest("gpu-qualifiers/readFile", () => ({}));
  connection.onRequest("gpu-qualifiers/listFiles", () => ({ uris: [] }));
  connection.listen();
  await connection.sendRequest(InitializeRequest.type, {
    processId: null,
    rootUri: null,
    capabilities: {
      textDocument: {
        publishDiagnostics: { relatedInformation: true },
        codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix"] } } },
      },
    },
    initializationOptions: { runtimeWasm, grammarWasm, rules },
  });
  void connection.sendNotification("initialized", {});
  const notify = (method: string, params: object) => void connection.sendNotification(method, params);
  return {
    connection,
    open: (uri, text, version) =>
      notify("textDocument/didOpen", { textDocument: { uri, text, version, languageId: /\.(?:cuh?|hip)$/.test(uri) ? "cuda" : "opencl" } }),
    change: (uri, text, version) => notify("textDocument/didChange", { textDocument: { uri, version }, contentChanges: [{ text }] }),
    close: (uri) => notify("textDocument/didClose", { textDocument: { uri } }),
    configure: (next) => notify("workspace/didChangeConfiguration", { settings: { gpuQualifiers: { flags: next, rules } } }),
  };
}

/**
 * The answer to a request about the document; undefined if the document changed meanwhile, because the answer would no longer fit
 * it.
 */
export async function unlessModified<Result>(answer: Promise<Result>): Promise<Result | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ResponseError && error.code === LSPErrorCodes.ContentModified) return undefined;
    throw error;
  }
}
