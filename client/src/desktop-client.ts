/** The extension in VS Code on a desktop or a remote machine: the server is a separate process. */
import { type ExtensionContext, Uri } from "vscode";
import { LanguageClient, TransportKind } from "vscode-languageclient/node";
import { clientOptions, start } from "./extension.ts";

/**
 * Most of what a check allocates is garbage when it ends. A small space for new objects keeps the process some 20 to 40 MB
 * smaller at the same speed. Node accepts this flag only when it starts.
 */
const memoryFlags = ["--max-semi-space-size=4"];

/** Starts the language server in a process of its own and connects the editor to it. */
export async function startClient(context: ExtensionContext): Promise<void> {
  const module = Uri.joinPath(context.extensionUri, "dist", "server-node.js").fsPath;
  const server = { module, transport: TransportKind.ipc };
  const client = new LanguageClient(
    "gpuQualifiers",
    "GPU Qualifiers",
    {
      run: { ...server, options: { execArgv: memoryFlags } },
      debug: { ...server, options: { execArgv: [...memoryFlags, "--inspect=6009"] } },
    },
    clientOptions(context),
  );
  await start(context, client);
}
