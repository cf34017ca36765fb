/** Runs `check --watch` as a real process until it is stopped. */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";

const program = join(import.meta.dirname, "../../dist/cli.js");

export interface Watching {
  readonly process: ChildProcess;
  /** Resolves to the findings since `change`, once a check has ended after it and `isDone` holds for them. */
  after(change: () => void, isDone: (out: string) => boolean): Promise<string>;
  /** The whole output on standard error. */
  said(): string;
  stop(): void;
}

/** Resolves once the first check has ended. */
export async function startWatching(folder: string): Promise<Watching> {
  const watching = spawn(process.execPath, [program, "check", "--watch", "--no-cache", "."], { cwd: folder });
  let out = "";
  let error = "";
  let rounds = 0;
  let wake = () => {};
  watching.stdout.on("data", (data) => {
    out += data;
  });
  watching.stderr.on("data", (data) => {
    error += data;
    rounds += String(data).split("watching for changes").length - 1;
    wake();
  });
  watching.on("exit", () => wake());
  const next = async (isDone: () => boolean) => {
    while (!isDone()) {
      if (watching.exitCode !== null) throw new Error(`it ended with ${watching.exitCode}: ${error.slice(-2_000)}`);
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  await next(() => rounds > 0);
  return {
    process: watching,
    async after(change, isDone) {
      out = "";
      const before = rounds;
      change();
      await next(() => rounds > before && isDone(out));
      return out;
    },
    said: () => error,
    stop: () => void watching.kill(),
  };
}
