/**
 * Functions for suites inside VS Code's extension host, in a browser's worker or in Node. The suites ask the editor what a user would
 * see: every assertion uses the editor's own commands, not the language client.
 */
import * as vscode from "vscode";

const patience = 20_000;

let entered = ".";

/** Names the folder of the suite that runs, below the one that is open. */
export function enterFolder(name: string): void {
  entered = name;
}

/** The folder of the suite. */
export function workspaceFolder(): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (folder === undefined) throw new Error("no folder is open");
  return vscode.Uri.joinPath(folder, entered);
}

/** The position of the first occurrence of a text in the document, plus an offset. */
export function placeOf(document: vscode.TextDocument, text: string, offset = 0): vscode.Position {
  const start = document.getText().indexOf(text);
  if (start < 0) throw new Error(`no '${text}' in ${document.uri.path}`);
  return document.positionAt(start + offset);
}

/**
 * The answer to a question, as soon as it is accepted. The editor cancels questions about a document when an extension that is still
 * starting adds a provider for it; such a question is asked again.
 */
export async function eventually<T>(what: string, ask: () => Thenable<T>, accepts: (answer: T) => boolean): Promise<T> {
  const end = Date.now() + patience;
  for (;;) {
    let last: unknown;
    try {
      const answer = await ask();
      if (accepts(answer)) return answer;
      last = answer;
    } catch (error) {
      if (!(error instanceof Error && error.message === "Canceled")) throw error;
      last = error.message;
    }
    if (Date.now() > end) throw new Error(`${what}: ${JSON.stringify(last)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Opens the document in an editor. */
export async function shown(uri: vscode.Uri): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document);
  return document;
}

/** The editor's diagnostics, as soon as they are accepted. */
export async function diagnosticsOf(
  uri: vscode.Uri,
  accepts: (list: readonly vscode.Diagnostic[]) => boolean,
): Promise<readonly vscode.Diagnostic[]> {
  const end = Date.now() + patience;
  for (;;) {
    const list = vscode.languages.getDiagnostics(uri);
    if (accepts(list)) return list;
    if (Date.now() > end) throw new Error(`no such diagnostics of ${uri.path}, but ${JSON.stringify(list)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The rule of a diagnostic. */
export function codeOf(diagnostic: vscode.Diagnostic | undefined): unknown {
  return typeof diagnostic?.code === "object" ? diagnostic.code.value : diagnostic?.code;
}

/** Fails unless both are the same. */
export function assertEqual(actual: unknown, expected: unknown): void {
  if (actual !== expected) throw new Error(`expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
}

/** Fails unless the text has the part. */
export function assertIncludes(text: string, part: string): void {
  if (!text.includes(part)) throw new Error(`expected '${part}' in '${text}'`);
}
