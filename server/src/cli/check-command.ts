/**
 * Runs `check` and `baseline update`, from paths and options to the output and the exit code. `check.ts` finds the mistakes; this
 * file decides which of them to report.
 */
import type { Diagnostic, Severity } from "../finding.ts";
import { isWithin } from "../names.ts";
import { type AnswerStore, isOwn, openStore, pruneStore } from "../node/answer-store.ts";
import { nameOfPath } from "../node/node-names.ts";
import { statOf } from "../node/real-files.ts";
import { printable, quoted } from "../printable.ts";
import { lineIndex } from "../project/lines.ts";
import { type CheckResult, checkGroup } from "./check.ts";
import { type InputOptions, type ProjectFlags, problemWithInput, readProjectOptions, readsInput } from "./check-options.ts";
import { detailsOf } from "./details.ts";
import type { OwnAnswers, ProjectGiven } from "./file-checker.ts";
import { baselineOf, newBaseline, readBaseline, usualBaseline } from "./filters/baseline.ts";
import { filtersOf } from "./filters/filters.ts";
import { writeFixes } from "./fix.ts";
import type { CommandLine, Terminal } from "./program.ts";
import { createProgress } from "./progress.ts";
import { type Format, findingLines, type ReportOptions, renderReport, summaryOf } from "./report.ts";
import { isShown } from "./severities.ts";
import type { Shard } from "./shards.ts";
import { collectSummaries, readSummaries } from "./summaries.ts";
import { findTargets, shownPath, type Targets, targetOfText } from "./targets.ts";
import { changesSince } from "./watch/changes.ts";
import { watchTargets } from "./watch/watch.ts";
import { startWorkers, usualJobs, type Workers } from "./workers.ts";
import { isWrittenInto, writeText } from "./write-text.ts";

/** How much work a check may do, and whether it may reuse the results of an earlier one. */
export interface EffortOptions {
  readonly jobs?: number;
  readonly cache: boolean;
  readonly shard?: Shard;
}

/** The options of `check`, as the command line gives them. */
export interface CheckCommandOptions extends ProjectFlags, InputOptions, EffortOptions {
  readonly format?: Format;
  readonly level: Severity;
  readonly failOn: Severity | "never";
  readonly color: "auto" | "always" | "never";
  readonly verbose?: true;
  readonly fix?: true;
  readonly diff?: string;
  readonly baseline?: string;
  readonly watch?: true;
  /** A file that gets the findings as SARIF, whatever the format of the output. */
  readonly sarif?: string;
}

/** No system has longer paths. */
const longest = 4_096;

/** Fixes that overlap, or that reveal another mistake, need several rounds. */
const maximalFixRounds = 10;

/** The result of reading the command line, before anything is checked. */
interface Start {
  readonly given: ProjectGiven;
  findTargets(): Targets;
}

/** Checks, prints, and returns the exit code; with `--watch` repeats that until the process is stopped. */
export async function runCheck(
  paths: readonly string[],
  flags: readonly string[] | undefined,
  options: CheckCommandOptions,
  program: CommandLine,
): Promise<number> {
  const start = begin(paths, flags, options, program);
  if (start === undefined) return 2;
  if (options.watch !== true) return (await checkOnce(start, options, program)).code;
  const { terminal } = program;
  const note = noteTo(terminal);
  let before: readonly string[] | undefined;
  await watchTargets(() => start.findTargets(), {
    check: async (changed) => {
      if (terminal.isOutTerminal) terminal.out("\u001b[2J\u001b[3J\u001b[H");
      const { lines } = await checkOnce(start, options, program);
      if (before !== undefined) note(changesSince(before, lines, { changed: [...changed].map(shownName), time: new Date() }));
      before = lines;
      note("watching for changes; Ctrl+C ends it");
    },
  });
  return 0;
}

