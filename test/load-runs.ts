/** Reads what the programs of `test/runs/mistakes.cu` did on a device, and whether compute-sanitizer found their mistakes. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** One program, in the order of their numbers. */
export interface Run {
  /** The rule that reports the mistake. */
  readonly rule: string;
  /** What is wrong, for a table. */
  readonly mistake: string;
  /** The error's name without `cudaError`, or the value. */
  readonly result: string;
  /** compute-sanitizer reports an error. */
  readonly sanitizer: boolean;
}

/** The folder of the programs. */
export const runsFolder = join(import.meta.dirname, "runs");

export function readRuns(): { readonly device: string; readonly toolkit: string; readonly runs: readonly Run[] } {
  return JSON.parse(readFileSync(join(runsFolder, "recorded.json"), "utf8"));
}
