/**
 * The exports of `gpu-qualifiers/api` for other programs: the Service, a folder with a service, and the rules. `docs/api.md`
 * describes them. They stay compatible within a major version.
 */
import { folderOfModule } from "../node/folder-of-module.ts";
import { loadNodeParser } from "../node/node-parser.ts";
import { type FolderOptions, type OpenFolder, openFolder as openWith } from "../node/open-folder.ts";
import type { SyntaxParser } from "../syntax/parser.ts";

export { type CompileSettings, noSettings } from "../dialect.ts";
export type { Diagnostic, Fix, RelatedPlace, Severity } from "../finding.ts";
export type { FolderOptions, OpenFolder, ShownPlace } from "../node/open-folder.ts";
export { lineIndex } from "../project/lines.ts";
export { rules } from "../rules/index.ts";
export { createService, type FileReport, type HoverContent, type Service, type ServiceOptions } from "../service.ts";
export type { Edit, Files, Location, Span } from "../source.ts";
export type { SyntaxParser } from "../syntax/parser.ts";

const here = folderOfModule(import.meta.url);

let loading: Promise<SyntaxParser> | undefined;

/**
 * Loads the parser that a service needs, from the files beside this one. A process gets one: the runtime frees a second one's parsers in
 * the memory of the first.
 */
export function loadParser(): Promise<SyntaxParser> {
  loading ??= loadNodeParser(here);
  return loading;
}

/** Opens a folder of the file system, and reads its settings files as the command line does. */
export async function openFolder(path: string, options: FolderOptions = {}): Promise<OpenFolder> {
  return openWith(path, await loadParser(), options);
}
