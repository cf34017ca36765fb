/**
 * Provides files that only the client can read, because a worker in a browser has no file system. The list is requested once and
 * updated by the client's watcher. Texts are fetched when the core has asked for them.
 */
import type { Connection } from "vscode-languageserver";
import { baseNameOf, folderOf, isWithin } from "../../names.ts";
import { isOfInterest } from "../../project/interest.ts";
import { isNeverSearched, type PathPatterns, pathPatterns } from "../../settings/ignored.ts";
import { isSettingsFile } from "../../settings/settings.ts";
import { nameOfUri, uriOfName } from "../protocol/uris.ts";
import type { HostFiles } from "./platform.ts";

/** Requests the text of a file: `{ uri }` → `{ text }`, without a text if there is none. */
const readFileRequest = "gpu-qualifiers/readFile";
/** Requests the uris of all files below a folder: `{ uri, limit }` → `{ uris }`. */
const listFilesRequest = "gpu-qualifiers/listFiles";

const maximalCount = 20_000;
const fetchedAtOnce = 16;
const maximalFileSize = 16 * 1024 * 1024;

/** Creates the files of one root. A missing file is remembered as absent; any other is `unread` until it arrives. */
export function createRemoteFiles(connection: Connection, root: string, isExcluded: (name: string) => boolean): HostFiles {
  const texts = new Map<string, string | "absent">();
  let names: Set<string> | undefined;
  let listed: readonly string[] = [];
  let patterns: readonly { readonly folder: string; readonly patterns: PathPatterns }[] = [];

  /** Sends a request. If the client cannot answer, only the open documents are known, and the session continues. */
  const ask = async (request: string, params: unknown): Promise<unknown> => {
    try {
      return await connection.sendRequest(request, params);
    } catch (error) {
      connection.console.error(`the client failed on ${request} ${JSON.stringify(params)}: ${String(error)}`);
      return undefined;
    }
  };

  const fetchText = async (name: string): Promise<void> => {
    const answer = await ask(readFileRequest, { uri: uriOfName(name) });
    const text =
      typeof answer === "object" && answer !== null && "text" in answer && typeof answer.text === "string" ? answer.text : undefined;
    texts.set(name, text === undefined || text.length > maximalFileSize || text.slice(0, 8192).includes("\0") ? "absent" : text);
  };

  const fetchList = async (): Promise<void> => {
    const answer = await ask(listFilesRequest, { uri: uriOfName(root), limit: maximalCount });
    const uris = typeof answer === "object" && answer !== null && "uris" in answer && Array.isArray(answer.uris) ? answer.uris : [];
    names = new Set(uris.map((uri) => nameOfUri(String(uri))));
    const ignoreFiles = [...names].filter((name) => baseNameOf(name) === ".gitignore");
    await inTurn(ignoreFiles, fetchText);
    patterns = ignoreFiles
      .map((name) => ({ folder: folderOf(name), patterns: pathPatterns(texts.get(name) ?? "", folderOf(name)) }))
      .sort((a, b) => b.folder.length - a.folder.length);
  };

  const isListed = (name: string): boolean => {
    if (!isOfInterest(name) || isExcluded(name)) return false;
    for (let folder = folderOf(name); folder !== root && isWithin(folder, root); folder = folderOf(folder)) {
      if (isNeverSearched(folder) || verdictOn(folder, true)) return false;
    }
    return !verdictOn(name, false);
  };
  const verdictOn = (name: string, isFolder: boolean): boolean => {
    for (const { folder, patterns: own } of patterns) {
      const verdict = isWithin(name, folder) ? own.verdict(name, isFolder) : undefined;
      if (verdict !== undefined) return verdict;
    }
    return false;
  };

  return {
    read(name) {
      const known = texts.get(name);
      if (known !== undefined) return known;
      if (!isWithin(name, root)) return "absent";
      // Before the list arrives, only files that are needed at once are fetched one by one.
      if (names === undefined) return "unread";
      return names.has(name) ? "unread" : "absent";
    },
    list() {
      const now = [...(names ?? [])].filter(isListed);
      // Callers keep results for a list as long as it is the same object.
      if (now.length !== listed.length || now.some((name, at) => name !== listed[at])) listed = now;
      return listed;
    },
    unread: () => (names === undefined ? undefined : [...names].filter((name) => isListed(name) && !texts.has(name))),
    // A client in a browser shows one workspace, so there are no other folders to allow.
    allow: () => undefined,
    changedFolders(changedNames) {
      const isBelow = (name: string) => changedNames.some((folder) => name !== folder && isWithin(name, folder));
      const files = [...new Set([...texts.keys(), ...(names ?? [])])].filter(isBelow);
      const folders = new Set(changedNames.filter((folder) => files.some((name) => isWithin(name, folder))));
      // Whether a new name is a folder shows only in a new list. Few files have no extension.
      const mayBeNew = changedNames.filter((name) => !folders.has(name) && !/\.\w+$/.test(baseNameOf(name)) && names?.has(name) !== true);
      if (folders.size > 0 || mayBeNew.length > 0) names = undefined;
      for (const name of files) texts.delete(name);
      return { folders: new Set([...folders, ...mayBeNew]), files: [...files, ...mayBeNew] };
    },
    changed(changedNames) {
      for (const name of changedNames) {
        texts.delete(name);
        // The set of ignored files may have changed.
        if (baseNameOf(name) === ".gitignore") names = undefined;
        // Reading the file will show whether it still exists.
        if (isOfInterest(name) || isSettingsFile(name)) names?.add(name);
      }
    },
    async fetch(wanted) {
      if (names === undefined) await fetchList();
      await inTurn(
        wanted.filter((name) => !texts.has(name) && names?.has(name) === true),
        fetchText,
      );
      for (const name of wanted) if (texts.get(name) === "absent") names?.delete(name);
    },
  };
}

async function inTurn(names: readonly string[], work: (name: string) => Promise<void>): Promise<void> {
  for (let i = 0; i < names.length; i += fetchedAtOnce) await Promise.all(names.slice(i, i + fetchedAtOnce).map(work));
}
