/**
 * Which files a project does not want looked at: the `.gitignore` files on the way to it, and patterns of the same kind
 * from the settings. The only file that imports the package ignore.
 */
import ignore from "ignore";
import { baseNameOf, relativeName } from "../names.ts";

export interface PathPatterns {
  /** Whether a file of that name matches; names outside of the patterns' folder never do. */
  matches(name: string): boolean;
  /** The same for a folder, whose patterns may end with a slash. */
  matchesFolder(name: string): boolean;
  /** What the last pattern that speaks of it says; undefined where none does, so that an outer file decides. */
  verdict(name: string, isFolder: boolean): boolean | undefined;
}

/** Patterns as in a `.gitignore` that lies in `folder`. */
export function pathPatterns(patterns: string | readonly string[], folder: string): PathPatterns {
  const rules = ignore({ allowRelativePaths: true }).add(patterns);
  const test = (name: string, isFolder: boolean) => {
    const path = relativeName(name, folder);
    return path === undefined || path === "" ? undefined : rules.test(isFolder ? `${path}/` : path);
  };
  return {
    matches: (name) => test(name, false)?.ignored ?? false,
    matchesFolder: (name) => test(name, true)?.ignored ?? false,
    verdict(name, isFolder) {
      const result = test(name, isFolder);
      if (result?.ignored) return true;
      return result?.unignored ? false : undefined;
    },
  };
}

// Nothing that a person wrote for this project lies in these, whatever the project's .gitignore says.
const neverSearched = new Set(["node_modules", "__pycache__", "CMakeFiles"]);

/** Folders that are not entered when files are listed: hidden ones and those of package managers and build systems. */
export function isNeverSearched(folder: string): boolean {
  const base = baseNameOf(folder);
  return base.startsWith(".") || neverSearched.has(base);
}
