/**
 * Interprets the options of `check` before anything is read: severities of `--rule`, the settings file of `--config`, the text of
 * `--stdin`. All mistakes in them are reported together.
 */
import type { Severity } from "../finding.ts";
import { readText } from "../node/node-files.ts";
import { nameOfPath } from "../node/node-names.ts";
import { rules } from "../rules/index.ts";
import { readFlags } from "../settings/compiler-flags.ts";
import { nearest } from "../settings/settings-file.ts";
import type { ProjectGiven } from "./file-checker.ts";
import { severities } from "./severities.ts";

/** Options that affect how files are judged. */
export interface ProjectFlags {
  readonly untrusted?: true;
  readonly config?: string;
  readonly build?: string;
  readonly rule?: readonly string[];
  readonly strict?: true;
}

/** Where to find the text on standard input. */
export interface InputOptions {
  readonly stdin?: true;
  readonly stdinFilename?: string;
}

/** The valid options, and the problems of the others. */
export interface ReadOptions {
  readonly given: ProjectGiven;
  /** Flags without an effect, as written. */
  readonly ignored: readonly string[];
  readonly problems: readonly string[];
}

/** What a command line adds to a project's own settings. */
export function readProjectOptions(
  { config, build, rule = [], strict, untrusted }: ProjectFlags,
  flags: readonly string[] | undefined,
): ReadOptions {
  const reading = readFlags(flags ?? [], {
    resolve: (path) => nameOfPath(path),
    readResponseFile(name) {
      const file = readText(name);
      return "text" in file ? file.text : undefined;
    },
  });
  const problems = reading.problems.map(({ message }) => message);
  const chosen: Record<string, Severity | "off"> = {};
  for (const text of rule) {
    const read = readRule(text);
    if ("problem" in read) problems.push(read.problem);
    else chosen[read.id] = read.severity;
  }
  const file = config === undefined ? undefined : readGiven(config, "the settings file");
  if (file !== undefined && "problem" in file) problems.push(file.problem);
  const database = build === undefined ? undefined : readGiven(`${build}/compile_commands.json`, "the compilation database");
  if (database !== undefined && "problem" in database) problems.push(database.problem);
  return {
    given: {
      ...(untrusted === true ? { isTrusted: false } : {}),
      ...(flags === undefined || flags.length === 0 ? {} : { flags: reading.settings }),
      ...(strict === true ? { profile: "strict" } : {}),
      ...(rule.length === 0 ? {} : { rules: chosen }),
      ...(file === undefined || "problem" in file ? {} : { settingsFile: file }),
      ...(database === undefined || "problem" in database ? {} : { database }),
    },
    ignored: reading.ignored,
    problems,
  };
}

function readRule(text: string): { readonly id: string; readonly severity: Severity | "off" } | { readonly problem: string } {
  const [id = "", value, ...rest] = text.split("=");
  const severity = [...severities, "off" as const].find((known) => known === value);
  if (severity === undefined || rest.length > 0) {
    const near = value === undefined || rest.length > 0 ? undefined : nearest(value, [...severities, "off"]);
    const hint = near === undefined ? "" : `; did you mean '${id}=${near}'?`;
    return { problem: `--rule takes a rule's id and a severity, such as 'const-write=warning' or 'const-write=off', not '${text}'${hint}` };
  }
  const ids = rules.map((known) => known.id);
  if (ids.includes(id)) return { id, severity };
  const near = nearest(id, ids);
  return { problem: `no such rule: '${id}'; ${near === undefined ? "'gpu-qualifiers rules' lists them" : `did you mean '${near}'?`}` };
}

function readGiven(path: string, what: string): { readonly name: string; readonly text: string } | { readonly problem: string } {
  const name = nameOfPath(path);
  const read = readText(name);
  if ("text" in read) return { name, text: read.text };
  return { problem: read.reason === undefined ? `${what} '${path}' does not exist` : `${what} '${path}' ${read.reason}` };
}

/** True if the text to check is on standard input: `--stdin`, or `-` for a path. */
export function readsInput(paths: readonly string[], { stdin }: InputOptions): boolean {
  return stdin === true || paths.includes("-");
}

/** The reason why these paths and options exclude each other. */
export function problemWithInput(paths: readonly string[], options: InputOptions): string | undefined {
  if (!readsInput(paths, options)) {
    return options.stdinFilename === undefined ? undefined : "--stdin-filename needs --stdin";
  }
  if (paths.some((path) => path !== "-")) return "--stdin checks one text: name no other files with it";
  if (options.stdinFilename === undefined) return "--stdin needs --stdin-filename: the name decides about language, headers and settings";
  return undefined;
}
