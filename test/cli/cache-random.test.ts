/** A stored result, or one in a summary, is what a new check says, whatever has happened to the project. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { isThorough, seedOf } from "../effort.ts";
import { cachedLikeFresh, linkedLikeChecked, type Step, startProject, step, take, takeAll } from "../hostile/projects.ts";
import { testParser } from "../service.ts";

const parser = await testParser();
const stepsInRun = 20;

it("after random steps, stored results and summaries say what a new check says", { timeout: 1_200_000 }, async () => {
  let used = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: stepsInRun, maxLength: stepsInRun }), async (steps) => {
      const project = startProject();
      try {
        for (const each of steps) {
          take(project.folder, each);
          used += cachedLikeFresh(parser, project);
        }
        await linkedLikeChecked(project);
      } finally {
        project.dispose();
      }
    }),
    { numRuns: isThorough ? 50 : 2, seed: seedOf(22) },
  );
  expect(used).toBeGreaterThan(isThorough ? 1_000 : 40);
});

it("stored results and summaries are right in the projects that fuzzing has found", async () => {
  const folder = join(import.meta.dirname, "../hostile/found");
  const found = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".steps.json")) : [];
  for (const name of found) await takeAll(parser, JSON.parse(readFileSync(join(folder, name), "utf8")) as readonly Step[]);
});
