/**
 * Whether there is anything to do in this window. C, C++ and Python may have kernels in their strings, so that the extension
 * wakes up for them; but most have none, and then there is no server and nothing is loaded. What is a kernel is the
 * server's business: this only looks for the words.
 */
import { commands, type Disposable, type ExtensionContext, type TextDocument, workspace } from "vscode";

const deviceLanguages = new Set(["cuda-cpp", "cuda", "hip", "opencl"]);
const hostLanguages = new Set(["c", "cpp", "objective-c", "objective-cpp", "python"]);
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
  // Documents may be opened while this searches.
  if (await hasDeviceFiles()) await begin();
}

function isOurs(document: TextDocument): boolean {
  const { languageId } = document;
  return deviceLanguages.has(languageId) || (hostLanguages.has(languageId) && kernelWords.test(document.getText()));
}

async function hasDeviceFiles(): Promise<boolean> {
  return (await workspace.findFiles(deviceFiles, undefined, 1)).length > 0;
}

/** The commands as long as nobody else has registered them: they start what they need and are called again. */
function waitingCommands({ extension }: ExtensionContext, begin: () => Promise<void>): readonly Disposable[] {
  const { contributes } = extension.packageJSON as { readonly contributes: { readonly commands: readonly { readonly command: string }[] } };
  return contributes.commands.map(({ command }) =>
    commands.registerCommand(command, async (...parameters: unknown[]) => {
      await begin();
      return commands.executeCommand(command, ...parameters);
    }),
  );
}
