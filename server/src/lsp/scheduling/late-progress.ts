/**
 * Shows that files are being read, where that takes long enough to wonder: work that ends at once is not shown. There is one
 * such sign for a client, however many passes are under way.
 */
import type { Connection, WorkDoneProgressReporter } from "vscode-languageserver";

/** Progress that is shown only where work takes long. */
export interface LateProgress {
  /** A pass begins. */
  start(): Pass;
}

/** One piece of work under way. */
export interface Pass {
  report(done: number, total: number): void;
  end(): void;
}

/** So many milliseconds nobody is told. */
const discretion = 4_000;
/** As often the numbers are renewed. */
const every = 500;

/** Shows nothing where the client does not support it. */
export function createLateProgress(connection: Connection, isSupported: boolean): LateProgress {
  const silent: Pass = { report: () => undefined, end: () => undefined };
  let isShown = false;

  const shown = (): Pass => {
    isShown = true;
    const began = performance.now();
    let last = began;
    let isOver = false;
    let sign: Promise<WorkDoneProgressReporter | undefined> | undefined;
    const begin = async (): Promise<WorkDoneProgressReporter | undefined> => {
      // A client may refuse.
      const made = await connection.window.createWorkDoneProgress().catch(() => undefined);
      made?.begin("Reading CUDA and OpenCL files", 0);
      return made;
    };
    return {
      report(done, total) {
        const now = performance.now();
        if (isOver || now - began < discretion || now - last < every) return;
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
