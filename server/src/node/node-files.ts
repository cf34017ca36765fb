/**
 * The part of the file system that the core may read: the root folder, and the configured include paths. Each text is read once and
 * kept until the file is reported as changed. Files that are huge, binary or not regular are absent.
 */
import { isUtf8 } from "node:buffer";
import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { baseNameOf, folderOf, isWithin } from "../names.ts";
import { isOfInterest } from "../project/interest.ts";
import { isNeverSearched, type PathPatterns, pathPatterns } from "../settings/ignored.ts";
import { isSettingsFile, settingsFileName } from "../settings/settings.ts";
import type { Files } from "../source.ts";
import { pathOfName } from "./node-names.ts";
import { type OpenLimits, type RealFile, readRegularFile, realNameOf, statOf } from "./real-files.ts";

// Names are normalized before they are read; one that is not normalized could lead out of its folder.
const leadsUpwards = /(?:^|[\\/])\.\.(?:[\\/]|$)/;

/** The limit in bytes. Larger sources are generated, and their findings would help no author. */
export const maximalFileSize = 16 * 1024 * 1024;
const databaseName = "compile_commands.json";
/** The limit on a compilation database, which has an entry for each file of a project. */
const maximalDatabaseSize = 64 * 1024 * 1024;
const maximalSettingsSize = 1024 * 1024;

function maximalSizeOf(name: string): number {
  if (baseNameOf(name) === databaseName) return maximalDatabaseSize;
  return isSettingsFile(name) ? maximalSettingsSize : maximalFileSize;
}

/** The files of a project as Node reads them. */
export interface NodeFiles extends Files {
  /** Why the file is absent although the path exists: too large, binary, a folder, no permission. */
  whyAbsent(name: string): string | undefined;
  /** Lets the core read a folder outside of the root, including through links. */
  allow(folder: string): void;
  /**
   * Forgets what was in those of these names that are or were folders. Returns them, and the files that were or are in them: the
   * listed ones, and all that have been asked for.
   */
  changedFolders(names: readonly string[]): { readonly folders: ReadonlySet<string>; readonly files: readonly string[] };
  /** Forgets the texts of these files, and the list of files if one of them is new or deleted. */
  changed(names: readonly string[]): void;
}

/** The files that belong to a project. */
export interface NodeFilesOptions {
  readonly root: string;
  /** The greatest number of files in a list; a larger tree is listed in part. */
  readonly maximalCount?: number;
  /** Whether folders below the root are listed too. */
  readonly isRecursive?: boolean;
  /** A text that replaces a file's, whether or not the file exists on disk. */
  readonly unsaved?: { readonly name: string; readonly text: string };
  /** True for names that the settings exclude. */
  isExcluded?(name: string): boolean;
  /** Whether the project may name the folder of its build. */
  isTrusted?(): boolean;
}

/**
 * Reads the texts of files in the root and in the folders passed to `allow`; all other files are absent, including targets of
 * links that lead out of these.
 */
