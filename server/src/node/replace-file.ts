/**
 * Replaces the contents of a file, wholly or not at all: what is new goes into a file beside it, reaches the disk, and takes
 * the old one's name. Packages for this write once and take a short write, as on a disk that is nearly full, for a whole one,
 * and they open a name that somebody else can foresee.
 */
import { randomBytes } from "node:crypto";
import { accessSync, closeSync, constants, fchmodSync, fchownSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorCode, type OpenLimits, type RealFile, readRegularFile } from "./real-files.ts";

/**
 * Writes `bytes` over a file that has been read as `file` and has not changed since. Returns why that was not possible, as the
 * end of a sentence about the file, or undefined. Mode and owner stay; other names of the file (hard links) keep the old text.
 */
export function replaceFile(name: string, file: RealFile, bytes: Buffer, limits: OpenLimits): string | undefined {
  const obstacle = whyNotWritable(file);
  if (obstacle !== undefined) return obstacle;
  const folder = dirname(file.path);
  const beside = join(folder, `.gpu-qualifiers-${randomBytes(8).toString("hex")}.tmp`);
  let isThere = false;
  try {
    // Only a name that nobody has: a link that waits here would lead elsewhere.
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

/** A new file could take the place of one that may only be read; its owner did not mean that. */
export function whyNotWritable({ path, stats }: RealFile): string | undefined {
  if ((stats.mode & 0o222) === 0) return "it is read-only";
  try {
    accessSync(path, constants.W_OK);
    return undefined;
  } catch (error) {
    return `it cannot be written (${errorCode(error)})`;
  }
}

/** Only root can give a file to somebody else; whoever else writes it owns the new one. */
function keepOwner(fresh: number, { stats }: RealFile): void {
  try {
    fchownSync(fresh, stats.uid, stats.gid);
  } catch (error) {
    if (!["EPERM", "EINVAL", "ENOSYS", "ENOTSUP"].includes(errorCode(error))) throw error;
  }
}

/** So that the new name survives a loss of power. Not every system lets folders be opened. */
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
