/**
 * The command line: what it takes, what it says about its own use, and the exit codes, which
 * `docs/command-line.md` describes. The only file that imports commander.
 */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import type { Diagnostic, Severity } from "../finding.ts";
import { lineIndex } from "../host/lines.ts";
import { nameOfPath } from "../host/node-names.ts";
import type { SyntaxParser } from "../syntax/parser.ts";
import { readFlags } from "../workspace/compiler-flags.ts";
import { type CheckResult, checkGroup } from "./check.ts";
import { explainRule, listRules } from "./explain.ts";
import { writeFixes } from "./fix.ts";
import { createProgress } from "./progress.ts";
import { type Format, isShown, renderReport } from "./report.ts";
import { findTargets, shownPath } from "./targets.ts";
import { startWorkers, usualJobs } from "./workers.ts";

export interface Terminal {
  out(text: string): void;
  error(text: string): void;
  readonly isOutTerminal: boolean;
  readonly isErrorTerminal: boolean;
  /** What NO_COLOR, FORCE_COLOR and the terminal say. */
  readonly hasColors: boolean;
}

export interface Program {
  readonly version: string;
  loadParser(): Promise<SyntaxParser>;
  /** The path of the program itself, which each further thread runs. */
  readonly script: string;
  readonly terminal: Terminal;
}

/** Runs one command line (without the program's own name) and gives its exit code. */
export async function run(args: readonly string[], program: Program): Promise<number> {
  const { terminal } = program;
  // What stands behind `--` belongs to a compiler, and may look like an option of ours.
  const separator = args.indexOf("--");
  const own = separator < 0 ? args : args.slice(0, separator);
  const flags = separator < 0 ? undefined : args.slice(separator + 1);
  let exitCode = 0;
  const command = describe(program, flags, (code) => {
    exitCode = code;
  });
  if (own.length === 0) {
    terminal.out(command.helpInformation());
    return 0;
  }
  try {
    await command.parseAsync([...own], { from: "user" });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const first = own[0] ?? "";
    if (error.code === "commander.unknownCommand" && existsSync(first)) terminal.error(`to check it: gpu-qualifiers check ${first}\n`);
    return error.exitCode === 0 ? 0 : 2;
  }
}

function describe(program: Program, flags: readonly string[] | undefined, exit: (code: number) => void): Command {
  const { terminal } = program;
  const command = new Command("gpu-qualifiers")
    .description("Finds address-space, memory-space and constness mistakes in CUDA C++ and OpenCL C. Needs no compiler, toolkit or device.")
    .version(program.version)
    .configureOutput({ writeOut: (text) => terminal.out(text), writeErr: (text) => terminal.error(text) })
    .showHelpAfterError("(gpu-qualifiers --help says what there is)")
    .exitOverride();

  command
    .command("check")
    .description(
      "check files, or every CUDA, HIP and OpenCL file of a folder that .gitignore does not name, and kernels in string literals",
    )
    .usage("[options] <path...> [-- <compiler flags>]")
    .argument("<path...>", "files and folders")
    .addOption(
      new Option("--format <format>", "how to print (default: pretty on a terminal, else text)").choices([
        "text",
        "pretty",
        "json",
        "sarif",
      ]),
    )
    .addOption(
      new Option("--level <severity>", "the least severity that is shown").choices(["error", "warning", "info", "hint"]).default("warning"),
    )
    .addOption(
      new Option("--fail-on <severity>", "the least severity that is shown and makes the exit code 1")
        .choices(["error", "warning", "info", "hint", "never"])
        .default("error"),
    )
    .addOption(new Option("--color <when>", "colors in pretty output").choices(["auto", "always", "never"]).default("auto"))
    .addOption(
      new Option("-j, --jobs <number>", "how many files are checked at once (default: by the number of files and processors)").argParser(
        jobsOf,
      ),
    )
    .option("--fix", "write the preferred fix of every finding that has one into the files, and say what is left")
    .option("--verbose", "say what could not be done, such as headers that are missing, and where the settings came from")
    .addHelpText("after", helpOnFlags)
    .action(async (paths: string[], options: CheckCommandOptions) => exit(await check(paths, flags, options, program)));

  command
    .command("rules")
    .description("list every rule")
    .action(() => terminal.out(listRules()));

  command
    .command("explain")
    .description("say what a rule finds, why, and what to do")
    .argument("<rule>", "the id in brackets behind a finding")
    .action((id: string) => {
      const text = explainRule(id);
      if (text.isKnown) terminal.out(text.markdown);
      else terminal.error(`${text.message}\n`);
      exit(text.isKnown ? 0 : 2);
    });
  return command;
}

const helpOnFlags = `
Flags behind -- say how the files are built, as for clang and nvcc:
  -cl-std= -cl-ext= -D -U -I -include -std= -x -arch= -gencode --offload-arch= -rdc= -dc @file
Without them gpu-qualifiers.json, compile_commands.json, compile_flags.txt and .clangd are looked for.

Exit code: 0 nothing of severity error (or --fail-on), 1 something, 2 not everything could be checked.`;

