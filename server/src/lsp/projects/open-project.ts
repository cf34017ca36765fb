/**
 * One open project: its files with the open documents in them, its checks, and every result until it may have changed.
 * `workspace.ts` decides which projects are open.
 */
import type { CancellationToken } from "vscode-languageserver";
import type { TextDocument } from "vscode-languageserver-textdocument";
import type { Language } from "../../dialect.ts";
import { mayEmbed } from "../../embedded/embedded.ts";
import type { Diagnostic } from "../../finding.ts";
import { baseNameOf, isWithin } from "../../names.ts";
import { isChecked, isOfInterest, isScript, isSource } from "../../project/interest.ts";
import { type HostSettings, openProject, type Project } from "../../project/project.ts";
import type { FileReport, Service } from "../../service.ts";
import { isSettingsFile } from "../../settings/settings.ts";
import type { Files } from "../../source.ts";
import { type Steps, startingOver } from "../../steps.ts";
import type { SyntaxParser } from "../../syntax/parser.ts";
import { abandoned, type TaskQueue, type Urgency } from "../scheduling/task-queue.ts";
import { type FileState, none, rememberStates } from "./file-states.ts";
import type { HostFiles, Platform } from "./platform.ts";
import { rememberSources } from "./sources.ts";

/** A request that waits for a file. */
interface CheckRequest {
  readonly urgency: Urgency;
}

/** A project of an open folder, with its files. Work is abandoned when every request for it has been cancelled. */
export interface OpenProject {
  readonly project: Project;
  readonly files: Files;
  /** True once the project has been closed. Its work is abandoned, and it must not be used any more. */
  isClosed(): boolean;
  /** Checks the file unless nothing has changed since the last check; fetches files that the host has not read yet. */
  read(name: string, urgency: Urgency, token?: CancellationToken): Promise<FileReport>;
  /** Like `read`, with the linked findings of all checked files, which takes time if there are many. */
  check(name: string, urgency: Urgency, token?: CancellationToken): Promise<FileState>;
  /** What is known about an open document immediately after an edit; undefined if only a check can tell. */
  glance(name: string): FileState | undefined;
  /** What the first check of an open document has found so far. */
  foundSoFar(name: string): readonly Diagnostic[];
  /** Checks an open document again whose report is from before it was opened, so that its first edit gets a glance. */
  prepareGlance(name: string): Promise<void>;
  /** The service, after it has read the open file, so that its next answers about the file are immediate. */
  understand(name: string, token?: CancellationToken): Promise<Service>;
  /** Like `understand`, for requests that need facts and no units, which costs less. */
  judge(name: string, token?: CancellationToken): Promise<Service>;
  /** Runs work on the files that the host has read, in steps that let others take their turns. */
  inSteps<Result>(work: (service: Service, names: readonly string[]) => Steps<Result>, token?: CancellationToken): Promise<Result>;
  /** True if some source of the folder has not been read, because the client must be asked for it. */
  lacksFiles(): boolean;
  /** Reads the remaining sources. Searching and renaming a name need every file that may use it. */
  readRest(): Promise<void>;
  /** True if the file has been checked, and nothing has changed since that affects it. */
  isKnown(name: string): boolean;
  /** Declares that these are all the files that the link needs. Returns whether that is new. */
  setWhole(names: readonly string[] | undefined): boolean;
  /** The states of all checked files. */
  states(): readonly FileState[];
  /** Every file that is worth a check: CUDA and OpenCL sources, then hosts with device code in their literals. Reads many files. */
  sources(): Promise<readonly string[]>;
}

/** The project as its workspace sees it. */
export interface OwnedProject extends OpenProject {
  setHostSettings(settings: HostSettings): void;
  /** Files were edited, created, deleted or fetched. Returns the checked files whose answers may differ now. */
  changed(names: readonly string[], isOnDisk: boolean): readonly string[];
  /** Files or folders were changed, created, moved or deleted on disk. False if that cannot matter here. */
  changedOnDisk(names: readonly string[]): boolean;
  close(): void;
}

/** What opening a project needs. */
export interface ProjectContext {
  readonly platform: Platform;
  readonly parser: SyntaxParser;
  readonly queue: TaskQueue;
  documentOf(name: string): TextDocument | undefined;
  /** The names of all open documents. */
  documentNames(): readonly string[];
}

// The greatest number of rounds, each of which fetches one more level of nested includes.
const maximalRounds = 64;

