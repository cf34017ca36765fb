/**
 * What the desktop and the web extension have in common: which documents the server sees, and how it is started. It decides
 * nothing about code; that is the server's business.
 */
import { type ExtensionContext, Uri } from "vscode";
import type { BaseLanguageClient, LanguageClientOptions } from "vscode-languageclient";
import { registerCommands } from "./commands.ts";
import { showStatus } from "./status.ts";

const languageIds = ["cuda-cpp", "cuda", "hip", "opencl"];
// Without `git:` and other schemes that show a second copy of a file.
const schemes = ["file", "untitled", "vscode-vfs", "vscode-remote", "vscode-test-web"];
const sources = languageIds.flatMap((language) => schemes.map((scheme) => ({ language, scheme })));
// Kernels may stand in strings of host code; without such a string the server has nothing to say.
const hosts = ["c", "cpp", "objective-c", "objective-cpp", "python"].flatMap((language) => schemes.map((scheme) => ({ language, scheme })));
// Whether a header is CUDA or OpenCL is told by who includes it and by its contents, which the server sees.
const headers = schemes.map((scheme) => ({ scheme, pattern: "**/*.{h,hh,hpp,hxx,inc,inl,def,cuh,clh}" }));

/** Options of the client; `more` goes to the server at its start. */
export function clientOptions(context: ExtensionContext, more: Readonly<Record<string, unknown>> = {}): LanguageClientOptions {
  return {
    documentSelector: [...sources, ...headers, ...hosts],
    initializationOptions: {
      status: true,
      commands: true,
      documentation: Uri.joinPath(context.extensionUri, "dist", "docs").toString(),
      ...more,
    },
    diagnosticPullOptions: { onChange: true, onSave: false, onTabs: true },
  };
}

/** Starts the client with its status item and commands; everything ends with the extension. */
export async function start(context: ExtensionContext, client: BaseLanguageClient): Promise<void> {
  const status = showStatus(client, [...sources, ...headers]);
  context.subscriptions.push(status, ...registerCommands(context, client, (uri) => status.of(uri)), {
    dispose: () => void client.dispose(),
  });
  await client.start();
}
