/**
 * Work is bounded by the length of the text: every shape of code, and every input that fuzzing has found or makes in a few
 * seconds, is checked in time. `npm run fuzz` looks for more; `spent-budget.test.ts` says what is found in a file whose budget runs out.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createBudget, demand, isSpent, onBudget, spend, within } from "../../../server/src/budget.ts";
import { noSettings } from "../../../server/src/dialect.ts";
import { createService, type FileCheck } from "../../../server/src/service.ts";
import { inOneGo } from "../../../server/src/steps.ts";
import { isThorough, runs, sample, seedOf } from "../../effort.ts";
import { growth, tooMuch } from "../../growth.ts";
import { input, tinyInput } from "../../hostile/generators.ts";
import { type Folder, folder } from "../../hostile/settings-files.ts";
import { shapes } from "../../hostile/shapes.ts";
import { editLikeFresh, survive, surviveSettings, type Typing } from "../../hostile/survive.ts";
import { memoryFiles, testParser } from "../../service.ts";

const parser = await testParser();
/** Milliseconds of processor time: ten times what the budget of a file allows on a slow machine. What doubles with each repetition takes days. */
const patience = 20_000;
const foundFolder = join(import.meta.dirname, "../../hostile/found");

describe("a shape", () => {
  // Enough repetitions to notice work that doubles with each; `npm run fuzz` tries thousands. Usually every fourth shape is tried.
  it.each(sample(shapes, 4).map((shape) => [`${shape.language}: ${shape.name}`, shape] as const))("%s", (_, shape) => {
    survive(parser, { name: `a.${shape.language}`, text: shape.of(isThorough ? 60 : 30) }, patience);
  });
});

describe("a chain", () => {
  const textOf = (name: string, count: number): string => {
    const shape = shapes.find((each) => each.language === "cu" && each.name === name);
    if (shape === undefined) throw new Error(`no shape has the name ${name}`);
    return shape.of(count);
  };
  const foundIn = (text: string, isOpen: boolean) => {
    const uri = "file:///a.cu";
    const files = memoryFiles(new Map([[uri, text]]));
    const service = createService({ files, parser, settingsOf: () => noSettings, isOpen: () => isOpen });
    const { diagnostics } = service.check(uri);
    service.dispose();
    return diagnostics.map(({ rule, message, location }) => ({ rule, message, location }));
  };
  // More declarations than are bound on demand, one for the next, and fewer than those whose size is known.
  const long = 150;
  it.each([
    ["structs in structs", `struct L { s${long} a; char b[65530]; };\n__constant__ L l;\n`, "constant-memory-size"],
    ["typedefs of pointers", `void f(const t${long} *p) { t${long} *q = p; }\n`, "qualifier-discarded"],
  ])("of %s is followed to its end, also in an open file", (name, use, rule) => {
    const text = `${textOf(name, long)}${use}`;
    const whole = foundIn(text, false);
    expect(whole.map((each) => each.rule)).toContain(rule);
    expect(foundIn(text, true)).toEqual(whole);
  });

  const chains = ["pairs of structs", "constants that follow each other", "structs in structs", "typedefs of pointers"];
  it.each(sample(chains, 4, 3))("of very many %s is the same in an open file", (name) => {
    const text = `${textOf(name, isThorough ? 5_000 : 1_500)}__global__ void k(__grid_constant__ int v) {}\n`;
    const whole = foundIn(text, false);
    expect(whole).not.toEqual([]);
    expect(foundIn(text, true)).toEqual(whole);
  });

  it("of nested lambdas takes time in proportion to its length", () => {
    const check = (count: number) => {
      const text = textOf("lambdas in each other", count);
      return () => survive(parser, { name: "a.cu", text });
    };
    expect(growth(20, check)).toBeLessThan(tooMuch);
  });
});

