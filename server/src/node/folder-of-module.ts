/** Where a program's other files are. Node 20.9, which is that of the oldest VS Code, has no `import.meta.dirname`. */
import { fileURLToPath } from "node:url";

/** The folder of the module with this address. */
export function folderOfModule(url: string): string {
  return fileURLToPath(new URL(".", url));
}
