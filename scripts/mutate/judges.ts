/** Judges mutants: with the checker in this process, and with clang or nvcc if they are installed. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { noSettings } from "../../server/src/dialect.ts";
import { createNodeFiles } from "../../server/src/node/node-files.ts";
import { nameOfPath } from "../../server/src/node/node-names.ts";
import { createService } from "../../server/src/service.ts";
import type { SyntaxParser } from "../../server/src/syntax/parser.ts";

/** The findings of the checker that count here. */
export interface Found {
  readonly rule: string;
  readonly message: string;
}

const run = promisify(execFile);
const time = 120_000;

/** The errors and warnings of a file with this text, whose headers are read below the folder. */
export function errorsOf(parser: SyntaxParser, path: string, text: string, folder: string): readonly Found[] {
  const uri = nameOfPath(join(folder, path));
  const files = createNodeFiles({ root: nameOfPath(folder) });
  const overlaid = { ...files, read: (name: string) => (name === uri ? text : files.read(name)) };
  const service = createService({ files: overlaid, parser, settingsOf: () => noSettings });
  try {
    return service
      .check(uri)
      .diagnostics.filter(({ severity }) => severity === "error" || severity === "warning")
      .map(({ rule, message }) => ({ rule, message }));
  } finally {
    service.dispose();
  }
}

/** Whether the compiler fails for the file in every pass; undefined if the compiler is not installed. */
export async function isRejected(path: string, includes: readonly string[]): Promise<boolean | undefined> {
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
      if (typeof error === "object" && error !== null && "code" in error && error.code === "ENOENT") return undefined;
    }
  }
  return true;
}

/** The text with comments and literals replaced by spaces, so that offsets stay. */
export function blankComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g, (part) => part.replace(/[^\n]/g, " "));
}
