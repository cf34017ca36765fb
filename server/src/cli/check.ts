/**
 * Runs a check: it opens a project for each group of targets, passes every file to the project's service, and returns the
 * diagnostics in the order in which they are printed. It knows neither formats nor exit codes.
 */
import { existsSync } from "node:fs";
import type { Diagnostic } from "../finding.ts";
import { isWithin } from "../names.ts";
import { repositoryOf } from "../node/node-files.ts";
import { pathOfName } from "../node/node-names.ts";
import { isHeader } from "../project/interest.ts";
import { inOrder } from "../project/order.ts";
import { withinReach } from "../project/reached.ts";
import type { FileReport, Service } from "../service.ts";
import type { LocatedProblem } from "../settings/problems.ts";
import { textOf } from "../source.ts";
import type { SyntaxParser } from "../syntax/parser.ts";
import {
  type CacheLocation,
  type FileChecker,
  type Outcome,
  type OwnAnswers,
  openFileChecker,
  type ProjectGiven,
  type ProjectJob,
} from "./file-checker.ts";
import { inShard, type Shard } from "./shards.ts";
import { shownIn, shownPath, type Target, type TargetGroup } from "./targets.ts";
import type { Workers } from "./workers.ts";

/** A checked file with the diagnostics to show. */
export interface FileResult extends Target {
  readonly diagnostics: readonly Diagnostic[];
  readonly report: FileReport;
  /** Where the compile settings came from. */
  readonly origin: string;
}

/** A file that was left out, and why. */
export interface SkippedFile {
  readonly target: Target;
  readonly reason: string;
  /** True if the user named this file itself and it cannot be read. */
  readonly isProblem: boolean;
}

/** The result of one `check`. */
export interface CheckResult {
  /** The project's folder. */
  readonly root: string;
  /** The folder is the root of a git work tree. */
  readonly isRepository: boolean;
  readonly files: readonly FileResult[];
  readonly skipped: readonly SkippedFile[];
  /** Files in named folders that the settings exclude. */
  readonly excluded: readonly string[];
  /** Files whose check failed with an internal error, and the error. */
  readonly failed: readonly { readonly target: Target; readonly reason: string }[];
  readonly settingsProblems: readonly LocatedProblem[];
  /** The text of a file that a diagnostic refers to. */
  textOf(name: string): string;
}

/** The inputs of one `check`. */
export interface CheckOptions {
  readonly parser: SyntaxParser;
  /** What the command line adds to the project's settings. */
  readonly given: ProjectGiven;
  /** Where results are kept from one run to the next; absent if they are not kept. */
  readonly cache?: CacheLocation;
  /** Results in addition to the cached ones, such as summaries from other machines. New results are stored here too. */
  readonly own?: OwnAnswers;
  /** Restricts the check to some of the files. */
  readonly shard?: Shard;
  /** Starts threads for this many files; undefined if they are checked in this thread. */
  startWorkers(files: number): Workers | undefined;
  progress(done: number, total: number, shown: string): void;
}

const neitherLanguage = "is neither CUDA nor OpenCL by its name or contents; say which with '-- -x cu' or '-- -x cl'";

