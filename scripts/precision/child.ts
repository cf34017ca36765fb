/** Processes that answer requests of a harness. The harness ends a process that does not answer in time, and starts another one. */
import { type ChildProcess, fork } from "node:child_process";

/** Starts the script with its arguments, and waits until it says that it is ready. */
export async function startChild(script: string, args: readonly string[]): Promise<ChildProcess> {
  const child = fork(script, [...args], { execArgv: ["--import", "tsx", "--max-old-space-size=3000"] });
  await new Promise<void>((ready) => child.once("message", () => ready()));
  return child;
}

/** The answer of the process; undefined if it does not answer in time, or has ended. */
export function askChild<Answer>(child: ChildProcess, request: object | string, milliseconds: number): Promise<Answer | undefined> {
  return new Promise((answered) => {
    const finish = (answer: Answer | undefined): void => {
      clearTimeout(timer);
      child.off("message", onMessage);
      child.off("exit", onExit);
      answered(answer);
    };
    const onMessage = (message: unknown): void => finish(message as Answer);
    const onExit = (): void => finish(undefined);
    const timer = setTimeout(onExit, milliseconds);
    child.once("message", onMessage);
    child.once("exit", onExit);
    child.send(request);
  });
}