/** Writes a baseline that accepts every current finding. */
export async function runBaselineUpdate(
  paths: readonly string[],
  flags: readonly string[] | undefined,
  options: ProjectFlags & EffortOptions & { readonly baseline: string },
  program: CommandLine,
): Promise<number> {
  const note = noteTo(program.terminal);
  const start = begin(paths, flags, options, program);
  if (start === undefined) return 2;
  // What is no file has no earlier contents, and its place says nothing about the paths.
  const previous = isWrittenInto(options.baseline) ? newBaseline(usualBaseline) : readBaseline(options.baseline);
  if ("problem" in previous && !previous.isMissing) {
    note(previous.problem);
    return 2;
  }
  const before = "problem" in previous ? newBaseline(options.baseline) : previous;
  const targets = start.findTargets();
  for (const problem of targets.problems) note(problem);
  const results = await checkAll(targets, start, options, program);
  // A baseline of only a part of the project would be incomplete.
  if (targets.problems.length > 0 || reportAside(results, {}, program.terminal)) {
    note(`'${options.baseline}' was not changed, because not everything could be checked`);
    return 2;
  }
  const text = baselineOf(results, before, (name) => statOf(name) !== undefined);
  const obstacle = writeText(options.baseline, text);
  if (obstacle !== undefined) {
    note(`'${options.baseline}' was not changed: ${obstacle}`);
    return 2;
  }
  const count = results.flatMap(({ files }) => files.flatMap(({ diagnostics }) => diagnostics)).length;
  note(`'${options.baseline}' accepts ${count} finding${count === 1 ? "" : "s"} of these files`);
  return 0;
}

/** Writes the results of checking these files, so that `link` on another machine need not check them again. */
export async function runSummarize(
  paths: readonly string[],
  flags: readonly string[] | undefined,
  options: ProjectFlags & EffortOptions & { readonly output: string },
  program: CommandLine,
): Promise<number> {
  const note = noteTo(program.terminal);
  const start = begin(paths, flags, options, program);
  if (start === undefined) return 2;
  const targets = start.findTargets();
  for (const problem of targets.problems) note(problem);
  const summaries = collectSummaries(storeFor(options, program));
  const results = await checkAll(targets, start, options, program, { store: summaries, program: nameOf(program) });
  const isIncomplete = reportAside(results, {}, program.terminal);
  if (targets.problems.length > 0 || isIncomplete) return 2;
  const obstacle = writeText(options.output, summaries.text());
  if (obstacle !== undefined) note(`'${options.output}' was not written: ${obstacle}`);
  return obstacle === undefined ? 0 : 2;
}

/** Reports the findings of checking the paths. Summaries that are still valid replace the check of a file. */
export async function runLink(
  summaries: readonly string[],
  flags: readonly string[] | undefined,
  options: CheckCommandOptions & { readonly path: readonly string[]; readonly asGiven?: true },
  program: CommandLine,
): Promise<number> {
  const start = begin(options.path, flags, options, program);
  if (start === undefined) return 2;
  const store = readSummaries(summaries, storeFor(options, program));
  if ("problem" in store) {
    noteTo(program.terminal)(store.problem);
    return 2;
  }
  const own = { store, program: nameOf(program), isTrusted: options.asGiven === true };
  return (await checkOnce(start, options, program, own)).code;
}

