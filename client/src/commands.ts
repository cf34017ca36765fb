/** The extension's commands: they ask the user and show the server's answers. */
import {
  commands,
  type Disposable,
  EventEmitter,
  type ExtensionContext,
  l10n,
  ProgressLocation,
  Uri,
  ViewColumn,
  window,
  workspace,
} from "vscode";
import { type BaseLanguageClient, ExecuteCommandRequest, type Location, type Position } from "vscode-languageclient";
import type { FileStatus } from "../../server/src/lsp/session/status.ts";

const settingsFile = "gpu-qualifiers.json";
const viewScheme = "gpu-qualifiers";

/** Shows a page of the documentation. Links of findings, hovers and comments name it, so its argument may be from anywhere. */
export const openPageCommand = "gpuQualifiers.openPage";

/** Registers the extension's commands. Each sends a request to the server, or opens something that the server provides. */
export function registerCommands(
  context: ExtensionContext,
  client: BaseLanguageClient,
  statusOf: (uri: Uri) => FileStatus | undefined,
): Disposable[] {
  const ask = <Result>(command: string, ...parameters: unknown[]): Promise<Result | null> =>
    client.sendRequest(ExecuteCommandRequest.type, { command, arguments: parameters });
  const active = () => window.activeTextEditor?.document.uri;
  return [
    commands.registerCommand("gpuQualifiers.restart", async () => {
      await client.stop();
      await client.start();
    }),
    commands.registerCommand("gpuQualifiers.showLog", () => client.outputChannel.show()),
    commands.registerCommand("gpuQualifiers.checkWorkspace", () => checkWorkspace(ask)),
    commands.registerCommand("gpuQualifiers.openExample", openExample),
    commands.registerCommand("gpuQualifiers.explainRule", (id?: string) => explainRule(context, ask, id)),
    commands.registerCommand(openPageCommand, (page: unknown) => openPage(context, page)),
    commands.registerCommand("gpuQualifiers.openSettings", () => openSettings(active())),
    commands.registerCommand("gpuQualifiers.chooseStandard", () => chooseStandard(ask, active(), statusOf)),
    commands.registerCommand("gpuQualifiers.showLocations", (uri: string, position: Position, locations: Location[]) => {
      const { protocol2CodeConverter: converter } = client;
      const found = locations.map((location) => converter.asLocation(location));
      const [first, ...others] = found;
      // A single one is opened, several are listed.
      return first !== undefined && others.length === 0
        ? window.showTextDocument(first.uri, { selection: first.range })
        : commands.executeCommand("editor.action.showReferences", converter.asUri(uri), converter.asPosition(position), found);
    }),
    ...preprocessedViews(ask, active),
  ];
}

type Ask = <Result>(command: string, ...parameters: unknown[]) => Promise<Result | null>;

async function checkWorkspace(ask: Ask): Promise<void> {
  const result = await ask<{ files: number; errors: number; warnings: number; infos: number; coverage: string; isCancelled: boolean }>(
    "gpu-qualifiers.checkWorkspace",
  );
  if (result === null) return;
  const { files, errors, warnings, infos, coverage, isCancelled } = result;
  const answer = await window.showInformationMessage(
    isCancelled
      ? l10n.t("Cancelled. Files checked: {0}; errors: {1}, warnings: {2}, infos: {3}. {4}.", files, errors, warnings, infos, coverage)
      : l10n.t("Files checked: {0}; errors: {1}, warnings: {2}, infos: {3}. {4}.", files, errors, warnings, infos, coverage),
    l10n.t("Show Problems"),
  );
  if (answer !== undefined) await commands.executeCommand("workbench.actions.view.problems");
}

const example = `// One mistake: the light bulb (Ctrl+.) puts it right.
struct Params {
  float scale;
  int count;
};

__global__ void scale(__grid_constant__ Params params, float *out) {
  out[threadIdx.x] *= params.scale;
}
`;

/** Opens a new file with a mistake in it, and the view that shows it. */
async function openExample(): Promise<void> {
  const document = await workspace.openTextDocument({ language: "cuda-cpp", content: example });
  await window.showTextDocument(document);
  await commands.executeCommand("workbench.actions.view.problems");
}

async function explainRule(context: ExtensionContext, ask: Ask, id: string | undefined): Promise<void> {
  const rules = (await ask<readonly { id: string; title: string; severity: string }[]>("gpu-qualifiers.rules")) ?? [];
  const chosen =
    id ??
    (
      await window.showQuickPick(
        rules.map((rule) => ({ label: rule.id, description: rule.severity, detail: rule.title })),
        { placeHolder: l10n.t("A rule"), matchOnDetail: true },
      )
    )?.label;
  if (chosen === undefined || !rules.some((rule) => rule.id === chosen)) return;
  await openPage(context, chosen);
}

