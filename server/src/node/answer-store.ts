/**
 * Files on disk that keep answers from one run to the next: their location, their atomic replacement and their total size.
 * `check-cache.ts` decides what an answer is and whether it is still valid. This is the only file that imports env-paths.
 */
import { createHash, randomUUID } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, renameSync, rmSync, type Stats, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import envPaths from "env-paths";
import { makeFolders } from "./make-folders.ts";
import { nameOfPath } from "./node-names.ts";
import { readRegularFile } from "./real-files.ts";

/** Texts by key, kept from one run to the next. */
export interface AnswerStore {
  /** The text stored under the key, if it is still there. */
  get(key: string): string | undefined;
  put(key: string, text: string): void;
}

/** The system's folder for caches, or the folder in `GPU_QUALIFIERS_CACHE`. */
export function cacheFolder(environment: NodeJS.ProcessEnv): string {
  const chosen = environment.GPU_QUALIFIERS_CACHE;
  return chosen === undefined || chosen === "" ? envPaths("gpu-qualifiers", { suffix: "" }).cache : chosen;
}

/** The name of the build, which the build has stored in the folder of its programs; undefined for a program that was not built. */
export function buildOf(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, "build.txt"), "utf8").trim();
  } catch {
    return undefined;
  }
}

/** The greatest size in bytes of the answer about one file. */
const largestAnswer = 256 * 2 ** 20;

/** The extension of entries. Clearing the cache deletes no other files. */
const ending = ".answer";

/**
 * Opens the store in a folder. An entry that cannot be read or written counts as missing, so a cache never makes a check fail. One
 * that another user could have written counts as missing too.
 */
export function openStore(folder: string): AnswerStore {
  const isTrusted = isOwn(folder);
  const pathOf = (key: string) => {
    const hash = hashOf(key);
    return join(folder, hash.slice(0, 2), hash.slice(2) + ending);
  };
  return {
    get(key) {
      const path = pathOf(key);
      try {
        const file = readRegularFile(nameOfPath(path), { maximalSize: largestAnswer });
        if ("reason" in file || !isTrusted || !isOnlyOurs(file.stats)) return undefined;
        const text = inflateRawSync(file.bytes, { maxOutputLength: largestAnswer }).toString("utf8");
        // The least recently used entries are deleted first.
        const now = new Date();
        utimesSync(path, now, now);
        const end = text.indexOf("\n");
        return text.slice(0, end) === hashOf(text.slice(end + 1)) ? text.slice(end + 1) : undefined;
      } catch {
        return undefined;
      }
    },
    put(key, text) {
      const path = pathOf(key);
      const fresh = `${path}.${randomUUID()}.tmp`;
      if (!isTrusted) return;
      try {
        makeFolders(dirname(path), 0o700);
        // The entry contains its own hash, because a full disk or a power failure may truncate it.
        writeFileSync(fresh, deflateRawSync(`${hashOf(text)}\n${text}`, { level: 1 }), { mode: 0o600 });
        renameSync(fresh, path);
      } catch {
        remove(fresh);
      }
    },
  };
}

/** True unless the folder exists and another user can write into it, or into the folder of some of its entries. */
export function isOwn(folder: string): boolean {
  return [
    folder,
    ...namesIn(folder)
      .filter(isBucket)
      .map((name) => join(folder, name)),
  ].every((path) => {
    try {
      const stats = statSync(path, { throwIfNoEntry: false });
      return stats === undefined || !stats.isDirectory() || isOnlyOurs(stats);
    } catch {
      return true;
    }
  });
}

/** True if the file belongs to this user, and no other may write it. Windows keeps caches in the folder of the user. */
function isOnlyOurs({ uid, mode }: Stats): boolean {
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}

const mostBytes = 512 * 2 ** 20;
const millisecondsOfDay = 24 * 60 * 60 * 1000;

interface Entry {
  readonly path: string;
  readonly size: number;
  readonly used: number;
}

/**
 * Deletes the least recently used entries until the rest is small enough. It looks at most once a day, and not into a folder that
 * another user can write into: a link there could lead to a file that is not of the cache.
 */
export function pruneStore(folder: string, limit = mostBytes, now = Date.now()): void {
  const mark = join(folder, "pruned");
  try {
    if (now - (statSync(mark, { throwIfNoEntry: false })?.mtimeMs ?? 0) < millisecondsOfDay || !isOwn(folder)) return;
    makeFolders(folder, 0o700);
    writeFileSync(mark, "", { mode: 0o600 });
  } catch {
    return;
  }
  const entries = entriesIn(folder).sort((a, b) => b.used - a.used);
  let size = 0;
  for (const entry of entries) {
    size += entry.size;
    const isLeftOver = entry.path.endsWith(".tmp") && now - entry.used > millisecondsOfDay;
    if (size > limit || isLeftOver) remove(entry.path);
  }
}

/** Deletes every entry, and the folders that this leaves empty. Returns the number of entries. */
export function clearStore(folder: string): number {
  const entries = entriesIn(folder);
  for (const { path } of entries) remove(path);
  for (const bucket of bucketsIn(folder)) if (namesIn(bucket).length === 0) rmSync(bucket, { recursive: true });
  remove(join(folder, "pruned"));
  return entries.length;
}

function entriesIn(folder: string): Entry[] {
  return bucketsIn(folder)
    .flatMap((bucket) => namesIn(bucket).map((name) => join(bucket, name)))
    .filter((path) => path.endsWith(ending) || path.endsWith(".tmp"))
    .flatMap((path) => {
      const stats = lstatSync(path, { throwIfNoEntry: false });
      return stats === undefined ? [] : [{ path, size: stats.size, used: stats.mtimeMs }];
    });
}

/** Deletes a file. Another process may have deleted it already, or may deny access. */
function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    return;
  }
}

/** The folders of entries. A link is none, because it may lead out of the cache. */
function bucketsIn(folder: string): readonly string[] {
  return namesIn(folder)
    .filter(isBucket)
    .map((name) => join(folder, name))
    .filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true);
}

function isBucket(name: string): boolean {
  return /^[0-9a-f]{2}$/.test(name);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The hash of a text, or of several parts; different divisions into parts have different hashes. */
export function hashOf(text: string | readonly string[]): string {
  return createHash("sha256")
    .update(typeof text === "string" ? text : JSON.stringify(text))
    .digest("hex");
}
