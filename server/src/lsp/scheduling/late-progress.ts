/**
 * Shows progress for reading files, but only if it takes long enough to be noticed. Each client has one progress indicator, even if
 * several passes are running.
 */
import type { Connection, WorkDoneProgressReporter } from "vscode-languageserver";

/** Progress that is shown only for long work. */
export interface LateProgress {
  /** Starts a pass. */
  start(): ProgressPass;
}

/** One pass that is running. */
export interface ProgressPass {
  report(done: number, total: number): void;
  end(): void;
}

/** Milliseconds before progress is shown. */
const progressDelay = 4_000;
/** Milliseconds between updates of the numbers. */
const every = 500;

/** Creates the progress of one session. It shows nothing if the client does not support progress. */
export function createLateProgress(connection: Connection, isSupported: boolean): LateProgress {
  const silent: ProgressPass = { report: () => undefined, end: () => undefined };
  let isShown = false;

  const shown = (): ProgressPass => {
    isShown = true;
    const began = performance.now();
    let last = began;
    let isOver = false;
    let sign: Promise<WorkDoneProgressReporter | undefined> | undefined;
    const begin = async (): Promise<WorkDoneProgressReporter | undefined> => {
      // The client may refuse.
      const made = await connection.window.createWorkDoneProgress().catch(() => undefined);
      made?.begin("Reading CUDA and OpenCL files", 0);
      return made;
    };
    return {
      report(done, total) {
        const now = performance.now();
        if (isOver || now - began < progressDelay || now - last < every) return;
        last = now;
        sign ??= begin();
        void sign.then((made) => (isOver ? undefined : made?.report(Math.floor((100 * done) / total), `${done} of ${total}`)));
      },
      end() {
        if (isOver) return;
        isOver = true;
        isShown = false;
        void sign?.then((made) => made?.done());
      },
    };
  };
  return { start: () => (isSupported && !isShown ? shown() : silent) };
}
