/**
 * The projects of a session: one per folder that the client has opened, and one per root of a file outside of those. Open
 * documents hide what is on the disk. Checks run here, and everything that was found is kept until it may be different.
 */
import type { TextDocument } from "vscode-languageserver-textdocument";
import { mayEmbed } from "../embedded/embedded.ts";
import type { Diagnostic } from "../finding.ts";
import { isChecked, isOfInterest } from "../host/interest.ts";
import { inOrder } from "../host/order.ts";
import { type HostSettings, openProject, type Project } from "../host/project.ts";
import { baseNameOf, foldersUpTo, isWithin } from "../names.ts";
import type { FileReport, Service } from "../service.ts";
import type { Files } from "../source.ts";
import { type Steps, startingOver } from "../steps.ts";
import type { SyntaxParser } from "../syntax/parser.ts";
import { hasDeviceCode } from "../workspace/languages.ts";
import { isSettingsFile } from "../workspace/settings.ts";
import type { HostFiles, Platform } from "./platform.ts";
import type { Turns, Urgency } from "./turns.ts";

/** What is known of one file at the moment. */
export interface FileState {
  readonly report: FileReport;
  /** The report's diagnostics and those of the link, by position. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface OpenProject {
  readonly project: Project;
  readonly files: Files;
  /** Checks the file unless nothing has changed since, fetching what the host has not read yet. */
  read(name: string, urgency: Urgency): Promise<FileReport>;
  /** The same, with what all files that were checked say about it together: that takes time where there are many. */
  check(name: string, urgency: Urgency): Promise<FileState>;
  /** The service, which has just read the open file: what it is asked about that at once, it answers at once. */
  understand(name: string): Promise<Service>;
  /** It has been checked, and nothing has changed since that matters to it. */
  isKnown(name: string): boolean;
  /** These are all the files that the link has to see. Returns whether that is new. */
  setWhole(names: readonly string[] | undefined): boolean;
  /** What is known of every checked file. */
  states(): readonly FileState[];
  /** Every file that is worth a check: CUDA and OpenCL sources, then hosts with device code in their literals. Looks into many. */
  sources(): Promise<readonly string[]>;
}

export interface Workspace {
  projectOf(name: string): OpenProject;
  projects(): readonly OpenProject[];
  setFolders(roots: readonly string[]): void;
  /** What the editor says of each root. */
  setHostSettings(settingsOf: (root: string) => HostSettings): void;
  /** An open document changed. Returns the checked files whose answers may differ now, the document itself among them perhaps. */
  edited(name: string): readonly string[];
  /** Files changed on the disk, came or went; folders stand for what was in them. False where nothing of that matters here. */
  changedOnDisk(names: readonly string[]): boolean;
  textOf(name: string): string | undefined;
  dispose(): void;
}

export interface WorkspaceOptions {
  readonly platform: Platform;
  readonly parser: SyntaxParser;
  readonly turns: Turns;
  documentOf(name: string): TextDocument | undefined;
  /** Of every open document. */
  documentNames(): readonly string[];
}

// A header that includes a header that includes …: each round fetches one more level.
const maximalRounds = 64;

/** Folders come and go; a file outside of them gets a project of its own while it is open. */
export function createWorkspace(options: WorkspaceOptions): Workspace {
  let folders: readonly string[] = [];
  let settingsOf: (root: string) => HostSettings = () => ({});
  const open = new Map<string, ReturnType<typeof openOne>>();

  const projectOf = (name: string) => {
    const within = folders.filter((folder) => isWithin(name, folder)).sort((a, b) => b.length - a.length);
    const root = within[0] ?? options.platform.rootOf(name);
    const known = open.get(root);
    if (known !== undefined) return known;
    const opened = openOne(root, options, settingsOf(root));
    open.set(root, opened);
    return opened;
  };

  return {
    projectOf,
    projects: () => [...open.values()],
    setFolders(roots) {
      folders = roots;
      for (const [root, { project }] of open) {
        if (roots.includes(root)) continue;
        project.dispose();
        open.delete(root);
      }
      for (const root of roots) projectOf(`${root}/`);
    },
    setHostSettings(changed) {
      settingsOf = changed;
      for (const [root, one] of open) one.setHostSettings(changed(root));
    },
    edited: (name) => [...open.values()].flatMap((one) => one.changed([name], false)),
    changedOnDisk(names) {
      const touched = [...open.values()].map((one) => {
        const known = one.filesBelow(names);
        if (known.length > 0) one.changed(known, true);
        return known.length > 0;
      });
      return touched.includes(true);
    },
    textOf(name) {
      const document = options.documentOf(name);
      if (document !== undefined) return document.getText();
      const text = projectOf(name).files.read(name);
      return text === "absent" || text === "unread" ? undefined : text;
    },
    dispose() {
      for (const { project } of open.values()) project.dispose();
      open.clear();
    },
  };
}