interface CheckCommandOptions {
  readonly format?: Format;
  readonly level: Severity;
  readonly failOn: Severity | "never";
  readonly color: "auto" | "always" | "never";
  readonly verbose?: true;
  readonly fix?: true;
  readonly jobs?: number;
}

function jobsOf(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1 || count > mostJobs) throw new InvalidArgumentError(`It has to be a number from 1 to ${mostJobs}.`);
  return count;
}

const mostJobs = 256;

/** Fixes that collide, or that reveal another mistake, need more than one round. */
const maximalFixRounds = 10;

async function check(
  paths: readonly string[],
  flags: readonly string[] | undefined,
  options: CheckCommandOptions,
  program: Program,
): Promise<number> {
  const { terminal } = program;
  const { failOn } = options;
  // Nobody should look for the reason of an exit code in vain.
  const level = failOn !== "never" && isShown(options.level, failOn) ? failOn : options.level;
  const note = (message: string) => terminal.error(`gpu-qualifiers: ${message}\n`);
  const reading = readFlags(flags ?? [], {
    resolve: (path) => nameOfPath(path),
    readResponseFile: (path) => (existsSync(path) ? readFileSync(resolve(path), "utf8") : undefined),
  });
  if (reading.ignored.length > 0) note(`flags without an effect here: ${reading.ignored.join(" ")}`);
  const targets = findTargets(paths);
  const problems = [...reading.problems, ...targets.problems];
  for (const problem of problems) note(problem);
  if (reading.problems.length > 0 || targets.groups.length === 0) return 2;
  if (targets.groups.every((group) => group.targets.length === 0)) note(`no CUDA or OpenCL file in ${paths.join(", ")}`);

  const parser = await program.loadParser();
  const progress = createProgress(terminal);
  const jobs = options.jobs ?? usualJobs(targets.groups.reduce((sum, group) => sum + group.targets.length, 0));
  const checkAll = async (): Promise<readonly CheckResult[]> => {
    const workers = jobs > 1 ? startWorkers(program.script, jobs) : undefined;
    const given = {
      parser,
      progress: progress.show,
      ...(flags === undefined || flags.length === 0 ? {} : { flags: reading.settings }),
      ...(workers === undefined ? {} : { workers }),
    };
    const results: CheckResult[] = [];
    try {
      for (const group of targets.groups) results.push(await checkGroup(group, given));
    } finally {
      progress.clear();
      await workers?.dispose();
    }
    return results;
  };
  let results = await checkAll();
  const written = new Set<string>();
  for (let round = 0; options.fix === true && round < maximalFixRounds; round++) {
    const names = writeFixes(results, level);
    if (names.length === 0) break;
    for (const name of names) written.add(name);
    results = await checkAll();
  }
  if (options.fix === true) note(`fixes were written into ${written.size} file${written.size === 1 ? "" : "s"}`);
  const format = options.format ?? (terminal.isOutTerminal ? "pretty" : "text");
  const hasColors = options.color === "always" || (options.color === "auto" && terminal.hasColors);
  terminal.out(renderReport(results, { format, level, hasColors, version: program.version }));
  const isIncomplete = reportAside(results, options, note, terminal);
  if (problems.length > 0 || isIncomplete) return 2;
  const isBad = ({ severity }: Diagnostic) => failOn !== "never" && isShown(severity, failOn);
  return results.some(({ files }) => files.some(({ diagnostics }) => diagnostics.some(isBad))) ? 1 : 0;
}

/** What is no finding goes to standard error. True where a settings file is wrong, or something was not checked. */
function reportAside(
  results: readonly CheckResult[],
  options: CheckCommandOptions,
  note: (message: string) => void,
  terminal: Terminal,
): boolean {
  let isIncomplete = false;
  for (const result of results) {
    const place = (uri: string, offset: number) => {
      const { line, column } = lineIndex(result.textOf(uri)).placeOf(offset);
      return `${shownPath(uri)}:${line + 1}:${column + 1}`;
    };
    for (const { message, location } of result.settingsProblems) {
      isIncomplete = true;
      terminal.error(`${place(location.uri, location.span.start)}: error: ${message} [settings]\n`);
    }
    for (const { target, reason } of result.failed) {
      isIncomplete = true;
      note(`'${target.shown}' was not checked because ${reason}`);
    }
    for (const { target, reason, isProblem } of result.skipped) {
      if (isProblem) isIncomplete = true;
      note(`'${target.shown}' ${reason}; not checked`);
    }
    if (options.verbose !== true) continue;
    for (const { shown, origin, report } of result.files) {
      note(`${shown}: ${report.dialects.map(({ label }) => label).join(", ")}; settings: ${origin}`);
      for (const { message, location } of report.notes) terminal.error(`${place(location.uri, location.span.start)}: note: ${message}\n`);
    }
  }
  return isIncomplete;
}