async function openPage(context: ExtensionContext, page: unknown): Promise<void> {
  const [, name, heading = ""] = (typeof page === "string" ? /^([\w-]+)(?:#([\w-]+))?$/.exec(page) : undefined) ?? [];
  if (name === undefined) return;
  const file = Uri.joinPath(context.extensionUri, "dist", "docs", `${name}.md`);
  await commands.executeCommand("markdown.showPreview", file.with({ fragment: heading }));
}

/** Opens the folder's settings file, and creates it if it is missing. Completion in it comes from its schema. */
async function openSettings(uri: Uri | undefined): Promise<void> {
  const folder = (uri === undefined ? undefined : workspace.getWorkspaceFolder(uri)) ?? workspace.workspaceFolders?.[0];
  if (folder === undefined) {
    await window.showInformationMessage(l10n.t("Open a folder: its {0} holds the settings.", settingsFile));
    return;
  }
  const file = Uri.joinPath(folder.uri, settingsFile);
  const isThere = await Promise.resolve(workspace.fs.stat(file)).then(
    () => true,
    () => false,
  );
  if (!isThere) await workspace.fs.writeFile(file, new TextEncoder().encode("{\n  \n}\n"));
  await window.showTextDocument(file);
}

/** Lets the user choose among the server's choices for the file: its standard, or the architecture that it is compiled for. */
async function chooseStandard(ask: Ask, uri: Uri | undefined, statusOf: (uri: Uri) => FileStatus | undefined): Promise<void> {
  const choice = uri === undefined ? undefined : statusOf(uri)?.choice;
  if (uri === undefined || choice === undefined) {
    await window.showInformationMessage(l10n.t("Open a CUDA or OpenCL file first."));
    return;
  }
  const { path, values, inForce, title, unset } = choice;
  let value: unknown;
  if (choice.isMany) {
    const chosen = await window.showQuickPick(
      values.map((label) => ({ label, picked: inForce.includes(label) })),
      { canPickMany: true, placeHolder: title },
    );
    if (chosen === undefined) return;
    value = chosen.length === 0 ? undefined : chosen.map(({ label }) => label);
  } else {
    const isInForce = (label: string) => (inForce.length === 0 ? label === unset : inForce.includes(label));
    const items = [unset, ...values].map((label) => ({ label, description: isInForce(label) ? l10n.t("in force") : "" }));
    const chosen = (await window.showQuickPick(items, { placeHolder: title }))?.label;
    if (chosen === undefined) return;
    value = chosen === unset ? undefined : chosen;
  }
  const isDone = await ask<boolean>("gpu-qualifiers.set", { uri: uri.toString(), path, value: value ?? null });
  if (isDone === true) await workspace.saveAll(false);
}

/** Read-only documents that show the text that the parser reads, and that follow edits of their source. */
function preprocessedViews(ask: Ask, active: () => Uri | undefined): Disposable[] {
  const changed = new EventEmitter<Uri>();
  const sourceOf = (view: Uri) => Uri.parse(view.query);
  const viewOf = (source: Uri) =>
    Uri.from({
      scheme: viewScheme,
      path: source.path.replace(/(\.[^./]*)?$/, (extension) => `.preprocessed${extension}`),
      query: source.toString(),
    });
  let timer: ReturnType<typeof setTimeout> | undefined;
  return [
    changed,
    workspace.registerTextDocumentContentProvider(viewScheme, {
      onDidChange: changed.event,
      provideTextDocumentContent: async (view) =>
        (await ask<string>("gpu-qualifiers.showPreprocessed", sourceOf(view).toString())) ?? "// neither CUDA nor OpenCL\n",
    }),
    workspace.onDidChangeTextDocument(({ document }) => {
      const view = viewOf(document.uri).toString();
      if (!workspace.textDocuments.some(({ uri }) => uri.toString() === view)) return;
      clearTimeout(timer);
      timer = setTimeout(() => changed.fire(viewOf(document.uri)), 300);
    }),
    commands.registerCommand("gpuQualifiers.showPreprocessed", async () => {
      const source = active();
      if (source === undefined || source.scheme === viewScheme) return;
      await window.withProgress({ location: ProgressLocation.Window, title: l10n.t("Preprocessing") }, async () => {
        const document = await workspace.openTextDocument(viewOf(source));
        await window.showTextDocument(document, { viewColumn: ViewColumn.Beside, preserveFocus: true, preview: true });
      });
    }),
  ];
}
