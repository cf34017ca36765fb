/** Converts paths of the file system to names of the core and back. */
import { isAbsolute, resolve } from "node:path";

/** The name of a path; a relative path counts from `folder`. */
export function nameOfPath(path: string, folder = process.cwd()): string {
  const absolute = (isAbsolute(path) ? path : resolve(folder, path)).replaceAll("\\", "/");
  // A drive letter is lower case and follows a slash, as in `file:///c:/x`.
  const rooted = /^[a-z]:/i.test(absolute) ? `/${absolute.charAt(0).toLowerCase()}${absolute.slice(1)}` : absolute;
  return `file://${rooted.length > 1 ? rooted.replace(/\/+$/, "") : rooted}`;
}

/** The path of a name; undefined if the name is not of the file system. */
export function pathOfName(name: string): string | undefined {
  if (!name.startsWith("file:///")) return undefined;
  const path = name.slice("file://".length);
  return /^\/[a-z]:/i.test(path) ? path.slice(1) : path;
}
