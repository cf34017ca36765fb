/** Clients that violate the protocol, or send messages at the worst moment: the server continues, and its final answers are right. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  CancellationTokenSource,
  DidChangeConfigurationNotification,
  DidChangeTextDocumentNotification,
  DidChangeWorkspaceFoldersNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  DocumentDiagnosticRequest,
  HoverRequest,
} from "vscode-languageserver/node";
import type { Session } from "../hostile/generators.ts";
import { startTyping } from "../hostile/typed.ts";
import { positionOf, startRealClient, type TestClient, uriOf } from "./client.ts";

const short = "__kernel void k(__global int *data) { __local int *p = data; }\n";
const harmless = short.replace("= data", "= 0");
const long = Array.from(
  { length: 600 },
  (_, i) => `__kernel void k${i}(__global int *a, __local int *b) { __global int *p = a; b[${i}] = *p; }`,
).join("\n");

let client: TestClient;
let folder: string;
let uri: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gpu-qualifiers-"));
  uri = uriOf(join(folder, "a.cl"));
});
afterEach(async () => {
  expect(await client.stop()).toBe(0);
  rmSync(folder, { recursive: true, force: true });
});

it("changes and closes documents that it never opened, and opens one twice", async () => {
  client = await startRealClient({ folder });
  const { connection } = client;
  const unknown = uriOf(join(folder, "unknown.cl"));
  await connection.sendNotification(DidChangeTextDocumentNotification.type, {
    textDocument: { uri: unknown, version: 3 },
    contentChanges: [{ text: short }],
  });
  await connection.sendNotification(DidCloseTextDocumentNotification.type, { textDocument: { uri: unknown } });
  await client.open(uri, harmless);
  await connection.sendNotification(DidOpenTextDocumentNotification.type, {
    textDocument: { uri, languageId: "opencl", version: 1, text: short },
  });
  const found = await client.diagnostics(uri, (diagnostics) => diagnostics.length > 0);
  expect(found.map(({ code }) => code)).toEqual(["address-space-conversion"]);
  await client.close(uri);
  await connection.sendNotification(DidCloseTextDocumentNotification.type, { textDocument: { uri } });
  await expect.poll(() => client.published.findLast((params) => params.uri === uri)?.diagnostics).toEqual([]);
});

it("counts versions backwards, replaces whole texts and edits beyond the end", async () => {
  client = await startRealClient({ folder, capabilities: { textDocument: { diagnostic: {} } } });
  const change = (version: number, ...contentChanges: readonly object[]) =>
    client.connection.sendNotification(DidChangeTextDocumentNotification.type.method, { textDocument: { uri, version }, contentChanges });
  await client.open(uri, harmless);
  await change(9, { text: harmless }, { text: short });
  await change(2, { range: { start: { line: 700, character: 3 }, end: { line: 900, character: 1 } }, text: "// behind the end\n" });
  await change(2, { range: { start: { line: 0, character: 4_000 }, end: { line: 0, character: 5_000 } }, text: " // behind the line" });
  const report = await client.connection.sendRequest(DocumentDiagnosticRequest.type, { textDocument: { uri } });
  expect(report).toMatchObject({ kind: "full", items: [{ code: "address-space-conversion" }] });
  const hover = await client.connection.sendRequest(HoverRequest.type, { textDocument: { uri }, position: positionOf(short, "data") });
  expect(hover).toMatchObject({ range: { start: { line: 0 } } });
});

it("closes a document while it is checked", async () => {
  client = await startRealClient({ folder });
  await client.open(uri, long);
  await client.open(uriOf(join(folder, "b.cl")), short);
  await client.close(uri);
  await client.diagnostics(uriOf(join(folder, "b.cl")), (diagnostics) => diagnostics.length === 1);
  expect(client.published.filter((params) => params.uri === uri).flatMap(({ diagnostics }) => diagnostics)).toEqual([]);
});

it("changes settings while a file is checked", async () => {
  let severity = "error";
  client = await startRealClient({
    folder,
    capabilities: { workspace: { configuration: true } },
    configuration: () => ({ rules: { "address-space-conversion": severity } }),
  });
  await client.open(uri, `${long}\n${short.replace("k(", "last(")}`);
  severity = "hint";
  await client.connection.sendNotification(DidChangeConfigurationNotification.type, { settings: null });
  const found = await client.diagnostics(uri, ([first]) => first?.severity === 4);
  expect(found.map(({ code }) => code)).toEqual(["address-space-conversion"]);
});

it("sends and cancels requests many times, and is answered in the end", async () => {
  client = await startRealClient({ folder, capabilities: { textDocument: { diagnostic: {} } } });
  await client.open(uri, long);
  for (let i = 0; i < 20; i++) {
    const source = new CancellationTokenSource();
    const asked = [
      client.connection.sendRequest(DocumentDiagnosticRequest.type, { textDocument: { uri } }, source.token),
      client.connection.sendRequest(HoverRequest.type, { textDocument: { uri }, position: { line: 0, character: 20 } }, source.token),
    ];
    if (i % 2 === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    source.cancel();
    for (const each of asked) await expect(Promise.resolve(each)).rejects.toThrow(/cancel/i);
  }
  const report = await client.connection.sendRequest(DocumentDiagnosticRequest.type, { textDocument: { uri } });
  expect(report).toMatchObject({ kind: "full" });
  expect(client.log).toEqual([]);
});

it("removes a folder while it is read", async () => {
  for (let i = 0; i < 4; i++) writeFileSync(join(folder, `large${i}.cl`), long);
  const other = mkdtempSync(join(tmpdir(), "gpu-qualifiers-"));
  client = await startRealClient({ folder: other, folders: [folder], capabilities: { workspace: { workspaceFolders: true } } });
  await client.open(uri, long);
  await client.connection.sendNotification(DidChangeWorkspaceFoldersNotification.type, {
    event: { added: [], removed: [{ uri: uriOf(folder), name: "gone" }] },
  });
  const kept = uriOf(join(other, "b.cl"));
  await client.open(kept, short);
  await client.diagnostics(kept, (diagnostics) => diagnostics.length === 1);
  expect(client.log).toEqual([]);
  rmSync(other, { recursive: true, force: true });
});

it("answers after the edits that fuzzing has found as for a new document", async () => {
  client = await startRealClient({ folder });
  const foundFolder = join(import.meta.dirname, "../hostile/found");
  const found = existsSync(foundFolder) ? readdirSync(foundFolder).filter((name) => name.endsWith(".typed.json")) : [];
  const server = await startTyping();
  try {
    for (const name of found) await server.type(JSON.parse(readFileSync(join(foundFolder, name), "utf8")) as Session);
    const edit = { kind: "insert", from: 0.5, to: -1, times: 1, word: "x" } as const;
    expect(await server.type({ input: { name: "x.cl", text: short }, edits: [edit], longest: 3_000 })).toBe(1);
  } finally {
    await server.stop();
  }
});
