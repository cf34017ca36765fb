/** Unusual files: other line endings, non-ASCII letters, no folder, no name, too large, not text at all. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type ClientCapabilities,
  type CodeAction,
  CodeActionRequest,
  ExecuteCommandRequest,
  HoverRequest,
  InlayHintRequest,
} from "vscode-languageserver/node";
import { positionOf, startClient, type TestClient, uriOf, writeWhole } from "./client.ts";

const wrongCast = "kernel void k(global int *g) { local int *l = (local int *)g; }\n";
const related: ClientCapabilities = { textDocument: { publishDiagnostics: { relatedInformation: true } } };

let folder: string;
let client: TestClient;
const path = (name: string) => join(folder, name);
const uri = (name: string) => uriOf(path(name));

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "gpu-qualifiers-"));
  client = await startClient({ folder, capabilities: related });
});
afterEach(async () => {
  expect(client.log.filter((line) => line.includes("while working on"))).toEqual([]);
  expect(await client.stop()).toBe(0);
  await rm(folder, { recursive: true, force: true });
});

async function actions(name: string, title: string): Promise<CodeAction | undefined> {
  const [diagnostic] = await client.diagnostics(uri(name), (list) => list.length > 0);
  if (diagnostic === undefined) throw new Error("no diagnostic");
  const found =
    (await client.connection.sendRequest(CodeActionRequest.type, {
      textDocument: { uri: uri(name) },
      range: diagnostic.range,
      context: { diagnostics: [diagnostic] },
    })) ?? [];
  return (found as CodeAction[]).find((action) => action.title === title);
}

describe("a text", () => {
  it("may have the line ends of Windows, which edits keep", async () => {
    const text = "// one\r\n/* two\r\n three */\r\nkernel void k(global int *g) {\r\n  local int *l = (local int *)g;\r\n}\r\n";
    await client.open(uri("a.cl"), text);
    const [diagnostic] = await client.diagnostics(uri("a.cl"));
    expect(diagnostic?.range.start).toEqual(positionOf(text, "(local int *)g"));
    const allow = await actions("a.cl", "Allow 'address-space-cast' here");
    await client.apply(allow?.edit ?? {});
    expect(client.textOf(uri("a.cl"))).toContain("{\r\n  // gpu-qualifiers: allow[address-space-cast]\r\n  local");
    expect(await client.diagnostics(uri("a.cl"))).toEqual([]);
  });

  it("has positions in UTF-16 code units, whatever letters it contains", async () => {
    const text = `/* 😀 漢字 é */ constant char s[] = "𝔘ñ"; /* 👩‍👩‍👧 */ ${wrongCast}`;
    await client.open(uri("a.cl"), text);
    const found = await client.diagnostics(uri("a.cl"), (list) => list.some(({ code }) => code === "address-space-cast"));
    const cast = found.find(({ code }) => code === "address-space-cast");
    expect(cast?.range).toEqual({ start: positionOf(text, "(local int *)g"), end: positionOf(text, "; }") });
    const hover = await client.connection.sendRequest(HoverRequest.type, {
      textDocument: { uri: uri("a.cl") },
      position: positionOf(text, "global"),
    });
    expect(hover?.range?.start).toEqual(positionOf(text, "global"));
    await client.replace(uri("a.cl"), "漢字", "字");
    const moved = await client.diagnostics(uri("a.cl"), (list) => list.some(({ code }) => code === "address-space-cast"));
    expect(moved.find(({ code }) => code === "address-space-cast")?.range.start).toEqual(
      positionOf(client.textOf(uri("a.cl")), "(local int *)g"),
    );
  });

  it("may begin with a byte order mark, in the editor and on the disk", async () => {
    await writeWhole(path("types.h"), "\ufeff#define SPACE local\n");
    const text = `\ufeff#include "types.h"\n${wrongCast.replaceAll("local", "SPACE")}`;
    await client.open(uri("a.cl"), text);
    const [diagnostic] = await client.diagnostics(uri("a.cl"), (list) => list.length === 1);
    expect(diagnostic?.range.start).toEqual(positionOf(text, "(SPACE int *)g"));
    const allow = await actions("a.cl", "Allow 'address-space-cast' in this file");
    await client.apply(allow?.edit ?? {});
    expect(client.textOf(uri("a.cl")).startsWith("\ufeff// gpu-qualifiers: allow-file[address-space-cast]\n#include")).toBe(true);
    expect(await client.diagnostics(uri("a.cl"))).toEqual([]);
  });

  it("may be one very long line", async () => {
    const text = `${"int f(global int *p); ".repeat(6_000)}${wrongCast}`;
    await client.open(uri("a.cl"), text);
    const [diagnostic] = await client.diagnostics(uri("a.cl"), (list) => list.length === 1);
    expect(diagnostic?.range.start).toEqual({ line: 0, character: text.indexOf("(local int *)g") });
  });

  it("may be larger than the limit on files", async () => {
    const text = `${"// a line that says nothing at all, again and again\n".repeat(400_000)}${wrongCast}`;
    await client.open(uri("a.cl"), text);
    await client.diagnostics(uri("a.cl"));
    await client.open(uri("b.cl"), wrongCast);
    expect(await client.diagnostics(uri("b.cl"))).toHaveLength(1);
  });
});

