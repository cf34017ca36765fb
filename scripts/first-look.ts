/**
 * The first view of `npm run code`, prepared inside the extension host: a file with a mistake, the cursor on it, and the list of
 * all mistakes.
 */
import * as vscode from "vscode";

const patience = 30_000;

/** Opens the first view. It never returns, because the editor would close. */
export async function run(): Promise<void> {
  await vscode.commands.executeCommand("workbench.actions.view.problems");
  const found = await vscode.workspace.findFiles("**/*.{cl,clh,clcpp,cu,cuh,hip}");
  // Opening a first file activates the extension. Later it is known which file has a mistake.
  const example = found.find(({ path }) => path.endsWith("/reduce.cl")) ?? found[0];
  if (example !== undefined) await vscode.window.showTextDocument(example, { preview: false });
  const mistake = await firstMistake(example);
  if (mistake !== undefined) {
    const [uri, diagnostic] = mistake;
    await vscode.window.showTextDocument(uri, {
      preview: false,
      selection: new vscode.Range(diagnostic.range.start, diagnostic.range.start),
    });
  }
  await new Promise(() => undefined);
}

/** The first mistake in the example, or in any file if the example has none. */
async function firstMistake(example: vscode.Uri | undefined): Promise<readonly [vscode.Uri, vscode.Diagnostic] | undefined> {
  for (const end = Date.now() + patience; Date.now() < end; ) {
    const all = vscode.languages
      .getDiagnostics()
      .flatMap(([uri, list]) => list.filter(({ source }) => source === "gpu-qualifiers").map((each) => [uri, each] as const));
    const mistake = all.find(([uri]) => uri.toString() === example?.toString()) ?? all[0];
    if (mistake !== undefined) return mistake;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return undefined;
}
