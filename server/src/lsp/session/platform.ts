/** What the language server needs from where it runs: Node or a browser's worker. */
import type { Project } from "../../project/project.ts";
import type { Learnt } from "../../service.ts";
import type { Files } from "../../source.ts";
import type { SyntaxParser } from "../../syntax/parser.ts";
import type { EditorSettings } from "./editor-settings.ts";

/** What a client may say at the start; all of it optional, and nothing that an editor without configuration has to know. */
export interface InitializationOptions extends EditorSettings {
  /** The client has the commands that code lenses name. */
  readonly commands?: boolean;
  /**
   * False where the user has not said that they trust what they have opened: then the files of a workspace cannot make
   * anything outside of it be read. `gpu-qualifiers/trusted` says later that they do.
   */
  readonly isTrusted?: boolean;
  /** The client understands `gpu-qualifiers/status`. */
  readonly status?: boolean;
  /** Where the rules' pages lie; a folder's uri. */
  readonly documentation?: string;
}

/** The bytes of the parser's two wasm files, which a client gives beside its options to a server that cannot read files. */
export interface ParserBytes {
  readonly runtimeWasm?: Uint8Array;
  readonly grammarWasm?: Uint8Array;
}

/** Files of one project, as a host reads them. */
export interface HostFiles extends Files {
  /** Lets the core see a folder outside of the root. */
  allow(folder: string): void;
  /** Why a file is absent although there is something of that name. */
  whyAbsent?(name: string): string | undefined;
  /** These files changed on the disk, came or went. */
  changed(names: readonly string[]): void;
  /** Brings files that `read` called unread; a host that reads at once has none. */
  fetch(names: readonly string[]): Promise<void>;
}

/** What a project says about its files. */
export interface FilesOfProject {
  isExcluded(name: string): boolean;
  isTrusted(): boolean;
}

/** What earlier sessions and runs of the command line have learnt of a project's files. */
export interface KeptAnswers {
  /** What a check of the file would learn now, if that is known. */
  find(name: string): Learnt | undefined;
  keep(learnt: Learnt): void;
  /** Files or settings changed. */
  changed(): void;
}

/** What a session needs from where it runs. */
export interface Platform {
  loadParser(bytes: ParserBytes): Promise<SyntaxParser>;
  /** The files of a folder. */
  openFiles(root: string, project: FilesOfProject): HostFiles;
  /** Answers that outlive the session; absent where there is no place for them. */
  openAnswers?(project: Pick<Project, "root" | "settings" | "service">, files: Files): KeptAnswers;
  /** The project's root for a file outside of every folder that the client has opened. */
  rootOf(name: string): string;
  /** How many files of a workspace are checked that nobody has opened. */
  readonly backgroundLimit: number;
  /** A message of the client has come, for whoever wants to know when there are none. */
  heard?(): void;
  /** Where the rules' pages lie, if the server has them itself. */
  readonly documentation: string | undefined;
}
