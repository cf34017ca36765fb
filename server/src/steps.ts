/**
 * Work that its caller may take up and put down: a generator that yields wherever there is a good moment to do something
 * else. The core has no clock; when to go on is its host's business, and nothing that comes out depends on it.
 */

/** Work that yields where something else may be done, and returns its result. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** All steps at once. */
export function inOneGo<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Starts over whenever `stamp` says something else than before between two steps: then what was begun is history. */
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
      // What unfinished work holds is let go.
      steps.return(undefined as never);
    }
  }
}
