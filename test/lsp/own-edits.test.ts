/** Edits of the server that change several files: until the client has made all of it, no finding of a half-made edit is shown. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  type ClientCapabilities,
  type CodeAction,
  CodeActionRequest,
  CodeActionResolveRequest,
  DocumentDiagnosticRequest,
  type TextDocumentEdit,
  type WorkspaceEdit,
} from "vscode-languageserver/node";
import { positionOf, startClient, type TestClient, uriOf } from "./client.ts";

const lazy: ClientCapabilities = {
  workspace: { workspaceEdit: { documentChanges: true, changeAnnotationSupport: {} } },
  textDocument: { codeAction: { dataSupport: true, resolveSupport: { properties: ["edit"] } } },
};
const declaration = "struct P { int a[40]; };\n__global__ void run(const P p, float *out);\n";
const definition = "struct P { int a[40]; };\n__global__ void run(const P p, float *out) { out[0] = p.a[0]; }\n";
const title = "Add 'const __grid_constant__' (2 declarations in 2 files)";

let folder: string;
let client: TestClient;
const uri = (name: string) => uriOf(join(folder, name));

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "gpu-qualifiers-"));
});
afterEach(async () => {
  expect(await client.stop()).toBe(0);
  await rm(folder, { recursive: true, force: true });
});

async function start(capabilities: ClientCapabilities): Promise<void> {
  client = await startClient({ folder, capabilities });
  await client.open(uri("a.cu"), declaration);
  await client.open(uri("b.cu"), definition);
}

/** The parts of the refactoring's edit, one for each file. */
async function parts(): Promise<readonly WorkspaceEdit[]> {
  const at = positionOf(definition, "P p");
  const params = { textDocument: { uri: uri("b.cu") }, range: { start: at, end: at }, context: { diagnostics: [] } };
  const actions = ((await client.connection.sendRequest(CodeActionRequest.type, params)) ?? []) as CodeAction[];
  const action = actions.find((each) => each.title === title);
  expect(actions.map((each) => each.title)).toContain(title);
  const { edit } = await client.connection.sendRequest(CodeActionResolveRequest.type, action ?? { title });
  return (edit?.documentChanges ?? []).map((change) => ({ documentChanges: [change as TextDocumentEdit] }));
}

/** Waits as long as the checks of these small files take, several times. */
const aWhile = () => new Promise((resolve) => setTimeout(resolve, 500));

it("shows no finding between the parts of an edit", async () => {
  await start(lazy);
  for (const name of ["a.cu", "b.cu"]) expect(await client.diagnostics(uri(name))).toEqual([]);
  const [first, second, ...others] = await parts();
  expect(others).toEqual([]);
  const before = client.published.length;
  await client.apply(first ?? {});
  await aWhile();
  await client.apply(second ?? {});
  for (const name of ["a.cu", "b.cu"]) expect(await client.diagnostics(uri(name))).toEqual([]);
  expect(client.published.slice(before).flatMap(({ diagnostics }) => diagnostics)).toEqual([]);
});

it("shows the findings at once if something else is typed instead of the rest", async () => {
  await start(lazy);
  for (const name of ["a.cu", "b.cu"]) expect(await client.diagnostics(uri(name))).toEqual([]);
  const [first] = await parts();
  await client.apply(first ?? {});
  await client.replace(uri("a.cu"), "struct P", "/* ours */ struct P");
  await client.replace(uri("b.cu"), "struct P", "/* ours */ struct P");
  const found = await client.diagnostics(uri("a.cu"), (list) => list.length > 0);
  expect(found.map(({ code }) => code)).toEqual(["grid-constant-mismatch"]);
});

it("answers clients that pull after the last part", async () => {
  await start({ ...lazy, textDocument: { ...lazy.textDocument, diagnostic: {} } });
  const pulled = async (name: string) => {
    const report = await client.connection.sendRequest(DocumentDiagnosticRequest.type, { textDocument: { uri: uri(name) } });
    return report.kind === "full" ? report.items.map(({ code }) => code) : [];
  };
  for (const name of ["a.cu", "b.cu"]) expect(await pulled(name)).toEqual([]);
  const [first, second] = await parts();
  await client.apply(first ?? {});
  const early = pulled("a.cu");
  await aWhile();
  await client.apply(second ?? {});
  expect(await early).toEqual([]);
  expect(await pulled("b.cu")).toEqual([]);
});
