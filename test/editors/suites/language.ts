/** Language features of OpenCL C without another language server: each of them once, and that CUDA has none. */
import * as vscode from "vscode";
import { assertEqual, assertIncludes, eventually, placeOf, shown, workspaceFolder } from "./inside.ts";

export async function run(): Promise<void> {
  const folder = workspaceFolder();
  const source = await shown(vscode.Uri.joinPath(folder, "run.cl"));
  await completion(source);
  await signatures(source);
  await outline(source);
  await definition(source);
  await types(source);
  await structure(source);
  await references(source);
  await folding(source);
  await highlights(source);
  await headers(source);
  await symbols();
  await renaming(source);
  const other = await shown(vscode.Uri.joinPath(folder, "other.cu"));
  await leftToOthers(other);
  await launch(other);
}

async function completion(document: vscode.TextDocument): Promise<void> {
  // Until the server has started, the editor completes words of the text.
  const inBody = await eventually(
    "no completions",
    () => completed(document, "  out[get_global_id"),
    (found) => found.has("get_local_id"),
  );
  const wanted = ["local", "constant", "out", "total", "TAPS", "get_local_id", "barrier"];
  assertEqual(wanted.filter((label) => inBody.has(label)).join(), wanted.join());
  assertEqual(inBody.has("kernel"), false);
  assertIncludes(inBody.get("get_local_id") ?? "", "size_t get_local_id(uint)");
  const inParameters = await completed(document, "global float *out) {");
  assertEqual(["local", "read_only", "get_local_id"].filter((label) => inParameters.has(label)).join(), "local,read_only");
  assertEqual([...(await completed(document, "count = 1", ">")).keys()].sort().join(), "at,count");
  const components = await completed(document, "w;", ".");
  assertEqual((await completed(document, 'total.h"', '"')).has("total.h"), true);
  // Behind a call.
  assertEqual(
    ["x", "s3", "hi"].every((label) => components.has(label)),
    true,
  );
}

/** The labels, each with its documentation. */
async function completed(document: vscode.TextDocument, mark: string, trigger?: string): Promise<ReadonlyMap<string, string>> {
  const place = placeOf(document, mark, mark.startsWith("  ") ? 2 : 0);
  const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
    "vscode.executeCompletionItemProvider",
    document.uri,
    place,
    trigger,
    2_000,
  );
  return new Map(
    items.map(({ label, documentation }) => [
      typeof label === "string" ? label : label.label,
      typeof documentation === "string" ? documentation : (documentation?.value ?? ""),
    ]),
  );
}

async function signatures(document: vscode.TextDocument): Promise<void> {
  const help = async (mark: string, offset: number) =>
    vscode.commands.executeCommand<vscode.SignatureHelp | undefined>(
      "vscode.executeSignatureHelpProvider",
      document.uri,
      placeOf(document, mark, offset),
    );
  const builtin = await help("vstore4(v, 0, out)", "vstore4(v, 0, ".length);
  assertEqual(builtin?.activeParameter, 2);
  assertIncludes(builtin?.signatures.map(({ label }) => label).join("\n") ?? "", "__global float *");
  const own = await help("total(out, TAPS)", "total(out, ".length);
  assertEqual(own?.signatures[0]?.label, "float total(__global const float *row, int n)");
}

async function outline(document: vscode.TextDocument): Promise<void> {
  const found = await vscode.commands.executeCommand<vscode.DocumentSymbol[]>("vscode.executeDocumentSymbolProvider", document.uri);
  assertEqual(found.map(({ name }) => name).join(), "table,run,items");
}

async function definition(document: vscode.TextDocument): Promise<void> {
  const at = async (mark: string) => {
    const found = await vscode.commands.executeCommand<(vscode.Location | vscode.LocationLink)[]>(
      "vscode.executeDefinitionProvider",
      document.uri,
      placeOf(document, mark, 1),
    );
    return found.map((each) => ("uri" in each ? nameOf(each.uri, each.range) : nameOf(each.targetUri, each.targetRange))).join();
  };
  assertEqual(await at("total(out"), "total.h:2");
  assertEqual(await at("TAPS)"), "total.h:1");
  assertEqual(await at("table[0]"), "run.cl:2");
}

