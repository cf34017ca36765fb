/**
 * `npm run history -- REPOSITORY COMMIT… [--list FILE] [--level SEVERITY] [--whole] [-- FLAGS]`: checks a mistake that somebody fixed.
 * For each commit that is a fix, it checks the files that the commit changed, and those that name a function, a class or a macro in
 * which it changed something, because a wrong parameter is reported at the call, what a macro expands to where it is used, and what a
 * template does where it is instantiated. It checks them as they were in the parent, then as they are in the commit, each
 * among all files of its own tree. A finding of the parent that the fix removes counts as found. A finding that only the commit has
 * counts as new; a fix seldom should have one.
 *
 * A file of `--list` has lines of a repository's path and commits, separated by white space. With `--whole` all files of the tree are
 * checked. Objects that a clone lacks are left out. It needs `npm run build`.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs, promisify } from "node:util";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: "string" },
    level: { type: "string", default: "warning" },
    whole: { type: "boolean", default: false },
  },
});

/** The flags behind the second `--`: npm takes the first one away, and `parseArgs` counts what follows it as positional. */
const [named, flags] = splitAt(positionals, (argument) => argument.startsWith("-"));
const run = promisify(execFile);
const cli = resolve(import.meta.dirname, "../dist/cli.js");
const fixes = [...fixesNamed(named), ...(values.list === undefined ? [] : fixesListed(values.list))];
if (fixes.length === 0) throw new Error("Name a repository and at least one commit in it, or a file of --list.");

/** Files that may contain device code, in one of our languages or in a literal of another. */
const codeFile = /\.(cu|cuh|cl|clh|clcpp|ocl|opencl|hip|h|hh|hpp|hxx|inl|ipp|tpp|inc|c|cc|cpp|cxx|py|rs|jl|go|js|java|cs)$/i;

