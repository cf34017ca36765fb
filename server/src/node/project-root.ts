/** Finds the project folder of a file when none was opened: on a command line, or for a single file in an editor. */
import { folderOf } from "../names.ts";
import { settingsFileName } from "../settings/settings.ts";
import { repositoryOf } from "./node-files.ts";
import { statOf } from "./real-files.ts";

/** The project folder of some files. */
export interface ProjectRoot {
  readonly root: string;
  /** False for a folder without any mark of a project, which may contain anything, such as a home directory. */
  readonly isProject: boolean;
}

/** The git work tree around the folder, or else the nearest folder with settings, or else the folder itself. */
export function projectRootOf(folder: string): ProjectRoot {
  const repository = repositoryOf(folder);
  if (repository !== undefined) return { root: repository, isProject: true };
  for (let above = folder; above.length > "file://".length; above = folderOf(above)) {
    if ([settingsFileName, "compile_commands.json"].some((file) => statOf(`${above}/${file}`) !== undefined))
      return { root: above, isProject: true };
  }
  return { root: folder, isProject: false };
}
