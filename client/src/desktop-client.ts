/** The extension in VS Code on a desktop or a remote machine: the server is a separate process. */
import { type ExtensionContext, Uri } from "vscode";
import { LanguageClient, TransportKind } from "vscode-languageclient/node";
import { clientOptions, start } from "./extension.ts";
import { v8Flags } from "./v8-flags.ts";

/** Starts the language server in a process of its own and connects the editor to it. */
export async function startClient(context: ExtensionContext): Promise<void> {
  const module = Uri.joinPath(context.extensionUri, "dist", "server-node.js").fsPath;
  const server = { module, transport: TransportKind.ipc };
  const client = new LanguageClient(
    "gpuQualifiers",
    "GPU Qualifiers",
    {
      run: { ...server, options: { execArgv: v8Flags } },
      debug: { ...server, options: { execArgv: [...v8Flags, "--inspect=6009"] } },
    },
    clientOptions(),
  );
  await start(context, client);
}
