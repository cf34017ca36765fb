/**
 * Runs commands of this program for programming assistants, one after the other, and returns what they print. It decides which paths
 * an assistant may name. It leaves the meaning of commands to `main.ts`, and the protocol to `server.ts`.
 */
import { existsSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { insideOf } from "../../node/node-files.ts";
import { nameOfPath } from "../../node/node-names.ts";
import { realNameOf } from "../../node/real-files.ts";
import { quoted } from "../../printable.ts";
import type { CommandLine } from "../program.ts";

/** What a command has printed, and its exit code. */
export interface CommandResult {
  readonly code: number;
  readonly out: string;
  /** The lines of standard error, without the program's name before them. */
  readonly notes: readonly string[];
}

/** Runs commands in one folder. */
export interface Commands {
  /** `input` is the text on standard input. */
  run(args: readonly string[], input?: string): Promise<CommandResult>;
  /** The paths as arguments, or the reason why one of them cannot be used. Relative paths count from the folder. */
  pathsOf(paths: readonly string[]): { readonly paths: readonly string[] } | { readonly problem: string };
}

/** The commands of `program`, which `runCommand` executes, for files below `folder`, which is the current folder of the process. */
export function commandsIn(
  folder: string,
  program: CommandLine,
  runCommand: (args: readonly string[], program: CommandLine) => Promise<number>,
): Commands {
  const isInside = insideOf(nameOfPath(folder));
  let parser: ReturnType<CommandLine["loadParser"]> | undefined;
  // A command must not see half of what another one writes.
  let last: Promise<unknown> = Promise.resolve();

  async function runOne(args: readonly string[], input: string): Promise<CommandResult> {
    let out = "";
    let error = "";
    const code = await runCommand(args, {
      ...program,
      loadParser: () => {
        parser ??= program.loadParser();
        return parser;
      },
      readInput: () => input,
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
    const notes = error.split("\n").filter((line) => line !== "");
    return { code, out, notes: notes.map((line) => line.replace(/^gpu-qualifiers: /, "")) };
  }

  return {
    run(args, input = "") {
      const result = last.then(() => runOne(args, input));
      last = result.catch(() => undefined);
      return result;
    },
    pathsOf(paths) {
      for (const path of paths) {
        const real = realNameOf(nameOfPath(nearestExisting(resolve(folder, path))));
        if (real === undefined || !isInside(real))
          return { problem: `${quoted(path)} is outside of the folder that this server was started for` };
      }
      return { paths: paths.map((path) => argumentOf(relative(folder, resolve(folder, path)))) };
    },
  };
}

/** The path, or the folder above it that exists: a file that does not exist yet may be checked from its text. */
function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}

/** A path that no command takes for an option. */
function argumentOf(path: string): string {
  if (path === "") return ".";
  return path.startsWith("-") ? `./${path}` : path;
}
