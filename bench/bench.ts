/**
 * `npm run bench`: measures the time from an edit to the published diagnostics, in the real server over its standard input and
 * output, and in clangd, if it is installed. It prints figures; no test depends on them.
 *
 *   npm run bench -- --save                                   everything, written to bench/results.json and docs/speed.md (some 30 minutes)
 *   npx tsx bench/bench.ts --only body,member --sizes 2000    two kinds of edit of files of 2,000 lines (uses dist/ as it is)
 *   npx tsx bench/bench.ts --only start,memory,header,pair    measurements other than edits in one file
 *   npx tsx bench/bench.ts --only body --sizes 2000 --languages cuda --servers ours --profile /tmp/p
 *   npx tsx bench/bench.ts --save --join part1.json,part2.json                                  results of parts that ran side by side
 *   npx tsx bench/bench.ts --only tree --tree ../cutlass --files include/cute/layout.hpp,examples/00_basic_gemm/basic_gemm.cu
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Command } from "commander";
import { type Editor, startEditor } from "./editor.ts";
import { type EditName, editKinds } from "./edits.ts";
import { type Language, makeSource, randomNumbers } from "./generate.ts";
import { measureHeader } from "./header.ts";
import { measurePair } from "./pair.ts";
import { describeMachine, type Result, rounded, summarized, tableOf } from "./report.ts";
import { joinParts, saveResults } from "./save.ts";
import { commandOf, type ServerName, versionOf } from "./servers.ts";
import { measureTree } from "./tree.ts";

const others = ["start", "memory", "header", "pair", "tree"] as const;
/** The lines of a source and of the header that it includes. */
const pairs = [2_000, 10_000];
const allKinds: readonly string[] = [...Object.keys(editKinds), ...others];
const list = (value: string) => value.split(",");

const options = new Command()
  .option("--only <kinds>", `of ${allKinds.join(", ")}`, list, allKinds)
  .option("--sizes <lines>", "lines of the files", list, ["200", "2000", "20000"])
  .option("--functions <lines>", "lines of their functions; those above 20 for edits in bodies only", list, ["20", "150", "700"])
  .option("--languages <languages>", "cuda, opencl", list, ["cuda", "opencl"])
  .option("--servers <servers>", "ours, clangd", list, ["ours", "clangd"])
  .option("--edits <count>", "measured edits of each kind, at most; a 99th percentile needs hundreds", Number, 1_000)
  .option("--seconds <count>", "for each kind, at most; ten edits are made nevertheless", Number, 20)
  .option("--pause <milliseconds>", "between two edits", Number, 10)
  .option("--tree <folder>", "a source tree, for words typed in its files")
  .option("--files <paths>", "files of the tree, which are all open", list, [])
  .option("--profile <folder>", "writes a processor profile of our server there")
  .option("--save", "writes bench/results.json and docs/speed.md")
  .option("--join <files>", "measures nothing and joins the results.json of parts that ran side by side on one machine", list, [])
  .parse()
  .opts<{
    only: string[];
    sizes: string[];
    functions: string[];
    languages: Language[];
    servers: string[];
    edits: number;
    seconds: number;
    pause: number;
    tree?: string;
    files: string[];
    join: string[];
    profile?: string;
    save?: true;
  }>();
const unknown = options.only.filter((kind) => !allKinds.includes(kind));
if (unknown.length > 0) throw new Error(`no kind of edit is called ${unknown.join(", ")}`);
const isEdit = (kind: string): kind is EditName => kind in editKinds;

