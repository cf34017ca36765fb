/**
 * Copies a file with its access lists, labels and other extended attributes. The copies of macOS and Windows have them. On Linux the
 * system's `cp` adds them, because Node cannot.
 */
import { spawnSync } from "node:child_process";
import { constants, copyFileSync, rmSync } from "node:fs";
import { programOf } from "./programs.ts";
import { temporaryBeside } from "./temporary-files.ts";

/**
 * Creates a copy. `refused`: the file has attributes that this user cannot give to another. `lost`: the system has no `cp` that copies
 * attributes, so whether the file has any is not known.
 */
export function copyWithAttributes(from: string, to: string): "kept" | "refused" | "lost" {
  copyFileSync(from, to, constants.COPYFILE_EXCL);
  if (process.platform !== "linux") return "kept";
  const program = programOf("cp");
  if (program === undefined) return "lost";
  if (areCopied(program, from, to)) return "kept";
  // A program that knows the options succeeds for a file without attributes.
  const plain = temporaryBeside(to);
  copyFileSync(to, plain, constants.COPYFILE_EXCL);
  try {
    return areCopied(program, plain, to) ? "refused" : "lost";
  } finally {
    rmSync(plain, { force: true });
  }
}

function areCopied(program: string, from: string, to: string): boolean {
  return spawnSync(program, ["--attributes-only", "--preserve=mode,xattr", "--", from, to], { stdio: "ignore" }).status === 0;
}
