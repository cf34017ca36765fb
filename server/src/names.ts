/**
 * How the core names files, and how paths resolve to such names. A name is a uri without percent-encoding (`file:///home/me/my
 * project/a.cl`), so that the text of an `#include` or a flag can be appended to it as it stands.
 */

/** What follows a file's name in the name of one of its pieces. No file's name contains a NUL, so no file has such a name. */
export const pieceMark = "\0piece-";
/** What follows a file's name in the name of a source in one of its string literals. */
export const embeddedMark = "\0embedded-";

/** True for the name of a source in a string literal. */
export function isEmbedded(name: string): boolean {
  return name.includes(embeddedMark);
}

/** The file whose literal contains a source; any other name is returned as it is. */
export function hostOf(name: string): string {
  const mark = name.indexOf(embeddedMark);
  return mark < 0 ? name : name.slice(0, mark);
}

/** The folder of a file, without a trailing slash. */
export function folderOf(name: string): string {
  return name.slice(0, Math.max(name.lastIndexOf("/"), 0));
}

/** The last segment of a name. */
export function baseNameOf(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

/** Resolves a relative or absolute path in a folder. Windows paths are understood on every system. */
export function resolveName(folder: string, path: string): string {
  const slashed = path.replaceAll("\\", "/");
  const { prefix, path: base } = splitName(folder);
  if (/^[a-z]:\//i.test(slashed)) return prefix + normalizePath(`/${slashed.charAt(0).toLowerCase()}${slashed.slice(1)}`);
  if (slashed.startsWith("/")) return prefix + normalizePath(slashed);
  return prefix + normalizePath(`${base}/${slashed}`);
}

/** True where `name` is the folder or lies below it. */
export function isWithin(name: string, folder: string): boolean {
  const closed = folder.endsWith("/") ? folder : `${folder}/`;
  return name === folder || name.startsWith(closed);
}

/** The path of `name` as seen from `folder`; undefined where it lies outside. */
export function relativeName(name: string, folder: string): string | undefined {
  if (!isWithin(name, folder)) return undefined;
  return name.slice(folder.endsWith("/") ? folder.length : folder.length + 1);
}

/** The folder of the file and every folder above it up to and including `root`, nearest first; none outside of `root`. */
export function foldersUpTo(name: string, root: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = folderOf(name); isWithin(folder, root); folder = folderOf(folder)) {
    folders.push(folder);
    if (folder === root) break;
  }
  return folders;
}

/** The scheme and authority (`file://`, `vscode-vfs://github`), and the path after them. */
function splitName(name: string): { prefix: string; path: string } {
  const match = /^[a-z][a-z0-9+.-]*:\/\/[^/]*/i.exec(name);
  const prefix = match?.[0] ?? "";
  return { prefix, path: name.slice(prefix.length) };
}

function normalizePath(path: string): string {
  const segments: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return `/${segments.join("/")}`;
}
