/** Runs the command line in this process, which is faster than the real program; requested threads are real. */
import { join } from "node:path";
import { run as runCommand } from "../../server/src/cli/main.ts";
import { testParser } from "../service.ts";
import type { Run } from "./run.ts";

/** Runs must not overlap, because the current folder belongs to the process. */
export async function runHere(args: readonly string[], folder: string, input = ""): Promise<Run> {
  const before = process.cwd();
  process.chdir(folder);
  let out = "";
  let error = "";
  try {
    const code = await runCommand(args, {
      version: "0.0.0",
      loadParser: testParser,
      readInput: () => input,
      script: join(import.meta.dirname, "../../dist/cli.js"),
      terminal: {
        out: (text) => {
          out += text;
        },
        error: (text) => {
          error += text;
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
