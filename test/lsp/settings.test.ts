/** Settings of the project and of the editor, as a session sees them. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DidChangeWatchedFilesNotification, FileChangeType } from "vscode-languageserver/node";
import { type ClientOptions, startClient, type TestClient, uriOf } from "./client.ts";

// In OpenCL C 2.0 an unqualified pointee is generic, so this is correct. In earlier standards it is private, so this is an error.
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

/** Waits until the findings have these severities. */
async function expectSeverities(options: ClientOptions, wanted: readonly number[]): Promise<void> {
  client = await startClient({ folder, ...options });
  const uri = uriOf(join(folder, "a.cl"));
  await client.open(uri, dependsOnStandard);
  // A configuration that changes them too much arrives soon after the first check.
  await new Promise((resolve) => setTimeout(resolve, 300));
  await client.diagnostics(uri, (list) =>
    isDeepStrictEqual(
      list.map(({ severity }) => severity),
      wanted,
    ),
  );
}

describe("settings", () => {
  it("are optional: without them, an error in OpenCL C 1.2 alone is a warning", async () => {
    await expectSeverities({}, [2]);
  });

  it("come from gpu-qualifiers.json", async () => {
    await writeFile(join(folder, "gpu-qualifiers.json"), '{ "opencl": { "standard": "CL1.2" } }');
    await expectSeverities({}, [1]);
  });

  it("come from the editor's configuration", async () => {
    await expectSeverities({ capabilities: { workspace: { configuration: true } }, configuration: { flags: ["-cl-std=CL2.0"] } }, []);
  });

  it("of the editor take precedence for severities, and their mistakes are reported", async () => {
    await writeFile(
      join(folder, "gpu-qualifiers.json"),
      '{ "opencl": { "standard": "CL1.2" }, "rules": { "address-space-conversion": "warning" } }',
    );
    const configuration = { rules: { "address-space-conversion": "hint", "const-wrote": "off" }, codeLens: "yes", flags: [] };
    await expectSeverities({ capabilities: { workspace: { configuration: true } }, configuration }, [4]);
    expect(client.shown).toEqual([
      "gpu-qualifiers: in the setting gpuQualifiers.rules: unknown setting 'const-wrote', did you mean 'const-write'?",
      "gpu-qualifiers: in the setting gpuQualifiers.codeLens: expected a boolean",
    ]);
  });

  it("of the editor may differ between folders, and their paths are relative to the folder", async () => {
    const [one, two] = [join(folder, "one"), join(folder, "two")];
    for (const path of [one, two]) await mkdir(join(path, "include"), { recursive: true });
    for (const [path, space] of [
      [one, "local"],
      [two, "global"],
    ] as const)
      await writeFile(join(path, "include/space.h"), `typedef ${space} int *pointer;\n`);
    const configuration = (uri: string | undefined) => ({
      flags: uri === uriOf(two) ? ["-cl-std=CL2.0", "-Iinclude"] : ["-cl-std=CL1.2", "-Iinclude"],
    });
    client = await startClient({
      folder: one,
      folders: [two],
      capabilities: { workspace: { configuration: true, workspaceFolders: true } },
      configuration,
    });
    const text = `#include "include/space.h"\n${dependsOnStandard}kernel void l(global int *g) { pointer p = (pointer)g; }\n`;
    for (const path of [one, two]) await client.open(uriOf(join(path, "a.cl")), text);
    const rules = async (path: string) => (await client.diagnostics(uriOf(join(path, "a.cl")))).map(({ code }) => code);
    expect(await rules(one)).toEqual(["address-space-conversion", "address-space-cast"]);
    expect(await rules(two)).toEqual([]);
    // Nothing was published before the settings were known.
    expect(client.published.filter(({ uri }) => uri.endsWith(".cl"))).toHaveLength(2);
  });

  it("come from initialization options, if the editor has no configuration", async () => {
    await expectSeverities({ initializationOptions: { flags: ["-cl-std=CL1.2"] } }, [1]);
  });

  it("take effect when their file changes, and mistakes in it are reported there", async () => {
    await expectSeverities({}, [2]);
    const file = join(folder, "gpu-qualifiers.json");
    const changed = { changes: [{ uri: uriOf(file), type: FileChangeType.Changed as FileChangeType }] };
    await writeFile(file, '{ "opencl": { "standard": "CL1.2" }, "rules": { "address-space-convertion": "off" } }');
    await client.connection.sendNotification(DidChangeWatchedFilesNotification.type, changed);
    await client.diagnostics(uriOf(join(folder, "a.cl")), ([first]) => first?.severity === 1);
    expect(await client.diagnostics(uriOf(file))).toMatchObject([
      { message: expect.stringContaining("did you mean 'address-space-conversion'"), range: { start: { line: 0, character: 48 } } },
    ]);

    await writeFile(file, '{ "rules": { "address-space-conversion": "off" } }');
    await client.connection.sendNotification(DidChangeWatchedFilesNotification.type, changed);
    expect(await client.diagnostics(uriOf(join(folder, "a.cl")), (list) => list.length === 0)).toEqual([]);
    expect(await client.diagnostics(uriOf(file), (list) => list.length === 0)).toEqual([]);
  });
});
