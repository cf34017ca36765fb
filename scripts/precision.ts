/**
 * `npm run precision -- DIR [--flags recipe.tsv | --compile] [--limit N] [--seconds N] [--parse] [--kernels] [--all]`: checks
 * files that their compiler accepts, with their flags and without any, and lists every reported error: each is a false alarm or a
 * mistake that compilers accept. It says which kernels were never looked at, and what they need. `--parse` lists what did not parse, `--kernels` the kernels with a parameter of an unknown type,
 * `--all` also the findings of lower severity.
 */
import type { ChildProcess } from "node:child_process";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { askChild, startChild } from "./precision/child.ts";
import type { FoundPlace, Outcome, Request, Task } from "./precision/messages.ts";
import { acceptedFiles, checkedIn, readRecipes } from "./precision/recipes.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    flags: { type: "string" },
    compile: { type: "boolean" },
    limit: { type: "string", default: "100000" },
    seconds: { type: "string", default: "20" },
    parse: { type: "boolean" },
    kernels: { type: "boolean" },
    all: { type: "boolean" },
  },
});
/** How many missing headers are listed. */
const mostHeaders = 20;
const folder = resolve(positionals[0] ?? ".");
const limit = Number(values.limit);
const recipes =
  values.flags !== undefined
    ? readRecipes(values.flags, folder)
    : values.compile === true
      ? await acceptedFiles(folder, limit)
      : checkedIn(folder).map((path) => ({ path, flags: [] }));
const chosen = recipes.slice(0, limit);
const isJudged = values.flags !== undefined || values.compile === true;

const passes = [{ name: "without flags", tasks: chosen.map(({ path }, id): Task => ({ id, path: join(folder, path), flags: undefined })) }];
if (isJudged)
  passes.unshift({ name: "with flags", tasks: chosen.map(({ path, flags }, id): Task => ({ id, path: join(folder, path), flags })) });

console.log(`${folder}: ${chosen.length} files${isJudged ? " that their compiler accepts" : ""}`);
for (const { name, tasks } of passes) show(name, tasks, await runTasks(tasks));

// ---------------------------------------------------------------- running

interface Results {
  readonly outcomes: readonly Outcome[];
  readonly hung: readonly Task[];
  readonly linked: readonly FoundPlace[];
}

/** Runs the tasks in one process for as many files as possible. A file that takes too long or crashes the process requires a new one. */
async function runTasks(tasks: readonly Task[]): Promise<Results> {
  const outcomes: Outcome[] = [];
  const hung: Task[] = [];
  let child = await start();
  for (const task of tasks) {
    const answer = await ask<Outcome>(child, task, Number(values.seconds) * 1000);
    if (answer !== undefined) {
      outcomes.push(answer);
      continue;
    }
    hung.push(task);
    child.kill("SIGKILL");
    child = await start();
  }
  const linked = (await ask<readonly FoundPlace[]>(child, "link", 60_000)) ?? [];
  child.kill();
  return { outcomes, hung, linked };
}

function start(): Promise<ChildProcess> {
  return startChild(join(import.meta.dirname, "precision/checker.ts"), [folder]);
}

function ask<Answer>(child: ChildProcess, request: Request, milliseconds: number): Promise<Answer | undefined> {
  return askChild(child, request, milliseconds);
}

// ---------------------------------------------------------------- showing

/** The sums for each name, the greatest first. */
function counts(pairs: readonly (readonly [string, number])[]): readonly (readonly [string, number])[] {
  const sums = new Map<string, number>();
  for (const [name, count] of pairs) sums.set(name, (sums.get(name) ?? 0) + count);
  return [...sums].sort(([, a], [, b]) => b - a);
}

