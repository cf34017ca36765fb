/**
 * `npm run fuzz -- --minutes N [--seed S]`: looks for texts that take too long, raise an exception or are told differently after
 * edits than afresh. What fails is made small and put into `test/hostile/found/`, whose texts the tests check from then on.
 */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import fc from "fast-check";
import { type Input, input, mutated, session } from "../test/hostile/generators.ts";
import { editLikeFresh, minimized, survive } from "../test/hostile/survive.ts";
import { testParser } from "../test/service.ts";

const { values } = parseArgs({ options: { minutes: { type: "string", default: "1" }, seed: { type: "string" } } });
const end = Date.now() + Number(values.minutes) * 60_000;
const parser = await testParser();
const folder = join(import.meta.dirname, "../test/hostile/found");
const counts = { inputs: 0, edits: 0, slow: 0, wrong: 0 };

/** The message of what an input does wrong; undefined where it does nothing. */
function wrongOf(run: () => void): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}

function keep({ name, text }: Input, message: string, fails: (text: string) => boolean): void {
  if (message.includes("took ")) counts.slow += 1;
  else counts.wrong += 1;
  const small = minimized(text, fails);
  const file = join(folder, `${createHash("sha256").update(small).digest("hex").slice(0, 12)}${name.slice(name.lastIndexOf("."))}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, small);
  console.log(`${file}: ${small.length} characters: ${message.split("\n").slice(0, 4).join("\n")}`);
}

let seed = Number(values.seed ?? Date.now() % 2 ** 31);
console.log(`seed ${seed}`);
for (let told = Date.now(); Date.now() < end; seed += 1) {
  for (const made of fc.sample(input, { numRuns: 100, seed })) {
    if (Date.now() > end) break;
    counts.inputs += 1;
    const wrong = wrongOf(() => survive(parser, made));
    if (wrong !== undefined) keep(made, wrong, (text) => wrongOf(() => survive(parser, { ...made, text })) !== undefined);
  }
  for (const { input: start, edits } of fc.sample(session, { numRuns: 20, seed })) {
    if (Date.now() > end) break;
    const wrong = wrongOf(() => {
      counts.edits += editLikeFresh(parser, start, edits);
    });
    if (wrong === undefined) continue;
    const last = edits.reduce(mutated, start.text);
    console.log(JSON.stringify({ name: start.name, edits }));
    keep({ name: start.name, text: last }, wrong, () => false);
  }
  if (Date.now() - told > 60_000) {
    told = Date.now();
    console.log(JSON.stringify(counts));
  }
}
console.log(JSON.stringify(counts));
process.exitCode = counts.slow + counts.wrong > 0 ? 1 : 0;
