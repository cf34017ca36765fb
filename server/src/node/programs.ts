/**
 * Where the programs are that this one starts. They are looked for in the absolute folders of the search path only: Windows looks into
 * the working folder first, and a search path may name it, but that folder may be a stranger's project.
 */
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/** The path of a program; undefined if it is not installed. */
export function programOf(name: string, { PATH, Path }: NodeJS.ProcessEnv = process.env): string | undefined {
  const file = process.platform === "win32" ? `${name}.exe` : name;
  return (PATH ?? Path ?? "")
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, file))
    .find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
