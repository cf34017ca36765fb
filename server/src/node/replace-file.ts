/**
 * Replaces the contents of a file atomically: the new contents are written to a file beside it and flushed to disk, and then the
 * new file takes over the name. Packages for this write only once and do not notice a short write, which happens on a disk that is
 * nearly full, and they open a predictable name.
 */
import { randomBytes } from "node:crypto";
import { accessSync, closeSync, constants, fchmodSync, fchownSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorCode, type OpenLimits, type RealFile, readRegularFile } from "./real-files.ts";

/**
 * Writes `bytes` over a file that has been read as `file` and has not changed since. Returns undefined, or why that was not
 * possible, as the end of a sentence about the file. Mode and owner stay; other names of the file (hard links) keep the old text.
 */
export function replaceFile(name: string, file: RealFile, bytes: Buffer, limits: OpenLimits): string | undefined {
  const obstacle = whyNotWritable(file);
  if (obstacle !== undefined) return obstacle;
  const folder = dirname(file.path);
  const beside = join(folder, `.gpu-qualifiers-${randomBytes(8).toString("hex")}.tmp`);
  let isThere = false;
  try {
    // The file must be new: a link planted under that name would lead elsewhere.
    const fresh = openSync(beside, "wx", 0o600);
    isThere = true;
    try {
      writeFileSync(fresh, bytes);
      keepOwner(fresh, file);
      fchmodSync(fresh, file.stats.mode & 0o7777);
      fsyncSync(fresh);
    } finally {
      closeSync(fresh);
    }
    const now = readRegularFile(name, limits);
    if (!("bytes" in now) || now.path !== file.path || !now.bytes.equals(file.bytes)) return "it changed meanwhile";
    renameSync(beside, file.path);
    isThere = false;
    flushFolder(folder);
    return undefined;
  } catch (error) {
    return `it cannot be written (${errorCode(error)})`;
  } finally {
    if (isThere) rmSync(beside, { force: true });
  }
}

/**
 * Why a file cannot be written; undefined if it can. Replacing a read-only file would be possible, but its owner did not intend
 * that.
 */
export function whyNotWritable({ path, stats }: RealFile): string | undefined {
  if ((stats.mode & 0o222) === 0) return "it is read-only";
  try {
    accessSync(path, constants.W_OK);
    return undefined;
  } catch (error) {
    return `it cannot be written (${errorCode(error)})`;
  }
}

/** Keeps the owner of the old file. Only root can change a file's owner; the new file of any other user belongs to that user. */
function keepOwner(fresh: number, { stats }: RealFile): void {
  try {
    fchownSync(fresh, stats.uid, stats.gid);
  } catch (error) {
    if (!["EPERM", "EINVAL", "ENOSYS", "ENOTSUP"].includes(errorCode(error))) throw error;
  }
}

/** Flushes the folder, so that the new name survives a power failure. Some systems cannot open folders. */
function flushFolder(folder: string): void {
  try {
    const opened = openSync(folder, "r");
    try {
      fsyncSync(opened);
    } finally {
      closeSync(opened);
    }
  } catch {
    return;
  }
}
