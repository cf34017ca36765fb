/** The command line program: connects `cli/main.ts` with the process, and `cli/thread.ts` with each further thread of it. */
import { isMainThread } from "node:worker_threads";
import { version } from "../../../package.json";
import { run } from "../cli/main.ts";
import { serveFiles } from "../cli/thread.ts";
import { loadNodeParser } from "../host/node-parser.ts";

if (isMainThread) runHere();
else serveFiles(loadNodeParser(import.meta.dirname));

function runHere(): void {
  // A reader that has seen enough (`| head`) closes the pipe: that is no failure.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(process.exitCode ?? 0);
    throw error;
  });

  const { stdout, stderr, env } = process;
  // What is no terminal has no `isTTY` at all, whatever its type says.
  const mayColor = env.NO_COLOR === undefined || env.NO_COLOR === "";
  const isForced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "";

  run(process.argv.slice(2), {
    version,
    loadParser: () => loadNodeParser(import.meta.dirname),
    script: import.meta.filename,
    terminal: {
      out: (text) => void stdout.write(text),
      error: (text) => void stderr.write(text),
      isOutTerminal: stdout.isTTY === true,
      isErrorTerminal: stderr.isTTY === true,
      hasColors: mayColor && (isForced || (stdout.isTTY === true && env.TERM !== "dumb")),
    },
  }).then(
    (exitCode) => {
      process.exitCode = exitCode;
    },
    (error: unknown) => {
      stderr.write(`gpu-qualifiers: this is a mistake in gpu-qualifiers itself: ${error instanceof Error ? error.stack : String(error)}\n`);
      process.exitCode = 2;
    },
  );
}
