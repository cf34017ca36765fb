/**
 * The compile settings of a file. Those of the build (`build-files.ts`) come first, then those of `gpu-qualifiers.json`, then those
 * of the host (a command line, an editor); later ones override earlier ones. Settings are read only through `Files`, and never
 * outside of the root.
 */
import { type CompileSettings, embeddedProfile, fullProfile, type Limits } from "../dialect.ts";
import type { Profile } from "../finding.ts";
import { baseNameOf, folderOf, foldersUpTo, isWithin, resolveName } from "../names.ts";
import type { Files } from "../source.ts";
import { createBuildFiles } from "./build-files.ts";
import { isPresetsFile } from "./cmake-presets.ts";
import { type FlagSettings, mergeFlags, noFlags } from "./compiler-flags.ts";
import { createProblemList, type LocatedProblem } from "./problems.ts";
import { type ProjectSettings, readProjectSettings, type SettingPath, type Severities } from "./project-settings.ts";
import type { SettingsFile } from "./settings-file.ts";
import type { JsonSchema } from "./settings-schema.ts";
import { severitiesOfProfile } from "./settings-schema.ts";

/** The name of a project's settings file. */
export const settingsFileName = "gpu-qualifiers.json";
const settingsFiles = [settingsFileName, "compile_commands.json", "compile_flags.txt", ".clangd"];

/** True for files whose contents may change the settings of others. */
export function isSettingsFile(name: string): boolean {
  return settingsFiles.includes(baseNameOf(name)) || isPresetsFile(name);
}

/** A value in the settings file of a folder. */
export interface SettingPlace {
  readonly folder: string;
  readonly path: SettingPath;
}

/** The settings in force for each file of a project. */
export interface Settings {
  /** The compile settings of a file. */
  of(name: string): CompileSettings;
  /** Severities for a file, from every settings file above it; the nearest overrides the others. */
  severitiesOf(name: string): Severities;
  /** Where to change the severity of a rule for a file: where the settings files set it now, otherwise in the root's. */
  placeOfSeverity(name: string, rule: string): SettingPlace;
  /** True for files that the root's settings file excludes. */
  isExcluded(name: string): boolean;
  /** The problems in the settings files of any tool that were used so far. */
  problems(): readonly LocatedProblem[];
  /** True for a file that an answer depends on, whatever its name: a response file, or presets that others include. */
  hasRead(name: string): boolean;
  /** Settings files that are needed but not read yet. The host fetches them and then calls `changed`. */
  unread(): readonly string[];
  /** Reports that a settings file was edited, created or deleted. */
  changed(): void;
}

/** The sources of settings. */
export interface SettingsOptions {
  /** No folder above this one is read. */
  readonly root: string;
  readonly files: Pick<Files, "read"> & {
    /** Why a file is absent although the path exists. */
    whyAbsent?(name: string): string | undefined;
  };
  readonly schema: JsonSchema;
  /** The host's flags, such as those of a command line. They are applied last. */
  readonly flags?: FlagSettings;
  readonly flagsOrigin?: string;
  /** The profile where no settings file names one. */
  readonly profile?: Profile;
  /** Severities that override all others. */
  readonly rules?: Severities;
  /** False if the project's files cannot cause reads outside of the root. */
  readonly isTrusted?: boolean;
  /** Replaces every `gpu-qualifiers.json`, as if it were in the root. */
  readonly settingsFile?: { readonly name: string; readonly text: string };
  /** A compilation database that takes precedence over those that are found, in whatever folder it is. */
  readonly database?: { readonly name: string; readonly text: string };
}

/**
 * Creates the settings of one project. Answers are kept until `changed`. A settings file that has not been read yet counts as
 * absent, and is in `unread`.
 */
