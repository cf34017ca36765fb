/**
 * `npm run fuzz -- [--inputs N] [--edits N] [--minutes N] [--seconds N] [--jobs N] [--seed S] [--only KIND]`: searches for texts,
 * settings and edits that take too long, throw an exception, or give other findings after edits than from scratch; for changes of
 * projects after which stored results or summaries say something else than a new check; and, if clang is installed, for fixes that
 * clang rejects.
 *
 * It ends when as many inputs and as many edits as wanted have been tried, or when the time is over, which is a minute if nothing is
 * given, or at an interrupt. It always prints what has been tried until then. Both counts advance together; a count alone tries only
 * the kinds that count so (`fuzz/plan.ts`). `--jobs` divides the counts among processes, each with seeds of its own.
 *
 * A failing case of any kind is minimized and stored in `test/hostile/found/`, which the tests check from then on. For two kinds that
 * says less: of a rejected fix the text is stored, on which tests ask no compiler (`npm run fixes -- test/hostile/found` does); and
 * what kills a process, endless work included, is stored as it is.
 */
import { spawn } from "node:child_process";
import { bundled } from "./fuzz/bundle.ts";
import { argumentsOfJobs, type Plan, planOf, type Result, sumOf, told } from "./fuzz/plan.ts";

const plan = planOf(process.argv.slice(2), Date.now() % 2 ** 31);
if (typeof plan === "string") {
  console.error(plan);
  process.exitCode = 2;
} else process.exitCode = await tried(plan);

/** Divides the work among processes. Returns the exit code: 1 if one of them found something or was killed. */
async function tried(plan: Plan): Promise<number> {
  const program = await bundled();
  const results = new Map<number, Result>();
  console.log(`seed ${plan.seed}`);
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
  const report = setInterval(() => console.log(told(sumOf([...results.values()]))), 60_000);
  const codes = await Promise.all(children.map(({ ended }) => ended));
  clearInterval(report);
  console.log(told(sumOf([...results.values()])));
  const killed = codes.filter((code) => code !== 0 && code !== 1).length;
  if (killed > 0) console.log(`${killed} processes were killed; their counts are those that they told last`);
  return codes.every((code) => code === 0) ? 0 : 1;
}