describe("a link", () => {
  const cuda =
    "struct P { int a; };\n__device__ int x;\nextern __constant__ int c;\n__device__ void f(int *a, int *b) { f(b, a); *a = 1; }\n__global__ void k(__grid_constant__ const P p, int *q) { f(q, q); x = c; }\n";
  const opencl = "void f(global int *a);\nvoid g(local int *a) { f((global int *)0); }\nkernel void k(global int *a) { f(a); }\n";
  it.each([
    ["a.cu", cuda],
    ["a.cl", opencl],
  ])("of thousands of files with the same declarations takes time in proportion to their number: %s", (name, text) => {
    const uri = `file:///${name}`;
    const linked = (count: number) => {
      const service = createService({ files: memoryFiles(new Map([[uri, text]])), parser, settingsOf: () => noSettings });
      const check = JSON.stringify(service.checkInBatch(uri));
      for (let i = 0; i < count; i++) service.addCheck(JSON.parse(check.replaceAll(uri, `file:///${i}${name}`)) as FileCheck);
      return () => {
        service.link(true);
        service.dispose();
      };
    };
    expect(growth(isThorough ? 500 : 200, linked)).toBeLessThan(tooMuch);
  });
});

describe("an input", () => {
  // What needs a server or a project's folder is checked by `lsp/hostile.test.ts` and `cli/cache-random.test.ts`.
  const found = (existsSync(foundFolder) ? readdirSync(foundFolder) : []).filter((name) => !/\.(typed|steps)\.json$/.test(name));
  it.each(found.length === 0 ? [] : found)("found by fuzzing ends in time: %s", (name) => {
    const text = readFileSync(join(foundFolder, name), "utf8");
    if (name.endsWith(".folder.json")) surviveSettings(parser, JSON.parse(text) as Folder);
    else if (name.endsWith(".json")) editLikeFresh(parser, JSON.parse(text) as Typing);
    else survive(parser, { name, text });
  });

  it("made from fixtures and shapes ends in time", () => {
    fc.assert(
      fc.property(input, (made) => survive(parser, made)),
      { numRuns: runs(4), seed: seedOf(5) },
    );
    fc.assert(
      fc.property(tinyInput, (made) => survive(parser, made)),
      { numRuns: runs(24), seed: seedOf(10) },
    );
  });

  it("in settings files ends in time", () => {
    fc.assert(
      fc.property(folder, (made) => surviveSettings(parser, made)),
      { numRuns: runs(12), seed: seedOf(8) },
    );
  });
});

describe("a budget", () => {
  it("is spent only by the steps of its own work", () => {
    const budget = createBudget(3);
    const seen: boolean[] = [];
    const steps = onBudget(
      budget,
      (function* () {
        seen.push(spend(2));
        yield;
        seen.push(spend(1));
        yield;
        seen.push(spend(1), isSpent());
      })(),
    );
    steps.next();
    expect(isSpent()).toBe(false);
    inOneGo(steps);
    expect(seen).toEqual([true, true, false, true]);
    expect(budget.left).toBe(-1);
  });

  it("ends work that demands more than is left", () => {
    expect(within(createBudget(2), () => demand(3))).toBeUndefined();
    expect(
      within(createBudget(2), () => {
        demand(2);
        return "done";
      }),
    ).toBe("done");
    expect(() => within(createBudget(2), () => expect.unreachable())).toThrow();
  });

  it("runs out if a single step takes more than is allowed between two pauses", () => {
    const many = 10_000_000;
    const longest = createBudget(many);
    const inOneStep = onBudget(
      longest,
      (function* () {
        yield;
        while (spend(1_000));
      })(),
    );
    inOneGo(inOneStep);
    expect(longest.left).toBeLessThan(0);
    const patient = createBudget(many);
    const inSteps = onBudget(
      patient,
      (function* () {
        for (let i = 0; i < 9; i++) {
          spend(many / 100);
          yield;
        }
      })(),
    );
    inOneGo(inSteps);
    expect(patient.left).toBe(many - (9 * many) / 100);
  });
});

it("thousands of calls of builtin functions with many overloads are within the budget of their file", () => {
  const uri = "file:///a.cl";
  const calls = "  a = bitselect(a, b, rotate(a, 3u));\n".repeat(4_000);
  const text = `kernel void k(global uint *p) {\n  uint a = p[0];\n  uint b = p[1];\n${calls}  local uint *q = p;\n}\n`;
  const service = createService({ files: memoryFiles(new Map([[uri, text]])), parser, settingsOf: () => noSettings });
  const { notes, diagnostics } = service.check(uri);
  expect([notes.map(({ message }) => message), diagnostics.map(({ rule }) => rule)]).toEqual([[], ["address-space-conversion"]]);
  service.dispose();
});
