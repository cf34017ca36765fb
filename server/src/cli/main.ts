/**
 * The command line: its commands and options, its help and the exit codes, which `docs/command-line.md` describes. It is the only
 * file that imports commander.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { clearStore } from "../node/answer-store.ts";
import { quoted } from "../printable.ts";
import { type CheckCommandOptions, type EffortOptions, runBaselineUpdate, runCheck, runLink, runSummarize } from "./check-command.ts";
import type { ProjectFlags } from "./check-options.ts";
import { completionFor, shells } from "./completion.ts";
import { explainRule, listRules, rulesAsJson } from "./explain.ts";
import { usualBaseline } from "./filters/baseline.ts";
import { commandsIn } from "./mcp/commands.ts";
import { type MemoryOptions, runMemory } from "./memory/memory.ts";
import { mistakeOf } from "./mistakes.ts";
import { type MutateOptions, runMutate } from "./mutate/mutate.ts";
import type { CommandLine } from "./program.ts";
import { formats } from "./report.ts";
import { severities } from "./severities.ts";
import { readShard } from "./shards.ts";

/** Runs one command line (without the program's own name) and returns its exit code. */
export async function run(args: readonly string[], program: CommandLine): Promise<number> {
  const { terminal } = program;
  // Arguments after `--` are for a compiler, although they may look like options of this program.
  const separator = args.indexOf("--");
  const own = separator < 0 ? args : args.slice(0, separator);
  const flags = separator < 0 ? undefined : args.slice(separator + 1);
  // Hooks and shells pass the names of files as they are, so that a file could act as an option and disable the check.
  const ambiguous = args
    .slice(0, separator < 0 ? args.length : separator + 1)
    .find((argument) => argument.startsWith("-") && existsSync(argument));
  if (ambiguous !== undefined) {
    terminal.error(
      `gpu-qualifiers: ${quoted(ambiguous)} is an option, and a file has that name; to check the file, write './' before it\n`,
    );
    return 2;
  }
  let exitCode = 0;
  const command = describe(program, flags, (code) => {
    exitCode = code;
  });
  if (own.length === 0) {
    terminal.out(command.helpInformation());
    return 0;
  }
  // Commander answers `help` about a command that does not exist as if none were named.
  const [first = "", second] = own;
  const isUnknown = first === "help" && second !== undefined && !namesIn(command).includes(second);
  try {
    await command.parseAsync(isUnknown ? [second] : [...own], { from: "user" });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === "commander.unknownCommand" && existsSync(first)) terminal.error(`to check it: gpu-qualifiers check ${first}\n`);
    return error.exitCode === 0 ? 0 : 2;
  }
}