/** The types of names, and the page of what the language declares, which has to open. */
async function types(document: vscode.TextDocument): Promise<void> {
  const targets = async (provider: string, mark: string) => {
    const found = await vscode.commands.executeCommand<(vscode.Location | vscode.LocationLink)[]>(
      provider,
      document.uri,
      placeOf(document, mark, 1),
    );
    return found.map((each) => ("uri" in each ? each : { uri: each.targetUri, range: each.targetRange }));
  };
  const [type] = await targets("vscode.executeTypeDefinitionProvider", "item->count");
  assertEqual(type === undefined ? "none" : nameOf(type.uri, type.range), "total.h:6");
  const [builtin] = await targets("vscode.executeDefinitionProvider", "get_global_id");
  if (builtin === undefined) throw new Error("no page");
  const page = await vscode.workspace.openTextDocument(builtin.uri);
  assertEqual(page.lineAt(builtin.range.start).text, "size_t get_global_id(uint);");
}

/** The configuration of a launch in CUDA. */
async function launch(document: vscode.TextDocument): Promise<void> {
  const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
    "vscode.executeHoverProvider",
    document.uri,
    placeOf(document, "<<<2", 1),
  );
  const text = hovers.flatMap(({ contents }) => contents.map((each) => (typeof each === "string" ? each : each.value))).join("\n");
  assertIncludes(text, "64 threads");
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>("vscode.executeCodeLensProvider", document.uri);
  const shown = lenses.map(({ command, range }) => `${range.start.line + 1}: ${command?.title ?? ""}`);
  assertEqual(shown.filter((each) => each.startsWith("5: ")).join("\n"), "5: grid 2 × 1 × 1 · block 64 × 1 × 1");
  // A click opens the kernel.
  const click = lenses.find(({ range }) => range.start.line === 4)?.command;
  if (click === undefined) throw new Error("the launch has no lens");
  await vscode.commands.executeCommand(click.command, ...(click.arguments ?? []));
  const editor = vscode.window.activeTextEditor;
  assertEqual(editor === undefined ? "none" : nameOf(editor.document.uri, editor.selection), "other.cu:1");
}

/** Growing selections and the hierarchy of calls. */
async function structure(document: vscode.TextDocument): Promise<void> {
  const place = placeOf(document, "total(out", 1);
  const [selection] = await vscode.commands.executeCommand<vscode.SelectionRange[]>("vscode.executeSelectionRangeProvider", document.uri, [
    place,
  ]);
  const texts: string[] = [];
  for (let each: vscode.SelectionRange | undefined = selection; each !== undefined; each = each.parent)
    texts.push(document.getText(each.range));
  assertEqual(texts[0], "total");
  assertEqual(texts.at(-1), document.getText());
  const [item] = await vscode.commands.executeCommand<vscode.CallHierarchyItem[]>("vscode.prepareCallHierarchy", document.uri, place);
  assertEqual(item?.name, "total");
  const callers = await vscode.commands.executeCommand<vscode.CallHierarchyIncomingCall[]>("vscode.provideIncomingCalls", item);
  assertEqual(
    callers
      .map(({ from, fromRanges }) => `${from.name} ${fromRanges.length}`)
      .sort()
      .join(),
    "run 1,second 1",
  );
  const itemOf = async (mark: string) => {
    const items = await vscode.commands.executeCommand<vscode.CallHierarchyItem[]>(
      "vscode.prepareCallHierarchy",
      document.uri,
      placeOf(document, mark, 1),
    );
    return items[0];
  };
  const hosts = await vscode.commands.executeCommand<vscode.CallHierarchyIncomingCall[]>(
    "vscode.provideIncomingCalls",
    await itemOf("items(global"),
  );
  assertEqual(hosts.map(({ from }) => `${from.name} ${from.uri.path.split("/").at(-1)}`).join(), "enqueue host.cpp");
  const helpers = await vscode.commands.executeCommand<vscode.CallHierarchyOutgoingCall[]>(
    "vscode.provideOutgoingCalls",
    await itemOf("run(global"),
  );
  assertEqual(helpers.map(({ to }) => to.name).join(), "total");
}

