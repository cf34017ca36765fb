/** Refactorings as the editor offers and applies them: the titles, the places where they are offered, and all files afterwards. */
import * as vscode from "vscode";
import { assertEqual, diagnosticsOf, eventually, placeOf, shown, workspaceFolder } from "./inside.ts";

type Texts = Readonly<Record<string, string>>;

export async function run(): Promise<void> {
  await annotation();
  await qualifiedPointer();
  await spaces();
  await hostConstant();
  await copiedConstant();
}

/** The refactoring is offered at each word of the parameter and at the kernel's name. The header is not open. */
async function annotation(): Promise<void> {
  const before = await textsOf("annotate/run.cu", "annotate/run.cuh");
  const add = "Add 'const __grid_constant__' as 'GRID_CONSTANT' (2 declarations in 2 files)";
  for (const [mark, offset] of [
    ["const Params params", 2],
    ["Params params", 2],
    ["params, float", 2],
  ] as const)
    assertEqual((await offered("annotate/run.cu", mark, offset)).map(({ title }) => title).join("|"), add);
  const atName = await offered("annotate/run.cu", "run(const", 1);
  assertEqual(
    atName.map(({ title }) => title).join("|"),
    "Add 'const __grid_constant__' to 'params' as 'GRID_CONSTANT' (2 declarations in 2 files)",
  );

  const after = mapped(before, (text) => text.replace("run(const Params params", "run(const GRID_CONSTANT Params params"));
  await taken("annotate/run.cu", "params, float", add, after);
  // The counterpart is applied from the header.
  await taken("annotate/run.cuh", "params, float", "Remove '__grid_constant__' (2 declarations in 2 files)", before);
}

async function qualifiedPointer(): Promise<void> {
  const names = ["qualify/sum.cl", "qualify/sum.h", "qualify/caller.cl"] as const;
  const before = await textsOf(...names);
  const after = mapped(before, (text) =>
    text
      .replaceAll("const float *row", "__global const float *row")
      .replace("const float *end", "__global const float *end")
      .replace("const float *values", "__global const float *values"),
  );
  await taken("qualify/sum.cl", "*row, int", "Make 'row' '__global' (4 declarations in 3 files)", after);
}

async function spaces(): Promise<void> {
  const name = "qualify/spaces.cl";
  const before = await textsOf(name);
  for (const space of ["global", "local", "constant", "private"]) {
    await taken(
      name,
      "*values, int",
      `Make 'values' '__${space}'`,
      mapped(before, (text) => text.replace("const float", `__${space} const float`)),
    );
    await restore(before);
  }
}

async function hostConstant(): Promise<void> {
  const name = "constants/limit.cu";
  const before = await textsOf(name);
  const titles = (await offered(name, "limit = 64", 2)).map(({ title }) => title);
  assertEqual((await offered(name, "limit; }", 2)).map(({ title }) => title).join("|"), titles.join("|"));
  assertEqual(titles.join("|"), "Make 'limit' 'constexpr'|Move 'limit' to '__constant__' memory|Pass 'limit' as a kernel parameter");
  const changes = [
    (text: string) => text.replace("const int", "constexpr int"),
    (text: string) => text.replace("const int", "__constant__ const int"),
    (text: string) => text.replace("k(int *p)", "k(int *p, int limit)").replace(">>>(p)", ">>>(p, limit)"),
  ];
  for (const [index, change] of changes.entries()) {
    await taken(name, "limit = 64", titles[index] ?? "", mapped(before, change));
    await restore(before);
  }
}

async function copiedConstant(): Promise<void> {
  const name = "constants/copied.cu";
  const after = mapped(await textsOf(name), (text) =>
    text
      .replace("__constant__ Sizes sizes;\n", "")
      .replace("count(int *p)", "count(int *p, Sizes sizes)")
      .replace("  cudaMemcpyToSymbol(sizes, &value, sizeof(value));\n", "")
      .replace(">>>(p)", ">>>(p, value)"),
  );
  await taken(name, "sizes;", "Pass 'sizes' as a kernel parameter", after);
}

/** The refactorings at a mark without findings, each with its edit. */
async function offered(name: string, mark: string, offset = 1): Promise<readonly vscode.CodeAction[]> {
  const document = await shown(uriOf(name));
  const place = placeOf(document, mark, offset);
  const actions = await eventually(
    `nothing is offered at '${mark}' of ${name}`,
    () =>
      vscode.commands.executeCommand<vscode.CodeAction[]>(
        "vscode.executeCodeActionProvider",
        document.uri,
        new vscode.Range(place, place),
        "refactor",
        20,
      ),
    (list) => list.length > 0,
  );
  for (const { kind } of actions) assertEqual(kind?.value, "refactor.rewrite");
  return actions;
}

/** Applies a refactoring and compares every file with the expected text. Fails if there are findings afterwards. */
async function taken(name: string, mark: string, title: string, after: Texts): Promise<void> {
  const actions = await offered(name, mark);
  const edit = actions.find((action) => action.title === title)?.edit;
  if (edit === undefined) throw new Error(`no '${title}' in ${JSON.stringify(actions.map((action) => action.title))}`);
  const shownOnce = await errorsDuring(Object.keys(after), () => vscode.workspace.applyEdit(edit));
  assertEqual(shownOnce.join("\n"), "");
  for (const [file, text] of Object.entries(after)) {
    assertEqual((await vscode.workspace.openTextDocument(uriOf(file))).getText(), text);
    await diagnosticsOf(uriOf(file), (list) => list.every(({ severity }) => severity !== vscode.DiagnosticSeverity.Error));
  }
}

/** The errors that the editor shows in the files while it applies edits to some of them, and for a while afterwards. */
async function errorsDuring(names: readonly string[], apply: () => Thenable<boolean>): Promise<readonly string[]> {
  const seen = new Set<string>();
  const look = () => {
    for (const name of names)
      for (const { severity, message } of vscode.languages.getDiagnostics(uriOf(name)))
        if (severity === vscode.DiagnosticSeverity.Error) seen.add(`${name}: ${message}`);
  };
  const listening = vscode.languages.onDidChangeDiagnostics(look);
  await apply();
  look();
  if (names.length > 1) await new Promise((resolve) => setTimeout(resolve, 1_500));
  listening.dispose();
  return [...seen];
}

async function restore(texts: Texts): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  for (const [name, text] of Object.entries(texts)) {
    const { lineCount } = await vscode.workspace.openTextDocument(uriOf(name));
    edit.replace(uriOf(name), new vscode.Range(0, 0, lineCount, 0), text);
  }
  await vscode.workspace.applyEdit(edit);
}

async function textsOf(...names: readonly string[]): Promise<Texts> {
  const texts: Record<string, string> = {};
  for (const name of names) texts[name] = new TextDecoder().decode(await vscode.workspace.fs.readFile(uriOf(name)));
  return texts;
}

function mapped(texts: Texts, change: (text: string) => string): Texts {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, change(text)]));
}

function uriOf(name: string): vscode.Uri {
  return vscode.Uri.joinPath(workspaceFolder(), name);
}
