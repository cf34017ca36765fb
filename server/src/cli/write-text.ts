/**
 * Writes an output of this program to the path that the user names. A regular file is replaced atomically, so that no reader sees
 * half of it and an interrupted run leaves the old one; its mode and its links stay. Into a device or a pipe the text is written.
 */
import { closeSync, constants, openSync, readlinkSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { makeFolders } from "../node/make-folders.ts";
import { errorCode } from "../node/real-files.ts";
import { overwriteFile } from "../node/replace-file.ts";
import { removeLeftOvers } from "../node/temporary-files.ts";

/** Creates the file's folder if it is missing. Returns undefined, or why the text was not written, as the end of a sentence about it. */
export function writeText(path: string, text: string): string | undefined {
  try {
    const isNew = statSync(path, { throwIfNoEntry: false }) === undefined;
    if (isNew) {
      makeFolders(dirname(path));
      // This creates the target of a link that leads nowhere yet.
      closeSync(openSync(path, "a"));
    }
    const stats = statSync(path);
    if (stats.isDirectory()) return "it is a folder";
    if (!stats.isFile()) return writeInto(path, text);
    const stream = streamOfProcess(path);
    if (stream !== undefined) return writeInto(stream, text);
    const real = realpathSync.native(path);
    removeLeftOvers(dirname(real));
    const obstacle = overwriteFile({ path: real, stats }, Buffer.from(text));
    if (obstacle !== undefined && isNew) rmSync(real, { force: true });
    return obstacle;
  } catch (error) {
    return `it cannot be written (${errorCode(error)})`;
  }
}

/** True if `writeText` would write into a device, a pipe, or an output of this process, instead of replacing a file. */
export function isWrittenInto(path: string): boolean {
  try {
    const stats = statSync(path);
    return !stats.isDirectory() && (!stats.isFile() || streamOfProcess(path) !== undefined);
  } catch {
    return false;
  }
}

/** Writes into what has the name already, or is open already: it stays what it is. */
function writeInto(target: string | number, text: string): undefined {
  const opened = typeof target === "number" ? target : openSync(target, constants.O_WRONLY);
  try {
    writeFileSync(opened, text);
  } finally {
    if (opened !== target) closeSync(opened);
  }
  return undefined;
}

/** The descriptor behind `/dev/stdout` and links to it. Others may write to the same file, so it is neither replaced nor opened again. */
function streamOfProcess(path: string): number | undefined {
  let name = resolve(path);
  for (let links = 0; links < mostLinks; links++) {
    const [, descriptor] = /^\/(?:dev|proc\/(?:self|\d+))\/fd\/(\d+)$/.exec(name) ?? [];
    if (descriptor !== undefined) return Number(descriptor);
    try {
      name = resolve(dirname(name), readlinkSync(name));
    } catch {
      return undefined;
    }
  }
  return undefined;
}

const mostLinks = 40;
