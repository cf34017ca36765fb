/**
 * Shows the progress of a long run in one line on standard error, if that is a terminal. The line is cleared before anything is
 * printed.
 */
import type { Terminal } from "./program.ts";

/** A line that shows the progress of a run. */
export interface Progress {
  show(done: number, total: number, shown: string): void;
  clear(): void;
}

// A run with fewer files ends before anyone could read the line.
const filesWorthMentioning = 20;
const millisecondsBetween = 100;

/** Creates a line on standard error that is overwritten. It shows nothing if standard error is not a terminal. */
export function createProgress(terminal: Pick<Terminal, "error" | "control" | "isErrorTerminal">): Progress {
  let lastShown = 0;
  let isVisible = false;
  return {
    show(done, total, shown) {
      const now = Date.now();
      if (!terminal.isErrorTerminal || total < filesWorthMentioning || now - lastShown < millisecondsBetween) return;
      lastShown = now;
      isVisible = true;
      const name = shown.length > 60 ? `…${shown.slice(-59)}` : shown;
      terminal.control("\r\u001b[K");
      terminal.error(`[${done}/${total}] ${name}`);
    },
    clear() {
      if (isVisible) terminal.control("\r\u001b[K");
      isVisible = false;
    },
  };
}