/** The head of a function or a class, or a macro's definition, in a line of a file: a name with what precedes it. */
const heads = [
  /^(?!.*\b(?:return|else|new|delete|throw|case)\b)\s*(?:[\w:<>,*&]+\s+)+[*&]*(\w+)\s*\((?!.*;\s*\S)/,
  /^\s*(?:template\b.*>\s*)?(?:struct|class)\s+(?:__\w+\s+)*(\w+)(?!.*;)/,
  /^\s*#\s*define\s+(\w+)/,
];
const mostCallers = 20;

let found = 0;
let compared = 0;
let spurious = 0;
for (const { repository, commit } of fixes) {
  const outcome = await compare(repository, commit).catch((error: Error) => error);
  const name = `${repository.replace(/\/(repo|\.git)\/?$/, "").replace(/^.*\//, "")} ${commit}`;
  if (outcome instanceof Error) {
    console.log(`${name}: not compared: ${outcome.message.split("\n")[0]}`);
    continue;
  }
  compared += 1;
  if (outcome.fixed.length > 0) found += 1;
  if (outcome.introduced.length > 0) spurious += 1;
  console.log(`${name}: ${outcome.fixed.length} found and fixed, ${outcome.introduced.length} new, ${outcome.kept} in both`);
  for (const finding of outcome.fixed) console.log(`  - ${spell(finding)}`);
  for (const finding of outcome.introduced) console.log(`  + ${spell(finding)}`);
}
console.log(`${found} of ${compared} mistakes found; ${spurious} fixes have a finding that their parent does not have`);

interface Fix {
  readonly repository: string;
  readonly commit: string;
}

interface Finding {
  readonly file: string;
  readonly line: number;
  /** The text of the line, without indentation. */
  readonly text: string;
  readonly rule: string;
  readonly severity: string;
  readonly message: string;
}

interface Outcome {
  readonly fixed: readonly Finding[];
  readonly introduced: readonly Finding[];
  /** How many findings the fix did not change. */
  readonly kept: number;
}

function fixesNamed([repository, ...commits]: readonly string[]): Fix[] {
  return repository === undefined ? [] : commits.map((commit) => ({ repository: resolve(repository), commit }));
}

function fixesListed(file: string): Fix[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
    .flatMap((line) => fixesNamed(line.trim().split(/\s+/)));
}

/** What the checker says about the parent of a commit, compared with what it says about the commit. */
async function compare(repository: string, commit: string): Promise<Outcome> {
  const names = await git(repository, ["diff", "--name-only", "--no-renames", "--diff-filter=M", `${commit}^`, commit]);
  const changed = names.split("\n").filter((name) => codeFile.test(name));
  if (changed.length === 0) throw new Error("it changes no file of code");
  const targets = [...new Set([...changed, ...(await callersOf(repository, commit, changed))])];
  const before = await check(repository, `${commit}^`, targets);
  const after = await check(repository, commit, targets);
  const introduced = subtract(after, before);
  return { fixed: subtract(before, after), introduced, kept: after.length - introduced.length };
}

/** The files that name a function, a class or a macro in which a commit changed something, up to a number. They exist before and after it. */
async function callersOf(repository: string, commit: string, changed: readonly string[]): Promise<readonly string[]> {
  const diff = await git(repository, ["diff", "--unified=40", `${commit}^`, commit, "--", ...changed]);
  const names = namesAround(diff.split("\n"));
  if (names.length === 0) return [];
  const naming = async (tree: string) => {
    const words = names.flatMap((name) => ["-e", name]);
    const found = await git(repository, ["grep", "-lwF", ...words, tree]).catch(() => "");
    return found.split("\n").flatMap((line) => (codeFile.test(line) ? [line.slice(tree.length + 1)] : []));
  };
  const later = new Set(await naming(commit));
  const callers = (await naming(`${commit}^`)).filter((name) => later.has(name));
  return callers.slice(0, mostCallers);
}

/** For each kind of head, the last one before each changed line. A name that is a word of every language is none. */
function namesAround(lines: readonly string[]): readonly string[] {
  const names = new Set<string>();
  let last: (string | undefined)[] = heads.map(() => undefined);
  for (const line of lines) {
    if (/^(diff|index|---|\+\+\+|@@) /.test(line)) {
      last = heads.map(() => undefined);
      continue;
    }
    last = heads.map((head, index) => head.exec(line.slice(1))?.[1] ?? last[index]);
    if (/^[-+]/.test(line))
      for (const name of last) if (name !== undefined && !/^(if|for|while|switch|operator)$/.test(name)) names.add(name);
  }
  return [...names];
}

/** The findings in the files of one tree. Every file of the tree is there, so that headers and build files count. */
async function check(repository: string, commit: string, paths: readonly string[]): Promise<Finding[]> {
  const folder = mkdtempSync(join(tmpdir(), "history-"));
  try {
    await unpack(repository, commit, folder);
    await run("git", ["init", "--quiet", folder]);
    const command = [cli, "check", "--no-cache", "--format", "json", "--fail-on", "never", "--level", values.level];
    const targets = values.whole ? ["."] : paths.map((path) => `./${path}`);
    const { stdout } = await run("node", [...command, ...targets, ...(flags.length > 0 ? ["--", ...flags] : [])], {
      cwd: folder,
      maxBuffer: 1 << 30,
    }).catch((error: { stdout?: string; stderr?: string }) => ({ stdout: error.stdout || failed(error.stderr ?? "") }));
    return readReport(stdout, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readReport(text: string, folder: string): Finding[] {
  const report = JSON.parse(text) as {
    files: { diagnostics: { file: string; start: { line: number }; rule: string; severity: string; message: string }[] }[];
  };
  const lines = new Map<string, readonly string[]>();
  const lineOf = (file: string, line: number): string => {
    const all = lines.get(file) ?? readFileSync(resolve(folder, file), "utf8").split("\n");
    lines.set(file, all);
    return all[line - 1]?.trim() ?? "";
  };
  return report.files.flatMap(({ diagnostics }) =>
    diagnostics.map(({ file, start, rule, severity, message }) => ({
      file: file.startsWith(folder) ? file.slice(folder.length + 1) : file,
      line: start.line,
      text: lineOf(file, start.line),
      rule,
      severity,
      message,
    })),
  );
}

function failed(message: string): never {
  throw new Error(`the checker printed no report: ${message}`);
}

/** Writes the files of a commit below a folder. A partial clone lacks the largest ones, which git reports and leaves out. */
async function unpack(repository: string, commit: string, folder: string): Promise<void> {
  const directory = (await git(repository, ["rev-parse", "--absolute-git-dir"])).trim();
  const env = { ...process.env, GIT_DIR: directory, GIT_WORK_TREE: folder, GIT_INDEX_FILE: join(folder, ".index") };
  await run("git", ["read-tree", commit], { env, cwd: folder });
  await run("git", ["checkout-index", "--all", "--quiet"], { env, cwd: folder, maxBuffer: 1 << 26 }).catch(() => undefined);
  rmSync(env.GIT_INDEX_FILE, { force: true });
}

async function git(repository: string, words: readonly string[]): Promise<string> {
  return (await run("git", ["-C", repository, ...words], { maxBuffer: 1 << 26 })).stdout;
}

/**
 * The findings of the first list without those of the second. Lines move between two versions, so their numbers do not count. A fix
 * may change the types in the message of a finding that stays, so the same rule in the same text is the same finding, too.
 */
function subtract(from: readonly Finding[], those: readonly Finding[]): Finding[] {
  const rest = [...those];
  const without = (list: readonly Finding[], keyOf: (finding: Finding) => string) =>
    list.filter((finding) => {
      const index = rest.findIndex(
        (other) => other.file === finding.file && other.rule === finding.rule && keyOf(other) === keyOf(finding),
      );
      if (index >= 0) rest.splice(index, 1);
      return index < 0;
    });
  return without(
    without(from, ({ message }) => message),
    ({ text }) => text,
  );
}

function spell({ file, line, rule, severity, message }: Finding): string {
  return `${file}:${line}: ${severity}: ${message} [${rule}]`;
}

function splitAt<T>(list: readonly T[], isFirstOfRest: (value: T) => boolean): [T[], T[]] {
  const index = list.findIndex(isFirstOfRest);
  return index < 0 ? [[...list], []] : [list.slice(0, index), list.slice(index)];
}
