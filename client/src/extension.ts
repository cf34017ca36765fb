/**
 * The code that the desktop and the web extension share: which documents the server sees, and how it is started. The server makes
 * all decisions about code.
 */
import { commands, type ExtensionContext, extensions, workspace } from "vscode";
import type { BaseLanguageClient, ConfigurationItem, LanguageClientOptions } from "vscode-languageclient";
import { hostLanguages } from "./activation.ts";
import { openPageCommand, registerCommands } from "./commands.ts";
import { showMemory } from "./memory-view.ts";
import { showStatus } from "./status.ts";

const languageIds = ["cuda-cpp", "cuda", "hip", "opencl"];
// Excludes `git:` and other schemes that show a second copy of a file.
const schemes = ["file", "untitled", "vscode-vfs", "vscode-remote", "vscode-test-web"];
const sources = languageIds.flatMap((language) => schemes.map((scheme) => ({ language, scheme })));
// Host code may contain kernels in strings. For a file without such a string the server does nothing.
const hosts = [...hostLanguages].flatMap((language) => schemes.map((scheme) => ({ language, scheme })));
// A header's includers and contents show whether it is CUDA or OpenCL. The server sees both.
const headers = schemes.map((scheme) => ({ scheme, pattern: "**/*.{h,hh,hpp,hxx,inc,inl,def,cuh,clh}" }));

/** Options of the client; `more` is sent to the server when it starts. */
export function clientOptions(more: Readonly<Record<string, unknown>> = {}): LanguageClientOptions {
  return {
    documentSelector: [...sources, ...headers, ...hosts],
    // Evaluated whenever the server starts.
    initializationOptions: () => ({
      status: true,
      commands: true,
      isTrusted: workspace.isTrusted,
      // VS Code would show a page's file as text; the command renders it.
      documentation: `command:${openPageCommand}?%5B%22{page}%22%5D`,
      ...more,
    }),
    markdown: { isTrusted: { enabledCommands: [openPageCommand] } },
    // A server that crashes is restarted at most five times in three minutes. Then the user is told about it, and where to look.
    connectionOptions: { maxRestartCount: 5 },
    middleware: { workspace: { configuration: async (params, token, next) => withFreeColors(params.items, await next(params, token)) } },
    diagnosticPullOptions: { onChange: true, onSave: false, onTabs: true },
  };
}

const otherTools = ["llvm-vs-code-extensions.vscode-clangd", "ms-vscode.cpptools", "anysphere.cpptools"];

/**
 * The answers to configuration requests. If no other extension colors CUDA's names, and the user has not decided, the server colors
 * them.
 */
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

/** Starts the client with its status item and commands; all of them end with the extension. */
export async function start(context: ExtensionContext, client: BaseLanguageClient): Promise<void> {
  const status = showStatus(client, [...sources, ...headers]);
  context.subscriptions.push(status, showMemory(client, status.onDidCheck), ...registerCommands(context, client, (uri) => status.of(uri)), {
    dispose: () => void client.dispose(),
  });
  context.subscriptions.push(workspace.onDidGrantWorkspaceTrust(() => void client.sendNotification("gpu-qualifiers/trusted")));
  await client.start();
  await commands.executeCommand("setContext", "gpuQualifiers.active", true);
}
