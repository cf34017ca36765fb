/** Writes the results to the files that the README links to: a page with the table, a picture, and the figures themselves. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { editKinds } from "./edits.ts";
import { plotOf } from "./plot.ts";
import { type Machine, type Result, tableOf } from "./report.ts";
import { type RepositoryResult, repositoriesFile, repositoryTable, savedRepositories } from "./repository-report.ts";

const docs = join(import.meta.dirname, "../docs");
const figures = join(import.meta.dirname, "results.json");

export function saveResults(machine: Machine, results: readonly Result[]): void {
  writeFileSync(figures, `${JSON.stringify({ machine, results }, undefined, 2)}\n`);
  writeFileSync(join(docs, "speed.svg"), plotOf(results, editKinds.body.what));
  writePage();
}

/** The results of parts of the bench that ran side by side on one machine. What several parts have measured is taken from the first. */
export function joinParts(files: readonly string[]): { readonly machine: Machine; readonly results: readonly Result[] } {
  const parts = files.map((file) => JSON.parse(readFileSync(file, "utf8")) as { machine: Machine; results: readonly Result[] });
  const [first] = parts;
  if (first === undefined) throw new Error("no results to join");
  const rows = new Map<string, Result>();
  for (const result of parts.flatMap((part) => part.results)) {
    const { server, language, lines, functionLines, kind } = result;
    const key = JSON.stringify([server, language, lines, functionLines, kind]);
    rows.set(key, rows.get(key) ?? result);
  }
  return { machine: { ...first.machine, parts: parts.length }, results: [...rows.values()] };
}

/** Replaces the figures of these repositories, and keeps those of others. */
export function saveRepositories(machine: Machine, fresh: readonly RepositoryResult[]): void {
  const others = (savedRepositories()?.results ?? []).filter(({ name }) => !fresh.some((result) => result.name === name));
  const results = [...others, ...fresh].sort((a, b) => a.lines - b.lines);
  writeFileSync(repositoriesFile, `${JSON.stringify({ machine, results }, undefined, 2)}\n`);
  writePage();
}

/** Writes the page again from the saved figures. */
export function writePage(): void {
  const { machine, results } = JSON.parse(readFileSync(figures, "utf8")) as { machine: Machine; results: readonly Result[] };
  writeFileSync(join(docs, "speed.md"), `${page(machine, results)}${repositories()}`);
}

function repositories(): string {
  const saved = savedRepositories();
  if (saved === undefined) return "";
  const { machine, results } = saved;
  return `
## Whole repositories

What \`gpu-qualifiers check .\` takes in a clone: the first time, and once more with the results of the first check in the cache.
\`npx tsx bench/repositories.ts --save NAME=FOLDER\` measures it.

- *processor* is the time of all threads; *memory* is the greatest resident size of the process.
- *load* is how many of the ${machine.cores} cores were busy with other work at the start. If they were, the time that passes says nothing
  and is left out, and even the processor's time is longer than on an idle machine.

${machine.processor}, ${machine.cores} cores, ${machine.memory}, ${machine.system}, Node ${machine.node}, ${machine.date}

${repositoryTable(results)}
`;
}

function page(machine: Machine, results: readonly Result[]): string {
  const { processor, cores, memory, system, node, clangd, date, load, parts = 1 } = machine;
  const beside = parts === 1 ? "" : `; in ${parts} parts, several of them side by side, which makes the slowest answers slower`;
  return `# Speed

How long it is from an edit to the findings of the new text, through the real server over standard input and output, beside
clangd ${clangd} on the same files in the same run. \`npm run bench -- --save\` makes this page.

![From a key in a function's body to its findings](speed.svg)

- Each edit is at another place and makes a text that was never there before. What an edit breaks is put right before the next.
- *all findings* is the time until the last diagnostics of an opened file; the first may be those of a part of it.
- *processor* is the time that all threads of the server take for one edit. Where the machine has other things to do, it says more
  than the time that passes.
- OpenCL C is judged by every standard that the file may be written for; clangd reads it as OpenCL C 2.0.
- *clangd takes* compares the medians: at 8 ×, one waits eight times as long for clangd; below 1 ×, clangd is faster.
- clangd waits for a pause in typing before it reads a file anew. It gets the few declarations of CUDA that the files use, not CUDA's headers.
- clangd answers other questions: it finds what a compiler rejects. This is about how long one waits, not about which is better.

| | |
|---|---|
| machine | ${processor}, ${cores} cores, ${memory} |
| system | ${system}, Node ${node} |
| date | ${date}, load ${load} at the start${beside} |

${tableOf(results)}
`;
}
