/**
 * Opens a folder of the file system with a service, for programs that use the core as a library. The command line and the server
 * open folders in their own way, with threads and a clock.
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

/** A host's options besides the folder. */
export interface FolderOptions {
  /** Compiler flags for all files, as for clang and nvcc, in addition to those in settings files. */
  readonly flags?: readonly string[];
  /** Severities that override the settings files. */
  readonly rules?: Readonly<Record<string, Severity | "off">>;
}

/** A place as shown to people. */
export interface ShownPlace {
  readonly path: string;
  /** Counted from one, in UTF-16 code units. */
  readonly line: number;
  readonly column: number;
}

/** A folder with its files and its service. The service names files by uris (`file:///folder/a.cl`). */
export interface OpenFolder {
  readonly root: string;
  uriOf(path: string): string;
  /** The path of a uri; undefined if the uri is not of the file system. */
  pathOf(uri: string): string | undefined;
  /** The uris of the folder's CUDA, HIP and OpenCL files that neither `.gitignore` nor the settings exclude. */
  sources(): readonly string[];
  /** The current service; `changed` may replace it. */
  service(): Service;
  /** The text of a file as the service reads it; undefined if there is none. */
  textOf(uri: string): string | undefined;
  placeOf(location: Location): ShownPlace;
  /**
   * Reports that files were edited, created or deleted. Returns the uris of checked files whose answers may differ now, or
   * "everything".
   */
  changed(paths: readonly string[]): readonly string[] | "everything";
  /** Frees the parser's memory. */
  dispose(): void;
}

/** Opens a folder. Nothing is read before the first request. Only the settings' include paths may lead out of the folder. */
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