/** Checks every target of a group, and the headers in its folders that the targets include. */
export async function checkGroup(group: TargetGroup, options: CheckOptions): Promise<CheckResult> {
  const { given, cache } = options;
  const job: ProjectJob = { ...given, project: group.project, ...(cache === undefined ? {} : { cache }) };
  // The named sources that include a file, for files of the project that nobody named: a mistake there is a mistake in those programs.
  const reached = new Map<string, string[]>();
  const checker = openFileChecker(job, options.parser, options.own, (name) => reached.get(name));
  const { project, files } = checker;
  const checks = new Map<string, { readonly target: Target; readonly report: FileReport }>();
  const skipped: SkippedFile[] = [];
  const failed: { target: Target; reason: string }[] = [];

  // A file that the user names is checked even if it is excluded.
  const isNamed = ({ name }: Target) => !reached.has(name) && !group.folders.some((folder) => isWithin(name, folder.name));

  const checkAll = async (targets: readonly Target[], before: number, isAlone = false): Promise<void> => {
    const progress = (done: number) => options.progress(before + done, before + targets.length, targets[done]?.shown ?? "");
    const outcomes = await outcomesOf(
      checker,
      job,
      targets.map(({ name }) => name),
      // Other threads do not know which programs are meant, and would read the source again.
      isAlone ? {} : options,
      progress,
    );
    for (const [i, outcome] of outcomes.entries()) {
      const target = targets[i] as Target;
      if (outcome.kind === "absent")
        skipped.push({ target, reason: outcome.reason, isProblem: isNamed(target) || isTooLarge(outcome.reason) });
      else if (outcome.kind === "failed") failed.push({ target, reason: outcome.reason });
      else checks.set(target.name, { target, report: outcome.check.report });
    }
  };

  const wanted = group.targets.filter((target) => isNamed(target) || !project.settings.isExcluded(target.name));
  const chosen = options.shard === undefined ? wanted : inShard(wanted, options.shard);
  await checkAll(chosen, 0);
  const headers = new Map<string, Target>();
  const includers = new Map<string, string[]>();
  for (const { target, report } of checks.values()) {
    // A host source in a folder may contain only parts of kernels.
    if (report.dialects.length === 0 && isNamed(target)) skipped.push({ target, reason: neitherLanguage, isProblem: false });
    for (const name of report.dependencies) {
      if (checks.has(name) || project.settings.isExcluded(name)) continue;
      const folder = group.folders.find((candidate) => isWithin(name, candidate.name));
      if (folder !== undefined && isHeader(name)) headers.set(name, { name, shown: shownIn(name, folder) });
      if (folder === undefined && isNamed(target) && isWithin(name, project.root))
        includers.set(name, [...(includers.get(name) ?? []), target.name]);
    }
  }
  const isOthers = othersHeaders(wanted, chosen);
  const own = [...headers.values()].filter(({ name }) => options.shard === undefined || !isOthers(name, project.service()));
  await checkAll(own, chosen.length);
  for (const name of withinReach([...includers.keys()], (each) => textOf(files, each).length)) reached.set(name, includers.get(name) ?? []);
  const left = includers.size - reached.size;
  const [source] = chosen.filter(isNamed);
  if (left > 0 && source !== undefined)
    skipped.push({
      target: source,
      reason: `includes ${left} more ${left === 1 ? "file" : "files"}, which a check of the folder covers`,
      isProblem: false,
    });
  const included = [...reached.keys()].map((name) => ({ name, shown: shownPath(name) }));
  await checkAll(included, chosen.length + own.length, true);

  const isWhole = options.shard === undefined && failed.length === 0 && group.folders.some(({ name }) => isWithin(project.root, name));
  const linked = project.service().link(isWhole);
  const checked = [...checks.values()].map(({ target, report }) => ({
    ...target,
    report,
    diagnostics: inOrder([...report.diagnostics, ...(linked.get(target.name) ?? [])]).map((each) =>
      // Only files that the user names are changed.
      reached.has(target.name) ? { ...each, fixes: [] } : each,
    ),
    origin: project.settings.of(target.name).origin,
  }));
  // The text may have been read before the file was deleted, so the disk is asked.
  const isGone = ({ name, report, diagnostics }: FileResult): boolean =>
    diagnostics.length + report.notes.length > 0 && name !== given.unsaved?.name && !existsSync(pathOfName(name) ?? "");
  const result = checked.filter((file) => !isGone(file));
  for (const target of checked)
    if (isGone(target)) skipped.push({ target, reason: "was deleted during the check", isProblem: isNamed(target) });
  const texts = new Map<string, string>();
  for (const name of placesIn(result)) texts.set(name, textOf(files, name));
  const settingsProblems = project.settings.problems();
  for (const { location } of settingsProblems) texts.set(location.uri, textOf(files, location.uri));
  const { settingsFile } = options.given;
  if (settingsFile !== undefined) texts.set(settingsFile.name, settingsFile.text);
  project.dispose();
  const { root } = project;
  const isRepository = repositoryOf(root) === root;
  const kept = new Set(wanted);
  const excluded = group.targets.filter((target) => !kept.has(target)).map(({ name }) => name);
  return { root, isRepository, files: result, skipped, excluded, failed, settingsProblems, textOf: (name) => texts.get(name) ?? "" };
}

