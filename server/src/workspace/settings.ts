/**
 * Which compile settings are in force for a file: those that a build left behind (`compile_commands.json`,
 * `compile_flags.txt`, `.clangd`), then those of `gpu-qualifiers.json`, then those of the host (a command line, an
 * editor); each has the last word over the ones before. It reads through `Files` only, and never outside of its root.
 */
import { type CompileSettings, embeddedProfile, fullProfile, type Limits, languageOfName } from "../dialect.ts";
import type { Severity } from "../finding.ts";
import { baseNameOf, folderOf, foldersUpTo, relativeName, resolveName } from "../names.ts";
import type { Files, Location } from "../source.ts";
import { type CompileDatabase, readClangdFlags, readCompileDatabase, readCompileFlags } from "./compile-database.ts";
import { type FlagReading, type FlagSettings, mergeFlags, noFlags, readFlags } from "./compiler-flags.ts";
import { pathPatterns } from "./ignored.ts";
import { readSettingsFile, type SettingsFile, type SettingsProblem, spanInSettings } from "./settings-file.ts";
import type { JsonSchema } from "./settings-schema.ts";

export const settingsFileName = "gpu-qualifiers.json";
const settingsFiles = [settingsFileName, "compile_commands.json", "compile_flags.txt", ".clangd"];

/** True for files whose change may change the settings of others. */
export function isSettingsFile(name: string): boolean {
  return settingsFiles.includes(baseNameOf(name));
}

/** By the rules' ids. */
type Severities = Readonly<Record<string, Severity | "off">>;

export interface LocatedProblem {
  readonly message: string;
  readonly location: Location;
}

export interface Settings {
  /** The compile settings in force for a file. */
  of(name: string): CompileSettings;
  /** Severities for a file, from every settings file above it; the nearest has the last word. */
  severitiesOf(name: string): Severities;
  /** True for what `exclude` in the root's settings file names. */
  isExcluded(name: string): boolean;
  /** What is wrong with a settings file; undefined where the file is no settings file of ours or cannot be read. */
  problemsOf(name: string): readonly LocatedProblem[] | undefined;
  /** Every settings file that was used so far and has problems. */
  problems(): readonly LocatedProblem[];
  /** Settings files that were asked for and have not been read yet: fetch them, then call `changed`. */
  unread(): readonly string[];
  /** A settings file changed, came or went. */
  changed(): void;
}

export interface SettingsOptions {
  /** The folder above which nothing is looked at. */
  readonly root: string;
  readonly files: Pick<Files, "read">;
  readonly schema: JsonSchema;
  /** What the host says on top, such as flags of a command line. */
  readonly flags?: FlagSettings;
  readonly flagsOrigin?: string;
  /** Severities that have the last word. */
  readonly rules?: Severities;
}

interface ReadFile {
  readonly name: string;
  readonly settings: SettingsFile;
  readonly problems: readonly SettingsProblem[];
  readonly flags: FlagSettings;
}

/** Answers are kept until `changed`. A settings file that has not been read yet counts as absent, and is among `unread`. */
export function createSettings(options: SettingsOptions): Settings {
  const { root, files, schema } = options;
  const unread = new Set<string>();
  const texts = new Map<string, string | undefined>();
  const databases = new Map<string, CompileDatabase | undefined>();
  const settingsFilesRead = new Map<string, ReadFile>();
  const answers = new Map<string, CompileSettings>();
  const severities = new Map<string, Severities>();

  const textOf = (name: string): string | undefined => {
    if (texts.has(name)) return texts.get(name);
    const text = files.read(name);
    if (text === "unread") unread.add(name);
    const known = text === "unread" || text === "absent" ? undefined : text;
    texts.set(name, known);
    return known;
  };

  const contextIn = (folder: string) => ({
    resolve: (path: string) => resolveName(folder, path),
    readResponseFile: (path: string) => textOf(resolveName(folder, path)),
  });

  const settingsFileIn = (folder: string): ReadFile | undefined => {
    const name = `${folder}/${settingsFileName}`;
    const text = textOf(name);
    if (text === undefined) return undefined;
    const known = settingsFilesRead.get(name);
    if (known !== undefined) return known;
    const { settings, problems } = readSettingsFile(text, schema);
    const own = flagsOfFile(settings, contextIn(folder));
    const inFlags = own.problems.map((message) => ({ message, span: spanInSettings(text, ["flags"]) }));
    const idle =
      settings.exclude === undefined || folder === root
        ? []
        : [{ message: "'exclude' has an effect in the top folder only", span: spanInSettings(text, ["exclude"]) }];
    const read = { name, settings, problems: [...problems, ...inFlags, ...idle], flags: own.settings };
    settingsFilesRead.set(name, read);
    return read;
  };

  const databaseIn = (folder: string): CompileDatabase | undefined => {
    if (databases.has(folder)) return databases.get(folder);
    const text = textOf(`${folder}/compile_commands.json`);
    const database = text === undefined ? undefined : readCompileDatabase(text, folder);
    databases.set(folder, database);
    return database;
  };

  const answer = (name: string): CompileSettings => {
    const folders = foldersUpTo(name, root);
    const origins: string[] = [];
    let flags = noFlags;
    const add = (more: FlagSettings, origin: string) => {
      flags = mergeFlags(flags, more);
      origins.push(origin);
    };

    const built = fromBuild(name, folders, { textOf, databaseIn, contextIn });
    if (built !== undefined) add(built.flags, built.origin);
    for (const folder of folders) {
      const text = textOf(`${folder}/.clangd`);
      if (text === undefined) continue;
      const added = readClangdFlags(text, relativeName(name, folder) ?? name);
      if (added.length > 0) add(readFlags(added, contextIn(folder)).settings, ".clangd");
      break;
    }
    const file = first(folders, settingsFileIn);
    if (file !== undefined) add(mergeFlags(file.flags, overridesOf(file, name, contextIn(folderOf(file.name)))), settingsFileName);
    if (options.flags !== undefined) add(options.flags, options.flagsOrigin ?? "command line");
    return { ...flags, limits: limitsOf(file?.settings), origin: origins.length === 0 ? "defaults" : origins.join(", ") };
  };

  return {
    of(name) {
      const known = answers.get(name);
      if (known !== undefined) return known;
      const settings = answer(name);
      answers.set(name, settings);
      return settings;
    },
    severitiesOf(name) {
      const known = severities.get(name);
      if (known !== undefined) return known;
      const folders = foldersUpTo(name, root);
      const files = (folders.length === 0 ? [root] : [...folders].reverse()).flatMap((folder) => settingsFileIn(folder) ?? []);
      const all = Object.assign({}, ...files.flatMap((file) => severitiesIn(file, name)), options.rules);
      severities.set(name, all);
      return all;
    },
    isExcluded(name) {
      const patterns = settingsFileIn(root)?.settings.exclude;
      return patterns !== undefined && pathPatterns(patterns, root).matches(name);
    },
    problemsOf(name) {
      if (baseNameOf(name) !== settingsFileName) return undefined;
      const file = settingsFileIn(folderOf(name));
      return file === undefined ? undefined : located(file);
    },
    problems() {
      settingsFileIn(root);
      return [...settingsFilesRead.values()].flatMap(located);
    },
    unread: () => [...unread],
    changed() {
      for (const cache of [unread, texts, databases, settingsFilesRead, answers, severities]) cache.clear();
    },
  };
}

