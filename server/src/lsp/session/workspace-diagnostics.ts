/**
 * Answers a request for the diagnostics of the whole workspace. That takes minutes for many files, so a client that accepts partial
 * results gets them in intervals.
 */
import type {
  CancellationToken,
  ResultProgressReporter,
  WorkspaceDiagnosticReport,
  WorkspaceDiagnosticReportPartialResult,
  WorkspaceDocumentDiagnosticReport,
} from "vscode-languageserver";
import type { FileState } from "../projects/file-states.ts";
import type { OpenProject } from "../projects/open-project.ts";
import type { Workspace } from "../projects/workspace.ts";
import type { LateProgress } from "../scheduling/late-progress.ts";
import type { TaskQueue } from "../scheduling/task-queue.ts";

/** Sends partial results. */
export type PartsOfAnswer = ResultProgressReporter<WorkspaceDiagnosticReportPartialResult>;

/** A client's request for the whole workspace. */
export interface WorkspaceRequest {
  /** The result ids that the client already has, by name. */
  readonly previousIds: ReadonlyMap<string, string>;
  readonly token: CancellationToken;
  /** Absent if the client accepts no partial results. */
  readonly partial: PartsOfAnswer | undefined;
}

/** The dependencies of the answer. */
export interface WorkspaceDiagnosticsContext {
  readonly workspace: Workspace;
  readonly queue: TaskQueue;
  readonly progress: LateProgress;
  /** The file's report, or «unchanged» if the client already has it. */
  report(name: string, state: FileState, previousId: string | undefined): WorkspaceDocumentDiagnosticReport;
  /** How many files of each folder are checked; all if undefined. */
  readonly limit: number | undefined;
  /** True for an open document, whose diagnostics are sent after each edit. */
  isOpen(name: string): boolean;
  /** Called when this many other files have been read, so that linked findings of open documents may change. */
  learned(files: number, milliseconds: number): void;
  log(name: string, error: unknown): void;
}

/** How often partial results are sent, in milliseconds. */
const partEvery = 2_000;

/** Checks every file of every folder, and reports each one when its check is complete. */
export async function workspaceDiagnostics(
  { previousIds, token, partial }: WorkspaceRequest,
  { workspace, queue, progress, report, limit, isOpen, learned, log }: WorkspaceDiagnosticsContext,
): Promise<WorkspaceDiagnosticReport> {
  const items: WorkspaceDocumentDiagnosticReport[] = [];
  const given = new Map(previousIds);
  const reported = new Set<string>();
  const add = async ({ check }: OpenProject, name: string): Promise<void> => {
    try {
      await queue.idle();
      const found = report(name, await check(name, "later"), given.get(name));
      if (reported.has(name) && found.kind === "unchanged") return;
      reported.add(name);
      if (found.resultId !== undefined) given.set(name, found.resultId);
      items.push(found);
    } catch (error) {
      log(name, error);
    }
  };
  const tell = () => {
    if (items.length > 0) partial?.report({ items: items.splice(0) });
  };

  const began = performance.now();
  let news = 0;
  for (const project of workspace.projects()) {
    const names = (await project.sources()).slice(0, limit);
    let lastTold = performance.now();
    let untold: string[] = [];
    const sign = progress.start();
    for (const [index, name] of names.entries()) {
      if (token.isCancellationRequested) break;
      sign.report(index, names.length);
      if (!isOpen(name) && !project.isKnown(name)) news += 1;
      await project.read(name, "later").catch((error: unknown) => log(name, error));
      untold.push(name);
      if (partial === undefined || performance.now() - lastTold < partEvery) continue;
      for (const each of untold) await add(project, each);
      tell();
      untold = [];
      lastTold = performance.now();
    }
    sign.end();
    // Findings of the link are known when all files have been read.
    for (const name of names) {
      if (token.isCancellationRequested) return { items };
      await add(project, name);
    }
    tell();
  }
  // In a browser, files are absent until they are fetched, so earlier answers about open documents may be obsolete.
  if (news > 0) learned(news, performance.now() - began);
  return { items };
}
