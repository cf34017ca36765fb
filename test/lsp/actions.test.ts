/** Code actions besides single fixes: fixing a whole rule, suppressions, settings. Their edits are explained. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type ClientCapabilities,
  type CodeAction,
  CodeActionRequest,
  CodeActionResolveRequest,
  type Diagnostic,
} from "vscode-languageserver/node";
import { startClient, type TestClient, uriOf, writeWhole } from "./client.ts";

const wrongCast = "kernel void k(global int *g) {\n  local int *l = (local int *)g;\n}\n";
const nonConst = "struct S { int a[4]; };\n__global__ void k(__grid_constant__ S s) {}\n";
const modern: ClientCapabilities = {
  workspace: { workspaceEdit: { documentChanges: true, resourceOperations: ["create"], changeAnnotationSupport: {} } },
  textDocument: { codeAction: { dataSupport: true, resolveSupport: { properties: ["edit"] } } },
};

let folder: string;
let client: TestClient;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "gpu-qualifiers-"));
  client = await startClient({ folder, capabilities: modern });
});
afterEach(async () => {
  expect(await client.stop()).toBe(0);
  await rm(folder, { recursive: true, force: true });
});

async function open(name: string, text: string): Promise<string> {
  const uri = uriOf(join(folder, name));
  await client.open(uri, text);
  return uri;
}

async function actionsAt(uri: string, diagnostic: Diagnostic | undefined): Promise<readonly CodeAction[]> {
  if (diagnostic === undefined) throw new Error("no diagnostic");
  return ((await client.connection.sendRequest(CodeActionRequest.type, {
    textDocument: { uri },
    range: diagnostic.range,
    context: { diagnostics: [diagnostic] },
  })) ?? []) as CodeAction[];
}

async function resolved(actions: readonly CodeAction[], title: string): Promise<CodeAction> {
  const action = actions.find((candidate) => candidate.title === title);
  if (action === undefined) throw new Error(`no '${title}' in ${actions.map((candidate) => candidate.title).join("; ")}`);
  return client.connection.sendRequest(CodeActionResolveRequest.type, action);
}

describe("allowing a finding", () => {
  it("is offered after the fixes, and removes the finding", async () => {
    const uri = await open("a.cl", wrongCast);
    const [diagnostic] = await client.diagnostics(uri);
    const actions = await actionsAt(uri, diagnostic);
    expect(actions.map(({ title }) => title)).toEqual([
      "Cast to global instead",
      "Allow 'address-space-cast' here",
      "Allow 'address-space-cast' in this file",
      "Turn off 'address-space-cast' in gpu-qualifiers.json",
      "Make 'g' 'local' (changes argument 0 of 'k')",
    ]);
    await client.apply((await resolved(actions, "Allow 'address-space-cast' here")).edit ?? {});
    expect(client.textOf(uri)).toContain("{\n  // gpu-qualifiers: allow[address-space-cast]\n  local int *l");
    expect(await client.diagnostics(uri)).toEqual([]);

    await client.replace(uri, "(local int *)g", "0");
    // A glance does not look for unused suppressions.
    const [unused] = await client.diagnostics(uri, (list) => list.length > 0);
    expect(unused).toMatchObject({ code: "unused-suppression", severity: 2, tags: [1] });
    const onSave = {
      textDocument: { uri },
      range: unused?.range ?? { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
      context: { diagnostics: [], only: ["source.fixAll"] },
    };
    expect(await client.connection.sendRequest(CodeActionRequest.type, onSave)).toEqual([]);
    await client.apply((await resolved(await actionsAt(uri, unused), "Remove the suppression")).edit ?? {});
    expect(client.textOf(uri)).toBe(wrongCast.replace("(local int *)g", "0"));
    expect(await client.diagnostics(uri)).toEqual([]);
  });

  it("adds the rule to an existing comment", async () => {
    const uri = await open(
      "a.cl",
      `// gpu-qualifiers: allow-file[local-initializer] measured\n${wrongCast.replace("(local int *)g;", "(local int *)g; local int n = 1;")}`,
    );
    const diagnostic = (await client.diagnostics(uri)).find(({ code }) => code === "address-space-cast");
    await client.apply((await resolved(await actionsAt(uri, diagnostic), "Allow 'address-space-cast' in this file")).edit ?? {});
    expect(client.textOf(uri)).toContain("// gpu-qualifiers: allow-file[local-initializer, address-space-cast] measured\n");
    expect(await client.diagnostics(uri)).toEqual([]);
  });

  it("in the settings creates or edits the file", async () => {
    const uri = await open("a.cl", wrongCast);
    const [diagnostic] = await client.diagnostics(uri);
    const title = "Turn off 'address-space-cast' in gpu-qualifiers.json";
    const { edit } = await resolved(await actionsAt(uri, diagnostic), title);
    expect(edit?.documentChanges?.[0]).toEqual({ kind: "create", uri: uriOf(join(folder, "gpu-qualifiers.json")) });
    expect(JSON.stringify(edit?.documentChanges?.[1])).toContain(
      '{\\n  \\"rules\\": {\\n    \\"address-space-cast\\": \\"off\\"\\n  }\\n}\\n',
    );

    await writeFile(join(folder, "gpu-qualifiers.json"), '{\n  // ours\n  "flags": []\n}\n');
    await client.connection.sendNotification("workspace/didChangeWatchedFiles", {
      changes: [{ uri: uriOf(join(folder, "gpu-qualifiers.json")), type: 1 }],
    });
    const settings = uriOf(join(folder, "gpu-qualifiers.json"));
    await client.open(settings, '{\n  // ours\n  "flags": []\n}\n', "jsonc");
    const change = (await resolved(await actionsAt(uri, diagnostic), title)).edit;
    await client.apply(change ?? {});
    expect(client.textOf(settings)).toContain("// ours");
    expect(JSON.parse(client.textOf(settings).replace("// ours", ""))).toEqual({ flags: [], rules: { "address-space-cast": "off" } });
    expect(await client.diagnostics(uri, (list) => list.length === 0)).toEqual([]);
  });

  it("in the settings says that the program is built with -rdc=true", async () => {
    const uri = await open("a.cu", "extern __device__ int total;\n__global__ void k(int *out) { *out = total; }\n");
    const diagnostic = (await client.diagnostics(uri)).find(({ code }) => code === "whole-program-extern");
    const { edit } = await resolved(await actionsAt(uri, diagnostic), "Set 'relocatableDeviceCode' in gpu-qualifiers.json");
    expect(JSON.stringify(edit?.documentChanges)).toContain('\\"cuda\\": {\\n    \\"relocatableDeviceCode\\": true\\n  }');
  });

  it.each([
    ["a nearer settings file", '{ "rules": { "address-space-cast": "warning" } }', { rules: { "address-space-cast": "off" } }],
    [
      "an override",
      '{ "overrides": [{ "files": ["*.cu"] }, { "files": ["a.cl"], "rules": { "address-space-cast": "hint" } }] }',
      { overrides: [{ files: ["*.cu"] }, { files: ["a.cl"], rules: { "address-space-cast": "off" } }] },
    ],
  ])("in the settings changes the severity that applies, from %s", async (_place, text, changed) => {
    await mkdir(join(folder, "old"));
    const settings = uriOf(join(folder, "old/gpu-qualifiers.json"));
    await client.open(settings, text, "jsonc");
    const uri = await open("old/a.cl", wrongCast);
    const [diagnostic] = await client.diagnostics(uri);
    const action = await resolved(await actionsAt(uri, diagnostic), "Turn off 'address-space-cast' in gpu-qualifiers.json");
    await client.apply(action.edit ?? {});
    expect(JSON.parse(client.textOf(settings))).toEqual(changed);
    expect(await client.diagnostics(uri, (list) => list.length === 0)).toEqual([]);
  });
});

describe("fixing a whole rule", () => {
  it("is offered if it applies more than one fix", async () => {
    const uri = await open("a.cu", `${nonConst}__global__ void l(__grid_constant__ S s) {}\n`);
    const [diagnostic] = await client.diagnostics(uri);
    const actions = await actionsAt(uri, diagnostic);
    await client.apply((await resolved(actions, "Fix all 'grid-constant-non-const' in this file")).edit ?? {});
    expect(client.textOf(uri).match(/const __grid_constant__ S/g)).toHaveLength(2);
    expect(await client.diagnostics(uri)).toEqual([]);
  });

  it("in the workspace edits other files, and its title says so", async () => {
    const one = await open("a.cu", nonConst);
    const two = await open("b.cu", nonConst.replace("void k", "void l"));
    const [diagnostic] = await client.diagnostics(one);
    await client.diagnostics(two, (list) => list.length === 1);
    const { edit } = await resolved(await actionsAt(one, diagnostic), "Fix all 'grid-constant-non-const' in the workspace");
    expect(edit?.changeAnnotations).toEqual({
      elsewhere: { label: "Fix 'grid-constant-non-const' in other files", needsConfirmation: true },
    });
    await client.apply(edit ?? {});
    expect(client.textOf(two)).toContain("const __grid_constant__ S");
    expect(await client.diagnostics(one, (list) => list.length === 0)).toEqual([]);
    expect(await client.diagnostics(two, (list) => list.length === 0)).toEqual([]);
  });
});

describe("a refactoring", () => {
  it("is offered without a finding, edits closed headers as well, and explains each edit", async () => {
    const header = "#pragma once\nstruct P { int a[40]; };\n#define GC __grid_constant__\n__global__ void run(const P p, float *out);\n";
    await writeWhole(join(folder, "run.cuh"), header);
    const text = '#include "run.cuh"\n__global__ void run(const P p, float *out) { out[0] = p.a[0]; }\n';
    const uri = await open("run.cu", text);
    expect(await client.diagnostics(uri)).toEqual([]);
    const at = { line: 1, character: text.split("\n")[1]?.indexOf("P p") ?? 0 };
    const ask = (only?: readonly string[]) =>
      client.connection.sendRequest(CodeActionRequest.type, {
        textDocument: { uri },
        range: { start: at, end: at },
        context: { diagnostics: [], ...(only === undefined ? {} : { only: [...only] }) },
      }) as Promise<CodeAction[]>;
    for (const only of [undefined, ["refactor"], ["refactor.rewrite"]])
      expect((await ask(only)).map(({ title, kind }) => [title, kind])).toEqual([
        ["Add 'const __grid_constant__' as 'GC' (2 declarations in 2 files)", "refactor.rewrite"],
      ]);
    expect(await ask(["quickfix"])).toEqual([]);
    const { edit } = await client.connection.sendRequest(CodeActionResolveRequest.type, (await ask())[0] ?? { title: "" });
    expect(Object.values(edit?.changeAnnotations ?? {})).toEqual([
      { label: "Add 'const __grid_constant__' as 'GC' (2 declarations in 2 files)", needsConfirmation: false },
    ]);
    const changes = (edit?.documentChanges ?? []).flatMap((change) => ("edits" in change ? [change] : []));
    expect(changes.map(({ textDocument, edits }) => [textDocument.uri, textDocument.version, JSON.stringify(edits)])).toEqual([
      [uriOf(join(folder, "run.cuh")), null, expect.stringContaining('" GC"')],
      [uri, 1, expect.stringContaining('" GC"')],
    ]);
    expect(JSON.stringify(changes)).toMatch(/annotationId.*annotationId/);
  });
});
