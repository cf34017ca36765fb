/**
 * `npm run fuzz -- [--inputs N] [--edits N] [--minutes N] [--jobs N] [--seed S] [--only KIND]`: searches for texts, settings and edits
 * that take too long, throw an exception, or give other findings after edits than from scratch; for changes of projects after which
 * stored results or summaries say something else than a new check; and, if clang is installed, for fixes that clang rejects.
 *
 * It ends when as many inputs and as many edits as wanted have been tried, or when the time is over, which is a minute if nothing is
 * given. Both counts advance together; a count alone tries only the kinds that count so (`fuzz/plan.ts`). `--jobs` divides the counts
 * among processes, each with seeds of its own.
 *
 * A failing case of any kind is minimized and stored in `test/hostile/found/`, which the tests check from then on. For two kinds that
 * says less: of a rejected fix the text is stored, on which tests ask no compiler (`npm run fixes -- test/hostile/found` does); and
 * what kills a process, endless work included, is stored as it is.
 */
import { spawn } from "node:child_process";
import { startWatchdog } from "../test/hostile/watchdog.ts";
import { testParser } from "../test/service.ts";
import { createFinds } from "./fuzz/finds.ts";
import { hasClang } from "./fuzz/fixes.ts";
import { startWork } from "./fuzz/kinds.ts";
import { argumentsOfJobs, type Counts, type KindName, nextKind, type Plan, planOf, totalOf } from "./fuzz/plan.ts";

/** What a process tells at its end. */
interface Result {
  readonly done: Counts;
  readonly slow: number;
  readonly wrong: number;
}

const plan = planOf(process.argv.slice(2), Date.now() % 2 ** 31);
if (typeof plan === "string") {
  console.error(plan);
  process.exitCode = 2;
} else process.exitCode = plan.jobs > 1 ? await inProcesses(plan) : await inThisProcess(plan);

/** Divides the work among processes. Returns the exit code: 1 if one of them found something or was killed. */
async function inProcesses(plan: Plan): Promise<number> {
  const results: Result[] = [];
  const codes = await Promise.all(
    argumentsOfJobs(plan).map((args) => {
      const child = spawn(process.execPath, [...process.execArgv, import.meta.filename, ...args], {
        stdio: ["inherit", "inherit", "inherit", "ipc"],
      });
      child.on("message", (result: Result) => void results.push(result));
      return new Promise<number>((resolve) => child.on("close", (code) => resolve(code ?? 1)));
    }),
  );
  const done: Partial<Record<KindName, number>> = {};
  for (const kind of plan.kinds) done[kind] = results.reduce((sum, result) => sum + (result.done[kind] ?? 0), 0);
  const sum = (count: "slow" | "wrong") => results.reduce((all, result) => all + result[count], 0);
  console.log(`all processes: ${told({ done, slow: sum("slow"), wrong: sum("wrong") })}`);
  if (results.length < plan.jobs) console.log(`${plan.jobs - results.length} processes were killed; their counts are missing`);
  return codes.every((code) => code === 0) ? 0 : 1;
}

async function inThisProcess(given: Plan): Promise<number> {
  const plan = (await hasClang()) ? given : { ...given, kinds: given.kinds.filter((kind) => kind !== "fixes") };
  if (plan.kinds.length < given.kinds.length) console.log("clang is not installed, so fixes are not tried");
  console.log(`seed ${plan.seed}`);
  const [finds, watchdog] = [createFinds(), startWatchdog()];
  const work = startWork({ parser: await testParser(), finds, watchdog }, plan.seed);
  const done: Partial<Record<KindName, number>> = {};
  const end = Date.now() + plan.minutes * 60_000;
  let lastTime = Date.now();
  for (let kind = nextKind(plan, done); kind !== undefined && Date.now() < end; kind = nextKind(plan, done)) {
    done[kind] = (done[kind] ?? 0) + (await work.tryNext(kind));
    if (Date.now() - lastTime < 60_000) continue;
    lastTime = Date.now();
    console.log(told({ done, slow: finds.slow, wrong: finds.wrong }));
  }
  watchdog.stop();
  await work.stop();
  const result: Result = { done, slow: finds.slow, wrong: finds.wrong };
  if (process.send === undefined) console.log(told(result));
  else process.send(result, () => process.disconnect());
  return finds.slow + finds.wrong > 0 ? 1 : 0;
}

function told({ done, slow, wrong }: Result): string {
  return JSON.stringify({ inputs: totalOf("inputs", done), edits: totalOf("edits", done), slow, wrong, kinds: done });
}