function show(name: string, tasks: readonly Task[], { outcomes, hung, linked }: Results): void {
  const shown = (path: string): string => relative(folder, path);
  const findings = distinct([...outcomes.flatMap((outcome) => outcome.findings), ...linked]);
  const crashed = outcomes.filter(({ crash }) => crash !== undefined);
  const unparsed = outcomes.filter(({ parseErrors }) => parseErrors.length > 0);
  const times = outcomes.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  const expressions = sum(outcomes.map((outcome) => outcome.expressions));
  const unknown = sum(outcomes.map((outcome) => outcome.unknownExpressions));
  console.log(`\n=== ${name}`);
  console.log(
    `files with parse errors  ${unparsed.length} (${percent(unparsed.length, outcomes.length)}), places ${sum(unparsed.map(({ parseErrors }) => parseErrors.length))}`,
  );
  console.log(`unknown expressions      ${unknown} of ${expressions} (${percent(unknown, expressions)})`);
  const kernels = sum(outcomes.map((outcome) => outcome.kernels));
  const unclear = sum(outcomes.map(({ unclearKernels }) => unclearKernels.length));
  console.log(`kernels in full          ${kernels - unclear} of ${kernels} (${percent(kernels - unclear, kernels)})`);
  const outside = sum(outcomes.map(({ coverage, unclearKernels }) => (coverage.missingHeaders.length > 0 ? unclearKernels.length : 0)));
  const rest = kernels - outside;
  console.log(
    `  without those whose headers are outside of the folder  ${kernels - unclear} of ${rest} (${percent(kernels - unclear, rest)})`,
  );
  const unknownTypes = counts(
    outcomes.flatMap(({ unclearKernels }) => unclearKernels.flatMap(({ types }) => types.map((type) => [type, 1] as const))),
  );
  for (const [type, some] of unknownTypes.slice(0, mostHeaders)) console.log(`  ${some}  with the unknown type ${type}`);
  const active = sum(outcomes.map(({ coverage }) => coverage.kernels));
  const needed = counts(outcomes.flatMap(({ coverage }) => coverage.inactive.map(({ macro, kernels: some }) => [macro, some] as const)));
  const inactive = sum(needed.map(([, some]) => some));
  console.log(`kernels never looked at  ${inactive} of ${active + inactive} (${percent(inactive, active + inactive)})`);
  for (const [macro, some] of needed) console.log(`  ${some}  in code that needs ${macro === "" ? "another condition" : macro}`);
  const missing = counts(
    outcomes.flatMap(({ coverage }) =>
      coverage.unclear === 0 ? [] : coverage.missingHeaders.map((header) => [header, coverage.unclear] as const),
    ),
  );
  for (const [header, some] of missing.slice(0, mostHeaders)) console.log(`  ${some}  unclear where ${header} is missing`);
  console.log(
    `time                     ${(sum(times) / 1000).toFixed(1)} s, median ${times[times.length >> 1]?.toFixed(0) ?? 0} ms, longest ${times.at(-1)?.toFixed(0) ?? 0} ms`,
  );
  console.log(`crashed ${crashed.length}, out of time or memory ${hung.length}`);
  for (const { id, crash } of crashed) console.log(`  crash  ${shown(tasks[id]?.path ?? "")}: ${crash}`);
  for (const { path } of hung) console.log(`  hang   ${shown(path)}`);
  for (const severity of ["error", "warning", "info", "hint"] as const) {
    const byRule = new Map<string, number>();
    for (const finding of findings) if (finding.severity === severity) byRule.set(finding.rule, (byRule.get(finding.rule) ?? 0) + 1);
    console.log(
      `${severity.padEnd(8)} ${[...byRule.values()].reduce((a, b) => a + b, 0)}  ${[...byRule].map(([rule, count]) => `${rule} ${count}`).join(", ")}`,
    );
  }
  for (const { path, line, column, severity, rule, message, source } of findings) {
    if (severity === "error" || values.all === true)
      console.log(`  ${shown(path)}:${line}:${column}: ${severity}: ${message} [${rule}]\n      ${source}`);
  }
  if (values.kernels === true)
    for (const { id, unclearKernels } of outcomes)
      for (const { line, text } of unclearKernels) console.log(`  kernel ${shown(tasks[id]?.path ?? "")}:${line}: ${text}`);
  if (values.parse !== true) return;
  for (const { id, parseErrors } of unparsed)
    for (const { line, text } of parseErrors) console.log(`  parse  ${shown(tasks[id]?.path ?? "")}:${line}: ${text}`);
}

function distinct(findings: readonly FoundPlace[]): readonly FoundPlace[] {
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}

function percent(part: number, whole: number): string {
  return whole === 0 ? "0 %" : `${((100 * part) / whole).toFixed(1)} %`;
}
