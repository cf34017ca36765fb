/**
 * A project as the command line sees it, and the check of single files of it: the same in the command's own thread and in
 * each worker. What goes in and comes out is plain data, so that it can cross threads.
 */
import type { Severity } from "../finding.ts";
import { folderOf } from "../names.ts";
import { type AnswerStore, openStore } from "../node/answer-store.ts";
import { openCheckCache } from "../node/check-cache.ts";
import { createNodeFiles, type NodeFiles } from "../node/node-files.ts";
import type { ProjectRoot } from "../node/project-root.ts";
import { openProject, type Project } from "../project/project.ts";
import type { Learnt } from "../service.ts";
import type { FlagSettings } from "../settings/compiler-flags.ts";
import type { SyntaxParser } from "../syntax/parser.ts";

/** What a command line says of every project that it checks; what it does not say is absent, so that settings name no such origin. */
export interface ProjectGiven {
  readonly flags?: FlagSettings;
  /** Severities that have the last word. */
  readonly rules?: Readonly<Record<string, Severity | "off">>;
  /** Takes the place of every `gpu-qualifiers.json`; what it says counts from the project's top folder. */
  readonly settingsFile?: { readonly name: string; readonly text: string };
  /** False where the project's own files cannot make anything outside of it be read. */
  readonly isTrusted?: boolean;
  /** The compilation database of a build, which comes before all that are found. */
  readonly database?: { readonly name: string; readonly text: string };
  /** A file's text that is not (yet) what the disk has. */
  readonly unsaved?: { readonly name: string; readonly text: string };
}

/** What it takes to open the same project again. */
export interface ProjectJob extends ProjectGiven {
  readonly project: ProjectRoot;
  /** Where answers are kept from one run to the next; absent where they are not. */
  readonly cache?: CacheLocation;
}

/** Where answers are kept, and by whom. */
export interface CacheLocation {
  readonly folder: string;
  /** Names this very program: another one may answer differently. */
  readonly program: string;
}

/** What became of a file; that the check of one `failed`, and why; the others are reported all the same. */
export type Outcome =
  | { readonly kind: "checked"; readonly learnt: Learnt }
  | { readonly kind: "absent"; readonly reason: string }
  | { readonly kind: "failed"; readonly reason: string };

/** Checks single files of one project. */
export interface FileChecker {
  readonly project: Project;
  readonly files: NodeFiles;
  /** What is known of a file from an earlier run. */
  known(name: string): Learnt | undefined;
  /** Keeps what another thread has learnt. */
  keep(learnt: Learnt): void;
  check(name: string): Outcome;
}

/** Answers that only this thread has. */
export interface OwnAnswers {
  readonly store: AnswerStore;
  readonly program: string;
  readonly isTrusted?: boolean;
}

// A folder that nothing marks as a project is searched for headers, but not a whole disk below it.
const filesOutsideProjects = 2_000;

/** Opens the project anew: a thread shares nothing with the others. Whoever opens it disposes of `project`. */
export function openFileChecker(job: ProjectJob, parser: SyntaxParser, own?: OwnAnswers): FileChecker {
  const { root, isProject } = job.project;
  const { flags, rules, settingsFile, database, unsaved, isTrusted = true } = job;
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
    ...(rules === undefined ? {} : { rules }),
    ...(settingsFile === undefined ? {} : { settingsFile }),
    ...(database === undefined ? {} : { database }),
    allow: (folder) => files.allow(folder),
  });
  // Response files and what is generated lie beside it.
  if (database !== undefined) files.allow(folderOf(database.name));
  const answers = own ?? (job.cache === undefined ? undefined : { store: openStore(job.cache.folder), program: job.cache.program });
  const cache = answers === undefined ? undefined : openCheckCache({ ...answers, project, files });
  return {
    project,
    files,
    known: (name) => cache?.find(name),
    keep: (learnt) => cache?.keep(learnt),
    check(name) {
      if (files.read(name) === "absent") return { kind: "absent", reason: files.whyAbsent(name) ?? "cannot be read" };
      try {
        const learnt = project.service().learn(name);
        cache?.keep(learnt);
        return { kind: "checked", learnt };
      } catch (error) {
        return { kind: "failed", reason: mistakeOfOurs(error) };
      }
    },
  };
}

/** An exception, for a report of it. */
export function mistakeOfOurs(error: unknown): string {
  return `of a mistake in gpu-qualifiers itself: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}
