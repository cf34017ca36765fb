/** Folders that are moved, renamed, created and deleted as a whole, and documents outside of the workspace's folders. */
import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DidRenameFilesNotification, HoverRequest } from "vscode-languageserver/node";
import { positionOf, startClient, type TestClient, uriOf } from "./client.ts";

const usesType = (header: string) => `#include "${header}"\nkernel void k(global int *g) { pointer p = (pointer)g; }\n`;
const typeIn = (space: string) => `typedef ${space} int *pointer;\n`;
const wrong = "kernel void k(global int *g) { local int *p = g; }\n";

let top: string;
let folder: string;
let client: TestClient;
const path = (name: string) => join(folder, name);
const uri = (name: string) => uriOf(path(name));

beforeEach(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), "gpu-qualifiers-")));
  folder = join(top, "workspace");
  await mkdir(folder);
});
afterEach(async () => {
  expect(client.log.filter((line) => line.includes("while working on"))).toEqual([]);
  expect(await client.stop()).toBe(0);
  await rm(top, { recursive: true, force: true });
});

async function write(name: string, text: string): Promise<void> {
  await mkdir(join(top, name, ".."), { recursive: true });
  await writeFile(join(top, name), text);
}

async function expectRules(name: string, rules: readonly string[]): Promise<void> {
  const found = await client.diagnostics(uri(name), (list) => list.length === rules.length);
  expect(found.map(({ code }) => code)).toEqual(rules);
}

describe("a folder", () => {
  it("brings its headers when it is moved into the workspace, and takes them when it is moved out", async () => {
    await write("elsewhere/deep/h.h", typeIn("local"));
    client = await startClient({ folder });
    await client.open(uri("a.cl"), usesType("sub/deep/h.h"));
    await expectRules("a.cl", []);
    await rename(join(top, "elsewhere"), path("sub"));
    await client.changedOnDisk(path("sub"));
    await expectRules("a.cl", ["address-space-cast"]);
    await rename(path("sub"), join(top, "elsewhere"));
    await client.changedOnDisk(path("sub"));
    await expectRules("a.cl", []);
  });

  it("is followed when it is renamed, also if its name looks like that of a file", async () => {
    await write("workspace/v1.cl/h.h", typeIn("local"));
    client = await startClient({ folder });
    await client.open(uri("a.cl"), usesType("v2.cl/h.h"));
    await expectRules("a.cl", []);
    await rename(path("v1.cl"), path("v2.cl"));
    await client.changedOnDisk(path("v1.cl"), path("v2.cl"));
    await expectRules("a.cl", ["address-space-cast"]);
    await rename(path("v2.cl"), path("v3.cl"));
    await client.changedOnDisk(path("v2.cl"), path("v3.cl"));
    await expectRules("a.cl", []);
  });

  it("is followed when an editor that watches nothing tells that the user has renamed it", async () => {
    await write("workspace/old/h.h", typeIn("local"));
    client = await startClient({ folder });
    await client.open(uri("a.cl"), usesType("new/h.h"));
    await expectRules("a.cl", []);
    await rename(path("old"), path("new"));
    await client.connection.sendNotification(DidRenameFilesNotification.type, { files: [{ oldUri: uri("old"), newUri: uri("new") }] });
    await expectRules("a.cl", ["address-space-cast"]);
  });

  it("brings the other declarations of a kernel", async () => {
    const kernel = "struct S { int a[4]; };\n__global__ void run(const S s) {}\n";
    await write("elsewhere/b.cu", kernel);
    client = await startClient({ folder });
    await client.open(uri("a.cu"), kernel.replace("const S", "const __grid_constant__ S").replace(" {}", ";"));
    await expectRules("a.cu", []);
    await rename(join(top, "elsewhere"), path("elsewhere"));
    await client.changedOnDisk(path("elsewhere"));
    await expectRules("a.cu", ["grid-constant-mismatch"]);
    await rename(path("elsewhere"), path("again"));
    await client.changedOnDisk(path("elsewhere"), path("again"));
    const [moved] = await client.diagnostics(uri("a.cu"), (list) => JSON.stringify(list[0]) !== undefined);
    expect(moved?.code).toBe("grid-constant-mismatch");
    await rename(path("again"), join(top, "gone"));
    await client.changedOnDisk(path("again"));
    await expectRules("a.cu", []);
  });

  it("brings its settings", async () => {
    await write("elsewhere/gpu-qualifiers.json", '{ "rules": { "address-space-conversion": "off" } }');
    client = await startClient({ folder });
    await client.open(uri("sub/a.cl"), wrong);
    await expectRules("sub/a.cl", ["address-space-conversion"]);
    await rename(join(top, "elsewhere"), path("sub"));
    await client.changedOnDisk(path("sub"));
    await expectRules("sub/a.cl", []);
  });

  it("that is excluded by git still brings a header that was missing", async () => {
    await write("workspace/.git/HEAD", "ref: refs/heads/main\n");
    await write("workspace/.gitignore", "generated/\n");
    await write("elsewhere/h.h", typeIn("local"));
    client = await startClient({ folder });
    await client.open(uri("a.cl"), usesType("generated/h.h"));
    await expectRules("a.cl", []);
    await rename(join(top, "elsewhere"), path("generated"));
    await client.changedOnDisk(path("generated"));
    await expectRules("a.cl", ["address-space-cast"]);
  });
});

