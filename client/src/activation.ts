/**
 * Decides whether the extension is needed in this window. Files of C, C++, Python and other languages of hosts may contain kernels in
 * strings, so they activate the extension. Most of them contain none, and then no server is started and no code is loaded. This file only searches for words;
 * the server decides what a kernel is.
 */
import { commands, type Disposable, type ExtensionContext, type TextDocument, workspace } from "vscode";

const deviceLanguages = new Set(["cuda-cpp", "cuda", "hip", "opencl"]);
/** The languages of host programs, whose strings may contain kernels. */
export const hostLanguages: ReadonlySet<string> = new Set([
  ...["c", "cpp", "objective-c", "objective-cpp", "python", "rust", "julia", "go", "java", "csharp", "kotlin", "scala"],
  ...["javascript", "javascriptreact", "typescript", "typescriptreact"],
]);
const deviceFiles = "{gpu-qualifiers.json,**/*.{cu,cuh,hip,cl,clh,clcpp,clpp,opencl,ocl}}";
const kernelWords = /\b__kernel\b|\bkernel\s+(?:void|__attribute__)\b|\bvoid\s+kernel\b|\b__global__\b/;

/** Calls `start` now, or as soon as a document or a command needs it; never twice. */
export async function activateWhenNeeded(context: ExtensionContext, start: () => Promise<void>): Promise<void> {
  if (workspace.textDocuments.some(isOurs)) return start();
  const listeners: Disposable[] = [];
  let started: Promise<void> | undefined;
  const begin = (): Promise<void> => {
    for (const listener of listeners.splice(0)) listener.dispose();
    started ??= start();
    return started;
  };
  const look = (document: TextDocument) => (isOurs(document) ? begin() : undefined);
  listeners.push(workspace.onDidOpenTextDocument(look), workspace.onDidSaveTextDocument(look), ...waitingCommands(context, begin));
  context.subscriptions.push({ dispose: () => listeners.forEach((listener) => void listener.dispose()) });
  // Documents may be opened during the search.
  if (await hasDeviceFiles()) await begin();
}

function isOurs(document: TextDocument): boolean {
  const { languageId } = document;
  return deviceLanguages.has(languageId) || (hostLanguages.has(languageId) && kernelWords.test(document.getText()));
}

async function hasDeviceFiles(): Promise<boolean> {
  return (await workspace.findFiles(deviceFiles, undefined, 1)).length > 0;
}

/** Registers placeholder commands: each starts the extension and then runs the real command. */
function waitingCommands({ extension }: ExtensionContext, begin: () => Promise<void>): readonly Disposable[] {
  const { contributes } = extension.packageJSON as { readonly contributes: { readonly commands: readonly { readonly command: string }[] } };
  return contributes.commands.map(({ command }) =>
    commands.registerCommand(command, async (...parameters: unknown[]) => {
      await begin();
      return commands.executeCommand(command, ...parameters);
    }),
  );
}
