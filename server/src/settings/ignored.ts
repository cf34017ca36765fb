/**
 * Decides which files a project excludes: by the `.gitignore` files in and above their folders, and by patterns of the same kind in
 * the settings. `glob.ts` matches a single pattern.
 */
import { baseNameOf, relativeName } from "../names.ts";
import { type Glob, matchesGlob, parseGlob } from "./glob.ts";

/** Answers whether a path is excluded. */
export interface PathPatterns {
  /** Whether a file of that name matches; a name outside of the patterns' folder never does. */
  matches(name: string): boolean;
  /** Like `matches`, for a folder, which patterns with a trailing slash match too. */
  matchesFolder(name: string): boolean;
  /** The verdict of the last matching pattern; undefined if none matches, so that an outer file decides. */
  verdict(name: string, isFolder: boolean): boolean | undefined;
}

/** The greatest number of patterns. The rest are ignored, because every file is tested against each pattern. */
const mostPatterns = 4_000;
/** No system opens longer paths. */
const longestPath = 4_096;

/** The patterns of a `.gitignore` in `folder`. */
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
  // The files of a folder usually follow each other.
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
    // A file in an ignored folder cannot be included again.
    return isIgnoredFolder(path.slice(0, -1)) || verdictOf(path, isFolder);
  };
  return {
    matches: (name) => verdict(name, false) ?? false,
    matchesFolder: (name) => verdict(name, true) ?? false,
    verdict,
  };
}

// Whatever a project's .gitignore says, these folders never contain code that a person wrote for it.
const neverSearched = new Set(["node_modules", "__pycache__", "CMakeFiles"]);

/** Folders that are skipped when files are listed: hidden ones and those of package managers and build systems. */
export function isNeverSearched(folder: string): boolean {
  const base = baseNameOf(folder);
  return base.startsWith(".") || neverSearched.has(base);
}
