/**
 * The check itself: opens a project per group of targets, asks its service about every file, and gives the diagnostics in
 * the order in which they are printed. Knows neither formats nor exit codes.
 */
import type { Diagnostic } from "../finding.ts";
import { isHeader } from "../host/interest.ts";
import { createNodeFiles } from "../host/node-files.ts";
import { inOrder } from "../host/order.ts";
import { openProject } from "../host/project.ts";
import type { FileReport } from "../service.ts";
import type { SyntaxParser } from "../syntax/parser.ts";
import type { FlagSettings } from "../workspace/compiler-flags.ts";
import { isWithin } from "../workspace/names.ts";
import type { LocatedProblem } from "../workspace/settings.ts";
import { type Target, type TargetGroup, shownIn } from "./targets.ts";

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
  /** Files on which the check itself failed: our mistake, and no reason to say nothing about the others. */
  readonly failed: readonly { readonly target: Target; readonly error: unknown }[];
  readonly settingsProblems: readonly LocatedProblem[];
  /** The text of any file that a diagnostic points to. */
  textOf(name: string): string;
}

export interface CheckOptions {
  readonly parser: SyntaxParser;
  readonly flags: FlagSettings;
  /** True where the command line has flags at all, so that settings name it as an origin only then. */
  readonly hasFlags: boolean;
  progress(done: number, total: number, shown: string): void;
}

// A folder that nothing marks as a project is searched for headers, but not a whole disk below it.
const filesOutsideProjects = 2_000;

const neitherLanguage = "is neither CUDA nor OpenCL by its name or contents; say which with '-- -x cu' or '-- -x cl'";

export function checkGroup(group: TargetGroup, options: CheckOptions): CheckResult {
  const { root, isProject } = group.project;
  const files = createNodeFiles({
    root,
    ...(isProject ? {} : { maximalCount: filesOutsideProjects }),
    isExcluded: (name) => project.settings.isExcluded(name),
  });
  const project = openProject({
    root,
    files,
    parser: options.parser,
    ...(options.hasFlags ? { flags: options.flags } : {}),
    allow: (folder) => files.allow(folder),
  });
  const service = project.service();
  const reports = new Map<string, { target: Target; report: FileReport }>();
  const skipped: SkippedFile[] = [];
  const failed: { target: Target; error: unknown }[] = [];

  // Whoever names one file wants it checked, excluded or not.
  const isNamed = ({ name }: Target) => !group.folders.some((folder) => isWithin(name, folder.name));
  const check = (target: Target, done: number, total: number): FileReport | undefined => {
    options.progress(done, total, target.shown);
    if (files.read(target.name) === "absent") {
      skipped.push({ target, reason: files.whyAbsent(target.name) ?? "cannot be read", isProblem: isNamed(target) });
      return undefined;
    }
    let report: FileReport;
    try {
      report = service.check(target.name);
    } catch (error) {
      failed.push({ target, error });
      return undefined;
    }
    reports.set(target.name, { target, report });
    return report;
  };

  const wanted = group.targets.filter((target) => isNamed(target) || !project.settings.isExcluded(target.name));
  const headers = new Map<string, Target>();
  wanted.forEach((target, i) => {
    const report = check(target, i, wanted.length);
    // A host source of a folder may turn out to hold nothing but parts of kernels.
    if (report?.dialects.length === 0 && isNamed(target)) skipped.push({ target, reason: neitherLanguage, isProblem: false });
    for (const name of report?.dependencies ?? []) {
      const folder = group.folders.find((candidate) => isWithin(name, candidate.name));
      if (folder !== undefined && isHeader(name) && !project.settings.isExcluded(name)) headers.set(name, { name, shown: shownIn(name, folder) });
    }
  });
  const more = [...headers.values()].filter(({ name }) => !reports.has(name));
  more.forEach((target, i) => void check(target, wanted.length + i, wanted.length + more.length));

  const linked = service.link();
  const result = [...reports.values()].map(({ target, report }) => ({
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
  return { root, files: result, skipped, failed, settingsProblems, textOf: (name) => texts.get(name) ?? "" };
}

function textOf(text: string): string {
  return text === "absent" || text === "unread" ? "" : text;
}

function placesIn(files: readonly CheckedFile[]): Iterable<string> {
  const names = new Set<string>();
  for (const { name, diagnostics, report } of files) {
    names.add(name);
    for (const { location } of report.notes) names.add(location.uri);
    for (const { location, related, fixes } of diagnostics) {
      names.add(location.uri);
      for (const place of related) names.add(place.location.uri);
      for (const { edits } of fixes) for (const edit of edits) names.add(edit.location.uri);
    }
  }
  return names;
}
