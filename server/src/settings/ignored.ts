/**
 * Which files a project does not want looked at: the `.gitignore` files on the way to it, and patterns of the same kind
 * from the settings. How one pattern matches is `glob.ts`'s business.
 */
import { baseNameOf, relativeName } from "../names.ts";
import { type Glob, matchesGlob, parseGlob } from "./glob.ts";

/** Answers whether a path is excluded. */
export interface PathPatterns {
  /** Whether a file of that name matches; names outside of the patterns' folder never do. */
  matches(name: string): boolean;
  /** The same for a folder, whose patterns may end with a slash. */
  matchesFolder(name: string): boolean;
  /** What the last pattern that speaks of it says; undefined where none does, so that an outer file decides. */
  verdict(name: string, isFolder: boolean): boolean | undefined;
}

/** Each is asked about each file; who has more lists files, and those after these do not count. */
const mostPatterns = 4_000;
/** Longer ones no system opens. */
const longestPath = 4_096;

/** Patterns as in a `.gitignore` that lies in `folder`. */
export function pathPatterns(patterns: string | readonly string[], folder: string): PathPatterns {
  const lines = typeof patterns === "string" ? patterns.split(/\r?\n/) : patterns;
  const globs: Glob[] = [];
  for (const line of lines) {
    const glob = globs.length < mostPatterns ? parseGlob(line) : undefined;
    if (glob !== undefined) globs.push(glob);
  }
  const verdictOf = (path: readonly string[], isFolder: boolean): boolean | undefined => {
    const last = globs.findLast((glob) => (isFolder || !glob.isForFolders) && matchesGlob(glob, path));
    return last === undefined ? undefined : !last.isNegative;
  };
  // Files of a folder mostly come one after the other.
  let lastFolder: { readonly path: string; readonly isIgnored: boolean } | undefined;
  const isIgnoredFolder = (path: readonly string[]): boolean => {
    const key = path.join("/");
    if (lastFolder?.path === key) return lastFolder.isIgnored;
    const isIgnored = path.some((_, index) => verdictOf(path.slice(0, index + 1), true) === true);
    lastFolder = { path: key, isIgnored };
    return isIgnored;
  };
  const verdict = (name: string, isFolder: boolean): boolean | undefined => {
    const relative = relativeName(name, folder);
    if (relative === undefined || relative === "" || relative.length > longestPath || globs.length === 0) return undefined;
    const path = relative.toLowerCase().split("/");
    // What lies in an ignored folder cannot be taken out again.
    return isIgnoredFolder(path.slice(0, -1)) || verdictOf(path, isFolder);
  };
  return {
    matches: (name) => verdict(name, false) ?? false,
    matchesFolder: (name) => verdict(name, true) ?? false,
    verdict,
  };
}

// Nothing that a person wrote for this project lies in these, whatever the project's .gitignore says.
const neverSearched = new Set(["node_modules", "__pycache__", "CMakeFiles"]);

/** Folders that are not entered when files are listed: hidden ones and those of package managers and build systems. */
export function isNeverSearched(folder: string): boolean {
  const base = baseNameOf(folder);
  return base.startsWith(".") || neverSearched.has(base);
}