export function createNodeFiles(options: NodeFilesOptions): NodeFiles {
  const { root, maximalCount = 20_000, isRecursive = true } = options;
  let allowed = folderSet([root]);
  const texts = new Map<string, string | "absent">();
  const reasons = new Map<string, string>();
  // The existence of an include path's folder, because missing ones are tested for every header.
  const missingFolders = new Map<string, boolean>();
  let listed: readonly string[] | undefined;
  let allowedInTruth: FolderSet | undefined;

  const isInside = (realName: string): boolean => {
    allowedInTruth ??= folderSet([...allowed.names].map((folder) => realNameOf(folder)).filter((folder) => folder !== undefined));
    return isWithinAny(realName, allowedInTruth);
  };
  const isMissing = (folder: string): boolean => {
    const known = missingFolders.get(folder);
    if (known !== undefined) return known;
    const isGone = statOf(folder) === undefined;
    missingFolders.set(folder, isGone);
    return isGone;
  };
  const readVisible = (name: string): SourceText | { readonly reason: string | undefined } => {
    if (leadsUpwards.test(name) || !isWithinAny(name, allowed) || isMissing(folderOf(name))) return { reason: undefined };
    // Build tools recommend a link to this file from the build folder. Its contents affect settings, and are never shown.
    const leadsToBuild = baseNameOf(name) === databaseName && options.isTrusted?.() === true;
    return readText(name, { maximalSize: maximalSizeOf(name), isInside: leadsToBuild ? () => true : isInside });
  };

  const listing: ListOptions = {
    maximalCount,
    isRecursive,
    isExcluded: options.isExcluded ?? (() => false),
    wants: isOfInterest,
    isInside,
  };
  const list = (): readonly string[] => {
    listed ??= listFiles(root, listing);
    return listed;
  };
  const hasWanted = (folder: string): boolean => isWithin(folder, root) && listFiles(folder, listing).length > 0;
  const forget = (name: string): void => {
    texts.delete(name);
    reasons.delete(name);
  };

  return {
    read(name) {
      if (options.unsaved?.name === name) return options.unsaved.text;
      const known = texts.get(name);
      if (known !== undefined) return known;
      const result = readVisible(name);
      if ("text" in result) {
        texts.set(name, result.text);
        return result.text;
      }
      if (result.reason !== undefined) reasons.set(name, result.reason);
      // A link to a build may become valid when the project becomes trusted.
      if (baseNameOf(name) !== databaseName) texts.set(name, "absent");
      return "absent";
    },
    list,
    whyAbsent: (name) => reasons.get(name),
    allow(folder) {
      // A folder below the root is judged by its real location: a link there that leads outside stays forbidden.
      if (allowed.names.has(folder) || isWithin(folder, root)) return;
      allowed = folderSet([...allowed.names, folder]);
      allowedInTruth = undefined;
      for (const [name, text] of texts) if (text === "absent" && isWithin(name, folder)) texts.delete(name);
    },
    changedFolders(names) {
      const known = foldersOf([...texts.keys(), ...(listed ?? [])]);
      const folders = new Set(names.filter((name) => known.has(name) || isFolder(name)));
      if (folders.size === 0) return { folders, files: [] };
      const set = folderSet(folders);
      const below = (all: Iterable<string>) => [...all].filter((name) => isWithinAny(name, set));
      const before = below(listed ?? []);
      const files = new Set([...below(texts.keys()), ...before]);
      // Listing the whole tree again takes time, and builds create many folders without sources.
      if (before.length > 0 || [...folders].some(hasWanted)) {
        listed = undefined;
        for (const name of below(list())) files.add(name);
      }
      missingFolders.clear();
      allowedInTruth = undefined;
      for (const name of files) forget(name);
      return { folders, files: [...files] };
    },
    changed(names) {
      missingFolders.clear();
      allowedInTruth = undefined;
      for (const name of names) forget(name);
      const known = new Set(listed);
      // The list also depends on `.gitignore` files and on the settings' exclusions.
      if (names.some((name) => decidesList(name) || (isOfInterest(name) && known.has(name) !== isFile(name)))) listed = undefined;
    },
  };
}

/** A set of folders in which names are looked up. There may be a thousand folders in it, and a thousand above a name. */
interface FolderSet {
  readonly names: ReadonlySet<string>;
  readonly lengths: ReadonlySet<number>;
}

function folderSet(names: Iterable<string>): FolderSet {
  const set = new Set(names);
  return { names: set, lengths: new Set([...set].map(({ length }) => length)) };
}

/** True if one of the folders is the name or contains it. */
function isWithinAny(name: string, { names, lengths }: FolderSet): boolean {
  for (const length of lengths) {
    const isWhole = name.length === length || name.charAt(length) === "/" || name.charAt(length - 1) === "/";
    if (isWhole && names.has(name.slice(0, length))) return true;
  }
  return false;
}

function decidesList(name: string): boolean {
  return [".gitignore", settingsFileName].includes(baseNameOf(name));
}

/** Every folder around these files. */
function foldersOf(names: readonly string[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const name of names)
    for (let folder = folderOf(name); folder !== "" && !folders.has(folder); folder = folderOf(folder)) folders.add(folder);
  return folders;
}

function isFolder(name: string): boolean {
  return statOf(name)?.isDirectory() === true;
}

function isFile(name: string): boolean {
  return statOf(name)?.isFile() === true;
}

/** Tests whether a real name is inside of the folder's real location. */
export function insideOf(folder: string): (realName: string) => boolean {
  const real = realNameOf(folder);
  return (name) => real !== undefined && isWithin(name, real);
}

/** The text of a file, with the data for writing it again, or the reason why it is absent: `undefined` if nothing has that name. */
export function readText(name: string, limits: OpenLimits = { maximalSize: maximalFileSize }): SourceText | { reason: string | undefined } {
  const file = readRegularFile(name, limits);
  return "bytes" in file ? decode(file) : file;
}

