/**
 * A folder of the file system with a service over it, for programs that use the core as a library. It is what the command
 * line and the server make for themselves, without their threads and their clock.
 */
import { resolve } from "node:path";
import type { Severity } from "../finding.ts";
import { isChecked } from "../project/interest.ts";
import { lineIndex } from "../project/lines.ts";
import { openProject } from "../project/project.ts";
import type { Service } from "../service.ts";
import { readFlags } from "../settings/compiler-flags.ts";
import type { Location } from "../source.ts";
import type { SyntaxParser } from "../syntax/parser.ts";
import { createNodeFiles } from "./node-files.ts";
import { nameOfPath, pathOfName } from "./node-names.ts";

/** What a host says besides the folder. */
export interface FolderOptions {
  /** Compiler flags of all files, as for clang and nvcc, on top of what the settings files say. */
  readonly flags?: readonly string[];
  /** Severities that have the last word over the settings files. */
  readonly rules?: Readonly<Record<string, Severity | "off">>;
}

/** A place as people know it. */
export interface ShownPlace {
  readonly path: string;
  /** From one, in UTF-16 code units. */
  readonly line: number;
  readonly column: number;
}

/** Files are named by uris (`file:///folder/a.cl`) wherever the service takes or gives a name. */
export interface OpenFolder {
  readonly root: string;
  uriOf(path: string): string;
  /** Undefined where the uri is not of the file system. */
  pathOf(uri: string): string | undefined;
  /** The CUDA, HIP and OpenCL files of the folder that neither `.gitignore` nor the settings exclude, by their uris. */
  sources(): readonly string[];
  /** After `changed` it may be another one. */
  service(): Service;
  /** The text of a file as the service has it; undefined where there is none. */
  textOf(uri: string): string | undefined;
  placeOf(location: Location): ShownPlace;
  /** Files changed, came or went. Gives the uris of checked files whose answers may be others now, or "everything". */
  changed(paths: readonly string[]): readonly string[] | "everything";
  /** Frees the parser's memory. */
  dispose(): void;
}

/** Reads nothing before it is asked. Include paths of the settings may lead out of the folder, nothing else does. */
export function openFolder(path: string, parser: SyntaxParser, { flags, rules }: FolderOptions): OpenFolder {
  const root = nameOfPath(resolve(path));
  const files = createNodeFiles({ root, isExcluded: (name) => project.settings.isExcluded(name) });
  const project = openProject({
    root,
    files,
    parser,
    ...(flags === undefined ? {} : { flags: readFlags(flags, { resolve: (name) => nameOfPath(name) }).settings }),
    ...(rules === undefined ? {} : { rules }),
    allow: (folder) => files.allow(folder),
  });
  const textOf = (uri: string): string | undefined => {
    const text = files.read(uri);
    return text === "absent" || text === "unread" ? undefined : text;
  };
  return {
    root: path,
    uriOf: (name) => nameOfPath(resolve(path, name)),
    pathOf: pathOfName,
    sources: () => files.list().filter(isChecked),
    service: () => project.service(),
    textOf,
    placeOf: ({ uri, span }) => {
      const { line, column } = lineIndex(textOf(uri) ?? "").placeOf(span.start);
      return { path: pathOfName(uri) ?? uri, line: line + 1, column: column + 1 };
    },
    changed: (paths) => {
      const names = paths.map((name) => nameOfPath(resolve(path, name)));
      files.changed(names);
      return project.changed(names);
    },
    dispose: () => project.dispose(),
  };
}
