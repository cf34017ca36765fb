/** Finds the folder that a file belongs to when nobody opened one: a command line, a single file in an editor. */
import { folderOf } from "../names.ts";
import { settingsFileName } from "../settings/settings.ts";
import { repositoryOf } from "./node-files.ts";
import { statOf } from "./real-files.ts";

/** The folder that files belong to. */
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
    if ([settingsFileName, "compile_commands.json"].some((file) => statOf(`${above}/${file}`) !== undefined))
      return { root: above, isProject: true };
  }
  return { root: folder, isProject: false };
}