/** A file's text, with the mapping back to its bytes. */
export interface SourceText {
  /** Without a byte order mark. */
  readonly text: string;
  /** The bytes of the file with another text. */
  encode(text: string): Buffer;
  /** The file as it was read. */
  readonly file: RealFile;
}

/**
 * Decodes a file. A file that is not UTF-8 is read byte by byte. Its comments look garbled, but every place is right, and a fix
 * leaves the other bytes as they are.
 */
function decode(file: RealFile): SourceText | { reason: string } {
  const { bytes } = file;
  // Half a character at the end would be lost when the file is written.
  if (bytes[0] === 0xff && bytes[1] === 0xfe && bytes.length % 2 === 1) return { reason: "is UTF-16 with an odd number of bytes" };
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return encoded(file, bytes.subarray(2).toString("utf16le"), "utf16le", "\ufeff");
  if (bytes.subarray(0, 8192).includes(0)) return { reason: "is a binary file" };
  const encoding = isUtf8(bytes) ? "utf8" : "latin1";
  const text = bytes.toString(encoding);
  return text.startsWith("\ufeff") ? encoded(file, text.slice(1), encoding, "\ufeff") : encoded(file, text, encoding, "");
}

function encoded(file: RealFile, text: string, encoding: "utf8" | "utf16le" | "latin1", mark: string): SourceText {
  return { text, file, encode: (changed) => Buffer.from(mark + changed, encoding) };
}

/** The files that a list contains, and their greatest number. */
export interface ListOptions {
  readonly maximalCount: number;
  readonly isRecursive: boolean;
  isExcluded(name: string): boolean;
  wants(name: string): boolean;
  /** Whether the target of a link counts, by its real name. */
  isInside(realName: string): boolean;
}

/**
 * The wanted files of a folder and its subfolders, without those that `.gitignore` files and exclusions name. Folders are visited
 * breadth first, so that the list of a huge tree contains its upper part. Links to folders are not followed.
 */
export function listFiles(root: string, options: ListOptions): readonly string[] {
  const found: string[] = [];
  const queue: { readonly folder: string; readonly patterns: readonly PathPatterns[] }[] = [
    { folder: root, patterns: gitignoresAbove(root) },
  ];
  // Visiting folders without wanted files takes time too.
  let visits = options.maximalCount * 2;
  for (let next = queue.shift(); next !== undefined && found.length < options.maximalCount && visits > 0; next = queue.shift()) {
    visits--;
    const { folder } = next;
    const entries = entriesOf(folder);
    const own = entries.some((entry) => entry.name === ".gitignore") ? gitignoreIn(folder, options.isInside) : undefined;
    const patterns = own === undefined ? next.patterns : [own, ...next.patterns];
    for (const entry of entries) {
      const name = `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (options.isRecursive && !isNeverSearched(name) && !isIgnored(name, true, patterns)) queue.push({ folder: name, patterns });
      } else if (
        (entry.isFile() || entry.isSymbolicLink()) &&
        options.wants(name) &&
        !isIgnored(name, false, patterns) &&
        !options.isExcluded(name) &&
        (entry.isFile() || isLinkInside(name, options))
      ) {
        found.push(name);
      }
    }
  }
  return found.slice(0, options.maximalCount).sort();
}

function isLinkInside(name: string, { isInside }: Pick<ListOptions, "isInside">): boolean {
  const real = realNameOf(name);
  return real !== undefined && isInside(real);
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

function gitignoreIn(folder: string, isInside: ListOptions["isInside"]): PathPatterns | undefined {
  const result = readText(`${folder}/.gitignore`, { maximalSize: maximalSettingsSize, isInside });
  return "text" in result ? pathPatterns(result.text, folder) : undefined;
}

/** The `.gitignore` files between the folder and the top of its repository, nearest first. */
function gitignoresAbove(folder: string): readonly PathPatterns[] {
  const top = repositoryOf(folder);
  if (top === undefined) return [];
  const isInside = insideOf(top);
  const patterns: PathPatterns[] = [];
  for (let above = folder; above !== top; ) {
    above = folderOf(above);
    const own = gitignoreIn(above, isInside);
    if (own !== undefined) patterns.push(own);
  }
  return patterns;
}

/** The nearest folder at or above this one that is the root of a git work tree. */
export function repositoryOf(folder: string): string | undefined {
  for (let above = folder; above.length > "file://".length; above = folderOf(above)) {
    if (isThere(`${above}/.git`)) return above;
  }
  return undefined;
}

/** True if the name exists, whatever a link of that name leads to. */
function isThere(name: string): boolean {
  const path = pathOfName(name);
  try {
    return path !== undefined && lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
