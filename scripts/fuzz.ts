/**
 * `npm run fuzz -- [--minutes N | --inputs N --edits N] [--jobs N] [--seed S] [--only KIND]`: searches for texts, settings and edits
 * that take too long, throw an exception, or give other findings after edits than from scratch; for changes of projects after which
 * stored results or summaries say something else than a new check; and, if clang is installed, for fixes that clang rejects. A failing
 * input is minimized and stored in `test/hostile/found/`, which the tests check from then on. With `--inputs` and `--edits` it ends when
 * both numbers are reached. `--jobs` divides the work among processes, each with seeds of its own.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import fc from "fast-check";
import { parseFixture } from "../test/fixtures.ts";
import {
  gentleSession,
  type Input,
  input,
  type Session,
  session,
  smallInput,
  smallSession,
  tinyInput,
} from "../test/hostile/generators.ts";
import { cachedLikeFresh, linkedLikeChecked, type Step, startProject, step, take } from "../test/hostile/projects.ts";
import { type Folder, folder } from "../test/hostile/settings-files.ts";
import { editLikeFresh, minimized, minimizedTyping, survive, surviveSettings, type Typing, typingOf } from "../test/hostile/survive.ts";
import { startTyping, type TypedServer } from "../test/hostile/typed.ts";
import { startWatchdog } from "../test/hostile/watchdog.ts";
import { offersOf } from "../test/offers.ts";
import { testParser } from "../test/service.ts";
import { createJudge } from "./fixes/compile.ts";
import { compilerVersions } from "./oracle/compilers.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string" },
    inputs: { type: "string" },
    edits: { type: "string" },
    jobs: { type: "string", default: "1" },
    seed: { type: "string" },
    only: { type: "string" },
  },
});
const firstSeed = Number(values.seed ?? Date.now() % 2 ** 31);
/** How far apart the first seeds of two processes are. */
const seedsPerJob = 10_000_000;
if (Number(values.jobs) > 1) process.exit(await inProcesses(Number(values.jobs)));

const isCounted = values.inputs !== undefined || values.edits !== undefined;
const end = isCounted && values.minutes === undefined ? Number.POSITIVE_INFINITY : Date.now() + Number(values.minutes ?? 1) * 60_000;
const parser = await testParser();
const foundFolder = join(import.meta.dirname, "../test/hostile/found");
const counts = { inputs: 0, edits: 0, editsOverProtocol: 0, settings: 0, steps: 0, fixes: 0, slow: 0, wrong: 0 };

const watchdog = startWatchdog();

/** The limit on the time that an input may take, in milliseconds of processor time. */
const patience = 2_000;

/** True when the time is over, or when as many inputs and edits as wanted have been tried. */
function isDone(): boolean {
  if (Date.now() >= end) return true;
  return isCounted && counts.inputs >= Number(values.inputs ?? 0) && counts.edits >= Number(values.edits ?? 0);
}

/** Divides the work among processes. Returns the exit code: 1 if one of them found something or was killed. */
async function inProcesses(jobs: number): Promise<number> {
  const share = (count: string | undefined) => (count === undefined ? undefined : String(Math.ceil(Number(count) / jobs)));
  const codes = await Promise.all(
    Array.from({ length: jobs }, (_, job) => {
      const own = {
        minutes: values.minutes,
        inputs: share(values.inputs),
        edits: share(values.edits),
        seed: String((firstSeed + job * seedsPerJob) % 2 ** 31),
        only: values.only,
      };
      const args = Object.entries(own).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]));
      const child = spawn(process.execPath, [...process.execArgv, import.meta.filename, ...args], { stdio: "inherit" });
      return new Promise<number>((resolve) => child.on("close", (code) => resolve(code ?? 1)));
    }),
  );
  return codes.every((code) => code === 0) ? 0 : 1;
}

/** The message of a failure; undefined if there is none. */
function wrongOf(run: () => void): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function keep(extension: string, content: string, message: string): void {
  if (message.includes("took ")) counts.slow += 1;
  else counts.wrong += 1;
  const file = join(foundFolder, `${createHash("sha256").update(content).digest("hex").slice(0, 12)}.${extension}`);
  mkdirSync(foundFolder, { recursive: true });
  writeFileSync(file, content);
  console.log(`${file}: ${content.length} characters: ${message.split("\n").slice(0, 4).join("\n").slice(0, 2_000)}`);
}

function checkSession(made: Session): void {
  const run = (one: Typing) => wrongOf(() => void editLikeFresh(parser, one, perComparison));
  let perComparison: number | undefined;
  const typing = typingOf(made);
  watchdog.begin("typing.json", JSON.stringify(typing));
  const wrong = run(typing);
  counts.edits += typing.texts.length - 1;
  if (wrong === undefined) return;
  // If all texts are compared, the first one that differs is found. But comparing each may hide the difference.
  perComparison = 1;
  if (run(typing) === undefined) perComparison = undefined;
  keep("typing.json", JSON.stringify(minimizedTyping(typing, (fewer) => run(fewer) !== undefined)), wrong);
}

function checkFolder(made: Folder): void {
  counts.settings += 1;
  watchdog.begin("folder.json", JSON.stringify(made));
  const run = (one: Folder) => wrongOf(() => surviveSettings(parser, one, patience));
  const wrong = run(made);
  if (wrong === undefined) return;
  let smallest = made;
  for (const name of Object.keys(made)) {
    const without = Object.fromEntries(Object.entries(smallest).filter(([other]) => other !== name));
    if (run(without) !== undefined) smallest = without;
  }
  for (const [name, text] of Object.entries(smallest)) {
    smallest = { ...smallest, [name]: minimized(text, (shorter) => run({ ...smallest, [name]: shorter }) !== undefined) };
  }
  keep("folder.json", JSON.stringify(smallest), wrong);
}

