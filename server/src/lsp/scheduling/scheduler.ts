/**
 * Keeps the checks of documents up to date. A check starts as soon as its document changes, without a delay. If a further change
 * makes a check obsolete, the check ends at its next step, so diagnostics of an old text are never published.
 */

/** Decides when a document is checked. */
export interface Scheduler {
  /** Requests a check of the document, which replaces an earlier one that has not finished. */
  plan(name: string): void;
  /** Cancels pending and running checks of the document. */
  forget(name: string): void;
}

/** Creates the scheduler. `work` handles its own errors, and calls `isOvertaken` after each pause to find out whether to continue. */
export function createScheduler(work: (name: string, isOvertaken: () => boolean) => Promise<void>): Scheduler {
  const latest = new Map<string, object>();
  return {
    plan(name) {
      const pass = {};
      latest.set(name, pass);
      const isOvertaken = () => (latest.get(name) ?? pass) !== pass;
      void work(name, isOvertaken).finally(() => {
        if (latest.get(name) === pass) latest.delete(name);
      });
    },
    forget: (name) => void latest.delete(name),
  };
}
