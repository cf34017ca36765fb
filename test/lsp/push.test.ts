/** Editors that receive diagnostics as notifications: Neovim before 0.10, Vim, Emacs, Sublime Text and many others. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CodeAction, CodeActionRequest, HoverRequest } from "vscode-languageserver/node";
import { positionOf, startClient, type TestClient, uriOf, writeWhole } from "./client.ts";

const wrongCast = "kernel void k(global int *g) { local int *l = (local int *)g; }\n";
const nonConst = "struct S { int a[4]; };\n__global__ void k(__grid_constant__ S s) {}\n";

let folder: string;
let client: TestClient;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "gpu-qualifiers-"));
  client = await startClient({ folder });
});

afterEach(async () => {
  expect(await client.stop()).toBe(0);
  await rm(folder, { recursive: true, force: true });
});

const isEmpty = (diagnostics: readonly unknown[]) => diagnostics.length === 0;

describe("a session", () => {
  it("reports a mistake, follows edits and clears it when the file is closed", async () => {
    const uri = uriOf(join(folder, "a.cl"));
    await client.open(uri, wrongCast);
    const [first] = await client.diagnostics(uri);
    expect(first).toMatchObject({
      code: "address-space-cast",
      source: "gpu-qualifiers",
      severity: 1,
      range: { start: positionOf(wrongCast, "(local int *)g") },
    });
    expect(first?.codeDescription?.href).toMatch(/\/docs\/address-space-cast\.html$/);

    await client.replace(uri, "kernel void", "// a line above\nkernel void");
    const [moved] = await client.diagnostics(uri);
    expect(moved?.range.start.line).toBe(1);

    await client.replace(uri, "(local int *)g", "0");
    expect(await client.diagnostics(uri)).toEqual([]);

    await client.replace(uri, "= 0", "= (local int *)g");
    expect(await client.diagnostics(uri)).toHaveLength(1);
    await client.close(uri);
    expect(await client.diagnostics(uri, isEmpty)).toEqual([]);
  });

  it("offers the preferred fix, whose edit clears the diagnostic", async () => {
    const uri = uriOf(join(folder, "a.cu"));
    await client.open(uri, nonConst);
    const [diagnostic] = await client.diagnostics(uri);
    expect(diagnostic?.code).toBe("grid-constant-non-const");
    if (diagnostic === undefined) return;
    const actions = await client.connection.sendRequest(CodeActionRequest.type, {
      textDocument: { uri },
      range: diagnostic.range,
      context: { diagnostics: [diagnostic] },
    });
    const [action] = (actions ?? []) as CodeAction[];
    expect(action).toMatchObject({ kind: "quickfix", isPreferred: true, diagnostics: [{ code: "grid-constant-non-const" }] });
    // This client cannot resolve actions, so the action must contain its edit.
    expect(action?.edit).toBeDefined();
    await client.apply(action?.edit ?? {});
    expect(client.textOf(uri)).toContain("(const __grid_constant__ S s)");
    expect(await client.diagnostics(uri)).toEqual([]);
  });

  it("fixes everything in a file at once", async () => {
    const uri = uriOf(join(folder, "a.cu"));
    const text = `${nonConst}__global__ void l(__grid_constant__ S s, __grid_constant__ S t) {}\n`;
    await client.open(uri, text);
    expect(await client.diagnostics(uri)).toHaveLength(3);
    const whole = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
    const actions = await client.connection.sendRequest(CodeActionRequest.type, {
      textDocument: { uri },
      range: whole,
      context: { diagnostics: [], only: ["source.fixAll"] },
    });
    const [action] = (actions ?? []) as CodeAction[];
    expect(action?.kind).toBe("source.fixAll.gpuQualifiers");
    await client.apply(action?.edit ?? {});
    expect(client.textOf(uri).match(/const __grid_constant__ S/g)).toHaveLength(3);
    expect(await client.diagnostics(uri)).toEqual([]);
  });

  it("keeps several documents apart, and sees unsaved text of one in another", async () => {
    const header = uriOf(join(folder, "types.h"));
    const source = uriOf(join(folder, "a.cl"));
    const other = uriOf(join(folder, "b.cl"));
    await writeWhole(join(folder, "types.h"), "#define SPACE local\n");
    await client.open(source, '#include "types.h"\nkernel void k(global int *g) { SPACE int *p = (SPACE int *)g; }\n');
    await client.open(other, wrongCast);
    expect(await client.diagnostics(source)).toHaveLength(1);
    expect(await client.diagnostics(other)).toHaveLength(1);

    await client.open(header, "#define SPACE local\n", "cpp");
    await client.replace(header, "local", "global");
    expect(await client.diagnostics(source, isEmpty)).toEqual([]);
    expect(await client.diagnostics(other)).toHaveLength(1);
  });

  it("answers hovers on places without information, and in unknown documents", async () => {
    const uri = uriOf(join(folder, "a.cl"));
    await client.open(uri, "\n\n");
    expect(
      await client.connection.sendRequest(HoverRequest.type, { textDocument: { uri }, position: { line: 1, character: 0 } }),
    ).toBeNull();
    const unknown = uriOf(join(folder, "unknown.cl"));
    expect(
      await client.connection.sendRequest(HoverRequest.type, { textDocument: { uri: unknown }, position: { line: 0, character: 0 } }),
    ).toBeNull();
  });

  it("survives broken source and goes on", async () => {
    const uri = uriOf(join(folder, "a.cl"));
    await client.open(uri, `${"{(<[".repeat(5000)}\n#if\n#include\n#define F(x\n"unterminated\n`);
    await client.diagnostics(uri);
    const good = uriOf(join(folder, "b.cl"));
    await client.open(good, wrongCast);
    expect(await client.diagnostics(good)).toHaveLength(1);
    expect(client.log.filter((line) => line.includes("while working on"))).toEqual([]);
  });

  it("shows findings of a long file before all of it has been checked", async () => {
    const count = 1_000;
    const uri = uriOf(join(folder, "long.cl"));
    await client.open(uri, Array.from({ length: count }, (_, index) => wrongCast.replace("k(", `k${index}(`)).join("\n"));
    await client.diagnostics(uri, ({ length }) => length === count);
    const lengths = client.published.filter((published) => published.uri === uri).map(({ diagnostics }) => diagnostics.length);
    expect(lengths.length).toBeGreaterThan(1);
    expect(lengths[0]).toBeGreaterThan(0);
    expect(lengths).toEqual([...lengths].sort((a, b) => a - b));
  });

  it("understands uris that are written in different ways", async () => {
    const directory = join(folder, "a b#c");
    await mkdir(directory);
    await writeWhole(join(directory, "types.h"), "#define SPACE local\n");
    const uri = uriOf(join(directory, "a(1).cl")).replace("(", "%28");
    await client.open(uri, '#include "types.h"\nkernel void k(global int *g) { SPACE int *p = (SPACE int *)g; }\n');
    expect(await client.diagnostics(uri)).toHaveLength(1);
  });

  it("uses the editor's language mode if the name does not imply a language", async () => {
    const uri = "untitled:Untitled-1";
    await client.open(uri, wrongCast, "opencl");
    expect(await client.diagnostics(uri)).toHaveLength(1);
  });
});

describe("a client", () => {
  it("may refuse all requests of the server", async () => {
    await client.stop();
    const workspace = {
      configuration: true,
      didChangeWatchedFiles: { dynamicRegistration: true },
      didChangeConfiguration: { dynamicRegistration: true },
    };
    client = await startClient({ folder, refuses: true, capabilities: { workspace } });
    const uri = uriOf(join(folder, "a.cl"));
    await client.open(uri, wrongCast);
    expect(await client.diagnostics(uri)).toHaveLength(1);
  });
});