interface BuildAccess {
  textOf(name: string): string | undefined;
  databaseIn(folder: string): CompileDatabase | undefined;
  contextIn(folder: string): { resolve(path: string): string; readResponseFile(path: string): string | undefined };
}

/** The nearest `compile_flags.txt` or compilation database, in a folder above the file or in a `build` folder there, as clangd looks for them. */
function fromBuild(name: string, folders: readonly string[], access: BuildAccess): { flags: FlagSettings; origin: string } | undefined {
  for (const folder of folders) {
    for (const place of [folder, `${folder}/build`]) {
      const found = access.databaseIn(place)?.commandOf(name);
      if (found === undefined) continue;
      const { command, isExact } = found;
      const { settings } = readFlags(command.arguments, access.contextIn(command.directory));
      // A command that does not ask for relocatable device code is one without.
      const flags = isExact && languageOfName(name) === "cuda" ? { relocatableDeviceCode: false, ...settings } : settings;
      return { flags, origin: isExact ? "compile_commands.json" : `compile_commands.json (as ${baseNameOf(command.file)})` };
    }
    const text = access.textOf(`${folder}/compile_flags.txt`);
    if (text !== undefined)
      return { flags: readFlags(readCompileFlags(text), access.contextIn(folder)).settings, origin: "compile_flags.txt" };
  }
  return undefined;
}

/** What a settings file says in its own words, and then by flags. */
function flagsOfFile(
  file: SettingsFile,
  context: { resolve(path: string): string; readResponseFile(path: string): string | undefined },
): FlagReading {
  const { opencl = {}, cuda = {}, macros = {}, includePaths = [] } = file;
  const spelled = [
    ...includePaths.map((path) => `-I${path}`),
    ...Object.entries(macros).map(([name, value]) => macroFlag(name, value)),
    ...(opencl.standard === undefined ? [] : [`-cl-std=${opencl.standard}`]),
    ...Object.entries(opencl.extensions ?? {}).map(([name, isOn]) => `-cl-ext=${isOn ? "+" : "-"}${name}`),
    ...(cuda.standard === undefined ? [] : [`-std=${cuda.standard}`]),
    ...(cuda.architectures ?? []).map((name) => `-arch=${name}`),
    ...(cuda.relocatableDeviceCode === undefined ? [] : [`-rdc=${cuda.relocatableDeviceCode}`]),
  ];
  return readFlags([...spelled, ...(file.flags ?? [])], context);
}

function macroFlag(name: string, value: string | number | boolean | null): string {
  if (value === null) return `-U${name}`;
  return `-D${name}=${typeof value === "boolean" ? Number(value) : value}`;
}

function overridesOf(file: ReadFile, name: string, context: { resolve(path: string): string }): FlagSettings {
  return (file.settings.overrides ?? [])
    .filter(({ files }) => pathPatterns(files, folderOf(file.name)).matches(name))
    .map(({ flags }) => readFlags(flags ?? [], context).settings)
    .reduce(mergeFlags, noFlags);
}

/** What one settings file says about the rules, the more special last. */
function severitiesIn({ name: settingsName, settings }: ReadFile, name: string): readonly Severities[] {
  const { rules = {}, overrides = [] } = settings;
  const special = overrides.filter(({ files }) => pathPatterns(files, folderOf(settingsName)).matches(name));
  return [rules, ...special.map((override) => override.rules ?? {})];
}

function limitsOf(file: SettingsFile | undefined): Limits {
  const profile = file?.opencl?.profile;
  return {
    ...(profile === "embedded" ? embeddedProfile : fullProfile),
    ...file?.limits,
    areConfigured: profile !== undefined || file?.limits !== undefined,
  };
}

function located(file: ReadFile): readonly LocatedProblem[] {
  return file.problems.map(({ message, span }) => ({ message, location: { uri: file.name, span } }));
}

function first<Item, Result>(items: readonly Item[], find: (item: Item) => Result | undefined): Result | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
