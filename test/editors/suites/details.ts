/** Details that users notice if they are wrong: the spelling of the file, titles that name other files, incomplete numbers. */
import * as vscode from "vscode";
import { assertEqual, assertIncludes, codeOf, diagnosticsOf, eventually, shown, workspaceFolder } from "./inside.ts";

export async function run(): Promise<void> {
  await spelling("plain.cl", "  global float *p = out;");
  await spelling("underscores.cl", "  __global float *p = out;");
  await titleOfManyFiles();
  await lensesOfUnknownSizes();
  await wrappedFile();
}

/** Fix-all on save uses the spelling of the file. */
async function spelling(name: string, fixed: string): Promise<void> {
  const document = await shown(uriOf(name));
  await diagnosticsOf(document.uri, (list) => list.length === 1);
  const [all] = await vscode.commands.executeCommand<vscode.CodeAction[]>(
    "vscode.executeCodeActionProvider",
    document.uri,
    new vscode.Range(0, 0, 0, 0),
    "source.fixAll.gpuQualifiers",
    10,
  );
  await vscode.workspace.applyEdit(all?.edit ?? new vscode.WorkspaceEdit());
  assertEqual(document.lineAt(1).text, fixed);
  await diagnosticsOf(document.uri, (list) => list.length === 0);
}

async function titleOfManyFiles(): Promise<void> {
  const uri = uriOf("defined.cu");
  await shown(uri);
  const [diagnostic] = await diagnosticsOf(uri, (list) => list.length === 1);
  assertEqual(codeOf(diagnostic), "grid-constant-mismatch");
  const titles = async () => {
    const range = diagnostic?.range ?? new vscode.Range(0, 0, 0, 0);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>("vscode.executeCodeActionProvider", uri, range, "quickfix");
    return actions.map(({ title }) => title);
  };
  await eventually("no title names the header", titles, (found) => found.some((title) => title.endsWith("(also in declared.cuh)")));
}

async function lensesOfUnknownSizes(): Promise<void> {
  const uri = uriOf("unknown.cu");
  await shown(uri);
  const lenses = await eventually(
    "no lenses",
    () => vscode.commands.executeCommand<vscode.CodeLens[]>("vscode.executeCodeLensProvider", uri, 20),
    (list) => list.length > 0,
  );
  const titles = lenses.map(({ command }) => command?.title ?? "").join("\n");
  assertEqual(/\b0 bytes|more than 0/.test(titles), false);
  // The known part is shown.
  assertIncludes(titles, "4 bytes");
}

/** A file that is a single raw string, which a host program includes. */
async function wrappedFile(): Promise<void> {
  const document = await shown(uriOf("wrapped.opencl"));
  assertEqual(document.languageId, "opencl");
  const [diagnostic] = await diagnosticsOf(document.uri, (list) => list.length === 1);
  assertEqual(document.getText(diagnostic?.range), "(local int *)g");
}

function uriOf(name: string): vscode.Uri {
  return vscode.Uri.joinPath(workspaceFolder(), name);
}