/**
 * True for headers that belong to other shards. A header belongs to the shard of the first source that includes it, or to every
 * shard if no source does.
 */
function othersHeaders(all: readonly Target[], chosen: readonly Target[]): (name: string, service: Service) => boolean {
  const ours = new Set(chosen.map(({ name }) => name));
  const others = new Set(all.map(({ name }) => name).filter((name) => !ours.has(name)));
  return (name, service) => {
    const [first] = service.questions.candidatesOf(name);
    return others.has(name) || (first !== undefined && others.has(first));
  };
}

/** The outcomes in the order of the names, whatever the order of the checks. Afterwards the checker's own service knows all of them. */
async function outcomesOf(
  checker: FileChecker,
  job: ProjectJob,
  names: readonly string[],
  { startWorkers, own }: Partial<Pick<CheckOptions, "startWorkers" | "own">>,
  progress: (done: number) => void,
): Promise<readonly Outcome[]> {
  const known = new Map<string, Outcome>();
  for (const name of names) {
    const check = checker.known(name);
    if (check === undefined) continue;
    known.set(name, { kind: "checked", check });
    progress(known.size);
  }
  const rest = byUnit(
    names.filter((name) => !known.has(name)),
    checker.project.service(),
  );
  const workers = startWorkers?.(rest.length);
  const done = (count: number) => progress(known.size + count);
  const found = workers === undefined ? checker.checkAll(rest, done) : await workers.check(job, rest, done);
  const fresh = new Map(rest.map((name, i) => [name, found[i]]));
  const outcomes = names.flatMap((name) => known.get(name) ?? fresh.get(name) ?? []);
  for (const outcome of outcomes) if (outcome.kind === "checked") checker.project.service().addCheck(outcome.check);
  // Worker threads have stored their results only on disk.
  if (workers !== undefined && own !== undefined) for (const outcome of found) if (outcome.kind === "checked") checker.keep(outcome.check);
  return outcomes;
}

/**
 * The names in an order in which files that are read in the same translation unit follow each other, because a thread reads the
 * unit once for all of them. Other files stay where they are.
 */
function byUnit(names: readonly string[], service: Service): readonly string[] {
  if (names.length < 2) return names;
  const units = new Map<string, string[]>();
  for (const name of names) {
    const [unit = name] = service.questions.candidatesOf(name);
    const others = units.get(unit);
    if (others === undefined) units.set(unit, [name]);
    else others.push(name);
  }
  return [...units.values()].flat();
}

/** True for the reason of a file that exceeds a limit, which the user has to know; other unreadable files have no device code. */
function isTooLarge(reason: string): boolean {
  return reason.startsWith("is larger than");
}

function placesIn(files: readonly FileResult[]): Iterable<string> {
  const names = new Set<string>();
  for (const { diagnostics, report } of files) {
    const { coverage, understanding } = report;
    for (const { location } of [...report.notes, ...report.inactiveBranches, ...coverage.unknownTypes]) names.add(location.uri);
    for (const { uri } of understanding.parseErrors) names.add(uri);
    for (const { location, related, fixes } of diagnostics) {
      names.add(location.uri);
      for (const place of related) names.add(place.location.uri);
      for (const { edits } of fixes) for (const edit of edits) names.add(edit.location.uri);
    }
  }
  return names;
}
