/**
 * Opens files as what they really are. A path may be a link, a device, a pipe or a window into the kernel; only regular files
 * are opened, and where somebody says which folders count, only those that lie there in truth. Which folders these are,
 * and how bytes become text, is for others to say.
 */
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, type Stats, statSync } from "node:fs";
import { nameOfPath, pathOfName } from "./node-names.ts";

/** A file that was read, by where it really is. */
export interface RealFile {
  readonly bytes: Buffer;
  /** Without links. */
  readonly path: string;
  readonly stats: Stats;
}

/** What may be opened. */
export interface OpenLimits {
  readonly maximalSize: number;
  /** Whether the file may be opened, by its name without links. All may without. */
  isInside?(realName: string): boolean;
}

/** Files of these are made up as they are read: some never end, some change the machine. */
const pseudoFileSystems = /^\/(?:proc|sys)(?:\/|$)/;
/** Windows finds these in every folder, whatever follows behind a dot. */
const deviceNames = /[\\/](?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:[.: ][^\\/]*)?$/i;

/** The file's bytes, or why it is not read; the reason is undefined where nothing has that name. */
export function readRegularFile(name: string, { maximalSize, isInside }: OpenLimits): RealFile | { readonly reason: string | undefined } {
  const path = pathOfName(name);
  const stats = statOf(name);
  if (path === undefined || stats === undefined) return { reason: undefined };
  if (stats.isDirectory()) return { reason: "is a folder" };
  let file: number | undefined;
  try {
    const real = realpathSync.native(path);
    if (isInside?.(nameOfPath(real)) === false) return { reason: "is a link to a file outside of the project" };
    if (!stats.isFile() || isMadeUp(real)) return { reason: "is not a regular file" };
    if (stats.size > maximalSize) return { reason: `is larger than ${sizeOf(maximalSize)}` };
    // Between the look and this, somebody may have put a pipe there, which would block, or a link.
    file = openSync(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
    const opened = fstatSync(file);
    if (!opened.isFile() || opened.dev !== stats.dev || opened.ino !== stats.ino) return { reason: "changed while it was read" };
    const bytes = readAtMost(file, maximalSize);
    return bytes === undefined ? { reason: `is larger than ${sizeOf(maximalSize)}` } : { bytes, path: real, stats: opened };
  } catch (error) {
    return { reason: `cannot be read (${errorCode(error)})` };
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function isMadeUp(path: string): boolean {
  return process.platform === "win32" ? deviceNames.test(path) : pseudoFileSystems.test(path);
}

function sizeOf(bytes: number): string {
  return `${bytes / 1024 / 1024} MB`;
}

/** A file may grow while it is read. */
function readAtMost(file: number, maximalSize: number): Buffer | undefined {
  const chunks: Buffer[] = [];
  let size = 0;
  for (let next = fstatSync(file).size + 1; size <= maximalSize; next = 65_536) {
    const chunk = Buffer.allocUnsafe(next);
    const count = readSync(file, chunk, 0, next, null);
    if (count === 0) return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
    size += count;
    chunks.push(chunk.subarray(0, count));
  }
  return undefined;
}

/** What a name leads to; undefined where that is nothing, or cannot be known. */
export function statOf(name: string): Stats | undefined {
  const path = pathOfName(name);
  if (path === undefined) return undefined;
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // A name that is too long, links in a circle, a folder that may not be entered.
    return undefined;
  }
}

/** The name of a file or folder without links; undefined where nothing has that name. */
export function realNameOf(name: string): string | undefined {
  const path = pathOfName(name);
  if (path === undefined) return undefined;
  try {
    return nameOfPath(realpathSync.native(path));
  } catch {
    return undefined;
  }
}

/** `ENOENT` and its like; the message of what has no code. */
export function errorCode(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  return error instanceof Error ? error.message : String(error);
}
