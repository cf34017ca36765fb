/**
 * Gives each document of the client one name, whatever its uri: `protocol/uris.ts` removes differences in spelling, and this file
 * those of links to folders. A file that the client reaches through a link is named as in the workspace folder that contains it, so
 * that it is the file which that folder lists. Links to single files keep their names, because an `#include` in them is looked up
 * beside the link.
 */
import { baseNameOf, folderOf, isWithin, relativeName } from "../../names.ts";
import { nameOfUri } from "../protocol/uris.ts";

/** The names of a client's documents. */
export interface Names {
  of(uri: string): string;
  /** Sets the workspace folders, by their names. */
  setFolders(folders: readonly string[]): void;
  /** Forgets where links lead, because some may have changed. */
  forget(): void;
}

const mostKept = 10_000;

/** Creates the names of one session. `realNameOf` is the name of a folder without links; absent where names have no links. */
export function createNames(realNameOf: ((name: string) => string | undefined) | undefined): Names {
  const known = new Map<string, string>();
  let folders: readonly { readonly name: string; readonly real: string }[] = [];
  const inFolders = (name: string, real: string): string | undefined => {
    const around = folders.find((each) => isWithin(real, each.real));
    const inner = around === undefined ? undefined : relativeName(real, around.real);
    if (around === undefined || inner === undefined) return undefined;
    return [around.name, inner, baseNameOf(name)].filter((part) => part !== "").join("/");
  };
  const nameOf = (uri: string): string => {
    const name = nameOfUri(uri);
    const folder = folderOf(name);
    const real = name.startsWith("file:///") ? realNameOf?.(folder) : undefined;
    if (real === undefined) return name;
    const isListed = folders.some((each) => isWithin(name, each.name));
    if (isListed && real === folder) return name;
    return inFolders(name, real) ?? (isListed ? name : `${real}/${baseNameOf(name)}`);
  };
  return {
    of(uri) {
      const name = known.get(uri) ?? nameOf(uri);
      if (known.size >= mostKept) known.clear();
      known.set(uri, name);
      return name;
    },
    setFolders(names) {
      folders = names
        .map((name) => ({ name, real: realNameOf?.(name) ?? name }))
        .sort((a, b) => b.real.length - a.real.length || b.name.length - a.name.length);
      known.clear();
    },
    forget: () => known.clear(),
  };
}
