/**
 * Turns the paths of a command line into the files to check, each with its project and the spelling that the user knows
 * it by. What cannot be checked is said here, before any work is done.
 */
import { accessSync, constants, statSync } from "node:fs";
import { relative } from "node:path";
import { mayEmbed } from "../embedded/embedded.ts";
import { isChecked } from "../host/interest.ts";
import { errorCode, listFiles, readText } from "../host/node-files.ts";
import { nameOfPath, pathOfName } from "../host/node-names.ts";
import { type ProjectRoot, projectRootOf } from "../host/project-root.ts";
import { folderOf, relativeName } from "../names.ts";
import { hasDeviceCode } from "../workspace/languages.ts";

export interface Target {
  readonly name: string;
  /** As given on the command line, or the given folder with the rest of the path. */
  readonly shown: string;
}

export interface TargetGroup {
  readonly project: ProjectRoot;
  readonly targets: readonly Target[];
  /** The folders that were named: headers in them are checked too, in the context of a file that includes them. */
  readonly folders: readonly Target[];
}

export interface Targets {
  readonly groups: readonly TargetGroup[];
  /** Why something could not be read; the command cannot run to its end then. */
  readonly problems: readonly string[];
}

// A command line names what it wants checked, so the bound is only there for `check /`.
const maximalFiles = 200_000;

/** The files behind the paths, in the order given, each once; what is wrong with a path is among the problems, and the others count. */
export function findTargets(paths: readonly string[]): Targets {
  const groups = new Map<string, { project: ProjectRoot; targets: Map<string, Target>; folders: Target[] }>();
  const problems: string[] = [];
  const groupOf = (folder: string) => {
    const project = projectRootOf(folder);
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
      const group = groupOf(name);
      group.folders.push({ name, shown: path });
      for (const file of listFiles(name, {
        maximalCount: maximalFiles,
        isRecursive: true,
        isExcluded: () => false,
        wants: (found) => isChecked(found) || mayEmbed(found),
      })) {
        if (!isWorthChecking(file)) continue;
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

function isWorthChecking(name: string): boolean {
  if (isChecked(name)) return true;
  const source = readText(name);
  return "text" in source && hasDeviceCode(name, source.text);
}

/** How a file in a named folder is shown. */
export function shownIn(name: string, folder: Target): string {
  const rest = relativeName(name, folder.name) ?? name;
  const shown = folder.shown.replace(/[/\\]+$/, "");
  if (shown === ".") return rest;
  return shown === "" ? `/${rest}` : `${shown}/${rest}`;
}

/** How a file is shown that nobody named: relative where it lies below the current folder. */
export function shownPath(name: string): string {
  const path = pathOfName(name) ?? name;
  const short = relative(process.cwd(), path);
  return short.startsWith("..") ? path : short;
}

function kindOf(path: string): "file" | "folder" | { readonly problem: string } {
  if (path === "-") return { problem: "standard input is not read: its folder decides about headers and settings" };
  try {
    const stats = statSync(path);
    accessSync(path, constants.R_OK);
    if (stats.isDirectory()) return "folder";
    return stats.isFile() ? "file" : { problem: `'${path}' is neither a file nor a folder` };
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return { problem: `no such file or folder: '${path}'` };
    if (code === "EACCES" || code === "EPERM") return { problem: `no permission to read '${path}'` };
    return { problem: `cannot read '${path}' (${code})` };
  }
}
