/**
 * `npm run fixes [-- --only TEXT] [--clang]`: applies each fix and each refactoring that is offered in any fixture alone, checks and
 * compiles the result, and lists each that breaks accepted code, that leaves its finding, or that causes another error or warning of
 * ours. `--only` names the fixtures or titles that contain the text, `--clang` does not ask nvcc.
 */
import { parseArgs } from "node:util";
import { loadFixtures } from "../test/load-fixtures.ts";
import { offersOf, ownProblem } from "../test/offers.ts";
import { testParser } from "../test/service.ts";
import { createJudge } from "./fixes/compile.ts";

const { values } = parseArgs({ options: { only: { type: "string", default: "" }, clang: { type: "boolean", default: false } } });

const parser = await testParser();
const judge = createJudge(values.clang);
const queue = loadFixtures()
  .flatMap((fixture) => fixture.standards.flatMap((standard) => offersOf(parser, fixture, standard)))
  .filter(({ name }) => name.includes(values.only) && (process.env.CU === undefined || name.includes(" cuda: ")));
const count = queue.length;
let wrong = 0;
const worker = async (): Promise<void> => {
  for (let offer = queue.shift(); offer !== undefined; offer = queue.shift()) {
    const problems = [ownProblem(parser, offer), await judge(offer)].filter((problem) => problem !== undefined);
    if (problems.length === 0) continue;
    wrong += 1;
    console.log(`${offer.name} [${offer.rule ?? "refactoring"}]: ${problems.join("; ")}`);
  }
};
await Promise.all([worker(), worker(), worker()]);
console.log(`${count} fixes and refactorings, ${wrong} of them wrong`);
process.exitCode = wrong === 0 ? 0 : 1;
