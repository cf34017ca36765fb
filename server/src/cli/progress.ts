/** One line on standard error that says how far a long run is; only on a terminal, and gone before anything is printed. */

export interface Progress {
  show(done: number, total: number, shown: string): void;
  clear(): void;
}

// A run of a few files is over before anybody could read the line.
const filesWorthMentioning = 20;
const millisecondsBetween = 100;

/** A line on standard error that is overwritten; nothing where that is no terminal. */
export function createProgress(terminal: { error(text: string): void; readonly isErrorTerminal: boolean }): Progress {
  let lastShown = 0;
  let isVisible = false;
  return {
    show(done, total, shown) {
      const now = Date.now();
      if (!terminal.isErrorTerminal || total < filesWorthMentioning || now - lastShown < millisecondsBetween) return;
      lastShown = now;
      isVisible = true;
      const name = shown.length > 60 ? `…${shown.slice(-59)}` : shown;
      terminal.error(`\r\u001b[K[${done}/${total}] ${name}`);
    },
    clear() {
      if (isVisible) terminal.error("\r\u001b[K");
      isVisible = false;
    },
  };
}
