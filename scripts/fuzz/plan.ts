/**
 * What a run of `npm run fuzz` tries, from its options; and in which order, so that inputs and edits advance together. `kinds.ts`
 * says how each kind is tried.
 */
import { parseArgs } from "node:util";

/** What a kind counts: texts that are new, or changes of a text or a project. */
export type Unit = "inputs" | "edits";

/** The kinds of work, and the share of each in all inputs or edits, in parts of a thousand. */
export const shares = {
  "tiny-inputs": { unit: "inputs", share: 916 },
  "small-inputs": { unit: "inputs", share: 64 },
  inputs: { unit: "inputs", share: 4 },
  settings: { unit: "inputs", share: 12 },
  fixes: { unit: "inputs", share: 4 },
  "gentle-sessions": { unit: "edits", share: 820 },
  "small-sessions": { unit: "edits", share: 36 },
  sessions: { unit: "edits", share: 4 },
  protocol: { unit: "edits", share: 138 },
  projects: { unit: "edits", share: 2 },
} as const satisfies Readonly<Record<string, { readonly unit: Unit; readonly share: number }>>;

/** The name of a kind of work. */
export type KindName = keyof typeof shares;

/** How often each kind has been tried, in its unit. */
export type Counts = Readonly<Partial<Record<KindName, number>>>;

/** What a run tries. */
export interface Plan {
  readonly kinds: readonly KindName[];
  /** How many of each unit end the run; infinite if only the time does. */
  readonly wanted: Readonly<Record<Unit, number>>;
  /** Infinite if only the counts end the run. */
  readonly seconds: number;
  readonly jobs: number;
  readonly seed: number;
  /** The file for the counts, if one is wanted. */
  readonly counts: string | undefined;
}

/** What a process has tried and found. */
export interface Result {
  readonly done: Counts;
  readonly slow: number;
  readonly wrong: number;
}

/** Edits for each input where no counts are given. */
const editsPerInput = 2;
/** How far apart the first seeds of two processes are. */
const seedsPerJob = 10_000_000;

/** The plan that command-line arguments describe, or the message that says why they describe none. `seed` is used if they give none. */
export function planOf(args: readonly string[], seed: number): Plan | string {
  const option = { type: "string" } as const;
  let values: Partial<Record<"minutes" | "seconds" | "inputs" | "edits" | "jobs" | "seed" | "only" | "counts", string>>;
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: {
        minutes: option,
        seconds: option,
        inputs: option,
        edits: option,
        jobs: option,
        seed: option,
        only: option,
        counts: option,
      },
    }));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  for (const name of ["inputs", "edits", "jobs", "seed"] as const)
    if (!/^\d+$/.test(values[name] ?? "0")) return `--${name} needs a whole number`;
  for (const name of ["minutes", "seconds"] as const) if (!(Number(values[name] ?? 1) > 0)) return `--${name} needs a positive number`;
  const { only } = values;
  if (only !== undefined && !isKind(only)) return `--only needs one of ${Object.keys(shares).join(", ")}`;
  const isCounted = values.inputs !== undefined || values.edits !== undefined;
  const wanted = { inputs: wantedOf(values.inputs, isCounted), edits: wantedOf(values.edits, isCounted) };
  const kinds = (only === undefined ? Object.keys(shares) : [only]).filter(isKind);
  if (only !== undefined && isCounted && values[shares[only].unit] === undefined)
    return `'${only}' counts ${shares[only].unit}, so --${shares[only].unit} must say how many`;
  return {
    kinds,
    wanted,
    seconds: secondsOf(values, isCounted),
    jobs: Math.max(1, Number(values.jobs ?? 1)),
    seed: Number(values.seed ?? seed),
    counts: values.counts,
  };
}

/** The shorter of the times given; without any, infinite beside counts and otherwise a minute. */
function secondsOf({ minutes, seconds }: { readonly minutes?: string; readonly seconds?: string }, isCounted: boolean): number {
  if (minutes === undefined && seconds === undefined) return isCounted ? Number.POSITIVE_INFINITY : 60;
  return Math.min(Number(minutes ?? Number.POSITIVE_INFINITY) * 60, Number(seconds ?? Number.POSITIVE_INFINITY));
}

function isKind(name: string): name is KindName {
  return Object.hasOwn(shares, name);
}

function wantedOf(count: string | undefined, isCounted: boolean): number {
  if (count !== undefined) return Number(count);
  return isCounted ? 0 : Number.POSITIVE_INFINITY;
}

/** The arguments of each of the plan's processes, which share its counts and have seeds of their own. */
export function argumentsOfJobs({ kinds, wanted, seconds, jobs, seed }: Plan): readonly (readonly string[])[] {
  const only = kinds.length === 1 && kinds[0] !== undefined ? [`--only=${kinds[0]}`] : [];
  return Array.from({ length: jobs }, (_, job) => {
    const share = (count: number): number => Math.floor(count / jobs) + (job < count % jobs ? 1 : 0);
    const counts = (["inputs", "edits"] as const).flatMap((unit) =>
      Number.isFinite(wanted[unit]) ? [`--${unit}=${share(wanted[unit])}`] : [],
    );
    const time = Number.isFinite(seconds) ? [`--seconds=${seconds}`] : [];
    return [...counts, ...time, ...only, `--seed=${(seed + job * seedsPerJob) % 2 ** 31}`];
  });
}

/** How often one unit has been tried, by kinds of it. */
export function totalOf(unit: Unit, done: Counts): number {
  return Object.entries(done).reduce((sum, [kind, count]) => (isKind(kind) && shares[kind].unit === unit ? sum + count : sum), 0);
}

/** What all processes have tried and found. */
export function sumOf(results: readonly Result[]): Result {
  const done: Partial<Record<KindName, number>> = {};
  for (const result of results)
    for (const kind of Object.keys(shares).filter(isKind))
      if (result.done[kind] !== undefined) done[kind] = (done[kind] ?? 0) + result.done[kind];
  const sum = (count: "slow" | "wrong") => results.reduce((all, result) => all + result[count], 0);
  return { done, slow: sum("slow"), wrong: sum("wrong") };
}

/** A result as a line. */
export function told({ done, slow, wrong }: Result): string {
  return JSON.stringify({ inputs: totalOf("inputs", done), edits: totalOf("edits", done), slow, wrong, kinds: done });
}

/**
 * The kind to try next: the one that is furthest behind its share. Undefined if as many inputs and as many edits as wanted have been
 * tried. So both counts advance together, whatever a kind adds to its count at once.
 */
export function nextKind({ kinds, wanted }: Pick<Plan, "kinds" | "wanted">, done: Counts): KindName | undefined {
  const scale = { inputs: finite(wanted.inputs, 1), edits: finite(wanted.edits, editsPerInput) };
  const total = { inputs: totalOf("inputs", done), edits: totalOf("edits", done) };
  let next: KindName | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const kind of kinds) {
    const { unit, share } = shares[kind];
    const progress = (done[kind] ?? 0) / (share * scale[unit]);
    if (total[unit] < wanted[unit] && progress < least) [next, least] = [kind, progress];
  }
  return next;
}

function finite(count: number, otherwise: number): number {
  return Number.isFinite(count) ? count : otherwise;
}