/** A path below the current folder relative to it. */
function shownName(path: string): string {
  return shownPath(nameOfPath(path));
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function storeFor({ cache }: EffortOptions, program: CommandLine): AnswerStore | undefined {
  return cache && program.cache !== undefined ? openStore(program.cache.folder) : undefined;
}

/** The name of the program in stored results. Two different programs do not use each other's results. */
function nameOf({ cache, version }: CommandLine): string {
  return cache?.program ?? version;
}

function noteTo(terminal: Terminal): (message: string) => void {
  return (message) => terminal.error(`gpu-qualifiers: ${message}\n`);
}

/** Reads the command line; undefined if it is wrong, which has been reported. */
function begin(
  paths: readonly string[],
  flags: readonly string[] | undefined,
  options: ProjectFlags & InputOptions & { readonly fix?: true; readonly watch?: true },
  program: CommandLine,
): Start | undefined {
  const note = noteTo(program.terminal);
  const read = readProjectOptions(options, flags);
  if (read.ignored.length > 0) note(`flags without an effect here: ${read.ignored.join(" ")}`);
  const wrongInput = problemWithInput(paths, options);
  const isInput = readsInput(paths, options);
  const wrong = [
    ...read.problems,
    ...(wrongInput === undefined ? [] : [wrongInput]),
    ...(isInput && options.fix === true ? ["--fix writes into files, and --stdin has none"] : []),
    ...(isInput && options.watch === true ? ["--watch waits for files to change, and --stdin has none"] : []),
    ...(options.fix === true && options.watch === true ? ["--fix and --watch exclude each other: fixes are changes, too"] : []),
  ];
  for (const problem of wrong) note(problem);
  if (wrong.length > 0) return undefined;
  if (!isInput) return { given: read.given, findTargets: () => findTargets(paths.length === 0 ? ["."] : paths) };
  const path = options.stdinFilename ?? "";
  const text = program.readInput().replace(/^\ufeff/, "");
  if (text.slice(0, 8_192).includes("\0")) {
    note("the text on standard input is binary; not checked");
    return undefined;
  }
  return {
    given: { ...read.given, unsaved: { name: nameOfPath(path), text } },
    findTargets: () => targetOfText(path),
  };
}

/** The exit code of a check, and the findings that it has shown, one a line. */
interface Round {
  readonly code: number;
  readonly lines: readonly string[];
}

async function checkOnce(start: Start, options: CheckCommandOptions, program: CommandLine, own?: OwnAnswers): Promise<Round> {
  const wrong: Round = { code: 2, lines: [] };
  const { terminal } = program;
  const { failOn } = options;
  const note = noteTo(terminal);
  // A finding that fails the run is always shown.
  const level = failOn !== "never" && isShown(options.level, failOn) ? failOn : options.level;
  const targets = start.findTargets();
  for (const problem of targets.problems) note(problem);
  if (targets.groups.length === 0) return wrong;

  const filters = filtersOf(targets, options);
  for (const problem of filters.problems) note(problem);
  if (filters.problems.length > 0) return wrong;
  // Nothing that an earlier run or another user has stored is written into files. The rounds share the results of this run.
  const answers = options.fix === true ? { store: collectSummaries(undefined), program: nameOf(program) } : own;
  if (options.cache && options.fix !== true && program.cache !== undefined && !isOwn(program.cache.folder))
    note(`the cache in ${quoted(program.cache.folder, longest)} is not used: other users can write there`);
  const check = async () => filters.apply(await checkAll(targets, start, options, program, answers));

  let found = await check();
  const written = new Set<string>();
  let fixed = 0;
  let losesAttributes = false;
  let unfixed: ReadonlyMap<string, string> = new Map();
  for (let round = 0; options.fix === true && round < maximalFixRounds; round++) {
    const fixes = writeFixes(found.results, level);
    unfixed = fixes.failed;
    if (fixes.written.length === 0) break;
    for (const name of fixes.written) written.add(name);
    fixed += fixes.count;
    losesAttributes ||= fixes.losesAttributes;
    found = await check();
  }
  const { results, gone } = found;
  if (options.fix === true) note(`fixed ${counted(fixed, "finding")} in ${counted(written.size, "file")}`);
  if (losesAttributes) note("these files have lost their extended attributes, if any: only the 'cp' of GNU coreutils could keep them");
  for (const [name, reason] of unfixed) note(`${quoted(shownPath(name), longest)} was not fixed: ${reason}`);
  if (gone > 0) {
    note(`${gone} finding${gone === 1 ? "" : "s"} of the baseline ${gone === 1 ? "is" : "are"} gone; 'baseline update' forgets them`);
  }
  const format = options.format ?? (terminal.isOutTerminal ? "pretty" : "text");
  const hasColors = options.color === "always" || (options.color === "auto" && terminal.hasColors);
  terminal.out(renderReport(results, { format, level, hasColors, version: program.version }));
  const obstacle = options.sarif === undefined ? undefined : writeSarif(options.sarif, results, { level, version: program.version });
  if (obstacle !== undefined) note(obstacle);
  const isIncomplete = reportAside(results, options, terminal);
  const unchecked = options.shard === undefined ? uncheckedFolders(targets, results) : [];
  const empty = unchecked.filter(({ excluded }) => excluded === 0);
  for (const { shown, excluded } of unchecked) {
    const where = quoted(shown, longest);
    note(
      excluded === 0
        ? `no CUDA, HIP or OpenCL file in ${where}`
        : `nothing checked in ${where}: the settings exclude ${excluded === 1 ? "its only file" : `all of its ${excluded} files`}`,
    );
  }
  const hasChecked = results.some(({ files }) => files.some(({ report }) => report.dialects.length > 0));
  if (format !== "pretty" && hasChecked) note(summaryOf(results, { format, level, hasColors: false, version: program.version }));
  const lines = findingLines(results, { level });
  if (targets.problems.length > 0 || isIncomplete || unfixed.size > 0 || empty.length > 0 || obstacle !== undefined)
    return { code: 2, lines };
  const isBad = ({ severity }: Diagnostic) => failOn !== "never" && isShown(severity, failOn);
  return { code: results.some(({ files }) => files.some(({ diagnostics }) => diagnostics.some(isBad))) ? 1 : 0, lines };
}

/** Writes the findings into a file, and returns the reason if that is not possible. */
function writeSarif(path: string, results: readonly CheckResult[], options: Pick<ReportOptions, "level" | "version">): string | undefined {
  const obstacle = writeText(path, renderReport(results, { ...options, format: "sarif", hasColors: false }));
  return obstacle === undefined ? undefined : `${quoted(path, longest)} was not written: ${obstacle}`;
}

async function checkAll(
  targets: Targets,
  { given }: Start,
  { jobs, cache: wantsCache, shard, fix: isFixing }: EffortOptions & { readonly fix?: true },
  program: CommandLine,
  own?: OwnAnswers,
): Promise<readonly CheckResult[]> {
  const parser = await program.loadParser();
  const progress = createProgress(program.terminal);
  const cache = wantsCache && isFixing !== true ? program.cache : undefined;
  let workers: Workers | undefined;
  const startWorkersFor = (files: number) => {
    const count = Math.min(jobs ?? usualJobs(files), files);
    if (count > 1) workers ??= startWorkers(program.script, count);
    return count > 1 ? workers : undefined;
  };
  const options = {
    parser,
    given,
    progress: progress.show,
    startWorkers: startWorkersFor,
    ...(cache === undefined ? {} : { cache }),
    ...(own === undefined ? {} : { own }),
    ...(shard === undefined ? {} : { shard }),
  };
  const results: CheckResult[] = [];
  try {
    for (const group of targets.groups) results.push(await checkGroup(group, options));
  } finally {
    progress.clear();
    await workers?.dispose();
  }
  if (cache !== undefined) pruneStore(cache.folder);
  return results;
}

/** Prints everything except findings to standard error. True if a settings file is wrong, or something was not checked. */
function reportAside(results: readonly CheckResult[], { verbose }: { readonly verbose?: true }, terminal: Terminal): boolean {
  const note = noteTo(terminal);
  let isIncomplete = false;
  for (const result of results) {
    const place = (uri: string, offset: number) => {
      const { line, column } = lineIndex(result.textOf(uri)).placeOf(offset);
      return `${printable(shownPath(uri))}:${line + 1}:${column + 1}`;
    };
    for (const { message, location } of result.settingsProblems) {
      isIncomplete = true;
      terminal.error(`${place(location.uri, location.span.start)}: error: ${printable(message)} [settings]\n`);
    }
    for (const { target, reason } of result.failed) {
      isIncomplete = true;
      note(`${quoted(target.shown, longest)} was not checked because ${reason}`);
    }
    for (const { shown, report } of result.files) {
      for (const limit of report.coverage.limits) {
        isIncomplete = true;
        note(`${quoted(shown, longest)}: ${limit}`);
      }
    }
    for (const { target, reason, isProblem } of result.skipped) {
      if (isProblem) isIncomplete = true;
      note(`${quoted(target.shown, longest)} ${reason}; not checked`);
    }
    if (verbose !== true) continue;
    for (const { shown, origin, report } of result.files) {
      const judgedBy = report.dialects.map(({ label }) => label).join(", ");
      note(`${printable(shown)}: ${judgedBy === "" ? "not judged" : judgedBy}; settings: ${printable(origin)}`);
      for (const { message, location } of detailsOf(report))
        terminal.error(`${place(location.uri, location.span.start)}: note: ${printable(message)}\n`);
    }
  }
  return isIncomplete;
}

/** The named folders in which no file was checked, and how many files the settings exclude there. An unreadable file counts as checked. */
function uncheckedFolders(
  { groups }: Targets,
  results: readonly CheckResult[],
): readonly { readonly shown: string; readonly excluded: number }[] {
  return groups.flatMap(({ folders }, index) => {
    const { files = [], failed = [], skipped = [], excluded = [] } = results[index] ?? {};
    const found = [
      ...files.filter(({ report }) => report.dialects.length > 0).map(({ name }) => name),
      ...[...failed, ...skipped].map(({ target }) => target.name),
    ];
    return folders
      .filter((folder) => !found.some((name) => isWithin(name, folder.name)))
      .map((folder) => ({ shown: folder.shown, excluded: excluded.filter((name) => isWithin(name, folder.name)).length }));
  });
}
