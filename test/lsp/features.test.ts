/** Inlay hints, tokens, lenses, declarations and commands over the protocol; and diagnostics that stay stable while the user types. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import {
  CodeLensRequest,
  DeclarationRequest,
  DocumentLinkRequest,
  ExecuteCommandRequest,
  InlayHintRequest,
  type Location,
  SemanticTokensRequest,
} from "vscode-languageserver/node";
import { type ClientOptions, positionOf, startClient, type TestClient, uriOf } from "./client.ts";

const whole = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };
const wrongCast = "kernel void k(global int *g) { local int *l = (local int *)g; }\n";

let folder: string;
let client: TestClient;

async function start(files: Readonly<Record<string, string>>, options: ClientOptions = {}): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), "gpu-qualifiers-"));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  client = await startClient({ folder, ...options });
}
afterEach(async () => {
  expect(client.log.filter((line) => line.includes("while working on"))).toEqual([]);
  expect(await client.stop()).toBe(0);
  await rm(folder, { recursive: true, force: true });
});

const file = (name: string) => uriOf(join(folder, name));
const command = (name: string, ...parameters: unknown[]): Promise<unknown> =>
  client.connection.sendRequest(ExecuteCommandRequest.type, { command: name, arguments: parameters });

describe("an open document", () => {
  it("has inlay hints in the requested range, unless they are disabled", async () => {
    const text = "int f(int *p) { return *p; }\nint g(int *p) { return *p; }\n";
    await start({ "gpu-qualifiers.json": '{ "opencl": { "standard": "CL2.0" } }' });
    await client.open(file("a.cl"), text);
    const hints = await client.connection.sendRequest(InlayHintRequest.type, {
      textDocument: { uri: file("a.cl") },
      range: { start: { line: 1, character: 0 }, end: { line: 1, character: 20 } },
    });
    expect(hints).toEqual([
      {
        position: { line: 1, character: 6 },
        label: "generic",
        tooltip: "'p' points to generic: the address space is not written",
        paddingRight: true,
      },
    ]);
    await client.stop();
    client = await startClient({ folder, initializationOptions: { inlayHints: false } });
    await client.open(file("a.cl"), text);
    expect(await client.connection.sendRequest(InlayHintRequest.type, { textDocument: { uri: file("a.cl") }, range: whole })).toEqual([]);
  });

  it("has semantic tokens in OpenCL, and in CUDA if a setting enables them", async () => {
    const cuda = "__constant__ int c;\n";
    await start({});
    await client.open(file("a.cl"), wrongCast);
    await client.open(file("a.cu"), cuda);
    const tokens = async (name: string) =>
      (await client.connection.sendRequest(SemanticTokensRequest.type, { textDocument: { uri: file(name) } }))?.data;
    const legend = client.initialized.capabilities.semanticTokensProvider?.legend;
    const [line, character, length, type, modifiers] = (await tokens("a.cl")) ?? [];
    expect([line, character, length, legend?.tokenTypes[type ?? -1]]).toEqual([0, 26, 1, "parameter"]);
    expect(legend?.tokenModifiers.filter((_, bit) => ((modifiers ?? 0) >> bit) & 1)).toEqual(["declaration", "global"]);
    expect(await tokens("a.cu")).toBeUndefined();
    await client.stop();
    client = await startClient({ folder, initializationOptions: { semanticTokens: "all" } });
    await client.open(file("a.cu"), cuda);
    expect(await tokens("a.cu")).toHaveLength(5);
  });

  it("has lenses with bytes, and with the declarations for editors that can show them", async () => {
    const text = '#include "k.cuh"\n__constant__ int table[4];\n__global__ void k(int *p, int n) {}\n';
    await start({ "k.cuh": "#pragma once\n__global__ void k(int *p, int n);\n" }, { initializationOptions: { commands: true } });
    await client.open(file("a.cu"), text);
    const found = (await client.connection.sendRequest(CodeLensRequest.type, { textDocument: { uri: file("a.cu") } })) ?? [];
    expect(found.map((lens) => lens.command?.title)).toEqual([
      "16 of 65,536 bytes of constant memory in this translation unit",
      "12 bytes of parameters",
      "1 other declaration",
    ]);
    expect(found[2]?.command?.command).toBe("gpuQualifiers.showLocations");
    expect(found[2]?.command?.arguments?.[2]).toHaveLength(2);
  });

  it("leads from the lens of a launch to the kernel, also in another file", async () => {
    await start({ "k.cu": "\n__global__ void k(int *p) {}\n" }, { initializationOptions: { commands: true } });
    await client.open(file("k.cu"), "\n__global__ void k(int *p) {}\n");
    await client.diagnostics(file("k.cu"));
    await client.open(file("a.cu"), "__global__ void k(int *p);\nvoid f(int *p) { k<<<2, 64>>>(p); }\n");
    const found = (await client.connection.sendRequest(CodeLensRequest.type, { textDocument: { uri: file("a.cu") } })) ?? [];
    const lens = found.find(({ range }) => range.start.line === 1)?.command;
    expect([lens?.title, lens?.command]).toEqual(["grid 2 × 1 × 1 · block 64 × 1 × 1", "gpuQualifiers.showLocations"]);
    expect(lens?.arguments?.[2]).toEqual([
      { uri: file("k.cu"), range: { start: { line: 1, character: 16 }, end: { line: 1, character: 17 } } },
    ]);
  });

  it("leads from the rules in suppressions to their pages", async () => {
    const text = "int i; // gpu-qualifiers: allow[address-space-cast, no-such-rule]\n";
    await start({});
    await client.open(file("a.cl"), text);
    const links = (await client.connection.sendRequest(DocumentLinkRequest.type, { textDocument: { uri: file("a.cl") } })) ?? [];
    expect(links.map(({ range, target }) => [range.start, target?.slice(-"docs/address-space-cast.html".length)])).toEqual([
      [positionOf(text, "address-space-cast"), "docs/address-space-cast.html"],
    ]);
  });

  it("leads from a kernel to its declarations in other files", async () => {
    const text = "__global__ void k(int *p) {}\n";
    await start({});
    await client.open(file("a.cu"), text);
    await client.open(file("b.cu"), "__global__ void k(int *p);\nvoid f(int *p) { k<<<1, 1>>>(p); }\n");
    await client.diagnostics(file("b.cu"));
    const found = (await client.connection.sendRequest(DeclarationRequest.type, {
      textDocument: { uri: file("a.cu") },
      position: positionOf(text, "k("),
    })) as Location[];
    expect(found.map(({ uri }) => uri)).toEqual([file("a.cu"), file("b.cu")]);
  });
});

describe("a kernel in a string of host code", () => {
  const text =
    'const char *s =\n  "constant int t[4] = {1};\\n"\n  "float f(float *p) { return *p; } // gpu-qualifiers: allow[const-write]\\n"\n  "kernel void k(global int *g) { g[0] = t[1]; }\\n";\n';
  const hinted = { line: 2, character: 11 };

  it("has hints, lenses, links, declarations and a view, at places of the host file", async () => {
    await start({ "gpu-qualifiers.json": '{ "opencl": { "standard": "CL2.0" } }' });
    const uri = file("host.cpp");
    await client.open(uri, text, "cpp");
    const textDocument = { uri };
    const hints = await client.connection.sendRequest(InlayHintRequest.type, { textDocument, range: whole });
    expect(hints?.map(({ position, label }) => [position, label])).toEqual([[hinted, "generic"]]);
    const lenses = await client.connection.sendRequest(CodeLensRequest.type, { textDocument });
    expect(lenses?.map(({ range, command: shown }) => [range.start, shown?.title])).toEqual([
      [positionOf(text, "t[4]"), "16 of 65,536 bytes of constant memory in this string"],
      [positionOf(text, "k(global"), "8 bytes of parameters · 16 of 65,536 bytes of constant memory"],
    ]);
    const links = await client.connection.sendRequest(DocumentLinkRequest.type, { textDocument });
    expect(links?.map(({ range }) => range.start)).toEqual([positionOf(text, "const-write")]);
    const places = (await client.connection.sendRequest(DeclarationRequest.type, {
      textDocument,
      position: positionOf(text, "k(global"),
    })) as Location[];
    expect(places).toEqual([{ uri, range: { start: positionOf(text, "k(global"), end: positionOf(text, "(global int *g)") } }]);
    expect(await command("gpu-qualifiers.showPreprocessed", uri)).toContain(
      "// string 1 of host.cpp as OpenCL C 2.0\n// settings: gpu-qualifiers.json\n\n__constant int t[4] = {1};  // line 2\n",
    );
  });

  it("leaves the colors of its host to other tools", async () => {
    await start({ "host.cpp": text });
    await client.open(file("host.cpp"), text, "cpp");
    expect(await client.connection.sendRequest(SemanticTokensRequest.type, { textDocument: { uri: file("host.cpp") } })).toBeNull();
    const wrapped = `R"(${wrongCast})"\n`;
    await client.open(file("wrapped.cl"), wrapped);
    const tokens = await client.connection.sendRequest(SemanticTokensRequest.type, { textDocument: { uri: file("wrapped.cl") } });
    expect(tokens?.data.slice(0, 3)).toEqual([0, wrapped.indexOf("g)"), 1]);
  });
});

describe("a command", () => {
  it("checks the whole workspace, with progress, and shows findings in closed files", async () => {
    const host = `// no kernel\nauto s = "${wrongCast.trimEnd()}";\n`;
    await start(
      { "a.cl": wrongCast, "b.cl": "kernel void k(global int *g) { }\n", "notes.txt": "", "host.cpp": host, "plain.cpp": "int kernel;\n" },
      { capabilities: { window: { workDoneProgress: true } } },
    );
    expect(await command("gpu-qualifiers.checkWorkspace")).toEqual({
      files: 3,
      errors: 2,
      warnings: 0,
      infos: 0,
      coverage: "3 kernels checked",
      isCancelled: false,
    });
    expect((await client.diagnostics(file("host.cpp")))[0]?.code).toBe("address-space-cast");
    expect((await client.diagnostics(file("a.cl")))[0]?.code).toBe("address-space-cast");
    expect(client.progress.map(({ kind }) => kind)).toEqual(["begin", "report", "report", "report", "end"]);
    await writeFile(join(folder, "a.cl"), "");
    await client.connection.sendNotification("workspace/didChangeWatchedFiles", { changes: [{ uri: file("a.cl"), type: 2 }] });
    await client.open(file("b.cl"), "");
    expect(await client.diagnostics(file("a.cl"), (list) => list.length === 0)).toEqual([]);
  });

  it("can be cancelled", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`k${index}.cl`, wrongCast.replaceAll("g;", "g; ".repeat(1 + (index % 3)))]),
    );
    await start(files, { capabilities: { window: { workDoneProgress: true } } });
    const running = command("gpu-qualifiers.checkWorkspace");
    while (client.progress.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    await client.connection.sendNotification("window/workDoneProgress/cancel", { token: client.progress[0]?.token as string });
    const result = (await running) as { files: number; isCancelled: boolean };
    expect(result.isCancelled).toBe(true);
    expect(result.files).toBeLessThan(60);
  });

  it("writes a setting", async () => {
    await start({ "gpu-qualifiers.json": '{\n  "flags": []\n}\n' });
    expect(await command("gpu-qualifiers.set", { uri: file("a.cl"), path: ["opencl", "standard"], value: "CL2.0" })).toBe(true);
    expect(JSON.stringify(client.edits)).toContain('\\"opencl\\": {\\n    \\"standard\\": \\"CL2.0\\"');
    expect(await command("gpu-qualifiers.set", { uri: file("a.cl"), path: ["flags"], value: null })).toBe(true);
    expect(client.edits).toHaveLength(2);
    // A setting that does not exist cannot be removed.
    expect(await command("gpu-qualifiers.set", { uri: file("a.cl"), path: ["cuda"], value: null })).toBe(false);
    expect(await command("gpu-qualifiers.set", { uri: 1 })).toBeNull();
  });

  it("sets a value in the nearest settings file, which alone determines how a file is built", async () => {
    await start({ "gpu-qualifiers.json": "{}\n", "lib/gpu-qualifiers.json": "{}\n", "lib/deep/a.cl": "kernel void k() { }\n" });
    expect(await command("gpu-qualifiers.set", { uri: file("lib/deep/a.cl"), path: ["opencl", "standard"], value: "CL2.0" })).toBe(true);
    expect(JSON.stringify(client.edits)).toContain(file("lib/gpu-qualifiers.json"));
    expect(JSON.stringify(client.edits)).not.toContain(file("gpu-qualifiers.json"));
  });

  it("shows the text that the parser reads", async () => {
    await start({ "m.h": "#define SPACE __global\n", "a.cl": '#include "m.h"\nkernel void k(SPACE int *p) { }\n' });
    expect(await command("gpu-qualifiers.showPreprocessed", file("a.cl"))).toContain(
      "__kernel void k(__global int *p) { }  // line 2, from SPACE",
    );
  });
});

describe("several folders", () => {
  it("have settings and rules of their own, and can be added and removed", async () => {
    await start({});
    await client.stop();
    const [one, two] = [join(folder, "one"), join(folder, "two")];
    for (const path of [one, two]) await mkdir(path);
    await writeFile(join(one, "gpu-qualifiers.json"), '{ "opencl": { "standard": "CL1.2" } }');
    await writeFile(
      join(two, "gpu-qualifiers.json"),
      '{ "opencl": { "standard": "CL2.0" }, "overrides": [{ "files": ["old/"], "flags": ["-cl-std=CL1.2"], "rules": { "address-space-conversion": "hint" } }] }',
    );
    client = await startClient({ folder: one, folders: [two], capabilities: { workspace: { workspaceFolders: true } } });
    const text = "kernel void k(global int *g) { int *p = g; *p = 1; }\n";
    const severitiesOf = async (path: string) => (await client.diagnostics(uriOf(path))).map(({ severity }) => severity);
    for (const path of [join(one, "a.cl"), join(two, "a.cl"), join(two, "old/a.cl")]) await client.open(uriOf(path), text);
    expect(await severitiesOf(join(one, "a.cl"))).toEqual([1]);
    expect(await severitiesOf(join(two, "a.cl"))).toEqual([]);
    expect(await severitiesOf(join(two, "old/a.cl"))).toEqual([4]);
    await client.connection.sendNotification("workspace/didChangeWorkspaceFolders", {
      event: { added: [], removed: [{ uri: uriOf(two), name: "two" }] },
    });
    await client.replace(uriOf(join(one, "a.cl")), "*p = 1;", "*p = 2;");
    expect(await severitiesOf(join(one, "a.cl"))).toEqual([1]);
  });
});

describe("while the user types", () => {
  it("findings of other functions stay until the source is complete again", async () => {
    await start({});
    const uri = file("a.cl");
    const rest = `${wrongCast}kernel void l(global int *h) { local int *m = (local int *)h; }\n`;
    await client.open(uri, `kernel void first(global int *a) {\n  a[0] = 1;\n}\n${rest}`);
    expect((await client.diagnostics(uri)).map(({ range }) => range.start.line)).toEqual([3, 4]);
    for (const [before, after] of [
      ["a[0] = 1;", "a[0] = max(1, {;\n"],
      ["{;", '{ "'],
      ['{ "', "{ ((((("],
    ] as const) {
      await client.replace(uri, before, after);
      expect(
        (await client.diagnostics(uri)).map(({ code, range }) => [code, range.start.line]),
        after,
      ).toEqual([
        ["address-space-cast", 4],
        ["address-space-cast", 5],
      ]);
    }
    await client.replace(uri, "max(1, { (((((", "1;");
    expect((await client.diagnostics(uri)).map(({ range }) => range.start.line)).toEqual([4, 5]);
    await client.replace(uri, "(local int *)h", "0");
    expect((await client.diagnostics(uri)).map(({ range }) => range.start.line)).toEqual([4]);
  });
});
