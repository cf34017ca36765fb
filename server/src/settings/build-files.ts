/**
 * Finds the flags for a source in the files of other tools: the nearest compilation database, `compile_flags.txt` or CMake presets,
 * followed by the nearest `.clangd`. Each file is read once, and its problems are reported at their place.
 */
import { languageOfName } from "../dialect.ts";
import { baseNameOf, isWithin, relativeName, resolveName } from "../names.ts";
import type { Span } from "../source.ts";
import { type ClangdFile, readClangdFile } from "./clangd-file.ts";
import { type CMakePresets, readCMakePresets } from "./cmake-presets.ts";
import { type CompileDatabase, readCompileDatabase, readCompileFlags } from "./compile-database.ts";
import { type Flag, type FlagContext, type FlagSettings, readFlags } from "./compiler-flags.ts";
import { located, type ProblemList } from "./problems.ts";

/** The flags that a build gives a file, and where they are written. */
export interface BuildFlags {
  readonly flags: FlagSettings;
  /** The file that contains them. */
  readonly origin: string;
}

/** The flags that build files give. */
export interface BuildFiles {
  /**
   * The flags of each build file for a source, in the order in which they are added; `folders` are those above the source,
   * nearest first.
   */
  flagsFor(name: string, folders: readonly string[]): readonly BuildFlags[];
  clear(): void;
}

/** Where to look for build files. */
export interface BuildFilesOptions {
  readonly root: string;
  readonly problems: ProblemList;
  /** A build folder that takes precedence over those that are found. */
  readonly buildFolder?: string;
  textOf(name: string): string | undefined;
}

/** The folders in which builds usually leave their database: beside the sources, and only in the root. */
const usualBuildFolders = ["build"];
const rootBuildFolders = ["builddir", "out", "_build", "cmake-build-debug", "cmake-build-release"];

/** Creates a reader of build files. It reads nothing before the first request, and each file once until `clear`. */
export function createBuildFiles({ root, problems, buildFolder, textOf }: BuildFilesOptions): BuildFiles {
  const databases = new Map<string, CompileDatabase | undefined>();
  const clangdFiles = new Map<string, ClangdFile | undefined>();
  const presets = new Map<string, CMakePresets | undefined>();

  const contextIn = (folder: string): FlagContext => ({
    resolve: (path) => resolveName(folder, path),
    readResponseFile: textOf,
  });
  const settingsOf = (flags: readonly Flag[], context: FlagContext): FlagSettings => {
    const reading = readFlags(flags, context);
    for (const { message, location } of reading.problems) if (location !== undefined) problems.add({ message, location });
    return reading.settings;
  };

  const databaseIn = (folder: string): CompileDatabase | undefined => {
    if (databases.has(folder)) return databases.get(folder);
    const name = databaseName(folder);
    const text = textOf(name);
    const database = text === undefined ? undefined : readCompileDatabase(text, folder);
    for (const problem of database?.problems ?? []) problems.add(located(name, problem));
    databases.set(folder, database);
    return database;
  };
  /** The flags from the nearest database. A command for exactly this file is better than one for a neighbor in another database. */
  const fromDatabases = (name: string, places: Iterable<string>): BuildFlags | undefined => {
    const all = [...places].flatMap((folder) => {
      const database = databaseIn(folder);
      const found = database?.commandOf(name);
      return database === undefined || found === undefined ? [] : [{ folder, database, ...found }];
    });
    const best = all.find(({ isExact }) => isExact) ?? all[0];
    if (best === undefined) return undefined;
    const { folder, database, command, isExact } = best;
    // The place is computed only if there is a problem, because databases may be large.
    const location = {
      uri: databaseName(folder),
      get span(): Span {
        return database.spanOf(command.index);
      },
    };
    const context: FlagContext = {
      ...contextIn(command.directory),
      // Many builds are outside of the project, where we may not read their files.
      readResponseFile: (path) => textOf(path) ?? (isWithin(path, root) ? undefined : ""),
    };
    const settings = settingsOf(
      command.arguments.map((text) => ({ text, location })),
      context,
    );
    // A command without a flag for relocatable device code builds without it.
    const own = languageOfName(name) === "cuda" ? { relocatableDeviceCode: false, ...settings } : settings;
    const flags = isExact ? { ...own, isCompiled: true } : settings;
    return { flags, origin: isExact ? "compile_commands.json" : `compile_commands.json (as ${baseNameOf(command.file)})` };
  };
  const presetsIn = (folder: string): CMakePresets | undefined => {
    if (!presets.has(folder)) presets.set(folder, readCMakePresets(folder, textOf));
    return presets.get(folder);
  };
  /** The build of the nearest folder above the file that has one. A build is in the folder that presets name, or in the usual one. */
  const fromBuild = (name: string, folders: readonly string[]): BuildFlags | undefined => {
    const chosen = buildFolder === undefined ? undefined : fromDatabases(name, [buildFolder]);
    if (chosen !== undefined) return chosen;
    for (const folder of folders) {
      const described = presetsIn(folder);
      const usual = folder === root ? [...usualBuildFolders, ...rootBuildFolders] : usualBuildFolders;
      const places = [folder, ...(described?.buildFolders ?? []), ...usual.map((one) => `${folder}/${one}`)];
      const found = fromDatabases(name, new Set(places));
      if (found !== undefined) return found;
      const uri = `${folder}/compile_flags.txt`;
      const text = textOf(uri);
      if (text !== undefined) {
        const lines = readCompileFlags(text).map((line) => ({ text: line.text, location: { uri, span: line.span } }));
        return { flags: settingsOf(lines, contextIn(folder)), origin: "compile_flags.txt" };
      }
      if (described !== undefined && described.cudaFlags.length > 0 && languageOfName(name) === "cuda") {
        const flags = described.cudaFlags.map((flag) => ({ text: flag }));
        return { flags: settingsOf(flags, contextIn(folder)), origin: "CMakePresets.json" };
      }
    }
    return undefined;
  };

  const clangdIn = (folder: string): ClangdFile | undefined => {
    if (clangdFiles.has(folder)) return clangdFiles.get(folder);
    const name = `${folder}/.clangd`;
    const text = textOf(name);
    const file = text === undefined ? undefined : readClangdFile(text);
    for (const problem of file?.problems ?? []) problems.add(located(name, problem));
    clangdFiles.set(folder, file);
    return file;
  };
  const fromClangd = (name: string, folders: readonly string[]): BuildFlags | undefined => {
    const folder = folders.find((each) => clangdIn(each) !== undefined);
    if (folder === undefined) return undefined;
    const uri = `${folder}/.clangd`;
    const added = clangdIn(folder)?.flagsFor(relativeName(name, folder) ?? name) ?? [];
    if (added.length === 0) return undefined;
    const flags = added.map(({ text, start, end }) => ({ text, location: { uri, span: { start, end } } }));
    return { flags: settingsOf(flags, contextIn(folder)), origin: ".clangd" };
  };

  return {
    flagsFor: (name, folders) => [fromBuild(name, folders), fromClangd(name, folders)].filter((flags) => flags !== undefined),
    clear() {
      databases.clear();
      clangdFiles.clear();
      presets.clear();
    },
  };
}

function databaseName(folder: string): string {
  return `${folder}/compile_commands.json`;
}