function openOne(root: string, { platform, parser, turns, documentOf, documentNames }: WorkspaceOptions, hostSettings: HostSettings) {
  const hostFiles: HostFiles = platform.openFiles(root, (name) => project.settings.isExcluded(name));
  let listed: { readonly onDisk: readonly string[]; readonly unsaved: readonly string[]; readonly all: readonly string[] } | undefined;
  const files: Files = {
    read: (name) => documentOf(name)?.getText() ?? hostFiles.read(name),
    list: () => {
      const onDisk = hostFiles.list();
      const unsaved = documentNames().filter((name) => isOfInterest(name) && isWithin(name, root) && hostFiles.read(name) === "absent");
      // The list that has been given out is its own key to whoever made something of it.
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
    isOpen: (name) => documentOf(name) !== undefined,
    languageOf: (name) => languageOfId(documentOf(name)?.languageId),
    allow: (folder) => hostFiles.allow(folder),
  });
  const reports = new Map<string, FileReport>();
  let linked: ReadonlyMap<string, readonly Diagnostic[]> | undefined;

  // What has not been read is no host as far as we know: to fetch every file of a workspace for this would be too much.
  const hosts = new Map<string, { readonly text: string; readonly isHost: boolean }>();
  const isHost = (name: string): boolean => {
    const text = files.read(name);
    const known = hosts.get(name);
    if (known?.text === text) return known.isHost;
    const found = { text, isHost: hasDeviceCode(name, text) };
    hosts.set(name, found);
    return found.isHost;
  };
  let linkable: readonly string[] | undefined;
  let wasWhole = false;
  const isWhole = () => linkable?.every((name) => reports.has(name)) === true;
  const link = () => {
    wasWhole = isWhole();
    return project.service().link(wasWhole);
  };
  const inSteps = <Result>(name: string, urgency: () => Urgency, start: (service: Service) => Steps<Result>): Promise<Result> =>
    turns.run(
      name,
      urgency,
      startingOver(
        () => start(project.service()),
        () => project.service(),
      ),
    );
  const readAnew = async (name: string, urgency: () => Urgency): Promise<FileReport> => {
    for (let round = 0; ; round++) {
      const report = await inSteps(name, urgency, (service) => service.checkInSteps(name));
      const unread = [...report.unread, ...project.settings.unread()];
      if (unread.length === 0 || round === maximalRounds) {
        linked = undefined;
        reports.set(name, report);
        return report;
      }
      await hostFiles.fetch(unread);
      project.changed(unread);
    }
  };
  const readings = new Map<string, { readonly wish: { urgency: Urgency }; readonly report: Promise<FileReport> }>();
  const read = (name: string, urgency: Urgency): Promise<FileReport> => {
    const known = reports.get(name);
    if (known !== undefined && project.settings.unread().length === 0) return Promise.resolve(known);
    const reading = readings.get(name);
    if (reading !== undefined) {
      // Somebody waits for it now.
      if (urgency === "now") reading.wish.urgency = "now";
      return reading.report;
    }
    const wish = { urgency };
    const report = readAnew(name, () => wish.urgency).finally(() => readings.delete(name));
    readings.set(name, { wish, report });
    return report;
  };

  return {
    project,
    files,
    read,
    isKnown: (name: string) => reports.has(name),
    setWhole(names: readonly string[] | undefined): boolean {
      const before = wasWhole;
      linkable = names;
      if (before === isWhole()) return false;
      linked = undefined;
      return true;
    },
    async understand(name: string): Promise<Service> {
      await read(name, "now");
      await inSteps(
        name,
        () => "now",
        (service) => service.readInSteps(name),
      );
      return project.service();
    },
    async check(name: string, urgency: Urgency): Promise<FileState> {
      const report = await read(name, urgency);
      linked ??= link();
      return stateOf(name, report, linked);
    },
    states() {
      linked ??= link();
      return [...reports].map(([name, report]) => stateOf(name, report, linked));
    },
    sources: () => turns.run("", () => "later", sourcesOf(files.list(), isHost)),
    setHostSettings(changed: HostSettings) {
      project.setHostSettings(changed);
      reports.clear();
    },
    changed(names: readonly string[], isOnDisk: boolean): readonly string[] {
      if (isOnDisk) hostFiles.changed(names);
      const touched = project.changed(names);
      const stale = touched === "everything" ? [...reports.keys()] : [...names, ...touched];
      for (const name of stale) reports.delete(name);
      return stale;
    },
    /** The names that may matter here; of a folder, which somebody moved or removed as a whole, the files that were in it. */
    filesBelow(names: readonly string[]): readonly string[] {
      const own = names.filter(
        (name) =>
          isOfInterest(name) || isSettingsFile(name) || baseNameOf(name) === ".gitignore" || project.settings.unread().includes(name),
      );
      const maybeFolders = names.filter((name) => !/\.\w+$/.test(baseNameOf(name)));
      if (maybeFolders.length === 0) return own;
      const known = new Set(files.list().flatMap((name) => foldersUpTo(name, root)));
      const folders = maybeFolders.filter((name) => known.has(name));
      return [...new Set([...own, ...files.list().filter((name) => folders.some((folder) => isWithin(name, folder)))])];
    },
  };
}

function* sourcesOf(listed: readonly string[], isHost: (name: string) => boolean): Steps<readonly string[]> {
  const hosts: string[] = [];
  for (const name of listed) {
    if (isChecked(name) || !mayEmbed(name)) continue;
    if (isHost(name)) hosts.push(name);
    yield;
  }
  return [...listed.filter(isChecked), ...hosts];
}

function stateOf(name: string, report: FileReport, linked: ReadonlyMap<string, readonly Diagnostic[]> | undefined): FileState {
  return { report, diagnostics: inOrder([...report.diagnostics, ...(linked?.get(name) ?? [])]) };
}

/** What an editor calls the languages; a document without a telling name is what its editor says it is. */
function languageOfId(id: string | undefined): "opencl" | "cuda" | undefined {
  if (id === undefined) return undefined;
  if (/^opencl/i.test(id)) return "opencl";
  return /^(cuda|hip)/i.test(id) ? "cuda" : undefined;
}
