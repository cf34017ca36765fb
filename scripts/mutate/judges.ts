/** Judges mutants by clang or nvcc, if they are installed. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const time = 20_000;

/**
 * True if the compilers reject the text next to its original file; undefined if none is installed, or if they take too
 * long.
 */
export async function judged(file: string, text: string, folder: string): Promise<boolean | undefined> {
  const work = mkdtempSync(join(tmpdir(), "mutate-"));
  try {
    const copy = join(work, file.endsWith(".cl") ? "mutant.cl" : "mutant.cu");
    writeFileSync(copy, text);
    return await isRejected(copy, [dirname(file), folder, join(folder, "include")]);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Whether the compiler fails for the file under every standard. */
async function isRejected(path: string, includes: readonly string[]): Promise<boolean | undefined> {
  const paths = includes.flatMap((include) => ["-I", include]);
  const attempts: readonly (readonly [string, readonly string[]])[] = path.endsWith(".cl")
    ? ["CL1.2", "CL2.0", "CL3.0"].map((standard) => [
        process.env.CLANG ?? "clang-22",
        ["-x", "cl", `-cl-std=${standard}`, "-fsyntax-only", "-w", ...paths, path],
      ])
    : [["nvcc", ["-arch=sm_90", "-std=c++17", "-c", "-o", "/dev/null", "-w", ...paths, path]]];
  for (const [program, args] of attempts) {
    try {
      await run(program, [...args], { timeout: time, maxBuffer: 1 << 26 });
      return false;
    } catch (error) {
      if (typeof error !== "object" || error === null) return undefined;
      if ("code" in error && error.code === "ENOENT") return undefined;
      if ("killed" in error && error.killed === true) return undefined;
    }
  }
  return true;
}
