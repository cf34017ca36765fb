// Runs gpu-qualifiers in a folder of its own that holds an action's inputs, and nothing else: inputs are links out of a sandbox, which
// a check does not follow. They are hard links in that folder, and copies only where a file system has no such links to them. The
// compilation database there says how each source is built.
//   in_world.mjs <program> <list of inputs> <list of database entries> <output> <exit code file or -> <arguments…>
import { spawnSync } from "node:child_process";
import {
  constants,
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

const [program, inputs, entries, output, code, ...args] = process.argv.slice(2);
const linesOf = (list) =>
  readFileSync(list, "utf8")
    .split("\n")
    .filter((line) => line !== "");

const scratch = madeIn(".") ?? madeIn(tmpdir());
const world = join(scratch, "world");
try {
  mkdirSync(world);
  const made = new Set();
  for (const input of linesOf(inputs)) {
    const to = join(world, input);
    const folder = dirname(to);
    if (!made.has(folder)) mkdirSync(folder, { recursive: true });
    made.add(folder);
    place(realpathSync(input), to);
  }
  // Where the project begins, whatever lies above.
  if (!existsSync(join(world, "gpu-qualifiers.json"))) writeFileSync(join(world, "gpu-qualifiers.json"), "{}\n");
  const database = linesOf(entries).map((entry) => JSON.parse(readFileSync(entry, "utf8")));
  writeFileSync(join(world, "compile_commands.json"), JSON.stringify(database));
  process.exitCode = run();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** A new folder in another one, beside the inputs if possible; undefined if nothing can be written there. */
function madeIn(folder) {
  try {
    return mkdtempSync(join(resolve(folder), "gpu-qualifiers-"));
  } catch {
    return undefined;
  }
}

function place(from, to) {
  if (statSync(from).isDirectory()) {
    cpSync(from, to, { recursive: true, dereference: true });
    return;
  }
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to, constants.COPYFILE_FICLONE);
  }
}

function run() {
  const own = args.map((arg) => arg.replaceAll("@HERE@", process.cwd()));
  if (code === "-") own.push("--output", resolve(output));
  const stdout = code === "-" ? "inherit" : openSync(output, "w");
  const { status } = spawnSync(process.execPath, [resolve(program), ...own], { cwd: world, stdio: ["ignore", stdout, "inherit"] });
  if (code === "-") return status ?? 2;
  // What could not be checked is a mistake of the build; findings are for the test to tell.
  if (status === null || status > 1) return status ?? 2;
  writeFileSync(code, `${status}\n`);
  return 0;
}
