/**
 * Files that carry what checks have learnt from one machine to another: `summarize` writes them, `link` reads them. An entry is
 * found by what it was made of, so that files may be split, joined and made in any order, and equal inputs give equal bytes.
 */
import { resolve } from "node:path";
import { type AnswerStore, hashOf } from "../node/answer-store.ts";
import { nameOfPath } from "../node/node-names.ts";
import { readRegularFile } from "../node/real-files.ts";

const version = 1;

/** Answers in memory, on top of another store if there is one: what is taken from that or put into it is here afterwards. */
export interface Summaries extends AnswerStore {
  /** The bytes of a summary file with all of them. */
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

/** The answers of several files over another store, or what is wrong with one of them. */
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

/** A longer text is not possible. */
const largestSummary = 256 * 2 ** 20;

function entriesOf(path: string): { readonly entries: readonly (readonly [string, string])[] } | { readonly problem: string } {
  const file = readRegularFile(nameOfPath(resolve(path)), { maximalSize: largestSummary });
  if ("reason" in file)
    return { problem: `cannot read the summary '${path}': ${file.reason === undefined ? "there is none" : `it ${file.reason}`}` };
  const [head = "", ...rest] = file.bytes.toString("utf8").split(/(?<=\n)/);
  try {
    const { gpuQualifiersSummaries, hash } = JSON.parse(head) as Record<string, unknown>;
    if (gpuQualifiersSummaries === version && hash === hashOf(rest)) {
      return { entries: rest.map((line) => JSON.parse(line) as readonly [string, string]) };
    }
  } catch {
    // Not one of ours, which the next line says.
  }
  return { problem: `'${path}' is not a whole summary file of gpu-qualifiers` };
}
