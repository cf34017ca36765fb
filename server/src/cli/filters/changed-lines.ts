/**
 * Finds for `--diff` the lines of a repository's files that are new since a commit, according to git. The work tree is compared
 * with the common ancestor, so code that others have changed on the base branch does not count as new.
 */
import { spawnSync } from "node:child_process";
import { devNull } from "node:os";
import { repositoryOf } from "../../node/node-files.ts";
import { pathOfName } from "../../node/node-names.ts";
import { programOf } from "../../node/programs.ts";
import { type LineIndex, lineIndex } from "../../project/lines.ts";
import type { SourceSpan } from "../../source.ts";
import type { CheckResult } from "../check.ts";

/** The changed lines of a file, counted from zero; `all` for a new file. */
type Lines = "all" | readonly { readonly first: number; readonly last: number }[];

/** Answers which lines of a file have changed. */
export interface ChangedLines {
  of(name: string): Lines;
}

/** The changes in the repository around a folder since `base`, or the reason why they cannot be determined. */
export function changedSince(base: string, root: string): ChangedLines | { readonly problem: string } {
  const repository = repositoryOf(root);
  const folder = repository === undefined ? undefined : pathOfName(repository);
  if (repository === undefined || folder === undefined) return { problem: `--diff needs a git repository around '${pathOfName(root)}'` };
  const commit = git(folder, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${base}^{commit}`]);
  if (typeof commit !== "string") {
    return { problem: commit.isMissing ? "--diff needs git, which is not installed" : `git knows no commit '${base}'` };
  }
  // A shallow clone may lack the common ancestor; then the base itself is used.
  const common = git(folder, ["merge-base", commit.trim(), "HEAD"]);
  const since = typeof common === "string" ? common.trim() : commit.trim();
  const settings = withoutOwnFilters(folder);
  const diff = git(folder, ["diff", ...plainDiff, since, "--"], settings);
  const untracked = git(folder, ["ls-files", "--others", "--exclude-standard", "-z"], settings);
  if (typeof diff !== "string" || typeof untracked !== "string") return { problem: `git cannot compare with '${base}'` };
  const lines = new Map<string, Lines>([...linesOfDiff(diff)].map(([path, ranges]) => [`${repository}/${path}`, ranges]));
  for (const path of untracked.split("\0")) if (path !== "") lines.set(`${repository}/${path}`, "all");
  return { of: (name) => lines.get(name) ?? [] };
}

// The user's or the repository's diff settings must neither change this diff nor start a program.
const plainDiff = [
  ...["--unified=0", "--no-color", "--no-ext-diff", "--no-textconv", "--find-renames", "--ignore-submodules"],
  ...["--src-prefix=a/", "--dst-prefix=b/", "--inter-hunk-context=0", "--no-relative"],
];

type Setting = readonly [key: string, value: string];

/**
 * Settings that keep git from starting the programs in a repository's settings: hooks, filters, transports. The repository may come
 * from a stranger.
 */
const harmless: readonly Setting[] = [
  ["core.quotePath", "false"],
  ["core.fsmonitor", "false"],
  ["core.hooksPath", devNull],
];
const environment = { GIT_OPTIONAL_LOCKS: "0", GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "none", GIT_TERMINAL_PROMPT: "0" };

/** Milliseconds after which git is stopped and counts as unable to read the repository. */
const patience = 120_000;

/** Settings that override the repository's own filters and git's files. Those of the user stay in force. */
function withoutOwnFilters(folder: string): readonly Setting[] {
  const found = git(folder, ["config", "--show-scope", "-z", "--get-regexp", "^(filter\\.|core\\.(excludesfile|attributesfile)$)"]);
  if (typeof found !== "string") return [];
  const parts = found.split("\0");
  return parts.flatMap((scope, index): readonly Setting[] => {
    if (index % 2 === 1 || (scope !== "local" && scope !== "worktree")) return [];
    const [key = ""] = (parts[index + 1] ?? "").split("\n");
    return [[key, key.endsWith(".required") ? "false" : ""]];
  });
}

function git(folder: string, args: readonly string[], settings: readonly Setting[] = []): string | { readonly isMissing: boolean } {
  const before = Number(process.env["GIT_CONFIG_COUNT"] ?? 0);
  // Filter names may contain any character, so they are not passed on the command line.
  const all = [...harmless, ...settings].flatMap(([key, value], index): readonly Setting[] => [
    [`GIT_CONFIG_KEY_${before + index}`, key],
    [`GIT_CONFIG_VALUE_${before + index}`, value],
  ]);
  const program = programOf("git");
  if (program === undefined) return { isMissing: true };
  const { status, stdout } = spawnSync(program, args, {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 2 ** 30,
    stdio: ["ignore", "pipe", "ignore"],
    timeout: patience,
    env: { ...process.env, ...environment, ...Object.fromEntries(all), GIT_CONFIG_COUNT: String(before + all.length / 2) },
  });
  return status === 0 ? stdout : { isMissing: false };
}

/** Changed lines by the path after the change. */
function linesOfDiff(diff: string): ReadonlyMap<string, Exclude<Lines, "all">> {
  const files = new Map<string, { first: number; last: number }[]>();
  let ranges: { first: number; last: number }[] = [];
  // The lines of a hunk are counted, because one of them may look like a file header.
  let left = 0;
  for (const line of diff.split("\n")) {
    if (left > 0 && !line.startsWith("\\")) {
      left--;
      continue;
    }
    if (line.startsWith("+++ ")) {
      ranges = [];
      const path = unquoted(line.slice("+++ ".length).replace(/\t$/, ""));
      if (path.startsWith("b/")) files.set(path.slice(2), ranges);
    }
    const hunk = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (hunk === null) continue;
    const [removed, start, added] = [Number(hunk[1] ?? 1), Number(hunk[2]), Number(hunk[3] ?? 1)];
    left = removed + added;
    if (added > 0) ranges.push({ first: start - 1, last: start + added - 2 });
  }
  return files;
}

const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

/** The path in git's output, which spells a path with control characters or quotes as a C string with octal bytes. */
function unquoted(path: string): string {
  if (!path.startsWith('"')) return path;
  const bytes: Buffer[] = [];
  for (const [part, octal, letter] of path.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/gsu)) {
    if (octal !== undefined) bytes.push(Buffer.from([Number.parseInt(octal, 8)]));
    else if (letter === undefined) bytes.push(Buffer.from(part));
    else bytes.push(escapes[letter] === undefined ? Buffer.from(letter) : Buffer.from([escapes[letter]]));
  }
  return Buffer.concat(bytes).toString("utf8");
}

/** The result with only the findings on changed lines. */
export function onChangedLines(result: CheckResult, changed: ChangedLines): CheckResult {
  const files = result.files.map((file) => {
    const { diagnostics } = file;
    return {
      ...file,
      diagnostics: diagnostics.filter(({ location: { uri, span } }) => touches(changed.of(uri), span, result.textOf(uri))),
    };
  });
  return { ...result, files };
}

function touches(lines: Lines, span: SourceSpan, text: string): boolean {
  if (lines === "all") return true;
  if (lines.length === 0) return false;
  const { first, last } = linesOf(span, lineIndex(text), text);
  return lines.some((range) => range.first <= last && first <= range.last);
}

function linesOf(span: SourceSpan, index: LineIndex, text: string): { readonly first: number; readonly last: number } {
  // git ends lines at line feeds only.
  if (!/\r(?!\n)/.test(text))
    return { first: index.placeOf(span.start).line, last: index.placeOf(Math.max(span.start, span.end - 1)).line };
  const line = (offset: number) => text.slice(0, offset).split("\n").length - 1;
  return { first: line(span.start), last: line(Math.max(span.start, span.end - 1)) };
}
