/**
 * Measures checks of whole repositories by the command line program: once with an empty cache, and once more from the cache. With
 * `--save` the figures of these repositories replace their earlier ones in docs/speed.md. Uses dist/ as it is, and GNU time.
 *
 *   npx tsx bench/repositories.ts hashcat=/src/hashcat cutlass=/src/cutlass
 *   npx tsx bench/repositories.ts --generated 1000000 --save
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Command } from "commander";
import { makeSource } from "./generate.ts";
import { describeMachine } from "./report.ts";
import { type Effort, type RepositoryResult, repositoryTable } from "./repository-report.ts";
import { saveRepositories } from "./save.ts";

const program = new Command()
  .argument("[repositories...]", "NAME=FOLDER")
  .option("--generated <lines>", "also a repository of generated files of 2,000 lines", Number)
  .option("--save", "writes bench/repositories.json and docs/speed.md")
  .parse();
const options = program.opts<{ generated?: number; save?: true }>();

/** For how long other work is observed, in milliseconds. */
const sampleTime = 2_000;
const scratch = mkdtempSync(join(tmpdir(), "gpu-qualifiers-repositories-"));
const results: RepositoryResult[] = [];
try {
  for (const argument of program.args) {
    const [name = "", folder = ""] = argument.split("=");
    measure(name, resolve(folder));
  }
  if (options.generated !== undefined) measure("generated files", generate(options.generated));
  console.log(repositoryTable(results));
  if (options.save === true) saveRepositories(describeMachine(undefined), results);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** Files of both languages, each with declarations of its own. */
function generate(lines: number): string {
  const folder = join(scratch, "generated");
  for (let seed = 1, left = lines; left > 0; seed += 1) {
    const language = seed % 2 === 0 ? "cuda" : "opencl";
    const text = makeSource({ language, lines: Math.min(2_000, left), functionLines: 20, seed });
    left -= lineCount(text);
    const part = join(folder, `part${Math.floor(seed / 50)}`);
    mkdirSync(part, { recursive: true });
    writeFileSync(join(part, `kernels${seed}.${language === "cuda" ? "cu" : "cl"}`), text);
  }
  return folder;
}

/** How many cores are busy with other work now. The usual load average still counts the repository before. */
function busyCores(): number {
  const before = workOfCores();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, sampleTime);
  return (workOfCores() - before) / sampleTime;
}

/** The time for which all cores together have worked so far, in milliseconds. */
function workOfCores(): number {
  return cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0);
}

function measure(name: string, folder: string): void {
  const load = busyCores().toFixed(1);
  const cache = join(scratch, "cache");
  const [cold, coldOutput] = check(folder, cache);
  const [warm, warmOutput] = check(folder, cache);
  rmSync(cache, { recursive: true, force: true });
  const { files } = JSON.parse(coldOutput) as { files: readonly { readonly file: string }[] };
  const lines = files.reduce((sum, { file }) => sum + lineCount(readFileSync(join(folder, file), "utf8")), 0);
  const git = spawnSync("git", ["-C", folder, "rev-parse", "--short", "HEAD"], { encoding: "utf8" });
  const commit = git.status === 0 ? git.stdout.trim() : "";
  const result = { name, commit, files: files.length, lines, cold, warm, areEqual: coldOutput === warmOutput, load };
  results.push(result);
  console.log(JSON.stringify(result));
}

/** One check of a folder: what it took, and what it printed. */
function check(folder: string, cache: string): readonly [Effort, string] {
  const times = join(scratch, "times");
  const output = execFileSync(
    "/usr/bin/time",
    [
      ...["-f", "%e %U %S %M", "-o", times],
      ...[process.execPath, resolve(import.meta.dirname, "../dist/cli.js"), "check"],
      ...["--format", "json", "--level", "hint", "--fail-on", "never", "."],
    ],
    {
      cwd: folder,
      encoding: "utf8",
      maxBuffer: 2 ** 30,
      env: { ...process.env, GPU_QUALIFIERS_CACHE: cache },
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  const [seconds = 0, user = 0, system = 0, kilobytes = 0] =
    readFileSync(times, "utf8").trim().split("\n").at(-1)?.split(" ").map(Number) ?? [];
  return [{ seconds, processor: Math.round((user + system) * 10) / 10, megabytes: Math.round(kilobytes / 1024) }, output];
}

function lineCount(text: string): number {
  return text.split("\n").length - 1;
}
