/**
 * Checks files in several threads. Each thread reads headers for itself, so it gets files that are neighbors. Only this file, and
 * `thread.ts` in the thread, import workerpool.
 */
import { availableParallelism, totalmem } from "node:os";
import { getHeapStatistics } from "node:v8";
import { type Pool, pool } from "workerpool";
import { append } from "../lists.ts";
import { tuneThreads } from "../node/v8-flags.ts";
import { shareTexts } from "../service.ts";
import { createSharing } from "../summary/shared-parts.ts";
import { describeInternalError, type Outcome, type ProjectJob } from "./file-checker.ts";

/** Threads that check files. */
export interface Workers {
  /** The outcomes in the order of the names. Calls `hasDone` with the number of files whenever some are finished. */
  check(job: ProjectJob, names: readonly string[], hasDone: (count: number) => void): Promise<readonly Outcome[]>;
  dispose(): Promise<void>;
}

/** The methods that a worker thread offers. */
export interface WorkerMethods {
  check(job: ProjectJob, names: readonly string[]): Promise<readonly Outcome[]>;
}

/** How many files a thread gets at once. They share headers, but wait for each other. */
const mostAtOnce = 16;
/** The number of files for which starting a thread is worthwhile, because each thread reads headers of its own. */
const leastForThread = 24;
/** The memory of a thread: its heap and the parser's. */
const bytesForThread = 2 * 2 ** 30;

/**
 * More threads take longer: each reads headers for itself, and they share the memory's bandwidth. Of 16 processors, 8 threads check
 * CUTLASS in 26 s with 220 s of processor time, 16 threads in 31 s with 360 s.
 */
const mostThreads = 8;

/** The default number of threads for this many files, including the main thread. */
export function usualJobs(files: number): number {
  const most = Math.min(availableParallelism(), mostThreads, Math.floor(totalmem() / bytesForThread));
  return Math.max(1, Math.min(most, Math.floor(files / leastForThread)));
}

/**
 * The limit of a thread's heap in megabytes. A larger heap would only be collected later. A file that does need more is checked by
 * a thread with the largest heap that Node allows, one such file at a time.
 */
const usualHeap = 512;

/** Starts threads. `script` is a program that calls `serveFiles` of `thread.ts`. */
export function startWorkers(script: string, count: number): Workers {
  tuneThreads();
  const largestHeap = getHeapStatistics().heap_size_limit / 2 ** 20;
  const threads = Array.from({ length: count }, () => startThread(script, Math.min(usualHeap, largestHeap)));
  let large: Pool | undefined;

  const send = async (to: Pool, job: ProjectJob, names: readonly string[]): Promise<readonly Outcome[]> => {
    try {
      return (await to.exec("check" satisfies keyof WorkerMethods, [job, names])) as readonly Outcome[];
    } catch (error) {
      // The thread has died, perhaps because its heap was full. One of its files is the cause, and the others can be checked.
      if (names.length > 1) return inTurn(names, (name) => send(to, job, [name]));
      if (to === large || !isOutOfMemory(error) || largestHeap <= usualHeap) return [{ kind: "failed", reason: reasonOf(error) }];
      large ??= startThread(script, largestHeap);
      return send(large, job, names);
    }
  };
  return {
    async check(job, names, hasDone) {
      const size = Math.max(1, Math.min(mostAtOnce, Math.ceil(names.length / (count * 4))));
      const batches = inBatches(names, size);
      const take = sharedOut(batches, count);
      const share = createOutcomeSharing();
      const found = new Map<readonly string[], readonly Outcome[]>();
      let done = 0;
      const work = threads.map(async (thread, index) => {
        for (let batch = take(index); batch !== undefined; batch = take(index)) {
          found.set(batch, (await send(thread, job, batch)).map(share));
          done += batch.length;
          hasDone(done);
        }
      });
      await Promise.all(work);
      return batches.flatMap((batch) => found.get(batch) ?? []);
    },
    async dispose() {
      for (const thread of threads) await thread.terminate(true);
      await large?.terminate(true);
    },
  };
}

/**
 * Makes outcomes of many files share what is equal in them: declarations in headers, and the names of the headers. Threads send a
 * copy of everything with each file, which would be most of the memory of the main thread.
 */
function createOutcomeSharing(): (outcome: Outcome) => Outcome {
  const sharedSummary = createSharing();
  const sharedTexts = shareTexts();
  const names = new Map<string, string>();
  const sharedName = (name: string): string => {
    const known = names.get(name);
    if (known === undefined) names.set(name, name);
    return known ?? name;
  };
  return (outcome) => {
    if (outcome.kind !== "checked") return outcome;
    const { report, summary, readSet, ...check } = outcome.check;
    return {
      kind: "checked",
      check: {
        ...check,
        report: { ...report, dependencies: report.dependencies.map(sharedName) },
        summary: sharedSummary(summary),
        readSet: sharedTexts(readSet),
      },
    };
  };
}

function inBatches<T>(list: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size));
}

/**
 * Returns the function with which a thread takes its next batch. Each thread has a part of the list, because files that are far
 * from each other in it have fewer headers in common. One that is done takes the last batch of the longest other part.
 */
function sharedOut<Batch>(batches: readonly Batch[], threads: number): (thread: number) => Batch | undefined {
  const parts = inBatches(batches, Math.max(1, Math.ceil(batches.length / threads))).map((part) => [...part]);
  return (thread) => {
    const own = parts[thread]?.shift();
    if (own !== undefined) return own;
    const longest = parts.reduce<Batch[]>((most, part) => (part.length > most.length ? part : most), []);
    return longest.pop();
  };
}

function startThread(script: string, megabytes: number): Pool {
  const resourceLimits = { maxOldGenerationSizeMb: Math.floor(megabytes) };
  return pool(script, { workerType: "thread", maxWorkers: 1, workerThreadOpts: { resourceLimits } });
}

async function inTurn(names: readonly string[], work: (name: string) => Promise<readonly Outcome[]>): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const name of names) append(outcomes, await work(name));
  return outcomes;
}

/** True if Node ended a thread because its heap was full (ERR_WORKER_OUT_OF_MEMORY). workerpool reports that as text. */
function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && error.message.includes("memory limit");
}

function reasonOf(error: unknown): string {
  if (!isOutOfMemory(error)) return describeInternalError(error);
  return "it takes more memory than a thread has; NODE_OPTIONS=--max-old-space-size=8192 allows 8 GB";
}
