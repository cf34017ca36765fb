/**
 * When diagnostics are made: soon after the last keystroke, never twice for the same text, and never for a text that is
 * already history. How long it waits follows from how long checks take, so that small files answer at once.
 */

export interface Scheduler {
  /** The file should be checked; whatever was planned for it is replaced. */
  plan(name: string): void;
  forget(name: string): void;
  dispose(): void;
}

const shortestWait = 15;
const longestWait = 120;

/** Runs `work` for every planned file, one after the other, when it has been left alone for a moment. */
export function createScheduler(work: (name: string) => Promise<void>): Scheduler {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  let wait = shortestWait;
  let last: Promise<void> = Promise.resolve();

  const run = async (name: string): Promise<void> => {
    // It has been planned anew or forgotten while others were being checked.
    if (timers.has(name)) return;
    const started = performance.now();
    await work(name);
    wait = Math.min(longestWait, Math.max(shortestWait, performance.now() - started));
  };

  return {
    plan(name) {
      clearTimeout(timers.get(name));
      timers.set(
        name,
        setTimeout(() => {
          timers.delete(name);
          last = last.then(() => run(name));
        }, wait),
      );
    },
    forget(name) {
      clearTimeout(timers.get(name));
      timers.delete(name);
    },
    dispose() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}
