/**
 * The findings that a project has accepted for now. A baseline stores the file, rule, message and line of code of each finding, and
 * how often it occurs. So a finding is recognized after lines have moved, and does not hide a new one of the same kind.
 */
import { dirname, resolve } from "node:path";
import type { Diagnostic } from "../../finding.ts";
import { folderOf, isWithin, resolveName } from "../../names.ts";
import { nameOfPath } from "../../node/node-names.ts";
import { readRegularFile } from "../../node/real-files.ts";
import { lineIndex } from "../../project/lines.ts";
import type { CheckResult } from "../check.ts";
import { type Identity, identityOf, keyOfIdentity } from "../fingerprints.ts";
import { jsonDocument } from "../json.ts";

interface Entry extends Identity {
  readonly count: number;
}

/** The findings that a baseline file accepts. */
export interface Baseline {
  /** The folder that file paths count from. */
  readonly folder: string;
  readonly entries: readonly Entry[];
}

/** The default name of a baseline file. */
export const usualBaseline = "gpu-qualifiers-baseline.json";

/** An empty baseline for a new file. */
export function newBaseline(path: string): Baseline {
  return { folder: folderOf(nameOfPath(path)), entries: [] };
}

/** The greatest size in bytes; enough for some hundred thousand findings. */
const largestBaseline = 64 * 2 ** 20;

/** Reads a baseline file; returns the reason if it cannot be read. */
export function readBaseline(path: string): Baseline | { readonly problem: string; readonly isMissing: boolean } {
  // The file comes with the project, so it may be a pipe, or a link to a device without an end.
  const file = readRegularFile(nameOfPath(resolve(path)), { maximalSize: largestBaseline });
  if ("reason" in file) {
    if (file.reason === undefined)
      return { problem: `no such baseline: '${path}'; 'gpu-qualifiers baseline update' writes one`, isMissing: true };
    return { problem: `cannot read '${path}': it ${file.reason}`, isMissing: false };
  }
  const entries = entriesIn(file.bytes.toString("utf8"));
  if (entries === undefined) return { problem: `'${path}' is not a baseline of gpu-qualifiers`, isMissing: false };
  return { folder: nameOfPath(dirname(resolve(path))), entries };
}

function entriesIn(text: string): readonly Entry[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || !("version" in value) || value.version !== 1) return undefined;
    if (!("findings" in value) || !Array.isArray(value.findings)) return undefined;
    return value.findings.every(isEntry) ? value.findings : undefined;
  } catch {
    return undefined;
  }
}

function isEntry(value: unknown): value is Entry {
  if (typeof value !== "object" || value === null) return false;
  const { file, rule, message, code, count } = value as Record<string, unknown>;
  return [file, rule, message, code].every((text) => typeof text === "string") && Number.isSafeInteger(count) && Number(count) > 0;
}

/**
 * The new findings, and the number of accepted ones that have disappeared, from the checked files or with their file. Only files of
 * these projects are looked for: the baseline comes with one, and may name any place.
 */
export function withoutAccepted(
  results: readonly CheckResult[],
  { folder, entries }: Baseline,
  exists: (name: string) => boolean,
): { readonly results: readonly CheckResult[]; readonly gone: number } {
  const left = new Map(entries.map((entry) => [keyOfIdentity(entry), entry.count]));
  const take = (key: string): boolean => {
    const count = left.get(key) ?? 0;
    if (count > 0) left.set(key, count - 1);
    return count > 0;
  };
  const fresh = results.map((result) => {
    const identify = identifierIn(result, folder);
    const files = result.files.map((file) => ({
      ...file,
      diagnostics: file.diagnostics.filter((diagnostic) => !take(keyOfIdentity(identify(diagnostic)))),
    }));
    return { ...result, files };
  });
  const checked = new Set(results.flatMap(({ files }) => files.map(({ name }) => name)));
  const isStale = (name: string): boolean => checked.has(name) || (results.some(({ root }) => isWithin(name, root)) && !exists(name));
  const gone = entries
    .filter(({ file }) => isStale(resolveName(folder, file)))
    .reduce((sum, entry) => sum + (left.get(keyOfIdentity(entry)) ?? 0), 0);
  return { results: fresh, gone };
}

/**
 * The text of a baseline that accepts every finding of these results. Accepted findings of other files stay if the file still
 * exists.
 */
export function baselineOf(results: readonly CheckResult[], previous: Baseline, exists: (name: string) => boolean): string {
  const { folder } = previous;
  const checked = new Set(results.flatMap(({ files }) => files.map(({ name }) => name)));
  const entries = new Map<string, Entry>();
  for (const entry of previous.entries) {
    const name = resolveName(folder, entry.file);
    if (!checked.has(name) && exists(name)) entries.set(keyOfIdentity(entry), entry);
  }
  for (const result of results) {
    const identify = identifierIn(result, folder);
    for (const diagnostic of result.files.flatMap(({ diagnostics }) => diagnostics)) {
      const identity = identify(diagnostic);
      const key = keyOfIdentity(identity);
      entries.set(key, { ...identity, count: (entries.get(key)?.count ?? 0) + 1 });
    }
  }
  const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, entry]) => entry);
  return jsonDocument({ version: 1, findings: sorted });
}

function identifierIn(result: CheckResult, folder: string): (diagnostic: Diagnostic) => Identity {
  const indexes = new Map<string, ReturnType<typeof lineIndex>>();
  return (diagnostic) => {
    const { uri } = diagnostic.location;
    const lines = indexes.get(uri) ?? lineIndex(result.textOf(uri));
    indexes.set(uri, lines);
    return identityOf(diagnostic, pathFrom(folder, uri), lines);
  };
}

/** The path of a file relative to a folder, with `../` if it is outside. */
function pathFrom(folder: string, name: string): string {
  const from = folder.split("/");
  const to = name.split("/");
  let shared = 0;
  while (shared < from.length && shared < to.length - 1 && from[shared] === to[shared]) shared++;
  return [...from.slice(shared).map(() => ".."), ...to.slice(shared)].join("/");
}
