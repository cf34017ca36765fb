/**
 * Schedules all work on the single thread. A large file takes seconds, so work is done in slices, and the
 * client's messages are read between them. Urgent work, which the client waits for, comes first, beginning with the document that
 * was viewed last. Background work runs when nothing else is waiting, and rarely while the user types.
 */
import type { Steps } from "../../steps.ts";

/** `now` is for work whose result the client waits for. */
export type Urgency = "now" | "later";

/** The queue of all work of a session. */
export interface TaskQueue {
  /** Runs the work on a file, in turns with others; its urgency may change meanwhile. */
  run<Result>(name: string, urgency: () => Urgency, steps: Steps<Result>, isWanted?: () => boolean): Promise<Result>;
  /** Resolves when a small piece of background work may run. It is for long loops of such pieces. */
  idle(): Promise<void>;
  /** Notes a message of the client. `name` is the document that it shows, if the message tells that. */
  noteMessage(name?: string): void;
  /** Forgets when a document was viewed, because it was closed. */
  forget(name: string): void;
  /** Drops all work that has not finished. */
  dispose(): void;
}

/** The rejection of a promise for work whose result is no longer wanted. */
export const abandoned = new Error("the result is no longer wanted");

/** Milliseconds of a slice, after which messages are read. */
const slice = 10;
/** Milliseconds without a message after which the client counts as idle. */
const silence = 250;
/** Milliseconds after which background work gets a short slice even if the client is never idle. */
const longestPause = 200;
/** Milliseconds of a short slice. A keystroke that arrives in it waits for its end. */
const shortSlice = 4;

interface Job {
  readonly name: string;
  urgency(): Urgency;
  isWanted(): boolean;
  /** Drops the work, because its result is no longer wanted. */
  abandon(): void;
  /** Runs one step; returns whether the work has finished. */
  advance(): boolean;
}

/** Creates the queue of one session; `now` returns milliseconds. */
export function createTaskQueue(now: () => number = () => performance.now()): TaskQueue {
  const jobs = new Set<Job>();
  /** When each document was last viewed, counted in messages. */
  const looks = new Map<string, number>();
  let messages = 0;
  let lastMessage = Number.NEGATIVE_INFINITY;
  let lastIdle = now();
  let isWorking = false;
  let isStopped = false;
  let wake: () => void = () => undefined;

  /** Lets the pending messages be handled, and those that follow from them. */
  const listen = async (): Promise<void> => {
    for (let before = -1; before !== messages; ) {
      before = messages;
      for (let round = 0; round < 3; round++) await tick();
    }
  };
  const rank = ({ urgency, name }: Job): number => (urgency() === "later" ? -1 : (looks.get(name) ?? 0));
  const next = (): Job | undefined => {
    let best: { readonly job: Job; readonly rank: number } | undefined;
    for (const job of jobs) {
      const own = rank(job);
      if (best === undefined || own > best.rank) best = { job, rank: own };
    }
    return best?.job;
  };
  const sleep = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const work = async (): Promise<void> => {
    // If several changes arrive together, only the last one counts.
    await listen();
    for (let job = next(); job !== undefined && !isStopped; job = next()) {
      if (!job.isWanted()) {
        jobs.delete(job);
        job.abandon();
        continue;
      }
      const isIdle = job.urgency() === "later";
      const pause = Math.min(lastMessage + silence, lastIdle + longestPause) - now();
      if (isIdle && pause > 0) {
        await sleep(pause);
        // The code that ended the sleep may have queued a message that has not been sent yet.
        await listen();
        continue;
      }
      const isTyping = isIdle && now() < lastMessage + silence;
      const end = now() + (isTyping ? shortSlice : slice);
      let isDone = job.advance();
      while (!isDone && now() < end) isDone = job.advance();
      if (isDone) jobs.delete(job);
      if (isIdle) lastIdle = now();
      await listen();
    }
  };

  const run = <Result>(name: string, urgency: () => Urgency, steps: Steps<Result>, isWanted = () => true) =>
    new Promise<Result>((resolve, reject) => {
      const advance = (): boolean => {
        try {
          const step = steps.next();
          if (step.done === true) resolve(step.value);
          return step.done === true;
        } catch (error) {
          reject(error);
          return true;
        }
      };
      const abandon = (): void => {
        // Releases the resources of the work.
        steps.return(undefined as never);
        reject(abandoned);
      };
      jobs.add({ name, urgency, advance, isWanted, abandon });
      wake();
      if (isWorking) return;
      isWorking = true;
      void work().finally(() => {
        isWorking = false;
      });
    });
  let lastPause = Number.NEGATIVE_INFINITY;

  return {
    run,
    async idle() {
      if (now() - lastPause < slice) return;
      await run("", () => "later", nothing());
      lastPause = now();
    },
    noteMessage(name) {
      messages += 1;
      lastMessage = now();
      if (name !== undefined) looks.set(name, messages);
      wake();
    },
    forget: (name) => void looks.delete(name),
    dispose() {
      isStopped = true;
      jobs.clear();
      wake();
    },
  };
}

function* nothing(): Steps<void> {}

/** One turn of the event loop, if the host has one. */
function tick(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === "function") setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
}
