/**
 * `npm run mutate -- DIR [--limit N] [--each N] [--seed N] [--compilers]`: makes one mistake of each kind in files without
 * findings, and counts for each kind how many are reported, and what else is reported. With `--compilers` only files that clang
 * or nvcc accept are used, and only mistakes that they reject count. Figures are reproducible for a seed.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { testParser } from "../test/service.ts";
import { blankComments, errorsOf, type Found, isRejected } from "./mutate/judges.ts";
import { type Mutation, mutationKinds } from "./mutate/mutations.ts";
import { sourcesIn } from "./precision/recipes.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    limit: { type: "string", default: "200" },
    each: { type: "string", default: "1" },
    seed: { type: "string", default: "1" },
    compilers: { type: "boolean", default: false },
  },
});
const folder = resolve(positionals[0] ?? ".");
const parser = await testParser();

interface Figures {
  made: number;
  reported: number;
  /** Reported by another rule than those of the kind. */
  otherwise: number;
  extra: number;
}

const figures = new Map<string, Figures>();
let state = Number(values.seed);
let files = 0;
for (const path of sourcesIn(folder, "").slice(0, Number(values.limit))) await mutate(join(folder, path), path);
for (const [name, { made, reported, otherwise, extra }] of figures)
  console.log(
    `${name}: ${reported} of ${made} reported${otherwise > 0 ? `, ${otherwise} more by another rule` : ""}, ${extra} extra findings`,
  );
const all = [...figures.values()];
const sum = (of: (each: Figures) => number): number => all.reduce((total, each) => total + of(each), 0);
console.log(
  `${files} files, ${sum(({ made }) => made)} mistakes, ${sum(({ reported }) => reported)} reported, ${sum(({ extra }) => extra)} extra findings`,
);

async function mutate(file: string, path: string): Promise<void> {
  const source = readFileSync(file, "utf8");
  const language = path.endsWith(".cl") ? "opencl" : "cuda";
  if (errorsOf(parser, path, source, folder).length > 0) return;
  if (values.compilers && (await judged(file, source)) !== false) return;
  files += 1;
  const text = blankComments(source);
  for (const kind of mutationKinds) {
    if (kind.language !== language) continue;
    const name = `${kind.language}: ${kind.name}`;
    for (const place of sample(kind.places(text), Number(values.each))) {
      const changed = source.slice(0, place.start) + place.text + source.slice(place.end);
      if (values.compilers && (await judged(file, changed)) !== true) continue;
      const found = errorsOf(parser, path, changed, folder);
      count(name, kind.rules, found);
      if (!found.some(({ rule }) => kind.rules.includes(rule))) console.log(`missed: ${path}:${lineOf(source, place)} ${name}`);
    }
  }
}

function count(name: string, rules: readonly string[], found: readonly Found[]): void {
  const entry = figures.get(name) ?? { made: 0, reported: 0, otherwise: 0, extra: 0 };
  figures.set(name, entry);
  const own = found.filter(({ rule }) => rules.includes(rule));
  entry.made += 1;
  if (own.length > 0) entry.reported += 1;
  else if (found.length > 0) entry.otherwise += 1;
  if (own.length > 0) entry.extra += found.length - own.length;
}

function lineOf(source: string, { start }: Pick<Mutation, "start">): number {
  return source.slice(0, start).split("\n").length;
}

/** A sample of the places, the same for the same seed. */
function sample<T>(places: readonly T[], most: number): readonly T[] {
  const left = [...places];
  const taken: T[] = [];
  while (taken.length < most && left.length > 0) {
    state = (state * 1103515245 + 12345) % 2147483648;
    taken.push(...left.splice(state % left.length, 1));
  }
  return taken;
}

/** Whether the compilers reject the text next to its original file; undefined if none is installed. */
async function judged(file: string, text: string): Promise<boolean | undefined> {
  const work = mkdtempSync(join(tmpdir(), "mutate-"));
  try {
    const copy = join(work, file.endsWith(".cl") ? "mutant.cl" : "mutant.cu");
    writeFileSync(copy, text);
    return await isRejected(copy, [dirname(file), folder]);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
