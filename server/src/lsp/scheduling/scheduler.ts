/**
 * Which documents are being brought up to date. Work on a document begins as soon as it has changed, without a wait; work that
 * a further change has overtaken ends at its next step, so that nothing is published about a text that is history.
 */

/** Decides when a document's diagnostics are made. */
export interface Scheduler {
  /** The document should be checked; work that was planned for it before is overtaken. */
  plan(name: string): void;
  /** No work on the document is under way any more, as far as others may overtake it. */
  forget(name: string): void;
}

/** `work` handles its own errors; it asks `isOvertaken` after each pause whether to go on. */
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
