/**
 * Opens regular files only. A path may be a link, a device, a pipe or a file of the kernel. If the caller names the permitted
 * folders, the real location of the file must be in one of them. Callers choose the folders and decode the bytes.
 */
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, type Stats, statSync } from "node:fs";
import { nameOfPath, pathOfName } from "./node-names.ts";

/** A file that was read, with its real location. */
export interface RealFile {
  readonly bytes: Buffer;
  /** The path without links. */
  readonly path: string;
  readonly stats: Stats;
}

/** The limits on the files that may be opened. */
export interface OpenLimits {
  readonly maximalSize: number;
  /** Whether the file with this real name may be opened. If absent, every file may. */
  isInside?(realName: string): boolean;
}

/** Files of these file systems are generated as they are read. Some never end, and some change the machine. */
const pseudoFileSystems = /^\/(?:proc|sys)(?:\/|$)/;
/** Names of devices, which Windows has in every folder, with any extension. */
const deviceNames = /[\\/](?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:[.: ][^\\/]*)?$/i;

/** The file's bytes, or the reason why it is not read, which is undefined if nothing has that name. */
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
    // Since the test, another process may have put a link there, or a pipe, which would block.
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

/** Reads a file that may grow while it is being read; undefined if it exceeds the limit. */
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

/** The status of the file behind the name; undefined if there is none, or if it cannot be read. */
export function statOf(name: string): Stats | undefined {
  const path = pathOfName(name);
  if (path === undefined) return undefined;
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // A name that is too long, links in a circle, or a folder that may not be entered.
    return undefined;
  }
}

/** The name of a file or folder without links; undefined if nothing has that name. */
export function realNameOf(name: string): string | undefined {
  const path = pathOfName(name);
  if (path === undefined) return undefined;
  try {
    return nameOfPath(realpathSync.native(path));
  } catch {
    return undefined;
  }
}

/** The code of an error (`ENOENT` and the like), or its message if it has none. */
export function errorCode(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  return error instanceof Error ? error.message : String(error);
}
