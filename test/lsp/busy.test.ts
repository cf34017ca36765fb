/** A busy server: it answers, stops cancelled work, and reports results as they become known. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  CancellationTokenSource,
  DocumentDiagnosticRequest,
  ExecuteCommandRequest,
  HoverRequest,
  LSPErrorCodes,
  type WorkspaceDiagnosticReportPartialResult,
  WorkspaceDiagnosticRequest,
} from "vscode-languageserver/node";
import { isThorough } from "../effort.ts";
import { positionOf, startRealClient, type TestClient, uriOf } from "./client.ts";

const pull = { textDocument: { diagnostic: {} }, window: { workDoneProgress: true } };
/** It is simple but long. */
const long = Array.from(
  { length: 1_000 },
  (_, i) => `__kernel void k${i}(__global int *a, __local int *b) { __global int *p = a; b[${i}] = *p + a[${i}]; }`,
).join("\n");
const short = "__kernel void k(__global int *data) { __local int *p = data; }\n";

let client: TestClient;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gpu-qualifiers-"));
});
afterEach(async () => {
  await client.stop();
  rmSync(folder, { recursive: true, force: true });
});

const fileOf = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return uriOf(join(folder, name));
};

it("answers requests about a small file while it reads a large one", async () => {
  const large = fileOf("large.cl", long);
  const small = fileOf("small.cl", short);
  client = await startRealClient({ folder, capabilities: pull });
  await client.open(small, short);
  await client.open(large, long);
  const order: string[] = [];
  const slow = client.connection
    .sendRequest(DocumentDiagnosticRequest.type, { textDocument: { uri: large } })
    .then(() => order.push("large"));
  const quick = client.connection
    .sendRequest(HoverRequest.type, { textDocument: { uri: small }, position: positionOf(short, "data") })
    .then(() => order.push("small"));
  await Promise.all([slow, quick]);
  expect(order).toEqual(["small", "large"]);
});

/** A count for thorough tests. Other runs use a tenth of it, which is still many slices of work. */
const full = (count: number) => (isThorough ? count : count / 10);
const times = (count: number, text: (index: number) => string) => Array.from({ length: count }, (_, index) => text(index)).join("");

it.each([
  ["a file of many items", times(full(12_000), (i) => `__global__ void k${i}(const float *in, float *out) { out[${i}] = in[0]; }\n`)],
  ["many directives", `${times(full(100_000), (i) => `#define M${i} ${i}\n`)}int x;\n`],
  ["many expansions", `#define M a b c d e f g h i j\n${times(full(20_000), () => "M ")}`],
  ["a long body", `__global__ void k(int *a) { ${times(isThorough ? 20_000 : 5_000, (i) => `a[${i}] = a[0] + ${i}; `)} }\n`],
  [
    "calls among many overloads",
    `${times(full(1_000), (i) => `__device__ void f(int (*a)[${i + 1}]) {}\n`)}__global__ void k() { int a[7]; ${times(full(600), () => "f(&a); ")} }\n`,
  ],
  [
    "a file that includes itself for each of its names",
    `#ifndef IN\n#define IN\n${times(full(500), (i) => `#define V x${i}\n#include "large.cu"\n#undef V\n`)}#else\nint V;\n#endif\n`,
  ],
])("answers one hover after the other while it reads %s", async (_, text) => {
  const large = fileOf("large.cu", text);
  const small = fileOf("small.cl", short);
  client = await startRealClient({ folder });
  await client.open(small, short);
  await client.diagnostics(small);
  await client.open(large, text);
  let answered = 0;
  while (!client.published.some(({ uri }) => uri === large)) {
    await client.connection.sendRequest(HoverRequest.type, { textDocument: { uri: small }, position: positionOf(short, "data") });
    answered++;
  }
  // The first may be answered before the work begins.
  expect(answered).toBeGreaterThan(3);
});

it("answers at once when a request is cancelled", async () => {
  const large = fileOf("large.cl", long);
  client = await startRealClient({ folder, capabilities: pull });
  await client.open(large, long);
  const source = new CancellationTokenSource();
  const order: string[] = [];
  const cancelled = client.connection
    .sendRequest(HoverRequest.type, { textDocument: { uri: large }, position: positionOf(long, "k7") }, source.token)
    .catch((error: { code: number }) => order.push(`cancelled ${error.code}`));
  const checked = client.connection
    .sendRequest(DocumentDiagnosticRequest.type, { textDocument: { uri: large } })
    .then(() => order.push("checked"));
  setTimeout(() => source.cancel(), 50);
  await Promise.all([cancelled, checked]);
  expect(order).toEqual([`cancelled ${LSPErrorCodes.RequestCancelled}`, "checked"]);
});

it("answers with an error if the document has changed before the answer was known", async () => {
  const large = fileOf("large.cl", long);
  client = await startRealClient({ folder, capabilities: pull });
  await client.open(large, long);
  const hover = client.connection.sendRequest(HoverRequest.type, { textDocument: { uri: large }, position: positionOf(long, "k7") });
  await client.replace(large, "__kernel void k0", "\n\n__kernel void k0");
  await expect(hover).rejects.toMatchObject({ code: LSPErrorCodes.ContentModified });
});

it("checks the last text, and no earlier one", async () => {
  const large = fileOf("large.cl", long);
  client = await startRealClient({ folder });
  await client.open(large, long);
  for (let i = 0; i < 5; i++) await client.replace(large, `__kernel void k${i}(`, `__kernel void renamed${i}(`);
  await client.close(large);
  await client.open(large, short);
  const found = await client.diagnostics(large, (diagnostics) => diagnostics.length > 0);
  expect(found.map(({ code, range }) => [code, range.start.line])).toEqual([["address-space-conversion", 0]]);
});

it("returns the workspace's diagnostics in parts", async () => {
  for (let i = 0; i < 6; i++) fileOf(`large${i}.cl`, long.slice(0, long.indexOf("\n__kernel void k300(")));
  client = await startRealClient({ folder, capabilities: pull });
  const partialResultToken = "parts";
  const whole = await client.connection.sendRequest(WorkspaceDiagnosticRequest.type, { previousResultIds: [], partialResultToken });
  expect(whole.items).toEqual([]);
  const parts = client.parts
    .filter(({ token }) => token === partialResultToken)
    .map(({ value }) => value as WorkspaceDiagnosticReportPartialResult);
  const told = parts.flatMap(({ items }) => items.map(({ uri }) => uri.slice(uri.lastIndexOf("/") + 1)));
  expect([...new Set(told)].sort()).toEqual(Array.from({ length: 6 }, (_, i) => `large${i}.cl`));
});

it("stops checking the workspace when the client cancels the request", async () => {
  for (let i = 0; i < 6; i++) fileOf(`large${i}.cl`, long);
  client = await startRealClient({ folder, capabilities: pull });
  const source = new CancellationTokenSource();
  const check = client.connection.sendRequest(ExecuteCommandRequest.type, { command: "gpu-qualifiers.checkWorkspace" }, source.token);
  // The check has begun.
  while (client.progress.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  source.cancel();
  await expect(check).rejects.toMatchObject({ code: LSPErrorCodes.RequestCancelled });
  // The server ends the progress that it has begun.
  await expect
    .poll(() => client.progress.findLast(({ token }) => token === client.progress[0]?.token)?.kind, { timeout: 200_000 })
    .toBe("end");
});
