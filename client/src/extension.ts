/**
 * What the desktop and the web extension have in common: which documents the server sees, and how it is started. It decides
 * nothing about code; that is the server's business.
 */
import { type ExtensionContext, extensions, Uri, workspace } from "vscode";
import type { BaseLanguageClient, ConfigurationItem, LanguageClientOptions } from "vscode-languageclient";
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
    // Asked again whenever the server starts.
    initializationOptions: () => ({
      status: true,
      commands: true,
      isTrusted: workspace.isTrusted,
      documentation: Uri.joinPath(context.extensionUri, "dist", "docs").toString(),
      ...more,
    }),
    // A server that dies is started again five times in three minutes; then the user is told that it stays down, and where to look.
    connectionOptions: { maxRestartCount: 5 },
    middleware: { workspace: { configuration: async (params, token, next) => withFreeColors(params.items, await next(params, token)) } },
    diagnosticPullOptions: { onChange: true, onSave: false, onTabs: true },
  };
}

const otherTools = ["llvm-vs-code-extensions.vscode-clangd", "ms-vscode.cpptools", "anysphere.cpptools"];

/** Where no other extension colors CUDA's names, and nobody has chosen, the server may. */
function withFreeColors(items: readonly ConfigurationItem[], answers: unknown): unknown[] {
  const given = Array.isArray(answers) ? (answers as unknown[]) : [];
  const { globalValue, workspaceValue } = workspace.getConfiguration("gpuQualifiers").inspect("semanticTokens") ?? {};
  const isFree =
    globalValue === undefined && workspaceValue === undefined && !otherTools.some((id) => extensions.getExtension(id) !== undefined);
  return given.map((answer, index) =>
    isFree && items[index]?.section === "gpuQualifiers" && typeof answer === "object" && answer !== null
      ? { ...answer, semanticTokens: "all" }
      : answer,
  );
}

/** Starts the client with its status item and commands; everything ends with the extension. */
export async function start(context: ExtensionContext, client: BaseLanguageClient): Promise<void> {
  const status = showStatus(client, [...sources, ...headers]);
  context.subscriptions.push(status, ...registerCommands(context, client, (uri) => status.of(uri)), {
    dispose: () => void client.dispose(),
  });
  context.subscriptions.push(workspace.onDidGrantWorkspaceTrust(() => void client.sendNotification("gpu-qualifiers/trusted")));
  await client.start();
}
