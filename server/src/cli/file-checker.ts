/**
 * Opens a project for the command line and checks single files of it, both in the main thread and in each worker. Inputs and
 * outputs are plain data, so that they can cross threads.
 */
import type { Profile, Severity } from "../finding.ts";
import { folderOf } from "../names.ts";
import { type AnswerStore, openStore } from "../node/answer-store.ts";
import { openCheckCache } from "../node/check-cache.ts";
import { createNodeFiles, type NodeFiles } from "../node/node-files.ts";
import type { ProjectRoot } from "../node/project-root.ts";
import { openProject, type Project } from "../project/project.ts";
import type { FileCheck } from "../service.ts";
import type { FlagSettings } from "../settings/compiler-flags.ts";
import type { SyntaxParser } from "../syntax/parser.ts";

/**
 * The command line's options for every project. Options that were not given are absent, so that settings do not name the command
 * line as their origin.
 */
export interface ProjectGiven {
  readonly flags?: FlagSettings;
  /** The profile where no settings file names one. */
  readonly profile?: Profile;
  /** Severities that override all others. */
  readonly rules?: Readonly<Record<string, Severity | "off">>;
  /** Replaces every `gpu-qualifiers.json`. Paths in it count from the project's top folder. */
  readonly settingsFile?: { readonly name: string; readonly text: string };
  /** False if the project's own files cannot cause reads outside of it. */
  readonly isTrusted?: boolean;
  /** The compilation database of a build, which takes precedence over those that are found. */
  readonly database?: { readonly name: string; readonly text: string };
  /** A text that replaces a file's text on disk. */
  readonly unsaved?: { readonly name: string; readonly text: string };
}

/** Everything that a thread needs to open the same project. */
export interface ProjectJob extends ProjectGiven {
  readonly project: ProjectRoot;
  /** Where results are kept from one run to the next; absent if they are not kept. */
  readonly cache?: CacheLocation;
}

/** Where results are kept, and the program that they belong to. */
export interface CacheLocation {
  readonly folder: string;
  /** Identifies this build of the program: another build may give other results. */
  readonly program: string;
}

/** The outcome for a file. If the check of one file failed, the others are still reported. */
export type Outcome =
  | { readonly kind: "checked"; readonly check: FileCheck }
  | { readonly kind: "absent"; readonly reason: string }
  | { readonly kind: "failed"; readonly reason: string };

/** Checks single files of one project. */
export interface FileChecker {
  readonly project: Project;
  readonly files: NodeFiles;
  /** The stored result of an earlier check of a file, if it is still valid. */
  known(name: string): FileCheck | undefined;
  /** Stores the result of another thread. */
  keep(check: FileCheck): void;
  /** Checks files that may share headers, and calls `isNext` before each. */
  checkAll(names: readonly string[], isNext?: (index: number) => void): readonly Outcome[];
}

/** Results that only this thread has. */
export interface OwnAnswers {
  readonly store: AnswerStore;
  readonly program: string;
  readonly isTrusted?: boolean;
}

// How many files are searched for headers in a folder that is not a project. Such a folder may contain a whole disk.
const filesOutsideProjects = 2_000;

/** Opens the project in this thread; threads share nothing. The caller disposes of `project`. */
export function openFileChecker(
  job: ProjectJob,
  parser: SyntaxParser,
  own?: OwnAnswers,
  programsOf?: (name: string) => readonly string[] | undefined,
): FileChecker {
  const { root, isProject } = job.project;
  const { flags, profile, rules, settingsFile, database, unsaved, isTrusted = true } = job;
  const files = createNodeFiles({
    root,
    ...(isProject ? {} : { maximalCount: filesOutsideProjects }),
    ...(unsaved === undefined ? {} : { unsaved }),
    isExcluded: (name) => project.settings.isExcluded(name),
    isTrusted: () => isTrusted,
  });
  const project = openProject({
    root,
    files,
    parser,
    isTrusted,
    ...(flags === undefined ? {} : { flags }),
    ...(profile === undefined ? {} : { profile }),
    ...(rules === undefined ? {} : { rules }),
    ...(settingsFile === undefined ? {} : { settingsFile }),
    ...(database === undefined ? {} : { database }),
    allow: (folder) => files.allow(folder),
    ...(programsOf === undefined ? {} : { programsOf }),
  });
  // Response files and generated files are beside the database.
  if (database !== undefined) files.allow(folderOf(database.name));
  const answers = own ?? (job.cache === undefined ? undefined : { store: openStore(job.cache.folder), program: job.cache.program });
  const cache = answers === undefined ? undefined : openCheckCache({ ...answers, project, files });
  const check = (name: string): Outcome => {
    if (files.read(name) === "absent") return { kind: "absent", reason: files.whyAbsent(name) ?? "cannot be read" };
    try {
      const check = project.service().checkInBatch(name);
      cache?.keep(check);
      return { kind: "checked", check };
    } catch (error) {
      return { kind: "failed", reason: describeInternalError(error) };
    }
  };
  return {
    project,
    files,
    known: (name) => cache?.find(name),
    keep: (check) => cache?.keep(check),
    checkAll(names, isNext) {
      project.service().announceBatch(names);
      return names.map((name, index) => {
        isNext?.(index);
        return check(name);
      });
    },
  };
}

/** Describes an exception for a bug report. */
export function describeInternalError(error: unknown): string {
  return `of a mistake in gpu-qualifiers itself: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}
