/**
 * What the desktop and the web extension have in common: which documents the server sees, and the status item. It decides
 * nothing about code; that is the server's business.
 */
import { commands, type Disposable, type ExtensionContext, LanguageStatusSeverity, languages, Uri, window } from "vscode";
import type { BaseLanguageClient, LanguageClientOptions } from "vscode-languageclient";

const languageIds = ["cuda-cpp", "cuda", "hip", "opencl"];
// Without `git:` and other schemes that show a second copy of a file.
const schemes = ["file", "untitled", "vscode-vfs", "vscode-remote", "vscode-test-web"];
// Their string literals may have kernels, and C++ headers are included by CUDA sources. The server answers fast where neither is so.
const hostIds = ["c", "cpp", "python"];
const selectorOf = (ids: readonly string[]) => ids.flatMap((language) => schemes.map((scheme) => ({ language, scheme })));

/** Options of the client; `more` goes to the server at its start. */
export function clientOptions(context: ExtensionContext, more: Readonly<Record<string, unknown>> = {}): LanguageClientOptions {
  return {
    documentSelector: selectorOf([...languageIds, ...hostIds]),
    initializationOptions: {
      status: true,
      documentation: Uri.joinPath(context.extensionUri, "dist", "docs").toString(),
      ...more,
    },
    diagnosticPullOptions: { onChange: true, onSave: false, onTabs: true },
  };
}

/** Starts the client and keeps the status item up to date; everything ends with the extension. */
export async function start(context: ExtensionContext, client: BaseLanguageClient): Promise<void> {
  context.subscriptions.push(
    showStatus(client),
    commands.registerCommand("gpuQualifiers.restart", async () => {
      await client.stop();
      await client.start();
    }),
    { dispose: () => void client.dispose() },
  );
  await client.start();
}

interface FileStatus {
  readonly uri: string;
  readonly judgedBy: string;
  readonly settings: string;
  readonly severity: "information" | "warning";
  readonly gaps: string;
}

function showStatus(client: BaseLanguageClient): Disposable {
  const item = languages.createLanguageStatusItem("gpu-qualifiers", selectorOf(languageIds));
  item.name = "GPU Qualifiers";
  item.text = "GPU Qualifiers";
  item.command = { title: "Show Log", command: "gpuQualifiers.showLog" };
  const statuses = new Map<string, FileStatus>();

  const show = () => {
    const status = statuses.get(window.activeTextEditor?.document.uri.toString() ?? "");
    if (status === undefined) return;
    item.text = status.judgedBy;
    item.detail = [`settings: ${status.settings}`, status.gaps].filter((part) => part !== "").join("; ");
    item.severity = status.severity === "warning" ? LanguageStatusSeverity.Warning : LanguageStatusSeverity.Information;
  };

  const listeners = [
    item,
    client.onNotification("gpu-qualifiers/status", (status: FileStatus) => {
      statuses.set(Uri.parse(status.uri).toString(), status);
      show();
    }),
    window.onDidChangeActiveTextEditor(show),
    commands.registerCommand("gpuQualifiers.showLog", () => client.outputChannel.show()),
  ];
  return { dispose: () => listeners.forEach((listener) => void listener.dispose()) };
}
