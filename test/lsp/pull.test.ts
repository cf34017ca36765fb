/** Editors that request diagnostics: VS Code, Neovim since 0.10, Helix. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type ClientCapabilities,
  type CodeAction,
  CodeActionRequest,
  CodeActionResolveRequest,
  type Diagnostic,
  DidChangeWatchedFilesNotification,
  DocumentDiagnosticRequest,
  FileChangeType,
  WorkspaceDiagnosticRequest,
} from "vscode-languageserver/node";
import { hashOf } from "../../server/src/node/answer-store.ts";
import { startClient, type TestClient, uriOf } from "./client.ts";

const capabilities: ClientCapabilities = {
  textDocument: {
    diagnostic: { relatedInformation: true },
    codeAction: { dataSupport: true, resolveSupport: { properties: ["edit"] } },
  },
  workspace: { workspaceEdit: { documentChanges: true }, diagnostics: { refreshSupport: true } },
};
const wrongCast = "kernel void k(global int *g) { local int *l = (local int *)g; }\n";

let folder: string;
let client: TestClient;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "gpu-qualifiers-"));
});

afterEach(async () => {
  expect(await client.stop()).toBe(0);
  await rm(folder, { recursive: true, force: true });
});

async function start(): Promise<void> {
  client = await startClient({ folder, capabilities });
}

async function pull(uri: string, previousResultId?: string) {
  return client.connection.sendRequest(DocumentDiagnosticRequest.type, {
    textDocument: { uri },
    ...(previousResultId === undefined ? {} : { previousResultId }),
  });
}

async function pullItems(uri: string): Promise<readonly Diagnostic[]> {
  const report = await pull(uri);
  return report.kind === "full" ? report.items : [];
}

async function pullWorkspace(previousResultIds: { uri: string; value: string }[] = []) {
  const { items } = await client.connection.sendRequest(WorkspaceDiagnosticRequest.type, { previousResultIds });
  return items;
}

describe("pulled diagnostics", () => {
  it("come on request only, and are not sent again while nothing changes", async () => {
    await start();
    expect(client.initialized.capabilities.diagnosticProvider).toMatchObject({ workspaceDiagnostics: true, interFileDependencies: true });
    const uri = uriOf(join(folder, "a.cl"));
    await client.open(uri, wrongCast);
    const first = await pull(uri);
    expect(first).toMatchObject({ kind: "full", items: [{ code: "address-space-cast" }] });
    expect(await pull(uri, first.resultId)).toEqual({ kind: "unchanged", resultId: first.resultId });

    await client.replace(uri, "(local int *)g", "0");
    const changed = await pull(uri, first.resultId);
    expect(changed).toMatchObject({ kind: "full", items: [] });
    expect(changed.resultId).not.toBe(first.resultId);
    expect(client.published).toEqual([]);
  });

  it("cover the closed files of the workspace, except those that git ignores", async () => {
    await mkdir(join(folder, "build"));
    await writeFile(join(folder, ".gitignore"), "build/\n");
    await mkdir(join(folder, ".git"));
    await writeFile(join(folder, "a.cl"), wrongCast);
    await writeFile(join(folder, "b.cl"), "kernel void fine(global int *g) { *g = 1; }\n");
    await writeFile(join(folder, "build/generated.cl"), wrongCast);
    await writeFile(join(folder, "c.py"), `source = '''${wrongCast}'''\n`);
    await writeFile(join(folder, "d.py"), "kernel = 1\n");
    await start();
    const items = await pullWorkspace();
    expect(items.map(({ uri }) => uri)).toEqual(["a.cl", "b.cl", "c.py"].map((name) => uriOf(join(folder, name))));
    expect(items[0]).toMatchObject({ kind: "full", items: [{ code: "address-space-cast" }] });
    expect(items[1]).toMatchObject({ kind: "full", items: [] });
    expect(items[2]).toMatchObject({ kind: "full", items: [{ code: "address-space-cast" }] });
    const previous = items.map(({ uri, resultId }) => ({ uri, value: resultId ?? "" }));
    expect((await pullWorkspace(previous)).map(({ kind }) => kind)).toEqual(["unchanged", "unchanged", "unchanged"]);
  });

  it("follow files that change on the disk", async () => {
    await writeFile(join(folder, "a.cl"), wrongCast);
    await start();
    const uri = uriOf(join(folder, "a.cl"));
    expect((await pullWorkspace())[0]).toMatchObject({ items: [{ code: "address-space-cast" }] });
    await writeFile(join(folder, "a.cl"), "kernel void k(global int *g) {}\n");
    await client.connection.sendNotification(DidChangeWatchedFilesNotification.type, { changes: [{ uri, type: FileChangeType.Changed }] });
    expect((await pullWorkspace())[0]).toMatchObject({ items: [] });
    await rm(join(folder, "a.cl"));
    await client.connection.sendNotification(DidChangeWatchedFilesNotification.type, { changes: [{ uri, type: FileChangeType.Deleted }] });
    expect(await pullWorkspace()).toEqual([]);
  });

  it("follow changes of .gitignore and of the settings' exclusions", async () => {
    for (const name of ["a.cl", "b.cl", "c.cl"]) await writeFile(join(folder, name), wrongCast);
    await mkdir(join(folder, ".git"));
    await start();
    const names = async () => (await pullWorkspace()).map(({ uri }) => uri.slice(uri.lastIndexOf("/") + 1));
    expect(await names()).toEqual(["a.cl", "b.cl", "c.cl"]);
    await writeFile(join(folder, ".gitignore"), "a.cl\n");
    await client.changedOnDisk(join(folder, ".gitignore"));
    expect(await names()).toEqual(["b.cl", "c.cl"]);
    await writeFile(join(folder, "gpu-qualifiers.json"), '{ "exclude": ["b.cl"] }');
    await client.changedOnDisk(join(folder, "gpu-qualifiers.json"));
    expect(await names()).toEqual(["c.cl"]);
  });

  it("are at places of the host's literals, and so are their edits", async () => {
    await start();
    const uri = uriOf(join(folder, "host.cpp"));
    await client.open(uri, 'auto s = "/* \\t */ kernel void f(const global int *in) {\\n"\n  "global int *p = in; }";\n');
    const [diagnostic, ...more] = await pullItems(uri);
    expect(more).toEqual([]);
    expect(diagnostic).toMatchObject({
      code: "qualifier-discarded",
      range: { start: { line: 1, character: 19 }, end: { line: 1, character: 21 } },
    });
    await client.replace(uri, "const global", "global");
    expect(await pullItems(uri)).toEqual([]);
  });

  it("include findings that depend on two files, with fixes in both", async () => {
    const declaration = "struct S { int a[4]; };\n__global__ void run(const __grid_constant__ S s);\n";
    const definition = "struct S { int a[4]; };\n__global__ void run(const S s) {}\n";
    await writeFile(join(folder, "definition.cu"), definition);
    await start();
    const uri = uriOf(join(folder, "declaration.cu"));
    await client.open(uri, declaration);
    await pullWorkspace();
    const found = [...(await pullItems(uri)), ...(await pullItems(uriOf(join(folder, "definition.cu"))))];
    expect(found.map(({ code }) => code)).toEqual(["grid-constant-mismatch", "grid-constant-mismatch"]);
    expect(found[0]?.relatedInformation).toHaveLength(1);

    const place = { declaration: uri, definition: uriOf(join(folder, "definition.cu")) };
    const reported = (await pullItems(uri)).length > 0 ? place.declaration : place.definition;
    if (reported === place.definition) await client.open(place.definition, definition);
    const range = found[0]?.range ?? { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
    const actions = await client.connection.sendRequest(CodeActionRequest.type, {
      textDocument: { uri: reported },
      range,
      context: { diagnostics: [] },
    });
    const preferred = ((actions ?? []) as CodeAction[]).find(({ isPreferred }) => isPreferred);
    // The edit is computed when it is requested.
    expect(preferred?.edit).toBeUndefined();
    if (preferred === undefined) return;
    const resolved = await client.connection.sendRequest(CodeActionResolveRequest.type, preferred);
    expect(resolved.edit?.documentChanges).toMatchObject([
      { textDocument: { uri: place.definition, version: null }, edits: [{ newText: expect.stringContaining("__grid_constant__") }] },
    ]);
  });

  it("refuse to resolve an action whose diagnostic is gone", async () => {
    await start();
    const uri = uriOf(join(folder, "a.cu"));
    await client.open(uri, "struct S { int a; };\n__global__ void k(__grid_constant__ S s) {}\n");
    const [diagnostic] = await pullItems(uri);
    const range = diagnostic?.range ?? { start: { line: 1, character: 0 }, end: { line: 1, character: 0 } };
    const actions = await client.connection.sendRequest(CodeActionRequest.type, {
      textDocument: { uri },
      range,
      context: { diagnostics: [] },
    });
    const [action] = (actions ?? []) as CodeAction[];
    expect(action).toBeDefined();
    if (action === undefined) return;
    await client.replace(uri, "__grid_constant__ ", "");
    expect((await client.connection.sendRequest(CodeActionResolveRequest.type, action)).edit).toBeUndefined();
  });
});

