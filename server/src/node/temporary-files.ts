/**
 * Names of the files that replace others when they are complete, and the removal of those that a killed run has left behind. A name
 * tells which process of which machine writes the file, so that no run removes a file that another one still needs.
 */
import { createHash, randomBytes } from "node:crypto";
import { lstatSync, readdirSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { errorCode } from "./real-files.ts";

const machine = createHash("sha256").update(hostname()).digest("hex").slice(0, 8);
const pattern = /^\.gpu-qualifiers-([0-9a-f]{8})-(\d{1,10})-[0-9a-f]{16}\.tmp$/;
const millisecondsOfDay = 24 * 60 * 60 * 1000;

/** A new path in the folder of a file. It cannot be guessed, so that no link can be planted under it. */
export function temporaryBeside(path: string): string {
  return join(dirname(path), `.gpu-qualifiers-${machine}-${process.pid}-${randomBytes(8).toString("hex")}.tmp`);
}

/** Removes the temporary files of runs that have ended from a folder. */
export function removeLeftOvers(folder: string): void {
  for (const path of namesIn(folder).map((name) => join(folder, name))) {
    try {
      if (isLeftOver(path)) rmSync(path, { force: true });
    } catch {
      // Another process has removed it, or may have it.
    }
  }
}

/** True for a temporary file whose writer has ended. Of another machine's processes only the age of their files is known. */
function isLeftOver(path: string): boolean {
  const [, writer, id] = pattern.exec(basename(path)) ?? [];
  if (id === undefined) return false;
  const stats = lstatSync(path);
  if (!stats.isFile()) return false;
  return writer === machine ? !isAlive(Number(id)) : Date.now() - stats.mtimeMs > millisecondsOfDay;
}

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== "ESRCH";
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
