/**
 * `npm run fuzz -- [--inputs N] [--edits N] [--minutes N] [--seconds N] [--jobs N] [--seed S] [--only KIND]
 * [--counts FILE]`: searches for texts, settings and edits that take too long, throw an exception, or give other findings after edits than from scratch; for changes of
 * projects after which stored results or summaries say something else than a new check; and, if clang is installed, for fixes that
 * clang rejects.
 *
 * It ends when as many inputs and as many edits as wanted have been tried, or when the time is over, which is a minute if nothing is
 * given, or at an interrupt. It always prints what has been tried until then. Both counts advance together; a count alone tries only
 * the kinds that count so (`fuzz/plan.ts`). `--jobs` divides the counts among processes, each with seeds of its own.
 *
 * `--counts` stores what has been tried every two seconds, so that a run that is killed loses no more. `--portable FOLDER` writes the
 * fuzzer to a folder in which plain Node runs it: `node FOLDER/fuzz.mjs`, with the same options.
 *
 * A failing case of any kind is minimized and stored in `test/hostile/found/`, which the tests check from then on. For two kinds that
 * says less: of a rejected fix the text is stored, on which tests ask no compiler (`npm run fixes -- test/hostile/found` does); and
 * what kills a process, endless work included, is stored as it is.
 */
import { resolve } from "node:path";
import { bundled, portable } from "./fuzz/bundle.ts";
import { run } from "./fuzz/run.ts";

const [option, folder, ...rest] = process.argv.slice(2);
if (option !== "--portable") process.exitCode = await run(process.argv.slice(2), bundled);
else if (folder !== undefined && rest.length === 0) await portable(resolve(folder));
else {
  console.error("--portable needs one folder and nothing else");
  process.exitCode = 2;
}
