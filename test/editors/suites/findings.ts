/** Findings and fixes as the editor shows them, and hints and lenses beside the code. */
import * as vscode from "vscode";
import { assertEqual, assertIncludes, codeOf, diagnosticsOf, eventually, shown, workspaceFolder } from "./inside.ts";

export async function run(): Promise<void> {
  const folder = workspaceFolder();
  await mistakeBetweenFiles(vscode.Uri.joinPath(folder, "defined.cu"));
  await quickFixOfCuda(vscode.Uri.joinPath(folder, "kernel.cu"));
  await wrongCastInOpenCL(vscode.Uri.joinPath(folder, "kernel.cl"));
  await mistakeInUnopenedFile(vscode.Uri.joinPath(folder, "other/unopened.cl"));
  await headerOfWorkspace(vscode.Uri.joinPath(folder, "include.cl"));
  await wrongSettings(vscode.Uri.joinPath(folder, "gpu-qualifiers.json"));
  await mistakeInHeader(vscode.Uri.joinPath(folder, "wrong.h"));
  await beside(vscode.Uri.joinPath(folder, "beside.cl"));
  await preprocessed(vscode.Uri.joinPath(folder, "include.cl"));
  await editedHeader(vscode.Uri.joinPath(folder, "space.h"), vscode.Uri.joinPath(folder, "include.cl"));
  await kernelInString(vscode.Uri.joinPath(folder, "host.cpp"));
  await otherStandard(vscode.Uri.joinPath(folder, "depends.cl"), vscode.Uri.joinPath(folder, "gpu-qualifiers.json"));
}

/** The first open document is checked again when other files have been read. */
async function mistakeBetweenFiles(uri: vscode.Uri): Promise<void> {
  await shown(uri);
  const [diagnostic] = await diagnosticsOf(uri, (list) => list.length === 1);
  assertEqual(codeOf(diagnostic), "grid-constant-mismatch");
}

async function quickFixOfCuda(uri: vscode.Uri): Promise<void> {
  const document = await shown(uri);
  const [diagnostic] = await diagnosticsOf(uri, (list) => list.length === 1);
  assertEqual(codeOf(diagnostic), "grid-constant-non-const");
  assertEqual(diagnostic?.source, "gpu-qualifiers");
  assertEqual(diagnostic?.severity, vscode.DiagnosticSeverity.Error);
  const range = diagnostic?.range ?? new vscode.Range(0, 0, 0, 0);
  assertEqual(document.getText(range), "__grid_constant__");

  const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>("vscode.executeCodeActionProvider", uri, range, "quickfix", 10);
  const preferred = actions.filter((action) => action.isPreferred === true);
  assertEqual(preferred.length, 1);
  const edit = preferred[0]?.edit;
  if (edit === undefined) throw new Error("the preferred fix has no edit");
  await vscode.workspace.applyEdit(edit);
  assertIncludes(document.getText(), "const __grid_constant__ S s");
  await diagnosticsOf(uri, (list) => list.length === 0);

  const before = "const __grid_constant__";
  const start = document.positionAt(document.getText().indexOf(before));
  const undo = new vscode.WorkspaceEdit();
  undo.replace(uri, new vscode.Range(start, start.translate(0, before.length)), "__grid_constant__");
  await vscode.workspace.applyEdit(undo);
  await diagnosticsOf(uri, (list) => list.length === 1);
  const all = await vscode.commands.executeCommand<vscode.CodeAction[]>(
    "vscode.executeCodeActionProvider",
    uri,
    range,
    "source.fixAll.gpuQualifiers",
    10,
  );
  assertEqual(all.length, 1);
  await vscode.workspace.applyEdit(all[0]?.edit ?? new vscode.WorkspaceEdit());
  await diagnosticsOf(uri, (list) => list.length === 0);
}

async function wrongCastInOpenCL(uri: vscode.Uri): Promise<void> {
  const document = await shown(uri);
  assertEqual(document.languageId, "opencl");
  const [diagnostic] = await diagnosticsOf(uri, (list) => list.length === 1);
  assertEqual(codeOf(diagnostic), "address-space-cast");
  const target = typeof diagnostic?.code === "object" ? diagnostic.code.target.toString() : "";
  assertEqual(target, "command:gpuQualifiers.openPage?%5B%22address-space-cast%22%5D");
  await opensRendered(vscode.Uri.parse(target), "address-space-cast");
}

/** What a click on a finding's link does: the rule's page is shown as a preview, not as the text of a file. */
async function opensRendered({ path: command, query }: vscode.Uri, page: string): Promise<void> {
  const [argument]: readonly unknown[] = JSON.parse(query);
  await vscode.commands.executeCommand(command, argument);
  const shownTab = await eventually(
    "no page",
    async () => vscode.window.tabGroups.activeTabGroup.activeTab,
    (tab) => tab?.label.includes(page) === true,
  );
  const input = shownTab?.input;
  assertEqual(input instanceof vscode.TabInputWebview ? input.viewType.replace(/^.*-(?=markdown)/, "") : "no preview", "markdown.preview");
  await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
}