describe("results of an earlier session", () => {
  const cacheIn = () => join(folder, "cache");
  const messages = async () =>
    (await pullWorkspace()).flatMap((report) =>
      (report.kind === "full" ? report.items : []).map(({ message }) => (typeof message === "string" ? message : message.value)),
    );
  const restart = async () => {
    if (client !== undefined) await client.stop();
    client = await startClient({ folder: join(folder, "src"), capabilities, cache: cacheIn() });
  };

  beforeEach(async () => {
    await mkdir(join(folder, "src"));
    await writeFile(join(folder, "src/wrong.cl"), wrongCast);
    client = await startClient({ folder: join(folder, "src"), capabilities, cache: cacheIn() });
  });

  it("are used as long as they are valid", async () => {
    const [first = ""] = await messages();
    expect(first).not.toBe("");
    // Only the cache contains this wording.
    for (const name of await readdir(cacheIn(), { recursive: true })) {
      if (!name.endsWith(".answer")) continue;
      const path = join(cacheIn(), name);
      const kept = inflateRawSync(await readFile(path)).toString("utf8");
      const text = kept.slice(kept.indexOf("\n") + 1).replaceAll(first, "as it was kept");
      await writeFile(path, deflateRawSync(`${hashOf(text)}\n${text}`));
    }
    await restart();
    expect(await messages()).toEqual(["as it was kept"]);
    await writeFile(join(folder, "src/wrong.cl"), `${wrongCast}\n`);
    await client.changedOnDisk(join(folder, "src/wrong.cl"));
    expect(await messages()).toEqual([first]);
  });
});
