/**
 * `npm run strength -- [--count N] [--seed S] [--rooms a,b]`: changes one operator of the core at a time, at random, and runs the
 * related tests. An unnoticed change reveals a missing test or dead code. Fixtures and examples run first, because they are fast;
 * then the room's unit tests, the type checker, and what takes longest. A change whose tests do not end is reported as such: it may
 * have caused an endless loop, or the machine may be busy. Works in copies below `.cache/strength`.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { type Change, changesIn } from "./strength/operators.ts";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "20" },
    seed: { type: "string", default: "1" },
    rooms: { type: "string", default: "rules,semantics,preprocess,syntax,editor,analyses" },
    /** `file:line` with a part of the file's path: only changes at these places. */
    at: { type: "string", multiple: true },
    /** Runs only fixtures and examples. */
    quick: { type: "boolean", default: false },
  },
});
const root = join(import.meta.dirname, "..");
const work = join(root, ".cache/strength");
const tree = join(work, "tree");
/** Milliseconds after which the tests of a change are ended. */
const patience = 600_000;
/** What is reported of a change whose tests were ended. */
const unfinished = "UNFINISHED";

/** The unit tests of each room, besides the fixtures. */
const testsOf: Readonly<Record<string, readonly string[]>> = {
  rules: ["rules", "diagnostics"],
  semantics: ["semantics", "editor/hover", "rules/hip", "rules/annotation-macros"],
  preprocess: ["preprocess", "embedded", "rules/annotation-macros", "rules/half-of-project"],
  syntax: ["syntax", "grammar/corpus"],
  editor: ["editor", "rules/refactorings"],
  analyses: ["rules", "editor", "semantics"],
};
/** The tests for all rooms that take longer. */
const ofEveryRoom = ["invariants/incremental", "invariants/shared-builtins", "invariants/summaries", "invariants/pieces", "lsp"];

const random = randomFrom(Number(values.seed));
const all = values.rooms
  .split(",")
  .flatMap((room) => filesIn(join(root, "server/src", room)).flatMap((file) => changesIn(file, readFileSync(file, "utf8"))));
const chosen =
  values.at === undefined ? sample(all, Number(values.count)) : all.filter((change) => values.at?.some((place) => isAt(change, place)));
console.log(`${chosen.length} of ${all.length} changes, seed ${values.seed}`);

if (!values.quick) makeTree();
if ((await judge(undefined)) !== undefined) throw new Error("the tests fail without any change");
const counts = new Map<string, number>();
for (const change of chosen) {
  const noticed = (await judge(change)) ?? "UNNOTICED";
  counts.set(noticed, (counts.get(noticed) ?? 0) + 1);
  const { file, line, before, after, text } = change;
  console.log(`${noticed}: ${relative(root, file)}:${line} '${before}' => '${after}' in ${text.trim().slice(0, 140)}`);
}
console.log(JSON.stringify(Object.fromEntries(counts)));

/** The first test that notices a change; undefined if none does. */
async function judge(change: Change | undefined): Promise<string | undefined> {
  const bundle = join(work, "suite.mjs");
  const changed = change === undefined ? undefined : readFileSync(change.file, "utf8");
  const contents =
    changed === undefined || change === undefined ? "" : changed.slice(0, change.start) + change.after + changed.slice(change.end);
  await build({
    entryPoints: [join(root, "scripts/strength/suite.ts")],
    outfile: bundle,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    define: { "import.meta.dirname": JSON.stringify(join(root, "test")), "import.meta.url": JSON.stringify(`file://${root}/test/x.ts`) },
    logLevel: "error",
    plugins: [
      {
        name: "change",
        setup({ onLoad }) {
          onLoad({ filter: /\.ts$/ }, ({ path }) => (path === change?.file ? { contents, loader: "ts" } : undefined));
        },
      },
    ],
  });
  const room = change === undefined ? "" : relative(join(root, "server/src"), change.file);
  const words = change === undefined ? [] : [room];
  const fixtures = spawnSync(process.execPath, [bundle, ...words], { cwd: root, timeout: patience });
  if (fixtures.status !== 0) return fixtures.status === null ? unfinished : "fixtures and examples";
  if (change === undefined || values.quick) return undefined;
  const place = join(tree, relative(root, change.file));
  writeFileSync(place, contents);
  try {
    const run = (name: string, words: readonly string[]) =>
      spawnSync(join(root, "node_modules/.bin", name), words, { cwd: tree, timeout: patience });
    // Only the end of all tests shows that one does not end: a busy machine must not make a single test fail.
    const limit = ["--testTimeout", String(patience)];
    const unitTests = (names: readonly string[]): string | undefined => {
      const { status } = run("vitest", ["run", "--project", "core", "--bail", "1", ...limit, ...names.map((name) => `test/unit/${name}`)]);
      return status === 0 ? undefined : status === null ? unfinished : "unit tests";
    };
    const inRoom = unitTests(testsOf[room.split("/")[0] ?? ""] ?? []);
    if (inRoom !== undefined) return inRoom;
    if (run("tsc", ["-p", "tsconfig.json", "--noEmit"]).status !== 0) return "types";
    return unitTests(ofEveryRoom);
  } finally {
    cpSync(change.file, place);
  }
}

function makeTree(): void {
  rmSync(tree, { recursive: true, force: true });
  mkdirSync(tree, { recursive: true });
  for (const name of readdirSync(root)) {
    if (/^(?:server|client|test|scripts|grammars|examples|docs|bench|.*\.(?:json|ts|md|yml))$/.test(name))
      cpSync(join(root, name), join(tree, name), { recursive: true, filter: (path) => !path.endsWith("node_modules") });
  }
  if (!existsSync(join(tree, "node_modules"))) symlinkSync(join(root, "node_modules"), join(tree, "node_modules"));
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function isAt({ file, line }: Change, place: string): boolean {
  const [name = "", number] = place.split(":");
  return file.includes(name) && (number === undefined || Number(number) === line);
}

function sample<Item>(items: readonly Item[], count: number): readonly Item[] {
  const left = [...items];
  return Array.from({ length: Math.min(count, left.length) }, () => left.splice(random(left.length), 1)).flat();
}

/** Random numbers below a limit, the same sequence for the same seed. */
function randomFrom(seed: number): (limit: number) => number {
  let state = seed * 2_654_435_761;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
