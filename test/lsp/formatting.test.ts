/** Formatting of OpenCL by the clang-format that is installed, here a script that takes its place. */
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ClientCapabilities, DocumentFormattingRequest } from "vscode-languageserver/node";
import { startClient, type TestClient, uriOf } from "./client.ts";

let folder: string;
let client: TestClient;
const path = process.env["PATH"];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "gpu-qualifiers-"));
  await mkdir(join(folder, "bin"));
});
afterEach(async () => {
  expect(await client.stop()).toBe(0);
  process.env["PATH"] = path;
  await rm(folder, { recursive: true, force: true });
});

const source = "kernel void k( global int *p) {\n}\n";

/** The edits for a file, if a program of this text is installed. */
async function edits(program: string | undefined, name: string, capabilities: ClientCapabilities = {}, initializationOptions = {}) {
  if (program !== undefined) {
    await writeFile(join(folder, "bin", "clang-format"), program);
    await chmod(join(folder, "bin", "clang-format"), 0o755);
  }
  process.env["PATH"] = [join(folder, "bin"), "/bin"].join(delimiter);
  client = await startClient({ folder, capabilities, initializationOptions });
  const uri = uriOf(join(folder, name));
  await client.open(uri, name.endsWith(".cl") ? source : "__global__ void k( int *p) {}\n");
  return formatted(name);
}

function formatted(name: string) {
  const options = { tabSize: 2, insertSpaces: true };
  return client.connection.sendRequest(DocumentFormattingRequest.type, { textDocument: { uri: uriOf(join(folder, name)) }, options });
}

const script = `#!/bin/sh
[ "$1" = --style=file ] && [ "$2" = --fallback-style=none ] && exec sed 's/( global/(global/'
`;

it("edits what the program changes", async () => {
  expect(await edits(script, "a.cl")).toEqual([
    { range: { start: { line: 0, character: 14 }, end: { line: 0, character: 15 } }, newText: "" },
  ]);
  expect(client.initialized.capabilities.documentFormattingProvider).toBe(true);
});

it("leaves CUDA to other tools", async () => {
  expect(await edits(script, "a.cu")).toEqual([]);
});

it("runs no program in a workspace that the user does not trust, until that changes", async () => {
  expect(await edits(script, "a.cl", {}, { isTrusted: false })).toEqual([]);
  await client.connection.sendNotification("gpu-qualifiers/trusted");
  expect(await formatted("a.cl")).toHaveLength(1);
});

it("changes nothing if the program fails", async () => {
  expect(await edits("#!/bin/sh\nexit 1\n", "a.cl")).toEqual([]);
});

it("is not offered without the program", async () => {
  expect(await edits(undefined, "a.cl")).toEqual([]);
  expect(client.initialized.capabilities.documentFormattingProvider).toBeUndefined();
});

it("is registered for OpenCL only where the client can do that", async () => {
  expect(await edits(script, "a.cl", { textDocument: { formatting: { dynamicRegistration: true } } })).toHaveLength(1);
  expect(client.initialized.capabilities.documentFormattingProvider).toBeUndefined();
  expect(client.registered.find(({ method }) => method === DocumentFormattingRequest.method)?.registerOptions).toEqual({
    documentSelector: [{ language: "opencl" }],
  });
});
