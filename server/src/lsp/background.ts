/**
 * Checks the rest of a workspace while nobody waits, because some findings need more than one file: a kernel that is
 * declared in one and defined in another, or a function there that writes to what it is given. Only files with kernels or
 * device functions of CUDA, and OpenCL files without a kernel, matter to that.
 */
import { languageOfName } from "../dialect.ts";
import { isChecked } from "../host/interest.ts";
import type { OpenProject } from "./workspace.ts";

export interface Background {
  /** Starts over with the project's present files, after some milliseconds. */
  start(project: OpenProject, delay?: number): void;
  stop(): void;
}

const hasDeviceCode = /\b__(?:global|device)__\b/;
const hasKernel = /\bkernel\b|\b__kernel\b/;
/** Between two files the server listens; a larger share of the time would be felt as sluggish typing. */
const millisecondsBetween = 20;

/** Checks at most `limit` files of a project; `done` is called when a pass over it has found out something. */
export function createBackground(limit: number, done: (project: OpenProject) => void, log: (name: string, error: unknown) => void): Background {
  const passes = new Map<OpenProject, number>();
  let isStopped = false;

  const work = async (project: OpenProject, pass: number): Promise<void> => {
    const isCurrent = () => !isStopped && passes.get(project) === pass;
    let checked = 0;
    const linkable: string[] = [];
    for (const name of project.files.list()) {
      if (checked >= limit || !isCurrent()) break;
      const isRelevant = isChecked(name) && mayBeLinked(name, project.files.read(name));
      // Helpers beside a kernel matter where another file calls them, which is rare enough to wait until somebody asks.
      if (isRelevant || languageOfName(name) === "opencl") linkable.push(name);
      if (!isRelevant || project.isKnown(name)) continue;
      await pause();
      if (!isCurrent()) return;
      checked++;
      try {
        await project.read(name);
      } catch (error) {
        log(name, error);
      }
    }
    if (!isCurrent()) return;
    const isNew = project.setWhole(checked < limit ? linkable : undefined);
    if (isNew || checked > 0) done(project);
  };

  return {
    start(project, delay = 0) {
      const pass = (passes.get(project) ?? 0) + 1;
      passes.set(project, pass);
      void pause(delay).then(() => work(project, pass));
    },
    stop() {
      isStopped = true;
    },
  };
}

function pause(more = 0): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, millisecondsBetween + more);
  });
}

function mayBeLinked(name: string, text: string): boolean {
  return languageOfName(name) === "opencl" ? !hasKernel.test(text) : hasDeviceCode.test(text);
}
