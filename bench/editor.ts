/**
 * An editor as a language server sees it. It starts a server as a process, opens and changes documents, and measures how long the
 * diagnostics of a version take. An answer counts as received when its last byte has arrived.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import {
  createProtocolConnection,
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  ExitNotification,
  InitializedNotification,
  InitializeRequest,
  type Message,
  PublishDiagnosticsNotification,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import type { Change } from "./edits.ts";

export interface Editor {
  /** Milliseconds from the start of the process until the server has sent its capabilities. */
  readonly startTime: number;
  readonly process: ChildProcess;
  /** Opens a document. Returns the milliseconds until its first diagnostics arrived. */
  open(path: string, text: string, languageId: string): Promise<number>;
  /** Changes a document. Returns the milliseconds until the diagnostics of the new text arrived. */
  change(path: string, change: Change): Promise<number>;
  /** Like `change`, without waiting. Returns the version of the new text. */
  send(path: string, change: Change): number;
  close(path: string): Promise<void>;
  textOf(path: string): string;
  /** When diagnostics arrived, and for which version, by `performance.now`. */
  readonly published: readonly {
    readonly path: string;
    readonly version: number | undefined;
    readonly at: number;
    readonly count: number;
  }[];
  /** Processor time of the server so far, in milliseconds. */
  processorTime(): number;
  /** Resident memory of the server, in megabytes. */
  memory(): number;
  stop(): Promise<void>;
}

export interface ServerCommand {
  readonly command: string;
  readonly parameters: readonly string[];
  readonly folder: string;
}

/** Waits until the server has published nothing for this many milliseconds. */
export async function quiet({ published }: Pick<Editor, "published">, silence: number): Promise<void> {
  for (let before = -1; before !== published.length; ) {
    before = published.length;
    await new Promise((resolve) => setTimeout(resolve, silence));
  }
}

/** A server that takes longer for one text counts as hung. */
const patience = 60_000;

export async function startEditor({ command, parameters, folder }: ServerCommand): Promise<Editor> {
  const startedAt = performance.now();
  const child = spawn(command, [...parameters], { stdio: ["pipe", "pipe", "ignore"], cwd: folder });
  const arrivals = new WeakMap<object, number>();
  const reader = new StreamMessageReader(child.stdout, {
    contentTypeDecoder: {
      name: "application/json",
      async decode(buffer) {
        const at = performance.now();
        const message = JSON.parse(Buffer.from(buffer).toString("utf8")) as Message & { readonly params?: unknown };
        if (typeof message.params === "object" && message.params !== null) arrivals.set(message.params, at);
        return message;
      },
    },
  });
  const connection = createProtocolConnection(reader, new StreamMessageWriter(child.stdin));
  const exited = new Promise<void>((resolve) => void child.on("exit", () => resolve()));
  const documents = new Map<string, { text: string; version: number; lineStarts: number[] }>();
  const published: { path: string; version: number | undefined; at: number; count: number }[] = [];
  let listeners: (() => void)[] = [];

  connection.onNotification(PublishDiagnosticsNotification.type, (params) => {
    const path = decodeURIComponent(new URL(params.uri).pathname);
    published.push({ path, version: params.version, at: arrivals.get(params) ?? performance.now(), count: params.diagnostics.length });
    for (const listener of listeners) listener();
  });
  for (const request of ["client/registerCapability", "window/workDoneProgress/create"]) connection.onRequest(request, () => null);
  connection.onRequest("workspace/configuration", ({ items }: { items: readonly unknown[] }) => items.map(() => null));
  connection.listen();

  const uriOf = (path: string) => pathToFileURL(path).href;
  await connection.sendRequest(InitializeRequest.type, {
    processId: process.pid,
    rootUri: uriOf(folder),
    workspaceFolders: [{ uri: uriOf(folder), name: "bench" }],
    capabilities: { textDocument: { publishDiagnostics: { versionSupport: true, relatedInformation: true } } },
  });
  const startTime = performance.now() - startedAt;
  void connection.sendNotification(InitializedNotification.type, {});

  const documentOf = (path: string) => {
    const document = documents.get(path);
    if (document === undefined) throw new Error(`${path} is not open`);
    return document;
  };
  /** When the diagnostics of that version arrived; earlier publications than `from` do not count. */
  const diagnosticsOf = (path: string, version: number, from: number): Promise<number> =>
    new Promise((resolve, reject) => {
      const stop = (finish: () => void) => {
        clearTimeout(timer);
        listeners = listeners.filter((other) => other !== look);
        finish();
      };
      const look = () => {
        const found = published.slice(from).find((other) => other.path === path && (other.version ?? version) >= version);
        if (found !== undefined) stop(() => resolve(found.at));
      };
      const timer = setTimeout(() => stop(() => reject(new Error(`${command} says nothing about ${path}, version ${version}`))), patience);
      listeners.push(look);
    });
  /** Sends a change; returns when it was sent. The editor's own text is changed before that, because this cost is not the server's. */
  const send = (path: string, change: Change): { readonly version: number; readonly at: number } => {
    const document = documentOf(path);
    const range = {
      start: positionIn(document.lineStarts, change.offset),
      end: positionIn(document.lineStarts, change.offset + change.length),
    };
    document.text = document.text.slice(0, change.offset) + change.text + document.text.slice(change.offset + change.length);
    document.lineStarts = lineStartsOf(document.text);
    document.version++;
    const at = performance.now();
    void connection.sendNotification(DidChangeTextDocumentNotification.type, {
      textDocument: { uri: uriOf(path), version: document.version },
      contentChanges: [{ range, text: change.text }],
    });
    return { version: document.version, at };
  };

  return {
    startTime,
    process: child,
    published,
    async open(path, text, languageId) {
      documents.set(path, { text, version: 1, lineStarts: lineStartsOf(text) });
      const from = published.length;
      const at = performance.now();
      void connection.sendNotification(DidOpenTextDocumentNotification.type, {
        textDocument: { uri: uriOf(path), languageId, version: 1, text },
      });
      return (await diagnosticsOf(path, 1, from)) - at;
    },
    async change(path, change) {
      const from = published.length;
      const { version, at } = send(path, change);
      return (await diagnosticsOf(path, version, from)) - at;
    },
    send: (path, change) => send(path, change).version,
    async close(path) {
      documents.delete(path);
      await connection.sendNotification(DidCloseTextDocumentNotification.type, { textDocument: { uri: uriOf(path) } });
    },
    textOf: (path) => documentOf(path).text,
    processorTime() {
      // After the name, which may contain spaces: user and system time are fields 14 and 15, in hundredths of a second.
      const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ");
      return (Number(fields[11]) + Number(fields[12])) * 10;
    },
    memory() {
      const kilobytes = /^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1];
      return Math.round(Number(kilobytes) / 1024);
    },
    async stop() {
      await connection.sendRequest(ShutdownRequest.type);
      await connection.sendNotification(ExitNotification.type);
      await exited;
      connection.dispose();
    },
  };
}

function lineStartsOf(text: string): number[] {
  const starts = [0];
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1)) starts.push(end + 1);
  return starts;
}

function positionIn(lineStarts: readonly number[], offset: number): { line: number; character: number } {
  let low = 0;
  let high = lineStarts.length;
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if ((lineStarts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return { line: low, character: offset - (lineStarts[low] ?? 0) };
}
