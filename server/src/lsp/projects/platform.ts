/** The interface between the language server and its platform: Node, or a browser's worker. */
import type { Project } from "../../project/project.ts";
import type { FileCheck } from "../../service.ts";
import type { Files } from "../../source.ts";
import type { SyntaxParser } from "../../syntax/parser.ts";
import type { EditorSettings } from "./editor-settings.ts";

/** The options that a client may send at the start. All of them are optional, and an editor without configuration works. */
export interface InitializationOptions extends EditorSettings {
  /** The client has the commands that code lenses name. */
  readonly commands?: boolean;
  /**
   * False until the user trusts the workspace. Until then, its files cannot cause reads outside of it. `gpu-qualifiers/trusted`
   * announces that the user does.
   */
  readonly isTrusted?: boolean;
  /** The client understands `gpu-qualifiers/status`. */
  readonly status?: boolean;
  /** The uri of a folder with the rules' pages as HTML, or an address with `{page}` in the place of the page's name. */
  readonly documentation?: string;
  /** The uri of a folder with the pages of the languages' own declarations, for a server that has none. */
  readonly builtinPages?: string;
}

/** The bytes of the parser's two wasm files, which a client sends with its options to a server that cannot read files. */
export interface ParserBytes {
  readonly runtimeWasm?: Uint8Array;
  readonly grammarWasm?: Uint8Array;
}

/** The files of one project, as a host reads them. */
export interface HostFiles extends Files {
  /** Lets the core read a folder outside of the project's root. */
  allow(folder: string): void;
  /** Why a file is absent although the path exists. */
  whyAbsent?(name: string): string | undefined;
  /** Reports that these files were edited, created or deleted on disk. */
  changed(names: readonly string[]): void;
  /**
   * Reports that these names were created, moved or deleted on disk, some of which may be folders. Returns the folders among them
   * that exist or have existed, and the files that were or are in those: the listed ones, and all that have been asked for.
   */
  changedFolders(names: readonly string[]): ChangedFolders;
  /** Fetches files that `read` called unread. A host that reads synchronously does not need it. */
  fetch(names: readonly string[]): Promise<void>;
  /**
   * The listed files that have not been fetched yet; undefined as long as the list itself has not. A host that reads synchronously
   * leaves it out.
   */
  unread?(): readonly string[] | undefined;
}

/** Folders that have changed as a whole. */
export interface ChangedFolders {
  readonly folders: ReadonlySet<string>;
  readonly files: readonly string[];
}

/** A project's decisions about its files. */
export interface FilesOfProject {
  isExcluded(name: string): boolean;
  isTrusted(): boolean;
}

/** The results of earlier sessions, and of runs of the command line, for a project's files. */
export interface KeptAnswers {
  /** The result that a check of the file would give now, if it is known. */
  find(name: string): FileCheck | undefined;
  keep(check: FileCheck): void;
  /** Reports that files or settings changed. */
  changed(): void;
}

/** What a session needs from its platform. */
export interface Platform {
  loadParser(bytes: ParserBytes): Promise<SyntaxParser>;
  /** The files of a folder. */
  openFiles(root: string, project: FilesOfProject): HostFiles;
  /** Opens the results that outlive the session; absent if they cannot be stored. */
  openAnswers?(project: Pick<Project, "root" | "settings" | "service">, files: Files): KeptAnswers;
  /** The name of a folder without links; undefined if nothing has that name. Absent where names have no links. */
  realNameOf?(name: string): string | undefined;
  /** The project root of a file outside of every open folder. */
  rootOf(name: string): string;
  /** How many files of a workspace are checked although they are not open. */
  readonly backgroundLimit: number;
  /** Called when a message of the client has arrived, for code that waits until the client is idle. */
  noteMessage?(): void;
  /** The folder of the rules' pages and of the languages' own declarations, if the server has them itself. */
  readonly documentation: string | undefined;
  /** Formats the text of a file by the style of its project; undefined if that fails. Absent if no formatter is installed. */
  format?(name: string, text: string): Promise<string | undefined>;
}
