/**
 * Checks the rest of a workspace in the background, because some findings need more than one file: a kernel is declared in one file
 * and defined in another, or a function in another file writes to its argument. Only CUDA files with kernels or device functions,
 * and OpenCL files without a kernel, matter for that.
 */
import { languageOfName } from "../../dialect.ts";
import { memo } from "../../memo.ts";
import { isChecked } from "../../project/interest.ts";
import type { Steps } from "../../steps.ts";
import type { OpenProject } from "../projects/open-project.ts";
import type { LateProgress } from "../scheduling/late-progress.ts";
import type { TaskQueue } from "../scheduling/task-queue.ts";

/** Checks the files that are not open. */
export interface Background {
  /** Starts over with the project's current files, after `delay` milliseconds. */
  start(project: OpenProject, delay?: number): void;
  stop(): void;
}

const hasDeviceCode = /\b__(?:global|device)__\b/;
const hasKernel = /\bkernel\b|\b__kernel\b/;

/** What the background work needs, and its callbacks. */
export interface BackgroundOptions {
  /** The greatest number of files that are checked per project. */
  readonly limit: number;
  readonly queue: TaskQueue;
  readonly progress: LateProgress;
  /** Work to do if a project has these files and none of them has to be checked. */
  warmUp(names: readonly string[]): Steps<void>;
  /** A pass over the project has produced new results for this many files. */
  done(files: number, milliseconds: number): void;
  log(name: string, error: unknown): void;
}

/** Background work that has not started yet. */
export function createBackground({ limit, queue, progress, warmUp, done, log }: BackgroundOptions): Background {
  const passesOf = memo((_: OpenProject) => ({ latest: 0 }));
  let isStopped = false;

  const work = async (project: OpenProject, pass: number): Promise<void> => {
    const isCurrent = () => !isStopped && !project.isClosed() && passesOf(project).latest === pass;
    const { linkable, unknown } = await queue.run("", () => "later", candidates(project, isCurrent));
    if (!isCurrent()) return;
    const wanted = unknown.slice(0, limit);
    if (wanted.length === 0) await queue.run("", () => "later", warmUp(linkable));
    const sign = progress.start();
    const began = performance.now();
    for (const [index, name] of wanted.entries()) {
      if (!isCurrent()) break;
      sign.report(index, wanted.length);
      try {
        await project.read(name, "later");
      } catch (error) {
        log(name, error);
      }
    }
    sign.end();
    if (!isCurrent()) return;
    const isNew = project.setWhole(unknown.length <= limit ? linkable : undefined);
    if (isNew || wanted.length > 0) done(wanted.length, performance.now() - began);
  };

  return {
    start(project, delay = 0) {
      const passes = passesOf(project);
      passes.latest += 1;
      const pass = passes.latest;
      setTimeout(() => void work(project, pass).catch((error: unknown) => log(project.project.root, error)), delay);
    },
    stop() {
      isStopped = true;
    },
  };
}

interface Candidates {
  /** The files that the link needs. */
  readonly linkable: readonly string[];
  /** The files among them that have to be checked. */
  readonly unknown: readonly string[];
}

function* candidates(project: OpenProject, isWanted: () => boolean): Steps<Candidates> {
  const linkable: string[] = [];
  const unknown: string[] = [];
  for (const name of project.files.list()) {
    if (!isWanted()) break;
    const isRelevant = isChecked(name) && mayBeLinked(name, project.files.read(name));
    // Helper functions beside a kernel matter only if another file calls them. That is so rare that these files wait for a request.
    if (isRelevant || languageOfName(name) === "opencl") linkable.push(name);
    if (isRelevant && !project.isKnown(name)) unknown.push(name);
    yield;
  }
  return { linkable, unknown };
}

function mayBeLinked(name: string, text: string): boolean {
  return languageOfName(name) === "opencl" ? !hasKernel.test(text) : hasDeviceCode.test(text);
}
