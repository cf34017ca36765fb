/** Divides the work of the fuzzer among processes, adds their counts, and keeps them in a file while it works. */
import { spawn } from "node:child_process";
import { renameSync, writeFileSync } from "node:fs";
import { argumentsOfJobs, type Plan, planOf, type Result, sumOf, told } from "./plan.ts";

/** Milliseconds between two times at which the counts are printed, and stored. */
const printing = 60_000;
const storing = 2_000;

/** Runs the fuzzer with these arguments. Returns the exit code: 1 if a process found something or was killed, 2 for wrong arguments. */
export async function run(args: readonly string[], programOf: () => Promise<string>): Promise<number> {
  const plan = planOf(args, Date.now() % 2 ** 31);
  if (typeof plan !== "string") return tried(plan, await programOf());
  console.error(plan);
  return 2;
}

async function tried(plan: Plan, program: string): Promise<number> {
  const results = new Map<number, Result>();
  const start = Date.now();
  const counts = (): string => told(sumOf([...results.values()]));
  // A run that is killed leaves the counts of the last seconds, never half a file.
  const store = (state: "running" | "ended"): void => {
    if (plan.counts === undefined) return;
    const temporary = `${plan.counts}.${process.pid}.tmp`;
    const seconds = Math.round((Date.now() - start) / 1_000);
    writeFileSync(temporary, `${JSON.stringify({ state, seed: plan.seed, jobs: plan.jobs, seconds, ...JSON.parse(counts()) })}\n`);
    renameSync(temporary, plan.counts);
  };
  console.log(`seed ${plan.seed}`);
  store("running");
  const children = argumentsOfJobs(plan).map((args, job) => {
    const child = spawn(process.execPath, ["--enable-source-maps", "--max-semi-space-size=64", program, ...args], {
      stdio: ["inherit", "inherit", "inherit", "ipc"],
    });
    // A process tells its counts from time to time, so that those of one that is killed are known.
    child.on("message", (result: Result) => void results.set(job, result));
    return { child, ended: new Promise<number>((resolve) => child.on("close", (code) => resolve(code ?? 1))) };
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => {
      for (const { child } of children) child.kill("SIGTERM");
    });
  const timers = [setInterval(() => console.log(counts()), printing), setInterval(() => store("running"), storing)];
  const codes = await Promise.all(children.map(({ ended }) => ended));
  for (const timer of timers) clearInterval(timer);
  store("ended");
  console.log(counts());
  const killed = codes.filter((code) => code !== 0 && code !== 1).length;
  if (killed > 0) console.log(`${killed} processes were killed; their counts are those that they told last`);
  return codes.every((code) => code === 0) ? 0 : 1;
}