function describe(program: CommandLine, flags: readonly string[] | undefined, exit: (code: number) => void): Command {
  const { terminal } = program;
  const command = new Command("gpu-qualifiers")
    .description("Finds address-space, memory-space and constness mistakes in CUDA C++ and OpenCL C. Needs no compiler, toolkit or device.")
    .version(program.version)
    .configureOutput({
      writeOut: (text) => terminal.out(text),
      writeErr: (text) => terminal.error(text),
      outputError: (text, write) => write(mistakeOf(text)),
    })
    .exitOverride();

  withReportOptions(
    withProjectOptions(
      command
        .command("check")
        .description(
          "check files, or the CUDA, HIP and OpenCL files of folders (except those in .gitignore), including kernels in string literals",
        )
        .usage("[options] [path...] [-- <compiler flags>]")
        .argument("[path...]", "files and folders (default: the current folder)"),
    ),
  )
    .addOption(shardOption())
    .option("--fix", "write the preferred fix of every finding that has one, and report the rest")
    .option("--stdin", "check the text on standard input")
    .option("--stdin-filename <path>", "the file name of that text, which determines language, headers and settings")
    .option("--watch", "check again whenever a file changes")
    .addHelpText("after", helpOnFlags)
    .action(async (paths: string[], options: CheckCommandOptions) => exit(await runCheck(paths, flags, options, program)));

  withProjectOptions(
    command
      .command("summarize")
      .description("check files, and write their results for 'link' on another machine")
      .usage("[options] [path...] [-- <compiler flags>]")
      .argument("[path...]", "files and folders (default: the current folder)"),
  )
    .requiredOption("-o, --output <file>", "the summary file")
    .addOption(shardOption())
    .action(async (paths: string[], options: ProjectFlags & EffortOptions & { output: string }) =>
      exit(await runSummarize(paths, flags, options, program)),
    );

  withReportOptions(
    withProjectOptions(
      command
        .command("link")
        .alias("merge")
        .description("report from summaries what 'check' would report; files without a valid summary are checked")
        .usage("[options] <summary...> [-- <compiler flags>]")
        .argument("<summary...>", "files that 'summarize' wrote, with the same flags"),
    ),
  )
    .addOption(
      new Option("--path <path>", "a file or folder to report on; may be given several times (default: the current folder)").argParser(
        collected,
      ),
    )
    .option("--as-given", "use summaries without comparing them, because a build system knows that they are current")
    .action(async (summaries: string[], options: CheckCommandOptions & { path?: string[]; asGiven?: true }) =>
      exit(await runLink(summaries, flags, { ...options, path: options.path ?? ["."] }, program)),
    );

  withProjectOptions(
    command
      .command("baseline")
      .description("accept the present findings, so that 'check --baseline' reports only new ones")
      .command("update")
      .description("write a baseline that accepts every finding in these files and folders")
      .usage("[options] [path...] [-- <compiler flags>]")
      .argument("[path...]", "files and folders (default: the current folder)"),
  )
    .option("--baseline <file>", "the baseline", usualBaseline)
    .action(async (paths: string[], options: ProjectFlags & EffortOptions & { baseline: string }) =>
      exit(await runBaselineUpdate(paths, flags, options, program)),
    );

  withSettingsOptions(
    command
      .command("memory")
      .description("list the memory of every kernel, with the limits, and who launches it")
      .usage("[options] [path...] [-- <compiler flags>]")
      .argument("[path...]", "files and folders (default: the current folder)"),
  )
    .addOption(new Option("--format <format>", "how to print").choices(["text", "json"]).default("text"))
    .action(async (paths: string[], options: MemoryOptions) => exit(await runMemory(paths, flags, options, program)));

  withSettingsOptions(
    command
      .command("mutate")
      .description("make typical mistakes in copies of your own kernels, in memory, and say which of them are reported")
      .usage("[options] [path...] [-- <compiler flags>]")
      .argument("[path...]", "files and folders (default: the current folder)"),
  )
    .addOption(new Option("--each <count>", "how many mistakes of a kind to make in a file").default(3).argParser(countOf))
    .option("--verbose", "print the reported mistakes, too")
    .action(async (paths: string[], options: MutateOptions) => exit(await runMutate(paths, flags, options, program)));

  command
    .command("rules")
    .description("list every rule")
    .addOption(new Option("--format <format>", "how to print").choices(["text", "json"]).default("text"))
    .action(({ format }: { format: "text" | "json" }) => terminal.out(format === "json" ? rulesAsJson() : listRules()));

  command
    .command("explain")
    .description("explain what a rule finds, why, and what to do")
    .argument("<rule>", "the id in brackets after a finding, or the beginning of several")
    .action((id: string) => {
      const text = explainRule(id);
      if (text.isKnown) terminal.out(text.markdown);
      else terminal.error(`${text.message}\n`);
      exit(text.isKnown ? 0 : 2);
    });

  command
    .command("mcp")
    .description("serve programming assistants over standard input and output (Model Context Protocol)")
    .argument("[folder]", "the project's folder (default: the current one)")
    .addOption(untrustedOption())
    .action(async (folder: string | undefined, options: { untrusted?: true }) => exit(await serve(folder ?? ".", options, program)));

  const cache = command.command("cache").description("the results that are kept from one run to the next");
  cache
    .command("clear")
    .description("remove all results")
    .action(() => {
      const count = program.cache === undefined ? 0 : clearStore(program.cache.folder);
      terminal.error(`gpu-qualifiers: ${count} answer${count === 1 ? "" : "s"} removed\n`);
    });
  cache
    .command("path")
    .description("print the folder; GPU_QUALIFIERS_CACHE in the environment names another one")
    .action(() => terminal.out(program.cache === undefined ? "" : `${program.cache.folder}\n`));

  command
    .command("completion")
    .description("print a script that completes commands, options and rules in a shell")
    .addArgument(new Argument("<shell>", "which shell").choices(shells))
    .action((shell: (typeof shells)[number]) => terminal.out(completionFor(shell, command)));
  nameHelp(command, "gpu-qualifiers");
  return command;
}

