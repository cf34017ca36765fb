/** A workspace cannot cause reads through links to files outside of it. Without trust, it cannot cause any reads outside. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ExecuteCommandRequest, HoverRequest } from "vscode-languageserver/node";
import { positionOf, startClient, type TestClient, uriOf } from "./client.ts";

const header = "#define OUTSIDE __local\nstruct TOKEN_secret { int TOKEN_member; };\n";
const code = '#include "secret.h"\nkernel void k(global int *g) { OUTSIDE int *p = g; }\n';

let client: TestClient;
let folder: string;
let inside: string;
let uri: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "gpu-qualifiers-")));
  inside = join(folder, "in");
  mkdirSync(inside);
  mkdirSync(join(folder, "out"));
  writeFileSync(join(folder, "out", "secret.h"), header);
  uri = uriOf(join(inside, "a.cl"));
});
afterEach(async () => {
  expect(await client.stop()).toBe(0);
  rmSync(folder, { recursive: true, force: true });
});

const settings = (paths: readonly string[]) => writeFileSync(join(inside, "gpu-qualifiers.json"), JSON.stringify({ includePaths: paths }));
const codes = async (count: number) => (await client.diagnostics(uri, (found) => found.length === count)).map((found) => found.code);
const preprocessed = () =>
  client.connection.sendRequest(ExecuteCommandRequest.type, { command: "gpu-qualifiers.showPreprocessed", arguments: [uri] });

it("reads include paths outside of a trusted workspace", async () => {
  settings([join(folder, "out")]);
  client = await startClient({ folder: inside });
  await client.open(uri, code);
  expect(await codes(1)).toEqual(["address-space-conversion"]);
});

it("reads no include paths outside of an untrusted workspace, until the user trusts it", async () => {
  settings([join(folder, "out"), "../out"]);
  writeFileSync(join(inside, "compile_flags.txt"), `-I${join(folder, "out")}\n`);
  writeFileSync(join(inside, ".clangd"), `CompileFlags: {Add: [-I../out, -include, ${join(folder, "out", "secret.h")}]}\n`);
  client = await startClient({ folder: inside, initializationOptions: { isTrusted: false } });
  await client.open(uri, code);
  expect(await codes(0)).toEqual([]);
  expect(await preprocessed()).not.toContain("TOKEN");
  const problems = await client.diagnostics(uriOf(join(inside, "gpu-qualifiers.json")), (found) => found.length === 2);
  expect(problems[0]?.message).toContain("is not searched: it is outside of a workspace that you do not trust");
  await client.connection.sendNotification("gpu-qualifiers/trusted");
  expect(await codes(1)).toEqual(["address-space-conversion"]);
});

it("reads files that the user's own flags name, trusted or not", async () => {
  client = await startClient({ folder: inside, initializationOptions: { isTrusted: false, flags: [`-I${join(folder, "out")}`] } });
  await client.open(uri, code);
  expect(await codes(1)).toEqual(["address-space-conversion"]);
});

it.each(["a link to the file", "a link to its folder", "an include path that is a link"])("reads nothing through %s", async (how) => {
  if (how === "a link to the file") symlinkSync("../out/secret.h", join(inside, "secret.h"));
  else symlinkSync("../out", join(inside, "linked"));
  if (how === "an include path that is a link") settings(["linked"]);
  const text = how === "a link to its folder" ? code.replace("secret.h", "linked/secret.h") : code;
  client = await startClient({ folder: inside });
  await client.open(uri, text);
  expect(await codes(0)).toEqual([]);
  expect(await preprocessed()).not.toContain("TOKEN");
  const hover = await client.connection.sendRequest(HoverRequest.type, { textDocument: { uri }, position: positionOf(text, "OUTSIDE") });
  expect(JSON.stringify(hover)).not.toContain("TOKEN");
});

it("decodes slashes and dots in names, and reads nothing outside", async () => {
  writeFileSync(join(folder, "out", "b.cl"), "kernel void TOKEN_secret(global int *g) { local int *p = g; }\n");
  client = await startClient({ folder: inside });
  for (const name of ["..%2Fout%2Fb.cl", "%2e%2e/out/b.cl", "..%5Cout%5Cb.cl", "x%00.cl", "%2e%2e%2f%2e%2e%2f%2e%2e%2fproc/self/environ"]) {
    const hostile = `${uriOf(inside)}/${name}`;
    await client.changedOnDisk(join(inside, "a.cl"));
    await client.connection.sendNotification("workspace/didChangeWatchedFiles", { changes: [{ uri: hostile, type: 2 }] });
    const shown = await client.connection.sendRequest(ExecuteCommandRequest.type, {
      command: "gpu-qualifiers.showPreprocessed",
      arguments: [hostile],
    });
    expect([name, JSON.stringify(shown)]).toEqual([name, expect.not.stringContaining("TOKEN")]);
  }
  expect(client.log).toEqual([]);
});
