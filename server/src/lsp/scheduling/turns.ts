/**
 * Whose turn it is. There is one thread, and a large file takes seconds: so all work on files is done in slices, and between
 * two of them the client's messages are read. What somebody waits for comes first, of that the document that was looked at
 * last; what nobody waits for comes when nothing else is to be done, and seldom while somebody types.
 */
import type { Steps } from "../../steps.ts";

/** Whether somebody waits for the work. */
export type Urgency = "now" | "later";

/** Whose turn it is to work. */
export interface Turns {
  /** Does the work on a file when its turn comes; how urgent it is may change meanwhile. */
  run<Result>(name: string, urgency: () => Urgency, steps: Steps<Result>, isWanted?: () => boolean): Promise<Result>;
  /** For a long row of small things that nobody waits for: when the next of them may be done. */
  rest(): Promise<void>;
  /** A message of the client has come; `name` is the document that somebody looks at. */
  heard(name?: string): void;
  /** What has not been done is never done. */
  dispose(): void;
}

/** What the promise of work is rejected with that nobody waited for any more. */
export const abandoned = new Error("nobody waits for it any more");

/** After so many milliseconds the client is listened to. */
const slice = 10;
/** The client has been silent for so long that there may be nothing to come. */
const silence = 250;
/** As often there is a slice of what nobody waits for, even if the client never rests. */
const longestPause = 500;

interface Job {
  readonly name: string;
  urgency(): Urgency;
  isWanted(): boolean;
  /** Nobody waits for it any more: what it had begun is dropped. */
  abandon(): void;
  /** Returns whether it is done. */
  advance(): boolean;
}

/** The turns of one session; `now` gives milliseconds. */
export function createTurns(now: () => number = () => performance.now()): Turns {
  const jobs = new Set<Job>();
  /** When each document was looked at, as a count of messages. */
  const looks = new Map<string, number>();
  let messages = 0;
  let lastMessage = Number.NEGATIVE_INFINITY;
  let lastIdle = now();
  let isWorking = false;
  let isStopped = false;
  let wake: () => void = () => undefined;

  /** Lets messages in that have come, and those that they bring with them. */
  const listen = async (): Promise<void> => {
    for (let before = -1; before !== messages; ) {
      before = messages;
      for (let round = 0; round < 3; round++) await tick();
    }
  };
  const rank = ({ urgency, name }: Job): number => (urgency() === "later" ? -1 : (looks.get(name) ?? 0));
  const next = (): Job | undefined => {
    let best: Job | undefined;
    for (const job of jobs) if (best === undefined || rank(job) > rank(best)) best = job;
    return best;
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
    // Of several changes that came at once only the last counts.
    await listen();
    for (let job = next(); job !== undefined && !isStopped; job = next()) {
      if (!job.isWanted()) {
        jobs.delete(job);
        job.abandon();
        continue;
      }
      const isIdle = job.urgency() === "later";
      const rest = Math.min(lastMessage + silence, lastIdle + longestPause) - now();
      if (isIdle && rest > 0) {
        await sleep(rest);
        continue;
      }
      const end = now() + slice;
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
        // What it holds is let go.
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
  let lastRest = Number.NEGATIVE_INFINITY;

  return {
    run,
    async rest() {
      if (now() - lastRest < slice) return;
      await run("", () => "later", nothing());
      lastRest = now();
    },
    heard(name) {
      messages += 1;
      lastMessage = now();
      if (name !== undefined) looks.set(name, messages);
      wake();
    },
    dispose() {
      isStopped = true;
      jobs.clear();
      wake();
    },
  };
}

function* nothing(): Steps<void> {}

/** Once around the event loop, where that is known. */
function tick(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === "function") setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
}
