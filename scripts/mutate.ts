/**
 * `npm run mutate -- DIR [--files N] [--each N] [--seed N] [--seconds N] [--compilers]`: makes one mistake of each kind in files
 * without findings, and counts for each kind how many are reported, and what else is reported. With `--compilers` only files that
 * clang or nvcc accept are used, and only mistakes that they reject count. The files and places are a sample that depends on the
 * seed alone. After the given time, or when interrupted, it prints the figures so far.
 */
import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { createCounter, type Found } from "../server/src/cli/mutate/figures.ts";
import { blankComments, type Mutation, mutationKinds } from "../server/src/cli/mutate/mutations.ts";
import type { MutantRequest } from "./mutate/checker.ts";
import { judged } from "./mutate/judges.ts";
import { ruleMutations } from "./mutate/rule-mutations.ts";
import { askChild, startChild } from "./precision/child.ts";
import { sourcesIn } from "./precision/recipes.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    files: { type: "string", default: "40" },
    each: { type: "string", default: "1" },
    seed: { type: "string", default: "1" },
    seconds: { type: "string", default: "600" },
    compilers: { type: "boolean", default: false },
  },
});

/** A text that takes longer is left out, and named. */
const timeOfCheck = 20_000;
/** Longer files are left out: each mistake in them takes too long. */
const longest = 200_000;

const folder = resolve(positionals[0] ?? ".");
const end = Date.now() + Number(values.seconds) * 1000;
const counter = createCounter();
let state = Number(values.seed);
let used = 0;
let isStopped = false;
let child: ChildProcess = await start();

process.once("SIGINT", () => finish("interrupted"));
process.once("SIGTERM", () => finish("interrupted"));

const candidates = sample(sourcesIn(folder, ""), Number.POSITIVE_INFINITY);
for (const path of candidates) {
  if (used >= Number(values.files) || isOver()) break;
  await mutateFile(path);
}
finish(isOver() ? "out of time" : "done");

async function mutateFile(path: string): Promise<void> {
  const file = join(folder, path);
  const source = readFileSync(file, "utf8");
  if (source.length > longest) return;
  const language = path.endsWith(".cl") ? "opencl" : "cuda";
  const before = await check({ path, text: source });
  if (before === undefined || before.length > 0) return;
  if (values.compilers && (await judged(file, source, folder)) !== false) return;
  used += 1;
  console.error(`${used} of ${values.files}: ${path}`);
  const text = blankComments(source);
  for (const kind of [...mutationKinds, ...ruleMutations]) {
    if (kind.language !== language) continue;
    for (const place of sample(kind.places(text), Number(values.each))) {
      if (isOver()) return;
      const changed = source.slice(0, place.start) + place.text + source.slice(place.end);
      if (values.compilers && (await judged(file, changed, folder)) !== true) continue;
      const found = await check({ path, text: changed });
      if (found === undefined) continue;
      const name = `${language}: ${kind.name}`;
      counter.count(name, kind.rules, found);
      showSurprises(`${path}:${lineOf(source, place)} ${name}`, kind.rules, found);
    }
  }
}

/** Prints a mistake that is not reported, and findings beside the right one. */
function showSurprises(where: string, rules: readonly string[], found: readonly Found[]): void {
  const others = found.filter(({ rule }) => !rules.includes(rule));
  if (others.length === found.length) console.log(`missed: ${where}`);
  for (const { rule, message, line } of others) console.log(`extra: ${where}\n  line ${line}: ${message} [${rule}]`);
}

async function check(request: MutantRequest): Promise<readonly Found[] | undefined> {
  const answer = await askChild<readonly Found[]>(child, request, timeOfCheck);
  if (answer !== undefined || isStopped) return answer;
  console.log(`slow: ${request.path}`);
  child.kill("SIGKILL");
  child = await start();
  return undefined;
}

function start(): Promise<ChildProcess> {
  return startChild(join(import.meta.dirname, "mutate/checker.ts"), [folder]);
}

function isOver(): boolean {
  return Date.now() > end;
}

function finish(reason: string): void {
  isStopped = true;
  for (const line of counter.summary()) console.log(line);
  console.log(`${used} files without findings of ${candidates.length}, seed ${values.seed}, ${reason}`);
  child.kill("SIGKILL");
  process.exit(0);
}

function lineOf(source: string, { start }: Pick<Mutation, "start">): number {
  return source.slice(0, start).split("\n").length;
}

/** A sample of the entries in an order of its own, the same for the same seed. */
function sample<T>(entries: readonly T[], most: number): readonly T[] {
  const left = [...entries];
  const taken: T[] = [];
  while (taken.length < most && left.length > 0) {
    state = (state * 1103515245 + 12345) % 2147483648;
    taken.push(...left.splice(state % left.length, 1));
  }
  return taken;
}