describe("a document outside of the folders", () => {
  it("has a project as long as it is open", async () => {
    const settings = join(top, "outside/gpu-qualifiers.json");
    await write("outside/gpu-qualifiers.json", "[]");
    client = await startClient({ folder });
    const outside = uriOf(join(top, "outside/a.cl"));
    await client.open(outside, wrong);
    expect((await client.diagnostics(outside)).map(({ code }) => code)).toEqual(["address-space-conversion"]);
    await client.diagnostics(uriOf(settings), (list) => list.length === 1);
    await client.close(outside);
    await client.diagnostics(outside, (list) => list.length === 0);
    // Its settings count no longer.
    await client.open(uri("a.cl"), wrong);
    await expectRules("a.cl", ["address-space-conversion"]);
    await client.diagnostics(uriOf(settings), (list) => list.length === 0);
  });

  it("keeps its project while another document in it is open", async () => {
    await write("outside/.git/HEAD", "ref: refs/heads/main\n");
    await write("outside/h.h", typeIn("local"));
    client = await startClient({ folder });
    const [one, other] = [uriOf(join(top, "outside/a.cl")), uriOf(join(top, "outside/b.cl"))];
    await client.open(one, usesType("h.h"));
    await client.open(other, wrong);
    await client.diagnostics(one, (list) => list.length === 1);
    await client.diagnostics(other, (list) => list.length === 1);
    await client.close(other);
    await client.replace(one, "global int *g", "local int *g");
    expect(await client.diagnostics(one, (list) => list.length === 0)).toEqual([]);
  });
});

describe("two uris of one file", () => {
  const hoverIn = async (document: string) =>
    client.connection.sendRequest(HoverRequest.type, { textDocument: { uri: document }, position: positionOf(wrong, "global") });
  const spelled: readonly (readonly [string, (uri: string) => string])[] = [
    ["percent-encoding", (given) => given.replace("a-b", "a%2Db")],
    ["one slash", (given) => given.replace("file:///", "file:/")],
    ["a host", (given) => given.replace("file:///", "file://localhost/")],
    ["two slashes", (given) => given.replace("/a-b", "//a-b")],
  ];

  it.each(spelled)("that differ in %s are one document, which is open until the last is closed", async (_, spell) => {
    client = await startClient({ folder });
    const one = uri("a-b.cl");
    const other = spell(one);
    await client.open(one, wrong);
    await client.open(other, wrong);
    for (const document of [one, other]) await client.diagnostics(document, (list) => list.length === 1);
    await client.close(other);
    expect(await hoverIn(one)).not.toBeNull();
    await client.diagnostics(other, (list) => list.length === 0);
    await client.replace(one, "local", "global");
    expect(await client.diagnostics(one, (list) => list.length === 0)).toEqual([]);
  });

  it("are one document in a workspace that is reached through a link", async () => {
    await write("workspace/h.h", typeIn("local"));
    await symlink(folder, join(top, "link"));
    client = await startClient({ folder: join(top, "link") });
    await client.open(uriOf(join(top, "link/a.cl")), usesType("h.h"));
    await client.diagnostics(uriOf(join(top, "link/a.cl")), (list) => list.length === 1);
    // The header is opened by its real name, for example from a compiler's output.
    await client.open(uri("h.h"), typeIn("global"), "c");
    expect(await client.diagnostics(uriOf(join(top, "link/a.cl")), (list) => list.length === 0)).toEqual([]);
  });
});
