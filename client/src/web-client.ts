/**
 * The extension in VS Code in a browser. The server is a worker, which can read neither its parser nor the workspace, so the
 * extension passes both to it.
 */
import { type ExtensionContext, FileType, Uri, workspace } from "vscode";
import { BrowserMessageReader, BrowserMessageWriter, LanguageClient } from "vscode-languageclient/browser";
import { clientOptions, start } from "./extension.ts";
import { workerScript } from "./worker-modules.ts";

/** Starts the language server in a worker and connects the editor in the browser to it. */
export async function startClient(context: ExtensionContext): Promise<void> {
  const bytesOf = (name: string) => workspace.fs.readFile(Uri.joinPath(context.extensionUri, "dist", name));
  const [script, runtimeWasm, grammarWasm] = await Promise.all([
    // The browser may refuse a worker from the extension's own address, but not one from a blob.
    workerScript("server-browser.js", async (name) => new TextDecoder().decode(await bytesOf(name))),
    bytesOf("web-tree-sitter.wasm"),
    bytesOf("tree-sitter-gpu.wasm"),
  ]);
  let worker: Worker | undefined;
  const startWorker = async () => {
    worker?.terminate();
    worker = new Worker(script);
    // VS Code's workers are not instances of the browser's class, which the default client tests for.
    return { reader: new BrowserMessageReader(worker), writer: new BrowserMessageWriter(worker) };
  };
  context.subscriptions.push({ dispose: () => worker?.terminate() });

  const builtinPages = Uri.joinPath(context.extensionUri, "dist", "docs").toString();
  const options = clientOptions({ runtimeWasm, grammarWasm, builtinPages });
  const client = new LanguageClient("gpuQualifiers", "GPU Qualifiers", startWorker, options);
  client.onRequest("gpu-qualifiers/readFile", async ({ uri }: { uri: string }) => ({ text: await textOf(Uri.parse(uri)) }));
  client.onRequest("gpu-qualifiers/listFiles", async ({ uri, limit }: { uri: string; limit: number }) => ({
    uris: await filesBelow(Uri.parse(uri), limit),
  }));
  await start(context, client);
}

async function textOf(uri: Uri): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await workspace.fs.readFile(uri));
  } catch {
    return undefined;
  }
}

/** The files below a folder, breadth first, so that the limit cuts off the deepest ones. The server decides which of them matter. */
async function filesBelow(root: Uri, limit: number): Promise<readonly string[]> {
  if (!(await isReadableSoon(root))) throw new Error(`the folder cannot be read: ${root.toString()}`);
  const found: string[] = [];
  const folders = [root];
  for (let folder = folders.shift(); folder !== undefined && found.length < limit; folder = folders.shift()) {
    for (const [name, type] of await entriesOf(folder)) {
      const uri = Uri.joinPath(folder, name);
      // A link may lead out of the workspace, and its target cannot be determined here.
      if (type === FileType.File) found.push(uri.toString());
      else if (type === FileType.Directory && name !== ".git" && name !== "node_modules") folders.push(uri);
    }
  }
  return found.slice(0, limit);
}

/** How long the extension that provides the workspace's files may take to start, in milliseconds. Checks wait for it. */
const longestStart = 5_000;

/**
 * Waits until the workspace can be read; false if that takes too long. Another extension may provide its files and start after this
 * one; until then the workspace would look empty.
 */
async function isReadableSoon(root: Uri): Promise<boolean> {
  for (const end = Date.now() + longestStart; Date.now() < end; ) {
    const isReadable = await workspace.fs.stat(root).then(
      () => true,
      () => false,
    );
    if (isReadable) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}

async function entriesOf(folder: Uri): Promise<readonly [string, FileType][]> {
  try {
    return await workspace.fs.readDirectory(folder);
  } catch {
    return [];
  }
}
