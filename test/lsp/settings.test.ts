/** Settings of the project and of the editor, as a session sees them. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DidChangeWatchedFilesNotification, FileChangeType } from "vscode-languageserver/node";
import { type ClientOptions, startClient, type TestClient, uriOf } from "./client.ts";

// In OpenCL C 2.0 an unqualified pointee is generic, so that this is right; before, it is private, and this is wrong.
const dependsOnStandard = "kernel void k(global int *g) { int *p = g; *p = 1; }\n";

let folder: string;
let client: TestClient;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "gpu-qualifiers-"));
});

afterEach(async () => {
  expect(await client.stop()).toBe(0);
  await rm(folder, { recursive: true, force: true });
});

async function severitiesWith(options: ClientOptions): Promise<readonly (number | undefined)[]> {
  client = await startClient({ folder, ...options });
  const uri = uriOf(join(folder, "a.cl"));
  await client.open(uri, dependsOnStandard);
  // The configuration arrives after the first check at the latest.
  await new Promise((resolve) => setTimeout(resolve, 300));
  return (await client.diagnostics(uri)).map(({ severity }) => severity);
}

describe("settings", () => {
  it("are not needed: what is wrong in some standards only is an information then", async () => {
    expect(await severitiesWith({})).toEqual([3]);
  });

  it("come from gpu-qualifiers.json", async () => {
    await writeFile(join(folder, "gpu-qualifiers.json"), '{ "opencl": { "standard": "CL1.2" } }');
    expect(await severitiesWith({})).toEqual([1]);
  });

  it("come from the editor's configuration", async () => {
    expect(await severitiesWith({ capabilities: { workspace: { configuration: true } }, configuration: { flags: ["-cl-std=CL2.0"] } })).toEqual([]);
  });

  it("come from initialization options, where an editor has nothing else", async () => {
    expect(await severitiesWith({ initializationOptions: { flags: ["-cl-std=CL1.2"] } })).toEqual([1]);
  });

  it("take effect when their file changes, and what is wrong in it is reported there", async () => {
    expect(await severitiesWith({})).toEqual([3]);
    const file = join(folder, "gpu-qualifiers.json");
    const changed = { changes: [{ uri: uriOf(file), type: FileChangeType.Changed as FileChangeType }] };
    await writeFile(file, '{ "opencl": { "standard": "CL1.2" }, "rules": { "address-space-convertion": "off" } }');
    await client.connection.sendNotification(DidChangeWatchedFilesNotification.type, changed);
    await client.diagnostics(uriOf(join(folder, "a.cl")), ([first]) => first?.severity === 1);
    expect(await client.diagnostics(uriOf(file))).toMatchObject([{ message: expect.stringContaining("did you mean 'address-space-conversion'"), range: { start: { line: 0, character: 48 } } }]);

    await writeFile(file, '{ "rules": { "address-space-conversion": "off" } }');
    await client.connection.sendNotification(DidChangeWatchedFilesNotification.type, changed);
    expect(await client.diagnostics(uriOf(join(folder, "a.cl")), (list) => list.length === 0)).toEqual([]);
    expect(await client.diagnostics(uriOf(file), (list) => list.length === 0)).toEqual([]);
  });
});
