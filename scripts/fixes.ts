/**
 * `npm run fixes [-- --only TEXT] [--clang] [FOLDER… [--files N] [--each N]]`: applies each fix and each refactoring that is offered in any fixture alone, checks and
 * compiles the result, and lists each that breaks accepted code, that leaves its finding, or that causes another error or warning of
 * ours. `--only` names the fixtures or titles that contain the text, `--clang` does not ask nvcc.
 * With folders it tries their files instead: at most N of each that a compiler accepts, and at most N offers of each file.
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { loadFixtures } from "../test/load-fixtures.ts";
import { offersOf, ownProblem } from "../test/offers.ts";
import { testParser } from "../test/service.ts";
import { createJudge } from "./fixes/compile.ts";
import { tryFolder } from "./fixes/folder.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string", default: "" },
    clang: { type: "boolean", default: false },
    files: { type: "string", default: "20" },
    each: { type: "string", default: "6" },
  },
});

const parser = await testParser();
if (positionals.length > 0) {
  process.exitCode = (await tryFolders()) === 0 ? 0 : 1;
  process.exit();
}
const judge = createJudge(values.clang);
const queue = loadFixtures()
  .flatMap((fixture) => fixture.standards.flatMap((standard) => offersOf(parser, fixture, standard)))
  .filter(({ name }) => name.includes(values.only));
const count = queue.length;
let wrong = 0;
const sayProgress = (): void => {
  const tried = count - queue.length;
  if (tried % 250 === 0) console.error(`${tried} of ${count} taken up, ${wrong} wrong so far`);
};
const worker = async (): Promise<void> => {
  for (let offer = queue.shift(); offer !== undefined; offer = queue.shift()) {
    sayProgress();
    const problems = [ownProblem(parser, offer), await judge(offer)].filter((problem) => problem !== undefined);
    if (problems.length === 0) continue;
    wrong += 1;
    console.log(`${offer.name} [${offer.rule ?? "refactoring"}]: ${problems.join("; ")}`);
  }
};
await Promise.all([worker(), worker(), worker()]);
console.log(`${count} fixes and refactorings, ${wrong} of them wrong`);
process.exitCode = wrong === 0 ? 0 : 1;

async function tryFolders(): Promise<number> {
  let all = 0;
  let rejected = 0;
  for (const folder of positionals) {
    const extent = { files: Number(values.files), each: Number(values.each) };
    const { files, offers, wrong: problems } = await tryFolder(resolve(folder), parser, extent, console.log);
    console.log(`${folder}: ${offers} fixes and refactorings in ${files} files, ${problems} of them wrong`);
    all += offers;
    rejected += problems;
  }
  console.log(`${all} fixes and refactorings, ${rejected} of them wrong`);
  return rejected;
}
