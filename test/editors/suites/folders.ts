/** Folders that are renamed as a whole: the editor's watcher names the folders, and none of the files in them. */
import * as vscode from "vscode";
import { assertEqual, codeOf, diagnosticsOf, shown, workspaceFolder } from "./inside.ts";

export async function run(): Promise<void> {
  const at = (name: string) => vscode.Uri.joinPath(workspaceFolder(), name);
  const { uri } = await shown(at("moving.cl"));
  // As long as the header is missing, nothing is known about its type. The other kernel shows that the server answers.
  await vscode.workspace.fs.writeFile(
    at("ready.cl"),
    new TextEncoder().encode("kernel void ready(global int *g) { local int *l = (local int *)g; }\n"),
  );
  await diagnosticsOf((await shown(at("ready.cl"))).uri, (list) => list.length === 1);
  await shown(uri);
  assertEqual(vscode.languages.getDiagnostics(uri).length, 0);
  for (let turn = 0; turn < 2; turn++) {
    await vscode.workspace.fs.rename(at("elsewhere"), at("moved"));
    const [found] = await diagnosticsOf(uri, (list) => list.length === 1);
    assertEqual(codeOf(found), "address-space-cast");
    await vscode.workspace.fs.rename(at("moved"), at("elsewhere"));
    await diagnosticsOf(uri, (list) => list.length === 0);
  }
}