/** A mistake in a command's options is answered with where these are explained. */
function nameHelp(command: Command, words: string): void {
  command.showHelpAfterError(`(see ${words} --help)`);
  for (const each of command.commands) nameHelp(each, `${words} ${each.name()}`);
}

/** The names of the commands. */
function namesIn(command: Command): readonly string[] {
  return command.commands.flatMap((each) => [each.name(), ...each.aliases()]);
}

/** Starts to serve assistants. The process ends when its client closes standard input. */
async function serve(folder: string, { untrusted }: { readonly untrusted?: true }, program: CommandLine): Promise<number> {
  try {
    process.chdir(folder);
  } catch {
    program.terminal.error(`gpu-qualifiers: ${quoted(folder)} is not a folder that can be read\n`);
    return 2;
  }
  const { serveAssistants } = await import("./mcp/server.ts");
  serveAssistants(commandsIn(resolve("."), program, run), program.version, untrusted === true ? ["--untrusted"] : []);
  return 0;
}

/** Collects the values of an option that may be given several times. */
function collected(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), text];
}

function shardOption(): Option {
  return new Option("--shard <part>", "check only one part of the files, such as 3/8; every machine computes the same parts").argParser(
    (text: string) => {
      const shard = readShard(text);
      if (shard === undefined) throw new InvalidArgumentError("It must be a part of a whole, from 1/1 to 9999/9999.");
      return shard;
    },
  );
}

/** Adds the options that select the findings to report, and the format. */
function withReportOptions(command: Command): Command {
  return command
    .addOption(new Option("--format <format>", "the output format (default: pretty on a terminal, otherwise text)").choices(formats))
    .addOption(new Option("--level <severity>", "the lowest severity that is shown").choices(severities).default("warning"))
    .addOption(
      new Option("--fail-on <severity>", "the lowest severity that is shown and makes the exit code 1")
        .choices([...severities, "never"])
        .default("error"),
    )
    .option("--sarif <file>", "also write the findings into this file, as SARIF")
    .addOption(new Option("--color <when>", "colors in pretty output").choices(["auto", "always", "never"]).default("auto"))
    .option("--diff <commit>", "report only findings on lines that have changed since this commit or branch")
    .option("--baseline <file>", "report only findings that this baseline does not accept; 'baseline update' writes it")
    .option("--verbose", "report what could not be done, such as missing headers, and where the settings came from");
}

/** Adds the options that affect how files are read. */
function withSettingsOptions(command: Command): Command {
  return command
    .option("--config <file>", "a settings file that replaces every gpu-qualifiers.json; its paths count from the project's top folder")
    .option("--build <folder>", "a build folder, whose compile_commands.json takes precedence over all others")
    .addOption(untrustedOption());
}

function untrustedOption(): Option {
  return new Option(
    "--untrusted",
    "settings in the project cannot cause reads outside of it: for code from strangers, such as pull requests",
  );
}

/** Adds the options that affect how a project is checked, whatever is done with its findings. */
function withProjectOptions(command: Command): Command {
  return withSettingsOptions(command)
    .addOption(new Option("--rule <id=severity>", "the severity of a rule, or off; may be given several times").argParser(collected))
    .option("--strict", "also report what only some compilers reject: the profile 'strict', unless the settings name one")
    .addOption(
      new Option(
        "-j, --jobs <number>",
        "how many files are checked in parallel (default: by the number of files and processors)",
      ).argParser(countOf),
    )
    .option("--no-cache", "check everything again, and keep nothing for the next run");
}

const helpOnFlags = `
Flags after -- say how the files are built, as for clang and nvcc:
  -cl-std= -cl-ext= -D -U -I -include -std= -x -arch= -gencode --offload-arch= -rdc= -dc @file
Without them gpu-qualifiers.json, compile_commands.json, compile_flags.txt and .clangd are looked for.

Exit code: 0 nothing of severity error (or --fail-on), 1 something, 2 not everything could be checked.`;

function countOf(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1 || count > mostJobs) throw new InvalidArgumentError(`It must be a number from 1 to ${mostJobs}.`);
  return count;
}

const mostJobs = 256;
