/** A run of `npm run fuzz` ends by its counts, whatever kinds it tries, and inputs and edits advance together. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import {
  argumentsOfJobs,
  type Counts,
  type KindName,
  nextKind,
  type Plan,
  planOf,
  shares,
  sumOf,
  told,
  totalOf,
} from "../../../scripts/fuzz/plan.ts";
import { run } from "../../../scripts/fuzz/run.ts";

function planFor(line: string): Plan {
  const plan = planOf(line.split(" ").filter(Boolean), 7);
  if (typeof plan === "string") throw new Error(plan);
  return plan;
}

/** What a run counts if each session makes that many edits. Stops after so many tries. */
function ran(plan: Plan, editsPerSession: number, tries = 100_000): { readonly done: Counts; readonly farthest: number } {
  const done: Partial<Record<KindName, number>> = {};
  let farthest = 0;
  for (let left = tries; left > 0; left -= 1) {
    const kind = nextKind(plan, done);
    if (kind === undefined) return { done, farthest };
    done[kind] = (done[kind] ?? 0) + (shares[kind].unit === "edits" ? editsPerSession : 1);
    const [inputs, edits] = [totalOf("inputs", done) / plan.wanted.inputs, totalOf("edits", done) / plan.wanted.edits];
    farthest = Math.max(farthest, Math.abs(inputs - edits));
  }
  throw new Error("the run does not end");
}

describe("a run", () => {
  it("with both counts tries every kind, ends at the counts, and lets them advance together", () => {
    const { done, farthest } = ran(planFor("--inputs 5000 --edits 10000"), 50);
    expect(totalOf("inputs", done)).toBe(5_000);
    expect(totalOf("edits", done)).toBeGreaterThanOrEqual(10_000);
    expect(totalOf("edits", done)).toBeLessThan(10_050);
    expect(Object.keys(done).sort()).toEqual(Object.keys(shares).sort());
    expect(farthest).toBeLessThan(0.05);
  });

  it.each(Object.keys(shares))("of one kind ends at the count of its unit: %s", (kind) => {
    const { done } = ran(planFor(`--only ${kind} --inputs 40 --edits 300`), 50);
    expect(done).toEqual({ [kind]: shares[kind as KindName].unit === "inputs" ? 40 : 300 });
  });

  it("with one count tries only the kinds that count so", () => {
    const { done } = ran(planFor("--edits 1000"), 50);
    expect(totalOf("inputs", done)).toBe(0);
    expect(totalOf("edits", done)).toBe(1_000);
  });

  it("ends at once if nothing is wanted", () => {
    expect(ran(planFor("--inputs 0 --edits 0"), 50).done).toEqual({});
  });

  it("with a time makes two edits for each input, and ends by the time only", () => {
    const plan = planFor("--minutes 2");
    expect(plan).toMatchObject({ seconds: 120, wanted: { inputs: Number.POSITIVE_INFINITY, edits: Number.POSITIVE_INFINITY } });
    const done: Partial<Record<KindName, number>> = {};
    for (let left = 50_000; left > 0; left -= 1) {
      const kind = nextKind(plan, done);
      if (kind === undefined) throw new Error("the run ends");
      done[kind] = (done[kind] ?? 0) + (shares[kind].unit === "edits" ? 50 : 1);
    }
    expect(totalOf("edits", done) / totalOf("inputs", done)).toBeCloseTo(2, 1);
  });
});

describe("processes", () => {
  it("share the counts and have seeds of their own", () => {
    const all = argumentsOfJobs(planFor("--inputs 5 --edits 9 --seconds 3 --jobs 2 --seed 4")).map((args) => planFor(args.join(" ")));
    expect(all.map(({ wanted, seconds, seed, jobs }) => ({ ...wanted, seconds, seed, jobs }))).toEqual([
      { inputs: 3, edits: 5, seconds: 3, seed: 4, jobs: 1 },
      { inputs: 2, edits: 4, seconds: 3, seed: 10_000_004, jobs: 1 },
    ]);
  });

  it("with a share of nothing end at once", () => {
    const last = argumentsOfJobs(planFor("--only inputs --inputs 1 --edits 9 --jobs 2")).at(-1) ?? [];
    const plan = planOf(last, 7);
    expect(typeof plan === "string" ? plan : ran(plan, 50).done).toEqual({});
  });
});

it("of several processes counts what each has tried", () => {
  const all = sumOf([
    { done: { inputs: 2, sessions: 30 }, slow: 1, wrong: 0 },
    { done: { inputs: 3 }, slow: 0, wrong: 2 },
  ]);
  expect(JSON.parse(told(all))).toEqual({ inputs: 5, edits: 30, slow: 1, wrong: 2, kinds: { inputs: 5, sessions: 30 } });
});

it.each([
  ["--inputs many", "--inputs needs a whole number"],
  ["--edits -4", /--edits/],
  ["--minutes 0", "--minutes needs a positive number"],
  ["--seconds=-1", "--seconds needs a positive number"],
  ["--only nothing", /^--only needs one of tiny-inputs, /],
  ["--only sessions --inputs 5", "'sessions' counts edits, so --edits must say how many"],
  ["--unknown", /--unknown/],
])("an option that means nothing is refused: %s", (line, message) => {
  expect(planOf(line.split(" "), 7)).toMatch(message);
});

it("the counts of all processes are in the wanted file, also of those that were killed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "fuzz-"));
  const log = vi.spyOn(console, "log").mockReturnValue(undefined);
  try {
    const program = join(folder, "process.mjs");
    writeFileSync(
      program,
      'process.send({ done: { "tiny-inputs": 2, protocol: 3 }, slow: 0, wrong: 0 }, () => process.kill(process.pid, "SIGKILL"));\n',
    );
    const counts = join(folder, "counts.json");
    expect(await run(["--jobs", "2", "--seed", "5", "--counts", counts], async () => program)).toBe(1);
    expect(JSON.parse(readFileSync(counts, "utf8"))).toMatchObject({ state: "ended", seed: 5, jobs: 2, inputs: 4, edits: 6, wrong: 0 });
    expect(readdirSync(folder).sort()).toEqual(["counts.json", "process.mjs"]);
  } finally {
    log.mockRestore();
    rmSync(folder, { recursive: true });
  }
});
