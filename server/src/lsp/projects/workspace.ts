/**
 * The projects of a session: one per open folder, and one per root of a document outside of those, which is closed with its last
 * document. Open documents replace the files on disk.
 */
import type { CancellationToken } from "vscode-languageserver";
import { isWithin } from "../../names.ts";
import type { HostSettings } from "../../project/project.ts";
import { type OpenProject, type OwnedProject, openProjectIn, type ProjectContext } from "./open-project.ts";

/** The client's folders, and the projects in them. */
export interface Workspace {
  projectOf(name: string): OpenProject;
  projects(): readonly OpenProject[];
  setFolders(roots: readonly string[]): void;
  /** Sets the editor's settings for each root. */
  setHostSettings(settingsOf: (root: string) => HostSettings): void;
  /** An open document was edited. Returns the checked files whose answers may differ now, possibly including the document itself. */
  edited(name: string): readonly string[];
  /** Reports that files were edited, created or deleted on disk; a folder stands for its files. False if none of them matters. */
  changedOnDisk(names: readonly string[]): boolean;
  /** The text of an open document, or of a file that an open project may read. */
  textOf(name: string): string | undefined;
  /** Closes the projects outside of the folders in which no document is open any more. */
  closeUnused(): void;
  dispose(): void;
}

/** What the workspace needs to open projects. */
export interface WorkspaceOptions extends ProjectContext {
  /** The settings until the editor has been asked for its own. */
  readonly initialSettings: HostSettings;
}

/** Creates the workspace of one session. A file outside of the open folders gets a project of its own while it is open. */
export function createWorkspace(options: WorkspaceOptions): Workspace {
  let folders: readonly string[] = [];
  let settingsOf: (root: string) => HostSettings = () => options.initialSettings;
  const open = new Map<string, OwnedProject>();

  const folderAround = (name: string): string | undefined =>
    folders.filter((folder) => isWithin(name, folder)).sort((a, b) => b.length - a.length)[0];
  const closeUnused = (kept?: string): void => {
    const outside = options.documentNames().filter((name) => folderAround(name) === undefined);
    for (const [root, one] of open) {
      if (root === kept || folders.includes(root) || outside.some((name) => isWithin(name, root))) continue;
      one.close();
      open.delete(root);
    }
  };
  const projectOf = (name: string): OwnedProject => {
    const root = folderAround(name) ?? options.platform.rootOf(name);
    const known = open.get(root);
    if (known !== undefined) return known;
    const opened = openProjectIn(root, options, settingsOf(root));
    open.set(root, opened);
    // A request about a file that is not open has opened a project too.
    closeUnused(root);
    return opened;
  };

  return {
    projectOf,
    projects: () => [...open.values()],
    setFolders(roots) {
      folders = roots;
      // A document that was in a folder may get another root now.
      for (const [root, one] of open) {
        if (roots.includes(root)) continue;
        one.close();
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
      return [...open.values()].map((one) => one.changedOnDisk(names)).includes(true);
    },
    textOf(name) {
      const document = options.documentOf(name);
      if (document !== undefined) return document.getText();
      const around = folderAround(name);
      const own = around === undefined ? undefined : open.get(around);
      for (const { files } of own === undefined ? open.values() : [own]) {
        const text = files.read(name);
        if (text !== "absent" && text !== "unread") return text;
      }
      return undefined;
    },
    closeUnused: () => closeUnused(),
    dispose() {
      for (const one of open.values()) one.close();
      open.clear();
    },
  };
}

/** The workspace for one request, whose work is abandoned when the request is cancelled. */
export function workspaceUntil(token: CancellationToken, workspace: Workspace): Workspace {
  const until = (project: OpenProject): OpenProject => ({
    ...project,
    inSteps: (work) => project.inSteps(work, token),
    read: (name, urgency) => project.read(name, urgency, token),
    check: (name, urgency) => project.check(name, urgency, token),
    understand: (name) => project.understand(name, token),
    judge: (name) => project.judge(name, token),
  });
  return { ...workspace, projectOf: (name) => until(workspace.projectOf(name)), projects: () => workspace.projects().map(until) };
}
