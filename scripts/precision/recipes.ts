/**
 * The files to judge and their flags: from a recipe (a table of repository, path, standard and flags of files that their compiler
 * accepts), or by asking the compilers about every file of the folder.
 */
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { findTargets } from "../../server/src/cli/targets.ts";
import { pathOfName } from "../../server/src/node/node-names.ts";
import { splitCommand } from "../../server/src/settings/command-line.ts";

export interface Recipe {
  /** Relative to the repository. */
  readonly path: string;
  readonly flags: readonly string[];
}

const run = promisify(execFile);

/** The rows of the table for the folder, whose last two segments are the repository's name. */
export function readRecipes(table: string, folder: string): readonly Recipe[] {
  const rows = readFileSync(table, "utf8")
    .split("\n")
    .slice(1)
    .map((line) => line.split("\t"));
  const repository = folder
    .split("/")
    .filter((part) => part !== "")
    .slice(-2)
    .join("/");
  return rows
    .filter(([repo]) => repo === repository)
    .map(([, path = "", standard = "", flags = ""]) => ({ path, flags: [...flagsOfStandard(path, standard), ...splitCommand(flags)] }));
}

function flagsOfStandard(path: string, standard: string): readonly string[] {
  if (standard !== "") return [`-cl-std=${standard}`];
  return /\.cuh?$/.test(path) ? ["-arch=sm_90"] : [];
}

/** Every source below the folder that clang (OpenCL, the first standard that does) or nvcc (CUDA, device pass) accepts. */
export async function acceptedFiles(folder: string, limit: number): Promise<readonly Recipe[]> {
  const queue = sourcesIn(folder, "").slice(0, limit);
  const accepted: Recipe[] = [];
  const worker = async (): Promise<void> => {
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      const flags = await acceptedWith(folder, path);
      if (flags !== undefined) accepted.push({ path, flags });
    }
  };
  await Promise.all([worker(), worker()]);
  return accepted.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The flags with which a compiler accepts the file; undefined if none does. */
export async function acceptedWith(folder: string, path: string): Promise<readonly string[] | undefined> {
  const paths = [`-I${dirname(path)}`, "-I.", "-Iinclude"];
  const attempts = path.endsWith(".cu")
    ? [{ program: "nvcc", args: ["-arch=sm_90", "-std=c++17", "-ptx", "-o", "/dev/null", "-w"], flags: ["-arch=sm_90", "-std=c++17"] }]
    : ["CL1.2", "CL2.0", "CL3.0"].map((standard) => ({
        program: process.env.CLANG ?? "clang-22",
        args: ["-x", "cl", `-cl-std=${standard}`, "-fsyntax-only", "-w"],
        flags: [`-cl-std=${standard}`],
      }));
  // If one standard rejects the file, the next one may accept it.
  for (const { program, args, flags } of attempts)
    if (await isAccepted(folder, program, [...args, ...paths, path])) return [...flags, ...paths];
  return undefined;
}

async function isAccepted(folder: string, program: string, args: readonly string[]): Promise<boolean> {
  try {
    await run(program, [...args], { cwd: folder, timeout: 120_000, maxBuffer: 1 << 26 });
    return true;
  } catch {
    return false;
  }
}

/** True if the compiler accepts the file with the flags that `acceptedWith` gave. */
export function accepts(folder: string, path: string, flags: readonly string[]): Promise<boolean> {
  return path.endsWith(".cu")
    ? isAccepted(folder, "nvcc", ["-ptx", "-o", "/dev/null", "-w", ...flags, path])
    : isAccepted(folder, process.env.CLANG ?? "clang-22", ["-x", "cl", "-fsyntax-only", "-w", ...flags, path]);
}

/** Every file below the folder that a user's check of it covers, apart from headers. */
export function checkedIn(root: string): readonly string[] {
  return findTargets([root]).groups.flatMap(({ targets }) => targets.map(({ name }) => relative(root, pathOfName(name) ?? name)));
}

/** Every CUDA and OpenCL source below the folder. */
export function sourcesIn(root: string, folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = relative(root, join(root, folder, entry.name));
      if (entry.isDirectory()) return entry.name.startsWith(".") ? [] : sourcesIn(root, path);
      return /\.(cl|cu)$/.test(entry.name) ? [path] : [];
    });
}
