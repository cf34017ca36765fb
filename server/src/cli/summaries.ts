/**
 * Files that carry the results of checks from one machine to another: `summarize` writes them, `link` reads them. The key of an
 * entry is a hash of what it was computed from. So files may be split, joined and written in any order, and equal inputs give equal
 * bytes.
 */
import { resolve } from "node:path";
import { isText } from "../forms.ts";
import { type AnswerStore, hashOf } from "../node/answer-store.ts";
import { nameOfPath } from "../node/node-names.ts";
import { readRegularFile } from "../node/real-files.ts";

const version = 1;

/** Results in memory, optionally on top of another store: results read from that store, or written to it, are in memory afterwards. */
export interface Summaries extends AnswerStore {
  /** The contents of a summary file with all results. */
  text(): string;
}

/** An empty collection. */
export function collectSummaries(below: AnswerStore | undefined): Summaries {
  const entries = new Map<string, string>();
  return {
    get(key) {
      const text = entries.get(key) ?? below?.get(key);
      if (text !== undefined) entries.set(key, text);
      return text;
    },
    put(key, text) {
      entries.set(key, text);
      below?.put(key, text);
    },
    text() {
      const lines = [...entries].sort(([a], [b]) => (a < b ? -1 : 1)).map((entry) => `${JSON.stringify(entry)}\n`);
      return `${JSON.stringify({ gpuQualifiersSummaries: version, hash: hashOf(lines) })}\n${lines.join("")}`;
    },
  };
}

/** The results of several files on top of another store, or the problem of one of them. */
export function readSummaries(paths: readonly string[], below: AnswerStore | undefined): AnswerStore | { readonly problem: string } {
  const entries = new Map<string, string>();
  for (const path of paths) {
    const read = entriesOf(path);
    if ("problem" in read) return read;
    for (const [key, text] of read.entries) entries.set(key, text);
  }
  return {
    get: (key) => entries.get(key) ?? below?.get(key),
    put: (key, text) => below?.put(key, text),
  };
}

/** The limit on a file, because no string can be longer. */
const largestSummary = 256 * 2 ** 20;

function isEntry(value: unknown): value is readonly [key: string, text: string] {
  return Array.isArray(value) && value.length === 2 && value.every(isText);
}

function entriesOf(path: string): { readonly entries: readonly (readonly [string, string])[] } | { readonly problem: string } {
  const file = readRegularFile(nameOfPath(resolve(path)), { maximalSize: largestSummary });
  if ("reason" in file)
    return { problem: `cannot read the summary '${path}': ${file.reason === undefined ? "there is none" : `it ${file.reason}`}` };
  const [head = "", ...rest] = file.bytes.toString("utf8").split(/(?<=\n)/);
  try {
    const { gpuQualifiersSummaries, hash } = JSON.parse(head) as Record<string, unknown>;
    if (gpuQualifiersSummaries === version && hash === hashOf(rest)) {
      const entries = rest.map((line): unknown => JSON.parse(line));
      if (entries.every(isEntry)) return { entries };
    }
  } catch {
    // It is not a summary file, which the next line reports.
  }
  return { problem: `'${path}' is not a whole summary file of gpu-qualifiers` };
}
