/**
 * Compares the memory that `gpu-qualifiers memory` counts with what ptxas says, over all `.cu` files of folders that nvcc can compile:
 *
 *     npx tsx scripts/ledgers.ts FOLDER... [-- FLAGS FOR NVCC]
 *
 * Each kernel's parameters and static shared memory, and the constant memory of each translation unit are compared. Numbers that the tool calls
 * unknown or a lower bound are counted, not compared. `test/unit/rules/ledgers.test.ts` compares the small texts of this project.
 */
import { execFile } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const program = join(import.meta.dirname, "../dist/cli.js");
/** The first architecture of which ptxas 13 still says how many bytes of constant memory the parameters take, and where they start. */
const architecture = "sm_80";
const firstParameter = 352;
/** Where they start if they are too many for the first part of the bank; the size in the `.nv.info` of the kernel confirms it. */
const firstOfMany = 6_784;

interface Amount {
  readonly bytes: number | "unknown";
  readonly atLeast?: number;
}

interface Kernel {
  readonly name: string;
  readonly location: { readonly file: string };
  readonly isTemplate?: boolean;
  readonly parameters: Amount;
  readonly shared: Amount;
  readonly constant?: { readonly translationUnit?: Amount };
  readonly instances?: readonly { readonly name: string; readonly parameters: Amount; readonly shared: Amount }[];
}

const [folders, flags] = split(process.argv.slice(2));
if (folders.length === 0) {
  console.error("usage: npx tsx scripts/ledgers.ts FOLDER... [-- FLAGS FOR NVCC]");
  process.exit(2);
}

const counts = { files: 0, notCompiled: 0, equal: 0, different: 0, unknown: 0, unlisted: 0 };
for (const file of folders.flatMap((folder) => sourcesIn(resolve(folder)))) await compare(file);
console.log(
  `${counts.files} files, ${counts.notCompiled} that nvcc does not compile; ${counts.equal} equal numbers, ${counts.different} different, ${counts.unknown} unknown, ${counts.unlisted} kernels of ptxas that are not listed`,
);
process.exitCode = counts.different > 0 ? 1 : 0;

function split(words: readonly string[]): readonly [readonly string[], readonly string[]] {
  const at = words.indexOf("--");
  return at < 0 ? [words, []] : [words.slice(0, at), words.slice(at + 1)];
}

function sourcesIn(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return path.endsWith(".cu") ? [path] : [];
  return readdirSync(path)
    .sort()
    .flatMap((name) => sourcesIn(join(path, name)));
}

async function compare(file: string): Promise<void> {
  counts.files += 1;
  const told = await compiled(file);
  if (told === undefined) {
    counts.notCompiled += 1;
    return;
  }
  const kernels = await listed(file);
  const own = (name: string) =>
    kernels
      // The file's own kernels come first: another file of the folder may have one of the same name.
      .toSorted((a, b) => Number(b.location.file === file) - Number(a.location.file === file))
      .flatMap((kernel) => [kernel, ...(kernel.instances ?? [])])
      .find((each) => !("isTemplate" in each && each.isTemplate === true) && plain(each.name) === name);
  const names = await demangled(told.kernels.map(({ name }) => name));
  for (const [index, { parameters, shared }] of told.kernels.entries()) {
    const name = names[index] ?? "";
    const kernel = own(name);
    if (kernel === undefined) {
      counts.unlisted += 1;
      console.log(`${file}: '${name}' is not listed`);
      continue;
    }
    judge(file, `parameters of '${name}'`, kernel.parameters, parameters);
    judge(file, `shared memory of '${name}'`, kernel.shared, shared);
  }
  const constants = kernels
    .filter(({ location }) => location.file === file)
    .map(({ constant }) => constant?.translationUnit)
    .find((each) => each !== undefined);
  if (constants !== undefined) judge(file, "constants", constants, told.constants);
}

function judge(file: string, what: string, ours: Amount, theirs: number): void {
  if (ours.bytes === "unknown") counts.unknown += 1;
  else if (ours.bytes === theirs) counts.equal += 1;
  else {
    counts.different += 1;
    console.log(`${file}: ${what}: ${ours.bytes} here, ${theirs} for ptxas`);
  }
}

interface Told {
  readonly constants: number;
  readonly kernels: readonly { readonly name: string; readonly parameters: number; readonly shared: number }[];
}

/** What ptxas says about a file; undefined if it cannot be compiled. */
async function compiled(file: string): Promise<Told | undefined> {
  try {
    const common = ["-std=c++17", `-arch=${architecture}`, "-Xptxas", "-v", "-w", "-cubin", file, "-o", "/dev/null"];
    const { stderr } = await run("nvcc", [...common, ...flags], { timeout: 120_000, maxBuffer: 2 ** 26 });
    const entries = [...stderr.matchAll(/Compiling entry function '(\w+)'([\s\S]*?)(?=Compiling entry function|$)/g)];
    return {
      constants: Number(/(\d+) bytes cmem\[3\]/.exec(stderr)?.[1] ?? 0),
      kernels: entries.map(([, name = "", text = ""]) => ({
        name,
        parameters: sizeOfParameters(Number(/(\d+) bytes cmem\[0\]/.exec(text)?.[1] ?? firstParameter)),
        shared: Number(/(\d+) bytes smem/.exec(text)?.[1] ?? 0),
      })),
    };
  } catch {
    return undefined;
  }
}

/** The bytes of the parameters at the end of the bank. */
function sizeOfParameters(end: number): number {
  return end - (end > firstOfMany ? firstOfMany : firstParameter);
}

/** The kernels of the file's folder, where the headers with its kernels usually are. */
async function listed(file: string): Promise<readonly Kernel[]> {
  const own = flags.filter((flag) => /^-[DI]/.test(flag));
  const { stdout } = await run("node", [program, "memory", "--format", "json", dirname(file), ...(own.length > 0 ? ["--", ...own] : [])], {
    maxBuffer: 2 ** 26,
  });
  const { kernels }: { readonly kernels: readonly Kernel[] } = JSON.parse(stdout);
  return kernels;
}

/** The names without parameters, results and namespaces, as the tool spells them. */
async function demangled(names: readonly string[]): Promise<readonly string[]> {
  if (names.length === 0) return [];
  const { stdout } = await run("c++filt", [...names]);
  return stdout.trim().split("\n").map(withoutParameters).map(plain);
}

function withoutParameters(name: string): string {
  const shown = name.replaceAll("(anonymous namespace)::", "").replace(/\((?:int|bool|unsigned int|unsigned long|char)\)/g, "");
  let depth = 0;
  for (let at = shown.length - 1; at >= 0; at -= 1) {
    if (shown[at] === ")") depth += 1;
    else if (shown[at] === "(") {
      depth -= 1;
      if (depth === 0) return shown.slice(0, at);
    }
  }
  return shown;
}

/** The name without spaces, the result in front of it and its namespaces. */
function plain(name: string): string {
  const before = name.indexOf("<") < 0 ? name : name.slice(0, name.indexOf("<"));
  return (before.replace(/^.*(?: |::)/, "") + name.slice(before.length)).replace(/\s+/g, "").replace(/(\d)[uUlL]+\b/g, "$1");
}
