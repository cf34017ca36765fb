/**
 * Replaces the contents of files, of all or of none. The new contents are written to files beside them and flushed to disk, and only
 * then do the new files take over the names, one after the other. If one cannot, those before it get their old contents back.
 * Packages for this write only one file and do not notice a short write, which happens on a disk that is nearly full, and they open
 * a predictable name.
 */
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { copyWithAttributes } from "./attributes.ts";
import { errorCode, type OpenLimits, type RealFile, readRegularFile } from "./real-files.ts";
import { temporaryBeside } from "./temporary-files.ts";

/** A file that has been read as `file`, with its new contents. */
export interface Replacement {
  readonly name: string;
  readonly file: RealFile;
  readonly bytes: Buffer;
}

/**
 * Writes new contents over files that have not changed since they were read. Returns why some of them could not be written, as the
 * ends of sentences by name; if there is such a file, none is changed. Modes, owners and extended attributes stay; other names of a
 * file (hard links) keep the old text. `noteLoss` is told of files that were changed on a system that cannot copy attributes.
 */
export function replaceFiles(
  replacements: readonly Replacement[],
  limits: OpenLimits,
  noteLoss: (name: string) => void = () => undefined,
): ReadonlyMap<string, string> {
  const failed = new Map<string, string>();
  const prepared: Prepared[] = [];
  try {
    for (const replacement of replacements) {
      const beside = prepare(replacement.file, replacement.bytes);
      if ("problem" in beside) failed.set(replacement.name, beside.problem);
      else prepared.push({ replacement, ...beside });
    }
    for (const { replacement } of prepared) {
      const { name, file } = replacement;
      const now = readRegularFile(name, limits);
      if (!("bytes" in now) || now.path !== file.path || !now.bytes.equals(file.bytes)) failed.set(name, "it changed meanwhile");
    }
    if (failed.size > 0) return failed;
    const [name, reason] = takeOver(prepared) ?? [];
    if (name !== undefined && reason !== undefined) failed.set(name, reason);
    else for (const { replacement, losesAttributes } of prepared) if (losesAttributes) noteLoss(replacement.name);
    for (const folder of new Set(prepared.map(({ replacement }) => dirname(replacement.file.path)))) flushFolder(folder);
    return failed;
  } finally {
    for (const { fresh } of prepared) rmSync(fresh, { force: true });
  }
}

/**
 * Why a file cannot be written; undefined if it can. Replacing a read-only file would be possible, but its owner did not intend
 * that.
 */
export function whyNotWritable({ path, stats }: Pick<RealFile, "path" | "stats">): string | undefined {
  if ((stats.mode & 0o222) === 0) return "it is read-only";
  try {
    accessSync(path, constants.W_OK);
    return undefined;
  } catch (error) {
    return `it cannot be written (${errorCode(error)})`;
  }
}

/** A replacement whose new contents are on disk, in the file `fresh`. */
interface Prepared {
  readonly replacement: Replacement;
  readonly fresh: string;
  readonly losesAttributes: boolean;
}

/** Writes new contents over a file, whatever it contains. Returns undefined, or why that was not possible. */
export function overwriteFile(file: Pick<RealFile, "path" | "stats">, bytes: Buffer): string | undefined {
  const beside = prepare(file, bytes);
  if ("problem" in beside) return beside.problem;
  try {
    renameSync(beside.fresh, file.path);
    flushFolder(dirname(file.path));
    return undefined;
  } catch (error) {
    rmSync(beside.fresh, { force: true });
    return `it cannot be written (${errorCode(error)})`;
  }
}

/** Writes the new contents beside the file; returns the reason if that is impossible. */
function prepare(file: Pick<RealFile, "path" | "stats">, bytes: Buffer): Omit<Prepared, "replacement"> | { readonly problem: string } {
  const obstacle = whyNotWritable(file);
  if (obstacle !== undefined) return { problem: obstacle };
  const fresh = temporaryBeside(file.path);
  try {
    const attributes = copyWithAttributes(file.path, fresh);
    if (attributes === "refused") {
      rmSync(fresh, { force: true });
      return { problem: "its extended attributes cannot be kept" };
    }
    const opened = openSync(fresh, constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      ftruncateSync(opened);
      writeFileSync(opened, bytes);
      keepOwner(opened, file);
      fchmodSync(opened, file.stats.mode & 0o7777);
      fsyncSync(opened);
    } finally {
      closeSync(opened);
    }
    return { fresh, losesAttributes: attributes === "lost" };
  } catch (error) {
    rmSync(fresh, { force: true });
    return { problem: `it cannot be written (${errorCode(error)})` };
  }
}

/** Gives the new files the names of the old ones; returns the file that this failed for, after all others are as they were. */
function takeOver(prepared: readonly Prepared[]): readonly [name: string, reason: string] | undefined {
  const done: { readonly path: string; readonly old: string | undefined; readonly bytes: Buffer }[] = [];
  try {
    for (const { replacement, fresh } of prepared) {
      const { path, bytes } = replacement.file;
      const old = prepared.length > 1 ? secondNameOf(path) : undefined;
      try {
        renameSync(fresh, path);
        done.push({ path, old, bytes });
      } catch (error) {
        if (old !== undefined) rmSync(old, { force: true });
        for (const each of done) restore(each);
        return [replacement.name, `it cannot be written (${errorCode(error)})`];
      }
    }
    return undefined;
  } finally {
    for (const { old } of done) if (old !== undefined) rmSync(old, { force: true });
  }
}

/** A second name for the file, under which it survives; undefined where a file cannot have two. */
function secondNameOf(path: string): string | undefined {
  const name = temporaryBeside(path);
  try {
    linkSync(path, name);
    return name;
  } catch {
    return undefined;
  }
}

function restore({ path, old, bytes }: { readonly path: string; readonly old: string | undefined; readonly bytes: Buffer }): void {
  if (old === undefined) writeFileSync(path, bytes);
  else renameSync(old, path);
}

/** Keeps the owner of the old file. Only root can change a file's owner; the new file of any other user belongs to that user. */
function keepOwner(fresh: number, { stats }: Pick<RealFile, "stats">): void {
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
