/**
 * Work that its caller may interrupt: a generator that yields where other work may run. The core has no clock; its host decides
 * when to continue, and no result depends on that.
 */

/** Work that yields where its caller may interrupt it, and returns its result. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** Runs all steps without a pause. */
export function inOneGo<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Starts the work over whenever `stamp` changes between two steps. */
export function* startingOver<Result>(start: () => Steps<Result>, stamp: () => unknown): Steps<Result> {
  for (;;) {
    const before = stamp();
    const steps = start();
    try {
      while (before === stamp()) {
        const step = steps.next();
        if (step.done === true) return step.value;
        yield;
      }
    } finally {
      // Releases what the unfinished work holds.
      steps.return(undefined as never);
    }
  }
}