const clangdVersion = versionOf("clangd");
const servers = (["gpu-qualifiers", "clangd"] as const).filter(
  (server) => options.servers.includes(server === "clangd" ? "clangd" : "ours") && (server !== "clangd" || clangdVersion !== undefined),
);
const nodeFlags = options.profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${options.profile}`, "--cpu-prof-interval=500"];
const machine = describeMachine(clangdVersion);
const results: Result[] = [];
/** Milliseconds without diagnostics after which no more are expected; a long file takes seconds between the first and the last. */
const silence = 2_000;
const folder = mkdtempSync(join(tmpdir(), "gpu-qualifiers-bench-"));

function add(result: Result): void {
  results.push(result);
  const { server, language, lines, functionLines, kind, unit, count, p50, p90 = p50, p99, processor } = result;
  const where = `${server.padEnd(14)} ${language.padEnd(6)} ${String(lines).padStart(6)} ${String(functionLines).padStart(4)}`;
  const spread = count === 1 ? `${p50} ${unit}` : `p50 ${p50}, p90 ${p90}, p99 ${p99} ${unit} (${count})`;
  console.log(`${where}  ${kind.padEnd(46)} ${spread}${processor === undefined ? "" : `, processor ${processor} ms`}`);
}

try {
  console.log(`${JSON.stringify(machine)}\n`);
  for (const server of options.join.length > 0 ? [] : servers) {
    for (const language of options.languages) {
      for (const lines of options.sizes.map(Number)) {
        for (const functionLines of options.functions.map(Number)) await measureFile(server, language, lines, functionLines);
      }
      if (options.only.includes("memory")) await measureMemory(server, language);
      if (options.only.includes("header"))
        for (const result of await measureHeader(server, language, join(folder, language), options)) add(result);
      if (options.only.includes("pair"))
        for (const lines of pairs)
          for (const result of await measurePair(server, language, lines, join(folder, `${language}-pair-${lines}`), options, nodeFlags))
            add(result);
    }
  }
  if (options.only.includes("tree") && options.tree !== undefined)
    for (const result of await measureTree(resolve(options.tree), options.files, options, nodeFlags)) add(result);
  const joined = options.join.length > 0 ? joinParts(options.join) : { machine, results };
  console.log(`\n${tableOf(joined.results)}`);
  if (options.save === true) saveResults(joined.machine, joined.results);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function openFolder(name: string): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  return path;
}

/** Measures the start of a server, the first findings of a file, then edits of each kind, each in a text of its own. */
async function measureFile(server: ServerName, language: Language, lines: number, functionLines: number): Promise<void> {
  const isUsual = functionLines === Math.min(...options.functions.map(Number));
  const kinds = options.only.filter(isEdit).filter((kind) => isUsual || kind === "body");
  const isStarted = options.only.includes("start") && isUsual;
  if ((kinds.length === 0 && !isStarted) || (lines <= functionLines && !isUsual)) return;
  const row = { server, language, lines, functionLines };
  const where = openFolder(`${language}-${lines}-${functionLines}`);
  const path = join(where, language === "cuda" ? "kernels.cu" : "kernels.cl");
  const languageId = language === "cuda" ? "cuda-cpp" : "opencl";
  const sourceOf = (seed: number) => makeSource({ language, lines, functionLines, seed });

  const starts: { readonly up: number; readonly first: number; readonly all: number }[] = [];
  if (isStarted) {
    for (let round = 0; round < (lines > 5_000 ? 3 : 5); round++) {
      writeFileSync(path, sourceOf(round + 1));
      const editor = await startEditor(commandOf(server, language, where, nodeFlags));
      const openedAt = performance.now();
      const first = await editor.open(path, sourceOf(round + 1), languageId);
      starts.push({ up: editor.startTime, first, all: (await lastPublication(editor, path)) - openedAt });
      await editor.stop();
    }
    if (lines === Math.min(...options.sizes.map(Number)))
      add({ ...row, lines: 0, functionLines: 0, kind: "start of the server", unit: "ms", ...summarized(starts.map(({ up }) => up)) });
    add({ ...row, kind: "first findings", unit: "ms", ...summarized(starts.map(({ first }) => first)) });
    add({ ...row, kind: "all findings", unit: "ms", ...summarized(starts.map(({ all }) => all)) });
    add({ ...row, kind: "start and first findings", unit: "ms", ...summarized(starts.map(({ up, first }) => up + first)) });
  }
  if (kinds.length === 0) return;
  writeFileSync(path, sourceOf(1));
  const editor = await startEditor(commandOf(server, language, where, nodeFlags));
  for (const [index, kind] of kinds.entries()) {
    await editor.open(path, sourceOf(index + 1), languageId);
    const random = randomNumbers(index + 7);
    // Work of the server after its first answer must not count for the edits.
    await lastPublication(editor, path);
    const times: number[] = [];
    let processor = 0;
    const end = performance.now() + options.seconds * 1_000;
    for (let place = 0; times.length < options.edits && (times.length < 10 || performance.now() < end); place++) {
      for (const { change, isMeasured } of editKinds[kind].edit({ text: editor.textOf(path), language, random, index: place })) {
        const before = editor.processorTime();
        const time = await editor.change(path, change);
        await pause(options.pause);
        if (!isMeasured) continue;
        times.push(time);
        processor += editor.processorTime() - before;
        if (times.length >= options.edits || (times.length >= 10 && performance.now() > end)) break;
      }
    }
    add({ ...row, kind: editKinds[kind].what, unit: "ms", ...summarized(times), processor: rounded(processor / times.length) });
    await editor.close(path);
  }
  await editor.stop();
}

/** When the diagnostics of a document were last published before the server was silent for a while. */
async function lastPublication(editor: Editor, path: string): Promise<number> {
  for (;;) {
    const last = editor.published.findLast((published) => published.path === path)?.at ?? performance.now();
    const left = silence - (performance.now() - last);
    if (left <= 0) return last;
    await pause(left);
  }
}

/** The memory of a session in which nothing is open, and of one in which a file of 2,000 lines has been edited a thousand times. */
async function measureMemory(server: ServerName, language: Language): Promise<void> {
  const lines = 2_000;
  const mostEdits = server === "clangd" ? 200 : 1_000;
  const where = openFolder(`${language}-memory`);
  const path = join(where, language === "cuda" ? "kernels.cu" : "kernels.cl");
  const editor = await startEditor(commandOf(server, language, where, nodeFlags));
  await pause(3_000);
  const one = { server, language, functionLines: 0, unit: "MB", count: 1, p99: 0 } as const;
  add({ ...one, lines: 0, kind: "memory of an idle session", p50: editor.memory() });
  const text = makeSource({ language, lines, functionLines: 20 });
  writeFileSync(path, text);
  await editor.open(path, text, language === "cuda" ? "cuda-cpp" : "opencl");
  await lastPublication(editor, path);
  add({ ...one, lines, kind: "memory after the first findings", p50: editor.memory() });
  const random = randomNumbers(3);
  const end = performance.now() + 10 * options.seconds * 1_000;
  let edits = 0;
  for (; edits < mostEdits && performance.now() < end; edits++) {
    for (const { change } of editKinds.body.edit({ text: editor.textOf(path), language, random, index: edits }))
      await editor.change(path, change);
  }
  add({ ...one, lines, kind: `memory after ${edits.toLocaleString("en")} edits`, p50: editor.memory() });
  await pause(3_000);
  add({ ...one, lines, kind: `memory after ${edits.toLocaleString("en")} edits, three seconds later`, p50: editor.memory() });
  await editor.stop();
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, milliseconds));
}
