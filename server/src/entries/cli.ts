#!/usr/bin/env node
/** The command line program: connects `cli/main.ts` with the process, and `cli/thread.ts` with each of its worker threads. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isMainThread } from "node:worker_threads";
import { version } from "../../../package.json";
import { run } from "../cli/main.ts";
import { serveFiles } from "../cli/thread.ts";
import { buildOf, cacheFolder } from "../node/answer-store.ts";
import { folderOfModule } from "../node/folder-of-module.ts";
import { loadNodeParser } from "../node/node-parser.ts";
import { errorCode } from "../node/real-files.ts";
import { printableLines, printableOutput } from "../printable.ts";

const here = folderOfModule(import.meta.url);
if (isMainThread) runHere();
else serveFiles(loadNodeParser(here));

function runHere(): void {
  const { stdin, stdout, stderr, env } = process;
  // A reader of the exit code must not take half of an output for the result. Files are written in one step, so the program may
  // end here at any time.
  const losesOutput = (error: unknown) => {
    const end = () => process.exit(2);
    stderr.write(`gpu-qualifiers: the output cannot be written (${errorCode(error)})\n`, end);
  };
  stdout.on("error", losesOutput);
  stderr.on("error", () => process.exit(2));
  // On a stream that is not a terminal, `isTTY` is absent, although its type says otherwise.
  const mayColor = env.NO_COLOR === undefined || env.NO_COLOR === "";
  const isForced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "";

  const program = buildOf(here);
  run(process.argv.slice(2), {
    version,
    ...(program === undefined ? {} : { cache: { folder: cacheFolder(env), program } }),
    loadParser: () => loadNodeParser(here),
    readInput: () => readFileSync(stdin.fd, "utf8"),
    script: fileURLToPath(import.meta.url),
    terminal: {
      out: (text) => void stdout.write(text),
      error: (text) => void stderr.write(printableOutput(text)),
      control: (sequence) => void stderr.write(sequence),
      isOutTerminal: stdout.isTTY === true,
      isErrorTerminal: stderr.isTTY === true,
      hasColors: mayColor && (isForced || (stdout.isTTY === true && env.TERM !== "dumb")),
    },
  }).then(
    (exitCode) => {
      process.exitCode = exitCode;
    },
    (error: unknown) => {
      // An error of the file system is not a defect of this program.
      const isOfSystem = error instanceof Error && "syscall" in error;
      const text = error instanceof Error && !isOfSystem ? (error.stack ?? error.message) : String(error).replace(/^Error: /, "");
      stderr.write(`gpu-qualifiers: ${isOfSystem ? "" : "this is a mistake in gpu-qualifiers itself: "}${printableLines(text)}\n`);
      process.exitCode = 2;
    },
  );
}
