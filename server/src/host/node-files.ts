/**
 * The file system as the core may see it: what lies in the root folder, and in the include paths that were configured.
 * Texts are read once and kept until they are said to have changed; files that are huge, binary or no files are absent.
 */
import { isUtf8 } from "node:buffer";
import type { Dirent } from "node:fs";
import { lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { baseNameOf, folderOf, isWithin } from "../names.ts";
import type { Files } from "../source.ts";
import { isNeverSearched, type PathPatterns, pathPatterns } from "../workspace/ignored.ts";
import { settingsFileName } from "../workspace/settings.ts";
import { isOfInterest } from "./interest.ts";
import { pathOfName } from "./node-names.ts";

// Names are normalised before they are read; one that is not could lead out of its folder again.
const leadsUpwards = /(?:^|[\\/])\.\.(?:[\\/]|$)/;

const maximalFileSize = 16 * 1024 * 1024;

export interface NodeFiles extends Files {
  /** Why the file is absent although the path exists: too large, binary, a folder, no permission. */
  whyAbsent(name: string): string | undefined;
  /** Lets the core see a folder outside of the root. */
  allow(folder: string): void;
  /** Forgets what was read of these files, and the list when one of them is new or gone. */
  changed(names: readonly string[]): void;
}

export interface NodeFilesOptions {
  readonly root: string;
  /** How many files are listed at most; a tree that is larger is listed in part. */
  readonly maximalCount?: number;
  /** Folders below the root are listed, too. */
  readonly isRecursive?: boolean;
  /** Names that the settings exclude. */
  isExcluded?(name: string): boolean;
}

/** Texts of files in the root and in what `allow` names; everything else is absent. */
export function createNodeFiles(options: NodeFilesOptions): NodeFiles {
  const { root, maximalCount = 20_000, isRecursive = true } = options;
  const allowed = new Set([root]);
  const texts = new Map<string, string | "absent">();
  const reasons = new Map<string, string>();
  let listed: readonly string[] | undefined;

  return {
    read(name) {
      const known = texts.get(name);
      if (known !== undefined) return known;
      const isVisible = !leadsUpwards.test(name) && [...allowed].some((folder) => isWithin(name, folder));
      const result = isVisible ? readText(name) : { reason: undefined };
      if ("text" in result) {
        texts.set(name, result.text);
        return result.text;
      }
      if (result.reason !== undefined) reasons.set(name, result.reason);
      texts.set(name, "absent");
      return "absent";
    },
    list() {
      listed ??= listFiles(root, { maximalCount, isRecursive, isExcluded: options.isExcluded ?? (() => false), wants: isOfInterest });
      return listed;
    },
    whyAbsent: (name) => reasons.get(name),
    allow(folder) {
      if (allowed.has(folder)) return;
      allowed.add(folder);
      for (const [name, text] of texts) if (text === "absent" && isWithin(name, folder)) texts.delete(name);
    },
    changed(names) {
      for (const name of names) {
        texts.delete(name);
        reasons.delete(name);
      }
      const known = new Set(listed);
      // What is listed is also what `.gitignore` files and the settings' exclusions leave.
      if (names.some((name) => decidesList(name) || (isOfInterest(name) && known.has(name) !== isFile(name)))) listed = undefined;
    },
  };
}

function decidesList(name: string): boolean {
  return [".gitignore", settingsFileName].includes(baseNameOf(name));
}

function isFile(name: string): boolean {
  const path = pathOfName(name);
  return path !== undefined && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/**
 * The text of a file with what writing it again needs, or why there is none: `undefined` where nothing has that name.
 */
export function readText(name: string): SourceText | { reason: string | undefined } {
  const path = pathOfName(name);
  if (path === undefined) return { reason: undefined };
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return { reason: undefined };
    // A named pipe or a device could be read for ever.
    if (!stats.isFile()) return { reason: stats.isDirectory() ? "is a folder" : "is not a regular file" };
    if (stats.size > maximalFileSize) return { reason: `is larger than ${maximalFileSize / 1024 / 1024} MB` };
    return decode(readFileSync(path));
  } catch (error) {
    return { reason: `cannot be read (${errorCode(error)})` };
  }
}

export interface SourceText {
  /** Without a byte order mark. */
  readonly text: string;
  /** The bytes of the file if its text were this one. */
  encode(text: string): Buffer;
}

/**
 * Whatever is not UTF-8 is read byte by byte: comments in another encoding then are strange, but every place is right, and
 * a fix leaves the other bytes as they are.
 */
function decode(bytes: Buffer): SourceText | { reason: string } {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return encoded(bytes.subarray(2).toString("utf16le"), "utf16le", "\ufeff");
  if (bytes.subarray(0, 8192).includes(0)) return { reason: "is a binary file" };
  const encoding = isUtf8(bytes) ? "utf8" : "latin1";
  const text = bytes.toString(encoding);
  return text.startsWith("\ufeff") ? encoded(text.slice(1), encoding, "\ufeff") : encoded(text, encoding, "");
}

function encoded(text: string, encoding: "utf8" | "utf16le" | "latin1", mark: string): SourceText {
  return { text, encode: (changed) => Buffer.from(mark + changed, encoding) };
}

/** `ENOENT` and its like; the message of what has no code. */
export function errorCode(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  return error instanceof Error ? error.message : String(error);
}

export interface ListOptions {
  readonly maximalCount: number;
  readonly isRecursive: boolean;
  isExcluded(name: string): boolean;
  wants(name: string): boolean;
}

/**
 * The wanted files of a folder and those below, by name, without what `.gitignore` files and exclusions name. Folders are
 * visited breadth first, so that a tree too large to list gives its upper part; links to folders are not followed.
 */
export function listFiles(root: string, options: ListOptions): readonly string[] {
  const found: string[] = [];
  const queue: { readonly folder: string; readonly patterns: readonly PathPatterns[] }[] = [
    { folder: root, patterns: gitignoresAbove(root) },
  ];
  // Folders without a wanted file cost time as well.
  let visits = options.maximalCount * 2;
  for (let next = queue.shift(); next !== undefined && found.length < options.maximalCount && visits > 0; next = queue.shift()) {
    visits--;
    const { folder } = next;
    const entries = entriesOf(folder);
    const own = entries.some((entry) => entry.name === ".gitignore") ? gitignoreIn(folder) : undefined;
    const patterns = own === undefined ? next.patterns : [own, ...next.patterns];
    for (const entry of entries) {
      const name = `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (options.isRecursive && !isNeverSearched(name) && !isIgnored(name, true, patterns)) queue.push({ folder: name, patterns });
      } else if (
        (entry.isFile() || entry.isSymbolicLink()) &&
        options.wants(name) &&
        !isIgnored(name, false, patterns) &&
        !options.isExcluded(name)
      ) {
        found.push(name);
      }
    }
  }
  return found.slice(0, options.maximalCount).sort();
}

function entriesOf(folder: string): readonly Dirent[] {
  const path = pathOfName(folder);
  if (path === undefined) return [];
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}

function isIgnored(name: string, isFolder: boolean, patterns: readonly PathPatterns[]): boolean {
  for (const pattern of patterns) {
    const verdict = pattern.verdict(name, isFolder);
    if (verdict !== undefined) return verdict;
  }
  return false;
}

function gitignoreIn(folder: string): PathPatterns | undefined {
  const result = readText(`${folder}/.gitignore`);
  return "text" in result ? pathPatterns(result.text, folder) : undefined;
}

/** The `.gitignore` files between the folder and the top of its repository, nearest first. */
function gitignoresAbove(folder: string): readonly PathPatterns[] {
  const top = repositoryOf(folder);
  if (top === undefined) return [];
  const patterns: PathPatterns[] = [];
  for (let above = folder; above !== top; ) {
    above = folderOf(above);
    const own = gitignoreIn(above);
    if (own !== undefined) patterns.push(own);
  }
  return patterns;
}

/** The nearest folder at or above this one that is the top of a git work tree. */
export function repositoryOf(folder: string): string | undefined {
  for (let above = folder; above.length > "file://".length; above = folderOf(above)) {
    const path = pathOfName(`${above}/.git`);
    if (path !== undefined && lstatSync(path, { throwIfNoEntry: false }) !== undefined) return above;
  }
  return undefined;
}
