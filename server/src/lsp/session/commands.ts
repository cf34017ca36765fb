/**
 * Runs commands that an editor sends to the server: check the whole workspace, write a setting, show the text that the parser
 * reads, or the memory of kernels. They are ordinary commands of the protocol, so every client can use them.
 */
import type { CancellationToken, Connection, WorkDoneProgressReporter, WorkspaceEdit } from "vscode-languageserver";
import { joinedCoverage } from "../../diagnostics/coverage.ts";
import { coverageText } from "../../diagnostics/coverage-text.ts";
import { showView } from "../../editor/show-view.ts";
import { printable } from "../../printable.ts";
import { type LineIndex, lineIndex } from "../../project/lines.ts";
import { rules } from "../../rules/index.ts";
import { usualSeverity } from "../../rules/rule.ts";
import type { Converter } from "../protocol/convert.ts";
import { folderOfBuild, settingEdit } from "./code-actions.ts";
import { type MemoryContext, memoryAnswer } from "./memory-view.ts";

/** The commands that the server registers. */
export const serverCommands = [
  "gpu-qualifiers.checkWorkspace",
  "gpu-qualifiers.set",
  "gpu-qualifiers.showPreprocessed",
  "gpu-qualifiers.rules",
  "gpu-qualifiers.memory",
] as const;

/** The answer to `gpu-qualifiers.checkWorkspace`. */
export interface WorkspaceCheck {
  readonly files: number;
  readonly errors: number;
  readonly warnings: number;
  /** The number of infos, including hints. */
  readonly infos: number;
  /** How many kernels were checked, and why others were not. */
  readonly coverage: string;
  readonly isCancelled: boolean;
}

/** The dependencies of the commands. */
export interface CommandContext extends MemoryContext {
  readonly connection: Connection;
  readonly converter: Converter;
  readonly hasProgress: boolean;
  nameOf(uri: string): string;
  /** Called when every file has been checked. */
  workspaceChecked(): void;
}

/** Runs one command; undefined for an unknown one, or one with wrong arguments. */
export async function runCommand(command: string, [first]: readonly unknown[], context: CommandContext): Promise<unknown> {
  switch (command) {
    case "gpu-qualifiers.checkWorkspace":
      return checkWorkspace(context);
    case "gpu-qualifiers.set":
      return isSetting(first) ? setSetting(first, context) : undefined;
    case "gpu-qualifiers.showPreprocessed":
      return typeof first === "string" ? preprocessed(first, context) : undefined;
    case "gpu-qualifiers.rules":
      return rules.map(({ id, title, ...rule }) => ({ id, title, severity: usualSeverity(rule) }));
    case "gpu-qualifiers.memory":
      return memoryAnswer(context);
    default:
      return undefined;
  }
}

async function checkWorkspace({
  connection,
  token,
  workspace,
  hasProgress,
  workspaceChecked,
  log,
}: CommandContext): Promise<WorkspaceCheck> {
  const progress = hasProgress ? await connection.window.createWorkDoneProgress() : undefined;
  progress?.begin("Checking CUDA and OpenCL files", 0, undefined, true);
  const isCancelled = () => token.isCancellationRequested || progress?.token.isCancellationRequested === true;
  let files = 0;
  const cancelled = Promise.race([cancellationOf(token), ...(progress === undefined ? [] : [cancellationOf(progress.token)])]);
  const perProject = workspace.projects().map(async ({ sources, read }) => (await sources()).map((name) => ({ name, read })));
  const jobs = (await Promise.all(perProject)).flat();
  for (const { name, read } of jobs) {
    if (isCancelled()) break;
    report(progress, files, jobs.length, name);
    try {
      // A large file whose check has begun is not waited for.
      await Promise.race([read(name, "later"), cancelled]);
      if (!isCancelled()) files++;
    } catch (error) {
      log(name, error);
    }
  }
  progress?.done();
  workspaceChecked();
  const all = workspace.projects().flatMap(({ states }) => states().flatMap(({ diagnostics }) => diagnostics));
  const count = (wanted: string) => all.filter(({ severity }) => severity === wanted).length;
  const coverage = joinedCoverage(workspace.projects().flatMap(({ states }) => states().map(({ report }) => report.coverage)));
  return {
    files,
    errors: count("error"),
    warnings: count("warning"),
    infos: count("info") + count("hint"),
    coverage: coverageText(coverage),
    isCancelled: isCancelled(),
  };
}

function cancellationOf(token: CancellationToken): Promise<void> {
  return new Promise((resolve) => {
    if (token.isCancellationRequested) resolve();
    else token.onCancellationRequested(() => resolve());
  });
}

function report(progress: WorkDoneProgressReporter | undefined, done: number, total: number, name: string): void {
  progress?.report(Math.floor((100 * done) / total), `${done} of ${total}: ${printable(name.slice(name.lastIndexOf("/") + 1))}`);
}

interface Setting {
  /** The uri of any file in the folder whose settings are changed. */
  readonly uri: string;
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Changes a setting of the build; true if the client has applied the edit. */
async function setSetting({ uri, path, value }: Setting, { connection, workspace, converter, nameOf }: CommandContext): Promise<boolean> {
  const name = nameOf(uri);
  const { project } = workspace.projectOf(name);
  const folder = folderOfBuild(name, project.root, (other) => workspace.textOf(other));
  // JSON has no undefined, so null removes the setting.
  const place = { folder, path };
  const edit: WorkspaceEdit | undefined = settingEdit(place, value ?? undefined, {
    textOf: (other) => workspace.textOf(other),
    converter,
  });
  if (edit === undefined) return false;
  return (await connection.workspace.applyEdit({ label: `Set ${path.join(".")}`, edit })).applied;
}

async function preprocessed(uri: string, { workspace, nameOf }: CommandContext): Promise<string | undefined> {
  const name = nameOf(uri);
  const service = await workspace.projectOf(name).understand(name);
  const indexes = new Map<string, LineIndex>();
  const lineOf = (other: string, offset: number): number => {
    const index = indexes.get(other) ?? lineIndex(workspace.textOf(other) ?? "");
    indexes.set(other, index);
    return index.placeOf(offset).line + 1;
  };
  const views = service
    .parts(name)
    .map(({ file, locate }) =>
      showView(file, (uri, start) => {
        const place = locate({ uri, span: { start, end: start } });
        return lineOf(place.uri, place.span.start);
      }),
    )
    .filter((view) => view !== undefined);
  return views.length === 0 ? undefined : views.join("\n");
}

function isSetting(value: unknown): value is Setting {
  return (
    typeof value === "object" &&
    value !== null &&
    "uri" in value &&
    typeof value.uri === "string" &&
    "path" in value &&
    Array.isArray(value.path) &&
    value.path.every((key) => typeof key === "string") &&
    "value" in value
  );
}
