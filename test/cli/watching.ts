/** Runs `check --watch` as a real process until it is stopped. */
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "sarif";
import { folderWith } from "./run.ts";

const program = join(import.meta.dirname, "../../dist/cli.js");

export interface Watching {
  readonly process: ChildProcess;
  /** Resolves to the findings, one a line, once a check has ended after `change` and `isDone` holds for them. */
  after(change: () => void, isDone: (findings: string) => boolean): Promise<string>;
  /** Resolves once the whole output on standard output has this text. */
  printed(text: string): Promise<void>;
  /** The whole output on standard error. */
  said(): string;
  stop(): void;
}

/**
 * Resolves once the first check has ended. The findings come from a SARIF file, which each check replaces before it says that it has
 * ended: a busy machine may deliver what the program prints on standard output after what it says later on standard error.
 */
export async function startWatching(folder: string): Promise<Watching> {
  const sarif = join(folderWith({}), "findings.sarif");
  const watching = spawn(process.execPath, [program, "check", "--watch", "--no-cache", "--sarif", sarif, "."], { cwd: folder });
  let out = "";
  let error = "";
  let wake = () => {};
  watching.stdout.on("data", (data) => {
    out += data;
    wake();
  });
  watching.stderr.on("data", (data) => {
    error += data;
    wake();
  });
  watching.on("exit", () => wake());
  const rounds = () => error.split("watching for changes").length - 1;
  const until = async (isDone: () => boolean) => {
    while (!isDone()) {
      if (watching.exitCode !== null) throw new Error(`it ended with ${watching.exitCode}: ${error.slice(-2_000)}`);
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  await until(() => rounds() > 0);
  return {
    process: watching,
    async after(change, isDone) {
      const before = rounds();
      change();
      await until(() => rounds() > before && isDone(findingsIn(sarif)));
      return findingsIn(sarif);
    },
    printed: (text) => until(() => out.includes(text)),
    said: () => error,
    stop: () => void watching.kill(),
  };
}

/** The findings of a SARIF file as the command line prints them, without the code. */
function findingsIn(path: string): string {
  const { runs }: Log = JSON.parse(readFileSync(path, "utf8"));
  const lines = (runs[0]?.results ?? []).map(({ locations, level, message, ruleId }) => {
    const { artifactLocation, region } = locations?.[0]?.physicalLocation ?? {};
    return `${artifactLocation?.uri}:${region?.startLine}:${region?.startColumn}: ${level}: ${message.text} [${ruleId}]`;
  });
  return lines.join("\n");
}
