/**
 * Answers questions about one `gpu-qualifiers.json`: its flags and severities for a file, its exclusions, and its mistakes,
 * including those in flags. `settings-file.ts` reads and validates it.
 */
import type { Severity } from "../finding.ts";
import { isWithin } from "../names.ts";
import { quoted } from "../printable.ts";
import type { Span } from "../source.ts";
import { type Flag, type FlagContext, type FlagSettings, mergeFlags, noFlags, readFlags } from "./compiler-flags.ts";
import { type PathPatterns, pathPatterns } from "./ignored.ts";
import { type LocatedProblem, located } from "./problems.ts";
import { type ParsedSettings, readSettingsFile, type SettingsFile } from "./settings-file.ts";
import type { JsonSchema } from "./settings-schema.ts";
import { severitiesOfProfile } from "./settings-schema.ts";

/** Severities by rule id. */
export type Severities = Readonly<Record<string, Severity | "off">>;

/** The keys, and the indices of array elements, that lead to a value in a settings file. */
export type SettingPath = readonly (string | number)[];

/** The contents of a `gpu-qualifiers.json`. */
export interface ProjectSettings {
  readonly settings: SettingsFile;
  readonly problems: readonly LocatedProblem[];
  flagsFor(name: string): FlagSettings;
  /** Its severities for a file, the most specific last. */
  severitiesFor(name: string): readonly Severities[];
  /** The path, in the settings file, of a rule's severity for a file; undefined if the settings file contains none. */
  pathOfSeverity(name: string, rule: string): SettingPath | undefined;
  excludes(name: string): boolean;
}

/** The location of the settings file, and how far it is trusted. */
export interface ProjectSettingsOptions {
  /** The file's name. */
  readonly uri: string;
  /** The folder that paths and patterns in it count from. */
  readonly folder: string;
  /** The project's top folder. */
  readonly root: string;
  /** False if the file cannot cause reads outside of the root. */
  readonly isTrusted: boolean;
  readonly schema: JsonSchema;
  readonly context: FlagContext;
}

/** Reads a `gpu-qualifiers.json`; `problems` lists its mistakes. */
export function readProjectSettings(text: string, options: ProjectSettingsOptions): ProjectSettings {
  const { uri, folder, root, context } = options;
  const reading = readSettingsFile(text, options.schema);
  const { settings } = reading;
  const problems: LocatedProblem[] = reading.problems.map((problem) => located(uri, problem));
  const settingsOf = (flags: readonly Flag[]): FlagSettings => {
    const read = readFlags(flags, context);
    for (const { message, location = at({ start: 0, end: 0 }) } of read.problems) problems.push({ message, location });
    return read.settings;
  };
  const at = (span: Span) => ({ uri, span });
  const placed = (flags: readonly string[], path: SettingPath): readonly Flag[] => {
    const spans = reading.textSpans(path);
    return flags.map((flag, index) => ({ text: flag, location: at(spans[index] ?? reading.spanOf(path)) }));
  };

  const own = settingsOf([...spelled(settings, (path) => at(reading.spanOf(path))), ...placed(settings.flags ?? [], ["flags"])]);
  if (!options.isTrusted) {
    const spans = reading.textSpans(["includePaths"]);
    for (const [index, path] of (settings.includePaths ?? []).entries()) {
      if (isWithin(context.resolve(path), root)) continue;
      const message = `${quoted(path)} is not searched: it is outside of a workspace that you do not trust`;
      problems.push({ message, location: at(spans[index] ?? { start: 0, end: 0 }) });
    }
  }
  if (settings.exclude !== undefined && folder !== root)
    problems.push({ message: "'exclude' has an effect in the top folder only", location: at(reading.spanOf(["exclude"])) });
  const overrides = overridesOf(reading, folder, (flags, index) => settingsOf(placed(flags, ["overrides", index, "flags"])));
  const excluded = settings.exclude === undefined || folder !== root ? undefined : pathPatterns(settings.exclude, folder);
  return {
    settings,
    problems,
    flagsFor: (name) => overrides.filter(({ files }) => files.matches(name)).reduce((all, { flags }) => mergeFlags(all, flags), own),
    severitiesFor: (name) => [
      settings.profile === undefined ? {} : severitiesOfProfile(options.schema, settings.profile),
      settings.rules ?? {},
      ...overrides.filter(({ files }) => files.matches(name)).map(({ rules }) => rules),
    ],
    pathOfSeverity(name, rule) {
      const index = overrides.findLastIndex(({ files, rules }) => files.matches(name) && rules[rule] !== undefined);
      // An invalid override is left out of the list, which changes the indices of those after it.
      if (index >= 0) return reading.problems.length === 0 ? ["overrides", index, "rules", rule] : undefined;
      return settings.rules?.[rule] === undefined ? undefined : ["rules", rule];
    },
    excludes: (name) => excluded?.matches(name) === true,
  };
}

interface Override {
  readonly files: PathPatterns;
  readonly flags: FlagSettings;
  readonly rules: Severities;
}

function overridesOf(
  { settings }: ParsedSettings,
  folder: string,
  settingsOf: (flags: readonly string[], index: number) => FlagSettings,
): readonly Override[] {
  return (settings.overrides ?? []).map(({ files, flags, rules = {} }, index) => ({
    files: pathPatterns(files, folder),
    flags: flags === undefined ? noFlags : settingsOf(flags, index),
    rules,
  }));
}

/** The file's own settings, spelled as flags. */
function spelled(file: SettingsFile, at: (path: readonly string[]) => Flag["location"]): readonly Flag[] {
  const { opencl = {}, cuda = {}, macros = {}, includePaths = [] } = file;
  const flag = (text: string, ...path: readonly string[]): Flag => ({ text, location: at(path) });
  return [
    ...includePaths.map((path) => flag(`-I${path}`, "includePaths")),
    ...Object.entries(macros).map(([name, value]) => flag(macroFlag(name, value), "macros")),
    ...(opencl.standard === undefined ? [] : [flag(`-cl-std=${opencl.standard}`, "opencl", "standard")]),
    ...Object.entries(opencl.extensions ?? {}).map(([name, isOn]) => flag(`-cl-ext=${isOn ? "+" : "-"}${name}`, "opencl", "extensions")),
    ...(cuda.standard === undefined ? [] : [flag(`-std=${cuda.standard}`, "cuda", "standard")]),
    ...(cuda.architectures ?? []).map((name) => flag(`-arch=${name}`, "cuda", "architectures")),
    ...(cuda.relocatableDeviceCode === undefined ? [] : [flag(`-rdc=${cuda.relocatableDeviceCode}`, "cuda", "relocatableDeviceCode")]),
  ];
}

function macroFlag(name: string, value: string | number | boolean | null): string {
  if (value === null) return `-U${name}`;
  return `-D${name}=${typeof value === "boolean" ? Number(value) : value}`;
}
