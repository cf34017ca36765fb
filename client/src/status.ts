/**
 * The status item in the braces of the status bar: under which standard the active file is judged, which settings decide that, and
 * what the user can choose.
 */
import { type Disposable, type DocumentFilter, EventEmitter, LanguageStatusSeverity, languages, Uri, window } from "vscode";
import type { BaseLanguageClient } from "vscode-languageclient";
import type { FileStatus } from "../../server/src/lsp/session/status.ts";

/** The status item that the language menu shows for the active editor. */
export interface Status extends Disposable {
  of(uri: Uri): FileStatus | undefined;
  /** Reports that the server has checked a document. */
  onDidCheck(listener: () => void): Disposable;
}

/** Shows the server's status of the active file for as long as the client lives. */
export function showStatus(client: BaseLanguageClient, selector: readonly DocumentFilter[]): Status {
  const item = languages.createLanguageStatusItem("gpu-qualifiers", selector);
  item.name = "GPU Qualifiers";
  item.text = "GPU Qualifiers";
  item.command = { title: "Choose", command: "gpuQualifiers.chooseStandard" };
  const statuses = new Map<string, FileStatus>();
  const checked = new EventEmitter<void>();

  const show = () => {
    const document = window.activeTextEditor?.document;
    const status = statuses.get(document?.uri.toString() ?? "");
    // Host code has a status if it contains kernels in strings.
    item.selector =
      document === undefined || status?.choice === undefined
        ? selector
        : [...selector, { language: document.languageId, scheme: document.uri.scheme }];
    if (status === undefined) return;
    item.text = status.judgedBy;
    item.detail = [status.standards, status.settings, status.gaps].filter((part) => part !== "").join("; ");
    item.severity = status.severity === "warning" ? LanguageStatusSeverity.Warning : LanguageStatusSeverity.Information;
  };

  const listeners = [
    item,
    checked,
    client.onNotification("gpu-qualifiers/status", (status: FileStatus) => {
      statuses.set(Uri.parse(status.uri).toString(), status);
      show();
      checked.fire();
    }),
    window.onDidChangeActiveTextEditor(show),
  ];
  return {
    of: (uri) => statuses.get(uri.toString()),
    onDidCheck: (listener) => checked.event(listener),
    dispose: () => listeners.forEach((listener) => void listener.dispose()),
  };
}
