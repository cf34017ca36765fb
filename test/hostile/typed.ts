/**
 * Types into documents of the real server, sends it all kinds of requests meanwhile, and compares its final answers with those
 * for a freshly opened document.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Range } from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { type RealClient, startRealClient, uriOf } from "../lsp/client.ts";
import { type Session, textsOf } from "./generators.ts";

/** A server for many sessions. */
export interface TypedServer {
  /**
   * Throws if the server logs an error, ends, or gives other answers than for the same text in a new document. Returns the number
   * of edits.
   */
  type(session: Session): Promise<number>;
  stop(): Promise<void>;
}

const requests = [
  "hover",
  "completion",
  "signatureHelp",
  "definition",
  "declaration",
  "references",
  "prepareRename",
  "rename",
  "codeAction",
  "inlayHint",
  "semanticTokens/full",
  "documentSymbol",
  "foldingRange",
  "codeLens",
  "documentLink",
] as const;

/** Milliseconds after which a server is considered to hang. */
const patience = 60_000;

/** The server must have been built. */
export async function startTyping(): Promise<TypedServer> {
  const folder = mkdtempSync(join(tmpdir(), "gpu-qualifiers-"));
  const client = await startRealClient({ folder, capabilities: { textDocument: { diagnostic: {} } } });
  let count = 0;
  return {
    async type(session) {
      const { name, text } = session.input;
      count += 1;
      const uri = uriOf(join(folder, `${count}${name}`));
      const languageId = name.endsWith(".cl") ? "opencl" : "cuda-cpp";
      const document = TextDocument.create(uri, languageId, 1, text);
      const asked: Promise<unknown>[] = [];
      await open(client, document);
      const texts = [...textsOf(session)];
      for (const [index, next] of texts.entries()) {
        await change(client, document, next);
        const place = session.edits[index]?.from ?? 0;
        const method = requests[Math.floor(place * 997) % requests.length] ?? "hover";
        if (index % 3 === 0) asked.push(answerOf(client, method, document, Math.floor(place * document.getText().length)));
        if (index % 8 === 7) await within(asked.splice(0));
      }
      await within(asked);
      const is = await diagnosticsOf(client, uri);
      await client.connection.sendNotification("textDocument/didClose", { textDocument: { uri } });
      await open(client, document);
      const should = await diagnosticsOf(client, uri);
      await client.connection.sendNotification("textDocument/didClose", { textDocument: { uri } });
      if (is !== should) throw new Error(`after the edits the server says ${is}, anew ${should}`);
      if (client.log.length > 0) throw new Error(`the server logs: ${client.log.join("\n")}`);
      return texts.length;
    },
    async stop() {
      client.process.kill();
      client.connection.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function open({ connection }: RealClient, document: TextDocument): Promise<void> {
  const { uri, languageId } = document;
  await connection.sendNotification("textDocument/didOpen", { textDocument: { uri, languageId, version: 1, text: document.getText() } });
}

/**
 * Sends the shortest replacement that produces the new text. There is no position inside of a line ending, so the result may
 * differ slightly.
 */
async function change({ connection }: RealClient, document: TextDocument, text: string): Promise<void> {
  const before = document.getText();
  const shorter = Math.min(before.length, text.length);
  let front = 0;
  while (front < shorter && before.charCodeAt(front) === text.charCodeAt(front)) front += 1;
  let back = 0;
  while (back < shorter - front && before.charCodeAt(before.length - 1 - back) === text.charCodeAt(text.length - 1 - back)) back += 1;
  const range: Range = { start: document.positionAt(front), end: document.positionAt(before.length - back) };
  const changes = [{ range, text: text.slice(front, text.length - back) }];
  TextDocument.update(document, changes, document.version + 1);
  await connection.sendNotification("textDocument/didChange", {
    textDocument: { uri: document.uri, version: document.version },
    contentChanges: changes,
  });
}

function answerOf({ connection }: RealClient, method: (typeof requests)[number], document: TextDocument, offset: number): Promise<unknown> {
  const position = document.positionAt(offset);
  const range: Range = { start: position, end: document.positionAt(offset + 40) };
  const answer = connection.sendRequest(`textDocument/${method}`, {
    textDocument: { uri: document.uri },
    position,
    range,
    newName: "renamed",
    context: method === "references" ? { includeDeclaration: true } : { diagnostics: [] },
  });
  // Requests about a text that changes meanwhile are refused.
  return Promise.resolve(answer).catch(() => undefined);
}

async function diagnosticsOf({ connection }: RealClient, uri: string): Promise<string> {
  const [report] = await within([connection.sendRequest("textDocument/diagnostic", { textDocument: { uri } })]);
  return JSON.stringify((report as { items?: unknown }).items);
}

async function within(answers: readonly Promise<unknown>[]): Promise<readonly unknown[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`took over ${patience} ms to answer`)), patience);
  });
  try {
    return await Promise.race([Promise.all(answers), late]);
  } finally {
    clearTimeout(timer);
  }
}
