/** The extension in VS Code on a desktop or a remote machine: the server is a process of its own. */
import { type ExtensionContext, Uri } from "vscode";
import { LanguageClient, TransportKind } from "vscode-languageclient/node";
import { clientOptions, start } from "./extension.ts";

export async function startClient(context: ExtensionContext): Promise<void> {
  const module = Uri.joinPath(context.extensionUri, "dist", "server-node.js").fsPath;
  const run = { module, transport: TransportKind.ipc };
  const client = new LanguageClient(
    "gpuQualifiers",
    "GPU Qualifiers",
    { run, debug: { ...run, options: { execArgv: ["--inspect=6009"] } } },
    clientOptions(context),
  );
  await start(context, client);
}