describe("a document", () => {
  it("may lie outside of every folder, and see the files beside it", async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), "gpu-qualifiers-"));
    await writeFile(join(elsewhere, "space.h"), "#define SPACE local\n");
    await writeFile(join(elsewhere, "gpu-qualifiers.json"), '{ "rules": { "address-space-cast": "hint" } }');
    const outside = uriOf(join(elsewhere, "a.cl"));
    await client.open(outside, `#include "space.h"\n${wrongCast.replaceAll("local", "SPACE")}`);
    expect((await client.diagnostics(outside, (list) => list.length === 1))[0]?.severity).toBe(4);
    await rm(elsewhere, { recursive: true });
  });

  it("may have no name, and change its language later", async () => {
    const untitled = "untitled:Untitled-1";
    await client.open(untitled, wrongCast, "opencl");
    expect(await client.diagnostics(untitled, (list) => list.length === 1)).toHaveLength(1);
    await client.replace(untitled, "(local int *)g", "0");
    expect(await client.diagnostics(untitled)).toEqual([]);
    await client.close(untitled);
    await client.open(untitled, "struct S { int a; };\n__global__ void k(__grid_constant__ S s) {}\n", "cuda-cpp");
    await client.diagnostics(untitled, ([first]) => first?.code === "grid-constant-non-const");
  });

  it("has the language of the editor's mode if its name does not imply one", async () => {
    await client.open(uri("kernels.txt"), wrongCast, "plaintext");
    expect(await client.diagnostics(uri("kernels.txt"))).toEqual([]);
    await client.close(uri("kernels.txt"));
    expect(await client.diagnostics(uri("kernels.txt"))).toEqual([]);
    await client.open(uri("kernels.txt"), wrongCast, "opencl");
    expect(await client.diagnostics(uri("kernels.txt"), (list) => list.length === 1)).toHaveLength(1);
  });

  it("may be asked about positions outside of its text", async () => {
    await client.open(uri("a.cl"), wrongCast);
    const far = { line: 99, character: 99 };
    expect(await client.connection.sendRequest(HoverRequest.type, { textDocument: { uri: uri("a.cl") }, position: far })).toBeNull();
    expect(
      await client.connection.sendRequest(InlayHintRequest.type, { textDocument: { uri: uri("a.cl") }, range: { start: far, end: far } }),
    ).toEqual([]);
  });
});

describe("a folder", () => {
  it("may hold loops, broken links, folders with names of files, and binary files", async () => {
    await mkdir(path("sub"));
    await symlink(folder, path("sub/loop"));
    await symlink(path("nowhere.cl"), path("broken.cl"));
    await mkdir(path("folder.cl"));
    await writeFile(path("binary.cl"), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1, 2, 3]));
    await writeFile(
      path("bytes.cl"),
      Buffer.concat([Buffer.from("// "), Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0x80]), Buffer.from(`\n${wrongCast}`)]),
    );
    await writeFile(path("fine.cl"), wrongCast);
    await symlink(path("fine.cl"), path("link.cl"));
    await writeFile(
      path("includes.cl"),
      '#include "binary.cl"\n#include "folder.cl"\n#include "broken.cl"\n#include "sub/loop/sub/loop/fine.cl"\n',
    );
    await client.open(uri("a.cl"), wrongCast);
    // The server may have listed the folder before the last of them existed.
    for (const name of ["binary.cl", "bytes.cl", "fine.cl", "link.cl", "includes.cl"]) await client.changedOnDisk(path(name));
    const result = await client.connection.sendRequest(ExecuteCommandRequest.type, { command: "gpu-qualifiers.checkWorkspace" });
    expect(result).toMatchObject({ isCancelled: false });
    expect(await client.diagnostics(uri("bytes.cl"), (list) => list.length === 1)).toHaveLength(1);
    expect(await client.diagnostics(uri("link.cl"), (list) => list.length === 1)).toHaveLength(1);
  });
});
