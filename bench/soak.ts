/**
 * `npm run soak [-- --files N --edits N --documents N]`: tests whether a long session costs more than a short one. 10,000 edits and
 * 1,000 times opening and closing go through the real server. The memory that it holds early is compared with the memory that it holds
 * at the end of each, and growth of more than 10 % is a failure. The server collects its garbage before each measurement, because the
 * amount of uncollected garbage is random. With more than two files, each includes a header that is edited too. When the edits are
 * over, the server must take no processor time.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { type Editor, quiet, startEditor } from "./editor.ts";
import type { Change } from "./edits.ts";
import { makeSource, randomNumbers } from "./generate.ts";

const { edits, documents, files } = new Command()
  .option("--files <count>", "how many files are open", Number, 2)
  .option("--edits <count>", "how many edits", Number, 10_000)
  .option("--documents <count>", "how often a document is opened and closed", Number, 1_000)
  .parse()
  .opts<{ edits: number; documents: number; files: number }>();

const folder = mkdtempSync(join(tmpdir(), "soak-"));
const random = randomNumbers(7);
/** Files that include one header. */
const perHeader = 10;
const hasHeaders = files > 2;
/** Edits of one file before the next; each file has its turn several times. */
const editsInRow = hasHeaders ? 10 : 100;
const compiled = Array.from({ length: files }, (_, index) => {
  const language = index % 2 === 0 ? "cuda" : "opencl";
  const name = `${String.fromCharCode(97 + (index % 26))}${index < 26 ? "" : Math.floor(index / 26)}`;
  const include = hasHeaders ? `#include "h${Math.floor(index / perHeader)}.h"\n` : "";
  return {
    path: join(folder, `${name}.${language === "cuda" ? "cu" : "cl"}`),
    id: language === "cuda" ? "cuda-cpp" : "opencl",
    text: include + makeSource({ language, lines: 120, functionLines: 20 }),
  };
});
const headers = Array.from({ length: hasHeaders ? Math.ceil(files / perHeader) : 0 }, (_, index) => ({
  path: join(folder, `h${index}.h`),
  id: "c",
  text: `#pragma once\n#define SHARED_${index} 1\nstruct Shared${index} { int a; float b; };\n`,
}));
const sources = [...compiled, ...headers];
for (const { path, text } of sources) writeFileSync(path, text);

/**
 * The words that are typed and removed in each text, so that its length stays the same up to a few lines. It is half-typed most of
 * the time.
 */
const typed = new Map<string, string[]>();
const mostTyped = 8;
function nextChange(path: string, text: string): Change {
  const words = typed.get(path) ?? [];
  typed.set(path, words);
  const isFull = words.length >= mostTyped;
  const old = isFull || random() < 0.5 ? words.shift() : undefined;
  const offset = old === undefined ? -1 : text.indexOf(old);
  if (old !== undefined && offset >= 0) return { offset, length: old.length, text: "" };
  const name = ` x${Math.floor(random() * 1e9)} `;
  const word = random() < 0.5 ? `\nint${name}= 1;` : name;
  words.push(word);
  return { offset: Math.max(text.indexOf("\n", Math.floor(random() * text.length)), 0), length: 0, text: word };
}

const memoryFile = join(folder, "memory.txt");
process.env.SOAK_MEMORY = memoryFile;
const editor = await startEditor({
  command: process.execPath,
  parameters: [
    ...["--expose-gc", "--require", join(import.meta.dirname, "collected.cjs")],
    ...[join(import.meta.dirname, "../dist/server-node.js"), "--stdio"],
  ],
  folder,
});

const idleSeconds = 20;
/** A tick of the system's clock: what a process takes that is woken once by its runtime. */
const mostIdleTime = 10;

/** In megabytes. */
interface Memory {
  /** Memory of reachable objects, after a collection. */
  readonly held: number;
  /** The resident size of the process, before and after a collection. */
  readonly resident: number;
  readonly collected: number;
}

async function memoryOf(of: Editor): Promise<Memory> {
  rmSync(memoryFile, { force: true });
  const resident = of.memory();
  of.process.kill("SIGUSR2");
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    try {
      const [held = 0, collected = 0] = readFileSync(memoryFile, "utf8").split(" ").map(Number);
      if (collected > 0) return { held: held / 1e6, resident, collected: collected / 2 ** 20 };
    } catch {
      // It has not been written yet.
    }
  }
}
try {
  const grown = [await soakEdits(editor)];
  const idle = await idleTime(editor);
  console.log(`idle: ${idle} ms of processor time in ${idleSeconds} s`);
  for (const { path } of sources) await editor.close(path);
  grown.push(await soakDocuments(editor));
  if (grown.some((share) => share > 0.1) || idle > mostIdleTime) process.exitCode = 1;
} finally {
  await editor.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function soakEdits(to: Editor): Promise<number> {
  for (const { path, text, id } of sources) await to.open(path, text, id);
  const samples: Memory[] = [];
  for (let count = 0; count < edits; count++) {
    const source = sources[Math.floor(count / editsInRow) % sources.length];
    if (source === undefined) break;
    const change = nextChange(source.path, to.textOf(source.path));
    // People type several letters while one text is checked.
    if (count % 20 === 19) await to.change(source.path, change);
    else to.send(source.path, change);
    if (count % 200 === 199) samples.push(await memoryOf(to));
  }
  return report(`${edits} edits`, samples);
}

/** The milliseconds of processor time that the server takes while nothing happens, after it has finished what the edits caused. */
async function idleTime(of: Editor): Promise<number> {
  // Findings in half-typed code are shown 20 seconds after the last key.
  await quiet(of, 30_000);
  const before = of.processorTime();
  await new Promise((resolve) => setTimeout(resolve, idleSeconds * 1_000));
  return of.processorTime() - before;
}

async function soakDocuments(to: Editor): Promise<number> {
  const samples: Memory[] = [];
  for (let count = 0; count < documents; count++) {
    const source = compiled[count % Math.min(2, compiled.length)];
    if (source === undefined) break;
    const path = join(folder, `${count}-${source.path.slice(folder.length + 1)}`);
    await to.open(path, source.text.replaceAll("stage", `stage${count}_`), source.id);
    await to.close(path);
    if (count % 20 === 19) samples.push(await memoryOf(to));
  }
  return report(`${documents} documents`, samples);
}

/** The largest share by which the last fifth of the samples has more memory than the second. The first fifth is for warming up. */
function report(what: string, samples: readonly Memory[]): number {
  const fifth = Math.floor(samples.length / 5);
  const shares = (["held", "resident", "collected"] as const).map((kind) => {
    const early = median(samples.slice(fifth, 2 * fifth).map((sample) => sample[kind]));
    const late = median(samples.slice(-fifth).map((sample) => sample[kind]));
    const share = late / early - 1;
    const sign = share < 0 ? "" : "+";
    const most = Math.max(...samples.map((sample) => sample[kind]));
    console.log(
      `${what}, ${kind}: ${early.toFixed(0)} MB early, ${late.toFixed(0)} MB at the end (${sign}${(100 * share).toFixed(1)} %), ${most.toFixed(0)} MB at most`,
    );
    return { kind, share };
  });
  // The resident size includes uncollected garbage, so it is printed, because task managers show it, but not judged.
  return Math.max(...shares.filter(({ kind }) => kind !== "resident").map(({ share }) => share));
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}
