/** While the user types, the client gets diagnostics after each keystroke, in order, and never for an old text. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DiagnosticRefreshRequest, DocumentDiagnosticRequest, HoverRequest } from "vscode-languageserver/node";
import { makeSource } from "../../bench/generate.ts";
import { positionOf, startRealClient, type TestClient, uriOf } from "./client.ts";

let client: TestClient;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gpu-qualifiers-"));
});
afterEach(async () => {
  await client.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function opened(name: string, text: string): Promise<string> {
  writeFileSync(join(folder, name), text);
  const uri = uriOf(join(folder, name));
  await client.open(uri, text);
  await client.diagnostics(uri);
  return uri;
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

it("publishes after each key if there is time", async () => {
  client = await startRealClient({ folder });
  const uri = await opened("a.cu", "__global__ void kernel(const float *in) {\n  float *p = nullptr;\n}\n");
  const from = client.published.length;
  for (const [index, key] of [..."  p = in;"].entries()) {
    await client.replace(uri, `nullptr;\n${"  p = in;".slice(0, index)}`, `nullptr;\n${"  p = in;".slice(0, index)}${key}`);
    await client.diagnostics(uri);
  }
  const versions = client.published.slice(from).map(({ version }) => version);
  expect([...new Set(versions)]).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(client.published.at(-1)?.diagnostics.map(({ code }) => code)).toEqual(["qualifier-discarded"]);
});

it("hides and adds no findings in other functions while one is typed", async () => {
  client = await startRealClient({ folder });
  const above = "kernel void wrong(global int *g) {\n  local int *l = (local int *)g;\n  *l = 1;\n}\n";
  const below = "kernel void blur(global float *out) {\n  local float edge[16];\n  edge[0] = 1;\n  *out = edge[0];\n}\n";
  const uri = await opened("a.cl", `${above}\n\n${below}`);
  const expected = ["1 address-space-cast"];
  let left = "";
  for (const key of "kernel void stats(global const int *keys) {\n  int sum = (keys[0]") {
    await client.replace(uri, `${left}\n${below}`, `${left}${key}\n${below}`);
    left += key;
    const found = await client.diagnostics(uri);
    expect(
      found.map(({ range, code }) => `${range.start.line} ${String(code)}`),
      left,
    ).toEqual(expected);
  }
});

describe("a client that pulls", () => {
  const first = "kernel void a(global int *g, local int *h) {\n  local int *l = (local int *)g;\n  *l = 1;\n  (void)(local int *)h;\n}\n";
  /** The codes that the client gets while it types a word at which there is a finding. */
  const codesWhileTyping = async (refreshSupport: boolean) => {
    client = await startRealClient({
      folder,
      capabilities: { textDocument: { diagnostic: {} }, workspace: { diagnostics: { refreshSupport } } },
    });
    const uri = uriOf(join(folder, "a.cl"));
    const pulled = async () => {
      const report = await client.connection.sendRequest(DocumentDiagnosticRequest.type, { textDocument: { uri } });
      return report.kind === "full" ? report.items.map(({ code }) => code) : [];
    };
    await client.open(uri, first);
    expect(await pulled()).toEqual(["address-space-cast"]);
    await client.replace(uri, ")h", ")g");
    return { codes: await pulled(), pulled };
  };

  it("gets findings in half-typed code at once if it cannot be told later", async () => {
    const { codes } = await codesWhileTyping(false);
    expect(codes).toEqual(["address-space-cast", "address-space-cast"]);
  });

  it("is told when findings that were held back are shown", { timeout: 120_000 }, async () => {
    const { codes, pulled } = await codesWhileTyping(true);
    expect(codes).toEqual(["address-space-cast"]);
    let latest: readonly unknown[] = codes;
    client.connection.onRequest(DiagnosticRefreshRequest.type, () => {
      void pulled().then((fresh) => {
        latest = fresh;
      });
    });
    await expect.poll(() => latest, { timeout: 60_000 }).toEqual(["address-space-cast", "address-space-cast"]);
  });
});

it("publishes nothing for an outdated text", async () => {
  client = await startRealClient({ folder });
  const text = makeSource({ language: "cuda", lines: 2_000, functionLines: 20 });
  const uri = await opened("a.cu", text);
  const from = client.published.length;
  const sent: { readonly version: number; readonly publishedBefore: number }[] = [];
  for (let key = 0; key < 20; key++) {
    await client.replace(uri, `hostFactor${"x".repeat(key)};`, `hostFactor${"x".repeat(key + 1)};`);
    sent.push({ version: key + 2, publishedBefore: client.published.length });
    await pause(key % 5 === 0 ? 60 : 2);
  }
  await client.diagnostics(uri);
  const versions = client.published.slice(from).map(({ version }) => version ?? 0);
  expect(versions).toEqual([...versions].sort((a, b) => a - b));
  expect(versions.at(-1)).toBe(21);
});

it("answers about another document before a large one has been checked", async () => {
  client = await startRealClient({ folder });
  const text = "kernel void first(global int *data) { *data = 1; }\n";
  const small = await opened("small.cl", text);
  const order: string[] = [];
  const large = uriOf(join(folder, "large.cl"));
  await client.open(large, makeSource({ language: "opencl", lines: 2_000, functionLines: 20 }));
  const checked = client.diagnostics(large).then(() => void order.push("diagnostics"));
  const answered = client.connection
    .sendRequest(HoverRequest.type, { textDocument: { uri: small }, position: positionOf(text, "data") })
    .then(() => void order.push("hover"));
  await Promise.all([checked, answered]);
  expect(order).toEqual(["hover", "diagnostics"]);
});