/** Opens the project of a root. Nothing is read before the first request. */
export function openProjectIn(
  root: string,
  { platform, parser, queue, documentOf, documentNames }: ProjectContext,
  hostSettings: HostSettings,
): OwnedProject {
  const hostFiles: HostFiles = platform.openFiles(root, {
    isExcluded: (name) => project.settings.isExcluded(name),
    isTrusted: () => isTrusted,
  });
  const isOpen = (name: string) => documentOf(name) !== undefined;
  let isTrusted = hostSettings.isTrusted !== false;
  let isClosed = false;
  let listed: { readonly onDisk: readonly string[]; readonly unsaved: readonly string[]; readonly all: readonly string[] } | undefined;
  const files = {
    whyAbsent: (name: string) => hostFiles.whyAbsent?.(name),
    read: (name: string) => documentOf(name)?.getText() ?? hostFiles.read(name),
    list: () => {
      const onDisk = hostFiles.list();
      const unsaved = documentNames().filter((name) => isOfInterest(name) && isWithin(name, root) && hostFiles.read(name) === "absent");
      // Callers use the identity of this list as a cache key, so an equal list must be the same object.
      if (listed?.onDisk !== onDisk || listed.unsaved.join("\n") !== unsaved.join("\n"))
        listed = { onDisk, unsaved, all: unsaved.length === 0 ? onDisk : [...onDisk, ...unsaved] };
      return listed.all;
    },
  };
  const project = openProject({
    root,
    files,
    parser,
    ...hostSettings,
    flagsOrigin: "editor settings",
    isOpen,
    languageOf: (name) => languageOfId(documentOf(name)?.languageId),
    allow: (folder) => hostFiles.allow(folder),
  });
  const answers = platform.openAnswers?.(project, files);
  const reports = new Map<string, FileReport>();
  /** The last reports and links, which glances use until there are new ones. */
  const lastReports = new Map<string, FileReport>();
  let lastLinked: ReadonlyMap<string, readonly Diagnostic[]> | undefined;
  const stateOf = rememberStates();
  let linked: ReadonlyMap<string, readonly Diagnostic[]> | undefined;

  const sourcesIn = rememberSources(files, (name) => project.settings.of(name).language === "cuda");
  let linkable: readonly string[] | undefined;
  let wasWhole = false;
  const isWhole = () => linkable?.every((name) => reports.has(name)) === true;
  const link = () => {
    wasWhole = isWhole();
    lastLinked = project.service().link(wasWhole);
    return lastLinked;
  };
  const inSteps = <Result>(
    name: string,
    urgency: () => Urgency,
    isWanted: () => boolean,
    start: (service: Service) => Steps<Result>,
  ): Promise<Result> =>
    queue.run(
      name,
      urgency,
      startingOver(
        () => start(project.service()),
        () => project.service(),
      ),
      () => !isClosed && isWanted(),
    );
  /** Takes a stored result for a file that is not open, and stores new results. A file that is opened meanwhile is read by pieces. */
  const checkOrTake = (service: Service, name: string): Steps<FileReport> => {
    const steps = function* (): Steps<FileReport> {
      if (isOpen(name)) return yield* service.checkInSteps(name);
      yield;
      const known = answers?.find(name);
      if (known !== undefined) {
        service.addCheck(known);
        return known.report;
      }
      const report = yield* service.checkInSteps(name);
      answers?.keep(service.checkInBatch(name));
      return report;
    };
    return startingOver(steps, () => isOpen(name));
  };
  const readAnew = async (name: string, requests: ReadonlySet<CheckRequest>): Promise<FileReport> => {
    const urgency = (): Urgency => {
      for (const request of requests) if (request.urgency === "now") return "now";
      return "later";
    };
    for (let round = 0; ; round++) {
      const report = await inSteps(
        name,
        urgency,
        () => requests.size > 0,
        (service) => checkOrTake(service, name),
      );
      const unread = [...report.unread, ...project.settings.unread()];
      if (unread.length === 0 || round === maximalRounds) {
        linked = undefined;
        reports.set(name, report);
        if (documentOf(name) === undefined) lastReports.delete(name);
        else lastReports.set(name, report);
        return report;
      }
      await hostFiles.fetch(unread);
      project.changed(unread);
      answers?.changed();
    }
  };
  const running = new Map<string, { readonly requests: Set<CheckRequest>; readonly report: Promise<FileReport> }>();
  const begin = (name: string) => {
    const requests = new Set<CheckRequest>();
    const check = { requests, report: readAnew(name, requests).finally(() => running.delete(name)) };
    running.set(name, check);
    return check;
  };
  const read = async (name: string, urgency: Urgency, token?: CancellationToken): Promise<FileReport> => {
    const known = reports.get(name);
    if (known !== undefined && project.settings.unread().length === 0) return known;
    const { requests, report } = running.get(name) ?? begin(name);
    const request = { urgency };
    requests.add(request);
    const listener = token?.onCancellationRequested(() => requests.delete(request));
    try {
      return await report;
    } catch (error) {
      // The other requests for the file were cancelled just before this one arrived.
      if (error === abandoned && token?.isCancellationRequested !== true) return await read(name, urgency, token);
      throw error;
    } finally {
      listener?.dispose();
    }
  };

  const prepared = async (name: string, prepare: (service: Service) => Steps<void>, token?: CancellationToken): Promise<Service> => {
    const isWanted = () => token?.isCancellationRequested !== true;
    await read(name, "now", token);
    await inSteps(name, () => "now", isWanted, prepare);
    return project.service();
  };
  const mayMatter = (name: string): boolean =>
    isOfInterest(name) ||
    isSettingsFile(name) ||
    baseNameOf(name) === ".gitignore" ||
    project.settings.hasRead(name) ||
    project.settings.unread().includes(name);
  const changed = (names: readonly string[], isOnDisk: boolean): readonly string[] => {
    if (isOnDisk) hostFiles.changed(names);
    const invalidated = project.changed(names);
    answers?.changed();
    const stale = invalidated === "everything" ? [...reports.keys()] : [...names, ...invalidated];
    for (const name of stale) reports.delete(name);
    for (const name of names) if (documentOf(name) === undefined) lastReports.delete(name);
    return stale;
  };

  /** Fetches the listed files that are wanted and that the host has not read yet, `most` of them at most. */
  const fetchListed = async (isWanted: (name: string) => boolean, most: number): Promise<void> => {
    // In a host that has to fetch its list of files, the list arrives with the first files.
    await hostFiles.fetch([]);
    const unread = new Set(hostFiles.unread?.());
    const missing =
      unread.size === 0
        ? []
        : hostFiles
            .list()
            .filter(isWanted)
            .slice(0, most)
            .filter((name) => unread.has(name));
    if (missing.length === 0) return;
    await hostFiles.fetch(missing);
    changed(missing, false);
  };

  return {
    project,
    files,
    read,
    inSteps: <Result>(work: (service: Service, names: readonly string[]) => Steps<Result>, token?: CancellationToken): Promise<Result> =>
      inSteps(
        "",
        () => "now",
        () => token?.isCancellationRequested !== true,
        (service) => work(service, files.list()),
      ),
    lacksFiles: () => hostFiles.unread !== undefined && hostFiles.unread()?.some(mayUseNames) !== false,
    async readRest(): Promise<void> {
      if (hostFiles.unread !== undefined) await fetchListed(mayUseNames, Number.POSITIVE_INFINITY);
    },
    isKnown: (name: string) => reports.has(name),
    setWhole(names: readonly string[] | undefined): boolean {
      const before = wasWhole;
      linkable = names;
      if (before === isWhole()) return false;
      linked = undefined;
      return true;
    },
    // A short document is checked completely before the user could read a part of its findings.
    foundSoFar: (name: string) => ((documentOf(name)?.getText().length ?? 0) < shortest ? none : project.service().foundSoFar(name)),
    glance(name: string): FileState | undefined {
      const last = lastReports.get(name);
      const found = last === undefined ? undefined : project.service().glance(name, lastLinked?.get(name) ?? none);
      if (last === undefined || found === undefined) return undefined;
      return { report: { ...last, diagnostics: found.diagnostics, itemStarts: found.itemStarts }, diagnostics: found.diagnostics };
    },
    async prepareGlance(name: string): Promise<void> {
      const known = reports.get(name);
      if (known === undefined || lastReports.has(name) || documentOf(name) === undefined) return;
      try {
        await inSteps(
          name,
          () => "later",
          () => reports.get(name) === known,
          (service) => service.prepareGlance(name),
        );
        if (reports.get(name) === known) lastReports.set(name, known);
      } catch (error) {
        if (error !== abandoned) throw error;
      }
    },
    understand: (name: string, token?: CancellationToken) => prepared(name, (service) => service.readInSteps(name), token),
    judge: (name: string, token?: CancellationToken) => prepared(name, (service) => service.factsInSteps(name), token),
    async check(name: string, urgency: Urgency, token?: CancellationToken): Promise<FileState> {
      const report = await read(name, urgency, token);
      linked ??= link();
      return stateOf(name, report, linked);
    },
    states() {
      linked ??= link();
      return [...reports].map(([name, report]) => stateOf(name, report, linked));
    },
    async sources() {
      // Only its text tells whether a host has device code. Fetching all of a large workspace would take too long.
      await fetchListed((name) => mayEmbed(name) && !isChecked(name), platform.backgroundLimit);
      return queue.run("", () => "later", sourcesIn(files.list()));
    },
    setHostSettings(changed: HostSettings) {
      isTrusted = changed.isTrusted !== false;
      project.setHostSettings(changed);
      answers?.changed();
      reports.clear();
    },
    changed,
    changedOnDisk(names: readonly string[]): boolean {
      const { folders, files: inside } = hostFiles.changedFolders(names.filter((name) => isWithin(name, root) || isWithin(root, name)));
      const own = names.filter((name) => !folders.has(name) && mayMatter(name));
      const all = [...new Set([...own, ...inside])];
      if (all.length > 0) changed(all, true);
      return all.length > 0;
    },
    isClosed: () => isClosed,
    close(): void {
      isClosed = true;
      project.dispose();
    },
  };
}

/** The length in characters from which the first check of a document shows what it has found so far, about three hundred lines. */
const shortest = 10_000;

/** The language for an editor's language id. The id decides for documents whose name does not. */
function languageOfId(id: string | undefined): Language | undefined {
  if (id === undefined) return undefined;
  if (/^opencl/i.test(id)) return "opencl";
  return /^(cuda|hip)/i.test(id) ? "cuda" : undefined;
}

/** True for files in which a search for a name looks. */
function mayUseNames(name: string): boolean {
  return isSource(name) || isScript(name);
}
