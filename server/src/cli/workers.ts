/**
 * Checks files in several threads. A thread reads headers for itself, so that neighbouring files go to it together. The only
 * file that imports workerpool besides `thread.ts`, which is what runs in a thread.
 */
import { availableParallelism, totalmem } from "node:os";
import { pool } from "workerpool";
import { mistakeOfOurs, type Outcome, type ProjectJob } from "./file-checker.ts";

export interface Workers {
  /** The outcomes in the order of the names. `hasDone` is told whenever some are through, and how many. */
  check(job: ProjectJob, names: readonly string[], hasDone: (count: number) => void): Promise<readonly Outcome[]>;
  dispose(): Promise<void>;
}

/** What a thread answers to. */
export interface WorkerMethods {
  check(job: ProjectJob, names: readonly string[]): Promise<readonly Outcome[]>;
}

/** As many neighbours share their headers in one thread, and so many wait for it at a file that takes long. */
const mostAtOnce = 16;
/** Starting a thread, which reads its own headers, pays off from so many files on. */
const leastForThread = 24;
/** What a thread may need for large translation units. */
const bytesForThread = 2 * 2 ** 30;

/** How many threads check so many files where nobody says it; one is the command's own. */
export function usualJobs(files: number): number {
  return Math.max(1, Math.min(availableParallelism(), Math.floor(totalmem() / bytesForThread), Math.floor(files / leastForThread)));
}

/** `script` is a program that calls `serveFiles` of `thread.ts`. */
export function startWorkers(script: string, count: number): Workers {
  const threads = pool(script, { workerType: "thread", maxWorkers: count, minWorkers: count });
  const send = async (job: ProjectJob, names: readonly string[]): Promise<readonly Outcome[]> => {
    try {
      return (await threads.exec("check" satisfies keyof WorkerMethods, [job, names])) as readonly Outcome[];
    } catch (error) {
      // The thread is gone, with its memory perhaps: one of the files is to blame, and the others can be checked.
      if (names.length === 1) return [{ kind: "failed", reason: reasonOf(error) }];
      const outcomes: Outcome[] = [];
      for (const name of names) outcomes.push(...(await send(job, [name])));
      return outcomes;
    }
  };
  return {
    async check(job, names, hasDone) {
      const size = Math.max(1, Math.min(mostAtOnce, Math.ceil(names.length / (count * 4))));
      const batches = Array.from({ length: Math.ceil(names.length / size) }, (_, i) => names.slice(i * size, (i + 1) * size));
      let done = 0;
      const answers = batches.map(async (batch) => {
        const outcomes = await send(job, batch);
        done += batch.length;
        hasDone(done);
        return outcomes;
      });
      return (await Promise.all(answers)).flat();
    },
    async dispose() {
      await threads.terminate(true);
    },
  };
}

/** Node ends a thread whose heap is full (ERR_WORKER_OUT_OF_MEMORY), and workerpool says so in words. */
function reasonOf(error: unknown): string {
  const isFull = error instanceof Error && /memory limit/.test(error.message);
  return isFull ? "it takes more memory than a thread has; NODE_OPTIONS=--max-old-space-size=8192 gives each 8 GB" : mistakeOfOurs(error);
}
