/** Completion, signatures, outline, definitions, references, renaming and folding ranges, over the protocol. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  CompletionRequest,
  CompletionResolveRequest,
  DefinitionRequest,
  DocumentHighlightRequest,
  DocumentLinkRequest,
  DocumentSymbolRequest,
  FoldingRangeRequest,
  HoverRequest,
  PrepareRenameRequest,
  ReferencesRequest,
  RenameRequest,
  SignatureHelpRequest,
  WorkspaceSymbolRequest,
} from "vscode-languageserver/node";
import { positionOf, startClient, type TestClient, uriOf } from "./client.ts";

const header = "float sum(global const float *row, int n);\n";
const source = '#include "sum.h"\nkernel void run(global float *out) {\n  out[get_global_id(0)] = sum(out, 4);\n}\n';

let folder: string;
let client: TestClient;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "gpu-qualifiers-"));
  await writeFile(join(folder, "sum.h"), header);
});
afterEach(async () => {
  expect(await client.stop()).toBe(0);
  await rm(folder, { recursive: true, force: true });
});

it("answers in OpenCL", async () => {
  client = await startClient({ folder });
  const uri = uriOf(join(folder, "run.cl"));
  await client.open(uri, source);
  await client.diagnostics(uri);
  const textDocument = { uri };
  const { connection } = client;

  const list = (await connection.sendRequest(CompletionRequest.type, { textDocument, position: positionOf(source, "out[get") })) ?? [];
  const items = Array.isArray(list) ? list : list.items;
  expect(items.map(({ label }) => label)).toEqual(expect.arrayContaining(["local", "out", "get_local_id"]));
  const builtin = items.find(({ label }) => label === "get_local_id");
  expect(await connection.sendRequest(CompletionResolveRequest.type, builtin ?? { label: "" })).toMatchObject({
    documentation: { value: "```opencl\nsize_t get_local_id(uint);\n```" },
  });

  expect(await connection.sendRequest(SignatureHelpRequest.type, { textDocument, position: positionOf(source, "4);") })).toMatchObject({
    signatures: [{ label: "float sum(__global const float *row, int n)" }],
    activeParameter: 1,
  });
  expect((await connection.sendRequest(DocumentSymbolRequest.type, { textDocument }))?.map(({ name }) => name)).toEqual(["run"]);
  const at = { textDocument, position: positionOf(source, "sum(out") };
  expect(await connection.sendRequest(DefinitionRequest.type, at)).toMatchObject([{ uri: uriOf(join(folder, "sum.h")) }]);
  expect(await connection.sendRequest(ReferencesRequest.type, { ...at, context: { includeDeclaration: false } })).toHaveLength(1);
  expect(await connection.sendRequest(PrepareRenameRequest.type, at)).toMatchObject({ start: positionOf(source, "sum(out") });
  const edit = await connection.sendRequest(RenameRequest.type, { ...at, newName: "total" });
  expect(Object.entries(edit?.changes ?? {}).map(([file, edits]) => [file, edits.length])).toEqual([
    [uri, 1],
    [uriOf(join(folder, "sum.h")), 1],
  ]);
  for (const [newName, sentence] of [
    ["not a name", "'not a name' is not an identifier."],
    ["run", "'run' already means something else where 'sum' is used: see line 2."],
  ] as const)
    await expect(connection.sendRequest(RenameRequest.type, { ...at, newName })).rejects.toThrow(sentence);
  expect(await connection.sendRequest(FoldingRangeRequest.type, { textDocument })).toMatchObject([{ startLine: 1, endLine: 2 }]);
});

it("leaves CUDA to clangd unless a setting enables it", async () => {
  const text = "__global__ void k(int *p) {\n  p[0] = 1;\n}\n";
  for (const [languageFeatures, count] of [
    [undefined, 0],
    ["all", 1],
    ["off", 0],
  ] as const) {
    client = await startClient({ folder, initializationOptions: languageFeatures === undefined ? {} : { languageFeatures } });
    const uri = uriOf(join(folder, "k.cu"));
    await client.open(uri, text);
    expect(await client.connection.sendRequest(DocumentSymbolRequest.type, { textDocument: { uri } })).toHaveLength(count);
    if (languageFeatures !== "off") expect(await client.stop()).toBe(0);
  }
});

const kernel = `float sum(global const float *row, int n) {
  return row[n];
}
kernel void run(global float *out) {
  out[get_global_id(0)] = sum(out, 4);
}
`;

it.each([
  ["host.cpp", "cpp", `const char *source = R"CLC(\n${kernel})CLC";\nint sum;\n`],
  ["lines.c", "c", `const char *source =\n${kernel.trimEnd().replaceAll(/^.*$/gm, (line) => `  "${line}\\n"`)};\nint sum;\n`],
  ["host.py", "python", `source = """\n${kernel}"""\nsum = 1\n`],
  ["wrapped.cl", "opencl", `R"CLC(\n${kernel})CLC"\n`],
])("answers in the kernels of %s", async (name, languageId, text) => {
  client = await startClient({ folder });
  const uri = uriOf(join(folder, name));
  await client.open(uri, text, languageId);
  const textDocument = { uri };
  const { connection } = client;
  const labels = async (at: string) => {
    const list =
      (await connection.sendRequest(CompletionRequest.type, { textDocument, position: positionOf(client.textOf(uri), at) })) ?? [];
    return (Array.isArray(list) ? list : list.items).map(({ label }) => label);
  };

  expect(await labels("out[get")).toEqual(expect.arrayContaining(["local", "out", "sum", "get_local_id"]));
  expect(await connection.sendRequest(SignatureHelpRequest.type, { textDocument, position: positionOf(text, "4)") })).toMatchObject({
    signatures: [{ label: "float sum(__global const float *row, int n)" }],
    activeParameter: 1,
  });
  const called = positionOf(text, "sum(out");
  const declared = positionOf(text, "sum(global");
  const at = { textDocument, position: called };
  expect(await connection.sendRequest(HoverRequest.type, at)).toMatchObject({ range: { start: called } });
  expect(await connection.sendRequest(DefinitionRequest.type, at)).toMatchObject([{ uri, range: { start: declared } }]);
  expect(await connection.sendRequest(ReferencesRequest.type, { ...at, context: { includeDeclaration: true } })).toHaveLength(2);
  expect(await connection.sendRequest(PrepareRenameRequest.type, at)).toMatchObject({ start: called });
  const edit = await connection.sendRequest(RenameRequest.type, { ...at, newName: "total" });
  const edits = edit?.changes?.[uri] ?? [];
  // The host's own 'sum' is a different function.
  expect(edits.map(({ range, newText }) => [range.start, newText])).toEqual([
    [declared, "total"],
    [called, "total"],
  ]);
  const outline = (await connection.sendRequest(DocumentSymbolRequest.type, { textDocument })) ?? [];
  expect(outline.map((symbol) => symbol.name)).toEqual(name === "wrapped.cl" ? ["sum", "run"] : []);

  // An incomplete call: the source does not parse, and its brackets are open.
  await client.replace(uri, "sum(out, 4);", "sum(out, get_l");
  expect(await labels("get_l")).toContain("get_local_id");
  expect(
    await connection.sendRequest(SignatureHelpRequest.type, { textDocument, position: positionOf(client.textOf(uri), "get_l") }),
  ).toMatchObject({ signatures: [{ label: "float sum(__global const float *row, int n)" }], activeParameter: 1 });
});

it("finds at most as many symbols as a list can show, and long names among them", async () => {
  const kernels = Array.from({ length: 600 }, (_, index) => `kernel void run${index}(global int *g) {}\n`);
  await writeFile(join(folder, "many.cl"), kernels.join(""));
  const long = "calc".repeat(2_500);
  await writeFile(join(folder, "long.cl"), `kernel void ${long}(global int *g) {}\n`);
  client = await startClient({ folder });
  const count = async (query: string) => (await client.connection.sendRequest(WorkspaceSymbolRequest.type, { query }))?.length;
  expect(await count("rn")).toBe(500);
  expect(await count("CALC")).toBe(1);
  expect(await count(`${"c".repeat(5_000)}a`)).toBe(0);
});

it("says why a word cannot be renamed", async () => {
  client = await startClient({ folder });
  const uri = uriOf(join(folder, "a.cl"));
  const text =
    "struct A { int x; }; struct B { int x; int n; };\nfloat f(float4 v, real u, int n) {\n  while (n) barrier(1);\n  return v.w + u.x + N;\n}\nstruct C { int y; };\nint g(real u) { return u.y; }\n";
  await client.open(uri, text);
  for (const [word, sentence] of [
    ["w + u", "'w' names components of a vector, which OpenCL C declares."],
    ["x + N", "Several structures have a member 'x', and the type of this object is not known."],
    ["N;", "Nothing that this file includes declares 'N'."],
    ["while", "'while' is a keyword and cannot be renamed."],
    ["float4", "'float4' is a type of OpenCL C and cannot be renamed."],
    ["barrier", "'barrier' is a function of OpenCL C and cannot be renamed."],
  ] as const) {
    const at = { textDocument: { uri }, position: positionOf(text, word) };
    await expect(client.connection.sendRequest(PrepareRenameRequest.type, at), word).rejects.toThrow(sentence);
    await expect(client.connection.sendRequest(RenameRequest.type, { ...at, newName: "other" }), word).rejects.toThrow(sentence);
  }
  const at = { textDocument: { uri }, position: positionOf(text, "y; };"), newName: "other" };
  await expect(client.connection.sendRequest(RenameRequest.type, at)).rejects.toThrow(
    "The type of the object in line 7 is not known: 'y' may name this member there, or components of a vector.",
  );
});

it("leaves the code of the host to other tools", async () => {
  client = await startClient({ folder });
  const uri = uriOf(join(folder, "host.cpp"));
  const text = `const char *source = R"CLC(\n${kernel})CLC";\nint own(int n) { return own(n); }\n`;
  await client.open(uri, text, "cpp");
  const at = { textDocument: { uri }, position: positionOf(text, "own(n)") };
  expect(await client.connection.sendRequest(CompletionRequest.type, at)).toEqual([]);
  expect(await client.connection.sendRequest(DefinitionRequest.type, at)).toEqual([]);
  expect(await client.connection.sendRequest(PrepareRenameRequest.type, at)).toBeNull();
});

it("finds symbols of the workspace, highlights a name, and leads to headers", async () => {
  await writeFile(join(folder, "other.cl"), "constant float gaussWeights[2] = {1, 2};\nkernel void blurRows(global float *image) {}\n");
  client = await startClient({ folder });
  const uri = uriOf(join(folder, "run.cl"));
  await client.open(uri, source);
  await client.diagnostics(uri);
  const textDocument = { uri };
  const symbols = async (query: string) => {
    const found = (await client.connection.sendRequest(WorkspaceSymbolRequest.type, { query })) ?? [];
    return found.map(({ name, location }) => `${name} ${location.uri.slice(location.uri.lastIndexOf("/") + 1)}`);
  };
  expect(await symbols("brow")).toEqual(["blurRows other.cl"]);
  expect(await symbols("GAUSS")).toEqual(["gaussWeights other.cl"]);
  expect(await symbols("no such name")).toEqual([]);
  expect((await symbols("")).sort()).toEqual(["blurRows other.cl", "gaussWeights other.cl", "run run.cl"]);
  // No part of a query is a pattern, and white space in it does not count.
  expect(await symbols("blur rows")).toEqual(["blurRows other.cl"]);
  expect(await symbols("blur.*")).toEqual([]);
  expect(await symbols("(a+)+$".repeat(5_000))).toEqual([]);

  const highlights = await client.connection.sendRequest(DocumentHighlightRequest.type, {
    textDocument,
    position: positionOf(source, "out["),
  });
  expect(highlights?.map(({ range }) => range.start)).toEqual([
    positionOf(source, "out)"),
    positionOf(source, "out["),
    positionOf(source, "out, 4"),
  ]);
  const header = uriOf(join(folder, "sum.h"));
  const links = (await client.connection.sendRequest(DocumentLinkRequest.type, { textDocument })) ?? [];
  expect(links).toMatchObject([{ target: header, range: { start: { line: 0 }, end: { line: 0 } } }]);
  expect(
    await client.connection.sendRequest(DefinitionRequest.type, { textDocument, position: positionOf(source, "sum.h") }),
  ).toMatchObject([{ uri: header, range: { start: { line: 0, character: 0 } } }]);
});

it("leads to the language's own declarations, and in CUDA from a launch to the kernel", async () => {
  client = await startClient({ folder });
  const lines = async (uri: string, text: string, mark: string) => {
    const found = await client.connection.sendRequest(DefinitionRequest.type, {
      textDocument: { uri },
      position: positionOf(text, mark),
    });
    const [target] = Array.isArray(found) ? found : [];
    if (target === undefined || !("range" in target)) return [];
    const file = (await readFile(new URL(target.uri), "utf8")).split("\n");
    return [target.uri.slice(target.uri.lastIndexOf("/") + 1), file[target.range.start.line]];
  };
  const run = uriOf(join(folder, "run.cl"));
  await client.open(run, source);
  expect(await lines(run, source, "get_global_id")).toEqual(["opencl-builtins.clh", "size_t get_global_id(uint);"]);

  const body = "__global__ void scale(float *p) { p[threadIdx.x] *= 2; }\n";
  await writeFile(join(folder, "kernel.cu"), body);
  await client.open(uriOf(join(folder, "kernel.cu")), body);
  await client.diagnostics(uriOf(join(folder, "kernel.cu")));
  const launching = "__global__ void scale(float *p);\nint plain;\nvoid host(float *p) {\n  scale<<<1, 32>>>(p);\n  plain = 1;\n}\n";
  const host = uriOf(join(folder, "host.cu"));
  await client.open(host, launching);
  await client.diagnostics(host);
  expect(await lines(host, launching, "scale<<<")).toEqual(["kernel.cu", body.trimEnd()]);
  expect(await lines(host, launching, "plain = 1")).toEqual([]);
});
