/** Runs the real command line program in a process of its own. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const program = join(import.meta.dirname, "../../dist/cli.js");

export interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly error: string;
}

/** Shared by the test files that a worker runs one after the other. */
const cache = mkdtempSync(join(tmpdir(), "gpu-qualifiers-cache-"));

export function run(args: readonly string[], folder: string, environment: Readonly<Record<string, string>> = {}): Run {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: folder,
    encoding: "utf8",
    // Tests must not share stored results.
    env: { PATH: process.env.PATH ?? "", GPU_QUALIFIERS_CACHE: cache, ...environment },
  });
  return { code: status, out: stdout, error: stderr };
}

const folders: string[] = [];

/** Deletes the folders of a test file; `clean-up.ts` calls it after each. */
export function deleteFolders(): void {
  for (const folder of [...folders.splice(0), cache]) rmSync(folder, { recursive: true, force: true });
}

/** A new folder with these files, which is deleted after the tests of the file. */
export function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "gpu-qualifiers-")));
  folders.push(folder);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

export const wrongCast = "kernel void k(global int *g) { local int *l = (local int *)g; }\n";
export const clean = "kernel void k(global int *g) { *g = 1; }\n";
export const nonConst = "struct S { int a[4]; };\n__global__ void k(__grid_constant__ S s) {}\n";
/** Correct in OpenCL C 2.0, an error in earlier standards. */
export const dependsOnStandard = "kernel void k(global int *g) { int *p = g; *p = 1; }\n";
