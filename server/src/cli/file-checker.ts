/**
 * A project as the command line sees it, and the check of single files of it: the same in the command's own thread and in
 * each worker. What goes in and comes out is plain data, so that it can cross threads.
 */
import { createNodeFiles, type NodeFiles } from "../host/node-files.ts";
import { openProject, type Project } from "../host/project.ts";
import type { ProjectRoot } from "../host/project-root.ts";
import type { Learnt } from "../service.ts";
import type { SyntaxParser } from "../syntax/parser.ts";
import type { FlagSettings } from "../workspace/compiler-flags.ts";

/** What it takes to open the same project again. */
export interface ProjectJob {
  readonly project: ProjectRoot;
  /** Of the command line; absent where it has none at all, so that settings name it as an origin only then. */
  readonly flags?: FlagSettings;
}

/** What became of a file; that the check of one `failed`, and why, is no reason to say nothing about the others. */
export type Outcome =
  | { readonly kind: "checked"; readonly learnt: Learnt }
  | { readonly kind: "absent"; readonly reason: string }
  | { readonly kind: "failed"; readonly reason: string };

export interface FileChecker {
  readonly project: Project;
  readonly files: NodeFiles;
  check(name: string): Outcome;
}

// A folder that nothing marks as a project is searched for headers, but not a whole disk below it.
const filesOutsideProjects = 2_000;

/** Opens the project anew: a thread shares nothing with the others. Whoever opens it disposes of `project`. */
export function openFileChecker({ project: { root, isProject }, flags }: ProjectJob, parser: SyntaxParser): FileChecker {
  const files = createNodeFiles({
    root,
    ...(isProject ? {} : { maximalCount: filesOutsideProjects }),
    isExcluded: (name) => project.settings.isExcluded(name),
  });
  const project = openProject({ root, files, parser, ...(flags === undefined ? {} : { flags }), allow: (folder) => files.allow(folder) });
  return {
    project,
    files,
    check(name) {
      if (files.read(name) === "absent") return { kind: "absent", reason: files.whyAbsent(name) ?? "cannot be read" };
      try {
        return { kind: "checked", learnt: project.service().learn(name) };
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