let server: TypedServer | undefined;
async function checkOverProtocol(made: Session): Promise<void> {
  watchdog.begin("typed.json", JSON.stringify(made));
  server ??= await startTyping();
  try {
    counts.editsOverProtocol += await server.type(made);
  } catch (error) {
    keep("typed.json", JSON.stringify(made), messageOf(error));
    await server.stop();
    server = undefined;
  }
}

/** The message of a failure after these steps; undefined if there is none. */
async function wrongAfter(steps: readonly Step[]): Promise<string | undefined> {
  const project = startProject();
  try {
    for (const each of steps) {
      take(project.folder, each);
      cachedLikeFresh(parser, project);
    }
    await linkedLikeChecked(project);
    return undefined;
  } catch (error) {
    return messageOf(error);
  } finally {
    project.dispose();
  }
}

/** Stored results and summaries against new checks. The steps are printed, because a project is not one text to keep. */
async function checkSteps(made: readonly Step[]): Promise<void> {
  counts.steps += made.length;
  watchdog.begin("steps.json", JSON.stringify(made));
  const wrong = await wrongAfter(made);
  if (wrong === undefined) return;
  let fewest = made;
  for (let at = made.length - 1; at >= 0; at -= 1) {
    const fewer = fewest.filter((_, index) => index !== at);
    if ((await wrongAfter(fewer)) !== undefined) fewest = fewer;
  }
  counts.wrong += 1;
  console.log(`${JSON.stringify(fewest)}: ${wrong.slice(0, 2_000)}`);
}

const judge = await clangJudge();
async function clangJudge(): Promise<ReturnType<typeof createJudge> | undefined> {
  try {
    const { clang } = await compilerVersions();
    return clang === "unknown" ? undefined : createJudge(true);
  } catch {
    return undefined;
  }
}

/** The fixes of a text in OpenCL C or CUDA C++, each applied alone, must not make clang report an error that it did not report before. */
async function checkFixes({ name, text }: Input): Promise<void> {
  if (judge === undefined) return;
  const file = name.slice(name.lastIndexOf("/") + 1);
  const language = file.endsWith(".cl") ? "opencl" : /\.cuh?$/.test(file) ? "cuda" : undefined;
  if (language === undefined) return;
  const standard = language === "opencl" ? "CL2.0" : "cuda";
  const fixture = parseFixture(file, [{ name: file, text }]);
  watchdog.begin(file, text);
  for (const offer of offersOf(parser, { ...fixture, language, standards: [standard] }, standard)) {
    if (offer.rule === undefined) continue;
    counts.fixes += 1;
    const wrong = await judge(offer);
    if (wrong === undefined) continue;
    counts.wrong += 1;
    console.log(`${JSON.stringify({ fix: offer.name, text, after: offer.after })}: ${wrong}`);
  }
}

function checkInput(made: { readonly name: string; readonly text: string }): void {
  counts.inputs += 1;
  watchdog.begin(made.name.slice(2), made.text);
  const wrong = wrongOf(() => survive(parser, made, patience));
  if (wrong === undefined) return;
  const small = minimized(made.text, (text) => wrongOf(() => survive(parser, { ...made, text }, patience)) !== undefined);
  keep(made.name.slice(made.name.lastIndexOf(".") + 1), small, wrong);
}

/** The kinds of input, and how often each is tried per round: two edits for each input. */
const kinds: Readonly<Record<string, (seed: number) => Promise<void>>> = {
  inputs: (seed) => each(input, 6, seed, checkInput),
  "small-inputs": (seed) => each(smallInput, 100, seed, checkInput),
  "tiny-inputs": (seed) => each(tinyInput, 1_500, seed, checkInput),
  sessions: (seed) => each(session, 1, seed, checkSession),
  "small-sessions": (seed) => each(smallSession, 5, seed, checkSession),
  "gentle-sessions": (seed) => each(gentleSession, 40, seed, checkSession),
  settings: (seed) => each(folder, 20, seed, checkFolder),
  projects: (seed) => each(fc.array(step, { minLength: 10, maxLength: 10 }), 1, seed, checkSteps),
  fixes: (seed) => each(smallInput, 5, seed, checkFixes),
  protocol: (seed) => each(gentleSession, 6, seed, checkOverProtocol),
};

async function each<Made>(
  arbitrary: fc.Arbitrary<Made>,
  numRuns: number,
  seed: number,
  check: (made: Made) => void | Promise<void>,
): Promise<void> {
  for (const made of fc.sample(arbitrary, { numRuns, seed })) {
    if (isDone()) return;
    await check(made);
  }
}

let seed = firstSeed;
console.log(`seed ${seed}`);
for (let told = Date.now(); !isDone(); seed += 1) {
  for (const [kind, run] of Object.entries(kinds)) if (values.only === undefined || values.only === kind) await run(seed);
  if (Date.now() - told > 60_000) {
    told = Date.now();
    console.log(JSON.stringify({ seed, ...counts }));
  }
}
watchdog.stop();
await server?.stop();
console.log(JSON.stringify(counts));
process.exitCode = counts.slow + counts.wrong > 0 ? 1 : 0;