export function createSettings(options: SettingsOptions): Settings {
  const { root, files, schema, isTrusted = true } = options;
  const unread = new Set<string>();
  const texts = new Map<string, string | undefined>();
  const projectSettings = new Map<string, ProjectSettings>();
  const answers = new Map<string, CompileSettings>();
  const severities = new Map<string, Severities>();
  const problems = createProblemList();

  const textOf = (name: string): string | undefined => {
    if (options.database?.name === name) return options.database.text;
    if (texts.has(name)) return texts.get(name);
    const text = files.read(name);
    if (text === "unread") unread.add(name);
    const reason = text === "absent" && isSettingsFile(name) ? files.whyAbsent?.(name) : undefined;
    // Other tools use these names for folders.
    if (reason !== undefined && reason !== "is a folder")
      problems.add({ message: `not read: it ${reason}`, location: { uri: name, span: { start: 0, end: 0 } } });
    const known = text === "unread" || text === "absent" ? undefined : text;
    texts.set(name, known);
    return known;
  };
  const buildFiles = createBuildFiles({
    root,
    problems,
    textOf,
    ...(options.database === undefined ? {} : { buildFolder: folderOf(options.database.name) }),
  });

  const projectSettingsIn = (folder: string): ProjectSettings | undefined => {
    const given = options.settingsFile;
    if (given !== undefined && folder !== root) return undefined;
    const uri = given?.name ?? `${folder}/${settingsFileName}`;
    const text = given?.text ?? textOf(uri);
    if (text === undefined) return undefined;
    const known = projectSettings.get(uri);
    if (known !== undefined) return known;
    const context = { resolve: (path: string) => resolveName(folder, path), readResponseFile: textOf };
    const read = readProjectSettings(text, { uri, folder, root, isTrusted: isTrusted || given !== undefined, schema, context });
    for (const problem of read.problems) problems.add(problem);
    projectSettings.set(uri, read);
    return read;
  };

  /** The flags from a project's own files, as far as these are trusted. */
  const trusted = (flags: FlagSettings): FlagSettings => {
    if (isTrusted) return flags;
    const includePaths = flags.includePaths.filter((folder) => isWithin(folder, root));
    return { ...flags, includePaths, forcedIncludes: flags.forcedIncludes.filter(({ uri }) => isWithin(uri, root)) };
  };

  const answer = (name: string): CompileSettings => {
    const folders = foldersUpTo(name, root);
    const origins: string[] = [];
    let flags = noFlags;
    const add = (more: FlagSettings, origin: string) => {
      flags = mergeFlags(flags, more);
      origins.push(origin);
    };
    for (const built of buildFiles.flagsFor(name, folders)) add(trusted(built.flags), built.origin);
    const own = first(folders, projectSettingsIn);
    if (own !== undefined) {
      const configured = own.flagsFor(name);
      add(options.settingsFile === undefined ? trusted(configured) : configured, settingsFileName);
    }
    if (options.flags !== undefined) add(options.flags, options.flagsOrigin ?? "command line");
    const largestFile = own?.settings.largestFile;
    return {
      ...flags,
      limits: limitsOf(own?.settings),
      ...(largestFile === undefined ? {} : { largestFile }),
      origin: origins.length === 0 ? "defaults" : origins.join(", "),
    };
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
      const own = (folders.length === 0 ? [root] : [...folders].reverse()).flatMap((folder) => projectSettingsIn(folder) ?? []);
      const all = Object.assign(
        {},
        severitiesOfProfile(schema, options.profile ?? "default"),
        ...own.flatMap((settings) => settings.severitiesFor(name)),
        options.rules,
      );
      severities.set(name, all);
      return all;
    },
    placeOfSeverity(name, rule) {
      const place = first(foldersUpTo(name, root), (folder) => {
        const path = projectSettingsIn(folder)?.pathOfSeverity(name, rule);
        return path === undefined ? undefined : { folder, path };
      });
      return place ?? { folder: root, path: ["rules", rule] };
    },
    isExcluded: (name) => projectSettingsIn(root)?.excludes(name) === true,
    problems() {
      projectSettingsIn(root);
      return problems.all();
    },
    hasRead: (name) => texts.has(name),
    unread: () => [...unread],
    changed() {
      for (const cache of [unread, texts, projectSettings, answers, severities, problems, buildFiles]) cache.clear();
    },
  };
}

function limitsOf(file: SettingsFile | undefined): Limits {
  const profile = file?.opencl?.profile;
  return {
    ...(profile === "embedded" ? embeddedProfile : fullProfile),
    ...file?.limits,
    areConfigured: profile !== undefined || file?.limits !== undefined,
  };
}

function first<Item, Result>(items: readonly Item[], find: (item: Item) => Result | undefined): Result | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
