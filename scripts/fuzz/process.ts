/** One process of `npm run fuzz`: tries its share, tells its counts to the process that started it, and ends early at a signal. */
import { setImmediate } from "node:timers/promises";
import { startWatchdog } from "../../test/hostile/watchdog.ts";
import { testParser } from "../../test/service.ts";
import { createFinds } from "./finds.ts";
import { hasClang } from "./fixes.ts";
import { startWork } from "./kinds.ts";
import { type KindName, nextKind, type Plan, planOf, type Result } from "./plan.ts";

const plan = planOf(process.argv.slice(2), 0);
if (typeof plan === "string") throw new Error(plan);
process.exitCode = await tryAll(plan);
if (process.connected) process.disconnect();

/** Returns the exit code: 1 if something was found. */
async function tryAll(given: Plan): Promise<number> {
  const end = Date.now() + given.seconds * 1_000;
  let isStopped = false;
  const stop = (): void => {
    isStopped = true;
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  // The process that counts is gone.
  process.on("disconnect", stop);
  const plan = (await hasClang()) ? given : { ...given, kinds: given.kinds.filter((kind) => kind !== "fixes") };
  if (plan.kinds.length < given.kinds.length) console.log("clang is not installed, so fixes are not tried");
  const [finds, watchdog] = [createFinds(), startWatchdog()];
  const work = startWork({ parser: await testParser(), finds, watchdog }, plan.seed);
  const done: Partial<Record<KindName, number>> = {};
  const tell = async (): Promise<void> => {
    const result: Result = { done, slow: finds.slow, wrong: finds.wrong };
    await new Promise<void>((resolve) =>
      process.send === undefined || !process.connected ? resolve() : process.send(result, () => resolve()),
    );
  };
  let lastTold = Date.now();
  for (let kind = nextKind(plan, done); kind !== undefined && Date.now() < end && !isStopped; kind = nextKind(plan, done)) {
    done[kind] = (done[kind] ?? 0) + (await work.tryNext(kind));
    if (Date.now() - lastTold < 1_000) continue;
    lastTold = Date.now();
    await tell();
    // Signals are noticed between two turns of the event loop only.
    await setImmediate();
  }
  watchdog.stop();
  await work.stop();
  await tell();
  return finds.slow + finds.wrong > 0 ? 1 : 0;
}