async function references(document: vscode.TextDocument): Promise<void> {
  const at = async (mark: string) => {
    const found = await vscode.commands.executeCommand<vscode.Location[]>(
      "vscode.executeReferenceProvider",
      document.uri,
      placeOf(document, mark, 1),
    );
    return found
      .map(({ uri, range }) => nameOf(uri, range))
      .sort()
      .join();
  };
  // Files that are not open are searched as well.
  assertEqual(await at("total(out"), "run.cl:6,second.cl:3,total.h:2");
  assertEqual(await at("TAPS)"), "run.cl:6,second.cl:3,total.h:1");
  assertEqual(await at("table[0]"), "run.cl:2,run.cl:7");
}

async function folding(document: vscode.TextDocument): Promise<void> {
  const folds = await vscode.commands.executeCommand<vscode.FoldingRange[]>("vscode.executeFoldingRangeProvider", document.uri);
  assertEqual(folds.map(({ start, end }) => `${start + 1}-${end + 1}`).join(), "3-9");
}

async function highlights(document: vscode.TextDocument): Promise<void> {
  const found = await vscode.commands.executeCommand<vscode.DocumentHighlight[]>(
    "vscode.executeDocumentHighlights",
    document.uri,
    placeOf(document, "table[0]", 1),
  );
  assertEqual(found.map(({ range }) => range.start.line + 1).join(), "2,7");
}

async function headers(document: vscode.TextDocument): Promise<void> {
  const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>("vscode.executeLinkProvider", document.uri);
  assertEqual(links.map(({ target }) => target?.path.split("/").at(-1)).join(), "total.h");
}

async function symbols(): Promise<void> {
  await eventually(
    "no symbols of the workspace",
    () => vscode.commands.executeCommand<vscode.SymbolInformation[]>("vscode.executeWorkspaceSymbolProvider", "secon"),
    (found) => found.some(({ name }) => name === "second"),
  );
}

async function renaming(document: vscode.TextDocument): Promise<void> {
  const renamed = async (mark: string, newName: string) => {
    const edit = await vscode.commands.executeCommand<vscode.WorkspaceEdit>(
      "vscode.executeDocumentRenameProvider",
      document.uri,
      placeOf(document, mark, 1),
      newName,
    );
    return edit
      .entries()
      .map(([uri, edits]) => `${uri.path.split("/").at(-1)}:${edits.length}`)
      .sort()
      .join();
  };
  assertEqual(await renamed("run(global", "start"), "run.cl:1");
  assertEqual(await renamed("total(out", "sum"), "run.cl:1,second.cl:1,total.h:1");
  assertEqual(await renamed("TAPS)", "COUNT"), "run.cl:1,second.cl:1,total.h:1");
  assertEqual(await renamed("table[0]", "weights"), "run.cl:2");
  // The editor shows the sentence.
  const refusal = await renamed("float4 v", "other").then(
    () => "renamed",
    (error: unknown) => String(error),
  );
  assertIncludes(refusal, "'float4' is a type of OpenCL C and cannot be renamed.");
}

/** CUDA is left to other tools. */
async function leftToOthers(document: vscode.TextDocument): Promise<void> {
  const labels = await completed(document, "  *out");
  assertEqual(labels.has("__syncthreads"), false);
  const found = await vscode.commands.executeCommand<vscode.DocumentSymbol[] | undefined>(
    "vscode.executeDocumentSymbolProvider",
    document.uri,
  );
  assertEqual(found?.length ?? 0, 0);
}

/** `file:line`, counted from one. */
function nameOf(uri: vscode.Uri, { start }: vscode.Range): string {
  return `${uri.path.split("/").at(-1)}:${start.line + 1}`;
}
