/** Creates folders with those above them. Node's own way never returns where the system says that a folder which it has is missing. */
import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode } from "./real-files.ts";

/** Creates the folder and those above it that are missing, each with the mode. Throws the system's error if that is not possible. */
export function makeFolders(path: string, mode = 0o777): void {
  const isFolder = (name: string) => statSync(name, { throwIfNoEntry: false })?.isDirectory() === true;
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    const code = errorCode(error);
    if (code === "EEXIST" && isFolder(path)) return;
    // File systems of the kernel, such as /proc, say this of every new name.
    if (code !== "ENOENT" || isFolder(dirname(path))) throw error;
    makeFolders(dirname(path), mode);
    makeFolders(path, mode);
  }
}
