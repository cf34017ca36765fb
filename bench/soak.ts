/**
 * `npm run soak`: whether a long session costs more than a short one. 10,000 edits, and 1,000 openings and closings of a
 * document, go through the real server. Its resident memory is compared between an early and the last part of each, and must not
 * grow by more than 10 %. The lower quartile of each part excludes garbage that has not been collected yet.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { type Editor, startEditor } from "./editor.ts";
import type { Change } from "./edits.ts";
import { makeSource, randomNumbers } from "./generate.ts";

const { edits, documents } = new Command()
  .option("--edits <count>", "how many edits", Number, 10_000)
  .option("--documents <count>", "how often a document is opened and closed", Number, 1_000)
  .parse()
  .opts<{ edits: number; documents: number }>();

const folder = mkdtempSync(join(tmpdir(), "soak-"));
const random = randomNumbers(7);
const sources = (["cuda", "opencl"] as const).map((language) => ({
  path: join(folder, language === "cuda" ? "a.cu" : "a.cl"),
  id: language === "cuda" ? "cuda-cpp" : "opencl",
  text: makeSource({ language, lines: 120, functionLines: 20 }),
}));
for (const { path, text } of sources) writeFileSync(path, text);

/** Words are added and removed, so that the length of the text stays about the same, and the text is half-typed most of the time. */
const typed: string[] = [];
function nextChange(text: string): Change {
  const last = typed.pop();
  if (last !== undefined && random() < 0.5) {
    const offset = text.indexOf(last);
    if (offset >= 0) return { offset, length: last.length, text: "" };
  }
  const word = ` x${Math.floor(random() * 1e9)} `;
  typed.push(word);
  const line = text.indexOf("\n", Math.floor(random() * text.length));
  return { offset: Math.max(line, 0), length: 0, text: random() < 0.5 ? `\nint${word}= 1;` : word };
}

const editor = await startEditor({
  command: process.execPath,
  parameters: [join(import.meta.dirname, "../dist/server-node.js"), "--stdio"],
  folder,
});
try {
  const grown = [await soakEdits(editor), await soakDocuments(editor)];
  if (grown.some((share) => share > 0.1)) process.exitCode = 1;
} finally {
  await editor.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function soakEdits(to: Editor): Promise<number> {
  for (const { path, text, id } of sources) await to.open(path, text, id);
  const samples: number[] = [];
  for (let count = 0; count < edits; count++) {
    const source = sources[Math.floor(count / 100) % sources.length];
    if (source === undefined) break;
    const change = nextChange(to.textOf(source.path));
    // Users type several letters while one text is being checked.
    if (count % 20 === 19) await to.change(source.path, change);
    else to.send(source.path, change);
    if (count % 100 === 99) samples.push(to.memory());
  }
  for (const { path } of sources) await to.close(path);
  return report(`${edits} edits`, samples);
}

async function soakDocuments(to: Editor): Promise<number> {
  const samples: number[] = [];
  for (let count = 0; count < documents; count++) {
    const source = sources[count % sources.length];
    if (source === undefined) break;
    const path = join(folder, `${count}-${source.path.slice(folder.length + 1)}`);
    await to.open(path, source.text.replaceAll("stage", `stage${count}_`), source.id);
    await to.close(path);
    if (count % 5 === 4) samples.push(to.memory());
  }
  return report(`${documents} documents`, samples);
}

/** The relative growth from the second fifth to the last; the first fifth is for warming up. */
function report(what: string, samples: readonly number[]): number {
  const fifth = Math.floor(samples.length / 5);
  const early = lowerQuartile(samples.slice(fifth, 2 * fifth));
  const late = lowerQuartile(samples.slice(-fifth));
  const share = late / early - 1;
  console.log(
    `${what}: ${early} MB early, ${late} MB at the end (${share < 0 ? "" : "+"}${(100 * share).toFixed(1)} %), ${Math.max(...samples)} MB at most`,
  );
  return share;
}

function lowerQuartile(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 4)] ?? 0;
}
