/** Runs the command line in this process, which is faster than the real program. Threads that it starts are real. */
import { join } from "node:path";
import { run as runCommand } from "../../server/src/cli/main.ts";
import { printableOutput } from "../../server/src/printable.ts";
import { testParser } from "../service.ts";
import type { Run } from "./run.ts";

/**
 * Runs must not overlap, because the current folder belongs to the process. `input` is the text on standard input. `cache` is the
 * folder of earlier results; without it, no results are stored.
 */
export async function runHere(args: readonly string[], folder: string, input = "", cache?: string): Promise<Run> {
  const before = process.cwd();
  process.chdir(folder);
  let out = "";
  let error = "";
  try {
    const code = await runCommand(args, {
      version: "0.0.0",
      ...(cache !== undefined && { cache: { folder: cache, program: "test" } }),
      loadParser: testParser,
      readInput: () => input,
      script: join(import.meta.dirname, "../../dist/cli.js"),
      terminal: {
        out: (text) => {
          out += text;
        },
        error: (text) => {
          error += printableOutput(text);
        },
        control: () => undefined,
        isOutTerminal: false,
        isErrorTerminal: false,
        hasColors: false,
      },
    });
    return { code, out, error };
  } finally {
    process.chdir(before);
  }
}
