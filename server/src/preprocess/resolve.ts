/**
 * Finds the file that an include names: beside the includer, in the include paths, then by a unique suffix in the
 * workspace, nearest first (zero configuration).
 */
import type { CompileSettings } from "../dialect.ts";
import type { Files } from "../source.ts";

export interface Resolver {
  /** The uri of a header, "unread" with it where the host has not got it yet, or undefined where there is none. */
  resolve(name: string, isQuoted: boolean, includer: string, settings: CompileSettings): { readonly uri: string; readonly isUnread: boolean } | undefined;
  /** This file changed, came or went. */
  forget(uri: string): void;
}

export function createResolver(files: Files): Resolver {
  let byName: Map<string, string[]> | undefined;
  const index = () => {
    if (byName !== undefined) return byName;
    byName = new Map();
    for (const uri of files.list()) {
      const name = uri.slice(uri.lastIndexOf("/") + 1);
      const present = byName.get(name);
      if (present === undefined) byName.set(name, [uri]);
      else present.push(uri);
    }
    return byName;
  };
  const found = (uri: string) => {
    const text = files.read(uri);
    return text === "absent" ? undefined : { uri, isUnread: text === "unread" };
  };
  return {
    resolve: (name, isQuoted, includer, settings) => {
      const folders = [...(isQuoted ? [folderOf(includer)] : []), ...settings.includePaths];
      for (const folder of folders) {
        const hit = found(join(folder, name));
        if (hit !== undefined) return hit;
      }
      const suffix = normalized(name);
      const last = suffix.slice(suffix.lastIndexOf("/") + 1);
      const candidates = (index().get(last) ?? []).filter((uri) => uri.endsWith(`/${suffix}`) || uri === suffix);
      const best = nearest(candidates, includer);
      return best === undefined ? undefined : found(best);
    },
    forget: (uri) => {
      const isListed = byName?.get(uri.slice(uri.lastIndexOf("/") + 1))?.includes(uri) ?? false;
      // An edit changes nothing about which files there are.
      if (isListed !== (files.read(uri) !== "absent")) byName = undefined;
    },
  };
}

/** The candidate that shares the longest folder prefix with the includer; undefined when several are equally near. */
function nearest(candidates: readonly string[], includer: string): string | undefined {
  let best: string | undefined;
  let bestLength = -1;
  let isTied = false;
  for (const candidate of candidates) {
    const length = sharedFolders(candidate, includer);
    if (length > bestLength) {
      best = candidate;
      bestLength = length;
      isTied = false;
    } else if (length === bestLength) isTied = true;
  }
  return isTied ? undefined : best;
}

function sharedFolders(a: string, b: string): number {
  const left = a.split("/");
  const right = b.split("/");
  let count = 0;
  while (count < left.length - 1 && count < right.length - 1 && left[count] === right[count]) count += 1;
  return count;
}

export function folderOf(uri: string): string {
  return uri.slice(0, Math.max(0, uri.lastIndexOf("/")));
}

/** Joins a folder's uri and a relative or absolute name, resolving `.` and `..`. */
export function join(folder: string, name: string): string {
  if (name.startsWith("/")) {
    const scheme = /^[a-z][\w+.-]*:\/\//i.exec(folder)?.[0] ?? "";
    return scheme + name;
  }
  const parts = folder.split("/");
  for (const part of name.replaceAll("\\", "/").split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

/** A name without leading `./` and `../`, which say nothing about a suffix. */
function normalized(name: string): string {
  return join("", name).replace(/^\/+/, "");
}
