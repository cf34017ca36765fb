/** Every random test takes its seed from one place, and each night has a new one, which can be repeated. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { randomEnvironment, randomTests } from "../../random-tests.ts";

const root = join(import.meta.dirname, "../../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const { scripts, engines } = JSON.parse(read("package.json"));

describe("the seed", () => {
  it("is new each time in the modes that try other cases, and no other mode has one", () => {
    for (const mode of ["random", "thorough"]) {
      const seeds = Array.from({ length: 5 }, () => randomEnvironment(mode, undefined).SEED);
      expect(new Set(seeds).size, mode).toBeGreaterThan(1);
    }
    expect(randomEnvironment("test", undefined)).toEqual({});
    expect(randomEnvironment("test", "5")).toEqual({});
  });

  it("stays as it is given, but an empty text gives none", () => {
    expect(randomEnvironment("random", "123").SEED).toBe("123");
    expect(Number(randomEnvironment("random", "").SEED)).toBeGreaterThan(0);
  });

  it("is that of every property", () => {
    const tests = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".test.ts"));
    const count = (text: string, part: RegExp) => text.match(part)?.length ?? 0;
    for (const path of tests) {
      const text = read(join("test", path));
      expect(count(text, /seed: seedOf\(/g), path).toBe(count(text, /\bfc\.(?:assert|check|sample)\(/g));
    }
    expect(randomTests()).toEqual(expect.arrayContaining(["test/cli/cache-random.test.ts", "test/unit/invariants/pieces.test.ts"]));
  });
});

describe("the workflow of each night", () => {
  const { on, jobs } = parse(read(".github/workflows/nightly.yml"));

  it("runs scripts that exist, and is scheduled", () => {
    const runs = Object.values<{ steps: { run?: string }[] }>(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
    const named = runs.flatMap((run) => [...run.matchAll(/npm (?:run )?(\w+)/g)].map(([, name = ""]) => name));
    expect(named).toEqual(expect.arrayContaining(["thorough", "random", "fuzz", "test"]));
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
    expect(on.schedule).toHaveLength(1);
  });

  it("tests the oldest version of Node that the package accepts, and newer ones", () => {
    const [oldest, ...newer] = jobs.versions.strategy.matrix.node;
    expect(`>=${oldest}`).toBe(engines.node);
    expect(newer).toEqual([22, 24]);
  });
});
