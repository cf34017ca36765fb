/** Finds the folder that a file belongs to when nobody opened one: a command line, a single file in an editor. */
import { statSync } from "node:fs";
import { folderOf } from "../names.ts";
import { settingsFileName } from "../workspace/settings.ts";
import { repositoryOf } from "./node-files.ts";
import { pathOfName } from "./node-names.ts";

export interface ProjectRoot {
  readonly root: string;
  /** False for a folder that nothing marks as a project: then what lies below it may be anything, such as a whole home. */
  readonly isProject: boolean;
}

/** The work tree around the folder, else the nearest folder with settings, else the folder itself. */
export function projectRootOf(folder: string): ProjectRoot {
  const repository = repositoryOf(folder);
  if (repository !== undefined) return { root: repository, isProject: true };
  for (let above = folder; above.length > "file://".length; above = folderOf(above)) {
    if (exists(`${above}/${settingsFileName}`) || exists(`${above}/compile_commands.json`)) return { root: above, isProject: true };
  }
  return { root: folder, isProject: false };
}

function exists(name: string): boolean {
  const path = pathOfName(name);
  return path !== undefined && statSync(path, { throwIfNoEntry: false }) !== undefined;
}