async function mistakeInUnopenedFile(uri: vscode.Uri): Promise<void> {
  const [diagnostic] = await diagnosticsOf(uri, (list) => list.length === 1);
  assertEqual(codeOf(diagnostic), "address-space-cast");
}

async function headerOfWorkspace(uri: vscode.Uri): Promise<void> {
  await shown(uri);
  const [diagnostic] = await diagnosticsOf(uri, (list) => list.length === 1);
  assertEqual(codeOf(diagnostic), "address-space-cast");
}

/** A header has the language of its includer, whatever language mode the editor gives it. */
async function mistakeInHeader(uri: vscode.Uri): Promise<void> {
  const document = await shown(uri);
  assertEqual(document.languageId === "cuda-cpp", false);
  const [diagnostic] = await diagnosticsOf(uri, (list) => list.some(({ source }) => source === "gpu-qualifiers"));
  assertEqual(codeOf(diagnostic), "grid-constant-non-const");
}

/** Hints, lenses, colors and declarations. */
async function beside(uri: vscode.Uri): Promise<void> {
  const document = await shown(uri);
  const whole = new vscode.Range(0, 0, document.lineCount, 0);
  const hints = await vscode.commands.executeCommand<vscode.InlayHint[]>("vscode.executeInlayHintProvider", uri, whole);
  assertEqual(hints.map(({ label }) => label).join(), "private|generic");
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>("vscode.executeCodeLensProvider", uri, 20);
  assertIncludes(lenses.map(({ command }) => command?.title).join(", "), "of 8 constant arguments");
  const tokens = await vscode.commands.executeCommand<vscode.SemanticTokens | undefined>("vscode.provideDocumentSemanticTokens", uri);
  assertEqual((tokens?.data.length ?? 0) > 0, true);
  const found = await vscode.commands.executeCommand<vscode.Location[]>(
    "vscode.executeDeclarationProvider",
    uri,
    document.positionAt(document.getText().indexOf("scale(")),
  );
  assertEqual(found.length, 2);
}

async function preprocessed(uri: vscode.Uri): Promise<void> {
  await shown(uri);
  await vscode.commands.executeCommand("gpuQualifiers.showPreprocessed");
  const view = vscode.workspace.textDocuments.find(({ uri: { scheme } }) => scheme === "gpu-qualifiers");
  assertIncludes(view?.getText() ?? "", "// line 2, from SPACE");
}

/** Edits of a header affect the files that include it before it is saved. */
async function editedHeader(header: vscode.Uri, source: vscode.Uri): Promise<void> {
  await shown(source);
  await diagnosticsOf(source, (list) => list.length === 1);
  const document = await shown(header);
  const change = async (from: string, to: string) => {
    const start = document.positionAt(document.getText().indexOf(from));
    const edit = new vscode.WorkspaceEdit();
    edit.replace(header, new vscode.Range(start, start.translate(0, from.length)), to);
    await vscode.workspace.applyEdit(edit);
  };
  await change("local", "global");
  await diagnosticsOf(source, (list) => list.length === 0);
  await change("global", "local");
  await diagnosticsOf(source, (list) => list.length === 1);
}

async function kernelInString(uri: vscode.Uri): Promise<void> {
  const document = await shown(uri);
  const [diagnostic] = await diagnosticsOf(uri, (list) => list.length === 1);
  assertEqual(document.getText(diagnostic?.range), "(local int *)g");
  const hints = await vscode.commands.executeCommand<vscode.InlayHint[]>(
    "vscode.executeInlayHintProvider",
    uri,
    new vscode.Range(0, 0, document.lineCount, 0),
  );
  assertEqual(hints.map(({ label }) => label).join(), "private|generic");
}

/** A selected standard takes effect at once, and is written to the settings file. */
async function otherStandard(uri: vscode.Uri, settings: vscode.Uri): Promise<void> {
  await shown(uri);
  const severity = async (wanted: vscode.DiagnosticSeverity | undefined) => diagnosticsOf(uri, (list) => list[0]?.severity === wanted);
  await severity(vscode.DiagnosticSeverity.Warning);
  for (const [standard, wanted] of [
    ["CL1.2", vscode.DiagnosticSeverity.Error],
    ["CL2.0", undefined],
  ] as const) {
    await vscode.commands.executeCommand("gpu-qualifiers.set", { uri: uri.toString(), path: ["opencl", "standard"], value: standard });
    await vscode.workspace.saveAll(false);
    await severity(wanted);
    assertIncludes((await vscode.workspace.openTextDocument(settings)).getText(), standard);
  }
}

async function wrongSettings(uri: vscode.Uri): Promise<void> {
  await diagnosticsOf(uri, (list) =>
    list.some(({ source, message }) => source === "gpu-qualifiers" && message.includes("unknown setting 'opencll'")),
  );
}
