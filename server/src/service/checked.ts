/** What a service keeps of each file that it has checked. */
import type { Summary } from "../summary/summary.ts";
import type { CheckedReading } from "./judgement.ts";

/** The result of the last check of a file, and what it depends on. */
export interface Checked extends CheckedReading {
  /** The files in whose context the file could have been read, if it is a header. */
  readonly candidates: readonly string[];
  /** The files of `candidates` that turned out not to include it. */
  readonly tried: readonly string[];
  /** Tests of readings that depend on files which the file does not include. Units are large: only the latest are kept. */
  readonly readingTests: "forgotten" | readonly { isReadOtherwise(): boolean }[];
}

/** For how many files the units are kept, to see whether a change of other files affects them. */
const mostReadingTests = 64;

/** Drops the units of all but the latest files. A file without them counts as affected by every change that might matter to it. */
export function forgetOldUnits(checked: Map<string, Checked>): void {
  let kept = 0;
  for (const [uri, entry] of [...checked].reverse()) {
    if (entry.readingTests === "forgotten") break;
    if (entry.readingTests.length === 0) continue;
    kept += 1;
    if (kept > mostReadingTests) checked.set(uri, { ...entry, readingTests: "forgotten" });
  }
}

/** The summaries of all files, in the order of their latest requests. */
export function summariesOf(checked: ReadonlyMap<string, Checked>): readonly Summary[] {
  return [...checked.values()].map(({ summary }) => summary).filter((summary) => summary !== undefined);
}
