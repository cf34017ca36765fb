/**
 * The check itself: opens a project per group of targets, asks its service about every file, and gives the diagnostics in
 * the order in which they are printed. Knows neither formats nor exit codes.
 */
import type { Diagnostic } from "../finding.ts";
import { isHeader } from "../host/interest.ts";
import { inOrder } from "../host/order.ts";
import { isWithin } from "../names.ts";
import type { FileReport } from "../service.ts";
import type { SyntaxParser } from "../syntax/parser.ts";
import type { FlagSettings } from "../workspace/compiler-flags.ts";
import type { LocatedProblem } from "../workspace/settings.ts";
import { type FileChecker, type Outcome, openFileChecker, type ProjectJob } from "./file-checker.ts";
import { shownIn, type Target, type TargetGroup } from "./targets.ts";
import type { Workers } from "./workers.ts";

export interface CheckedFile extends Target {
  readonly diagnostics: readonly Diagnostic[];
  readonly report: FileReport;
  /** Where the compile settings came from. */
  readonly origin: string;
}

/** A file that was left out, and why. */
export interface SkippedFile {
  readonly target: Target;
  readonly reason: string;
  /** True where somebody asked for this very file, and it cannot be read. */
  readonly isProblem: boolean;
}

export interface CheckResult {
  /** The project's folder. */
  readonly root: string;
  readonly files: readonly CheckedFile[];
  readonly skipped: readonly SkippedFile[];
  /** Files on which the check itself failed, and because of what. */
  readonly failed: readonly { readonly target: Target; readonly reason: string }[];
  readonly settingsProblems: readonly LocatedProblem[];
  /** The text of any file that a diagnostic points to. */
  textOf(name: string): string;
}

export interface CheckOptions {
  readonly parser: SyntaxParser;
  /** Of the command line; absent where it has none. */
  readonly flags?: FlagSettings;
  /** Absent where everything is checked in this thread. */
  readonly workers?: Workers;
  progress(done: number, total: number, shown: string): void;
}

const neitherLanguage = "is neither CUDA nor OpenCL by its name or contents; say which with '-- -x cu' or '-- -x cl'";

/** Checks every target of a group, and the headers of its folders that those include. */
export async function checkGroup(group: TargetGroup, options: CheckOptions): Promise<CheckResult> {
  const job: ProjectJob = { project: group.project, ...(options.flags === undefined ? {} : { flags: options.flags }) };
  const checker = openFileChecker(job, options.parser);
  const { project, files } = checker;
  const learnt = new Map<string, { readonly target: Target; readonly report: FileReport }>();
  const skipped: SkippedFile[] = [];
  const failed: { target: Target; reason: string }[] = [];

  // Whoever names one file wants it checked, excluded or not.
  const isNamed = ({ name }: Target) => !group.folders.some((folder) => isWithin(name, folder.name));

  const checkAll = async (targets: readonly Target[], before: number): Promise<void> => {
    const progress = (done: number) => options.progress(before + done, before + targets.length, targets[done]?.shown ?? "");
    const outcomes = await outcomesOf(
      checker,
      job,
      targets.map(({ name }) => name),
      options.workers,
      progress,
    );
    for (const [i, outcome] of outcomes.entries()) {
      const target = targets[i] as Target;
      if (outcome.kind === "absent") skipped.push({ target, reason: outcome.reason, isProblem: isNamed(target) });
      else if (outcome.kind === "failed") failed.push({ target, reason: outcome.reason });
      else learnt.set(target.name, { target, report: outcome.learnt.report });
    }
  };

  const wanted = group.targets.filter((target) => isNamed(target) || !project.settings.isExcluded(target.name));
  await checkAll(wanted, 0);
  const headers = new Map<string, Target>();
  for (const { target, report } of learnt.values()) {
    // A host source of a folder may turn out to hold nothing but parts of kernels.
    if (report.dialects.length === 0 && isNamed(target)) skipped.push({ target, reason: neitherLanguage, isProblem: false });
    for (const name of report.dependencies) {
      const folder = group.folders.find((candidate) => isWithin(name, candidate.name));
      if (folder !== undefined && isHeader(name) && !learnt.has(name) && !project.settings.isExcluded(name))
        headers.set(name, { name, shown: shownIn(name, folder) });
    }
  }
  await checkAll([...headers.values()], wanted.length);

  const isWhole = failed.length === 0 && group.folders.some(({ name }) => isWithin(project.root, name));
  const linked = project.service().link(isWhole);
  const result = [...learnt.values()].map(({ target, report }) => ({
    ...target,
    report,
    diagnostics: inOrder([...report.diagnostics, ...(linked.get(target.name) ?? [])]),
    origin: project.settings.of(target.name).origin,
  }));
  const texts = new Map<string, string>();
  for (const name of placesIn(result)) texts.set(name, textOf(files.read(name)));
  const settingsProblems = project.settings.problems();
  for (const { location } of settingsProblems) texts.set(location.uri, textOf(files.read(location.uri)));
  project.dispose();
  return { root: project.root, files: result, skipped, failed, settingsProblems, textOf: (name) => texts.get(name) ?? "" };
}

/** In the order of the names, whoever checked them; the checker's own service knows of all afterwards. */
async function outcomesOf(
  checker: FileChecker,
  job: ProjectJob,
  names: readonly string[],
  workers: Workers | undefined,
  progress: (done: number) => void,
): Promise<readonly Outcome[]> {
  if (workers === undefined) {
    return names.map((name, i) => {
      progress(i);
      return checker.check(name);
    });
  }
  const outcomes = await workers.check(job, names, progress);
  for (const outcome of outcomes) if (outcome.kind === "checked") checker.project.service().adopt(outcome.learnt);
  return outcomes;
}

function textOf(text: string): string {
  return text === "absent" || text === "unread" ? "" : text;
}

function placesIn(files: readonly CheckedFile[]): Iterable<string> {
  const names = new Set<string>();
  for (const { diagnostics, report } of files) {
    for (const { location } of report.notes) names.add(location.uri);
    for (const { location, related, fixes } of diagnostics) {
      names.add(location.uri);
      for (const place of related) names.add(place.location.uri);
      for (const { edits } of fixes) for (const edit of edits) names.add(edit.location.uri);
    }
  }
  return names;
}
