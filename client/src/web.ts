/** The extension's entry in VS Code in a browser: the client is evaluated only when it is needed. */
import type { ExtensionContext } from "vscode";
import { activateWhenNeeded } from "./activation.ts";

/** Called by the editor in the browser when a relevant file is opened. */
export function activate(context: ExtensionContext): Promise<void> {
  return activateWhenNeeded(context, async () => {
    const { startClient } = await import("./web-client.ts");
    await startClient(context);
  });
}
