/**
 * Turns the paths of a command line into the files to check, each with its project and the name that the user knows it by. Paths
 * that cannot be checked are reported here, before any work is done.
 */
import { accessSync, constants, statSync } from "node:fs";
import { relative } from "node:path";
import { mayEmbed } from "../embedded/embedded.ts";
import { folderOf, relativeName } from "../names.ts";
import { createNodeFiles, insideOf, listFiles, maximalFileSize, readText } from "../node/node-files.ts";
import { nameOfPath, pathOfName } from "../node/node-names.ts";
import { type ProjectRoot, projectRootOf } from "../node/project-root.ts";
import { errorCode } from "../node/real-files.ts";
import { quoted } from "../printable.ts";
import { isChecked } from "../project/interest.ts";
import { isBuildFile } from "../settings/builds/build-languages.ts";
import { createDeviceSources } from "../settings/builds/device-sources.ts";
import { hasDeviceCode } from "../settings/languages.ts";

/** A file to check, and its name in reports. */
export interface Target {
  readonly name: string;
  /** The path as given, or the given folder with the rest of the path. */
  readonly shown: string;
}

/** Files that belong to one project. */
export interface TargetGroup {
  readonly project: ProjectRoot;
  readonly targets: readonly Target[];
  /** The folders that the user named: headers in them are checked too, in the context of a file that includes them. */
  readonly folders: readonly Target[];
}

/** All files to check, and problems with the given paths. */
export interface Targets {
  readonly groups: readonly TargetGroup[];
  /** Reasons why something could not be read; they make the command fail. */
  readonly problems: readonly string[];
}

// The greatest number of files. Users name what they want checked, so only `check /` and the like exceed it.
const maximalFiles = 200_000;

/** The files behind the paths, in the given order, each once; `problems` explains the invalid paths. */
export function findTargets(paths: readonly string[]): Targets {
  const groups = new Map<string, { project: ProjectRoot; targets: Map<string, Target>; folders: Target[] }>();
  const problems: string[] = [];
  const groupOf = (folder: string, isNamed = false) => {
    const { root, isProject } = projectRootOf(folder);
    // Whoever names a folder without any mark of a project wants all of it to be searched.
    const project = { root, isProject: isProject || (isNamed && root === folder) };
    const group = groups.get(project.root) ?? { project, targets: new Map<string, Target>(), folders: [] };
    groups.set(project.root, group);
    return group;
  };

  for (const path of paths) {
    const kind = kindOf(path);
    const name = nameOfPath(path);
    if (kind === "file") {
      groupOf(folderOf(name)).targets.set(name, { name, shown: path });
    } else if (kind === "folder") {
      const group = groupOf(name, true);
      group.folders.push({ name, shown: path });
      const isInside = insideOf(group.project.root);
      const files = listFiles(name, {
        maximalCount: maximalFiles,
        isRecursive: true,
        isExcluded: () => false,
        wants: (found) => isChecked(found) || mayEmbed(found) || isBuildFile(found),
        isInside,
      });
      const isDeviceSource = deviceSourcesIn(group.project, name === group.project.root ? files : undefined);
      for (const file of files) {
        if (!isChecked(file) && (!mayEmbed(file) || (!isWorthChecking(file, isInside) && !isDeviceSource(file)))) continue;
        if (!group.targets.has(file)) group.targets.set(file, { name: file, shown: shownIn(file, { name, shown: path }) });
      }
    } else {
      problems.push(kind.problem);
    }
  }
  return {
    groups: [...groups.values()].map(({ project, targets, folders }) => ({ project, targets: [...targets.values()], folders })),
    problems,
  };
}

/** The only target for a text on standard input; `path` is where the file would be. */
export function targetOfText(path: string): Targets {
  const name = nameOfPath(path);
  const project = projectRootOf(folderOf(name));
  return { groups: [{ project, targets: [{ name, shown: path }], folders: [] }], problems: [] };
}

/**
 * Tells which C++ sources of a project the build compiles as device code. `listed` has its files if they are known. Nothing is
 * read before the first question.
 */
function deviceSourcesIn({ root, isProject }: ProjectRoot, listed: readonly string[] | undefined): (name: string) => boolean {
  const files = createNodeFiles({ root, isRecursive: isProject });
  const sources = createDeviceSources(root, { ...files, list: () => listed ?? files.list() });
  return (name) => sources.of(name) !== undefined;
}

function isWorthChecking(name: string, isInside: (realName: string) => boolean): boolean {
  const source = readText(name, { maximalSize: maximalFileSize, isInside });
  return "text" in source && hasDeviceCode(name, source.text);
}

/** The shown name of a file in a named folder. */
export function shownIn(name: string, folder: Target): string {
  const rest = relativeName(name, folder.name) ?? name;
  const shown = folder.shown.replace(/[/\\]+$/, "");
  if (shown === ".") return rest;
  return shown === "" ? `/${rest}` : `${shown}/${rest}`;
}

/** The shown name of a file that the user did not name: relative if it is below the current folder. */
export function shownPath(name: string): string {
  const path = pathOfName(name) ?? name;
  const short = relative(process.cwd(), path);
  return short.startsWith("..") ? path : short;
}

function kindOf(path: string): "file" | "folder" | { readonly problem: string } {
  try {
    const stats = statSync(path);
    accessSync(path, constants.R_OK);
    if (stats.isDirectory()) return "folder";
    return stats.isFile() ? "file" : { problem: `'${path}' is neither a file nor a folder` };
  } catch (error) {
    const code = errorCode(error);
    const shown = quoted(path, 4_096);
    if (code === "ENOENT" || code === "ENOTDIR") return { problem: `no such file or folder: ${shown}` };
    if (code === "EACCES" || code === "EPERM") return { problem: `no permission to read ${shown}` };
    return { problem: `cannot read ${shown} (${code})` };
  }
}
