/** The extension's entry in VS Code on a desktop or a remote machine: the client is loaded only when there is something to do. */
import type { ExtensionContext } from "vscode";
import { activateWhenNeeded } from "./activation.ts";

/** Called by the editor when a relevant file is opened; the client's code is loaded only when it is needed. */
export function activate(context: ExtensionContext): Promise<void> {
  return activateWhenNeeded(context, async () => {
    const { startClient } = await import("./desktop-client.ts");
    await startClient(context);
  });
}
